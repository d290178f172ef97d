/* small_aarch64.h - moves and fills of up to 16 bytes: two overlapping accesses, no loop
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * n bytes with w <= n <= 2w are one access of w bytes at the front and one at the back. All loads
 * come before all stores, so this is right for any overlap.
 */
#ifndef MEMLIFT_SMALL_AARCH64_H
#define MEMLIFT_SMALL_AARCH64_H

#include "../kernels.h"

#include <arm_neon.h>

typedef uint16_t __attribute__((may_alias, aligned(1))) any_u16;
typedef uint32_t __attribute__((may_alias, aligned(1))) any_u32;
typedef uint64_t __attribute__((may_alias, aligned(1))) any_u64;

/* 0 <= n <= 16 */
MEMLIFT_INLINE void move_up_to_16(unsigned char *d, const unsigned char *s, size_t n) {
  if (n >= 8) {
    uint64_t a = *(const any_u64 *)s, b = *(const any_u64 *)(s + n - 8);
    *(any_u64 *)d = a, *(any_u64 *)(d + n - 8) = b;
  } else if (n >= 4) {
    uint32_t a = *(const any_u32 *)s, b = *(const any_u32 *)(s + n - 4);
    *(any_u32 *)d = a, *(any_u32 *)(d + n - 4) = b;
  } else if (n >= 2) {
    uint16_t a = *(const any_u16 *)s, b = *(const any_u16 *)(s + n - 2);
    *(any_u16 *)d = a, *(any_u16 *)(d + n - 2) = b;
  } else if (n == 1) {
    *d = *s;
  }
}

/* 0 <= n <= 16; the back access starts n - w bytes into the pattern, so rotated by that much. */
MEMLIFT_INLINE void fill_up_to_16(unsigned char *d, uint64_t pattern, size_t n) {
  if (n >= 8) {
    *(any_u64 *)d = pattern;
    *(any_u64 *)(d + n - 8) = memlift_rotate_pattern(pattern, n);
  } else if (n >= 4) {
    *(any_u32 *)d = (uint32_t)pattern;
    *(any_u32 *)(d + n - 4) = (uint32_t)memlift_rotate_pattern(pattern, n - 4);
  } else if (n >= 2) {
    *(any_u16 *)d = (uint16_t)pattern;
    *(any_u16 *)(d + n - 2) = (uint16_t)memlift_rotate_pattern(pattern, n - 2);
  } else if (n == 1) {
    *d = (unsigned char)pattern;
  }
}

#endif
