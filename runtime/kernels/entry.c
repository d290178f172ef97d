/* entry.c - the public copy, move and fill: engine for large ones, else the kernel in use
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "../include/memlift/memlift.h"
#include "../config.h"
#include "../engine/offload.h"
#include "dispatch.h"

/* One load and one compare for who uses no engine: the limit is SIZE_MAX then. */
MEMLIFT_INLINE int for_engine(size_t n) {
  return MEMLIFT_UNLIKELY(n >= __atomic_load_n(&memlift_engine_min, __ATOMIC_RELAXED));
}

void memlift_copy(void *restrict dst, const void *restrict src, size_t n) {
  if (for_engine(n) && memlift_offload_copy(dst, src, n))
    return;
  memlift_cpu_copy(dst, src, n);
}

/* Overlapping moves stay on the CPU: split or reordered commands would break them. */
void memlift_move(void *dst, const void *src, size_t n) {
  if (for_engine(n) && (uintptr_t)dst - (uintptr_t)src >= n &&
      (uintptr_t)src - (uintptr_t)dst >= n && memlift_offload_copy(dst, src, n))
    return;
  memlift_cpu_move(dst, src, n);
}

MEMLIFT_INLINE void fill(void *dst, uint64_t pattern, size_t n) {
  if (for_engine(n) && memlift_offload_fill(dst, pattern, n))
    return;
  memlift_cpu_fill(dst, pattern, n);
}

void memlift_fill8(void *dst, uint8_t v, size_t n) { fill(dst, v * 0x0101010101010101u, n); }

void memlift_fill16(void *dst, uint16_t v, size_t n) { fill(dst, v * 0x0001000100010001u, n); }

void memlift_fill32(void *dst, uint32_t v, size_t n) { fill(dst, v * 0x0000000100000001u, n); }

void memlift_fill64(void *dst, uint64_t v, size_t n) { fill(dst, v, n); }

/* From "lowest byte first" to the machine's own byte order, which fill works in. */
MEMLIFT_INLINE uint64_t in_memory_order(uint64_t pattern) {
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  return pattern;
#else
  return __builtin_bswap64(pattern);
#endif
}

void memlift_fill_pattern(void *dst, uint64_t pattern, size_t period, size_t n) {
  switch (period) {
  case 0:
  case 1:
    fill(dst, (pattern & 0xff) * 0x0101010101010101u, n);
    break;
  case 2:
    fill(dst, in_memory_order((pattern & 0xffff) * 0x0001000100010001u), n);
    break;
  case 4:
    fill(dst, in_memory_order((pattern & 0xffffffffu) * 0x0000000100000001u), n);
    break;
  case 3:
  case 5:
  case 6:
  case 7:
    memlift_cpu_pattern(dst, pattern, (unsigned)period, n);
    break;
  default:
    fill(dst, in_memory_order(pattern), n);
    break;
  }
}
