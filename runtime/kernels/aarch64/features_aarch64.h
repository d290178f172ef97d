/* features_aarch64.h - optional features of an AArch64 processor beyond NEON
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef MEMLIFT_FEATURES_AARCH64_H
#define MEMLIFT_FEATURES_AARCH64_H

#define MEMLIFT_AARCH64_PMULL 1u /* carry-less products of 64 bits */
#define MEMLIFT_AARCH64_CRC32 2u /* instructions for CRC-32 and CRC-32C */

#pragma GCC visibility push(hidden)
#if defined(__cplusplus)
extern "C" {
#endif
unsigned memlift_aarch64_features(void);
#if defined(__cplusplus)
}
#endif
#pragma GCC visibility pop

#endif
