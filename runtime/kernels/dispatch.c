/* dispatch.c - chooses the kernels of this machine, without locks, ifuncs or start-up order
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A lowered loop may run before any constructor, so the choice is made by the first call and asks
 * the processor only, or the system by a bare system call; what only libc knows (AArch64) comes
 * with a constructor. The environment is not looked at there (before libc is up, or in a signal
 * handler, that would not be safe): a constructor reads MEMLIFT_CPU once and chooses again. Calls
 * that came earlier gave the same bytes with another kernel.
 */
#include "dispatch.h"
#include "../config.h"
#include "limits.h"
#include "search.h"

memlift_copy_fn *memlift_copy_now, *memlift_move_now;
memlift_fill_fn *memlift_fill_now;
memlift_pattern_fn *memlift_pattern_now;
memlift_pattern16_fn *memlift_pattern16_now;
memlift_swap_fn *memlift_swap_now, *memlift_reverse_now;
memlift_crc_fn *memlift_crc_now;
memlift_inet_fn *memlift_inet_now;
memlift_copy_inet_fn *memlift_copy_inet_now;
memlift_copy_sum_fn *memlift_copy_sum_now;
memlift_pair_fn *memlift_pair_now, *memlift_pair_halves_now;
memlift_sum_fn *memlift_ones_now;
memlift_hash_fn *memlift_hash_now;
memlift_sum_fn *memlift_sum_now[MEMLIFT_SUM_OPS];
memlift_search_fn *memlift_search_now[MEMLIFT_SEARCH_OPS];
memlift_compare_fn *memlift_compare_now[MEMLIFT_COMPARE_OPS];
size_t memlift_engine_min = SIZE_MAX;
char memlift_level_requested[16];

static unsigned level_limit = MEMLIFT_LEVELS - 1;

#if !MEMLIFT_HAVE_MACHINE_KERNELS
enum memlift_level memlift_best_level(void) { return MEMLIFT_LEVEL_GENERIC; }
int memlift_look_at_machine(void) { return 0; }
#endif

/* Stores rather than tables: a table of addresses would need relocations, which may not have been
 * applied yet. */
#define USE_GENERIC(NAME, name) MEMLIFT_USE_SUM(NAME, memlift_##name##_generic);
#define SEARCH_GENERIC(NAME, name) MEMLIFT_USE_SEARCH(NAME, memlift_##name##_generic);
#define COMPARE_GENERIC(NAME, name) MEMLIFT_USE_COMPARE(NAME, memlift_##name##_generic);

static void use_generic_kernels(void) {
  MEMLIFT_USE(copy, memlift_copy_generic);
  MEMLIFT_USE(move, memlift_move_generic);
  MEMLIFT_USE(fill, memlift_fill_generic);
  MEMLIFT_USE(pattern, memlift_pattern_generic);
  MEMLIFT_USE(pattern16, memlift_pattern16_generic);
  MEMLIFT_USE(swap, memlift_swap_generic);
  MEMLIFT_USE(reverse, memlift_reverse_generic);
  MEMLIFT_USE(crc, memlift_crc_generic);
  MEMLIFT_USE(inet, memlift_inet_generic);
  MEMLIFT_USE(copy_inet, memlift_copy_inet_generic);
  MEMLIFT_USE(copy_sum, memlift_copy_sum_u16_generic);
  MEMLIFT_USE(pair, memlift_pair_generic);
  MEMLIFT_USE(pair_halves, memlift_pair_halves_generic);
  MEMLIFT_USE(ones, memlift_ones_generic);
  MEMLIFT_USE(hash, memlift_hash_generic);
  MEMLIFT_SUM_OPERATIONS(USE_GENERIC)
  MEMLIFT_SEARCH_OPERATIONS(SEARCH_GENERIC)
  MEMLIFT_COMPARE_OPERATIONS(COMPARE_GENERIC)
}

enum memlift_level memlift_level_in_use(void) {
  unsigned best = memlift_best_level();
  unsigned limit = __atomic_load_n(&level_limit, __ATOMIC_RELAXED);
  return (enum memlift_level)(best < limit ? best : limit);
}

/* Whoever reads a pointer between the two gets a kernel that is right, if not the best. */
void memlift_choose_kernels(void) {
#if !MEMLIFT_HAVE_ENVIRONMENT
  const struct memlift_limits limits = memlift_first_limits(); /* else a constructor does that */
  memlift_set_limits(&limits);
#endif
  use_generic_kernels();
#if MEMLIFT_HAVE_MACHINE_KERNELS
  memlift_use_machine_kernels(memlift_level_in_use());
#endif
}

enum memlift_level memlift_limit_level(enum memlift_level limit) {
  __atomic_store_n(&level_limit, (unsigned)limit, __ATOMIC_RELAXED);
  memlift_choose_kernels();
  return memlift_level_in_use();
}

#define LEVEL_NAME(NAME, name)                                                                     \
  case MEMLIFT_LEVEL_##NAME: return #name;

const char *memlift_level_name(enum memlift_level level) {
  switch (level) {
    MEMLIFT_MACHINE_LEVELS(LEVEL_NAME)
  default: return "generic";
  }
}

#if MEMLIFT_HAVE_ENVIRONMENT
/* 101 is the earliest priority that programs may use: other constructors see the limit set. An
 * unknown name sets no limit; memlift-info tells what was asked for and what is used. */
__attribute__((constructor(101))) static void read_cpu_limit(void) {
  const char *value = memlift_environment_text("MEMLIFT_CPU", memlift_level_requested,
                                               sizeof memlift_level_requested);
  if (memlift_look_at_machine())
    memlift_choose_kernels();
  for (unsigned level = 0; level < MEMLIFT_LEVELS; level++)
    if (memlift_same_text(value, memlift_level_name((enum memlift_level)level)))
      memlift_limit_level((enum memlift_level)level);
}
#endif
