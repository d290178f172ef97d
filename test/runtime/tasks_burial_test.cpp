// tasks_burial_test.cpp - what a unit can leave in its last step, and what becomes of it
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kill rarely hits the few instructions in between. So each test puts the memory into the state
// that a unit leaves there, and then kills that unit.
#include "tasks_process_support.h"

#include <thread>

namespace {
class Burial : public Processes {
protected:
  memlift_slot *slotOf(memlift_task task) { return &context->slot[task.id & (MEMLIFT_TASKS - 1)]; }
  uint64_t wordOf(memlift_task task) {
    return __atomic_load_n(&slotOf(task)->word, __ATOMIC_SEQ_CST);
  }
  void setWord(memlift_task task, memlift_task_state state, unsigned unit, uint64_t sequence) {
    uint64_t word = memlift_word_with_unit(memlift_word_with_state(wordOf(task), state), unit);
    word = memlift_word_with_priority(memlift_word_with_sequence(word, sequence), 100);
    __atomic_store_n(&slotOf(task)->word, word, __ATOMIC_SEQ_CST);
  }
  void await(memlift_task task, memlift_task_state state) {
    while (memlift_word_state(wordOf(task)) != state)
      std::this_thread::yield();
  }
  void idle(unsigned unit) {
    while (!(__atomic_load_n(&context->idle[0], __ATOMIC_SEQ_CST) >> unit & 1))
      std::this_thread::yield();
  }
  // A process that sleeps has nothing in its hands but what the test has put there.
  void bury(unsigned unit) {
    unsigned before = 0, lost = 0;
    ASSERT_EQ(memlift_context_check(context, &before), MEMLIFT_OK);
    ASSERT_EQ(signalTo(processOf(unit), SIGKILL), 0);
    while (lost <= before)
      ASSERT_EQ(memlift_context_check(context, &lost), MEMLIFT_OK);
  }
  void leaveNote(unsigned unit, memlift_line *line, memlift_line_kind kind) {
    context->parker[unit].line_kind = kind;
    context->parker[unit].line = line;
  }
  memlift_status statusOf(memlift_task task, uint64_t ns = 5 * Second) {
    return memlift_task_wait(task, ns, nullptr);
  }
  // A task on unit 1 that waits for an object at args[0], with a limit of args[1].
  memlift_task waits(memlift_task_function function, void *object, uint64_t ns = MEMLIFT_FOR_EVER) {
    memlift_task task = create(function, Stack, 2);
    start(task, {address(object), ns});
    await(task, MEMLIFT_TASK_BLOCKED);
    return task;
  }
  unsigned numberOf(memlift_task task) { return task.id & (MEMLIFT_TASKS - 1); }

  static int32_t waitsForTwoFlags(const uint64_t a[4]) {
    auto *e = reinterpret_cast<memlift_events *>(a[0]);
    return static_cast<int32_t>(memlift_events_wait(e, 6, MEMLIFT_EVENTS_ALL, a[1], nullptr));
  }
  static int32_t acquires(const uint64_t a[4]) {
    return memlift_semaphore_acquire(reinterpret_cast<memlift_semaphore *>(a[0]), a[1]);
  }
  static int32_t locks(const uint64_t a[4]) {
    auto *mutex = reinterpret_cast<memlift_mutex *>(a[0]);
    memlift_status status = memlift_mutex_lock(mutex, a[1]);
    memlift_mutex_unlock(mutex);
    return status;
  }
};
int32_t returns(const uint64_t *) { return 3; }
} // namespace

TEST_F(Burial, AClaimedTaskIsFreeForOthersAgain) {
  open(2);
  memlift_task run = create(returns), destroyed = create(returns), made = create(returns);
  created.pop_back(), created.pop_back();
  idle(0);
  setWord(run, MEMLIFT_TASK_CLAIMED, 0, MEMLIFT_CLAIMED_TO_RUN);
  setWord(destroyed, MEMLIFT_TASK_CLAIMED, 0, MEMLIFT_CLAIMED_TO_DESTROY);
  setWord(made, MEMLIFT_TASK_CLAIMED, 0, MEMLIFT_CLAIMED_TO_CREATE);
  memlift_task others = create(returns);
  setWord(others, MEMLIFT_TASK_CLAIMED, 1, MEMLIFT_CLAIMED_TO_RUN);
  bury(0);
  EXPECT_EQ(statusOf(run), MEMLIFT_LOST);
  EXPECT_EQ(this->run(run), 3);
  EXPECT_EQ(memlift_task_schedule(destroyed, nullptr, 1), MEMLIFT_INVALID_ARGUMENT);
  EXPECT_EQ(memlift_word_state(wordOf(destroyed)), MEMLIFT_TASK_FREE);
  EXPECT_EQ(memlift_word_state(wordOf(made)), MEMLIFT_TASK_FREE);
  EXPECT_EQ(memlift_word_state(wordOf(others)), MEMLIFT_TASK_CLAIMED) << "its claimer lives";
  setWord(others, MEMLIFT_TASK_ENDED, MEMLIFT_NO_UNIT, 0);
}

TEST_F(Burial, AReadyTaskWithoutAnEntryIsRun) {
  open(2);
  memlift_task task = create(returns);
  idle(0);
  setWord(task, MEMLIFT_TASK_READY, MEMLIFT_NO_UNIT, 5000);
  EXPECT_EQ(statusOf(task, 20 * Millisecond), MEMLIFT_PENDING) << "nobody finds it";
  bury(0);
  EXPECT_EQ(codeOf(task), 3);
}

TEST_F(Burial, AClearedMarkIsSet) {
  open(2);
  auto *gate = shared<std::atomic<int>>();
  memlift_task first = create(
      [](const uint64_t a[4]) {
        while (!*reinterpret_cast<std::atomic<int> *>(a[0]))
          usleep(100);
        return 1;
      },
      0, 2);
  start(first, {address(gate)});
  await(first, MEMLIFT_TASK_RUNNING);
  idle(0);
  memlift_task task = create(returns, 0, 2); // waits for unit 1, in the ring
  start(task);
  std::this_thread::sleep_for(std::chrono::milliseconds(5)); // until unit 0 has looked, if it does
  for (uint64_t &word : context->map)
    __atomic_store_n(&word, 0, __ATOMIC_SEQ_CST);
  *gate = 1;
  EXPECT_EQ(codeOf(first), 1);
  EXPECT_EQ(statusOf(task, 20 * Millisecond), MEMLIFT_PENDING) << "nobody looks";
  bury(0);
  EXPECT_EQ(codeOf(task), 3);
}

TEST_F(Burial, AWokenTaskThatNobodyMadeReadyGoesOn) {
  open(2);
  auto *semaphore = shared<memlift_semaphore>();
  ASSERT_EQ(memlift_semaphore_init(context, semaphore, 0), MEMLIFT_OK);
  memlift_task task = waits(acquires, semaphore);
  idle(0), idle(1);
  memlift_waiter *w = &context->waiter[numberOf(task)];
  // Unit 0 releases, up to the exchange of the wake word.
  semaphore->line.lock = 1 + 0;
  semaphore->line.first = semaphore->line.last = MEMLIFT_NOBODY;
  w->linked = 0, semaphore->word = 0;
  w->wake = (w->wake & ~uint64_t(0xff)) | uint64_t(1) << 16 | MEMLIFT_WAKE_WOKEN;
  EXPECT_EQ(statusOf(task, 20 * Millisecond), MEMLIFT_PENDING);
  leaveNote(0, &semaphore->line, MEMLIFT_LINE_SEMAPHORE);
  bury(0);
  EXPECT_EQ(codeOf(task), MEMLIFT_OK);
  EXPECT_EQ(memlift_semaphore_release(semaphore, 1), MEMLIFT_OK) << "its line is free";
  EXPECT_EQ(memlift_semaphore_acquire(semaphore, 0), MEMLIFT_OK);
}

// It has taken the first out of the line, or has not yet put the last one in; and it has the lock.
TEST_F(Burial, ALineThatIsHalfLinkedIsLinkedAnew) {
  open(2);
  auto *semaphore = shared<memlift_semaphore>();
  ASSERT_EQ(memlift_semaphore_init(context, semaphore, 0), MEMLIFT_OK);
  memlift_task tasks[3];
  for (memlift_task &task : tasks)
    task = waits(acquires, semaphore);
  idle(0);
  semaphore->line.lock = 1 + 0;
  semaphore->word--; // one is counted off, and out of the line, and was not woken
  semaphore->line.first = static_cast<uint16_t>(numberOf(tasks[1]));
  context->waiter[numberOf(tasks[0])].linked = 0;
  context->waiter[numberOf(tasks[1])].next = MEMLIFT_NOBODY; // and the rest is gone
  leaveNote(0, &semaphore->line, MEMLIFT_LINE_SEMAPHORE);
  bury(0);
  for (memlift_task task : tasks) {
    EXPECT_EQ(statusOf(task, 10 * Millisecond), MEMLIFT_PENDING);
    ASSERT_EQ(memlift_semaphore_release(semaphore, 1), MEMLIFT_OK);
    EXPECT_EQ(codeOf(task), MEMLIFT_OK) << "in their order";
  }
  EXPECT_EQ(memlift_semaphore_acquire(semaphore, 0), MEMLIFT_BUSY);
}

// A release has given back, and has not come to wake who waits.
TEST_F(Burial, WhatWasReleasedIsGiven) {
  open(2);
  auto *semaphore = shared<memlift_semaphore>();
  ASSERT_EQ(memlift_semaphore_init(context, semaphore, 0), MEMLIFT_OK);
  memlift_task task = waits(acquires, semaphore);
  idle(0);
  semaphore->line.lock = 1 + 0;
  semaphore->word += uint64_t(2) << 32;
  leaveNote(0, &semaphore->line, MEMLIFT_LINE_SEMAPHORE);
  bury(0);
  EXPECT_EQ(codeOf(task), MEMLIFT_OK);
  EXPECT_EQ(memlift_semaphore_acquire(semaphore, 0), MEMLIFT_OK);
  EXPECT_EQ(memlift_semaphore_acquire(semaphore, 0), MEMLIFT_BUSY);
}

// A permit on its way to a task of the lost unit is for the next.
TEST_F(Burial, WhatALostTaskWasGivenGoesToOthers) {
  open(2);
  auto *semaphore = shared<memlift_semaphore>();
  ASSERT_EQ(memlift_semaphore_init(context, semaphore, 0), MEMLIFT_OK);
  memlift_task task = waits(acquires, semaphore), next = waits(acquires, semaphore);
  idle(1);
  ASSERT_EQ(signalTo(processOf(1), SIGSTOP), 0); // and cannot go on with it
  ASSERT_EQ(memlift_semaphore_release(semaphore, 1), MEMLIFT_OK);
  bury(1);
  EXPECT_EQ(statusOf(task), MEMLIFT_LOST);
  EXPECT_EQ(statusOf(next), MEMLIFT_LOST);
  EXPECT_EQ(memlift_semaphore_acquire(semaphore, 0), MEMLIFT_OK) << "nobody has had it";
  EXPECT_EQ(memlift_semaphore_acquire(semaphore, 0), MEMLIFT_BUSY);
}

TEST_F(Burial, AMutexThatIsInNoListIsGivenOn) {
  open(2);
  auto *mutex = shared<memlift_mutex>();
  ASSERT_EQ(memlift_mutex_init(context, mutex), MEMLIFT_OK);
  memlift_task dying = create([](const uint64_t *) { return pause(); }, Stack, 1);
  start(dying);
  await(dying, MEMLIFT_TASK_RUNNING);
  mutex->word = dying.id; // taken, and not noted in the task's list
  context->more[numberOf(dying)].locking = mutex;
  memlift_task task = waits(locks, mutex);
  bury(0);
  EXPECT_EQ(codeOf(task), MEMLIFT_LOST);
  EXPECT_EQ(memlift_mutex_lock(mutex, 0), MEMLIFT_OK);
  EXPECT_EQ(memlift_mutex_unlock(mutex), MEMLIFT_OK);
}

// It was given to a waiter, who was not told.
TEST_F(Burial, ANewOwnerIsTold) {
  open(2);
  auto *mutex = shared<memlift_mutex>();
  ASSERT_EQ(memlift_mutex_init(context, mutex), MEMLIFT_OK);
  ASSERT_EQ(memlift_mutex_lock(mutex, 0), MEMLIFT_OK);
  memlift_task task = waits(locks, mutex), next = waits(locks, mutex);
  idle(0);
  mutex->line.lock = 1 + 0;
  mutex->word = task.id; // and "waited for" is not set yet
  leaveNote(0, &mutex->line, MEMLIFT_LINE_MUTEX);
  bury(0);
  EXPECT_EQ(codeOf(task), MEMLIFT_OK);
  EXPECT_EQ(codeOf(next), MEMLIFT_OK);
  EXPECT_EQ(memlift_mutex_lock(mutex, 0), MEMLIFT_OK);
}

TEST_F(Burial, ACompleteRoundIsTold) {
  open(2);
  auto *barrier = shared<memlift_barrier>();
  ASSERT_EQ(memlift_barrier_init(context, barrier, 2), MEMLIFT_OK);
  memlift_task task = waits(
      [](const uint64_t a[4]) {
        auto *b = reinterpret_cast<memlift_barrier *>(a[0]);
        uint32_t round = 0;
        memlift_barrier_notify(b, &round);
        return static_cast<int32_t>(memlift_barrier_wait(b, round, a[1]));
      },
      barrier);
  idle(0);
  barrier->word = uint64_t(1) << 32;
  leaveNote(0, &barrier->line, MEMLIFT_LINE_BARRIER);
  bury(0);
  EXPECT_EQ(codeOf(task), MEMLIFT_OK);
}

TEST_F(Burial, FlagsThatAreSetAreTold) {
  open(2);
  auto *events = shared<memlift_events>();
  ASSERT_EQ(memlift_events_init(context, events, MEMLIFT_EVENTS_MANUAL), MEMLIFT_OK);
  memlift_task task = waits(waitsForTwoFlags, events);
  idle(0);
  events->line.lock = 1 + 0;
  events->word |= uint64_t(6) << 32;
  leaveNote(0, &events->line, MEMLIFT_LINE_EVENTS);
  bury(0);
  EXPECT_EQ(codeOf(task), MEMLIFT_OK);
}

// It has taken them for the waiter, and has not woken it.
TEST_F(Burial, FlagsThatWereTakenArePutBack) {
  open(2);
  auto *events = shared<memlift_events>();
  ASSERT_EQ(memlift_events_init(context, events, MEMLIFT_EVENTS_AUTO), MEMLIFT_OK);
  memlift_task task = waits(waitsForTwoFlags, events);
  idle(0);
  events->line.lock = 1 + 0;
  events->word |= uint64_t(8) << 32; // is not among those that were taken
  context->waiter[events->line.first].got = 6;
  leaveNote(0, &events->line, MEMLIFT_LINE_EVENTS);
  bury(0);
  EXPECT_EQ(codeOf(task), MEMLIFT_OK);
  EXPECT_EQ(memlift_events_wait(events, 6, MEMLIFT_EVENTS_ANY, 0, nullptr), MEMLIFT_BUSY);
  EXPECT_EQ(memlift_events_wait(events, 8, MEMLIFT_EVENTS_ANY, 0, nullptr), MEMLIFT_OK);
}

// It was at the clock, and has not set the next deadline again.
TEST_F(Burial, DeadlinesAreNotForgotten) {
  open(2);
  auto *semaphore = shared<memlift_semaphore>();
  ASSERT_EQ(memlift_semaphore_init(context, semaphore, 0), MEMLIFT_OK);
  memlift_task task = waits(acquires, semaphore, 300 * Millisecond);
  idle(0), idle(1);
  __atomic_store_n(&context->next_deadline, UINT64_MAX, __ATOMIC_SEQ_CST);
  bury(0);
  EXPECT_EQ(codeOf(task), MEMLIFT_PENDING);
}

// Memory that a unit has spoilt before it was killed for that does not harm the host.
TEST_F(Burial, WhatIsNoObjectIsLeftAlone) {
  open(2);
  auto *bytes = shared<std::array<uint64_t, 64>>();
  bytes->fill(0x1234567812345678);
  memlift_task dying = create([](const uint64_t *) { return pause(); }, Stack, 1);
  for (uint64_t where : {uint64_t(16), UINT64_MAX - 8, address(bytes) + 64, address(bytes) + 3,
                         address(&context->slot[5]), address(this)}) {
    start(dying);
    await(dying, MEMLIFT_TASK_RUNNING);
    slotOf(dying)->held = reinterpret_cast<memlift_mutex *>(where);
    context->more[numberOf(dying)].locking = reinterpret_cast<memlift_mutex *>(where);
    context->waiter[numberOf(dying)].line = reinterpret_cast<memlift_line *>(where);
    context->waiter[numberOf(dying)].line_kind = MEMLIFT_LINE_MUTEX;
    leaveNote(0, reinterpret_cast<memlift_line *>(where), MEMLIFT_LINE_SEMAPHORE);
    bury(0);
    EXPECT_EQ(statusOf(dying), MEMLIFT_LOST);
  }
  EXPECT_EQ(std::count(bytes->begin(), bytes->end(), 0x1234567812345678), 64);
}
