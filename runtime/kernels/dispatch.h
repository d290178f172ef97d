/* dispatch.h - which kernel runs: chosen at the first call, limited by MEMLIFT_CPU
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef MEMLIFT_DISPATCH_H
#define MEMLIFT_DISPATCH_H

#include "kernels.h"
#include "needs.h"

#pragma GCC visibility push(hidden)

#if defined(__cplusplus)
extern "C" {
#endif

/* Levels in rising order; each contains the ones below it. */
#define MEMLIFT_LEVEL_ENUMERATOR(NAME, name) MEMLIFT_LEVEL_##NAME,
enum memlift_level {
  MEMLIFT_LEVEL_GENERIC,
  MEMLIFT_MACHINE_LEVELS(MEMLIFT_LEVEL_ENUMERATOR) MEMLIFT_LEVELS
};
#undef MEMLIFT_LEVEL_ENUMERATOR

/* NULL until the first call. NULL rather than a resolver's address, so that a call which comes
 * before this library's own relocations are applied finds a valid value. Relaxed: every thread
 * would compute the same choice. */
extern memlift_copy_fn *memlift_copy_now, *memlift_move_now;
extern memlift_fill_fn *memlift_fill_now;
extern memlift_pattern_fn *memlift_pattern_now;
extern memlift_pattern16_fn *memlift_pattern16_now;
extern memlift_swap_fn *memlift_swap_now, *memlift_reverse_now;
extern memlift_crc_fn *memlift_crc_now;
extern memlift_inet_fn *memlift_inet_now;
extern memlift_copy_inet_fn *memlift_copy_inet_now;
extern memlift_copy_sum_fn *memlift_copy_sum_now;
extern memlift_pair_fn *memlift_pair_now, *memlift_pair_halves_now;
extern memlift_sum_fn *memlift_ones_now;
extern memlift_hash_fn *memlift_hash_now;
extern memlift_sum_fn *memlift_sum_now[MEMLIFT_SUM_OPS];

#if defined(__x86_64__)
/* The routines of x86/masked.h are for sizes below this: 0 where the level in use has not what they
 * need, so that one comparison asks for both. */
extern size_t memlift_masked_below;

/* Limit of the routines of x86/medium.h, for machines without masks: 0 on all others. */
extern size_t memlift_medium_below;

/* Limit of the routines of x86/small.h: 0 until the choice is made. */
extern size_t memlift_short_below;
#endif

/* Operations of at least this size are offered to the engine; SIZE_MAX: none ever. */
extern size_t memlift_engine_min;

/* Makes the choice. Idempotent, async-signal-safe, reads no environment. */
void memlift_choose_kernels(void);

/* Puts the machine's own kernels in place of the generic ones, as far as it has better ones.
 * Defined once per architecture, by these two. */
void memlift_use_machine_kernels(enum memlift_level level);
#define MEMLIFT_USE(shape, kernel) MEMLIFT_USE_AT(memlift_##shape##_now, kernel)
#define MEMLIFT_USE_SUM(NAME, kernel) MEMLIFT_USE_AT(memlift_sum_now[MEMLIFT_##NAME], kernel)
#define MEMLIFT_USE_AT(place, kernel)                                                              \
  do {                                                                                             \
    extern __typeof__(kernel) kernel MEMLIFT_IF_LINKED;                                            \
    __atomic_store_n(&place, kernel, __ATOMIC_RELAXED);                                            \
  } while (0)

/* Takes back or sets the limit that MEMLIFT_CPU gave and chooses again; for tests.
 * Returns the level now in use. */
enum memlift_level memlift_limit_level(enum memlift_level limit);

/* The level in use, and the value of MEMLIFT_CPU ("" when unset). */
enum memlift_level memlift_level_in_use(void);
extern char memlift_level_requested[16];

/* Highest level of this machine and its operating system. Defined once per architecture. */
enum memlift_level memlift_best_level(void);

/* Called by a constructor: asks the system what the processor itself does not tell. 1 if the choice
 * has to be made again. Defined beside it. */
int memlift_look_at_machine(void);

#if defined(__x86_64__)
/* Widest vectors that carry-less products are to be had for at the best level: 128, 256 or 512
 * bits; 0: none. */
unsigned memlift_clmul_bits(void);

/* Does the machine load and store 64 bytes as two halves, so that what lies across lines is better
 * moved by vectors of 32? */
int memlift_halves_vectors(void);

/* Is it a Zen 3 or a Zen 4, whose loads wait for no store in another page? */
int memlift_is_zen3_or_zen4(void);

/* Is it one of Intel's processors? */
int memlift_is_intel(void);

/* Has the machine AVX512-VNNI? Asked at the level AVX512 only. */
int memlift_has_vnni(void);
#endif

/* Name of a level as MEMLIFT_CPU spells it. */
const char *memlift_level_name(enum memlift_level level);

/* A kernel and its name, op_arch_isa; sums are named together. */
typedef void memlift_any_fn(void);
struct memlift_named_kernel {
  memlift_any_fn *kernel;
  const char *name;
};
#define MEMLIFT_NAMED(name) MEMLIFT_NAMED_AS(name, name)
#define MEMLIFT_NAMED_AS(kernel, name) {(memlift_any_fn *)memlift_##kernel, #name}

/* Those of this machine, up to one whose name is NULL. Defined beside memlift_use_machine_kernels.
 */
extern const struct memlift_named_kernel memlift_machine_kernel_names[];

/* The CPU paths, chosen at need: what an engine's client falls back on. */
MEMLIFT_INLINE void memlift_cpu_copy(void *dst, const void *src, size_t n) {
  memlift_copy_fn *kernel = __atomic_load_n(&memlift_copy_now, __ATOMIC_RELAXED);
  if (MEMLIFT_UNLIKELY(!kernel)) {
    MEMLIFT_NEEDS_COPY;
    memlift_choose_kernels();
    kernel = __atomic_load_n(&memlift_copy_now, __ATOMIC_RELAXED);
  }
  kernel(dst, src, n);
}

MEMLIFT_INLINE void memlift_cpu_move(void *dst, const void *src, size_t n) {
  memlift_copy_fn *kernel = __atomic_load_n(&memlift_move_now, __ATOMIC_RELAXED);
  if (MEMLIFT_UNLIKELY(!kernel)) {
    MEMLIFT_NEEDS_MOVE;
    memlift_choose_kernels();
    kernel = __atomic_load_n(&memlift_move_now, __ATOMIC_RELAXED);
  }
  kernel(dst, src, n);
}

MEMLIFT_INLINE void memlift_cpu_fill(void *dst, uint64_t pattern, size_t n) {
  memlift_fill_fn *kernel = __atomic_load_n(&memlift_fill_now, __ATOMIC_RELAXED);
  if (MEMLIFT_UNLIKELY(!kernel)) {
    MEMLIFT_NEEDS_FILL;
    memlift_choose_kernels();
    kernel = __atomic_load_n(&memlift_fill_now, __ATOMIC_RELAXED);
  }
  kernel(dst, pattern, n);
}

MEMLIFT_INLINE void memlift_cpu_pattern(void *dst, uint64_t pattern, unsigned period, size_t n) {
  memlift_pattern_fn *kernel = __atomic_load_n(&memlift_pattern_now, __ATOMIC_RELAXED);
  if (MEMLIFT_UNLIKELY(!kernel)) {
    MEMLIFT_NEEDS_PATTERN;
    memlift_choose_kernels();
    kernel = __atomic_load_n(&memlift_pattern_now, __ATOMIC_RELAXED);
  }
  kernel(dst, pattern, period, n);
}

MEMLIFT_INLINE void memlift_cpu_pattern16(void *dst, uint64_t low, uint64_t high, unsigned period,
                                          size_t n) {
  memlift_pattern16_fn *kernel = __atomic_load_n(&memlift_pattern16_now, __ATOMIC_RELAXED);
  if (MEMLIFT_UNLIKELY(!kernel)) {
    MEMLIFT_NEEDS_PATTERN16;
    memlift_choose_kernels();
    kernel = __atomic_load_n(&memlift_pattern16_now, __ATOMIC_RELAXED);
  }
  kernel(dst, low, high, period, n);
}

MEMLIFT_INLINE void memlift_cpu_swap(void *dst, const void *src, unsigned bytes, size_t n) {
  memlift_swap_fn *kernel = __atomic_load_n(&memlift_swap_now, __ATOMIC_RELAXED);
  if (MEMLIFT_UNLIKELY(!kernel)) {
    MEMLIFT_NEEDS_SWAP;
    memlift_choose_kernels();
    kernel = __atomic_load_n(&memlift_swap_now, __ATOMIC_RELAXED);
  }
  kernel(dst, src, bytes, n);
}

MEMLIFT_INLINE void memlift_cpu_reverse(void *dst, const void *src, unsigned bytes, size_t n) {
  memlift_swap_fn *kernel = __atomic_load_n(&memlift_reverse_now, __ATOMIC_RELAXED);
  if (MEMLIFT_UNLIKELY(!kernel)) {
    MEMLIFT_NEEDS_REVERSE;
    memlift_choose_kernels();
    kernel = __atomic_load_n(&memlift_reverse_now, __ATOMIC_RELAXED);
  }
  kernel(dst, src, bytes, n);
}

MEMLIFT_INLINE memlift_crc_fn *memlift_crc_kernel(void) {
  memlift_crc_fn *kernel = __atomic_load_n(&memlift_crc_now, __ATOMIC_RELAXED);
  if (MEMLIFT_UNLIKELY(!kernel)) {
    MEMLIFT_NEEDS_CRC;
    memlift_choose_kernels();
    kernel = __atomic_load_n(&memlift_crc_now, __ATOMIC_RELAXED);
  }
  return kernel;
}

MEMLIFT_INLINE uint64_t memlift_cpu_crc(uint64_t state, const void *p, size_t n,
                                        const struct memlift_crc_poly *poly) {
  return memlift_crc_kernel()(state, p, n, poly);
}

MEMLIFT_INLINE uint32_t memlift_cpu_inet(const void *p, size_t n, uint32_t init) {
  memlift_inet_fn *kernel = __atomic_load_n(&memlift_inet_now, __ATOMIC_RELAXED);
  if (MEMLIFT_UNLIKELY(!kernel)) {
    MEMLIFT_NEEDS_INET;
    memlift_choose_kernels();
    kernel = __atomic_load_n(&memlift_inet_now, __ATOMIC_RELAXED);
  }
  return kernel(p, n, init);
}

MEMLIFT_INLINE uint32_t memlift_cpu_copy_inet(void *dst, const void *src, size_t n, uint32_t init) {
  memlift_copy_inet_fn *kernel = __atomic_load_n(&memlift_copy_inet_now, __ATOMIC_RELAXED);
  if (MEMLIFT_UNLIKELY(!kernel)) {
    MEMLIFT_NEEDS_COPY_INET;
    memlift_choose_kernels();
    kernel = __atomic_load_n(&memlift_copy_inet_now, __ATOMIC_RELAXED);
  }
  return kernel(dst, src, n, init);
}

MEMLIFT_INLINE uint64_t memlift_cpu_copy_sum(void *dst, const void *src, size_t n) {
  memlift_copy_sum_fn *kernel = __atomic_load_n(&memlift_copy_sum_now, __ATOMIC_RELAXED);
  if (MEMLIFT_UNLIKELY(!kernel)) {
    MEMLIFT_NEEDS_COPY_SUM;
    memlift_choose_kernels();
    kernel = __atomic_load_n(&memlift_copy_sum_now, __ATOMIC_RELAXED);
  }
  return kernel(dst, src, n);
}

MEMLIFT_INLINE struct memlift_pair memlift_cpu_pair(const void *p, size_t n) {
  memlift_pair_fn *kernel = __atomic_load_n(&memlift_pair_now, __ATOMIC_RELAXED);
  if (MEMLIFT_UNLIKELY(!kernel)) {
    MEMLIFT_NEEDS_PAIR;
    memlift_choose_kernels();
    kernel = __atomic_load_n(&memlift_pair_now, __ATOMIC_RELAXED);
  }
  return kernel(p, n);
}

MEMLIFT_INLINE struct memlift_pair memlift_cpu_pair_halves(const void *p, size_t n) {
  memlift_pair_fn *kernel = __atomic_load_n(&memlift_pair_halves_now, __ATOMIC_RELAXED);
  if (MEMLIFT_UNLIKELY(!kernel)) {
    MEMLIFT_NEEDS_PAIR_HALVES;
    memlift_choose_kernels();
    kernel = __atomic_load_n(&memlift_pair_halves_now, __ATOMIC_RELAXED);
  }
  return kernel(p, n);
}

MEMLIFT_INLINE uint64_t memlift_cpu_hash(const void *p, size_t n, uint64_t h, uint64_t k, int s) {
  memlift_hash_fn *kernel = __atomic_load_n(&memlift_hash_now, __ATOMIC_RELAXED);
  if (MEMLIFT_UNLIKELY(!kernel)) {
    MEMLIFT_NEEDS_HASH;
    memlift_choose_kernels();
    kernel = __atomic_load_n(&memlift_hash_now, __ATOMIC_RELAXED);
  }
  return kernel(p, n, h, k, s);
}

MEMLIFT_INLINE uint64_t memlift_cpu_ones(const void *p, size_t n) {
  memlift_sum_fn *kernel = __atomic_load_n(&memlift_ones_now, __ATOMIC_RELAXED);
  if (MEMLIFT_UNLIKELY(!kernel)) {
    MEMLIFT_NEEDS_ONES;
    memlift_choose_kernels();
    kernel = __atomic_load_n(&memlift_ones_now, __ATOMIC_RELAXED);
  }
  return kernel(p, n);
}

MEMLIFT_INLINE uint64_t memlift_cpu_sum(enum memlift_sum_op op, const void *p, size_t n) {
  memlift_sum_fn *kernel = __atomic_load_n(&memlift_sum_now[op], __ATOMIC_RELAXED);
  if (MEMLIFT_UNLIKELY(!kernel)) {
    MEMLIFT_SUM_OPERATIONS(MEMLIFT_NEEDS_SUM)
    MEMLIFT_NEEDS_SUMS_MORE
    memlift_choose_kernels();
    kernel = __atomic_load_n(&memlift_sum_now[op], __ATOMIC_RELAXED);
  }
  return kernel(p, n);
}

#if defined(__cplusplus)
}
#endif

#pragma GCC visibility pop

#endif
