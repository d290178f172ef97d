// harts_board.h - a board of model harts with a context, for tests
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The library here is the one for bare metal, on a board in software (model/harts_model.h).
#ifndef MEMLIFT_TEST_HARTS_BOARD_H
#define MEMLIFT_TEST_HARTS_BOARD_H

#include <memlift/sync.h>
#include <memlift/tasks.h>

#include "model/harts_model.h"
#include "model/memory.h"
#include "tasks/context.h"

#include <gtest/gtest.h>

#include <cstdlib>

constexpr uint64_t Second = 1000000000;

inline bool isLong() { return std::getenv("MEMLIFT_TEST_LONG") != nullptr; }

inline uint64_t firstSeed() {
  const char *seed = std::getenv("MEMLIFT_TEST_SEED");
  return seed ? std::strtoull(seed, nullptr, 0) : 1;
}

// A board, and a context on it.
class Board {
public:
  explicit Board(harts_model m) : model(m) {
    EXPECT_TRUE(harts_model_begin(&model));
    memlift_context_options options = {};
    options.units = model.units, options.kind = MEMLIFT_UNITS_HARTS;
    EXPECT_EQ(memlift_context_create(&context, &options, sizeof options), MEMLIFT_OK);
  }
  // Of a context with a unit that has stopped nothing is certain but that it can be forgotten.
  ~Board() {
    model.faults = {};
    if (model.stopped)
      memlift_context_remove(context);
    else
      EXPECT_EQ(memlift_context_destroy(context), MEMLIFT_OK);
    harts_model_end();
  }
  Board(const Board &) = delete;
  Board &operator=(const Board &) = delete;

  memlift_task make(memlift_task_function function, size_t stack = 0, uint64_t units = 0) {
    memlift_task task = {};
    memlift_task_options options = {};
    options.stack = stack, options.units = units ? units : (uint64_t{1} << model.units) - 1;
    EXPECT_EQ(memlift_task_create(context, &task, function, &options, sizeof options), MEMLIFT_OK);
    return task;
  }
  static void start(memlift_task task, uint64_t a = 0, uint64_t b = 0, uint8_t priority = 100) {
    uint64_t args[4] = {a, b, 0, 0};
    EXPECT_EQ(memlift_task_schedule(task, args, priority), MEMLIFT_OK);
  }

  // What whoever buries a stopped unit does (docs/hacker/tasks.md), for tasks that only the host
  // schedules: all marks are set, and all bells are rung.
  void bury() {
    for (unsigned priority = 0; priority < MEMLIFT_PRIORITIES; priority++)
      memlift_mark_priority(context, priority);
    for (unsigned unit = 0; unit < model.units; unit++) {
      __atomic_fetch_and(&context->idle[0], ~(uint64_t{1} << unit), __ATOMIC_SEQ_CST);
      memlift_ring_bell(context, unit);
    }
  }

  harts_model model;
  memlift_context *context = nullptr;
};

inline harts_model bySteps(uint64_t seed, uint32_t units) {
  harts_model m = {};
  m.seed = seed, m.units = units, m.steps = 1;
  return m;
}

#endif
