// spread_test.cpp - loops whose iterations units compute: each once, by whoever is free, or in
// place SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tasks_support.h"

#include "memlift/spread.h"
#include "tasks/context.h"

#include <atomic>
#include <cerrno>
#include <cfenv>
#include <mutex>
#include <random>
#include <set>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace {

// A loop as a lambda of (first, end, values).
using Block = std::function<void(uint64_t, uint64_t, uint64_t *)>;

void callBlock(void *environment, uint64_t first, uint64_t end, uint64_t *values) {
  (*static_cast<Block *>(environment))(first, end, values);
}

constexpr uint32_t Cycle = 16; // sixteenths

void spread(uint64_t iterations, Block block, uint64_t unit = 0, uint32_t cycles16 = Cycle) {
  memlift_spread_plan plan = {cycles16, 0, {}, unit};
  memlift_spread(&plan, callBlock, &block, iterations, nullptr);
}

class Spread : public Tasks {
protected:
  void TearDown() override {
    memlift_spread_ns = MEMLIFT_SPREAD_NS;
    EXPECT_EQ(memlift_spread_bind(nullptr), MEMLIFT_OK);
    Tasks::TearDown();
  }

  // Binds a context whose units are called however short a loop is by the clock.
  void bind(uint32_t units) {
    open(units);
    ASSERT_EQ(memlift_spread_bind(context), MEMLIFT_OK);
    memlift_spread_ns = 0;
  }
};

constexpr uint64_t Least = MEMLIFT_SPREAD_CYCLES;
const uint64_t lengths[] = {0, 1, 2, 63, 64, 65, Least - 1, Least, Least + 1, 100003};

void everyIterationOnce(uint64_t iterations, uint64_t unit) {
  std::vector<uint8_t> times(iterations);
  spread(
      iterations,
      [&](uint64_t first, uint64_t end, uint64_t *) {
        EXPECT_LT(first, end);
        EXPECT_LE(end, iterations);
        EXPECT_EQ(first % (unit ? unit : 1), 0u);
        for (uint64_t i = first; i < end; i++)
          times[i]++;
      },
      unit);
  for (uint64_t i = 0; i < iterations; i++)
    ASSERT_EQ(times[i], 1) << "iteration " << i << " of " << iterations << ", unit " << unit;
}

// ---- Iterations ----------------------------------------------------

TEST_F(Spread, EveryIterationIsDoneOnceWithoutAContext) {
  for (uint64_t iterations : lengths)
    everyIterationOnce(iterations, 64);
}

class SpreadUnits : public Spread, public testing::WithParamInterface<uint32_t> {};
INSTANTIATE_TEST_SUITE_P(, SpreadUnits, testing::Values(0u, 1u, 2u, 7u));

TEST_P(SpreadUnits, EveryIterationIsDoneOnce) {
  bind(GetParam());
  EXPECT_EQ(memlift_spread_units, GetParam());
  for (unsigned i = 0; i < times(2); i++)
    for (uint64_t iterations : lengths)
      for (uint64_t unit : {0, 1, 16, 64, 5000, 200000})
        everyIterationOnce(iterations, unit);
}

TEST_P(SpreadUnits, ValuesAreJoined) {
  bind(GetParam());
  std::mt19937_64 random(7);
  std::vector<uint64_t> data(150000);
  for (uint64_t &d : data)
    d = random();
  for (uint64_t &d : data)
    d |= random() | random() | random() | random() | random() | 1; // some bits survive all ands
  for (size_t k = 0; k < 64; k++) // both signs, also where the ends are taken by one block
    data[random() % data.size()] = random() >> random() % 64 | 1;
  const int64_t middle = 0;
  uint64_t plain[8] = {5, 6, ~uint64_t(16), 8, UINT64_MAX, 0, uint64_t(middle), uint64_t(middle)};
  uint64_t values[8];
  std::copy(std::begin(plain), std::end(plain), values);
  auto step = [](uint64_t d, uint64_t *v) {
    v[0] += d, v[1] ^= d, v[2] &= d, v[3] |= d & 0xff00;
    v[4] = std::min(v[4], d), v[5] = std::max(v[5], d);
    v[6] = uint64_t(std::min(int64_t(v[6]), int64_t(d)));
    v[7] = uint64_t(std::max(int64_t(v[7]), int64_t(d)));
  };
  for (uint64_t d : data)
    step(d, plain);
  Block block = [&](uint64_t first, uint64_t end, uint64_t *v) {
    for (uint64_t i = first; i < end; i++)
      step(data[i], v);
  };
  memlift_spread_plan plan = {Cycle, 8, {0, 1, 2, 3, 4, 5, 6, 7}, 0}; // all MEMLIFT_SPREAD_ kinds
  memlift_spread(&plan, callBlock, &block, data.size(), values);
  for (int k = 0; k < 8; k++)
    EXPECT_EQ(values[k], plain[k]) << "value " << k;
  memlift_spread(&plan, callBlock, &block, 0, values);
  for (int k = 0; k < 8; k++)
    EXPECT_EQ(values[k], plain[k]) << "value " << k << " after no iterations";
}

// ---- Who computes ----------------------------------------------------

// The caller and a unit are in the loop at one time, or this waits for ever.
TEST_F(Spread, AUnitComputesBesideTheCaller) {
  bind(1);
  std::mutex lock;
  std::set<std::thread::id> seen;
  std::atomic<unsigned> present{0};
  std::atomic<bool> first{true};
  spread(100000, [&](uint64_t, uint64_t, uint64_t *) {
    if (first.exchange(false)) // the share that the caller does alone
      return;
    {
      std::lock_guard<std::mutex> held(lock);
      if (seen.insert(std::this_thread::get_id()).second)
        present++;
    }
    while (present < 2)
      std::this_thread::yield();
  });
  EXPECT_EQ(seen.size(), 2u);
  EXPECT_EQ(counters().scheduled, 1u);
}

TEST_F(Spread, ShortLoopsCallNobody) {
  bind(2);
  auto nothing = [](uint64_t, uint64_t, uint64_t *) {};
  spread(Least - 1, nothing);
  spread(16 * Least - 1, nothing, 0, 1);
  EXPECT_EQ(counters().scheduled, 0u) << "by the estimate";
  memlift_spread_ns = UINT64_MAX;
  spread(100 * Least, nothing);
  EXPECT_EQ(counters().scheduled, 0u) << "by the clock";
  memlift_spread_ns = 0;
  spread(Least, nothing);
  EXPECT_GT(counters().scheduled, 0u);
}

TEST_F(Spread, NobodyWaitsForAUnitThatIsBusy) {
  bind(1);
  std::atomic<int> state{0};
  memlift_task task = start([&] {
    state = 1;
    while (state != 2)
      std::this_thread::yield();
    return 0;
  });
  while (state != 1)
    std::this_thread::yield();
  everyIterationOnce(100000, 1);
  EXPECT_EQ(counters().unscheduled, 1u);
  state = 2;
  codeOf(task);
}

// A unit whose CPU others have makes loops longer: it is asked ever more seldom.
TEST_F(Spread, UnitsThatMakeLoopsSlowerAreLeftOut) {
  bind(1);
  memlift_spread_ns = 1;
  const auto caller = std::this_thread::get_id();
  unsigned helped = 0;
  for (unsigned loop = 0; loop < 64; loop++) {
    std::atomic<bool> byUnit{false};
    spread(Least, [&](uint64_t, uint64_t, uint64_t *) {
      bool isUnit = std::this_thread::get_id() != caller;
      byUnit = byUnit || isUnit;
      std::this_thread::sleep_for(std::chrono::microseconds(isUnit ? 50000 : 50));
    });
    helped += byUnit;
  }
  // The first one alone, unless the clock takes the caller's own part for much longer.
  EXPECT_LE(helped, 32u);
}

TEST_F(Spread, ALoopInALoopRunsInPlace) {
  bind(2);
  std::vector<uint8_t> times(400 * 100);
  spread(
      400,
      [&](uint64_t first, uint64_t end, uint64_t *) {
        for (uint64_t y = first; y < end; y++) {
          std::thread::id self = std::this_thread::get_id();
          spread(
              100,
              [&](uint64_t from, uint64_t to, uint64_t *) {
                EXPECT_EQ(std::this_thread::get_id(), self);
                for (uint64_t x = from; x < to; x++)
                  times[y * 100 + x]++;
              },
              0, 1 << 20);
        }
      },
      0, 1 << 20);
  for (uint8_t t : times)
    ASSERT_EQ(t, 1);
}

TEST_F(Spread, ALoopOfATaskRunsInPlace) {
  bind(2);
  std::set<std::thread::id> seen;
  codeOf(start([&] {
    spread(100000,
           [&](uint64_t, uint64_t, uint64_t *) { seen.insert(std::this_thread::get_id()); });
    return 0;
  }));
  EXPECT_EQ(seen.size(), 1u);
  EXPECT_EQ(counters().scheduled, 1u) << "the task itself";
}

TEST_F(Spread, LoopsOfSeveralThreads) {
  bind(2);
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; i++)
    threads.emplace_back([] {
      for (unsigned k = 0; k < times(20); k++)
        everyIterationOnce(70000 + k, 1 + k % 3);
    });
  for (std::thread &t : threads)
    t.join();
}

// ---- State of the caller ----------------------------------------------------

TEST_F(Spread, RoundingModesAreThoseOfTheCaller) {
  bind(1);
  std::atomic<unsigned> others{0}, present{0};
  std::mutex lock;
  std::set<std::thread::id> seen;
  std::atomic<bool> first{true};
  ASSERT_EQ(std::fesetround(FE_UPWARD), 0);
  spread(100000, [&](uint64_t, uint64_t, uint64_t *) {
    others += std::fegetround() != FE_UPWARD;
    if (first.exchange(false))
      return;
    {
      std::lock_guard<std::mutex> held(lock);
      if (seen.insert(std::this_thread::get_id()).second)
        present++;
    }
    while (present < 2)
      std::this_thread::yield();
  });
  ASSERT_EQ(std::fesetround(FE_TONEAREST), 0);
  EXPECT_EQ(others, 0u);
  // For the unit alone: else the caller may run it while it waits.
  EXPECT_EQ(codeOf(start([] { return std::fegetround() == FE_TONEAREST; }, 0, 100, 1)), 1);
}

TEST_F(Spread, ErrnoIsKept) {
  bind(2);
  errno = 77;
  for (int i = 0; i < 20; i++)
    spread(100000, [](uint64_t, uint64_t, uint64_t *) {});
  EXPECT_EQ(errno, 77);
}

// ---- Binding ----------------------------------------------------

TEST_F(Spread, ContextsThatCannotHelpAreRefused) {
  open(1);
  memlift_context *gone = context;
  ASSERT_EQ(memlift_context_destroy(context), MEMLIFT_OK);
  context = nullptr;
  EXPECT_EQ(memlift_spread_bind(gone), MEMLIFT_INVALID_ARGUMENT);
  EXPECT_EQ(memlift_spread_units, 0u);
}

TEST_F(Spread, BindingIsToldWhenThereIsNoTaskLeft) {
  open(2);
  std::vector<memlift_task> all(MEMLIFT_TASKS - 1);
  for (memlift_task &task : all)
    ASSERT_EQ(memlift_task_create(context, &task, Tasks::call, nullptr, 0), MEMLIFT_OK);
  EXPECT_EQ(memlift_spread_bind(context), MEMLIFT_LIMIT);
  EXPECT_EQ(memlift_spread_units, 0u);
  EXPECT_EQ(memlift_task_destroy(all[0]), MEMLIFT_OK);
  EXPECT_EQ(memlift_spread_bind(context), MEMLIFT_OK);
  EXPECT_EQ(memlift_spread_units, 2u);
  everyIterationOnce(100000, 1);
  for (size_t i = 1; i < all.size(); i++)
    EXPECT_EQ(memlift_task_destroy(all[i]), MEMLIFT_OK);
}

TEST_F(Spread, BindingWhileALoopIsSpreadIsRefused) {
  bind(1);
  memlift_status status = MEMLIFT_OK;
  std::atomic<bool> asked{false};
  spread(100000, [&](uint64_t, uint64_t, uint64_t *) {
    if (!asked.exchange(true))
      status = memlift_spread_bind(nullptr);
  });
  EXPECT_EQ(status, MEMLIFT_BUSY);
  EXPECT_EQ(memlift_spread_units, 1u);
}

TEST_F(Spread, AContextMayBeDestroyedOnceNothingIsBound) {
  for (unsigned i = 0; i < times(30); i++) {
    bind(2);
    everyIterationOnce(80000, 1);
    ASSERT_EQ(memlift_spread_bind(nullptr), MEMLIFT_OK);
    ASSERT_EQ(memlift_context_destroy(context), MEMLIFT_OK) << "run " << i;
    context = nullptr;
  }
}

TEST_F(Spread, LoopsRunInPlaceAfterTheEndOfTheContext) {
  bind(0);
  ASSERT_EQ(memlift_context_destroy(context), MEMLIFT_OK);
  context = nullptr;
  everyIterationOnce(100000, 1);
  bind(2);
  ASSERT_EQ(memlift_context_destroy(context), MEMLIFT_OK) << "though it is bound";
  context = nullptr;
  everyIterationOnce(100000, 1);
}

// ---- Ends of processes ----------------------------------------------------

int codeOfChild(const std::function<int()> &program) {
  pid_t child = fork();
  if (child == 0)
    _exit(program());
  int status = 0;
  EXPECT_GT(child, 0);
  EXPECT_EQ(waitpid(child, &status, 0), child);
  return status;
}

TEST_F(Spread, AChildComputesInPlace) {
  bind(2);
  everyIterationOnce(100000, 1);
  int status = codeOfChild([] {
    std::atomic<uint64_t> sum{0};
    std::thread::id self = std::this_thread::get_id();
    spread(100000, [&](uint64_t first, uint64_t end, uint64_t *) {
      sum += std::this_thread::get_id() == self ? end - first : 0;
    });
    return sum == 100000 ? 42 : 1;
  });
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 42) << status;
}

} // namespace
