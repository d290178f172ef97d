/* entry.c - the public copy, move and fill
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "../include/memlift/memlift.h"
#include "operations.h"

void memlift_copy(void *restrict dst, const void *restrict src, size_t n) {
  memlift_do_copy(dst, src, n);
}

void memlift_move(void *dst, const void *src, size_t n) { memlift_do_move(dst, src, n); }

void memlift_fill8(void *dst, uint8_t v, size_t n) { memlift_do_fill_bytes(dst, v, n); }

void memlift_fill16(void *dst, uint16_t v, size_t n) {
  memlift_do_fill(dst, v * 0x0001000100010001u, n);
}

void memlift_fill32(void *dst, uint32_t v, size_t n) {
  memlift_do_fill(dst, v * 0x0000000100000001u, n);
}

void memlift_fill64(void *dst, uint64_t v, size_t n) { memlift_do_fill(dst, v, n); }

void memlift_fill_pattern(void *dst, uint64_t pattern, size_t period, size_t n) {
  memlift_do_pattern(dst, pattern, period, n);
}

void memlift_fill_pattern16(void *dst, uint64_t low, uint64_t high, size_t period, size_t n) {
  if (period <= 8)
    memlift_do_pattern(dst, low, period, n);
  else
    memlift_do_pattern16(dst, low, high, period > 16 ? 16 : (unsigned)period, n);
}
