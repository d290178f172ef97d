/* vec_neon.h - 16-byte vectors for the AArch64 kernels, in the words of the shared bodies
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A vector is two 64-bit lanes; every NEON has all of these.
 */
#ifndef MEMLIFT_VEC_NEON_H
#define MEMLIFT_VEC_NEON_H

#include "../kernels.h"

#include <arm_neon.h>

#define V 16
#define NAME(op) op##_aarch64_neon
#define TARGET
#define VECTOR uint64x2_t

#define AS8(v) vreinterpretq_u8_u64(v)
#define OF8(v) vreinterpretq_u64_u8(v)

#define LOADU(p) OF8(vld1q_u8((const unsigned char *)(p)))
#define ONCE(v) (void)0 /* loads are instructions of their own */
#define STOREU(p, v) vst1q_u8((unsigned char *)(p), AS8(v))
#define SPLAT64(x) vdupq_n_u64(x)
#define ADD64(a, b) vaddq_u64(a, b)
#define AND(a, b) vandq_u64(a, b)
#define XOR(a, b) veorq_u64(a, b)
#define SRL64(v, bits) vshrq_n_u64(v, bits)
#define SUM64(v) vaddvq_u64(v)
#define XOR64(v) (vgetq_lane_u64(v, 0) ^ vgetq_lane_u64(v, 1))
/* Swaps the bytes of each word of 2, 4 or 8 bytes, in one instruction. */
#define SWAP_BYTES16(v) OF8(vrev16q_u8(AS8(v)))
#define SWAP_BYTES32(v) OF8(vrev32q_u8(AS8(v)))
#define SWAP_BYTES64(v) OF8(vrev64q_u8(AS8(v)))

#endif
