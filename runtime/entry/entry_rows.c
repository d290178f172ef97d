/* entry_rows.c - the public fills, copies and moves of rows, and copies that swap bytes
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Rows go one after the other, so that rows which overlap leave what the loop leaves. Rows that
 * turn out to be end to end are one region, for the engine too, where the order is free.
 */
#include "../include/memlift/memlift.h"
#include "operations.h"

/* The bytes of all rows, if they lie end to end upwards from the first; else 0. */
MEMLIFT_INLINE size_t end_to_end(ptrdiff_t pitch, size_t width, size_t rows) {
  size_t all;
  return pitch > 0 && (size_t)pitch == width && !__builtin_mul_overflow(width, rows, &all) ? all
                                                                                           : 0;
}

void memlift_fill_2d(void *dst, ptrdiff_t pitch, uint64_t pattern, size_t period, size_t width,
                     size_t rows) {
  unsigned char *d = (unsigned char *)dst;
  size_t all = end_to_end(pitch, width, rows);
  period = period == 0 ? 1 : period > 8 ? 8 : period;
  if (all && width % period == 0) {
    memlift_do_pattern(dst, pattern, period, all);
    return;
  }
  if (!width || !rows)
    return;
  if (memlift_is_odd_period(period)) {
    for (size_t y = 0; y < rows; y++)
      memlift_do_odd_pattern(d + (ptrdiff_t)y * pitch, pattern, (unsigned)period, width);
    return;
  }
  const uint64_t eight = memlift_eight_bytes(pattern, period);
  if (MEMLIFT_LIKELY(MEMLIFT_MASKED(width))) {
    masked_fill_rows(d, pitch, eight, width, rows);
    return;
  }
  for (size_t y = 0; y < rows; y++)
    memlift_do_fill(d + (ptrdiff_t)y * pitch, eight, width);
}

void memlift_copy_2d(void *restrict dst, ptrdiff_t dst_pitch, const void *restrict src,
                     ptrdiff_t src_pitch, size_t width, size_t rows) {
  unsigned char *d = (unsigned char *)dst;
  const unsigned char *s = (const unsigned char *)src;
  size_t all = dst_pitch == src_pitch ? end_to_end(dst_pitch, width, rows) : 0;
  if (all) {
    memlift_do_copy(dst, src, all);
    return;
  }
  if (!width || !rows)
    return;
  if (width <= 64 && MEMLIFT_LIKELY(MEMLIFT_MASKED(width))) {
    masked_copy_rows(d, dst_pitch, s, src_pitch, width, rows);
    return;
  }
  for (size_t y = 0; y < rows; y++)
    memlift_do_copy(d + (ptrdiff_t)y * dst_pitch, s + (ptrdiff_t)y * src_pitch, width);
}

void memlift_move_2d(void *dst, ptrdiff_t dst_pitch, const void *src, ptrdiff_t src_pitch,
                     size_t width, size_t rows) {
  unsigned char *d = (unsigned char *)dst;
  const unsigned char *s = (const unsigned char *)src;
  for (size_t y = 0; width && y < rows; y++)
    memlift_do_move(d + (ptrdiff_t)y * dst_pitch, s + (ptrdiff_t)y * src_pitch, width);
}

/* Upwards where no word is read after it was written, else from the end. */
MEMLIFT_INLINE void copy_swap(void *dst, const void *src, unsigned bytes, size_t n) {
  if ((uintptr_t)dst - (uintptr_t)src < n && dst != src)
    memlift_swap_down_generic(dst, src, bytes, n);
  else
    memlift_cpu_swap(dst, src, bytes, n);
}

void memlift_copy_swap16(void *dst, const void *src, size_t n) { copy_swap(dst, src, 2, n); }

void memlift_copy_swap32(void *dst, const void *src, size_t n) { copy_swap(dst, src, 4, n); }

void memlift_copy_swap64(void *dst, const void *src, size_t n) { copy_swap(dst, src, 8, n); }

void memlift_copy_reverse8(void *dst, const void *src, size_t n) {
  memlift_cpu_reverse(dst, src, 1, n);
}

void memlift_copy_reverse16(void *dst, const void *src, size_t n) {
  memlift_cpu_reverse(dst, src, 2, n & ~(size_t)1);
}

void memlift_copy_reverse32(void *dst, const void *src, size_t n) {
  memlift_cpu_reverse(dst, src, 4, n & ~(size_t)3);
}

void memlift_copy_reverse64(void *dst, const void *src, size_t n) {
  memlift_cpu_reverse(dst, src, 8, n & ~(size_t)7);
}
