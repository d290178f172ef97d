/* main.c - the host: tasks for four harts with a local store and a DMA channel each
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Says "firmware: ok" or what is wrong.
 */
#include "harts.h"
#include "workloads.h"

#include "tasks/store.h"

#define WORKLOADS 64
#define MOST 20032

#define ROW (MOST / 8)

static uint64_t __attribute__((aligned(64))) from[WORKLOADS][ROW], to[WORKLOADS][ROW];
static struct shared __attribute__((aligned(64))) shared;
static uint64_t __attribute__((aligned(64))) places[2][MEMLIFT_QUEUE_BYTES(8, 4) / 8];
static struct memlift_local_store stores[UNITS];
static memlift_context *context;
static int bad;

static void check(const char *what, int right) {
  if (right)
    return;
  say("NOT RIGHT: "), say(what), say("\n");
  bad = 1;
}

/* ---- A unit ---------------------------------------------------------------------------------- */

void unit_main(void) {
  unsigned unit = (unsigned)memlift_hart_self()->number - 1;
  void *memory = (void *)(uintptr_t)(L2_LIM + unit * STORE);
  if (watched_open(&watched[unit], unit) != MEMLIFT_OK ||
      memlift_store_bind(&stores[unit], memory, STORE, 0) != MEMLIFT_OK)
    say("firmware: FAILED: a unit has no channel or no store\n");
  memlift_store_move_by(&watched[unit].mover);
  for (;;)
    memlift_hart_serve(unit);
}

/* ---- The host -------------------------------------------------------------------------------- */

static void open(void) {
  struct memlift_context_options options = {.units = UNITS, .kind = MEMLIFT_UNITS_HARTS};
  check("a context", memlift_context_create(&context, &options, sizeof options) == MEMLIFT_OK);
}

static memlift_task make(memlift_task_function function, size_t stack, uint64_t units) {
  memlift_task task = {0};
  struct memlift_task_options options = {.stack = stack, .units = units};
  check("a task",
        memlift_task_create(context, &task, function, &options, sizeof options) == MEMLIFT_OK);
  return task;
}

static int32_t code_of(memlift_task task) {
  int32_t code = -1;
  check("a wait", memlift_task_wait(task, MEMLIFT_FOR_EVER, &code) == MEMLIFT_OK);
  return code;
}

static void start(memlift_task task, uint64_t a, uint64_t b) {
  uint64_t args[4] = {a, b, 0, 0};
  check("a schedule", memlift_task_schedule(task, args, 100) == MEMLIFT_OK);
}

static void say_counts(const char *what, const uint64_t *counts, uint64_t *sum) {
  *sum = 0;
  say(what);
  for (unsigned i = 0; i < UNITS; i++)
    say(i ? " " : ""), say_number(counts[i]), *sum += counts[i];
}

/* ---- Workloads ------------------------------------------------------------------------------- */

#define UNTOUCHED UINT64_C(0xc3c3c3c3c3c3c3c3)

/* A word with 1 added to each of its first bytes, the others untouched. */
static uint64_t plus_one(uint64_t word, size_t bytes) {
  uint64_t all = ((word & UINT64_C(0x7f7f7f7f7f7f7f7f)) + UINT64_C(0x0101010101010101)) ^
                 (word & UINT64_C(0x8080808080808080));
  uint64_t mask = bytes < 8 ? ((uint64_t)1 << 8 * bytes) - 1 : UINT64_MAX;
  return (all & mask) | (UNTOUCHED & ~mask);
}

static int bytes_are_right(size_t size) {
  for (unsigned i = 0; i < WORKLOADS; i++)
    for (size_t k = 0; k < ROW; k++)
      if (to[i][k] != plus_one(from[i][k], 8 * k < size ? size - 8 * k : 0))
        return 0;
  return 1;
}

static void run_workloads(const memlift_task *tasks, size_t size) {
  uint64_t args[WORKLOADS][4], sum, moved = 0, transfers = 0, early = 0;
  for (unsigned i = 0; i < WORKLOADS; i++) {
    args[i][0] = (uintptr_t)from[i], args[i][1] = (uintptr_t)to[i], args[i][2] = size;
    for (size_t k = 0; k < ROW; k++)
      to[i][k] = UNTOUCHED;
  }
  for (unsigned i = 0; i < UNITS; i++)
    watched[i].bytes = watched[i].transfers = done[i] = 0;
  uint64_t begin = board.now();
  check("schedule",
        memlift_task_schedule_many(tasks, (const uint64_t(*)[4])args, WORKLOADS, 50) == MEMLIFT_OK);
  for (unsigned i = 0; i < WORKLOADS; i++)
    check("a workload", code_of(tasks[i]) == 0);
  uint64_t end = board.now();
  for (unsigned i = 0; i < UNITS; i++)
    moved += watched[i].bytes, transfers += watched[i].transfers,
        early += watched[i].too_early + late[i];
  say_number(size), say_counts(" bytes, workloads of each hart: ", done, &sum);
  say("; "), say_number(transfers), say(" transfers, "), say_number(moved),
      say(" bytes by the PDMA");
  say(", "), say_number(end - begin), say(" ns\n");
  check("every workload once", sum == WORKLOADS);
  check("bytes", bytes_are_right(size));
  check("moved by the PDMA",
        moved == 2 * WORKLOADS * size && transfers == 2 * WORKLOADS * ((size + BLOCK - 1) / BLOCK));
  check("wait before reuse, and not earlier", early == 0);
}

/* ---- Objects --------------------------------------------------------------------------------- */

static void check_meeting(void) {
  memlift_task tasks[8];
  uint32_t bits = 0;
  memlift_barrier_init(context, &shared.barrier, 8);
  memlift_mutex_init(context, &shared.mutex);
  memlift_semaphore_init(context, &shared.two, 2);
  memlift_events_init(context, &shared.events, MEMLIFT_EVENTS_MANUAL);
  shared.counter = 0;
  for (unsigned i = 0; i < 8; i++)
    tasks[i] = make(meet, 8192, (uint64_t)1 << i % UNITS), shared.rounds[i] = 0;
  for (unsigned i = 0; i < 8; i++)
    start(tasks[i], (uintptr_t)&shared, i);
  check("flags", memlift_events_wait(&shared.events, 0xff, MEMLIFT_EVENTS_ALL, MEMLIFT_FOR_EVER,
                                     &bits) == MEMLIFT_OK);
  for (unsigned i = 0; i < 8; i++) {
    check("a meeting task", code_of(tasks[i]) == (int32_t)i);
    check("its rounds", shared.rounds[i] == 10);
    check("destroy", memlift_task_destroy(tasks[i]) == MEMLIFT_OK);
  }
  check("what the mutex guards", shared.counter == 80);
  say("8 tasks of 4 harts met 10 times\n");
}

static void check_queues(void) {
  memlift_task task = make(echo, 8192, 0);
  uint64_t value;
  memlift_queue_init(context, &shared.in, places[0], 8, 4);
  memlift_queue_init(context, &shared.out, places[1], 8, 4);
  start(task, (uintptr_t)&shared, 0);
  for (uint64_t i = 0; i < 20; i++) {
    check("push", memlift_queue_push(&shared.in, &i, MEMLIFT_FOR_EVER) == MEMLIFT_OK);
    check("pop", memlift_queue_pop(&shared.out, &value, MEMLIFT_FOR_EVER) == MEMLIFT_OK &&
                     value == i + 1000);
  }
  check("close", memlift_queue_close(&shared.in) == MEMLIFT_OK && code_of(task) == 20);
  memlift_task_destroy(task);
  say("20 entries went there and back\n");
}

/* A task that traps ends; its hart goes on. */
static void check_traps(void) {
  static const int32_t codes[] = {TRAPPED - 2, TRAPPED - 5};
  for (unsigned unit = 0; unit < UNITS; unit++)
    for (unsigned which = 0; which < 2; which++) {
      memlift_task task = make(trap, unit & 1 ? 8192 : 0, (uint64_t)1 << unit);
      start(task, which, 0);
      check("a trap", code_of(task) == codes[which]);
      memlift_task_destroy(task);
    }
  say("8 tasks trapped\n");
}

static void check_time_and_calls(void) {
  memlift_task task = make(ask_host, 8192, 1);
  struct memlift_task_counters counters;
  uint64_t begin = board.now();
  memlift_semaphore_init(context, &shared.two, 0);
  check("time over", memlift_semaphore_acquire(&shared.two, 5000000) == MEMLIFT_PENDING);
  check("not before its time", board.now() - begin >= 5000000);
  start(task, 21, 0);
  check("a call of the host",
        memlift_context_serve(context, MEMLIFT_FOR_EVER) == MEMLIFT_OK && code_of(task) == 42);
  memlift_task_destroy(task);
  memlift_context_count(context, &counters, sizeof counters);
  check("harts slept and were woken", counters.sleeps > 0 && counters.wakes > 0);
  check("the host took no task", counters.by_hosts == 0);
}

int main(void);
int main(void) {
  static const size_t sizes[] = {1000, 4096, 9001, MOST};
  memlift_task tasks[WORKLOADS];
  board_start_serial();
  say(BOARD_NAME ", tasks on harts\n");
  memlift_board_use(&board);
  start_units();
  for (unsigned i = 0; i < WORKLOADS; i++)
    for (size_t k = 0; k < ROW; k++)
      from[i][k] = (k * WORKLOADS + i + 1) * UINT64_C(0x9e3779b97f4a7c15);
  for (unsigned turn = 0; turn < 2; turn++) {
    open();
    for (unsigned i = 0; i < WORKLOADS; i++)
      tasks[i] = make(add_one, 0, ((uint64_t)1 << UNITS) - 1);
    for (unsigned i = turn; i < sizeof sizes / sizeof *sizes; i += 1 + 2 * turn)
      run_workloads(tasks, sizes[i]);
    check_meeting();
    check_queues();
    check_traps();
    run_workloads(tasks, sizes[0]);
    check_time_and_calls();
    check("nothing wrong on a unit", wrong == 0);
    check("destroy", memlift_context_destroy(context) == MEMLIFT_OK);
  }
  say(bad ? "firmware: FAILED\n" : "firmware: ok\n");
  return bad;
}
