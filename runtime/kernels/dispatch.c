/* dispatch.c - chooses the kernels of this machine, without locks, ifuncs or start-up order
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A lowered loop may run before any constructor, so the choice is made by the first call and asks
 * the processor only. The environment is not looked at there (before libc is up, or in a signal
 * handler, that would not be safe): a constructor reads MEMLIFT_CPU once and chooses again. Calls
 * that came earlier gave the same bytes with another kernel.
 */
#include "dispatch.h"
#include "../config.h"

memlift_copy_fn *memlift_copy_now, *memlift_move_now;
memlift_fill_fn *memlift_fill_now;
memlift_pattern_fn *memlift_pattern_now;
memlift_swap_fn *memlift_swap_now;
memlift_crc_fn *memlift_crc_now;
memlift_inet_fn *memlift_inet_now;
memlift_copy_inet_fn *memlift_copy_inet_now;
memlift_pair_fn *memlift_pair_now;
memlift_sum_fn *memlift_sum_now[MEMLIFT_SUM_OPS];
size_t memlift_engine_min = SIZE_MAX;
char memlift_level_requested[16];

static unsigned level_limit = MEMLIFT_LEVELS - 1;

#if !defined(__x86_64__)
enum memlift_level memlift_best_level(void) { return MEMLIFT_LEVEL_GENERIC; }
unsigned memlift_clmul_bits(void) { return 0; }
#endif

static void use(memlift_copy_fn *copy, memlift_copy_fn *move, memlift_fill_fn *fill,
                memlift_pattern_fn *pattern, memlift_swap_fn *swap) {
  __atomic_store_n(&memlift_copy_now, copy, __ATOMIC_RELAXED);
  __atomic_store_n(&memlift_move_now, move, __ATOMIC_RELAXED);
  __atomic_store_n(&memlift_fill_now, fill, __ATOMIC_RELAXED);
  __atomic_store_n(&memlift_pattern_now, pattern, __ATOMIC_RELAXED);
  __atomic_store_n(&memlift_swap_now, swap, __ATOMIC_RELAXED);
}

/* Stores rather than tables: a table of addresses would need relocations, which may not have been
 * applied yet. */
#define USE_SUM(op, kernel) __atomic_store_n(&memlift_sum_now[op], kernel, __ATOMIC_RELAXED);
#define USE_GENERIC(NAME, name) USE_SUM(MEMLIFT_##NAME, memlift_##name##_generic)
#define USE_SSE2(NAME, name) USE_SUM(MEMLIFT_##NAME, memlift_##name##_x86_sse2)
#define USE_AVX2(NAME, name) USE_SUM(MEMLIFT_##NAME, memlift_##name##_x86_avx2)
#define USE_AVX512(NAME, name) USE_SUM(MEMLIFT_##NAME, memlift_##name##_x86_avx512)

static void use_sums(enum memlift_level level) {
  switch (level) {
#if defined(__x86_64__)
  case MEMLIFT_LEVEL_AVX512:
    MEMLIFT_SUM_OPERATIONS(USE_AVX512)
    break;
  case MEMLIFT_LEVEL_AVX2:
    MEMLIFT_SUM_OPERATIONS(USE_AVX2)
    break;
  case MEMLIFT_LEVEL_SSE2:
    MEMLIFT_SUM_OPERATIONS(USE_SSE2)
    break;
#endif
  default:
    MEMLIFT_SUM_OPERATIONS(USE_GENERIC)
    break;
  }
}

/* Carry-less products come with no level for certain; below AVX2 they are left alone. */
static memlift_crc_fn *crc_kernel(enum memlift_level level) {
#if defined(__x86_64__)
  unsigned bits = level >= MEMLIFT_LEVEL_AVX2 ? memlift_clmul_bits() : 0;
  if (bits == 512 && level >= MEMLIFT_LEVEL_AVX512)
    return memlift_crc_x86_fused;
  if (bits >= 256)
    return memlift_crc_x86_clmul256;
  if (bits == 128)
    return memlift_crc_x86_clmul128;
#endif
  (void)level;
  return memlift_crc_generic;
}

static memlift_inet_fn *inet_kernel(enum memlift_level level) {
#if defined(__x86_64__)
  if (level == MEMLIFT_LEVEL_AVX512)
    return memlift_has_vnni() ? memlift_inet_x86_vnni : memlift_inet_x86_avx512;
  if (level == MEMLIFT_LEVEL_AVX2)
    return memlift_inet_x86_avx2;
  if (level == MEMLIFT_LEVEL_SSE2)
    return memlift_inet_x86_sse2;
#endif
  (void)level;
  return memlift_inet_generic;
}

static memlift_copy_inet_fn *copy_inet_kernel(enum memlift_level level) {
#if defined(__x86_64__)
  if (level == MEMLIFT_LEVEL_AVX512 && memlift_has_vnni())
    return memlift_copy_inet_x86_vnni;
#endif
  (void)level;
  return memlift_copy_inet_generic;
}

static memlift_pair_fn *pair_kernel(enum memlift_level level) {
#if defined(__x86_64__)
  if (level == MEMLIFT_LEVEL_AVX512)
    return memlift_has_vnni() ? memlift_pair_x86_vnni : memlift_pair_x86_avx512;
  if (level == MEMLIFT_LEVEL_AVX2)
    return memlift_pair_x86_avx2;
  if (level == MEMLIFT_LEVEL_SSE2)
    return memlift_pair_x86_sse2;
#endif
  (void)level;
  return memlift_pair_generic;
}

enum memlift_level memlift_level_in_use(void) {
  unsigned best = memlift_best_level();
  unsigned limit = __atomic_load_n(&level_limit, __ATOMIC_RELAXED);
  return (enum memlift_level)(best < limit ? best : limit);
}

void memlift_choose_kernels(void) {
  enum memlift_level level = memlift_level_in_use();
  use_sums(level);
  __atomic_store_n(&memlift_crc_now, crc_kernel(level), __ATOMIC_RELAXED);
  __atomic_store_n(&memlift_inet_now, inet_kernel(level), __ATOMIC_RELAXED);
  __atomic_store_n(&memlift_copy_inet_now, copy_inet_kernel(level), __ATOMIC_RELAXED);
  __atomic_store_n(&memlift_pair_now, pair_kernel(level), __ATOMIC_RELAXED);
  switch (level) {
#if defined(__x86_64__)
  case MEMLIFT_LEVEL_AVX512:
    use(memlift_copy_x86_avx512, memlift_move_x86_avx512, memlift_fill_x86_avx512,
        memlift_pattern_x86_avx512, memlift_swap_x86_avx512);
    break;
  case MEMLIFT_LEVEL_AVX2:
    use(memlift_copy_x86_avx2, memlift_move_x86_avx2, memlift_fill_x86_avx2,
        memlift_pattern_x86_avx2, memlift_swap_x86_avx2);
    break;
  case MEMLIFT_LEVEL_SSE2:
    use(memlift_copy_x86_sse2, memlift_move_x86_sse2, memlift_fill_x86_sse2,
        memlift_pattern_x86_sse2, memlift_swap_x86_sse2);
    break;
#endif
  default:
    use(memlift_copy_generic, memlift_move_generic, memlift_fill_generic,
        memlift_pattern_generic, memlift_swap_generic);
    break;
  }
}

enum memlift_level memlift_limit_level(enum memlift_level limit) {
  __atomic_store_n(&level_limit, (unsigned)limit, __ATOMIC_RELAXED);
  memlift_choose_kernels();
  return memlift_level_in_use();
}

const char *memlift_crc_kernel_name(void) {
#if defined(__x86_64__)
  memlift_crc_fn *kernel = crc_kernel(memlift_level_in_use());
  if (kernel == memlift_crc_x86_fused)
    return "crc_x86_fused";
  if (kernel == memlift_crc_x86_clmul256)
    return "crc_x86_clmul256";
  if (kernel == memlift_crc_x86_clmul128)
    return "crc_x86_clmul128";
#endif
  return "crc_generic";
}

const char *memlift_level_name(enum memlift_level level) {
  switch (level) {
  case MEMLIFT_LEVEL_SSE2:
    return "sse2";
  case MEMLIFT_LEVEL_AVX2:
    return "avx2";
  case MEMLIFT_LEVEL_AVX512:
    return "avx512";
  default:
    return "generic";
  }
}

#if MEMLIFT_HAVE_ENVIRONMENT
/* 101 is the earliest priority that programs may use: other constructors see the limit set. An
 * unknown name sets no limit; memlift-info tells what was asked for and what is used. */
__attribute__((constructor(101))) static void read_cpu_limit(void) {
  const char *value = memlift_environment_text("MEMLIFT_CPU", memlift_level_requested,
                                               sizeof memlift_level_requested);
  for (unsigned level = 0; level < MEMLIFT_LEVELS; level++)
    if (memlift_same_text(value, memlift_level_name((enum memlift_level)level)))
      memlift_limit_level((enum memlift_level)level);
}
#endif
