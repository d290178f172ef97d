/* harts_model.c - a board of harts in one thread
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "../config.h"

#if defined(MEMLIFT_MODEL_HARTS)
#include "harts_model.h"

#include "../tasks/processes.h"
#include "../tasks/switch.h"
#include "../tasks/system.h"
#include "memory.h"

#include <stdlib.h>

#define HARTS (HARTS_MODEL_UNITS + 1)
#define STACK ((size_t)256 << 10)
#define MEMORY ((size_t)8 << 20)
#define USUAL_TURN 4

enum state { RUNS, WAITS, STOPPED };

/* A hart; number 0 is the host, on the stack of its thread. */
struct hart {
  struct memlift_hart block;
  enum state state;
  int rung, again; /* a ring that has not been taken; one more to come */
  uint64_t limit;  /* of its wait */
  uint64_t clock, rung_at;
  void *sp;
};

static struct hart hart[HARTS];
static unsigned char *memory, *stacks; /* kept from one model to the next */
static struct memlift_board model_board;
static struct harts_model *model; /* NULL: none */
static unsigned current;

struct memlift_hart *memlift_model_hart;

/* ---- Turns ----------------------------------------------------------------------------------- */

static uint64_t chance(uint64_t of) { return memlift_model_random(&model->seed) % of; }

static int by_chance(uint32_t per_mille) { return per_mille && chance(1000) < per_mille; }

static unsigned harts(void) { return model->units + 1; }

/* Time at which a hart can go on; UINT64_MAX: never. */
static uint64_t ready_at(const struct hart *h) {
  if (h->state == STOPPED)
    return UINT64_MAX;
  if (h->state == RUNS)
    return h->clock;
  if (!h->rung)
    return h->limit;
  return h->clock > h->rung_at ? h->clock : h->rung_at;
}

/* Sets the clock of all harts, by steps, and of one, by time. */
static void go_on(struct hart *h, uint64_t clock) {
  if (!model->steps) {
    h->clock = clock;
    return;
  }
  for (unsigned i = 0; i < harts(); i++)
    hart[i].clock = clock;
}

/* Gives the turn to a hart. */
static void turn_to(unsigned next) {
  unsigned from = current;
  struct hart *h = &hart[next];
  go_on(h, ready_at(h));
  h->state = RUNS;
  model->trace = (model->trace ^ next) * 0x9e3779b97f4a7c15u + model->taken[next];
  if (next == from)
    return;
  current = next;
  memlift_model_hart = &h->block;
  memlift_switch(&hart[from].sp, h->sp);
}

/* The hart that is behind, the lowest number first; by steps one of those that could go on now. The
 * host never stops, so there is one. */
static unsigned choose(void) {
  uint64_t first = UINT64_MAX;
  unsigned count = 0, best = 0;
  for (unsigned i = 0; i < harts(); i++)
    if (ready_at(&hart[i]) < first)
      first = ready_at(&hart[i]), best = i;
  if (!model->steps)
    return best;
  for (unsigned i = 0; i < harts(); i++)
    count += ready_at(&hart[i]) <= first;
  for (unsigned i = 0, which = (unsigned)chance(count); i < harts(); i++)
    if (ready_at(&hart[i]) <= first && which-- == 0)
      return i;
  return best;
}

void memlift_model_step(void) {
  if (!model)
    return;
  uint64_t step = ++model->taken[current];
  if (current && step == model->faults.stop_at[current - 1]) {
    hart[current].state = STOPPED;
    model->stopped++;
    turn_to(choose()); /* which does not return */
  }
  if (!model->steps)
    return;
  go_on(&hart[current], hart[current].clock + 1);
  if (chance(model->turn ? model->turn : USUAL_TURN) == 0)
    turn_to(choose());
}

/* ---- The board ------------------------------------------------------------------------------- */

static uint64_t now(void) { return hart[current].clock; }

static void wait(uint64_t nanoseconds) {
  struct hart *h = &hart[current];
  h->state = WAITS;
  h->limit = h->clock + nanoseconds < h->clock ? UINT64_MAX - 1 : h->clock + nanoseconds;
  turn_to(choose());
  h->rung = h->again;
  h->again = 0;
}

static void ring(uint64_t number) {
  struct hart *h = &hart[number];
  if (by_chance(model->faults.lose_per_mille)) {
    model->lost++;
    return;
  }
  if (!h->rung)
    h->rung_at = hart[current].clock;
  h->rung = 1;
  if (by_chance(model->faults.repeat_per_mille))
    h->again = 1, model->repeated++;
}

void harts_model_compute(uint64_t nanoseconds) {
  go_on(&hart[current], hart[current].clock + nanoseconds);
  turn_to(choose());
}

void memlift_model_give_way(void) { harts_model_compute(1); }

uint64_t harts_model_now(void) { return now(); }

/* The host buries. */
int memlift_keeper_may_take(const memlift_context *c, unsigned unit) {
  (void)c;
  return current == 0 && unit < model->units && hart[unit + 1].state == STOPPED;
}

int harts_model_is_stopped(unsigned unit) { return hart[unit + 1].state == STOPPED; }

/* ---- Beginning and ending -------------------------------------------------------------------- */

static void serve(void) {
  unsigned unit = (unsigned)memlift_hart_self()->number - 1;
  if (model->unit)
    model->unit(unit);
  for (;;)
    memlift_hart_serve(unit);
}

int harts_model_begin(struct harts_model *m) {
  memory = memory ? memory : (unsigned char *)malloc(MEMORY);
  stacks = stacks ? stacks : (unsigned char *)malloc(HARTS_MODEL_UNITS * STACK);
  if (!memory || !stacks)
    return 0;
  for (unsigned i = 0; i <= m->units; i++) {
    hart[i] = (struct hart){.block = {.number = i}};
    if (i)
      hart[i].sp = memlift_switch_new(stacks + (i - 1) * STACK, STACK, serve);
  }
  model_board = (struct memlift_board){memory, MEMORY, m->units, now, wait, ring};
  current = 0;
  memlift_model_hart = &hart[0].block;
  model = m;
  memlift_board_use(&model_board);
  return 1;
}

void harts_model_end(void) { model = NULL; }
#else
typedef int memlift_no_model_of_harts; /* a translation unit must not be empty */
#endif
