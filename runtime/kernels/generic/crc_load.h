/* crc_load.h - eight bytes as CRCs by look-ups take them: the end that leaves first at either end
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef MEMLIFT_GENERIC_CRC_LOAD_H
#define MEMLIFT_GENERIC_CRC_LOAD_H

#include "../kernels.h"

/* Written byte by byte: compilers make one load of it, with a byte swap where there is one. */
MEMLIFT_INLINE uint64_t load_le64(const unsigned char *p) {
  return (uint64_t)p[0] | (uint64_t)p[1] << 8 | (uint64_t)p[2] << 16 | (uint64_t)p[3] << 24 |
         (uint64_t)p[4] << 32 | (uint64_t)p[5] << 40 | (uint64_t)p[6] << 48 | (uint64_t)p[7] << 56;
}

MEMLIFT_INLINE uint64_t load_be64(const unsigned char *p) {
  return (uint64_t)p[7] | (uint64_t)p[6] << 8 | (uint64_t)p[5] << 16 | (uint64_t)p[4] << 24 |
         (uint64_t)p[3] << 32 | (uint64_t)p[2] << 40 | (uint64_t)p[1] << 48 | (uint64_t)p[0] << 56;
}

#endif
