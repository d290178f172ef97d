/* health.c - leaves an engine alone that does not answer, and tries it again later
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "../config.h"

#if MEMLIFT_HAVE_OFFLOAD
#include "health.h"

struct memlift_health memlift_health;

int memlift_health_try(const struct memlift_engine *engine) {
  if (!memlift_health_is_silent())
    return 1;
  uint64_t now = memlift_clock_of(engine),
           again = __atomic_load_n(&memlift_health.again, __ATOMIC_RELAXED);
  uint64_t pause = __atomic_load_n(&memlift_health.pause, __ATOMIC_RELAXED);
  /* The thread that moves the time makes the try: others would lose time as well. */
  return now >= again && __atomic_compare_exchange_n(&memlift_health.again, &again, now + pause, 0,
                                                     __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

void memlift_health_timed_out(const struct memlift_engine *engine) {
  uint32_t count = __atomic_add_fetch(&memlift_health.time_outs, 1, __ATOMIC_RELAXED);
  if (count < MEMLIFT_SILENT_AFTER)
    return;
  uint64_t pause = MEMLIFT_FIRST_PAUSE_NS;
  if (count > MEMLIFT_SILENT_AFTER) {
    pause = 2 * __atomic_load_n(&memlift_health.pause, __ATOMIC_RELAXED);
    pause = pause > MEMLIFT_LONGEST_PAUSE_NS ? MEMLIFT_LONGEST_PAUSE_NS : pause;
  } else {
    memlift_count(&memlift_engine_counted.silent, 1);
  }
  __atomic_store_n(&memlift_health.pause, pause, __ATOMIC_RELAXED);
  __atomic_store_n(&memlift_health.again, memlift_clock_of(engine) + pause, __ATOMIC_RELAXED);
}
#else
typedef int memlift_no_engines; /* a translation unit must not be empty */
#endif
