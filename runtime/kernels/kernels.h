/* kernels.h - the kernels by name, and what they share
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A kernel is named op_arch_isa and has one of these shapes:
 *   copy     n bytes, disjoint or dst == src
 *   move     n bytes, any overlap
 *   fill     an 8-byte value in memory order, again and again, cut at n
 *   pattern  a value of 3, 5, 6 or 7 bytes (lowest byte first), again and again, cut at n
 *   pattern16  likewise of 9 to 16 bytes, in two words
 *   swap     words of 2, 4 or 8 bytes, each with its bytes swapped; dst at or below src, or apart
 *   reverse  words of 1, 2, 4 or 8 bytes in reverse order, disjoint; n is whole words
 *   crc      as memlift_crc
 *   crc_any  as memlift_crc_any, of parameters in range
 *   crc_lanes  as memlift_crc_lanes, of so many rounds and of two lanes or more
 *   inet     as memlift_inet_sum, of up to 1 GiB
 *   copy_inet  as memlift_copy_inet_sum
 *   copy_sum   as memlift_copy_sum_u16
 *   pair     the two sums of Adler-32, of up to 32 KiB
 *   pair_halves  those of Fletcher-32 likewise
 *   ones     64-bit words modulo 2^64 - 1, fewer than 2^32 of them; 0 only if all are 0
 *   hash     as memlift_polyhash_u8, or _s8, with a factor of at most 127
 *   sum      a number that n bytes add up to, modulo 2^64; see enum memlift_sum_op
 * All accept n == 0, touch no byte outside their regions (not even to read it), use no TLS, take
 * no lock, call nothing but each other and use less than 512 bytes of stack,
 * but for crc_any, whose tables are 512, and crc_lanes, whose tables or words are.
 */
#ifndef MEMLIFT_KERNELS_H
#define MEMLIFT_KERNELS_H

#include <stddef.h>
#include <stdint.h>

/* Operations of the shape "sum"; S8, S16 and S32 are signed, SWAP16 and SWAP32 byte-swapped words,
 * WSUM_* weighted sums as in memlift.h. Of SUM_LOW32 only the low 32 bits are looked at. XOR is the
 * exclusive-or of the 64-bit words in memory, the last one followed by zero bytes. */
#define MEMLIFT_SUM_OPERATIONS(X)                                                                  \
  X(SUM_U8, sum_u8)                                                                                \
  X(SUM_S8, sum_s8)                                                                                \
  X(SUM_U16, sum_u16)                                                                              \
  X(SUM_S16, sum_s16)                                                                              \
  X(SUM_U32, sum_u32)                                                                              \
  X(SUM_LOW32, sum_low_u32)                                                                        \
  X(SUM_S32, sum_s32)                                                                              \
  X(SUM_U64, sum_u64)                                                                              \
  X(SUM_SWAP16, sum_swap_u16)                                                                      \
  X(SUM_SWAP32, sum_swap_u32)                                                                      \
  X(WSUM_U8, wsum_u8)                                                                              \
  X(WSUM_S8, wsum_s8)                                                                              \
  X(WSUM_U16, wsum_u16)                                                                            \
  X(WSUM_U32, wsum_u32)                                                                            \
  X(WSUM_U64, wsum_u64)                                                                            \
  X(XOR, xor)

#define MEMLIFT_SUM_ENUMERATOR(NAME, name) MEMLIFT_##NAME,
enum memlift_sum_op { MEMLIFT_SUM_OPERATIONS(MEMLIFT_SUM_ENUMERATOR) MEMLIFT_SUM_OPS };
#undef MEMLIFT_SUM_ENUMERATOR

/* Not exported, whatever flags the file is compiled with; also spares the GOT under -fPIC. */
#pragma GCC visibility push(hidden)

#if defined(__cplusplus)
extern "C" {
#endif

typedef void memlift_copy_fn(void *dst, const void *src, size_t n);
typedef void memlift_fill_fn(void *dst, uint64_t pattern, size_t n);
typedef void memlift_pattern_fn(void *dst, uint64_t pattern, unsigned period, size_t n);

memlift_copy_fn memlift_copy_generic, memlift_move_generic;
memlift_fill_fn memlift_fill_generic;
memlift_pattern_fn memlift_pattern_generic;

/* Bytes after the last whole word are left alone. "down" goes from the end, for dst above src. */
typedef void memlift_swap_fn(void *dst, const void *src, unsigned bytes, size_t n);
memlift_swap_fn memlift_swap_generic, memlift_swap_down_generic, memlift_reverse_generic;
typedef void memlift_pattern16_fn(void *dst, uint64_t low, uint64_t high, unsigned period,
                                  size_t n);
memlift_pattern16_fn memlift_pattern16_generic;

typedef uint64_t memlift_sum_fn(const void *p, size_t n);

/* memlift_sum_u8 and memlift_wsum_u8 of the same bytes. */
struct memlift_pair {
  uint64_t sum, weighted;
};
typedef struct memlift_pair memlift_pair_fn(const void *p, size_t n);
memlift_pair_fn memlift_pair_generic;
/* memlift_sum_u16 and memlift_wsum_u16 of the same words. */
memlift_pair_fn memlift_pair_halves_generic;

typedef uint32_t memlift_inet_fn(const void *p, size_t n, uint32_t init);
memlift_inet_fn memlift_inet_generic;

typedef uint32_t memlift_copy_inet_fn(void *dst, const void *src, size_t n, uint32_t init);
memlift_copy_inet_fn memlift_copy_inet_generic;

typedef uint64_t memlift_copy_sum_fn(void *dst, const void *src, size_t n);
memlift_copy_sum_fn memlift_copy_sum_u16_generic;

struct memlift_crc_poly;
typedef uint64_t memlift_crc_fn(uint64_t state, const void *p, size_t n,
                                const struct memlift_crc_poly *poly);
memlift_crc_fn memlift_crc_generic;
/* width is 8 to 64, poly has no bits above it. */
uint64_t memlift_crc_any_generic(uint64_t state, const void *p, size_t n, uint64_t poly,
                                 unsigned width, int reflected);
typedef void memlift_crc_lanes_fn(uint64_t *registers, const unsigned char *p, size_t rounds,
                                  unsigned lanes, const struct memlift_crc_poly *poly);
memlift_crc_lanes_fn memlift_crc_lanes_generic;

memlift_sum_fn memlift_ones_generic;
typedef uint64_t memlift_hash_fn(const void *p, size_t n, uint64_t h, uint64_t k, int is_signed);
memlift_hash_fn memlift_hash_generic;

#define MEMLIFT_DECLARE_SUM(NAME, name) memlift_sum_fn memlift_##name##_generic;
MEMLIFT_SUM_OPERATIONS(MEMLIFT_DECLARE_SUM)
#undef MEMLIFT_DECLARE_SUM

/* The machine's own, as far as there are any; declared in a header of each architecture. */
#if defined(__x86_64__)
#include "x86/kernels_x86.h"
#elif __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__ || !defined(__LP64__)
#define MEMLIFT_HAVE_MACHINE_KERNELS 0
#define MEMLIFT_MACHINE_LEVELS(X)
#elif defined(__aarch64__) && defined(__ARM_NEON) && defined(__ARM_FEATURE_UNALIGNED)
#include "aarch64/kernels_aarch64.h"
#elif defined(__riscv)
#include "riscv64/kernels_riscv64.h"
#else
#define MEMLIFT_HAVE_MACHINE_KERNELS 0
#define MEMLIFT_MACHINE_LEVELS(X)
#endif

#if defined(__cplusplus)
}
#endif

#pragma GCC visibility pop

/* Compilers turn loops that copy and fill into calls of memcpy and memset, which may be calls of
 * ourselves. Three fences, since no build system may be there to pass flags: this attribute,
 * MEMLIFT_HIDE in scalar loops, and (in CMakeLists.txt) -fno-builtin. */
#if defined(__clang__)
#define MEMLIFT_KERNEL __attribute__((no_builtin))
#else
#define MEMLIFT_KERNEL __attribute__((optimize("no-tree-loop-distribute-patterns")))
#endif

/* Makes the value of an integer variable unknown to the optimiser, at the price of nothing. */
#define MEMLIFT_HIDE(x) __asm__("" : "+r"(x))

#define MEMLIFT_INLINE static inline __attribute__((always_inline))
#define MEMLIFT_LIKELY(x) __builtin_expect(!!(x), 1)
#define MEMLIFT_UNLIKELY(x) __builtin_expect(!!(x), 0)

/* x + y modulo 2^64 - 1, which is 0 only if both are: the carry is brought back. */
MEMLIFT_INLINE uint64_t memlift_add_around(uint64_t x, uint64_t y) {
  x += y;
  return x + (x < y);
}

/* Nth byte in memory order <-> bits of a word of `size` bytes. "First" is the lowest address. */
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define MEMLIFT_TOWARD_FIRST(x, bits) ((x) >> (bits))
#define MEMLIFT_TOWARD_LAST(x, bits) ((x) << (bits))
#define MEMLIFT_BYTE_SHIFT(index, size) (8 * (index))
#else
#define MEMLIFT_TOWARD_FIRST(x, bits) ((x) << (bits))
#define MEMLIFT_TOWARD_LAST(x, bits) ((x) >> (bits))
#define MEMLIFT_BYTE_SHIFT(index, size) (8 * ((size) - 1 - (index)))
#endif

/* The 8-byte pattern as it looks when one starts to store it `bytes` bytes further on. */
MEMLIFT_INLINE uint64_t memlift_rotate_pattern(uint64_t pattern, size_t bytes) {
  unsigned bits = 8 * (unsigned)(bytes & 7);
  return bits == 0 ? pattern
                   : MEMLIFT_TOWARD_FIRST(pattern, bits) | MEMLIFT_TOWARD_LAST(pattern, 64 - bits);
}

/* Byte j of a sequence of period 3 to 7 for the first 16 bytes, without a division. */
MEMLIFT_INLINE uint8_t memlift_pattern_byte(uint64_t pattern, unsigned phase) {
  return (uint8_t)(pattern >> (8 * phase));
}

#endif
