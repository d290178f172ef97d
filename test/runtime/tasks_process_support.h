// tasks_process_support.h - contexts whose units are processes, and what is shared with them
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MEMLIFT_TEST_TASKS_PROCESS_SUPPORT_H
#define MEMLIFT_TEST_TASKS_PROCESS_SUPPORT_H

#include "support.h"

#include <memlift/local_store.h>
#include <memlift/sync.h>
#include <memlift/tasks.h>

#include "tasks/processes.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <new>
#include <poll.h>
#include <string>
#include <thread>
#include <vector>

constexpr uint64_t Second = 1000000000, Millisecond = 1000000;
constexpr size_t Stack = 128 * 1024; // sanitizers need more than a task does

class Processes : public testing::Test {
protected:
  void TearDown() override {
    if (context) {
      for (memlift_task task : created)
        EXPECT_EQ(memlift_task_destroy(task), MEMLIFT_OK);
      EXPECT_EQ(memlift_context_destroy(context), MEMLIFT_OK);
      EXPECT_EQ(pids(), std::vector<pid_t>{}) << "units are gone with their context";
    }
  }

  void open(uint32_t units) {
    memlift_context_options options = {};
    options.kind = MEMLIFT_UNITS_PROCESSES, options.units = units;
    ASSERT_EQ(memlift_context_create(&context, &options, sizeof options), MEMLIFT_OK);
  }

  template <class T> T *shared() {
    void *p = memlift_shared_alloc(context, sizeof(T), alignof(T));
    EXPECT_NE(p, nullptr);
    return new (p) T();
  }
  static uint64_t address(const void *p) { return reinterpret_cast<uint64_t>(p); }

  memlift_task create(memlift_task_function function, size_t stack = 0, uint64_t units = 0,
                      uint32_t on_loss = MEMLIFT_LOSS_FAIL) {
    memlift_task task = {};
    memlift_task_options options = {};
    options.stack = stack, options.units = units, options.on_loss = on_loss;
    EXPECT_EQ(memlift_task_create(context, &task, function, &options, sizeof options), MEMLIFT_OK);
    created.push_back(task);
    return task;
  }
  static void start(memlift_task task, std::array<uint64_t, 4> args = {}) {
    EXPECT_EQ(memlift_task_schedule(task, args.data(), 100), MEMLIFT_OK);
  }
  static int32_t codeOf(memlift_task task) {
    int32_t code = -1;
    EXPECT_EQ(memlift_task_wait(task, 100 * Second, &code), MEMLIFT_OK);
    return code;
  }
  static int32_t run(memlift_task task, std::array<uint64_t, 4> args = {}) {
    start(task, args);
    return codeOf(task);
  }
  memlift_task_counters counters() {
    memlift_task_counters count = {};
    EXPECT_EQ(memlift_context_count(context, &count, sizeof count), MEMLIFT_OK);
    return count;
  }

  static std::vector<pid_t> childrenOf(pid_t parent) {
    std::vector<pid_t> found;
    for (const auto &thread : threadsOf(parent)) {
      std::ifstream file("/proc/" + std::to_string(parent) + "/task/" + thread + "/children");
      for (pid_t pid; file >> pid;)
        found.push_back(pid);
    }
    std::sort(found.begin(), found.end());
    return found;
  }
  static std::vector<pid_t> pids() { return childrenOf(getpid()); }

  static bool isGone(pid_t pid) {
    std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
    std::string text;
    std::getline(file, text);
    size_t end = text.rfind(')');
    return end == std::string::npos || text[end + 2] == 'Z' || text[end + 2] == 'X';
  }

  // Waits until a task runs, and returns the process of its unit.
  pid_t unitThatRuns(memlift_task task) {
    uint64_t *word = &context->slot[task.id & (MEMLIFT_TASKS - 1)].word;
    uint64_t now;
    while (memlift_word_state(now = __atomic_load_n(word, __ATOMIC_SEQ_CST)) !=
           MEMLIFT_TASK_RUNNING)
      std::this_thread::yield();
    return memlift_keeper_process(context, memlift_word_unit(now));
  }

  // Waits until a unit has a process: it may have lost one, and the next has not begun.
  pid_t processOf(unsigned unit) {
    for (int tries = 0; tries < 20000; tries++) {
      if (pid_t process = memlift_keeper_process(context, unit))
        return process;
      std::this_thread::sleep_for(std::chrono::microseconds(500));
    }
    ADD_FAILURE() << "no process for unit " << unit;
    return 0;
  }

  memlift_context *context = nullptr;
  std::vector<memlift_task> created;

private:
  static std::vector<std::string> threadsOf(pid_t parent) {
    std::vector<std::string> found;
    std::error_code none;
    for (const auto &entry :
         std::filesystem::directory_iterator("/proc/" + std::to_string(parent) + "/task", none))
      found.push_back(entry.path().filename());
    return found;
  }
};

#endif
