// task_queue_test.cpp - queues of tasks: order, two steps, tasks that end in between, closing
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tasks_support.h"

#include "tasks/queue.h"

#include "memlift/sync.h"

#include <atomic>
#include <cstring>
#include <numeric>
#include <thread>

class TaskQueue : public Tasks {
protected:
  void create(uint32_t depth, size_t entry = sizeof(uint64_t)) {
    buffer.assign(MEMLIFT_QUEUE_BYTES(entry, depth) / 8, 0x5555555555555555);
    ASSERT_EQ(memlift_queue_init(context, &q, buffer.data(), entry, depth), MEMLIFT_OK);
  }
  memlift_status push(uint64_t value, uint64_t ns = 0) {
    return memlift_queue_push(&q, &value, ns);
  }
  // The value, or minus the status.
  int64_t pop(uint64_t ns = 0) {
    uint64_t value = 0;
    memlift_status status = memlift_queue_pop(&q, &value, ns);
    return status == MEMLIFT_OK ? static_cast<int64_t>(value) : -int64_t(status);
  }
  memlift_queue q;
  std::vector<uint64_t> buffer;
};

TEST_F(TaskQueue, ArgumentsOutOfRangeAreRefused) {
  open(0);
  uint64_t memory[64];
  uint32_t ticket = 0;
  auto init = [&](void *at, size_t entry, uint32_t depth) {
    return memlift_queue_init(context, &q, at, entry, depth);
  };
  EXPECT_EQ(init(nullptr, 8, 2), MEMLIFT_INVALID_ARGUMENT);
  EXPECT_EQ(init(reinterpret_cast<char *>(memory) + 4, 8, 2), MEMLIFT_INVALID_ARGUMENT);
  EXPECT_EQ(init(memory, 0, 2), MEMLIFT_INVALID_ARGUMENT);
  EXPECT_EQ(init(memory, MEMLIFT_QUEUE_ENTRY + 1, 2), MEMLIFT_INVALID_ARGUMENT);
  EXPECT_EQ(init(memory, 8, 3), MEMLIFT_INVALID_ARGUMENT);
  EXPECT_EQ(init(memory, 8, 0), MEMLIFT_INVALID_ARGUMENT);
  ASSERT_EQ(init(memory, 8, 2), MEMLIFT_OK);
  EXPECT_EQ(memlift_queue_push(&q, nullptr, 0), MEMLIFT_INVALID_ARGUMENT);
  EXPECT_EQ(memlift_queue_push_begin(&q, memory, 32, 0, &ticket), MEMLIFT_INVALID_ARGUMENT);
  EXPECT_EQ(memlift_queue_pop_begin(&q, memory, 0, 0, nullptr), MEMLIFT_INVALID_ARGUMENT);
  EXPECT_EQ(memlift_queue_push_end(&q, 0), MEMLIFT_WRONG_STATE);
  EXPECT_EQ(memlift_queue_pop_end(&q, 7), MEMLIFT_WRONG_STATE);
}

// Each end wakes one that waits. The end of the second place is too early for who is woken by it.
TEST_F(TaskQueue, PushesThatEndInReverseOrderWakeAllWhoPop) {
  open(0);
  create(4);
  std::vector<memlift_task> poppers;
  for (int i = 0; i < 2; i++)
    poppers.push_back(start([&] { return static_cast<int32_t>(pop(MEMLIFT_FOR_EVER)); }, Stack));
  EXPECT_EQ(memlift_task_wait(poppers[0], Millisecond, nullptr), MEMLIFT_PENDING); // both sleep
  uint32_t tickets[2];
  for (uint64_t i = 0; i < 2; i++)
    ASSERT_EQ(memlift_queue_push_begin(&q, &i, 0, 0, &tickets[i]), MEMLIFT_OK);
  ASSERT_EQ(memlift_queue_push_end(&q, tickets[1]), MEMLIFT_OK);
  EXPECT_EQ(memlift_task_wait(poppers[0], Millisecond, nullptr), MEMLIFT_PENDING); // it has looked
  ASSERT_EQ(memlift_queue_push_end(&q, tickets[0]), MEMLIFT_OK);
  EXPECT_EQ(codeOf(poppers[0], 10 * Second) + codeOf(poppers[1], 10 * Second), 0 + 1);
}

TEST_F(TaskQueue, PopsThatEndInReverseOrderWakeAllWhoPush) {
  open(0);
  create(2);
  for (uint64_t i = 0; i < 2; i++)
    ASSERT_EQ(push(i), MEMLIFT_OK);
  std::vector<memlift_task> pushers;
  for (uint64_t i = 2; i < 4; i++)
    pushers.push_back(start([&, i] { return int32_t(push(i, MEMLIFT_FOR_EVER)); }, Stack));
  EXPECT_EQ(memlift_task_wait(pushers[0], Millisecond, nullptr), MEMLIFT_PENDING); // both sleep
  uint32_t tickets[2];
  uint64_t value;
  for (uint32_t &ticket : tickets)
    ASSERT_EQ(memlift_queue_pop_begin(&q, &value, 0, 0, &ticket), MEMLIFT_OK);
  ASSERT_EQ(memlift_queue_pop_end(&q, tickets[1]), MEMLIFT_OK);
  EXPECT_EQ(memlift_task_wait(pushers[0], Millisecond, nullptr), MEMLIFT_PENDING); // it has looked
  ASSERT_EQ(memlift_queue_pop_end(&q, tickets[0]), MEMLIFT_OK);
  for (memlift_task pusher : pushers)
    EXPECT_EQ(codeOf(pusher, 10 * Second), MEMLIFT_OK);
  EXPECT_EQ(pop() + pop(), 2 + 3);
}

// The place in between is that of a task that has ended: who is woken for the next one skips it.
TEST_F(TaskQueue, APlaceToSkipBehindTheFirstKeepsNobodyAsleep) {
  open(0);
  create(4);
  std::vector<memlift_task> poppers;
  for (int i = 0; i < 2; i++)
    poppers.push_back(start([&] { return static_cast<int32_t>(pop(MEMLIFT_FOR_EVER)); }, Stack));
  EXPECT_EQ(memlift_task_wait(poppers[0], Millisecond, nullptr), MEMLIFT_PENDING);
  uint32_t ticket;
  uint64_t values[] = {10, 20};
  ASSERT_EQ(memlift_queue_push_begin(&q, &values[0], 0, 0, &ticket), MEMLIFT_OK);
  memlift_task gone = start([&] {
    uint32_t open;
    return int32_t(memlift_queue_push_begin(&q, &values[0], 0, 0, &open));
  });
  EXPECT_EQ(codeOf(gone), MEMLIFT_OK);
  ASSERT_EQ(push(values[1]), MEMLIFT_OK);
  EXPECT_EQ(memlift_task_wait(poppers[0], Millisecond, nullptr), MEMLIFT_PENDING);
  ASSERT_EQ(memlift_queue_push_end(&q, ticket), MEMLIFT_OK);
  EXPECT_EQ(codeOf(poppers[0], 10 * Second) + codeOf(poppers[1], 10 * Second), 10 + 20);
}

TEST_F(TaskQueue, FirstInIsFirstOutThroughManyTurns) {
  open(0);
  for (size_t entry : {1, 7, 8, 64, 1000, 16384})
    for (uint32_t depth : {1u, 2u, 8u}) {
      create(depth, entry);
      std::vector<unsigned char> in(entry + 1), out(entry + 1);
      uint32_t count = 99;
      for (unsigned turn = 0; turn < 5; turn++) {
        for (uint32_t i = 0; i < depth; i++) {
          std::iota(in.begin(), in.end(), static_cast<unsigned char>(turn * 16 + i));
          ASSERT_EQ(memlift_queue_push(&q, in.data() + 1, 0), MEMLIFT_OK); // misaligned
        }
        ASSERT_EQ(memlift_queue_push(&q, in.data(), 0), MEMLIFT_BUSY);
        ASSERT_EQ(memlift_queue_count(&q, &count), MEMLIFT_OK);
        ASSERT_EQ(count, depth);
        for (uint32_t i = 0; i < depth; i++) {
          std::iota(in.begin(), in.end(), static_cast<unsigned char>(turn * 16 + i));
          ASSERT_EQ(memlift_queue_peek(&q, out.data(), 0), MEMLIFT_OK);
          ASSERT_EQ(std::memcmp(in.data() + 1, out.data(), entry), 0);
          ASSERT_EQ(memlift_queue_pop(&q, out.data() + 1, 0), MEMLIFT_OK);
          ASSERT_EQ(std::memcmp(in.data() + 1, out.data() + 1, entry), 0);
        }
        ASSERT_EQ(memlift_queue_pop(&q, out.data(), 0), MEMLIFT_BUSY);
        ASSERT_EQ(memlift_queue_peek(&q, out.data(), 0), MEMLIFT_BUSY);
      }
    }
}

// Errors 1 and 2 of MARS: begin held the lock of the queue, and there was one copy for all queues.
TEST_F(TaskQueue, AnyNumberIsBegunAndEndsInAnyOrder) {
  open(0);
  create(4);
  std::vector<uint64_t> other_buffer(MEMLIFT_QUEUE_BYTES(8, 2) / 8);
  memlift_queue other;
  ASSERT_EQ(memlift_queue_init(context, &other, other_buffer.data(), 8, 2), MEMLIFT_OK);
  uint64_t values[4] = {10, 11, 12, 13}, out[3] = {};
  uint32_t t[4], theirs = 0, taken[3];
  for (int i = 0; i < 3; i++)
    ASSERT_EQ(memlift_queue_push_begin(&q, &values[i], 0, 0, &t[i]), MEMLIFT_OK);
  ASSERT_EQ(memlift_queue_push_begin(&other, &values[3], 31, 0, &theirs), MEMLIFT_OK);
  EXPECT_EQ(pop(), -MEMLIFT_BUSY);
  EXPECT_EQ(memlift_queue_push_end(&q, t[2]), MEMLIFT_OK);
  EXPECT_EQ(pop(), -MEMLIFT_BUSY) << "the first is not complete";
  EXPECT_EQ(push(99), MEMLIFT_OK) << "others go on";
  EXPECT_EQ(memlift_queue_push_end(&q, t[0]), MEMLIFT_OK);
  EXPECT_EQ(memlift_queue_push_end(&q, t[0]), MEMLIFT_WRONG_STATE);
  EXPECT_EQ(pop(), 10);
  EXPECT_EQ(pop(), -MEMLIFT_BUSY);
  EXPECT_EQ(memlift_queue_push_end(&q, t[1]), MEMLIFT_OK);
  for (int i = 0; i < 3; i++)
    ASSERT_EQ(memlift_queue_pop_begin(&q, &out[i], 0, 0, &taken[i]), MEMLIFT_OK);
  EXPECT_EQ(out[0], 11u);
  EXPECT_EQ(out[1], 12u);
  EXPECT_EQ(out[2], 99u);
  EXPECT_EQ(push(1), MEMLIFT_OK) << "the place of the first";
  EXPECT_EQ(push(2), MEMLIFT_BUSY);
  EXPECT_EQ(memlift_queue_pop_end(&q, taken[1]), MEMLIFT_OK);
  EXPECT_EQ(push(2), MEMLIFT_BUSY) << "the next place is that of the first to be taken";
  EXPECT_EQ(memlift_queue_pop_end(&q, taken[0]), MEMLIFT_OK);
  EXPECT_EQ(push(2), MEMLIFT_OK);
  EXPECT_EQ(memlift_queue_pop_end(&q, taken[2]), MEMLIFT_OK);
  EXPECT_EQ(memlift_queue_push_end(&other, theirs), MEMLIFT_OK);
  uint64_t value = 0;
  EXPECT_EQ(memlift_queue_pop(&other, &value, 0), MEMLIFT_OK);
  EXPECT_EQ(value, 13u);
  EXPECT_EQ(pop(), 1);
  EXPECT_EQ(pop(), 2);
}

// Error 1 of MARS again: who ends between begin and end stops nobody, also not who waits already.
TEST_F(TaskQueue, ATaskThatEndsInBetweenHoldsUpNobody) {
  for (size_t stack : {size_t(0), Stack}) {
    open(1);
    create(2);
    std::atomic<bool> begun{false}, go{false};
    uint32_t ticket = 0;
    memlift_task pusher = start(
        [&] {
          uint64_t value = 1;
          EXPECT_EQ(memlift_queue_push_begin(&q, &value, 0, 0, &ticket), MEMLIFT_OK);
          begun = true;
          while (!go)
            std::this_thread::yield();
          return 0; // and no push_end
        },
        stack);
    while (!begun)
      std::this_thread::yield();
    EXPECT_EQ(memlift_queue_push_end(&q, ticket), MEMLIFT_WRONG_STATE) << "not ours";
    EXPECT_EQ(push(2), MEMLIFT_OK);
    int64_t got = 0;
    std::thread waiter([&] { got = pop(100 * Second); });
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    go = true;
    EXPECT_EQ(codeOf(pusher), 0);
    waiter.join();
    EXPECT_EQ(got, 2);
    ASSERT_EQ(push(3), MEMLIFT_OK);
    ASSERT_EQ(push(4), MEMLIFT_OK);
    begun = go = false;
    memlift_task popper = start(
        [&] {
          uint64_t value = 0;
          EXPECT_EQ(memlift_queue_pop_begin(&q, &value, 0, 0, &ticket), MEMLIFT_OK);
          begun = true;
          while (!go)
            std::this_thread::yield();
          return static_cast<int32_t>(value);
        },
        stack);
    while (!begun)
      std::this_thread::yield();
    std::thread second([&] { EXPECT_EQ(push(5, 100 * Second), MEMLIFT_OK); });
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    go = true;
    EXPECT_EQ(codeOf(popper), 3);
    second.join();
    EXPECT_EQ(pop(), 4);
    EXPECT_EQ(pop(), 5);
    TearDown();
  }
}

// Whoever stops for good within a call has taken a place, and has not come to move the tail on, or
// is in the middle of a peek. The next call finds that this task is over.
TEST_F(TaskQueue, APlaceWhoseTakerStoppedAtOnceHoldsUpNobody) {
  open(0);
  create(4);
  uint64_t who = 0, value = 0;
  memlift_task gone = start([&] {
    who = queue_who(&q);
    return 0;
  });
  codeOf(gone);
  for (uint64_t round = 0; round < 10; round++) {
    uint64_t first = 7 + round, ticket = q.tail;
    ASSERT_EQ(ticket, q.head);
    *queue_place(&q, ticket) = queue_state(ticket, who, QUEUE_FILLING);
    EXPECT_EQ(memlift_queue_pop(&q, &value, 0), MEMLIFT_BUSY);
    ASSERT_EQ(memlift_queue_push(&q, &first, 0), MEMLIFT_OK);
    uint64_t at = q.tail - 1;
    *queue_place(&q, at) = queue_state(at, who, QUEUE_SHOWING);
    EXPECT_EQ(memlift_queue_peek(&q, &value, 0), MEMLIFT_OK);
    EXPECT_EQ(memlift_queue_pop(&q, &value, 0), MEMLIFT_OK);
    EXPECT_EQ(value, first);
    ASSERT_EQ(memlift_queue_push(&q, &first, 0), MEMLIFT_OK);
    at = q.tail - 1;
    *queue_place(&q, at) = queue_state(at, who, QUEUE_EMPTYING); // and the head is behind
    for (int i = 0; i < 4; i++)
      EXPECT_EQ(memlift_queue_push(&q, &first, 0), MEMLIFT_OK);
    EXPECT_EQ(memlift_queue_push(&q, &first, 0), MEMLIFT_BUSY) << "4 are in it";
    for (int i = 0; i < 4; i++)
      EXPECT_EQ(memlift_queue_pop(&q, &value, 0), MEMLIFT_OK);
    EXPECT_EQ(memlift_queue_pop(&q, &value, 0), MEMLIFT_BUSY);
    uint32_t count = 9;
    EXPECT_EQ(memlift_queue_count(&q, &count), MEMLIFT_OK);
    EXPECT_EQ(count, 0u);
  }
}

// Tail and head are stored after a place was taken, so a thread that is late brings them back to
// what was true before: by any number of tickets, each on its own.
TEST_F(TaskQueue, ATailAndAHeadThatFallBackChangeNothing) {
  for (uint32_t depth : {1u, 2u, 8u}) {
    open(0);
    create(depth);
    for (uint64_t i = 0; i < 100; i++) {
      ASSERT_EQ(push(i), MEMLIFT_OK);
      ASSERT_EQ(pop(), static_cast<int64_t>(i));
    }
    for (uint64_t tailBack = 0; tailBack < 100; tailBack += 3)
      for (uint64_t headBack = 0; headBack < 100; headBack += 7)
        for (uint32_t entries = 0; entries <= depth; entries++) {
          auto fallBack = [&] { q.tail -= tailBack, q.head -= headBack; };
          uint32_t count = 99;
          for (uint64_t i = 0; i < entries; i++) {
            fallBack();
            ASSERT_EQ(push(i), MEMLIFT_OK);
          }
          fallBack();
          ASSERT_EQ(memlift_queue_count(&q, &count), MEMLIFT_OK);
          ASSERT_EQ(count, entries) << depth << " places, " << tailBack << ", " << headBack;
          if (entries == depth) {
            ASSERT_EQ(push(9), MEMLIFT_BUSY);
          }
          for (uint64_t i = 0; i < entries; i++) {
            fallBack();
            ASSERT_EQ(pop(), static_cast<int64_t>(i));
          }
          fallBack();
          ASSERT_EQ(pop(), -int64_t(MEMLIFT_BUSY));
        }
    ASSERT_EQ(push(5), MEMLIFT_OK);
    q.tail -= 2, q.head -= 3;
    EXPECT_EQ(memlift_queue_close(&q), MEMLIFT_OK);
    EXPECT_EQ(push(6), MEMLIFT_CANCELLED);
    EXPECT_EQ(pop(), 5);
    q.tail -= 3, q.head -= 1;
    EXPECT_EQ(pop(), -int64_t(MEMLIFT_CANCELLED));
    TearDown();
  }
}

// Error 6 of MARS: those who wait are woken, all of them.
TEST_F(TaskQueue, ClosingWakesAllAndDrains) {
  for (uint32_t units : {0u, 2u}) {
    open(units);
    create(2);
    std::vector<memlift_task> tasks;
    for (int i = 0; i < 20; i++)
      tasks.push_back(start([&] { return static_cast<int32_t>(pop(MEMLIFT_FOR_EVER)); }, Stack));
    EXPECT_EQ(memlift_task_wait(tasks.back(), 2 * Millisecond, nullptr), MEMLIFT_PENDING);
    EXPECT_EQ(push(7), MEMLIFT_OK);
    EXPECT_EQ(memlift_queue_close(&q), MEMLIFT_OK);
    EXPECT_EQ(push(8), MEMLIFT_CANCELLED);
    int seven = 0;
    for (memlift_task task : tasks) {
      int32_t code = codeOf(task);
      seven += code == 7;
      EXPECT_TRUE(code == 7 || code == -MEMLIFT_CANCELLED) << code;
    }
    EXPECT_EQ(seven, 1);
    EXPECT_EQ(pop(), -int64_t(MEMLIFT_CANCELLED));
    create(1);
    ASSERT_EQ(push(1), MEMLIFT_OK);
    memlift_task pusher =
        start([&] { return static_cast<int32_t>(push(2, MEMLIFT_FOR_EVER)); }, Stack);
    EXPECT_EQ(memlift_task_wait(pusher, 2 * Millisecond, nullptr), MEMLIFT_PENDING);
    EXPECT_EQ(memlift_queue_close(&q), MEMLIFT_OK);
    EXPECT_EQ(codeOf(pusher), MEMLIFT_CANCELLED);
    EXPECT_EQ(pop(), 1) << "what was in it";
    EXPECT_EQ(pop(MEMLIFT_FOR_EVER), -MEMLIFT_CANCELLED);
    TearDown();
  }
}

TEST_F(TaskQueue, TimeRunsOut) {
  open(0);
  create(1);
  EXPECT_EQ(pop(Millisecond), -MEMLIFT_PENDING);
  ASSERT_EQ(push(1), MEMLIFT_OK);
  EXPECT_EQ(push(2, Millisecond), MEMLIFT_PENDING);
  memlift_task complete = start([&] {
    EXPECT_EQ(push(2, MEMLIFT_FOR_EVER), MEMLIFT_CANNOT_SWITCH);
    EXPECT_EQ(push(2, 0), MEMLIFT_BUSY);
    return 0;
  });
  codeOf(complete);
  EXPECT_EQ(pop(), 1);
}

// Pushers and poppers, tasks and host threads: each entry arrives once, in order of its pusher.
TEST_F(TaskQueue, ManyPushAndPop) {
  for (uint32_t units : {0u, 1u, 2u})
    for (uint32_t depth : {1u, 4u}) {
      open(units);
      create(depth);
      constexpr uint64_t Pushers = 4;
      uint64_t each = times(150);
      std::atomic<uint64_t> popped{0};
      auto pusher = [&](uint64_t number) {
        for (uint64_t i = 0; i < each; i++) {
          uint64_t value = number << 32 | i;
          uint32_t ticket = 0;
          if (i % 5) {
            EXPECT_EQ(memlift_queue_push(&q, &value, MEMLIFT_FOR_EVER), MEMLIFT_OK);
            continue;
          }
          EXPECT_EQ(memlift_queue_push_begin(&q, &value, 0, MEMLIFT_FOR_EVER, &ticket), MEMLIFT_OK);
          if (memlift_task_self().id)
            memlift_task_yield();
          EXPECT_EQ(memlift_queue_push_end(&q, ticket), MEMLIFT_OK);
        }
        return 0;
      };
      auto popper = [&] {
        uint64_t next[Pushers] = {}, value = 0;
        uint32_t ticket = 0;
        while (memlift_queue_pop_begin(&q, &value, 0, MEMLIFT_FOR_EVER, &ticket) == MEMLIFT_OK) {
          EXPECT_EQ(memlift_queue_pop_end(&q, ticket), MEMLIFT_OK);
          EXPECT_GE(value & 0xffffffff, next[value >> 32]);
          next[value >> 32] = (value & 0xffffffff) + 1;
          popped++;
          memlift_queue_peek(&q, &value, 0);
        }
        return 0;
      };
      std::vector<memlift_task> pushers, poppers;
      for (uint64_t i = 0; i + 1 < Pushers; i++)
        pushers.push_back(start([&, i] { return pusher(i); }, Stack));
      for (int i = 0; i < 3; i++)
        poppers.push_back(start(popper, Stack));
      std::thread host([&] { pusher(Pushers - 1); });
      for (memlift_task task : pushers)
        codeOf(task);
      host.join();
      EXPECT_EQ(memlift_queue_close(&q), MEMLIFT_OK);
      for (memlift_task task : poppers)
        codeOf(task);
      EXPECT_EQ(popped, Pushers * each);
      TearDown();
    }
}
