/* measure.c - how many instructions the steps of tasks and transfers take on a hart
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Hart 0 does each step, between two reads of minstret; the unit is never there to take anything.
 * Under QEMU's -icount shift=0 the counts are exact. Each is of the call as its caller makes it.
 */
#include "harts.h"

#include <memlift/local_store.h>

#include "tasks/context.h"
#include "tasks/mover_pdma.h"
#include "tasks/store.h"
#include "tasks/switch.h"

#define TASKS 64

static unsigned char __attribute__((aligned(64))) memory[3 * 4096];
static struct memlift_local_store store;
static struct memlift_mover_pdma pdma;
static memlift_context *c;
static memlift_task tasks[TASKS];
static int bad;

static inline uint64_t instructions(void) {
  uint64_t count;
  __asm__ volatile("csrr %0, minstret" : "=r"(count) : : "memory");
  return count;
}

static uint64_t nothing; /* what the reads take themselves */

#define COUNT(step)                                                                                \
  ({                                                                                               \
    uint64_t first = instructions();                                                               \
    step;                                                                                          \
    instructions() - first - nothing;                                                              \
  })

static void tell(const char *what, uint64_t count) {
  say(what), say(": "), say_number(count), say("\n");
}

static void check(int right) { bad |= !right; }

void unit_main(void) {
  for (;;)
    __asm__ volatile("wfi");
}

/* ---- Tasks ----------------------------------------------------------------------------------- */

static int32_t empty(const uint64_t args[4]) {
  (void)args;
  return 0;
}

static void measure_tasks(void) {
  static const uint64_t args[4];
  struct memlift_parker *unit = &c->parker[0];
  struct memlift_slot *slot;
  memlift_status status;
  tell("schedule the first of its priority",
       COUNT(status = memlift_task_schedule(tasks[0], args, 100)));
  for (unsigned i = 1; i < TASKS - 1; i++)
    check(memlift_task_schedule(tasks[i], args, 100) == MEMLIFT_OK);
  tell("schedule", COUNT(status = memlift_task_schedule(tasks[TASKS - 1], args, 100)));
  check(status == MEMLIFT_OK);
  memlift_parker_set_self(unit);
  check((slot = memlift_pull(c, unit, 0)) != NULL);
  memlift_run(unit, slot);
  tell("pull", COUNT(slot = memlift_pull(c, unit, 0)));
  check(slot != NULL);
  tell("run and end", COUNT(memlift_run(unit, slot)));
  for (unsigned i = 2; i < TASKS; i++)
    memlift_run(unit, memlift_pull(c, unit, 0));
  tell("pull that empties a priority", COUNT(slot = memlift_pull(c, unit, 0)));
  check(slot == NULL);
  tell("pull of nothing", COUNT(slot = memlift_pull(c, unit, 0)));
  for (unsigned i = 0; i < TASKS; i++)
    check(memlift_task_schedule(tasks[i], args, (uint8_t)(255 - 4 * i)) == MEMLIFT_OK);
  tell("pull among 64 priorities", COUNT(slot = memlift_pull(c, unit, 0)));
  memlift_run(unit, slot);
  for (unsigned i = 1; i < TASKS; i++)
    memlift_run(unit, memlift_pull(c, unit, 0));
  check(memlift_pull(c, unit, 0) == NULL);
  memlift_parker_set_self(NULL);
}

/* ---- Switches -------------------------------------------------------------------------------- */

static void *here, *there;
static unsigned char __attribute__((aligned(16))) stack[4096];

static void other(void) {
  for (;;)
    memlift_switch(&there, here);
}

static void measure_switches(void) {
  there = memlift_switch_new(stack, sizeof stack, other);
  memlift_switch(&here, there);
  tell("switch there and back", COUNT(memlift_switch(&here, there)));
}

/* ---- Transfers ------------------------------------------------------------------------------- */

static void measure_transfers(void) {
  void *local = (void *)(uintptr_t)L2_LIM;
  uint64_t ticket;
  size_t moved;
  memlift_status status;
  struct memlift_transfer t = {local, memory, 4096, 1, 0, 0, MEMLIFT_GET};
  check(memlift_mover_pdma_open(&pdma, NULL, 0, 1) == MEMLIFT_OK);
  check(memlift_store_bind(&store, local, STORE, 0) == MEMLIFT_OK);
  check(memlift_store_move_by(&pdma.mover) == MEMLIFT_OK);
  tell("start by the mover", COUNT(status = pdma.mover.start(&pdma.mover, &t, &ticket, &moved)));
  check(status == MEMLIFT_PENDING);
  tell("wait by the mover",
       COUNT(status = pdma.mover.wait(&pdma.mover, ticket, UINT64_MAX, &moved)));
  check(status == MEMLIFT_OK && moved == 4096);
  for (unsigned i = 0; i < 2; i++) {
    uint64_t get = COUNT(status = memlift_get(local, memory, 4096, 3));
    check(status == MEMLIFT_OK);
    uint64_t wait = COUNT(status = memlift_tags_wait(8, MEMLIFT_TAGS_ALL, UINT64_MAX, NULL, NULL));
    check(status == MEMLIFT_OK);
    if (i)
      tell("memlift_get", get), tell("memlift_tags_wait", wait);
  }
}

int main(void);
int main(void) {
  struct memlift_context_options options = {.units = 1, .kind = MEMLIFT_UNITS_HARTS};
  board_start_serial();
  memlift_board_use(&board);
  hart_blocks[0] = (struct memlift_hart){.number = 0};
  check(memlift_context_create(&c, &options, sizeof options) == MEMLIFT_OK);
  for (unsigned i = 0; i < TASKS; i++)
    check(memlift_task_create(c, &tasks[i], empty, NULL, 0) == MEMLIFT_OK);
  uint64_t first = instructions();
  nothing = instructions() - first;
  measure_tasks();
  measure_switches();
  measure_transfers();
  say(bad ? "firmware: FAILED\n" : "firmware: ok\n");
  return bad;
}
