// harts_model_test.cpp - tasks on model harts: interleavings and faults by steps, overlap by time
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harts_board.h"
#include "model/memory.h"

#include <algorithm>
#include <memory>
#include <vector>

namespace {

// ---- Order -------------------------------------------------------------------------------------

std::vector<uint64_t> order;

int32_t note(const uint64_t *args) {
  order.push_back(args[0]);
  return static_cast<int32_t>(args[0]);
}

uint64_t traceOf(uint64_t seed) {
  Board board(bySteps(seed, 3));
  std::vector<memlift_task> tasks;
  order.clear();
  for (uint64_t i = 0; i < 40; i++) {
    tasks.push_back(board.make(note));
    Board::start(tasks[i], i, 0, static_cast<uint8_t>(i % 3));
  }
  for (memlift_task task : tasks)
    EXPECT_EQ(memlift_task_wait(task, MEMLIFT_FOR_EVER, nullptr), MEMLIFT_OK);
  uint64_t trace = board.model.trace;
  for (uint64_t i : order)
    trace = trace * 31 + i;
  return trace;
}

TEST(HartsModel, TheSameSeedGivesTheSameRun) {
  uint64_t seed = firstSeed();
  EXPECT_EQ(traceOf(seed), traceOf(seed));
  EXPECT_NE(traceOf(seed), traceOf(seed + 1));
}

// With one unit tasks run in the order of priorities, then of schedules, whatever the turns.
TEST(HartsModel, OneUnitTakesTasksInOrder) {
  for (uint64_t seed = firstSeed(), end = seed + (isLong() ? 10000 : 100); seed < end; seed++) {
    Board board(bySteps(seed, 1));
    uint64_t state = seed;
    std::vector<memlift_task> tasks;
    std::vector<std::pair<int, uint64_t>> wanted;
    order.clear();
    auto hold = [](const uint64_t *args) {
      while (!__atomic_load_n(reinterpret_cast<bool *>(args[0]), __ATOMIC_RELAXED))
        harts_model_compute(1);
      return 0;
    };
    static bool go;
    go = false;
    memlift_task first = board.make(hold);
    Board::start(first, reinterpret_cast<uint64_t>(&go), 0, 255);
    while (memlift_word_state(board.context->slot[first.id & 1023].word) != MEMLIFT_TASK_RUNNING) {
      harts_model_compute(1);
      ASSERT_LT(harts_model_now(), Second / 100) << "the unit was not woken";
    }
    for (uint64_t i = 0; i < 20; i++) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      int priority = static_cast<int>(state >> 33) % 5 * 60;
      tasks.push_back(board.make(note));
      wanted.emplace_back(-priority, i);
      Board::start(tasks[i], i, 0, static_cast<uint8_t>(priority));
    }
    go = true;
    for (memlift_task task : tasks)
      ASSERT_EQ(memlift_task_wait(task, MEMLIFT_FOR_EVER, nullptr), MEMLIFT_OK);
    ASSERT_EQ(memlift_task_wait(first, MEMLIFT_FOR_EVER, nullptr), MEMLIFT_OK);
    std::sort(wanted.begin(), wanted.end());
    ASSERT_EQ(order.size(), wanted.size());
    for (size_t i = 0; i < wanted.size(); i++)
      ASSERT_EQ(order[i], wanted[i].second) << "seed " << seed << ", place " << i;
  }
}

// ---- Faults ------------------------------------------------------------------------------------

std::vector<unsigned> runs;

int32_t count(const uint64_t *args) {
  runs[args[0]]++;
  return 0;
}

// Workloads that the host schedules, some of whose units stop: each ends once, but for one of each
// unit that has stopped, which has it for ever. Nothing else is held up. Returns the workloads that
// ended, and in *steps the steps of unit 0.
unsigned runWithFaults(const harts_model &m, unsigned workloads, uint64_t *steps = nullptr) {
  Board board(m);
  std::vector<memlift_task> tasks;
  runs.assign(workloads, 0);
  uint64_t pauses = m.seed;
  bool stops = false;
  for (uint64_t at : m.faults.stop_at)
    stops = stops || at;
  for (unsigned i = 0; i < workloads; i++) {
    // Every other one is for one unit alone, where all units live.
    tasks.push_back(board.make(count, 0, stops || i % 2 ? 0 : uint64_t{1} << (i / 2 % m.units)));
    // Units run out of work now and then.
    for (uint64_t pause = memlift_model_random(&pauses) % 40; pause-- > 0;)
      harts_model_compute(1);
    Board::start(tasks[i], i, 0, static_cast<uint8_t>(i % 2 * 100));
  }
  unsigned ended = 0, held = 0;
  for (unsigned i = 0; i < workloads; i++) {
    int32_t code = -1;
    memlift_status status = memlift_task_wait(tasks[i], 3 * Second, &code);
    if (status == MEMLIFT_PENDING &&
        board.model.stopped) { // a stopped unit may have left more than its task
      board.bury();
      status = memlift_task_wait(tasks[i], 5 * Second, &code);
    }
    if (status == MEMLIFT_OK) {
      EXPECT_EQ(runs[i], 1u) << "workload " << i;
      ended++;
      continue;
    }
    uint64_t word =
        __atomic_load_n(&board.context->slot[tasks[i].id & 1023].word, __ATOMIC_RELAXED);
    unsigned unit = memlift_word_unit(word);
    held++;
    EXPECT_EQ(status, MEMLIFT_PENDING);
    EXPECT_EQ(memlift_word_state(word), MEMLIFT_TASK_RUNNING) << "workload " << i;
    EXPECT_TRUE(unit < m.units && harts_model_is_stopped(unit)) << "workload " << i;
    EXPECT_LE(runs[i], 1u);
  }
  // Nothing is found by chance, when somebody looks again after the longest sleep.
  if (!board.model.stopped && !board.model.lost) {
    EXPECT_LT(harts_model_now(), Second / 2);
  }
  EXPECT_LE(held, board.model.stopped);
  EXPECT_EQ(ended + held, workloads);
  if (steps)
    *steps = board.model.taken[1];
  return ended;
}

// A unit stops before each of its accesses in turn.
TEST(HartsModel, AUnitThatStopsAnywhereHoldsUpNothing) {
  for (uint64_t seed = firstSeed(), end = seed + (isLong() ? 1000 : 20); seed < end; seed++) {
    harts_model m = bySteps(seed, 2);
    uint64_t steps = 0;
    m.faults.stop_at[0] = UINT64_MAX;
    ASSERT_EQ(runWithFaults(m, 6, &steps), 6u);
    for (uint64_t step = 1; step <= steps && !HasFailure(); step++) {
      m.faults.stop_at[0] = step;
      runWithFaults(m, 6);
      ASSERT_FALSE(HasFailure()) << "seed " << seed << ", step " << step;
    }
  }
}

// Rings are lost and repeated, and some units stop at any step.
TEST(HartsModel, ManyWorkloadsUnderFaultsEndOnceOrAreHeld) {
  uint64_t all = isLong() ? 1000000 : 10000, done = 0, held = 0, seed = firstSeed();
  constexpr unsigned Workloads = 50;
  for (; done < all && !HasFailure(); seed++, done += Workloads) {
    uint64_t state = seed * 0x9e3779b97f4a7c15u;
    harts_model m = bySteps(seed, 4);
    m.turn = 2 + seed % 7;
    m.faults.lose_per_mille = seed % 3 * 100, m.faults.repeat_per_mille = seed % 5 * 100;
    for (unsigned unit = 0; unit < 2; unit++) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      m.faults.stop_at[unit] = seed % 2 ? 1 + (state >> 33) % 800 : 0;
    }
    held += Workloads - runWithFaults(m, Workloads);
    ASSERT_FALSE(HasFailure()) << "seed " << seed;
  }
  EXPECT_GT(held, 0u) << "no unit stopped with a task";
  RecordProperty("held", static_cast<int>(held));
}

// ---- Waiting -----------------------------------------------------------------------------------

struct Shared {
  memlift_semaphore semaphore;
  memlift_mutex mutex;
  memlift_barrier barrier;
  memlift_queue queue;
  uint64_t counter, inside, sum;
  alignas(64) uint64_t places[MEMLIFT_QUEUE_BYTES(8, 2) / 8];
};

int32_t meet(const uint64_t *args) {
  Shared &s = *reinterpret_cast<Shared *>(args[0]);
  int32_t wrong = 0;
  for (unsigned i = 0; i < 3; i++) {
    uint32_t round;
    uint64_t value;
    wrong += memlift_barrier_notify(&s.barrier, &round) != MEMLIFT_OK;
    wrong += memlift_barrier_wait(&s.barrier, round, MEMLIFT_FOR_EVER) != MEMLIFT_OK;
    wrong += memlift_mutex_lock(&s.mutex, MEMLIFT_FOR_EVER) != MEMLIFT_OK;
    uint64_t counter = s.counter;
    memlift_task_yield();
    s.counter = counter + 1;
    wrong += memlift_mutex_unlock(&s.mutex) != MEMLIFT_OK;
    wrong += memlift_semaphore_acquire(&s.semaphore, MEMLIFT_FOR_EVER) != MEMLIFT_OK;
    wrong += ++s.inside > 2;
    memlift_task_yield();
    s.inside--;
    wrong += memlift_semaphore_release(&s.semaphore, 1) != MEMLIFT_OK;
    if (args[1] % 2) {
      wrong += memlift_queue_push(&s.queue, &args[1], MEMLIFT_FOR_EVER) != MEMLIFT_OK;
    } else {
      wrong += memlift_queue_pop(&s.queue, &value, MEMLIFT_FOR_EVER) != MEMLIFT_OK;
      s.sum += value;
    }
  }
  return wrong;
}

// Every order of turns, and rings that are lost or repeated: tasks that wait for each other end.
TEST(HartsModel, NoWakeUpOfAnObjectIsLost) {
  for (uint64_t seed = firstSeed(), end = seed + (isLong() ? 50000 : 1000); seed < end; seed++) {
    harts_model m = bySteps(seed, 3);
    m.turn = 1 + seed % 5;
    m.faults.lose_per_mille = seed % 4 * 50, m.faults.repeat_per_mille = seed % 3 * 200;
    Board board(m);
    auto s = std::make_unique<Shared>();
    memlift_semaphore_init(board.context, &s->semaphore, 2);
    memlift_mutex_init(board.context, &s->mutex);
    memlift_barrier_init(board.context, &s->barrier, 6);
    memlift_queue_init(board.context, &s->queue, s->places, 8, 2);
    std::vector<memlift_task> tasks;
    for (uint64_t i = 0; i < 6; i++) {
      tasks.push_back(board.make(meet, 65536));
      Board::start(tasks[i], reinterpret_cast<uint64_t>(s.get()), i);
    }
    for (memlift_task task : tasks) {
      int32_t code = -1;
      ASSERT_EQ(memlift_task_wait(task, 1000 * Second, &code), MEMLIFT_OK) << "seed " << seed;
      ASSERT_EQ(code, 0) << "seed " << seed;
    }
    if (!board.model.lost) {
      ASSERT_LT(harts_model_now(), Second / 2) << "seed " << seed;
    }
    ASSERT_EQ(s->counter, 18u) << "seed " << seed;
    ASSERT_EQ(s->sum, 3 * (1 + 3 + 5u)) << "seed " << seed;
  }
}

} // namespace
