/* mover_engine.h - the engine in use as a mover, through the operations of async/
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef MEMLIFT_MOVER_ENGINE_H
#define MEMLIFT_MOVER_ENGINE_H

#include "mover.h"

#define MEMLIFT_MOVER_TOKENS 64u /* rows under way at once */

/* A mover of a store. A ticket is the number of its first row plus one; `next` is that of the next
 * row likewise, 0 for the last one. */
struct memlift_mover_engine {
  struct memlift_mover mover;
  uint64_t free; /* bit n: token n is not in use */
  uint64_t token[MEMLIFT_MOVER_TOKENS];
  unsigned char next[MEMLIFT_MOVER_TOKENS];
};

#pragma GCC visibility push(hidden)
#if defined(__cplusplus)
extern "C" {
#endif

/* Makes it ready. Asks the system whether bad addresses can be found: if not, or in builds without
 * engines, nothing is worth this mover. */
void memlift_mover_engine_init(struct memlift_mover_engine *engine);

#if defined(__cplusplus)
}
#endif
#pragma GCC visibility pop

#endif
