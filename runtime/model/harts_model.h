/* harts_model.h - a board of harts in one thread: turns by chance, a virtual clock, faults
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The units of tasks on bare metal (tasks/unit_hart.c), with all that they run, in one thread of a
 * test: each hart has a stack of its own. The code is that of a real board, compiled for the model
 * with MEMLIFT_MODEL_HARTS, MEMLIFT_BARE_METAL and MEMLIFT_FREESTANDING. Nothing
 * depends on the machine's time: the same seed gives the same run.
 *
 *   by steps  (steps = 1) At each atomic access another hart may have its turn, and the clock goes
 *             on by a nanosecond. All harts have one clock.
 *   by time   (steps = 0) A hart runs until it waits or computes, and then the one that is behind
 *             has its turn. Each has its own clock; its steps take no time. Who is woken goes on at
 *             the time of its waker. So times are those of harts that work beside each other.
 *
 * Where all harts wait, the clock goes on to the first limit.
 */
#ifndef MEMLIFT_HARTS_MODEL_H
#define MEMLIFT_HARTS_MODEL_H

#include "../tasks/harts.h"

#define HARTS_MODEL_UNITS 8

/* Faults to inject. */
struct harts_faults {
  uint64_t stop_at[HARTS_MODEL_UNITS]; /* step, from 1, before which the unit stops; 0: never */
  uint32_t lose_per_mille;             /* rings that do not arrive */
  uint32_t repeat_per_mille;           /* rings that arrive once more, later */
};

struct harts_model {
  uint64_t seed;
  uint32_t units;
  int steps;
  uint32_t turn; /* by steps: others have their turn in one of so many; 0: 4 */
  struct harts_faults faults;
  void (*unit)(unsigned unit); /* program of a unit, which never returns; NULL: it only serves */

  /* From here on the model's own. */
  uint64_t taken[HARTS_MODEL_UNITS + 1]; /* steps of each hart, the host's first */
  uint64_t trace;                        /* a number that any other order of turns changes */
  uint64_t lost, repeated, stopped;      /* faults that happened */
};

#if defined(__cplusplus)
extern "C" {
#endif

/* Makes the calling thread the host of such a board, which memlift_board_use gets. One at a time;
 * 0: no memory. Harts are there until harts_model_end, whatever they are in the middle of. */
int harts_model_begin(struct harts_model *model);
void harts_model_end(void);

/* Lets time pass on the calling hart, as it computes. */
void harts_model_compute(uint64_t nanoseconds);

/* The calling hart's clock, in nanoseconds. */
uint64_t harts_model_now(void);

/* 1 if the unit has stopped for good. */
int harts_model_is_stopped(unsigned unit);

#if defined(__cplusplus)
}
#endif

#endif
