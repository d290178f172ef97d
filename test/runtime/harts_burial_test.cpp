// harts_burial_test.cpp - units that stop before each of their steps in turn, and are buried
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A process is killed between any two of its stores (docs/hacker/tasks.md), and a kill hits few
// places. Here the units are model harts whose context follows the rules of processes: a hart stops
// before a given step, and the host does what the keeper does. Steps are atomic accesses and places
// where the order of stores matters. No wait has a limit, so that time hides nothing: what only a
// lost task would have done, the host does once nothing goes on.
#include "harts_board.h"

#include "tasks/processes.h"

#include <algorithm>
#include <memory>
#include <vector>

namespace {

constexpr unsigned Works = 9, Workloads = 2 * Works;
constexpr uint64_t Stuck = 20000; // nanoseconds for which nothing goes on
constexpr size_t Stack = 65536;

struct Room {
  memlift_context *context;
  memlift_mutex mutex, other;
  memlift_semaphore semaphore;
  memlift_barrier barrier;
  memlift_events events;
  memlift_queue queue;
  alignas(64) uint64_t places[MEMLIFT_QUEUE_BYTES(8, 2) / 8];
  unsigned begun[Workloads], finished[Workloads];
};

bool isOneOf(memlift_status status, std::initializer_list<memlift_status> all) {
  return std::find(all.begin(), all.end(), status) != all.end();
}

bool lockBoth(Room &r) {
  bool good = isOneOf(memlift_mutex_lock(&r.mutex, MEMLIFT_FOR_EVER), {MEMLIFT_OK, MEMLIFT_LOST});
  memlift_task_yield();
  good =
      good && isOneOf(memlift_mutex_lock(&r.other, MEMLIFT_FOR_EVER), {MEMLIFT_OK, MEMLIFT_LOST});
  memlift_task_yield();
  return good && memlift_mutex_unlock(&r.mutex) == MEMLIFT_OK &&
         memlift_mutex_unlock(&r.other) == MEMLIFT_OK;
}

bool meet(Room &r) {
  uint32_t round;
  return memlift_barrier_notify(&r.barrier, &round) == MEMLIFT_OK &&
         memlift_barrier_wait(&r.barrier, round, MEMLIFT_FOR_EVER) == MEMLIFT_OK;
}

// Two tasks set each other's flag.
bool flag(Room &r, uint64_t number) {
  uint32_t mine = number < Works ? 1 : 2, got = 0;
  return memlift_events_set(&r.events, 3 - mine) == MEMLIFT_OK &&
         memlift_events_wait(&r.events, mine, MEMLIFT_EVENTS_ANY, MEMLIFT_FOR_EVER, &got) ==
             MEMLIFT_OK &&
         got == mine;
}

bool permit(Room &r) {
  bool good = memlift_semaphore_acquire(&r.semaphore, MEMLIFT_FOR_EVER) == MEMLIFT_OK;
  memlift_task_yield();
  return memlift_semaphore_release(&r.semaphore, 1) == MEMLIFT_OK && good;
}

// A task that is created, run and destroyed by another one.
bool delegate(Room &r) {
  memlift_task inner = {};
  auto body = [](const uint64_t *) { return 5; };
  int32_t code = 0;
  memlift_status status = memlift_task_create(r.context, &inner, body, nullptr, 0);
  bool good = status == MEMLIFT_OK && memlift_task_schedule(inner, nullptr, 120) == MEMLIFT_OK;
  status = memlift_task_wait(inner, MEMLIFT_FOR_EVER, &code);
  good = good && ((status == MEMLIFT_OK && code == 5) || status == MEMLIFT_LOST);
  return memlift_task_destroy(inner) == MEMLIFT_OK && good;
}

bool call(uint64_t value) {
  uint64_t in[6] = {value}, out[6] = {};
  auto twice = [](const uint64_t *given, uint64_t *result) { result[0] = 2 * given[0]; };
  return memlift_task_call_host(twice, in, out) == MEMLIFT_OK && out[0] == 2 * value;
}

bool work(Room &r, uint64_t number) {
  uint64_t value = number;
  switch (number % Works) {
  case 0: return lockBoth(r);
  case 1: return permit(r);
  case 2: return meet(r);
  case 3: return flag(r, number);
  case 4:
    return memlift_queue_push(&r.queue, &value, MEMLIFT_FOR_EVER) == MEMLIFT_OK &&
           memlift_queue_push(&r.queue, &value, MEMLIFT_FOR_EVER) == MEMLIFT_OK;
  case 5:
    return memlift_queue_pop(&r.queue, &value, MEMLIFT_FOR_EVER) == MEMLIFT_OK &&
           isOneOf(memlift_queue_peek(&r.queue, &value, 0), {MEMLIFT_OK, MEMLIFT_BUSY}) &&
           memlift_queue_pop(&r.queue, &value, MEMLIFT_FOR_EVER) == MEMLIFT_OK;
  case 6: return delegate(r);
  case 7: return call(value);
  default: return true;
  }
}

int32_t workload(const uint64_t *args) {
  Room &r = *reinterpret_cast<Room *>(args[0]);
  r.begun[args[1]]++;
  if (!work(r, args[1]))
    return -1;
  r.finished[args[1]]++;
  return 7;
}

// A board whose context follows the rules of processes.
class Mortals : public Board {
public:
  explicit Mortals(const harts_model &m) : Board(m), room(std::make_unique<Room>()) {
    context->kind = MEMLIFT_UNITS_PROCESSES;
    room->context = context;
    memlift_mutex_init(context, &room->mutex);
    memlift_mutex_init(context, &room->other);
    memlift_semaphore_init(context, &room->semaphore, 1);
    memlift_barrier_init(context, &room->barrier, 2);
    memlift_events_init(context, &room->events, MEMLIFT_EVENTS_AUTO);
    memlift_queue_init(context, &room->queue, room->places, 8, 2);
  }

  memlift_task send(unsigned i) {
    memlift_task task = {};
    memlift_task_options options = {};
    options.stack = i % Works < Works - 1 ? Stack : 0;
    options.units = (uint64_t{1} << model.units) - 1;
    options.on_loss = i < Works ? MEMLIFT_LOSS_FAIL : MEMLIFT_LOSS_RESTART;
    EXPECT_EQ(memlift_task_create(context, &task, workload, &options, sizeof options), MEMLIFT_OK);
    start(task, reinterpret_cast<uint64_t>(room.get()), i, static_cast<uint8_t>(100 + i % 2));
    return task;
  }

  // What the keeper does when a process has ended.
  void buryStopped() {
    for (unsigned unit = 0; unit < model.units; unit++)
      if (harts_model_is_stopped(unit) && !(buried >> unit & 1)) {
        buried |= 1u << unit;
        memlift_bury(context, unit);
      }
  }

  // Does what a lost task would have done for others. What has been done for those who wait, and
  // was not told to them, stays as it is, and they wait for ever.
  void stepIn() {
    uint32_t waiting = 0;
    uint64_t value = 0;
    if (static_cast<uint32_t>(room->barrier.word) == 1)
      memlift_barrier_notify(&room->barrier, &waiting);
    uint32_t missing = 3 & ~static_cast<uint32_t>(room->events.word >> 32);
    if (missing)
      memlift_events_set(&room->events, missing);
    if (room->semaphore.word >> 32 == 0)
      memlift_semaphore_release(&room->semaphore, 1);
    memlift_queue_count(&room->queue, &waiting);
    if (waiting == 0)
      memlift_queue_push(&room->queue, &value, 0);
    else if (waiting == 2)
      memlift_queue_pop(&room->queue, &value, 0);
  }

  // Waits for a workload without a wait of the library, which would look after those of others.
  memlift_status await(memlift_task task, int32_t *code) {
    for (unsigned tries = 0; tries < 12; tries++) {
      for (uint64_t until = harts_model_now() + Stuck; harts_model_now() < until;) {
        uint64_t word = context->slot[task.id & (MEMLIFT_TASKS - 1)].word;
        if (memlift_word_state(word) == MEMLIFT_TASK_ENDED)
          return memlift_task_wait(task, 0, code);
        harts_model_compute(20);
        buryStopped();
        memlift_context_serve(context, 0);
      }
      if (model.stopped)
        stepIn();
    }
    return MEMLIFT_PENDING;
  }

  void check(unsigned i, memlift_task task, bool mayBeLost) {
    int32_t code = 0;
    memlift_status status = await(task, &code);
    if (status == MEMLIFT_LOST && mayBeLost && model.stopped) {
      EXPECT_LT(i, Works) << "it begins anew";
      EXPECT_EQ(code, MEMLIFT_LOST);
      lost++;
    } else {
      EXPECT_EQ(status, MEMLIFT_OK) << "workload " << i;
      EXPECT_EQ(code, 7) << "workload " << i;
      EXPECT_EQ(room->finished[i], room->begun[i] == 1 ? 1u : room->finished[i]);
      EXPECT_GE(room->finished[i], 1u);
    }
    EXPECT_LE(room->begun[i], i < Works ? 1u : 1u + model.stopped);
  }

  // After the deaths: all objects and the units that live do their work, and no slot is kept.
  void allWorks() {
    uint64_t value = 0;
    for (memlift_mutex *m : {&room->mutex, &room->other}) {
      EXPECT_TRUE(isOneOf(memlift_mutex_lock(m, Second / 4), {MEMLIFT_OK, MEMLIFT_LOST}));
      EXPECT_EQ(memlift_mutex_unlock(m), MEMLIFT_OK);
    }
    while (memlift_queue_pop(&room->queue, &value, 0) == MEMLIFT_OK)
      ;
    for (uint64_t i = 0; i < 2; i++)
      EXPECT_EQ(memlift_queue_push(&room->queue, &i, 0), MEMLIFT_OK) << "a place was lost";
    EXPECT_EQ(memlift_queue_push(&room->queue, &value, 0), MEMLIFT_BUSY);
    for (uint64_t i = 0; i < 2; i++)
      EXPECT_TRUE(memlift_queue_pop(&room->queue, &value, 0) == MEMLIFT_OK && value == i);
    EXPECT_EQ(memlift_semaphore_release(&room->semaphore, 1), MEMLIFT_OK);
    EXPECT_EQ(memlift_semaphore_acquire(&room->semaphore, Second / 4), MEMLIFT_OK);
    runAll(false);
    for (const memlift_slot &slot : context->slot) {
      memlift_task_state state = memlift_word_state(slot.word);
      EXPECT_TRUE(state == MEMLIFT_TASK_FREE || state == MEMLIFT_TASK_CREATED ||
                  state == MEMLIFT_TASK_ENDED)
          << state;
    }
    EXPECT_EQ(context->lost_units, model.stopped);
  }

  void runAll(bool mayBeLost) {
    std::vector<memlift_task> tasks;
    std::fill_n(room->begun, Workloads, 0u);
    std::fill_n(room->finished, Workloads, 0u);
    for (unsigned i = 0; i < Workloads; i++)
      tasks.push_back(send(i));
    for (unsigned i = 0; i < Workloads; i++)
      check(i, tasks[i], mayBeLost);
  }

  std::unique_ptr<Room> room;
  unsigned buried = 0, lost = 0;
};

// Runs all kinds of work while unit 0 stops before its step `stop`. Returns its steps.
uint64_t runAndStop(uint64_t seed, uint64_t stop, unsigned *lost) {
  harts_model m = bySteps(seed, 2);
  m.turn = 2 + seed % 5;
  m.faults.stop_at[0] = stop;
  Mortals board(m);
  board.runAll(true);
  uint64_t steps = board.model.taken[1];
  board.buryStopped();
  board.model.faults = {};
  board.allWorks();
  *lost += board.lost;
  return steps;
}

TEST(HartsBurial, AUnitThatStopsAnywhereIsBuried) {
  unsigned lost = 0;
  uint64_t stride = isLong() ? 1 : 7;
  for (uint64_t seed = firstSeed(), end = seed + (isLong() ? 20 : 4); seed < end; seed++) {
    unsigned none = 0;
    uint64_t steps = runAndStop(seed, UINT64_MAX, &none);
    ASSERT_EQ(none, 0u);
    ASSERT_FALSE(HasFailure()) << "seed " << seed << ", with nothing stopped";
    for (uint64_t step = 1 + seed % stride; step <= steps; step += stride) {
      runAndStop(seed, step, &lost);
      ASSERT_FALSE(HasFailure()) << "seed " << seed << ", step " << step << " of " << steps;
    }
    RecordProperty("steps", static_cast<int>(steps));
  }
  EXPECT_GT(lost, 0u);
}

} // namespace
