/* direction.h - whether a copy between regions apart goes upwards or downwards
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef MEMLIFT_X86_DIRECTION_H
#define MEMLIFT_X86_DIRECTION_H

#include "../kernels.h"

/* A load waits for a store before it whose address ends in the same twelve bits. Upwards, loads
 * come to where stores have just been when the destination lies less than half a page behind the
 * source, whole pages aside: 1.4 times as long as downwards, and the other way round. Below 2 KiB
 * the jump that chooses is guessed wrongly too often for what it saves farther apart. */
MEMLIFT_INLINE int loads_follow_stores(const unsigned char *d, const unsigned char *s, size_t n) {
  return (((uintptr_t)d - (uintptr_t)s) & 4095) - 1 < (n < 2048 ? (size_t)511 : (size_t)2047);
}

#endif
