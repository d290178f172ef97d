// tasks_process_test.cpp - units that are processes: what works in them
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tasks_process_support.h"

#include <sys/mman.h>
#include <sys/wait.h>

// ---- What works ----------------------------------------------------

TEST_F(Processes, TasksRunInOtherProcesses) {
  open(2);
  auto *seen = shared<std::array<pid_t, 2>>();
  for (size_t stack : {size_t(0), Stack})
    for (unsigned unit = 0; unit < 2; unit++) {
      memlift_task task = create(
          [](const uint64_t args[4]) {
            (*reinterpret_cast<std::array<pid_t, 2> *>(args[0]))[args[1]] = getpid();
            memlift_task_yield();
            return static_cast<int32_t>(memlift_task_unit() + args[2]);
          },
          stack, uint64_t(1) << unit);
      EXPECT_EQ(run(task, {address(seen), unit, 40}), static_cast<int32_t>(40 + unit));
    }
  EXPECT_NE((*seen)[0], getpid());
  EXPECT_NE((*seen)[1], getpid());
  EXPECT_NE((*seen)[0], (*seen)[1]);
  EXPECT_EQ(pids(), (std::vector<pid_t>{std::min((*seen)[0], (*seen)[1]),
                                        std::max((*seen)[0], (*seen)[1])}));
}

TEST_F(Processes, SharedMemoryIsSharedAndOtherMemoryIsNot) {
  static int own;
  own = 1;
  open(1);
  own = 2; // after the unit was forked
  int *common = shared<int>();
  *common = 5;
  memlift_task task = create([](const uint64_t args[4]) {
    int *there = reinterpret_cast<int *>(args[0]);
    *there += 10;
    own += 100;
    std::string text(1000, 'x'); // malloc works
    return own + static_cast<int32_t>(text.size());
  });
  EXPECT_EQ(run(task, {address(common)}), 1101);
  EXPECT_EQ(*common, 15);
  EXPECT_EQ(own, 2);
}

TEST_F(Processes, ObjectsHaveToBeShared) {
  open(1);
  alignas(64) static memlift_semaphore semaphore;
  alignas(64) static memlift_mutex mutex;
  alignas(64) static memlift_barrier barrier;
  alignas(64) static memlift_events events;
  alignas(64) static memlift_queue queue;
  static uint64_t buffer[64];
  EXPECT_EQ(memlift_semaphore_init(context, &semaphore, 1), MEMLIFT_INVALID_ARGUMENT);
  EXPECT_EQ(memlift_mutex_init(context, &mutex), MEMLIFT_INVALID_ARGUMENT);
  EXPECT_EQ(memlift_barrier_init(context, &barrier, 1), MEMLIFT_INVALID_ARGUMENT);
  EXPECT_EQ(memlift_events_init(context, &events, 0), MEMLIFT_INVALID_ARGUMENT);
  auto *good = shared<memlift_queue>();
  EXPECT_EQ(memlift_queue_init(context, good, buffer, 8, 4), MEMLIFT_INVALID_ARGUMENT);
  EXPECT_EQ(memlift_queue_init(context, &queue, shared<std::array<uint64_t, 64>>(), 8, 4),
            MEMLIFT_INVALID_ARGUMENT);
  EXPECT_EQ(memlift_queue_init(context, good, shared<std::array<uint64_t, 64>>(), 8, 4),
            MEMLIFT_OK);
  EXPECT_EQ(memlift_mutex_init(context, shared<memlift_mutex>()), MEMLIFT_OK);
}

TEST_F(Processes, MemoryThatTheProgramSharesIsSharedAsWell) {
  size_t size = 65536;
  void *memory = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(memory, MAP_FAILED);
  memlift_context_options options = {};
  options.kind = MEMLIFT_UNITS_PROCESSES, options.units = 1;
  options.memory = memory, options.memory_size = size;
  ASSERT_EQ(memlift_context_create(&context, &options, sizeof options), MEMLIFT_OK);
  auto *semaphore = new (memory) memlift_semaphore();
  char *end = static_cast<char *>(memory) + size;
  auto *beyond = reinterpret_cast<memlift_semaphore *>(end - sizeof *semaphore / 2);
  EXPECT_EQ(memlift_semaphore_init(context, beyond, 0), MEMLIFT_INVALID_ARGUMENT);
  ASSERT_EQ(memlift_semaphore_init(context, semaphore, 0), MEMLIFT_OK);
  memlift_task task = create(
      [](const uint64_t args[4]) {
        return static_cast<int32_t>(memlift_semaphore_acquire(
            reinterpret_cast<memlift_semaphore *>(args[0]), MEMLIFT_FOR_EVER));
      },
      Stack);
  start(task, {address(memory)});
  EXPECT_EQ(memlift_semaphore_release(semaphore, 1), MEMLIFT_OK);
  EXPECT_EQ(codeOf(task), MEMLIFT_OK);
  EXPECT_EQ(memlift_task_destroy(task), MEMLIFT_OK);
  EXPECT_EQ(memlift_context_destroy(context), MEMLIFT_OK);
  context = nullptr;
  munmap(memory, size);
}

TEST_F(Processes, SharedMemoryIsAllocatedAndFreed) {
  for (uint32_t kind : {MEMLIFT_UNITS_PROCESSES, MEMLIFT_UNITS_THREADS}) {
    memlift_context_options options = {};
    options.kind = kind, options.units = 1, options.shared = 1 << 20;
    ASSERT_EQ(memlift_context_create(&context, &options, sizeof options), MEMLIFT_OK);
    std::vector<unsigned char *> all;
    for (unsigned i = 0;; i++) {
      auto *p = static_cast<unsigned char *>(
          memlift_shared_alloc(context, 1000 + i % 5000, size_t(64) << i % 6));
      if (!p)
        break;
      ASSERT_EQ(reinterpret_cast<uintptr_t>(p) % (size_t(64) << i % 6), 0u);
      memset(p, static_cast<int>(i), 1000 + i % 5000);
      all.push_back(p);
    }
    ASSERT_GT(all.size(), 100u);
    for (unsigned i = 0; i < all.size(); i++)
      for (unsigned k = 0; k < 1000 + i % 5000; k += 100)
        ASSERT_EQ(all[i][k], static_cast<unsigned char>(i));
    EXPECT_EQ(memlift_shared_alloc(context, 1 << 20, 64), nullptr);
    for (unsigned char *p : all)
      memlift_shared_free(context, p);
    memlift_shared_free(context, nullptr);
    memlift_shared_free(context, &options);
    EXPECT_NE(memlift_shared_alloc(context, 1 << 20, 64), nullptr);
    EXPECT_EQ(memlift_shared_alloc(context, 1, 64), nullptr);
    EXPECT_EQ(memlift_shared_alloc(context, 64, 3), nullptr);
    EXPECT_EQ(memlift_shared_alloc(context, 0, 64), nullptr);
    EXPECT_EQ(memlift_context_destroy(context), MEMLIFT_OK);
  }
  context = nullptr;
}

TEST_F(Processes, WhatCannotWorkThereIsRefused) {
  open(1);
  memlift_task task = create(
      [](const uint64_t args[4]) {
        auto *c = reinterpret_cast<memlift_context *>(args[0]);
        unsigned lost = 0;
        int32_t wrong = memlift_shared_alloc(c, 64, 64) != nullptr;
        wrong += memlift_context_check(c, &lost) != MEMLIFT_WRONG_SIDE;
        wrong += memlift_context_destroy(c) != MEMLIFT_WRONG_SIDE;
        wrong += memlift_context_serve(c, 0) != MEMLIFT_WRONG_SIDE;
        return wrong;
      },
      Stack);
  EXPECT_EQ(run(task, {reinterpret_cast<uint64_t>(context)}), 0);
  memlift_task_options options = {};
  options.stack = MEMLIFT_PROCESS_STACK;
  memlift_task large = {};
  EXPECT_EQ(memlift_task_create(
                context, &large, [](const uint64_t *) { return 0; }, &options, sizeof options),
            MEMLIFT_NO_RESOURCES);
  options.stack = 0, options.on_loss = 2;
  EXPECT_EQ(memlift_task_create(
                context, &large, [](const uint64_t *) { return 0; }, &options, sizeof options),
            MEMLIFT_INVALID_ARGUMENT);
  memlift_context *other = nullptr;
  memlift_context_options lease = {};
  lease.units = 1, lease.lease_ns = 1000000;
  EXPECT_EQ(memlift_context_create(&other, &lease, sizeof lease), MEMLIFT_NOT_PRESENT);
}

TEST_F(Processes, TheHostRunsFunctionsForTasks) {
  open(2);
  static pid_t here;
  here = getpid();
  std::vector<memlift_task> tasks;
  for (uint64_t i = 0; i < 10; i++)
    tasks.push_back(create(
        [](const uint64_t args[4]) {
          static uint64_t in[6], out[6]; // in memory of the unit alone
          in[0] = args[0], in[5] = 3;
          auto add = [](const uint64_t *given, uint64_t *result) {
            result[0] = getpid() == here && memlift_task_self().id == 0;
            result[5] += given[0] + given[5];
          };
          out[5] = 100;
          if (memlift_task_call_host(add, in, out) != MEMLIFT_OK || out[0] != 1)
            return -1;
          return static_cast<int32_t>(out[5]);
        },
        Stack));
  for (uint64_t i = 0; i < 10; i++)
    start(tasks[i], {i});
  for (uint64_t i = 0; i < 10; i++)
    EXPECT_EQ(codeOf(tasks[i]), static_cast<int32_t>(103 + i));
}

TEST_F(Processes, TasksHaveTheStoreOfTheirUnit) {
  open(1);
  auto *bytes = shared<std::array<unsigned char, 4096>>();
  bytes->fill(7);
  memlift_task task = create([](const uint64_t args[4]) {
    auto *memory = reinterpret_cast<unsigned char *>(args[0]);
    auto *local = static_cast<unsigned char *>(memlift_store_alloc(4096, 64));
    memlift_get(local, memory, 4096, 1);
    memlift_tags_wait(2, 0, MEMLIFT_FOR_EVER, nullptr, nullptr);
    for (int i = 0; i < 4096; i++)
      local[i]++;
    memlift_put(memory, local, 4096, 1);
    return static_cast<int32_t>(memlift_store_left() >> 10);
  });
  for (int i = 0; i < 3; i++)
    EXPECT_EQ(run(task, {address(bytes->data())}), 252);
  EXPECT_EQ(*std::max_element(bytes->begin(), bytes->end()), 10);
  EXPECT_EQ(*std::min_element(bytes->begin(), bytes->end()), 10);
}

TEST_F(Processes, TransfersOfUnitsAreCounted) {
  open(2);
  auto *bytes = shared<std::array<unsigned char, 4096>>();
  auto body = [](const uint64_t args[4]) {
    auto *local = static_cast<unsigned char *>(memlift_store_alloc(4096, 64));
    memlift_get(local, reinterpret_cast<unsigned char *>(args[0]), args[1], 1);
    memlift_get(local, reinterpret_cast<unsigned char *>(args[0]), args[1], 2);
    memlift_tags_wait(6, 0, MEMLIFT_FOR_EVER, nullptr, nullptr);
    return 0;
  };
  memlift_task first = create(body, Stack, 1), second = create(body, Stack, 2);
  memlift_meters before, after, later;
  memlift_meter_look(&before);
  EXPECT_EQ(run(first, {address(bytes->data()), 4096}), 0);
  EXPECT_EQ(run(second, {address(bytes->data()), 1000}), 0);
  EXPECT_EQ(run(second, {address(bytes->data()), 1000}), 0);
  memlift_meter_look(&after);
  auto more = [&](const memlift_meters &to, unsigned unit, memlift_meter what) {
    return to.row[unit][what] - before.row[unit][what];
  };
  EXPECT_EQ(more(after, 0, MEMLIFT_METER_MOVES), 2u);
  EXPECT_EQ(more(after, 0, MEMLIFT_METER_BYTES), 8192u);
  EXPECT_EQ(more(after, 1, MEMLIFT_METER_MOVES), 4u);
  EXPECT_EQ(more(after, 1, MEMLIFT_METER_BYTES), 4000u);
  EXPECT_EQ(memlift_task_destroy(first), MEMLIFT_OK);
  EXPECT_EQ(memlift_task_destroy(second), MEMLIFT_OK);
  EXPECT_EQ(memlift_context_destroy(context), MEMLIFT_OK);
  context = nullptr;
  memlift_meter_look(&later);
  EXPECT_EQ(more(later, 0, MEMLIFT_METER_BYTES), 8192u) << "those of a context that is no more";
}

// All objects, between units and with the host.
TEST_F(Processes, ObjectsWorkBetweenProcesses) {
  open(2);
  struct Room {
    memlift_semaphore semaphore;
    memlift_mutex mutex;
    memlift_barrier barrier;
    memlift_events events;
    memlift_queue queue;
    uint64_t buffer[64];
    uint64_t count, sum;
  };
  Room *room = shared<Room>();
  ASSERT_EQ(memlift_semaphore_init(context, &room->semaphore, 0), MEMLIFT_OK);
  ASSERT_EQ(memlift_mutex_init(context, &room->mutex), MEMLIFT_OK);
  ASSERT_EQ(memlift_barrier_init(context, &room->barrier, 4), MEMLIFT_OK);
  ASSERT_EQ(memlift_events_init(context, &room->events, MEMLIFT_EVENTS_MANUAL), MEMLIFT_OK);
  ASSERT_EQ(memlift_queue_init(context, &room->queue, room->buffer, 8, 4), MEMLIFT_OK);
  std::vector<memlift_task> tasks;
  for (uint64_t i = 0; i < 4; i++) {
    tasks.push_back(create(
        [](const uint64_t args[4]) {
          Room *r = reinterpret_cast<Room *>(args[0]);
          int32_t wrong = 0;
          for (uint64_t round = 0; round < 50; round++) {
            uint32_t arrived = 0;
            memlift_mutex_lock(&r->mutex, MEMLIFT_FOR_EVER);
            r->count++;
            memlift_mutex_unlock(&r->mutex);
            memlift_barrier_notify(&r->barrier, &arrived);
            wrong += memlift_barrier_wait(&r->barrier, arrived, MEMLIFT_FOR_EVER) != MEMLIFT_OK;
            uint64_t value = 1;
            wrong += memlift_queue_push(&r->queue, &value, MEMLIFT_FOR_EVER) != MEMLIFT_OK;
            wrong += memlift_semaphore_acquire(&r->semaphore, MEMLIFT_FOR_EVER) != MEMLIFT_OK;
          }
          uint32_t bits = 0;
          wrong += memlift_events_wait(&r->events, 4, 0, MEMLIFT_FOR_EVER, &bits) != MEMLIFT_OK;
          return wrong;
        },
        Stack, uint64_t(1) << i % 2));
    start(tasks.back(), {address(room)});
  }
  for (int i = 0; i < 200; i++) {
    uint64_t value = 0;
    ASSERT_EQ(memlift_queue_pop(&room->queue, &value, 20 * Second), MEMLIFT_OK);
    room->sum += value;
    ASSERT_EQ(memlift_semaphore_release(&room->semaphore, 1), MEMLIFT_OK);
  }
  ASSERT_EQ(memlift_events_set(&room->events, 4), MEMLIFT_OK);
  for (memlift_task task : tasks)
    EXPECT_EQ(codeOf(task), 0);
  EXPECT_EQ(room->count, 200u);
  EXPECT_EQ(room->sum, 200u);
}

TEST_F(Processes, TasksScheduleAndAwaitOthers) {
  open(2);
  memlift_task task = create(
      [](const uint64_t args[4]) {
        memlift_task inner = {};
        auto *c = reinterpret_cast<memlift_context *>(args[0]);
        int32_t code = 0, sum = 0;
        if (memlift_task_create(
                c, &inner, [](const uint64_t *a) { return static_cast<int32_t>(a[0] * 2); },
                nullptr, 0) != MEMLIFT_OK)
          return -1;
        for (uint64_t i = 0; i < 20; i++) {
          uint64_t given[4] = {i};
          if (memlift_task_schedule(inner, given, 5) != MEMLIFT_OK ||
              memlift_task_wait(inner, MEMLIFT_FOR_EVER, &code) != MEMLIFT_OK)
            return -2;
          sum += code;
        }
        return memlift_task_destroy(inner) == MEMLIFT_OK ? sum : -3;
      },
      Stack);
  EXPECT_EQ(run(task, {reinterpret_cast<uint64_t>(context)}), 380);
}

// Of a task without a stack: one with a stack would share that with its child.
TEST_F(Processes, AChildOfATaskIsNoUnit) {
  open(1);
  memlift_task task = create([](const uint64_t args[4]) {
    pid_t child = fork();
    if (child == 0)
      _exit(memlift_task_schedule({args[0]}, nullptr, 1) == MEMLIFT_NOT_PRESENT ? 33 : 1);
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  });
  memlift_task other = create([](const uint64_t *) { return 1; });
  EXPECT_EQ(run(task, {other.id}), 33);
  EXPECT_EQ(run(other), 1);
}
