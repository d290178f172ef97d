/* choose_x86.c - which kernels each level of x86-64 uses
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#if defined(__x86_64__)
#include "../dispatch.h"
#include "../search.h"
#include "direction.h"
#include "limits.h"
#include "masked.h"
#include "medium.h"

#define USE_SSE2(NAME, name) MEMLIFT_USE_SUM(NAME, memlift_##name##_x86_sse2);
#define USE_AVX2(NAME, name) MEMLIFT_USE_SUM(NAME, memlift_##name##_x86_avx2);
#define USE_AVX512(NAME, name) MEMLIFT_USE_SUM(NAME, memlift_##name##_x86_avx512);

#define SEARCH_SSE2(NAME, name) MEMLIFT_USE_SEARCH(NAME, memlift_##name##_x86_sse2);
#define SEARCH_AVX2(NAME, name) MEMLIFT_USE_SEARCH(NAME, memlift_##name##_x86_avx2);
#define SEARCH_AVX512(NAME, name) MEMLIFT_USE_SEARCH(NAME, memlift_##name##_x86_avx512);
#define COMPARE_SSE2(NAME, name) MEMLIFT_USE_COMPARE(NAME, memlift_##name##_x86_sse2);
#define COMPARE_AVX2(NAME, name) MEMLIFT_USE_COMPARE(NAME, memlift_##name##_x86_avx2);
#define COMPARE_AVX512(NAME, name) MEMLIFT_USE_COMPARE(NAME, memlift_##name##_x86_avx512);

/* The kernels that every level has of its own. */
#define USE_LEVEL(isa)                                                                             \
  do {                                                                                             \
    MEMLIFT_USE(copy, memlift_copy_x86_##isa);                                                     \
    MEMLIFT_USE(move, memlift_move_x86_##isa);                                                     \
    MEMLIFT_USE(fill, memlift_fill_x86_##isa);                                                     \
    MEMLIFT_USE(pattern, memlift_pattern_x86_##isa);                                               \
    MEMLIFT_USE(pattern16, memlift_pattern16_x86_##isa);                                           \
    MEMLIFT_USE(swap, memlift_swap_x86_##isa);                                                     \
    MEMLIFT_USE(reverse, memlift_reverse_x86_##isa);                                               \
    MEMLIFT_USE(inet, memlift_inet_x86_##isa);                                                     \
    MEMLIFT_USE(pair, memlift_pair_x86_##isa);                                                     \
    MEMLIFT_USE(pair_halves, memlift_pair_halves_x86_##isa);                                       \
    MEMLIFT_USE(ones, memlift_ones_x86_##isa);                                                     \
  } while (0)

/* Carry-less products come with no level for certain; below AVX2 they are left alone. */
static void use_crc(enum memlift_level level) {
  unsigned bits = level >= MEMLIFT_LEVEL_AVX2 ? memlift_clmul_bits() : 0;
  if (bits == 512 && level >= MEMLIFT_LEVEL_AVX512)
    MEMLIFT_USE(crc, memlift_crc_x86_fused);
  else if (bits >= 256)
    MEMLIFT_USE(crc, memlift_crc_x86_clmul256);
  else if (bits == 128)
    MEMLIFT_USE(crc, memlift_crc_x86_clmul128);
}

static void use_vnni(void) {
  MEMLIFT_USE(inet, memlift_inet_x86_vnni);
  MEMLIFT_USE(copy_inet, memlift_copy_inet_x86_vnni);
  MEMLIFT_USE(copy_sum, memlift_copy_sum_u16_x86_vnni);
  MEMLIFT_USE(pair, memlift_pair_x86_vnni);
  MEMLIFT_USE(pair_halves, memlift_pair_halves_x86_vnni);
  MEMLIFT_USE_SUM(SUM_U16, memlift_sum_u16_x86_vnni);
  MEMLIFT_USE_SUM(SUM_S16, memlift_sum_s16_x86_vnni);
  MEMLIFT_USE_SUM(SUM_SWAP16, memlift_sum_swap_u16_x86_vnni);
}

/* Copies of more than what masked.h does: a fifth faster than by 64 bytes where those are halves.
 * */
static void use_halves(void) {
  MEMLIFT_USE(copy, memlift_copy_x86_halves);
  MEMLIFT_USE(move, memlift_move_x86_halves);
}

static void use_searches(enum memlift_level level) {
  if (level == MEMLIFT_LEVEL_AVX512) {
    MEMLIFT_SEARCH_OPERATIONS(SEARCH_AVX512)
    MEMLIFT_COMPARE_OPERATIONS(COMPARE_AVX512)
  } else if (level == MEMLIFT_LEVEL_AVX2) {
    MEMLIFT_SEARCH_OPERATIONS(SEARCH_AVX2)
    MEMLIFT_COMPARE_OPERATIONS(COMPARE_AVX2)
  } else if (level == MEMLIFT_LEVEL_SSE2) {
    MEMLIFT_SEARCH_OPERATIONS(SEARCH_SSE2)
    MEMLIFT_COMPARE_OPERATIONS(COMPARE_SSE2)
  }
}

size_t memlift_masked_below;

size_t memlift_medium_below;

size_t memlift_short_below;

struct memlift_alias_window memlift_alias_window = MEMLIFT_ALIAS_WINDOW;

size_t memlift_pattern_steps = MEMLIFT_PATTERN_STEPS;

static void use_alias_window(struct memlift_alias_window window) {
  __atomic_store_n(&memlift_alias_window.few, window.few, __ATOMIC_RELAXED);
  __atomic_store_n(&memlift_alias_window.many, window.many, __ATOMIC_RELAXED);
}

void memlift_use_machine_kernels(enum memlift_level level) {
  const int halves = level == MEMLIFT_LEVEL_AVX512 && memlift_halves_vectors();
  __atomic_store_n(&memlift_masked_below, level == MEMLIFT_LEVEL_AVX512 ? MASKED_MOST + 1 : 0,
                   __ATOMIC_RELAXED);
  __atomic_store_n(&memlift_medium_below, level == MEMLIFT_LEVEL_AVX2 ? MEDIUM_MOST + 1 : 0,
                   __ATOMIC_RELAXED);
  __atomic_store_n(&memlift_short_below, SMALL_MOST + 1, __ATOMIC_RELAXED);
  const struct memlift_alias_window none = {0, 0}, some = MEMLIFT_ALIAS_WINDOW,
                                    intels = MEMLIFT_ALIAS_WINDOW_INTEL;
  use_alias_window(memlift_is_zen3_or_zen4() ? none : memlift_is_intel() ? intels : some);
  __atomic_store_n(&memlift_pattern_steps,
                   halves ? MEMLIFT_PATTERN_STEPS_HALVES : MEMLIFT_PATTERN_STEPS, __ATOMIC_RELAXED);
  use_crc(level);
  use_searches(level);
  if (level == MEMLIFT_LEVEL_AVX512) {
    USE_LEVEL(avx512);
    MEMLIFT_USE(hash, memlift_hash_x86_avx512);
    MEMLIFT_SUM_OPERATIONS(USE_AVX512)
    if (halves)
      use_halves();
    if (memlift_has_vnni())
      use_vnni();
  } else if (level == MEMLIFT_LEVEL_AVX2) {
    USE_LEVEL(avx2);
    MEMLIFT_USE(copy_inet, memlift_copy_inet_x86_avx2);
    MEMLIFT_USE(copy_sum, memlift_copy_sum_u16_x86_avx2);
    MEMLIFT_SUM_OPERATIONS(USE_AVX2)
  } else if (level == MEMLIFT_LEVEL_SSE2) {
    USE_LEVEL(sse2);
    MEMLIFT_SUM_OPERATIONS(USE_SSE2)
  }
}
#else
typedef int memlift_not_x86; /* a translation unit must not be empty */
#endif
