/* turn.c - an engine has one user at a time, in the process that started it
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#define _GNU_SOURCE
#include "../config.h"

#if MEMLIFT_HAVE_OFFLOAD
#include "turn.h"

#if MEMLIFT_HAVE_ENGINES
#include <unistd.h>

static int64_t this_process(void) { return getpid(); }
#else
static int64_t this_process(void) { return 1; } /* no system, one program */
#endif

memlift_status memlift_turn_try(struct memlift_turn *turn) {
  return __atomic_exchange_n(&turn->taken, 1, __ATOMIC_ACQUIRE) ? MEMLIFT_BUSY : MEMLIFT_OK;
}

/* The process is asked about first: a child after vfork must not even touch the flag. */
memlift_status memlift_turn_take(struct memlift_turn *turn) {
  if (!memlift_turn_is_mine(turn))
    return MEMLIFT_NOT_PRESENT;
  return memlift_turn_try(turn);
}

int memlift_turn_is_mine(const struct memlift_turn *turn) {
  return __atomic_load_n(&turn->owner, __ATOMIC_RELAXED) == this_process();
}

int memlift_turn_is_taken(const struct memlift_turn *turn) {
  return __atomic_load_n(&turn->taken, __ATOMIC_RELAXED) != 0;
}

memlift_status memlift_turn_begin(struct memlift_turn *turn, int *inherited) {
  *inherited = !memlift_turn_is_mine(turn);
  if (*inherited) /* first start, or a child after fork, where the flag's holder does not exist */
    __atomic_store_n(&turn->taken, 0, __ATOMIC_RELAXED);
  memlift_status status = memlift_turn_try(turn);
  if (status == MEMLIFT_OK)
    __atomic_store_n(&turn->owner, this_process(), __ATOMIC_RELAXED);
  return status;
}

void memlift_turn_give(struct memlift_turn *turn) {
  __atomic_store_n(&turn->taken, 0, __ATOMIC_RELEASE);
}
#else
typedef int memlift_no_turn; /* a translation unit must not be empty */
#endif
