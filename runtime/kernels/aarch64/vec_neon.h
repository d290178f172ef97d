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
#define AS16(v) vreinterpretq_u16_u64(v)
#define AS32(v) vreinterpretq_u32_u64(v)
#define OF8(v) vreinterpretq_u64_u8(v)
#define OF16(v) vreinterpretq_u64_u16(v)
#define OF32(v) vreinterpretq_u64_u32(v)

#define LOADU(p) OF8(vld1q_u8((const unsigned char *)(p)))
#define ONCE(v) (void)0 /* loads are instructions of their own */
#define LOADA(p) LOADU(p)
#define STOREU(p, v) vst1q_u8((unsigned char *)(p), AS8(v))
#define STOREA(p, v) STOREU(p, v)
#define SPLAT64(x) vdupq_n_u64(x)
#define ADD32(a, b) OF32(vaddq_u32(AS32(a), AS32(b)))
#define ADD64(a, b) vaddq_u64(a, b)
#define AND(a, b) vandq_u64(a, b)
#define OR(a, b) vorrq_u64(a, b)
#define XOR(a, b) veorq_u64(a, b)
#define SRL16(v, bits) OF16(vshrq_n_u16(AS16(v), bits))
#define SLL16(v, bits) OF16(vshlq_n_u16(AS16(v), bits))
#define SRL32(v, bits) OF32(vshrq_n_u32(AS32(v), bits))
#define SLL32(v, bits) OF32(vshlq_n_u32(AS32(v), bits))
#define SRL64(v, bits) vshrq_n_u64(v, bits)
#define SLL64(v, bits) vshlq_n_u64(v, bits)
/* Eight bytes to a lane. */
#define SAD8(v) vpaddlq_u32(vpaddlq_u16(vpaddlq_u8(AS8(v))))
/* Words that go in pairs to lanes of twice their width. */
#define PAIRS16(v) OF32(vpaddlq_u16(AS16(v)))
#define PAIRS32(v) vpaddlq_u32(AS32(v))
/* Products of 16-bit words, added in pairs. */
#define MADD16(a, b)                                                                           \
  OF32(vpaddq_u32(vmull_u16(vget_low_u16(AS16(a)), vget_low_u16(AS16(b))),                     \
                  vmull_high_u16(AS16(a), AS16(b))))
#define SUM64(v) vaddvq_u64(v)
#define XOR64(v) (vgetq_lane_u64(v, 0) ^ vgetq_lane_u64(v, 1))
/* The bytes of each word of 2, 4 or 8 turned, in one instruction. */
#define TURN16(v) OF8(vrev16q_u8(AS8(v)))
#define TURN32(v) OF8(vrev32q_u8(AS8(v)))
#define TURN64(v) OF8(vrev64q_u8(AS8(v)))

#endif
