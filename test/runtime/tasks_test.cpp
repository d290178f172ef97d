// tasks_test.cpp - contexts and tasks: life cycle, order, waiting, and who runs what
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tasks_support.h"

#include "tasks/context.h"

#include <algorithm>
#include <atomic>
#include <climits>
#include <random>
#include <string>
#include <thread>

// ---- Life cycle ----------------------------------------------------

TEST_F(Tasks, WithoutUnitsWhoeverWaitsWorks) {
  open(0);
  std::thread::id where;
  memlift_task task = start([&] {
    where = std::this_thread::get_id();
    return 42;
  });
  EXPECT_EQ(codeOf(task), 42);
  EXPECT_EQ(where, std::this_thread::get_id());
  EXPECT_EQ(codeOf(task), 42) << "waited for once more";
  EXPECT_EQ(schedule(task), MEMLIFT_OK) << "once more";
  EXPECT_EQ(codeOf(task), 42);
  memlift_task_counters count = counters();
  EXPECT_EQ(count.scheduled, 2u);
  EXPECT_EQ(count.ended, 2u);
  EXPECT_EQ(count.by_hosts, 2u);
}

TEST_F(Tasks, ArgumentsAreCopied) {
  open(0);
  memlift_task task = {};
  ASSERT_EQ(memlift_task_create(
                context, &task,
                [](const uint64_t args[4]) {
                  return static_cast<int32_t>(args[0] + 10 * args[1] + 100 * args[2] +
                                              1000 * args[3]);
                },
                nullptr, 0),
            MEMLIFT_OK);
  created.push_back(task);
  bodies.emplace_back();
  uint64_t args[4] = {1, 2, 3, 4};
  ASSERT_EQ(memlift_task_schedule(task, args, 0), MEMLIFT_OK);
  args[0] = 9;
  EXPECT_EQ(codeOf(task), 4321);
  ASSERT_EQ(memlift_task_schedule(task, nullptr, 0), MEMLIFT_OK);
  EXPECT_EQ(codeOf(task), 0);
}

TEST_F(Tasks, StatesThatACallIsNotForAreRefused) {
  open(0);
  memlift_task self = {};
  memlift_task task = make([&] {
    EXPECT_EQ(memlift_task_schedule(self, nullptr, 1), MEMLIFT_WRONG_STATE) << "it runs";
    EXPECT_EQ(memlift_task_unschedule(self, 1), MEMLIFT_WRONG_STATE);
    EXPECT_EQ(memlift_task_destroy(self), MEMLIFT_WRONG_STATE);
    EXPECT_EQ(memlift_task_wait(self, MEMLIFT_FOR_EVER, nullptr), MEMLIFT_WRONG_STATE);
    EXPECT_EQ(memlift_context_destroy(context), MEMLIFT_WRONG_SIDE);
    return 0;
  });
  self = task;
  EXPECT_EQ(memlift_task_wait(task, 0, nullptr), MEMLIFT_WRONG_STATE) << "never scheduled";
  EXPECT_EQ(memlift_task_unschedule(task, 1), MEMLIFT_WRONG_STATE);
  ASSERT_EQ(schedule(task), MEMLIFT_OK);
  EXPECT_EQ(schedule(task), MEMLIFT_WRONG_STATE) << "ready";
  EXPECT_EQ(memlift_task_destroy(task), MEMLIFT_WRONG_STATE);
  EXPECT_EQ(memlift_context_destroy(context), MEMLIFT_WRONG_STATE);
  EXPECT_EQ(memlift_task_wait(task, 0, nullptr), MEMLIFT_BUSY);
  EXPECT_EQ(codeOf(task), 0);
}

TEST_F(Tasks, ArgumentsOutOfRangeAreRefused) {
  memlift_context *c = nullptr;
  memlift_context_options options = {};
  auto create = [&] { return memlift_context_create(&c, &options, sizeof options); };
  EXPECT_EQ(memlift_context_create(nullptr, nullptr, 0), MEMLIFT_INVALID_ARGUMENT);
  EXPECT_EQ(memlift_context_create(&c, &options, 0), MEMLIFT_INVALID_ARGUMENT);
  options.units = 65;
  EXPECT_EQ(create(), MEMLIFT_INVALID_ARGUMENT);
  options = {}, options.flags = 4;
  EXPECT_EQ(create(), MEMLIFT_INVALID_ARGUMENT);
  options = {}, options.kind = 2;
  EXPECT_EQ(create(), MEMLIFT_NOT_PRESENT);
  options = {}, options.units = 1, options.cpus = "none";
  EXPECT_EQ(create(), MEMLIFT_INVALID_ARGUMENT);
  EXPECT_EQ(memlift_context_destroy(nullptr), MEMLIFT_INVALID_ARGUMENT);
  open(0);
  memlift_task task = {};
  memlift_task_options o = {};
  EXPECT_EQ(memlift_task_create(context, &task, nullptr, nullptr, 0), MEMLIFT_INVALID_ARGUMENT);
  EXPECT_EQ(memlift_task_create(nullptr, &task, call, nullptr, 0), MEMLIFT_INVALID_ARGUMENT);
  o.units = 1;
  EXPECT_EQ(memlift_task_create(context, &task, call, &o, sizeof o), MEMLIFT_INVALID_ARGUMENT)
      << "there is no unit 0";
  o.units = 0, o.stack = SIZE_MAX / 2;
  EXPECT_EQ(memlift_task_create(context, &task, call, &o, sizeof o), MEMLIFT_INVALID_ARGUMENT);
  EXPECT_EQ(memlift_task_wait_any(&task, 0, 0, nullptr, nullptr), MEMLIFT_INVALID_ARGUMENT);
  EXPECT_EQ(memlift_task_schedule_many(nullptr, nullptr, 1, 0), MEMLIFT_INVALID_ARGUMENT);
  EXPECT_EQ(memlift_task_call_host(nullptr, nullptr, nullptr), MEMLIFT_INVALID_ARGUMENT);
  EXPECT_EQ(memlift_context_count(context, nullptr, 8), MEMLIFT_INVALID_ARGUMENT);
}

TEST_F(Tasks, StaleNumbersAreRefused) {
  open(0);
  memlift_task task = {}, other = {};
  ASSERT_EQ(memlift_task_create(context, &task, call, nullptr, 0), MEMLIFT_OK);
  ASSERT_EQ(memlift_task_destroy(task), MEMLIFT_OK);
  EXPECT_EQ(memlift_task_destroy(task), MEMLIFT_INVALID_ARGUMENT);
  ASSERT_EQ(memlift_task_create(context, &other, call, nullptr, 0), MEMLIFT_OK);
  EXPECT_NE(task.id, other.id) << "the same place, another task";
  EXPECT_EQ(memlift_task_schedule(task, nullptr, 0), MEMLIFT_INVALID_ARGUMENT);
  EXPECT_EQ(memlift_task_wait(task, 0, nullptr), MEMLIFT_INVALID_ARGUMENT);
  EXPECT_EQ(memlift_task_schedule({0}, nullptr, 0), MEMLIFT_INVALID_ARGUMENT);
  memlift_context *gone = context;
  ASSERT_EQ(memlift_context_destroy(context), MEMLIFT_OK);
  context = nullptr;
  EXPECT_EQ(memlift_task_schedule(other, nullptr, 0), MEMLIFT_INVALID_ARGUMENT)
      << "its context has gone";
  EXPECT_EQ(memlift_context_destroy(gone), MEMLIFT_INVALID_ARGUMENT);
  EXPECT_EQ(memlift_context_serve(gone, 0), MEMLIFT_INVALID_ARGUMENT);
}

TEST_F(Tasks, LimitsAreToldAndAreTheOnesDocumented) {
  open(0);
  std::vector<memlift_task> all(MEMLIFT_TASKS);
  memlift_task more = {};
  for (memlift_task &task : all)
    ASSERT_EQ(memlift_task_create(context, &task, call, nullptr, 0), MEMLIFT_OK);
  EXPECT_EQ(memlift_task_create(context, &more, call, nullptr, 0), MEMLIFT_LIMIT);
  EXPECT_EQ(memlift_task_destroy(all[500]), MEMLIFT_OK);
  EXPECT_EQ(memlift_task_create(context, &all[500], call, nullptr, 0), MEMLIFT_OK);
  std::vector<memlift_context *> contexts;
  memlift_context *c = nullptr;
  memlift_status status;
  while ((status = memlift_context_create(&c, nullptr, 0)) == MEMLIFT_OK)
    contexts.push_back(c);
  EXPECT_EQ(status, MEMLIFT_LIMIT);
  EXPECT_EQ(contexts.size() + 1, MEMLIFT_CONTEXTS);
  for (memlift_context *each : contexts)
    EXPECT_EQ(memlift_context_destroy(each), MEMLIFT_OK);
}

TEST_F(Tasks, NamesAreCutAndBelongToTheTask) {
  open(0);
  std::string name, long_name(100, 'x');
  EXPECT_STREQ(memlift_task_name(), "");
  EXPECT_EQ(memlift_task_self().id, 0u);
  EXPECT_EQ(memlift_task_unit(), UINT_MAX);
  uint64_t id = 0;
  memlift_task task = make(
      [&] {
        name = memlift_task_name();
        id = memlift_task_self().id;
        return 0;
      },
      0, 0, long_name.c_str());
  ASSERT_EQ(schedule(task), MEMLIFT_OK);
  codeOf(task);
  EXPECT_EQ(name, long_name.substr(0, MEMLIFT_TASK_NAME - 1));
  EXPECT_EQ(id, task.id);
}

TEST_F(Tasks, ExitEndsATaskFromAnyDepth) {
  open(0);
  for (size_t stack : {size_t(0), Stack})
    for (int i = 0; i < 100; i++) {
      static void (*deeper)(int) = [](int depth) {
        if (depth == 0)
          memlift_task_exit(77);
        deeper(depth - 1);
      };
      memlift_task task = start(
          [] {
            deeper(20);
            return 1;
          },
          stack);
      EXPECT_EQ(codeOf(task), 77);
    }
}

// ---- Order ----------------------------------------------------

// By (priority, order of schedules): exactly, whatever the set.
class TaskOrder : public Tasks {
protected:
  // Random sets of tasks, which the one unit runs, or this thread where there is none. The unit is
  // kept busy while a set is scheduled.
  void run(uint32_t units, unsigned sets) {
    open(units);
    std::mt19937 random(1);
    for (unsigned i = 0; i < 64; i++)
      tasks.push_back(
          make([this, i] { return static_cast<int32_t>((ran.push_back(i), 0)); }, 0, units));
    memlift_task gate = make(
        [this] {
          for (busy = true; busy;)
            std::this_thread::yield();
          return 0;
        },
        0, units);
    for (unsigned set = 0; set < sets; set++) {
      if (units)
        close(gate);
      std::vector<unsigned> wanted = scheduleSome(random);
      ran.clear(), busy = false;
      codeOf(tasks[wanted.back()]);
      ASSERT_EQ(ran, wanted) << "set " << set;
    }
  }

private:
  void close(memlift_task gate) {
    ASSERT_EQ(schedule(gate, 255), MEMLIFT_OK);
    while (!busy)
      std::this_thread::yield();
  }

  // Schedules some of the tasks, in any order; returns the order in which they have to run.
  std::vector<unsigned> scheduleSome(std::mt19937 &random) {
    std::vector<std::pair<unsigned, unsigned>> wanted; // 255 - priority, number of the schedule
    std::vector<unsigned> order(tasks.size()), sorted;
    for (unsigned i = 0; i < order.size(); i++)
      order[i] = i;
    std::shuffle(order.begin(), order.end(), random);
    order.resize(1 + random() % order.size());
    unsigned kinds = 1 + random() % 256;
    for (unsigned i = 0; i < order.size(); i++) {
      unsigned priority = random() % kinds;
      EXPECT_EQ(schedule(tasks[order[i]], static_cast<uint8_t>(priority)), MEMLIFT_OK);
      wanted.emplace_back(255 - priority, i);
    }
    std::sort(wanted.begin(), wanted.end());
    for (auto [priority, number] : wanted)
      sorted.push_back(order[number]);
    return sorted;
  }

  std::vector<unsigned> ran;
  std::vector<memlift_task> tasks;
  std::atomic<bool> busy{false};
};

TEST_F(TaskOrder, RandomSetsRunByPriorityAndThenInOrder) { run(0, times(1000)); }
TEST_F(TaskOrder, OneUnitRunsRandomSetsByPriorityAndThenInOrder) { run(1, times(100)); }

TEST_F(Tasks, ProducersOfOnePriorityAreServedEqually) {
  open(0);
  constexpr unsigned Producers = 8, Turns = 8000;
  unsigned served[Producers] = {}, all = 0;
  std::vector<memlift_task> tasks;
  for (unsigned i = 0; i < Producers; i++)
    tasks.push_back(make([&, i] {
      served[i]++, all++;
      return 0;
    }));
  for (memlift_task task : tasks)
    ASSERT_EQ(schedule(task), MEMLIFT_OK);
  while (all < Turns) { // whoever has been served comes again
    unsigned which = 0;
    ASSERT_EQ(memlift_task_wait_any(tasks.data(), Producers, MEMLIFT_FOR_EVER, &which, nullptr),
              MEMLIFT_OK);
    ASSERT_EQ(schedule(tasks[which]), MEMLIFT_OK);
    for (unsigned count : served)
      ASSERT_TRUE(all % 1000 || (count + 1 >= all / 8 && count <= all / 8 + 1)) << all;
  }
  for (memlift_task task : tasks)
    codeOf(task);
}

// Ageing keeps its promise to a task beside one that always comes back at the highest priority.
TEST_F(Tasks, AgeingBoundsTheWaitOfTheLowest) {
  for (uint32_t flags : {0u, MEMLIFT_CONTEXT_AGEING}) {
    open(0, flags);
    unsigned high = 0, bound = MEMLIFT_AGEING * 256 + 256;
    bool ran = false;
    memlift_task low = start(
        [&] {
          ran = true;
          return 0;
        },
        0, 0);
    memlift_task busy[2];
    for (memlift_task &task : busy)
      task = start(
          [&] {
            high++;
            return 0;
          },
          0, 255);
    while (!ran && high < 2 * bound)
      for (memlift_task task : busy) {
        codeOf(task);
        ASSERT_EQ(schedule(task, 255), MEMLIFT_OK);
      }
    EXPECT_EQ(ran, flags != 0) << "without it, the lowest waits for ever";
    EXPECT_TRUE(!flags || high <= bound) << high;
    codeOf(busy[0]), codeOf(busy[1]), codeOf(low);
    TearDown();
  }
}

// Entries of the ring that no pull has seen: each schedule finds room all the same.
TEST_F(Tasks, TakingBackFreesPlacesInTheRing) {
  open(0);
  memlift_task task = make([] { return 1; });
  for (unsigned i = 0; i < 5 * MEMLIFT_PLACES; i++) {
    ASSERT_EQ(schedule(task), MEMLIFT_OK);
    ASSERT_EQ(memlift_task_unschedule(task, static_cast<int32_t>(i)), MEMLIFT_OK);
    ASSERT_EQ(codeOf(task), static_cast<int32_t>(i));
  }
  EXPECT_EQ(counters().pulls, 0u);
  EXPECT_EQ(counters().unscheduled, 5 * MEMLIFT_PLACES);
  ASSERT_EQ(schedule(task), MEMLIFT_OK);
  EXPECT_EQ(codeOf(task), 1);
}

// A task that only unit 1 may run keeps its place for many cycles; others pass it, in order.
TEST_F(Tasks, OrderHoldsAroundATaskThatStaysForCycles) {
  open(2);
  std::atomic<bool> go{false}, busy{false};
  memlift_task holder = start(
      [&] {
        busy = true;
        while (!go)
          std::this_thread::yield();
        return 0;
      },
      0, 200, 2);
  while (!busy)
    std::this_thread::yield();
  std::atomic<bool> ran{false};
  memlift_task pinned = start(
      [&] {
        ran = true;
        return 5;
      },
      0, 100, 2);
  std::vector<unsigned> order;
  std::vector<memlift_task> tasks;
  for (unsigned i = 0; i < 3; i++)
    tasks.push_back(make(
        [&order, i] {
          order.push_back(i);
          return 0;
        },
        0, 1));
  std::vector<memlift_task> hold;
  for (unsigned turn = 0; turn < 3 * MEMLIFT_PLACES / 2; turn++) {
    for (memlift_task task : tasks)
      ASSERT_EQ(schedule(task), MEMLIFT_OK);
    for (memlift_task task : tasks)
      codeOf(task);
    ASSERT_EQ(order, (std::vector<unsigned>{0, 1, 2})) << turn;
    order.clear();
  }
  EXPECT_FALSE(ran);
  go = true;
  EXPECT_EQ(codeOf(pinned), 5);
  codeOf(holder);
}

// ---- Waiting ----------------------------------------------------

TEST_F(Tasks, WaitAnyGivesTheFirstThatHasEnded) {
  open(0);
  memlift_task tasks[3];
  for (int i = 0; i < 3; i++)
    tasks[i] = start([i] { return 10 + i; }, 0, static_cast<uint8_t>(i));
  unsigned which = 9;
  int32_t code = 0;
  ASSERT_EQ(memlift_task_wait_any(tasks, 3, MEMLIFT_FOR_EVER, &which, &code), MEMLIFT_OK);
  EXPECT_EQ(which, 2u) << "the most urgent has run";
  EXPECT_EQ(code, 12);
  codeOf(tasks[0]);
  ASSERT_EQ(memlift_task_wait_any(tasks, 3, 0, &which, &code), MEMLIFT_OK);
  EXPECT_EQ(which, 0u) << "in the order of the list";
}

TEST_F(Tasks, TimeRunsOutForAHostAndForATask) {
  open(1);
  std::atomic<bool> go{false};
  memlift_task busy = start([&] {
    while (!go)
      std::this_thread::yield();
    return 0;
  });
  while (counters().pulls == 0)
    std::this_thread::yield();
  auto begin = std::chrono::steady_clock::now();
  EXPECT_EQ(memlift_task_wait(busy, 5 * Millisecond, nullptr), MEMLIFT_PENDING);
  EXPECT_GE(std::chrono::steady_clock::now() - begin, std::chrono::milliseconds(5));
  go = true;
  codeOf(busy);
  std::atomic<bool> over{false};
  memlift_task never = start(
      [&] {
        while (!over)
          memlift_task_yield();
        return 0;
      },
      Stack, 0);
  memlift_task waiting = start(
      [&] {
        EXPECT_EQ(memlift_task_wait(never, 0, nullptr), MEMLIFT_BUSY);
        EXPECT_EQ(memlift_task_wait(never, 3 * Millisecond, nullptr), MEMLIFT_PENDING);
        over = true;
        EXPECT_EQ(memlift_task_wait(never, 100 * Second, nullptr), MEMLIFT_OK);
        return 7;
      },
      Stack, 50);
  EXPECT_EQ(codeOf(waiting), 7);
  EXPECT_EQ(counters().time_outs, 2u);
}

TEST_F(Tasks, TasksCreateAndWaitForTasks) {
  for (uint32_t units : {0u, 1u, 2u}) {
    open(units);
    std::function<int32_t(int)> count = [&](int depth) -> int32_t {
      if (depth == 0)
        return 1;
      int32_t sum = 0;
      memlift_task child[2];
      Body body = [&, depth] { return count(depth - 1); };
      uint64_t args[4] = {reinterpret_cast<uint64_t>(&body)};
      memlift_task_options options = {};
      options.stack = Stack;
      for (memlift_task &task : child) {
        EXPECT_EQ(memlift_task_create(context, &task, call, &options, sizeof options), MEMLIFT_OK);
        EXPECT_EQ(memlift_task_schedule(task, args, 9), MEMLIFT_OK);
      }
      for (memlift_task task : child) {
        sum += codeOf(task);
        EXPECT_EQ(memlift_task_destroy(task), MEMLIFT_OK);
      }
      return sum;
    };
    EXPECT_EQ(codeOf(start([&] { return count(5); }, Stack)), 32) << units << " units";
    TearDown();
  }
}

TEST_F(Tasks, RunCompleteTasksMustNotWait) {
  open(0);
  memlift_task other = start([] { return 0; }, 0, 1);
  memlift_task task = start([&] {
    EXPECT_EQ(memlift_task_wait(other, MEMLIFT_FOR_EVER, nullptr), MEMLIFT_CANNOT_SWITCH);
    EXPECT_EQ(memlift_task_wait(other, 0, nullptr), MEMLIFT_BUSY);
    EXPECT_EQ(memlift_task_yield(), MEMLIFT_CANNOT_SWITCH);
    EXPECT_EQ(memlift_task_call_host([](const uint64_t *, uint64_t *) {}, nullptr, nullptr),
              MEMLIFT_CANNOT_SWITCH);
    return 3;
  });
  EXPECT_EQ(codeOf(task), 3);
  codeOf(other);
}

TEST_F(Tasks, TasksOfOtherContextsAreNotWaitedFor) {
  open(0);
  memlift_context *second = nullptr;
  memlift_task theirs = {};
  ASSERT_EQ(memlift_context_create(&second, nullptr, 0), MEMLIFT_OK);
  ASSERT_EQ(memlift_task_create(
                second, &theirs, [](const uint64_t *) { return 6; }, nullptr, 0),
            MEMLIFT_OK);
  ASSERT_EQ(memlift_task_schedule(theirs, nullptr, 0), MEMLIFT_OK);
  memlift_task task = start(
      [&] {
        EXPECT_EQ(memlift_task_wait(theirs, MEMLIFT_FOR_EVER, nullptr), MEMLIFT_WRONG_SIDE);
        return 0;
      },
      Stack);
  EXPECT_EQ(codeOf(task), 0);
  memlift_task both[2] = {task, theirs};
  EXPECT_EQ(memlift_task_wait_any(both, 2, 0, nullptr, nullptr), MEMLIFT_INVALID_ARGUMENT);
  EXPECT_EQ(codeOf(theirs), 6);
  EXPECT_EQ(memlift_task_destroy(theirs), MEMLIFT_OK);
  EXPECT_EQ(memlift_context_destroy(second), MEMLIFT_OK);
}
