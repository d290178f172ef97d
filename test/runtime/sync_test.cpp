// sync_test.cpp - signals, semaphores, mutexes, barriers and event flags of tasks and host threads
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tasks_support.h"

#include "memlift/sync.h"

#include <atomic>
#include <thread>

using Sync = Tasks;

static_assert(sizeof(memlift_semaphore) == 64 && sizeof(memlift_mutex) == 64 &&
                  sizeof(memlift_barrier) == 64 && sizeof(memlift_events) == 64,
              "objects are 64 bytes");

constexpr size_t NoStack = 0;

// ---- Signals ----------------------------------------------------------------------------------

TEST_F(Sync, ASignalEndsOneWait) {
  open(0);
  std::vector<int> order;
  memlift_task task = start(
      [&] {
        EXPECT_EQ(memlift_signal_wait(0), MEMLIFT_BUSY);
        EXPECT_EQ(memlift_signal_wait(Millisecond), MEMLIFT_PENDING);
        order.push_back(1);
        EXPECT_EQ(memlift_signal_wait(MEMLIFT_FOR_EVER), MEMLIFT_OK);
        order.push_back(3);
        EXPECT_EQ(memlift_signal_wait(0), MEMLIFT_BUSY) << "taken";
        return 1;
      },
      Stack);
  memlift_task sender = start(
      [&] {
        while (order.empty())
          memlift_task_yield();
        order.push_back(2);
        EXPECT_EQ(memlift_signal_send(task), MEMLIFT_OK);
        EXPECT_EQ(memlift_signal_send(task), MEMLIFT_OK) << "two are one";
        return 2;
      },
      Stack);
  EXPECT_EQ(codeOf(task), 1);
  EXPECT_EQ(codeOf(sender), 2);
  EXPECT_EQ(order, (std::vector<int>{1, 2, 3}));
  EXPECT_EQ(memlift_signal_send(task), MEMLIFT_WRONG_STATE) << "it has ended";
  EXPECT_EQ(memlift_signal_wait(0), MEMLIFT_WRONG_SIDE);
  EXPECT_EQ(memlift_signal_send({5}), MEMLIFT_INVALID_ARGUMENT);
  memlift_task complete = start([] {
    EXPECT_EQ(memlift_signal_wait(MEMLIFT_FOR_EVER), MEMLIFT_CANNOT_SWITCH);
    return 0;
  });
  codeOf(complete);
}

TEST_F(Sync, AScheduleClearsTheSignal) {
  open(0);
  memlift_task task = make([&] {
    EXPECT_EQ(memlift_signal_wait(0), MEMLIFT_BUSY);
    EXPECT_EQ(memlift_signal_send(task), MEMLIFT_OK);
    return 1;
  });
  for (int i = 0; i < 2; i++) {
    ASSERT_EQ(schedule(task), MEMLIFT_OK);
    EXPECT_EQ(codeOf(task), 1);
  }
}

// Error 3 of MARS: a signal to a task that waits in a semaphore gave it the semaphore.
TEST_F(Sync, ASignalGrantsNoObject) {
  for (uint32_t units : {0u, 1u}) {
    open(units);
    memlift_semaphore semaphore;
    memlift_barrier barrier;
    memlift_events events;
    ASSERT_EQ(memlift_semaphore_init(context, &semaphore, 0), MEMLIFT_OK);
    ASSERT_EQ(memlift_barrier_init(context, &barrier, 2), MEMLIFT_OK);
    ASSERT_EQ(memlift_events_init(context, &events, MEMLIFT_EVENTS_AUTO), MEMLIFT_OK);
    std::atomic<int> at{0};
    memlift_task task = start(
        [&] {
          at = 1;
          EXPECT_EQ(memlift_semaphore_acquire(&semaphore, 5 * Millisecond), MEMLIFT_PENDING);
          uint32_t round = 0;
          EXPECT_EQ(memlift_barrier_notify(&barrier, &round), MEMLIFT_OK);
          EXPECT_EQ(memlift_barrier_wait(&barrier, round, 5 * Millisecond), MEMLIFT_PENDING);
          EXPECT_EQ(memlift_events_wait(&events, 1, 0, 5 * Millisecond, nullptr), MEMLIFT_PENDING);
          at = 2;
          EXPECT_EQ(memlift_signal_wait(0), MEMLIFT_OK) << "and it is still there";
          return 1;
        },
        Stack);
    memlift_task sender = start(
        [&] {
          while (at != 1)
            memlift_task_yield();
          while (at != 2) {
            memlift_signal_send(task);
            memlift_task_yield();
          }
          return 0;
        },
        Stack);
    EXPECT_EQ(codeOf(task), 1);
    codeOf(sender);
    EXPECT_EQ(counters().time_outs, 3u);
    TearDown();
  }
}

// ---- Semaphores ---------------------------------------------------------------------------------

TEST_F(Sync, SemaphoresCountAndRefuse) {
  open(0);
  memlift_semaphore s;
  EXPECT_EQ(memlift_semaphore_init(context, &s, -1), MEMLIFT_INVALID_ARGUMENT);
  EXPECT_EQ(memlift_semaphore_init(nullptr, &s, 1), MEMLIFT_INVALID_ARGUMENT);
  ASSERT_EQ(memlift_semaphore_init(context, &s, 2), MEMLIFT_OK);
  EXPECT_EQ(memlift_semaphore_release(&s, 0), MEMLIFT_INVALID_ARGUMENT);
  EXPECT_EQ(memlift_semaphore_release(&s, INT32_MAX), MEMLIFT_LIMIT);
  EXPECT_EQ(memlift_semaphore_acquire(&s, 0), MEMLIFT_OK);
  EXPECT_EQ(memlift_semaphore_acquire(&s, MEMLIFT_FOR_EVER), MEMLIFT_OK);
  EXPECT_EQ(memlift_semaphore_acquire(&s, 0), MEMLIFT_BUSY);
  EXPECT_EQ(memlift_semaphore_acquire(&s, Millisecond), MEMLIFT_PENDING);
  EXPECT_EQ(memlift_semaphore_release(&s, 1), MEMLIFT_OK);
  EXPECT_EQ(memlift_semaphore_acquire(&s, 0), MEMLIFT_OK) << "who gave up does not count";
  memlift_task complete = start([&] {
    EXPECT_EQ(memlift_semaphore_acquire(&s, 0), MEMLIFT_BUSY);
    EXPECT_EQ(memlift_semaphore_acquire(&s, 1), MEMLIFT_CANNOT_SWITCH);
    return 0;
  });
  codeOf(complete);
}

// Error 7 of MARS: after a number of waiters, calls failed. And the order is that of coming.
TEST_F(Sync, AnyNumberMayWaitAndIsServedInOrder) {
  open(0);
  memlift_semaphore s;
  ASSERT_EQ(memlift_semaphore_init(context, &s, 0), MEMLIFT_OK);
  std::vector<int> order;
  std::vector<memlift_task> tasks;
  for (int i = 0; i < 500; i++)
    tasks.push_back(start(
        [&, i] {
          EXPECT_EQ(memlift_semaphore_acquire(&s, MEMLIFT_FOR_EVER), MEMLIFT_OK);
          order.push_back(i);
          return i;
        },
        Stack / 2));
  memlift_task last = start([&] { // when all wait
    EXPECT_EQ(memlift_semaphore_release(&s, 200), MEMLIFT_OK);
    EXPECT_EQ(memlift_semaphore_release(&s, 300), MEMLIFT_OK);
    return 0;
  });
  codeOf(last);
  for (memlift_task task : tasks)
    codeOf(task);
  ASSERT_EQ(order.size(), 500u);
  for (int i = 0; i < 500; i++)
    ASSERT_EQ(order[static_cast<size_t>(i)], i);
  EXPECT_EQ(memlift_semaphore_acquire(&s, 0), MEMLIFT_BUSY);
}

// ---- Mutexes ------------------------------------------------------------------------------------

TEST_F(Sync, MutexesBelongToWhoHasLockedThem) {
  open(1);
  memlift_mutex m;
  EXPECT_EQ(memlift_mutex_init(context, nullptr), MEMLIFT_INVALID_ARGUMENT);
  ASSERT_EQ(memlift_mutex_init(context, &m), MEMLIFT_OK);
  EXPECT_EQ(memlift_mutex_unlock(&m), MEMLIFT_WRONG_STATE);
  ASSERT_EQ(memlift_mutex_lock(&m, 0), MEMLIFT_OK);
  EXPECT_EQ(memlift_mutex_lock(&m, MEMLIFT_FOR_EVER), MEMLIFT_WRONG_STATE) << "by itself";
  std::atomic<bool> refused{false};
  memlift_task task = start(
      [&] {
        EXPECT_EQ(memlift_mutex_unlock(&m), MEMLIFT_WRONG_STATE);
        EXPECT_EQ(memlift_mutex_lock(&m, 0), MEMLIFT_BUSY);
        EXPECT_EQ(memlift_mutex_lock(&m, Millisecond), MEMLIFT_PENDING);
        refused = true;
        EXPECT_EQ(memlift_mutex_lock(&m, MEMLIFT_FOR_EVER), MEMLIFT_OK);
        EXPECT_EQ(memlift_mutex_unlock(&m), MEMLIFT_OK);
        return 5;
      },
      Stack);
  while (!refused)
    std::this_thread::yield();
  EXPECT_EQ(memlift_task_wait(task, 20 * Millisecond, nullptr), MEMLIFT_PENDING);
  EXPECT_EQ(memlift_mutex_unlock(&m), MEMLIFT_OK);
  EXPECT_EQ(codeOf(task), 5);
  EXPECT_EQ(memlift_mutex_lock(&m, 0), MEMLIFT_OK);
  EXPECT_EQ(memlift_mutex_unlock(&m), MEMLIFT_OK);
}

TEST_F(Sync, TheEndOfATaskGivesItsMutexesUp) {
  for (size_t stack : {NoStack, Stack}) {
    open(1);
    memlift_mutex a, b, kept;
    for (memlift_mutex *m : {&a, &b, &kept})
      ASSERT_EQ(memlift_mutex_init(context, m), MEMLIFT_OK);
    std::atomic<bool> locked{false}, waits{false};
    memlift_task dead = start(
        [&] {
          for (memlift_mutex *m : {&a, &kept, &b})
            EXPECT_EQ(memlift_mutex_lock(m, 0), MEMLIFT_OK);
          EXPECT_EQ(memlift_mutex_unlock(&kept), MEMLIFT_OK) << "from the middle of the list";
          locked = true;
          while (!waits)
            std::this_thread::yield();
          memlift_task_exit(9);
          return 0;
        },
        stack);
    std::thread other([&] {
      while (!locked)
        std::this_thread::yield();
      EXPECT_EQ(memlift_mutex_lock(&a, 0), MEMLIFT_BUSY);
      waits = true;
      EXPECT_EQ(memlift_mutex_lock(&a, MEMLIFT_FOR_EVER), MEMLIFT_LOST) << "to one that waits";
      EXPECT_EQ(memlift_mutex_unlock(&a), MEMLIFT_OK);
      EXPECT_EQ(memlift_mutex_lock(&a, 0), MEMLIFT_OK) << "told once";
      EXPECT_EQ(memlift_mutex_unlock(&a), MEMLIFT_OK);
    });
    EXPECT_EQ(codeOf(dead), 9);
    other.join();
    EXPECT_EQ(memlift_mutex_lock(&b, 0), MEMLIFT_LOST) << "to one that comes later";
    EXPECT_EQ(memlift_mutex_unlock(&b), MEMLIFT_OK);
    EXPECT_EQ(memlift_mutex_lock(&kept, 0), MEMLIFT_OK);
    EXPECT_EQ(memlift_mutex_unlock(&kept), MEMLIFT_OK);
    EXPECT_EQ(counters().lost_locks, 2u);
    TearDown();
  }
}

// ---- Barriers and event flags --------------------------------------------------

// The shape of the sample of MARS: ten tasks, three rounds.
TEST_F(Sync, BarriersHoldAllOfARound) {
  for (uint32_t units : {0u, 2u}) {
    open(units);
    constexpr unsigned Parties = 10, Rounds = 30;
    memlift_barrier b;
    EXPECT_EQ(memlift_barrier_init(context, &b, 0), MEMLIFT_INVALID_ARGUMENT);
    ASSERT_EQ(memlift_barrier_init(context, &b, Parties + 1), MEMLIFT_OK);
    std::atomic<unsigned> arrived[Rounds] = {};
    auto party = [&] {
      for (unsigned i = 0; i < Rounds; i++) {
        uint32_t round = 0;
        arrived[i]++;
        EXPECT_EQ(memlift_barrier_notify(&b, &round), MEMLIFT_OK);
        EXPECT_EQ(round, i + 1);
        EXPECT_EQ(memlift_barrier_wait(&b, round, MEMLIFT_FOR_EVER), MEMLIFT_OK);
        EXPECT_EQ(arrived[i], Parties + 1);
      }
      return 0;
    };
    std::vector<memlift_task> tasks;
    for (unsigned i = 0; i < Parties; i++)
      tasks.push_back(start(party, Stack));
    party(); // the host is one of them
    for (memlift_task task : tasks)
      codeOf(task);
    EXPECT_EQ(memlift_barrier_wait(&b, Rounds, 0), MEMLIFT_OK) << "long complete";
    EXPECT_EQ(memlift_barrier_wait(&b, Rounds + 1, 0), MEMLIFT_BUSY);
    EXPECT_EQ(memlift_barrier_wait(&b, Rounds + 1, Millisecond), MEMLIFT_PENDING);
    TearDown();
  }
}

TEST_F(Sync, EventFlagsEndTheWaitsTheySatisfy) {
  open(0);
  for (uint32_t how : {MEMLIFT_EVENTS_MANUAL, MEMLIFT_EVENTS_AUTO}) {
    memlift_events e;
    EXPECT_EQ(memlift_events_init(context, &e, 2), MEMLIFT_INVALID_ARGUMENT);
    ASSERT_EQ(memlift_events_init(context, &e, how), MEMLIFT_OK);
    uint32_t bits = 0;
    EXPECT_EQ(memlift_events_wait(&e, 0, 0, 0, nullptr), MEMLIFT_INVALID_ARGUMENT);
    EXPECT_EQ(memlift_events_set(&e, 6), MEMLIFT_OK);
    EXPECT_EQ(memlift_events_wait(&e, 3, MEMLIFT_EVENTS_ALL, 0, &bits), MEMLIFT_BUSY);
    EXPECT_EQ(memlift_events_wait(&e, 3, MEMLIFT_EVENTS_ANY, 0, &bits), MEMLIFT_OK);
    EXPECT_EQ(bits, 2u);
    EXPECT_EQ(memlift_events_wait(&e, 2, 0, 0, &bits),
              how == MEMLIFT_EVENTS_AUTO ? MEMLIFT_BUSY : MEMLIFT_OK);
    EXPECT_EQ(memlift_events_wait(&e, 4, 0, MEMLIFT_FOR_EVER, nullptr), MEMLIFT_OK)
        << "another bit was not cleared";
    EXPECT_EQ(memlift_events_clear(&e, UINT32_MAX), MEMLIFT_OK);
    EXPECT_EQ(memlift_events_wait(&e, UINT32_MAX, 0, Millisecond, nullptr), MEMLIFT_PENDING);
    std::vector<int> order;
    auto waiter = [&](int number, uint32_t mask, uint32_t which) {
      return start(
          [&, number, mask, which] {
            uint32_t got = 0;
            EXPECT_EQ(memlift_events_wait(&e, mask, which, MEMLIFT_FOR_EVER, &got), MEMLIFT_OK);
            order.push_back(number);
            return static_cast<int32_t>(got);
          },
          Stack);
    };
    memlift_task first = waiter(1, 3, MEMLIFT_EVENTS_ALL);
    memlift_task second = waiter(2, 3, MEMLIFT_EVENTS_ANY);
    memlift_task third = waiter(3, 1, MEMLIFT_EVENTS_ANY);
    memlift_task setter = start([&] {
      memlift_events_set(&e, 1); // not for the first, and for the second before the third
      if (how == MEMLIFT_EVENTS_AUTO)
        memlift_events_set(&e, 1);
      memlift_events_set(&e, 3);
      return 0;
    });
    codeOf(setter);
    EXPECT_EQ(codeOf(first), 3);
    EXPECT_EQ(codeOf(second), 1);
    EXPECT_EQ(codeOf(third), 1);
    EXPECT_EQ(order, (std::vector<int>{2, 3, 1}));
    EXPECT_EQ(memlift_events_wait(&e, UINT32_MAX, 0, 0, nullptr),
              how == MEMLIFT_EVENTS_AUTO ? MEMLIFT_BUSY : MEMLIFT_OK);
  }
}

// A wait that was ended by another thread looks again at once: its bits must be gone by then, and
// those of the next set must stay.
TEST_F(Sync, BitsEndOneWaitAlsoWhereThreadsRace) {
  open(2);
  constexpr uint32_t Rounds = 2000;
  memlift_events there, back;
  ASSERT_EQ(memlift_events_init(context, &there, MEMLIFT_EVENTS_AUTO), MEMLIFT_OK);
  ASSERT_EQ(memlift_events_init(context, &back, MEMLIFT_EVENTS_AUTO), MEMLIFT_OK);
  memlift_task waiter = start(
      [&] {
        int32_t again = 0;
        for (uint32_t i = 0; i < Rounds; i++) {
          uint32_t bits = 0;
          if (memlift_events_wait(&there, UINT32_MAX, 0, 10 * Second, &bits) != MEMLIFT_OK ||
              bits != 1u << i % 32)
            return -1;
          again += memlift_events_wait(&there, UINT32_MAX, 0, 0, nullptr) == MEMLIFT_OK;
          EXPECT_EQ(memlift_events_set(&back, 1), MEMLIFT_OK);
        }
        return again;
      },
      Stack, 100, 1);
  memlift_task setter = start(
      [&] {
        for (uint32_t i = 0; i < Rounds; i++) {
          EXPECT_EQ(memlift_events_set(&there, 1u << i % 32), MEMLIFT_OK);
          if (memlift_events_wait(&back, 1, 0, 10 * Second, nullptr) != MEMLIFT_OK)
            return -1;
        }
        return 0;
      },
      Stack, 100, 2);
  EXPECT_EQ(codeOf(setter), 0);
  EXPECT_EQ(codeOf(waiter), 0) << "waits were ended twice by one set, or never";
}

// ---- All at once --------------------------------------------------

// Tasks and host threads, with and without limits: never more holders than the count, none lost.
TEST_F(Sync, ManyContendForASemaphoreAndAMutex) {
  for (uint32_t units : {0u, 1u, 2u}) {
    open(units);
    memlift_semaphore s;
    memlift_mutex m;
    ASSERT_EQ(memlift_semaphore_init(context, &s, 3), MEMLIFT_OK);
    ASSERT_EQ(memlift_mutex_init(context, &m), MEMLIFT_OK);
    std::atomic<int> inside{0}, most{0}, gave_up{0};
    unsigned guarded = 0, turns = times(50);
    auto body = [&] {
      for (unsigned turn = 0; turn < turns; turn++) {
        if (memlift_semaphore_acquire(&s, turn % 4 ? MEMLIFT_FOR_EVER : 20000) != MEMLIFT_OK) {
          gave_up++;
          continue;
        }
        int now = ++inside;
        for (int seen = most; seen < now && !most.compare_exchange_weak(seen, now);)
          ;
        if (memlift_mutex_lock(&m, turn % 3 ? MEMLIFT_FOR_EVER : 50000) == MEMLIFT_OK) {
          guarded++;
          if (turn % 8 == 0 && memlift_task_self().id)
            memlift_task_yield();
          EXPECT_EQ(memlift_mutex_unlock(&m), MEMLIFT_OK);
        } else {
          gave_up++;
        }
        inside--;
        EXPECT_EQ(memlift_semaphore_release(&s, 1), MEMLIFT_OK);
      }
      return 0;
    };
    std::vector<memlift_task> tasks;
    for (int i = 0; i < 12; i++)
      tasks.push_back(start(body, Stack));
    std::vector<std::thread> threads;
    for (int i = 0; i < 2; i++)
      threads.emplace_back(body);
    for (memlift_task task : tasks)
      codeOf(task);
    for (std::thread &thread : threads)
      thread.join();
    EXPECT_LE(most, 3);
    EXPECT_EQ(guarded + static_cast<unsigned>(gave_up), 14 * turns);
    for (int i = 0; i < 3; i++)
      EXPECT_EQ(memlift_semaphore_acquire(&s, 0), MEMLIFT_OK) << "all were given back";
    EXPECT_EQ(memlift_semaphore_acquire(&s, 0), MEMLIFT_BUSY);
    EXPECT_EQ(memlift_mutex_lock(&m, 0), MEMLIFT_OK);
    EXPECT_EQ(memlift_mutex_unlock(&m), MEMLIFT_OK);
    TearDown();
  }
}

// Waits that a signal and the time end at the same moment: each ends once.
TEST_F(Sync, TimeAndWakeUpRace) {
  open(2);
  memlift_semaphore s;
  ASSERT_EQ(memlift_semaphore_init(context, &s, 0), MEMLIFT_OK);
  std::atomic<unsigned> got{0}, over{0};
  unsigned turns = times(100);
  std::vector<memlift_task> tasks;
  for (int i = 0; i < 4; i++)
    tasks.push_back(start(
        [&] {
          for (unsigned turn = 0; turn < turns; turn++)
            (memlift_semaphore_acquire(&s, 1000 + turn * 300) == MEMLIFT_OK ? got : over)++;
          return 0;
        },
        Stack));
  unsigned released = 0;
  while (memlift_task_wait_any(tasks.data(), 1, 10000, nullptr, nullptr) != MEMLIFT_OK) {
    EXPECT_EQ(memlift_semaphore_release(&s, 1), MEMLIFT_OK);
    released++;
  }
  for (memlift_task task : tasks)
    codeOf(task);
  unsigned left = 0;
  while (memlift_semaphore_acquire(&s, 0) == MEMLIFT_OK)
    left++;
  EXPECT_EQ(got + over, 4 * turns);
  EXPECT_EQ(got + left, released);
}

TEST_F(Sync, ObjectsOfOtherContextsAreNotWaitedFor) {
  open(0);
  memlift_context *second = nullptr;
  memlift_semaphore theirs;
  ASSERT_EQ(memlift_context_create(&second, nullptr, 0), MEMLIFT_OK);
  ASSERT_EQ(memlift_semaphore_init(second, &theirs, 1), MEMLIFT_OK);
  memlift_task task = start(
      [&] {
        EXPECT_EQ(memlift_semaphore_acquire(&theirs, MEMLIFT_FOR_EVER), MEMLIFT_OK);
        EXPECT_EQ(memlift_semaphore_acquire(&theirs, MEMLIFT_FOR_EVER), MEMLIFT_WRONG_SIDE);
        EXPECT_EQ(memlift_semaphore_release(&theirs, 1), MEMLIFT_OK);
        return 0;
      },
      Stack);
  codeOf(task);
  EXPECT_EQ(memlift_context_destroy(second), MEMLIFT_OK);
}
