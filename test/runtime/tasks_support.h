// tasks_support.h - contexts that clean up, and tasks that are lambdas
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MEMLIFT_TEST_TASKS_SUPPORT_H
#define MEMLIFT_TEST_TASKS_SUPPORT_H

#include "memlift/tasks.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <deque>
#include <functional>
#include <vector>

constexpr uint64_t Second = 1000000000, Millisecond = 1000000;
constexpr size_t Stack = 128 * 1024; // sanitizers need more than a task does

// Repetitions of what is random or a race.
inline unsigned times(unsigned normally) {
  return std::getenv("MEMLIFT_TEST_LONG") ? 100 * normally : normally;
}

class Tasks : public testing::Test {
protected:
  using Body = std::function<int32_t()>;

  void TearDown() override {
    for (memlift_task task : created)
      EXPECT_EQ(memlift_task_destroy(task), MEMLIFT_OK);
    if (context) {
      EXPECT_EQ(memlift_context_destroy(context), MEMLIFT_OK);
    }
    context = nullptr, created.clear(), bodies.clear();
  }

  void open(uint32_t units, uint32_t flags = 0) {
    memlift_context_options options = {};
    options.units = units, options.flags = flags;
    ASSERT_EQ(memlift_context_create(&context, &options, sizeof options), MEMLIFT_OK);
  }

  static int32_t call(const uint64_t args[4]) { return (*reinterpret_cast<Body *>(args[0]))(); }

  // A task that runs a lambda; it is destroyed with the context.
  memlift_task make(Body body, size_t stack = 0, uint64_t units = 0, const char *name = nullptr) {
    memlift_task task = {};
    memlift_task_options options = {};
    options.stack = stack, options.units = units, options.name = name;
    EXPECT_EQ(memlift_task_create(context, &task, call, &options, sizeof options), MEMLIFT_OK);
    bodies.push_back(std::move(body));
    created.push_back(task);
    return task;
  }

  memlift_status schedule(memlift_task task, uint8_t priority = 100) {
    uint64_t args[4] = {};
    for (size_t i = 0; i < created.size(); i++)
      if (created[i].id == task.id)
        args[0] = reinterpret_cast<uint64_t>(&bodies[i]);
    return memlift_task_schedule(task, args, priority);
  }

  memlift_task start(Body body, size_t stack = 0, uint8_t priority = 100, uint64_t units = 0) {
    memlift_task task = make(std::move(body), stack, units);
    EXPECT_EQ(schedule(task, priority), MEMLIFT_OK);
    return task;
  }

  static int32_t codeOf(memlift_task task, uint64_t ns = 100 * Second) {
    int32_t code = -1;
    EXPECT_EQ(memlift_task_wait(task, ns, &code), MEMLIFT_OK);
    return code;
  }

  memlift_task_counters counters() {
    memlift_task_counters count = {};
    EXPECT_EQ(memlift_context_count(context, &count, sizeof count), MEMLIFT_OK);
    return count;
  }

  memlift_context *context = nullptr;
  std::deque<Body> bodies;
  std::vector<memlift_task> created;
};

#endif
