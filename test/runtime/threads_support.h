// threads_support.h - the threads engine, with what its helpers call in place of the system
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MEMLIFT_TEST_THREADS_SUPPORT_H
#define MEMLIFT_TEST_THREADS_SUPPORT_H

#include "async_support.h"

#include "engine/threads/threads.h"
#include "engine/remote.h"

#include <functional>

constexpr size_t KiB = 1024, MiB = 1024 * KiB;

// Replacement of memlift_remote_copy for the helpers of a test.
inline std::function<size_t(void *, const void *, size_t)> inPlace;
inline size_t callInPlace(void *to, const void *from, size_t size) {
  return inPlace(to, from, size);
}

// The call that a test is about, counted from 1.
inline std::atomic<unsigned> calls;

class Threads : public testing::Test {
protected:
  void SetUp() override {
    const char *reason;
    if (memlift_engine_threads.probe(&reason) != MEMLIFT_OK)
      GTEST_SKIP() << reason;
  }
  void TearDown() override {
    memlift_engine_stop();
    memlift_threads_use(nullptr, nullptr);
  }
  void start(const char *setting = "2") { begin(setting, nullptr); }
  void start(std::function<size_t(void *, const void *, size_t)> remoteCopy,
             const char *setting = "2") {
    memlift_engine_stop();
    inPlace = std::move(remoteCopy);
    begin(setting, callInPlace);
  }
  // So that what helpers do can be counted: the CPU that asked does not take part.
  static memlift_engine alone(uint64_t timeout = 2000000000) {
    memlift_engine engine = memlift_engine_threads;
    engine.shares = 0;
    engine.timeout_ns = timeout;
    return engine;
  }
  // Bytes that are the helpers': whole pages.
  static size_t pagesOf(const Operation &op) {
    uintptr_t first =
        (reinterpret_cast<uintptr_t>(op.request.destination) + 4095) & ~uintptr_t(4095);
    uintptr_t end =
        (reinterpret_cast<uintptr_t>(op.request.destination) + op.request.size) & ~uintptr_t(4095);
    return first < end ? end - first : 0;
  }

private:
  static void begin(const char *setting, threads_remote_copy *remote_copy) {
    memlift_engine_stop();
    calls = 0;
    memlift_threads_use(setting, remote_copy);
    ASSERT_EQ(memlift_engine_start("threads"), MEMLIFT_OK);
  }
};

#endif
