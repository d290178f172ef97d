/* twins.h - loops as written and as lifted, by the names in loops.inc, and random numbers
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Included by programs that run both; the type `loop` is theirs.
 */
#include <stdint.h>

#define LOOP(name) loop plain_##name, name;
#include "loops.inc"
#undef LOOP

static const struct {
  const char *name;
  loop *plain, *lifted;
} loops[] = {
#define LOOP(name) {#name, plain_##name, name},
#include "loops.inc"
#undef LOOP
};

static uint64_t state = 1;
static unsigned below(unsigned n) {
  state ^= state << 13, state ^= state >> 7, state ^= state << 17;
  return (unsigned)(state >> 33) % n;
}
