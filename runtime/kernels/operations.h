/* operations.h - copy, move and fill, by the engine if they are large, else by the kernel in use
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The bodies of the public routines, so that one of them can use another without going through a
 * symbol that the program may have put something else in front of.
 */
#ifndef MEMLIFT_OPERATIONS_H
#define MEMLIFT_OPERATIONS_H

#include "../config.h"
#include "../engine/offload.h"
#include "dispatch.h"

/* One load and one compare for who uses no engine: the limit is SIZE_MAX then. */
MEMLIFT_INLINE int memlift_for_engine(size_t n) {
  return MEMLIFT_UNLIKELY(n >= __atomic_load_n(&memlift_engine_min, __ATOMIC_RELAXED));
}

MEMLIFT_INLINE void memlift_do_copy(void *dst, const void *src, size_t n) {
  if (memlift_for_engine(n) && memlift_offload_copy(dst, src, n))
    return;
  memlift_cpu_copy(dst, src, n);
}

/* Overlapping moves stay on the CPU: split or reordered commands would break them. */
MEMLIFT_INLINE void memlift_do_move(void *dst, const void *src, size_t n) {
  if (memlift_for_engine(n) && (uintptr_t)dst - (uintptr_t)src >= n &&
      (uintptr_t)src - (uintptr_t)dst >= n && memlift_offload_copy(dst, src, n))
    return;
  memlift_cpu_move(dst, src, n);
}

MEMLIFT_INLINE void memlift_do_fill(void *dst, uint64_t pattern, size_t n) {
  if (memlift_for_engine(n) && memlift_offload_fill(dst, pattern, n))
    return;
  memlift_cpu_fill(dst, pattern, n);
}

/* From "lowest byte first" to the machine's own byte order, which fill works in. */
MEMLIFT_INLINE uint64_t memlift_in_memory_order(uint64_t pattern) {
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  return pattern;
#else
  return __builtin_bswap64(pattern);
#endif
}

MEMLIFT_INLINE void memlift_do_pattern(void *dst, uint64_t pattern, size_t period, size_t n) {
  switch (period) {
  case 0:
  case 1:
    memlift_do_fill(dst, (pattern & 0xff) * 0x0101010101010101u, n);
    break;
  case 2:
    memlift_do_fill(dst, memlift_in_memory_order((pattern & 0xffff) * 0x0001000100010001u), n);
    break;
  case 4:
    memlift_do_fill(dst, memlift_in_memory_order((pattern & 0xffffffffu) * 0x0000000100000001u),
                    n);
    break;
  case 3:
  case 5:
  case 6:
  case 7:
    memlift_cpu_pattern(dst, pattern, (unsigned)period, n);
    break;
  default:
    memlift_do_fill(dst, memlift_in_memory_order(pattern), n);
    break;
  }
}

#endif
