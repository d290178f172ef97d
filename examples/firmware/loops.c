/* loops.c - the program's own loops, as people write them: memlift makes calls of them
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "loops.h"

void copy_bytes(unsigned char *restrict to, const unsigned char *restrict from, size_t n) {
  for (size_t i = 0; i < n; i++)
    to[i] = from[i];
}

void fill_words(uint64_t *p, uint64_t v, size_t n) {
  for (size_t i = 0; i < n; i++)
    p[i] = v;
}
