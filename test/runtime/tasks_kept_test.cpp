// tasks_kept_test.cpp - tasks that a unit makes ready itself run in the same order as all others
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tasks_support.h"

#include "memlift/sync.h"

#include <algorithm>
#include <atomic>
#include <map>
#include <random>
#include <string>
#include <thread>

namespace {

// Tasks with stacks that yield, block and wake each other, and tasks that they schedule, all on
// one unit. Whoever makes a task ready notes it, and each task that begins or goes on has to be the
// first of the most urgent ones that are noted.
class TasksKept : public Tasks {
protected:
  struct Switching {
    memlift_task task;
    uint8_t priority;
    memlift_semaphore gate;
    bool blocked;
  };

  void becomesReady(unsigned who, uint8_t priority) { ready[priority].push_back(who); }

  void begins(unsigned who) {
    while (!ready.empty() && ready.rbegin()->second.empty())
      ready.erase(std::prev(ready.end()));
    ASSERT_FALSE(ready.empty());
    auto &first = ready.rbegin()->second;
    EXPECT_EQ(first.front(), who);
    first.erase(std::find(first.begin(), first.end(), who));
  }

  bool othersAreReady() const {
    return std::any_of(ready.begin(), ready.end(), [](auto &one) { return !one.second.empty(); });
  }

  unsigned below(unsigned end) { return static_cast<unsigned>(random() % end); }
  uint8_t anyPriority() { return static_cast<uint8_t>(60 + 20 * below(priorities)); }

  void scheduleShort() {
    auto free = std::find(under.begin(), under.end(), false);
    if (free == under.end())
      return;
    auto i = static_cast<size_t>(free - under.begin());
    uint8_t priority = anyPriority();
    under[i] = true;
    becomesReady(1000 + static_cast<unsigned>(i), priority);
    EXPECT_EQ(schedule(shorts[i], priority), MEMLIFT_OK);
  }

  void wakeOne() {
    std::vector<unsigned> blocked;
    for (unsigned i = 0; i < switching.size(); i++)
      if (switching[i].blocked)
        blocked.push_back(i);
    if (blocked.empty())
      return;
    unsigned who = blocked[below(static_cast<unsigned>(blocked.size()))];
    switching[who].blocked = false;
    becomesReady(who, switching[who].priority);
    EXPECT_EQ(memlift_semaphore_release(&switching[who].gate, 1), MEMLIFT_OK);
  }

  void step(unsigned who) {
    Switching &me = switching[who];
    unsigned what = below(8);
    if (what == 0)
      scheduleShort();
    else if (what == 1)
      wakeOne();
    else if (what == 2 && othersAreReady()) {
      me.blocked = true;
      EXPECT_EQ(memlift_semaphore_acquire(&me.gate, MEMLIFT_FOR_EVER), MEMLIFT_OK);
      begins(who);
    } else {
      becomesReady(who, me.priority);
      EXPECT_EQ(memlift_task_yield(), MEMLIFT_OK);
      begins(who);
    }
  }

  int32_t lives(unsigned who, unsigned steps) {
    begins(who);
    for (unsigned i = 0; i < steps; i++)
      step(who);
    wakeOne();
    return 0;
  }

  void run(unsigned count, unsigned steps) {
    open(1);
    switching.resize(count);
    under.assign(16, false);
    for (unsigned i = 0; i < under.size(); i++)
      shorts.push_back(make(
          [this, i] {
            begins(1000 + i);
            under[i] = false;
            wakeOne(); // maybe all that switch are blocked
            return 0;
          },
          0, 1));
    for (unsigned i = 0; i < count; i++) {
      Switching &one = switching[i];
      ASSERT_EQ(memlift_semaphore_init(context, &one.gate, 0), MEMLIFT_OK);
      one.priority = anyPriority(), one.blocked = false;
      one.task = make([this, i, steps] { return lives(i, steps); }, Stack, 1);
    }
    memlift_task gate = make(
        [this] {
          for (unsigned i = 0; i < switching.size(); i++) {
            becomesReady(i, switching[i].priority);
            EXPECT_EQ(schedule(switching[i].task, switching[i].priority), MEMLIFT_OK);
          }
          return 0;
        },
        0, 1);
    EXPECT_EQ(schedule(gate, 255), MEMLIFT_OK);
    codeOf(gate);
    for (const Switching &one : switching)
      codeOf(one.task);
    for (memlift_task task : shorts)
      if (memlift_task_wait(task, 0, nullptr) == MEMLIFT_BUSY)
        codeOf(task);
  }

  unsigned priorities = 1;
  std::mt19937 random{31};
  std::map<uint8_t, std::vector<unsigned>> ready;
  std::vector<memlift_task> shorts;
  std::vector<bool> under;
  std::deque<Switching> switching;
};

TEST_F(TasksKept, FewOfOnePriorityTakeTurnsWithScheduledOnes) { run(3, times(500)); }

TEST_F(TasksKept, MoreThanAUnitKeepsRunInOrder) { run(100, times(50)); }

TEST_F(TasksKept, SeveralPrioritiesRunInOrder) {
  priorities = 3;
  run(20, times(200));
}

// The ring begins with a task that another unit has to run.
TEST_F(TasksKept, WhatIsForOthersIsPassedOverInOrder) {
  open(2);
  std::atomic<bool> held{false}, over{false};
  memlift_task holder = start(
      [&] {
        for (held = true; !over;)
          std::this_thread::yield();
        return 0;
      },
      0, 255, 2);
  while (!held)
    std::this_thread::yield();
  memlift_task others = start([] { return 0; }, 0, 100, 2);
  std::string order;
  memlift_task small = make([&] { return order += 'B', 0; }, 0, 1);
  memlift_task first = make(
      [&] {
        order += 'A';
        memlift_task_yield();
        return order += 'a', 0;
      },
      Stack, 1);
  memlift_task second = make(
      [&] {
        order += 'C';
        EXPECT_EQ(schedule(small), MEMLIFT_OK);
        memlift_task_yield();
        return order += 'c', 0;
      },
      Stack, 1);
  codeOf(start(
      [&] {
        EXPECT_EQ(schedule(first), MEMLIFT_OK);
        EXPECT_EQ(schedule(second), MEMLIFT_OK);
        return 0;
      },
      0, 200, 1));
  codeOf(second);
  EXPECT_EQ(order, "ACaBc");
  over = true;
  codeOf(holder), codeOf(others);
}

// Tasks that another thread schedules meanwhile run, too, with ageing and without.
TEST_F(TasksKept, NobodyIsForgottenBesideAnotherThread) {
  for (uint32_t flags : {0U, static_cast<uint32_t>(MEMLIFT_CONTEXT_AGEING)}) {
    open(2, flags);
    std::vector<memlift_task> tasks;
    unsigned turns[8] = {};
    for (unsigned i = 0; i < 8; i++)
      tasks.push_back(start(
          [&turns, i] {
            for (; turns[i] < 300; turns[i]++)
              memlift_task_yield();
            return 0;
          },
          Stack, static_cast<uint8_t>(100 + i % 2)));
    unsigned ran = 0;
    memlift_task small = make([&] { return static_cast<int32_t>(++ran); });
    for (int32_t i = 0; i < 100; i++) {
      EXPECT_EQ(schedule(small, 100), MEMLIFT_OK);
      EXPECT_EQ(codeOf(small), i + 1);
    }
    for (memlift_task task : tasks)
      codeOf(task);
    for (unsigned each : turns)
      EXPECT_EQ(each, 300U);
    TearDown();
  }
}

} // namespace
