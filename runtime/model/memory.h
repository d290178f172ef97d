/* memory.h - how a model reaches the program's memory: through the system, never by a pointer
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A bad address is a short count and no signal, as for a device behind an MMU.
 */
#ifndef MEMLIFT_MODEL_MEMORY_H
#define MEMLIFT_MODEL_MEMORY_H

#include <stddef.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)
#if defined(__cplusplus)
extern "C" {
#endif

/* Bytes moved from the front before the first that could not be. errno is kept. */
size_t memlift_model_read(void *to, uint64_t from, size_t size);
size_t memlift_model_write(uint64_t to, const void *from, size_t size);

/* The next number of a generator: the same seed gives the same run on every machine. */
static inline uint64_t memlift_model_random(uint64_t *state) {
  uint64_t x = *state += 0x9e3779b97f4a7c15u; /* splitmix64: passes through every state */
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
  x = (x ^ x >> 27) * 0x94d049bb133111ebu;
  return x ^ x >> 31;
}

#if defined(__cplusplus)
}
#endif
#pragma GCC visibility pop

#endif
