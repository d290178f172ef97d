/* spread.c - memlift_spread_bind and memlift_spread: the iterations of a loop by several threads
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A context that is bound has a helper for each of its units: a run-complete task that is scheduled
 * when a loop is spread. The loop is described in `team`, which one loop has at a time. Caller and
 * helpers take blocks by a counter. In the end the caller takes back the helpers that have not
 * begun, and waits for the others, which are at their last blocks:
 *
 *   caller                                    helper
 *   describes the loop, pending = 0
 *   pending++, schedules it                   is pulled by a unit
 *   computes blocks until there are none      the same
 *   takes it back, pending--; or ...          joins its values are in its own place
 *   waits for pending == 0            <-      pending--, rings
 *   joins the values of all helpers
 *
 * After it has rung, a helper touches nothing of the loop. It does not wait by memlift_task_wait:
 * that would run any ready task, perhaps a long one, in the middle of a loop.
 */
#include "../config.h"

#include "../include/memlift/spread.h"

uint32_t memlift_spread_units;

/* ---- Short loops and those where nothing is bound -------------------- */

static void in_place(memlift_spread_body body, void *environment, uint64_t first,
                     uint64_t iterations, uint64_t *values) {
  if (first < iterations)
    body(environment, first, iterations, values);
}

#if MEMLIFT_HAVE_TASKS
#include "context.h"
#include "spread_modes.h"

/* Blocks for each of those who compute, if the loop is long enough: who begins late, or is slow,
 * takes fewer of them. */
#define BLOCKS 8u
/* The part of a loop that the caller does first, by the clock: 1 of so many. */
#define SHARES 32u
/* Loops that are left to the caller after units have made one slower: so many times as would take
 * what was lost, first and at most. */
#define FIRST_PENALTY 8u
#define MOST_PENALTY 256u

uint64_t memlift_spread_ns = MEMLIFT_SPREAD_NS;

static struct {
  uint32_t busy; /* 1: a loop has the team, or it is being bound */
  uint32_t units;
  memlift_task helper[MEMLIFT_UNITS];
  /* The loop. */
  memlift_spread_body body;
  void *environment;
  const struct memlift_spread_plan *plan;
  uint64_t first, iterations, block, blocks, modes;
  /* Gains and losses of the loops before. */
  uint64_t left_out;                     /* loops to come that the caller does alone */
  uint32_t penalty;                      /* of the last loss; 0: the last loop has gained */
  uint64_t next MEMLIFT_LINE_ALIGNED;    /* number of the next block */
  uint32_t pending MEMLIFT_LINE_ALIGNED; /* helpers that may still compute */
  struct memlift_event bell;             /* rung each time that one has done so */
  struct {
    uint64_t value[MEMLIFT_SPREAD_VALUES] MEMLIFT_LINE_ALIGNED;
  } of[MEMLIFT_UNITS];
} team;

static int take_team(void) {
  uint32_t free = 0;
  /* Acquire: pairs with give_team. */
  return __atomic_compare_exchange_n(&team.busy, &free, 1, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
}

static void give_team(void) {
  /* Release: pairs with the acquire of take_team. */
  __atomic_store_n(&team.busy, 0, __ATOMIC_RELEASE);
}

#if MEMLIFT_HAVE_ENGINES
#include <errno.h>
static int keep_errno(void) { return errno; }
static void restore_errno(int saved) { errno = saved; }
#else
static int keep_errno(void) { return 0; }
static void restore_errno(int saved) { (void)saved; }
#endif

/* ---- Values -------------------- */

static uint32_t count_of(const struct memlift_spread_plan *plan) {
  return plan->values < MEMLIFT_SPREAD_VALUES ? plan->values : MEMLIFT_SPREAD_VALUES;
}

/* Sets values that change nothing when they are joined. */
static void clear_values(const struct memlift_spread_plan *plan, uint64_t *value) {
  for (uint32_t k = 0; k < count_of(plan); k++)
    value[k] = memlift_spread_neutral(plan->join[k]);
}

static void join_values(const struct memlift_spread_plan *plan, uint64_t *to,
                        const uint64_t *value) {
  for (uint32_t k = 0; k < count_of(plan); k++)
    to[k] = memlift_spread_joined(plan->join[k], to[k], value[k]);
}

/* ---- Computing -------------------- */

/* Computes blocks until there are none. */
static void compute(uint64_t *values) {
  uint64_t b;
  while ((b = __atomic_fetch_add(&team.next, 1, __ATOMIC_RELAXED)) < team.blocks) {
    uint64_t first = team.first + b * team.block;
    uint64_t end = b + 1 < team.blocks ? first + team.block : team.iterations;
    team.body(team.environment, first, end, values);
  }
}

/* The helpers' program. args[0] is the helper's number. */
static int32_t help(const uint64_t args[4]) {
  uint64_t *values = team.of[args[0]].value, own = memlift_modes_read();
  if (own != team.modes)
    memlift_modes_write(team.modes);
  compute(values);
  if (own != team.modes)
    memlift_modes_write(own);
  /* Release: pairs with the acquire of wait_for_helpers, which reads what was written. */
  __atomic_fetch_sub(&team.pending, 1, __ATOMIC_RELEASE);
  memlift_event_notify(&team.bell);
  return 0;
}

/* Schedules helpers; a bit is set for each that was. One that has not quite ended since the last
 * loop is left out. */
static uint64_t call_helpers(uint32_t count) {
  uint64_t called = 0;
  for (uint32_t i = 0; i < count; i++) {
    uint64_t args[4] = {i, 0, 0, 0};
    clear_values(team.plan, team.of[i].value);
    __atomic_fetch_add(&team.pending, 1, __ATOMIC_RELAXED);
    if (memlift_task_schedule(team.helper[i], args, MEMLIFT_PRIORITIES - 1) == MEMLIFT_OK)
      called |= (uint64_t)1 << i;
    else
      __atomic_fetch_sub(&team.pending, 1, __ATOMIC_RELAXED);
  }
  return called;
}

/* Takes back those that have not begun, and waits for the others. */
static void wait_for_helpers(uint64_t called) {
  for (uint32_t i = 0; i < MEMLIFT_UNITS; i++)
    if (called >> i & 1 && memlift_task_unschedule(team.helper[i], 0) == MEMLIFT_OK)
      __atomic_fetch_sub(&team.pending, 1, __ATOMIC_RELAXED);
  for (;;) {
    uint32_t seen = memlift_event_read(&team.bell);
    /* Acquire: pairs with the release in help. */
    if (!__atomic_load_n(&team.pending, __ATOMIC_ACQUIRE))
      return;
    memlift_event_wait(&team.bell, seen, 1000000000);
  }
}

/* ---- Blocks -------------------- */

static uint64_t round_up(uint64_t n, uint64_t to) {
  uint64_t over = n % to;
  return over && n <= UINT64_MAX - to ? n - over + to : n;
}

/* Cycles of so many iterations by the estimate, UINT64_MAX at most. */
static uint64_t cycles_of(const struct memlift_spread_plan *plan, uint64_t iterations) {
  uint64_t cycles, each = plan->cycles16 ? plan->cycles16 : 16;
  return __builtin_mul_overflow(iterations, each, &cycles) ? UINT64_MAX : cycles / 16;
}

/* Describes iterations [first, iterations). */
static void describe(const struct memlift_spread_plan *plan, memlift_spread_body body,
                     void *environment, uint64_t first, uint64_t iterations) {
  uint64_t unit = plan->unit ? plan->unit : 1, left = iterations - first;
  uint64_t block = round_up(left / (BLOCKS * (team.units + 1)) + 1, unit);
  team.body = body, team.environment = environment, team.plan = plan;
  team.first = first, team.iterations = iterations, team.block = block;
  team.blocks = left / block + (left % block != 0);
  team.modes = memlift_modes_read();
  __atomic_store_n(&team.next, 0, __ATOMIC_RELAXED);
  __atomic_store_n(&team.pending, 0, __ATOMIC_RELAXED);
}

/* Does a share of the iterations, and returns how many; *rest_ns is what the rest takes by the same
 * measure, 0 if it is not worth units. All of a loop is done that is not. */
static uint64_t try_share(const struct memlift_spread_plan *plan, memlift_spread_body body,
                          void *environment, uint64_t iterations, uint64_t *values,
                          uint64_t *rest_ns) {
  uint64_t share = round_up(iterations / SHARES + 1, plan->unit ? plan->unit : 1);
  *rest_ns = 0;
  if (share >= iterations) {
    in_place(body, environment, 0, iterations, values);
    return iterations;
  }
  uint64_t since = memlift_now();
  body(environment, 0, share, values);
  uint64_t took = memlift_now() - since, rest = (iterations - share) / share;
  if (took >= memlift_spread_ns / (rest ? rest : 1))
    *rest_ns = took * (rest ? rest : 1);
  return share;
}

/* Leaves loops to the caller after one that units have made slower, twice as many after each: the
 * CPUs are not theirs alone, and a unit that has to give its one up keeps the caller waiting. So
 * what is lost is an eighth of the time at first, and less later. */
static void learn(uint64_t took, uint64_t alone) {
  if (took < alone - alone / 8)
    team.penalty = 0;
  if (took <= alone + alone / 8 || !alone)
    return;
  team.penalty = team.penalty ? 2 * team.penalty : FIRST_PENALTY;
  if (team.penalty > MOST_PENALTY)
    team.penalty = MOST_PENALTY;
  team.left_out = ((took - alone) / alone + 1) * team.penalty;
}

static void spread(const struct memlift_spread_plan *plan, memlift_spread_body body,
                   void *environment, uint64_t iterations, uint64_t *values) {
  uint64_t rest_ns, first;
  if (team.left_out && memlift_spread_ns) {
    team.left_out--;
    in_place(body, environment, 0, iterations, values);
    return;
  }
  first = try_share(plan, body, environment, iterations, values, &rest_ns);
  if ((!rest_ns && memlift_spread_ns) || first >= iterations || !team.units) {
    in_place(body, environment, first, iterations, values);
    return;
  }
  int saved_errno = keep_errno();
  uint64_t since = memlift_now();
  describe(plan, body, environment, first, iterations);
  uint64_t called = call_helpers(team.blocks > team.units ? team.units : (uint32_t)team.blocks - 1);
  compute(values);
  wait_for_helpers(called);
  for (uint32_t i = 0; i < MEMLIFT_UNITS; i++)
    if (called >> i & 1)
      join_values(plan, values, team.of[i].value);
  learn(memlift_now() - since, rest_ns);
  restore_errno(saved_errno);
}

void memlift_spread(const struct memlift_spread_plan *plan, memlift_spread_body body,
                    void *environment, uint64_t iterations, uint64_t *values) {
  const struct memlift_parker *self;
  if (!__atomic_load_n(&memlift_spread_units, __ATOMIC_RELAXED) ||
      cycles_of(plan, iterations) < MEMLIFT_SPREAD_CYCLES ||
      ((self = memlift_parker_self()) && self->task) || !take_team()) {
    in_place(body, environment, 0, iterations, values);
    return;
  }
  spread(plan, body, environment, iterations, values);
  give_team();
}

/* ---- Binding -------------------- */

/* Gives the helpers back. One that has rung for the last loop may not quite have ended. */
static void dismiss(void) {
  __atomic_store_n(&memlift_spread_units, 0, __ATOMIC_RELAXED);
  for (; team.units; team.units--)
    while (memlift_task_destroy(team.helper[team.units - 1]) == MEMLIFT_WRONG_STATE)
      memlift_event_wait(&team.bell, memlift_event_read(&team.bell), 50000);
}

static memlift_status enlist(memlift_context *c) {
  const struct memlift_task_options options = {.name = "spread"};
  while (team.units < c->units) {
    memlift_status status =
        memlift_task_create(c, &team.helper[team.units], help, &options, sizeof options);
    if (status != MEMLIFT_OK) {
      dismiss();
      return status;
    }
    team.units++;
  }
  __atomic_store_n(&memlift_spread_units, team.units, __ATOMIC_RELAXED);
  return MEMLIFT_OK;
}

memlift_status memlift_spread_bind(memlift_context *context) {
  memlift_status status = context ? memlift_context_known(context) : MEMLIFT_OK;
  if (status == MEMLIFT_OK && context && memlift_has_processes(context))
    status = MEMLIFT_NOT_PRESENT;
  if (status == MEMLIFT_OK && !take_team())
    status = MEMLIFT_BUSY;
  if (status != MEMLIFT_OK)
    return status;
  dismiss();
  team.left_out = team.penalty = 0;
  if (context)
    status = enlist(context);
  give_team();
  return status;
}
#else
void memlift_spread(const struct memlift_spread_plan *plan, memlift_spread_body body,
                    void *environment, uint64_t iterations, uint64_t *values) {
  (void)plan;
  in_place(body, environment, 0, iterations, values);
}

memlift_status memlift_spread_bind(memlift_context *context) {
  return context ? MEMLIFT_NOT_PRESENT : MEMLIFT_OK;
}
#endif
