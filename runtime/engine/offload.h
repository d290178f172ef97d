/* offload.h - the question of the entry points to the engines: take this operation, or not
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Nonzero: the whole operation is done (by the engine, and by the CPU where the engine gave up).
 * Zero: nothing was started, the caller does it. Async-signal-safe, reentrant, keeps errno.
 */
#ifndef MEMLIFT_OFFLOAD_H
#define MEMLIFT_OFFLOAD_H

#include "../config.h"

#include <stddef.h>
#include <stdint.h>

#if MEMLIFT_HAVE_OFFLOAD
#pragma GCC visibility push(hidden)
#if defined(__cplusplus)
extern "C" {
#endif

/* dst and src are disjoint. */
int memlift_offload_copy(void *dst, const void *src, size_t n);

/* pattern is in memory order, as for the fill kernels. */
int memlift_offload_fill(void *dst, uint64_t pattern, size_t n);

#if defined(__cplusplus)
}
#endif
#pragma GCC visibility pop
#else
static inline int memlift_offload_copy(void *dst, const void *src, size_t n) {
  return (void)dst, (void)src, (void)n, 0;
}
static inline int memlift_offload_fill(void *dst, uint64_t pattern, size_t n) {
  return (void)dst, (void)pattern, (void)n, 0;
}
#endif

#endif
