/* operations.h - copy, move and fill, by the engine if they are large, else by the kernel in use
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The bodies of the public routines, so that one of them can use another without going through a
 * symbol that the program may have interposed.
 */
#ifndef MEMLIFT_OPERATIONS_H
#define MEMLIFT_OPERATIONS_H

#include "../config.h"
#include "../engine/offload.h"
#include "../kernels/dispatch.h"

#if defined(__x86_64__)
#include "../kernels/x86/masked.h"
#include "../kernels/x86/medium.h"
#include "../kernels/x86/more.h"
/* More bytes go to the kernels at every level. Copies and moves test that first: of the 53 cycles
 * of 1,500 bytes on a Zen 5, the way through the other tests was four. Fills test it last: first,
 * it takes a cycle of the six to eight of 1 to 256 bytes. */
#define MEMLIFT_MOST_HERE MASKED_MOST
#define MEMLIFT_FILLS_MOST MEMLIFT_VECTORS_MOST
_Static_assert(MASKED_MOST == MEDIUM_MOST, "one test is for both");
#define MEMLIFT_MASKED_BELOW() __atomic_load_n(&memlift_masked_below, __ATOMIC_RELAXED)
#define MEMLIFT_MASKED(n) ((n) < MEMLIFT_MASKED_BELOW())
/* Without AVX2, short ones take two or four moves of the baseline: the way to a kernel would be two
 * fifths of their time. The first call finds no limit and makes the choice: a program whose
 * operations are all short has masks, too. */
#define MEMLIFT_SHORT(n) ((n) < __atomic_load_n(&memlift_short_below, __ATOMIC_RELAXED))
#define MEMLIFT_MEDIUM_BELOW() __atomic_load_n(&memlift_medium_below, __ATOMIC_RELAXED)
#define MEMLIFT_MEDIUM(n) ((n) < MEMLIFT_MEDIUM_BELOW())
#else
#define MEMLIFT_MOST_HERE 0
#define MEMLIFT_FILLS_MOST 0
#define SMALL_MOST 0
#define MEMLIFT_SHORT(n) 0
#define MEMLIFT_MEDIUM(n) 0
#define medium_move(d, s, n) ((void)0)
#define medium_fill(d, pattern, n) ((void)0)
#define medium_fill_bytes(d, value, n) ((void)0)
#define move_up_to_64(d, s, n) ((void)0)
#define fill_up_to_64(d, pattern, n, bytes) ((void)0)
#define MEMLIFT_MASKED_BELOW() ((size_t)0)
#define MEMLIFT_MEDIUM_BELOW() ((size_t)0)
#define MEMLIFT_MASKED(n) 0
#define masked_copy(d, s, n) ((void)0)
#define masked_move(d, s, n) ((void)0)
#define masked_fill(d, pattern, n) ((void)0)
#define masked_fill_bytes(d, value, n) ((void)0)
#define masked_fill_more(d, value, n) ((void)0)
#define medium_fill_more(d, value, n) ((void)0)
#define memlift_fill_x86_avx512(d, pattern, n) ((void)0)
#define memlift_fill_x86_avx2(d, pattern, n) ((void)0)
#define masked_fill_rows(d, pitch, pattern, n, rows) ((void)0)
#define masked_copy_rows(d, to, s, from, n, rows) ((void)0)
#endif

/* One load and one compare for who uses no engine: the limit is SIZE_MAX then. */
MEMLIFT_INLINE int memlift_for_engine(size_t n) {
  return n >= __atomic_load_n(&memlift_engine_min, __ATOMIC_RELAXED);
}

/* The first call, and what goes to an engine. Apart, so that the others need no stack. */
#define MEMLIFT_COLD __attribute__((noinline, cold, unused)) static

MEMLIFT_COLD void memlift_copy_otherwise(void *dst, const void *src, size_t n) {
  if (!memlift_for_engine(n) || !memlift_offload_copy(dst, src, n))
    memlift_cpu_copy(dst, src, n);
}

/* Overlapping moves stay on the CPU: split or reordered commands would break them. */
MEMLIFT_COLD void memlift_move_otherwise(void *dst, const void *src, size_t n) {
  int disjoint = (uintptr_t)dst - (uintptr_t)src >= n && (uintptr_t)src - (uintptr_t)dst >= n;
  if (!disjoint || !memlift_for_engine(n) || !memlift_offload_copy(dst, src, n))
    memlift_cpu_move(dst, src, n);
}

MEMLIFT_COLD void memlift_fill_otherwise(void *dst, uint64_t pattern, size_t n) {
  if (!memlift_for_engine(n) || !memlift_offload_fill(dst, pattern, n))
    memlift_cpu_fill(dst, pattern, n);
}

/* The larger ones. */
MEMLIFT_INLINE void memlift_do_copy_large(void *dst, const void *src, size_t n) {
  memlift_copy_fn *kernel = __atomic_load_n(&memlift_copy_now, __ATOMIC_RELAXED);
  if (MEMLIFT_UNLIKELY(!kernel || memlift_for_engine(n)))
    memlift_copy_otherwise(dst, src, n);
  else
    kernel(dst, src, n);
}

MEMLIFT_INLINE void memlift_do_move_large(void *dst, const void *src, size_t n) {
  memlift_copy_fn *kernel = __atomic_load_n(&memlift_move_now, __ATOMIC_RELAXED);
  if (MEMLIFT_UNLIKELY(!kernel || memlift_for_engine(n)))
    memlift_move_otherwise(dst, src, n);
  else
    kernel(dst, src, n);
}

MEMLIFT_INLINE void memlift_do_fill_by_address(void *dst, uint64_t pattern, size_t n) {
  memlift_fill_fn *kernel = __atomic_load_n(&memlift_fill_now, __ATOMIC_RELAXED);
  if (MEMLIFT_UNLIKELY(!kernel || memlift_for_engine(n)))
    memlift_fill_otherwise(dst, pattern, n);
  else
    kernel(dst, pattern, n);
}

/* Returns 1 if a fill of more than MEMLIFT_MOST_HERE bytes depends on nothing but the level: no
 * other limit is to be looked at. Its kernel is then called by its name: a jump to an address that
 * is loaded takes longer, 1 to 2 of the 9 ticks of 700 bytes with AVX-512 on a Zen 5. */
MEMLIFT_INLINE int memlift_fills_here(size_t n) {
  return MEMLIFT_LIKELY(n <= MEMLIFT_FILLS_MOST && !memlift_for_engine(n));
}

MEMLIFT_INLINE void memlift_do_copy(void *dst, const void *src, size_t n) {
  if (MEMLIFT_UNLIKELY(n > MEMLIFT_MOST_HERE))
    memlift_do_copy_large(dst, src, n);
  else if (MEMLIFT_LIKELY(MEMLIFT_MASKED(n)))
    masked_copy(dst, src, n);
  else if (MEMLIFT_LIKELY(MEMLIFT_MEDIUM(n)))
    medium_move(dst, src, n);
  else if (MEMLIFT_SHORT(n))
    move_up_to_64(dst, src, n);
  else
    memlift_do_copy_large(dst, src, n);
}

MEMLIFT_INLINE void memlift_do_move(void *dst, const void *src, size_t n) {
  if (MEMLIFT_UNLIKELY(n > MEMLIFT_MOST_HERE))
    memlift_do_move_large(dst, src, n);
  else if (MEMLIFT_LIKELY(MEMLIFT_MASKED(n)))
    masked_move(dst, src, n);
  else if (MEMLIFT_LIKELY(MEMLIFT_MEDIUM(n)))
    medium_move(dst, src, n);
  else if (MEMLIFT_SHORT(n))
    move_up_to_64(dst, src, n);
  else
    memlift_do_move_large(dst, src, n);
}

/* The limits tell the level, too, so each is loaded once. Each is 0 at other levels. */
MEMLIFT_INLINE void memlift_do_fill(void *dst, uint64_t pattern, size_t n) {
  const size_t masked_below = MEMLIFT_MASKED_BELOW(), medium_below = MEMLIFT_MEDIUM_BELOW();
  if (MEMLIFT_UNLIKELY(n < medium_below))
    medium_fill(dst, pattern, n);
  else if (MEMLIFT_LIKELY(n < masked_below))
    masked_fill(dst, pattern, n);
  else if (masked_below && memlift_fills_here(n))
    memlift_fill_x86_avx512(dst, pattern, n);
  else if (medium_below && memlift_fills_here(n))
    memlift_fill_x86_avx2(dst, pattern, n);
  else if (MEMLIFT_SHORT(n))
    fill_up_to_64(dst, pattern, n, 0);
  else
    memlift_do_fill_by_address(dst, pattern, n);
}

MEMLIFT_INLINE void memlift_do_fill_bytes(void *dst, uint8_t value, size_t n) {
  const size_t masked_below = MEMLIFT_MASKED_BELOW(), medium_below = MEMLIFT_MEDIUM_BELOW();
  if (MEMLIFT_UNLIKELY(n < medium_below))
    medium_fill_bytes(dst, value, n);
  else if (MEMLIFT_LIKELY(n < masked_below))
    masked_fill_bytes(dst, value, n);
  else if (masked_below && memlift_fills_here(n))
    masked_fill_more(dst, value, n);
  else if (medium_below && memlift_fills_here(n))
    medium_fill_more(dst, value, n);
  else if (MEMLIFT_SHORT(n))
    fill_up_to_64(dst, value * 0x0101010101010101u, n, 1);
  else
    memlift_do_fill_by_address(dst, value * 0x0101010101010101u, n);
}

/* From "lowest byte first" to the machine's own byte order, which fill works in. */
MEMLIFT_INLINE uint64_t memlift_in_memory_order(uint64_t pattern) {
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  return pattern;
#else
  return __builtin_bswap64(pattern);
#endif
}

/* Returns 1 for the periods that do not divide 8 bytes: 3, 5, 6 and 7. */
MEMLIFT_INLINE int memlift_is_odd_period(size_t period) {
  return period < 8 && (0xe8u >> period & 1);
}

/* The value of period 1, 2, 4 or 8 (and what counts as these) as 8 bytes in memory order. */
MEMLIFT_INLINE uint64_t memlift_eight_bytes(uint64_t pattern, size_t period) {
  uint64_t one = (pattern & 0xff) * 0x0101010101010101u;
  uint64_t two = (pattern & 0xffff) * 0x0001000100010001u;
  uint64_t four = (pattern & 0xffffffffu) * 0x0000000100000001u;
  return memlift_in_memory_order(period <= 1   ? one
                                 : period == 2 ? two
                                 : period == 4 ? four
                                               : pattern);
}

MEMLIFT_COLD void memlift_pattern_otherwise(void *dst, uint64_t pattern, unsigned period,
                                            size_t n) {
  memlift_cpu_pattern(dst, pattern, period, n);
}

MEMLIFT_COLD void memlift_pattern16_otherwise(void *dst, uint64_t low, uint64_t high,
                                              unsigned period, size_t n) {
  memlift_cpu_pattern16(dst, low, high, period, n);
}

/* period is 9 to 16. */
MEMLIFT_INLINE void memlift_do_pattern16(void *dst, uint64_t low, uint64_t high, unsigned period,
                                         size_t n) {
  memlift_pattern16_fn *kernel = __atomic_load_n(&memlift_pattern16_now, __ATOMIC_RELAXED);
  if (MEMLIFT_UNLIKELY(!kernel))
    memlift_pattern16_otherwise(dst, low, high, period, n);
  else
    kernel(dst, low, high, period, n);
}

MEMLIFT_INLINE void memlift_do_odd_pattern(void *dst, uint64_t pattern, unsigned period, size_t n) {
  memlift_pattern_fn *kernel = __atomic_load_n(&memlift_pattern_now, __ATOMIC_RELAXED);
  if (MEMLIFT_UNLIKELY(!kernel))
    memlift_pattern_otherwise(dst, pattern, period, n);
  else
    kernel(dst, pattern, period, n);
}

MEMLIFT_INLINE void memlift_do_pattern(void *dst, uint64_t pattern, size_t period, size_t n) {
  if (memlift_is_odd_period(period))
    memlift_do_odd_pattern(dst, pattern, (unsigned)period, n);
  else
    memlift_do_fill(dst, memlift_eight_bytes(pattern, period), n);
}

#endif
