// tasks_units_test.cpp - units, stacks, calls of the host, fork, and many workloads at once
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "memlift/sync.h"
#include "tasks_support.h"

#include <algorithm>
#include <atomic>
#include <cfenv>
#include <chrono>
#include <random>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <unwind.h>

// ---- Units ----------------------------------------------------

TEST_F(Tasks, UnitsRunWhatIsForThem) {
  open(2);
  for (unsigned unit = 0; unit < 2; unit++)
    for (size_t stack : {size_t(0), Stack})
      for (int i = 0; i < 20; i++) {
        unsigned where = 99;
        memlift_task task = start(
            [&] {
              where = memlift_task_unit();
              memlift_task_yield();
              return memlift_task_unit() == where ? 1 : 0;
            },
            stack, 100, uint64_t(1) << unit);
        EXPECT_EQ(codeOf(task), 1);
        EXPECT_EQ(where, unit);
      }
}

TEST_F(Tasks, AllOfManyThreadsAreServed) {
  open(2);
  std::atomic<unsigned> ran{0};
  std::vector<std::thread> threads;
  std::vector<std::vector<memlift_task>> tasks(4);
  for (auto &own : tasks)
    for (unsigned i = 0; i < 50; i++)
      own.push_back(make(
          [&] {
            ran++;
            return 0;
          },
          i % 3 ? 0 : Stack));
  unsigned rounds = times(20);
  for (auto &own : tasks)
    threads.emplace_back([&, rounds] {
      for (unsigned round = 0; round < rounds; round++) {
        for (memlift_task task : own)
          ASSERT_EQ(schedule(task, static_cast<uint8_t>(task.id * 7 + round)), MEMLIFT_OK);
        for (memlift_task task : own)
          codeOf(task);
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(ran, 200 * rounds);
  EXPECT_EQ(counters().ended, 200u * rounds);
}

// A unit tells of an end before it runs the next task, which may take long.
TEST_F(Tasks, AnEndIsToldBeforeTheNextTask) {
  open(1);
  std::atomic<bool> go{false}, let_go{false};
  auto until = [](std::atomic<bool> &flag) {
    while (!flag)
      std::this_thread::yield();
    return 0;
  };
  memlift_task first = start(
      [&] {
        until(go);
        std::this_thread::sleep_for(std::chrono::milliseconds(2)); // the waiter sleeps by then
        return 0;
      },
      0, 100, 1);
  memlift_task brief = start([] { return 3; }, 0, 100, 1);
  memlift_task holds = start([&] { return until(let_go); }, 0, 100, 1);
  go = true;
  EXPECT_EQ(codeOf(brief), 3);
  let_go = true;
  EXPECT_EQ(codeOf(first) + codeOf(holds), 0);
}

// A host thread that has run a task, and has what it waited for, looks for nothing else to do.
TEST_F(Tasks, AnEndOnAHostThreadIsTold) {
  open(1);
  std::atomic<bool> held{false}, let_go{false};
  memlift_task brief = make([] { return 3; });
  memlift_task holds = make(
      [&] {
        held = true;
        while (!let_go)
          std::this_thread::yield();
        return 0;
      },
      0, 1);
  memlift_task waits = start(
      [&] {
        EXPECT_EQ(schedule(brief, 0), MEMLIFT_OK);
        EXPECT_EQ(schedule(holds, 200), MEMLIFT_OK); // the unit has that to do, when this one waits
        return codeOf(brief);
      },
      Stack, 100, 1);
  while (!held)
    std::this_thread::yield();
  EXPECT_EQ(codeOf(brief), 3);
  let_go = true;
  EXPECT_EQ(codeOf(holds), 0);
  EXPECT_EQ(codeOf(waits), 3);
}

// Either the puller or who takes it back has it, and never both.
TEST_F(Tasks, TakingBackRacesWithThePull) {
  open(2);
  std::atomic<unsigned> ran{0};
  unsigned taken_back = 0, rounds = times(2000);
  memlift_task tasks[4];
  for (memlift_task &task : tasks)
    task = make([&] {
      ran++;
      return 1;
    });
  for (unsigned round = 0; round < rounds; round++) {
    for (memlift_task task : tasks)
      ASSERT_EQ(schedule(task, static_cast<uint8_t>(round % 3)), MEMLIFT_OK);
    for (memlift_task task : tasks) {
      memlift_status status = memlift_task_unschedule(task, 2);
      ASSERT_TRUE(status == MEMLIFT_OK || status == MEMLIFT_WRONG_STATE) << status;
      ASSERT_EQ(codeOf(task), status == MEMLIFT_OK ? 2 : 1);
      taken_back += status == MEMLIFT_OK;
    }
  }
  EXPECT_EQ(ran + taken_back, 4 * rounds);
  EXPECT_EQ(counters().unscheduled, taken_back);
}

TEST_F(Tasks, OneOfManySchedulesWins) {
  open(1);
  std::atomic<unsigned> ran{0}, accepted{0};
  memlift_task task = make([&] {
    ran++;
    return 0;
  });
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; i++)
    threads.emplace_back([&] {
      for (int turn = 0; turn < 2000; turn++)
        accepted += schedule(task) == MEMLIFT_OK;
    });
  for (std::thread &thread : threads)
    thread.join();
  codeOf(task);
  EXPECT_EQ(ran, accepted);
}

TEST_F(Tasks, ManyAreScheduledInOrderWithOneCall) {
  open(0);
  std::vector<unsigned> order;
  std::vector<memlift_task> tasks;
  std::vector<uint64_t> args;
  for (unsigned i = 0; i < 100; i++) {
    tasks.push_back(make([&order, i] {
      order.push_back(i);
      return 0;
    }));
    args.insert(args.end(), {reinterpret_cast<uint64_t>(&bodies.back()), 0, 0, 0});
  }
  using Rows = const uint64_t(*)[4];
  Rows rows = reinterpret_cast<Rows>(args.data());
  ASSERT_EQ(memlift_task_schedule_many(tasks.data(), rows, 100, 3), MEMLIFT_OK);
  EXPECT_EQ(memlift_task_schedule_many(tasks.data(), rows, 100, 3), MEMLIFT_WRONG_STATE);
  codeOf(tasks.back());
  ASSERT_EQ(order.size(), 100u);
  EXPECT_TRUE(std::is_sorted(order.begin(), order.end()));
}

TEST_F(Tasks, AllUnitsSleepAndWakeAgain) {
  open(2);
  std::atomic<unsigned> ran{0};
  memlift_task tasks[2];
  for (unsigned i = 0; i < 2; i++)
    tasks[i] = make(
        [&] {
          ran++;
          return 0;
        },
        0, uint64_t(1) << i);
  for (unsigned round = 0; round < 20; round++) {
    if (round % 4 == 0)
      std::this_thread::sleep_for(std::chrono::milliseconds(3)); // longer than they watch
    for (memlift_task task : tasks)
      ASSERT_EQ(schedule(task), MEMLIFT_OK);
    for (memlift_task task : tasks)
      codeOf(task);
  }
  EXPECT_EQ(ran, 40u);
  EXPECT_GT(counters().sleeps, 0u);
}

// ---- Stacks ----------------------------------------------------

TEST_F(Tasks, TasksThatYieldTakeTurns) {
  for (uint32_t units : {0u, 1u}) {
    open(units);
    std::vector<int> order;
    std::atomic<bool> go{false};
    memlift_task gate = start(
        [&] {
          while (units && !go)
            std::this_thread::yield();
          return 0;
        },
        0, 255);
    std::vector<memlift_task> tasks;
    for (int i = 0; i < 3; i++)
      tasks.push_back(start(
          [&order, i] {
            for (int turn = 0; turn < 4; turn++) {
              order.push_back(i);
              memlift_task_yield();
            }
            return i;
          },
          Stack));
    go = true;
    codeOf(gate);
    for (int i = 0; i < 3; i++)
      EXPECT_EQ(codeOf(tasks[static_cast<size_t>(i)]), i);
    for (size_t i = 0; i < order.size(); i++)
      EXPECT_EQ(order[i], static_cast<int>(i % 3)) << i << ", " << units << " units";
    EXPECT_EQ(order.size(), 12u);
    TearDown();
  }
}

TEST_F(Tasks, LessUrgentTasksAreNotYieldedTo) {
  open(1);
  bool ran = false;
  memlift_task outer = start(
      [&] {
        start(
            [&] {
              ran = true;
              return 0;
            },
            0, 10);
        memlift_task_yield();
        bool before = ran;
        start(
            [&] {
              ran = true;
              return 0;
            },
            0, 100, 1);
        memlift_task_yield();
        return before ? 1 : ran ? 2 : 3;
      },
      Stack, 50, 1);
  // The host must not take the tasks: it waits without working for a while.
  for (int i = 0; i < 1000 && memlift_task_wait(outer, 0, nullptr) == MEMLIFT_BUSY; i++)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  EXPECT_EQ(codeOf(outer), 2);
  for (memlift_task task : created)
    codeOf(task);
}

// A switch keeps what the calling convention keeps over a call: registers and rounding modes.
TEST_F(Tasks, SwitchesKeepRegistersAndRounding) {
  open(1);
  std::vector<memlift_task> tasks;
  const int modes[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
  for (int i = 0; i < 4; i++)
    tasks.push_back(start(
        [&modes, i] {
          std::fesetround(modes[i]);
          volatile double third = 1.0;
          double a = i, b = 2 * i, d = 3 * i;
          uint64_t x = uint64_t(i), y = x + 1, z = x + 2;
          int32_t wrong = 0;
          for (int turn = 0; turn < 100; turn++) {
            a += 1, b += a, d += b, x += 3, y ^= x, z += y;
            double quotient = third / 3.0;
            memlift_task_yield();
            wrong += std::fegetround() != modes[i] || quotient != third / 3.0;
          }
          double a2 = i, b2 = 2 * i, d2 = 3 * i;
          uint64_t x2 = uint64_t(i), y2 = x2 + 1, z2 = x2 + 2;
          for (int turn = 0; turn < 100; turn++)
            a2 += 1, b2 += a2, d2 += b2, x2 += 3, y2 ^= x2, z2 += y2;
          wrong += a != a2 || b != b2 || d != d2 || x != x2 || y != y2 || z != z2;
          return wrong;
        },
        Stack));
  for (memlift_task task : tasks)
    EXPECT_EQ(codeOf(task), 0);
}

// Frames of a walk up the stack.
struct Walk {
  unsigned frames = 0;
  uintptr_t last = 0;
};

_Unwind_Reason_Code count(_Unwind_Context *frame, void *state) {
  Walk &walk = *static_cast<Walk *>(state);
  walk.last = _Unwind_GetIP(frame);
  return ++walk.frames < 100 ? _URC_NO_REASON : _URC_NORMAL_STOP;
}

__attribute__((noinline)) _Unwind_Reason_Code walk(Walk &w) {
  _Unwind_Reason_Code why = _Unwind_Backtrace(count, &w);
  __asm__ volatile("" ::: "memory"); // a frame of its own: no tail call
  return why;
}

// The frame that began the task is the last one: its return address is 0, where walks end.
TEST_F(Tasks, BacktracesEndWhereATaskBegan) {
  open(1);
  Walk direct, later;
  memlift_task task = start(
      [&] {
        int32_t wrong = walk(direct) != _URC_END_OF_STACK;
        memlift_task_yield();
        return wrong + (walk(later) != _URC_END_OF_STACK);
      },
      Stack);
  EXPECT_EQ(codeOf(task), 0);
  EXPECT_GE(direct.frames, 3u) << "walk, the lambda, and what calls it";
  EXPECT_EQ(direct.last, 0u);
  EXPECT_EQ(later.frames, direct.frames);
  EXPECT_EQ(later.last, 0u);
}

TEST_F(Tasks, StacksAreAlignedAndAsLargeAsAsked) {
  open(1);
  memlift_task task = start(
      [&] {
        alignas(16) volatile char large[512 * 1024];
        for (size_t i = 0; i < sizeof large; i += 4096)
          large[i] = 1;
        return static_cast<int32_t>(reinterpret_cast<uintptr_t>(&large) % 16);
      },
      1024 * 1024);
  EXPECT_EQ(codeOf(task), 0);
}

// ---- Calls of the host ----------------------------------------------------

TEST_F(Tasks, TasksCallFunctionsOfTheHost) {
  for (uint32_t units : {0u, 2u}) {
    open(units);
    static std::thread::id here;
    here = std::this_thread::get_id();
    std::vector<memlift_task> tasks;
    for (uint64_t i = 0; i < 10; i++)
      tasks.push_back(start(
          [i] {
            uint64_t in[6] = {i, 1, 2, 3, 4, 5}, out[6] = {};
            auto add = [](const uint64_t *given, uint64_t *result) {
              result[0] = std::this_thread::get_id() == here && memlift_task_self().id == 0;
              for (int k = 0; k < 6; k++)
                result[5] += given[k];
            };
            EXPECT_EQ(memlift_task_call_host(add, in, out), MEMLIFT_OK);
            EXPECT_EQ(out[0], 1u);
            return static_cast<int32_t>(out[5]);
          },
          Stack));
    EXPECT_EQ(memlift_context_serve(context, MEMLIFT_FOR_EVER), MEMLIFT_OK);
    for (uint64_t i = 0; i < 10; i++)
      EXPECT_EQ(codeOf(tasks[i]), static_cast<int32_t>(15 + i));
    EXPECT_EQ(memlift_context_serve(context, 0), MEMLIFT_BUSY);
    EXPECT_EQ(memlift_context_serve(context, Millisecond), MEMLIFT_PENDING);
    EXPECT_EQ(counters().host_calls, 10u);
    EXPECT_EQ(memlift_task_call_host([](const uint64_t *, uint64_t *) {}, nullptr, nullptr),
              MEMLIFT_WRONG_SIDE);
    TearDown();
  }
}

// ---- fork ----------------------------------------------------

TEST_F(Tasks, AChildHasNoneOfTheParentsContexts) {
  open(1);
  memlift_task task = start([] { return 1; });
  codeOf(task);
  pid_t child = fork();
  if (child == 0) {
    int bad = memlift_task_schedule(task, nullptr, 0) != MEMLIFT_NOT_PRESENT;
    bad |= (memlift_task_wait(task, 0, nullptr) != MEMLIFT_NOT_PRESENT) << 1;
    memlift_task other = {};
    bad |= (memlift_task_create(context, &other, call, nullptr, 0) != MEMLIFT_NOT_PRESENT) << 2;
    bad |= (memlift_context_destroy(context) != MEMLIFT_OK) << 3;
    memlift_context *own = nullptr;
    memlift_context_options options = {};
// Neither TSan nor QEMU 7.2 (ports.sh) allows threads in the child.
#if !defined(__SANITIZE_THREAD__) && !defined(MEMLIFT_TEST_EMULATED)
    options.units = 1;
#endif
    bad |= (memlift_context_create(&own, &options, sizeof options) != MEMLIFT_OK) << 4;
    bad |= (memlift_task_create(
                own, &other, [](const uint64_t *) { return 8; }, nullptr, 0) != MEMLIFT_OK)
           << 5;
    int32_t code = 0;
    bad |= (memlift_task_schedule(other, nullptr, 0) != MEMLIFT_OK) << 6;
    bad |= (memlift_task_wait(other, MEMLIFT_FOR_EVER, &code) != MEMLIFT_OK || code != 8) << 7;
    _exit(bad);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
  EXPECT_EQ(schedule(task), MEMLIFT_OK) << "the parent goes on";
  EXPECT_EQ(codeOf(task), 1);
}

TEST_F(Tasks, ATaskMayFork) {
  for (uint32_t units : {0u, 1u}) {
    open(units);
    memlift_task task = start(
        [] {
          pid_t child = fork();
          if (child == 0)
            _exit(memlift_task_yield() == MEMLIFT_OK ? 1 : 33);
          int status = 0;
          waitpid(child, &status, 0);
          return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
        },
        Stack);
    EXPECT_EQ(codeOf(task), 33);
    TearDown();
  }
}

// A thread that waits looks for tasks all the time, also at one that has ended and is no more: its
// place becomes the next one's meanwhile.
TEST_F(Tasks, PlacesAreGivenAnewBesideWaitingThreads) {
  open(2);
  memlift_semaphore enough;
  ASSERT_EQ(memlift_semaphore_init(context, &enough, 0), MEMLIFT_OK);
  std::thread waiter(
      [&] { EXPECT_EQ(memlift_semaphore_acquire(&enough, MEMLIFT_FOR_EVER), MEMLIFT_OK); });
  auto body = [](const uint64_t args[4]) { return static_cast<int32_t>(args[0]); };
  for (unsigned i = 0; i < times(2000); i++) {
    memlift_task task = {};
    memlift_task_options options = {};
    options.units = i % 3;
    uint64_t args[4] = {i};
    ASSERT_EQ(memlift_task_create(context, &task, body, &options, sizeof options), MEMLIFT_OK);
    ASSERT_EQ(memlift_task_schedule(task, args, 100), MEMLIFT_OK);
    ASSERT_EQ(codeOf(task), static_cast<int32_t>(i));
    ASSERT_EQ(memlift_task_destroy(task), MEMLIFT_OK);
  }
  EXPECT_EQ(memlift_semaphore_release(&enough, 1), MEMLIFT_OK);
  waiter.join();
}

// ---- Volume ----------------------------------------------------

// 10,000 of them, or a million: each runs once.
TEST_F(Tasks, RandomWorkloadsRunOnceEach) {
  open(2);
  std::atomic<unsigned> ran{0};
  std::mt19937 random(7);
  std::vector<memlift_task> tasks;
  for (unsigned i = 0; i < 500; i++)
    tasks.push_back(make(
        [&ran, i] {
          for (unsigned turn = 0; i % 5 == 0 && turn < i % 3; turn++)
            memlift_task_yield();
          ran++;
          return static_cast<int32_t>(i);
        },
        i % 5 ? 0 : Stack));
  unsigned all = times(10000), scheduled = 0;
  while (scheduled < all) {
    unsigned i = random() % 500;
    memlift_status status = schedule(tasks[i], static_cast<uint8_t>(random()));
    if (status == MEMLIFT_WRONG_STATE)
      ASSERT_EQ(codeOf(tasks[i]), static_cast<int32_t>(i));
    else
      scheduled++;
  }
  for (memlift_task task : tasks)
    if (memlift_task_wait(task, MEMLIFT_FOR_EVER, nullptr) != MEMLIFT_OK)
      continue; // never scheduled
  EXPECT_EQ(ran, all);
}
