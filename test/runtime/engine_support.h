// engine_support.h - an operation on the soft engine, with faults to inject, and its counters
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MEMLIFT_TEST_ENGINE_SUPPORT_H
#define MEMLIFT_TEST_ENGINE_SUPPORT_H

#include "support.h"

#include "engine/session.h"
#include "engine/soft/soft.h"

#include <sys/wait.h>
#include <unistd.h>

// Counters that have moved since the last look.
class Counted {
public:
  Counted() { memlift_engine_count(&before, sizeof before); }
  memlift_engine_counters since() const {
    memlift_engine_counters now, moved;
    memlift_engine_count(&now, sizeof now);
    moved.operations = now.operations - before.operations;
    moved.engine_bytes = now.engine_bytes - before.engine_bytes;
    moved.cpu_bytes = now.cpu_bytes - before.cpu_bytes;
    moved.busy = now.busy - before.busy;
    moved.faults = now.faults - before.faults;
    moved.time_outs = now.time_outs - before.time_outs;
    moved.shared_bytes = now.shared_bytes - before.shared_bytes;
    moved.submitted = now.submitted - before.submitted;
    moved.collected = now.collected - before.collected;
    moved.cancelled = now.cancelled - before.cancelled;
    moved.silent = now.silent - before.silent;
    moved.lost = now.lost - before.lost;
    return moved;
  }

private:
  memlift_engine_counters before;
};

// Nanoseconds: a time limit of tests that count what is lost. A device whose thread waits for a
// processor, with other programs at work, is no lost command.
constexpr uint64_t patient = sanitized ? 1000000000 : 200000000;

// Starts the soft engine for a test and stops it after; skips where the system refuses it.
class SoftEngine : public testing::Test {
protected:
  void SetUp() override {
    const char *reason;
    if (memlift_engine_soft.probe(&reason) != MEMLIFT_OK)
      GTEST_SKIP() << reason;
  }
  void TearDown() override {
    memlift_engine_stop();
    memlift_soft_inject(nullptr);
  }
  void start(const soft_faults &faults = {}) {
    memlift_engine_stop();
    memlift_soft_inject(&faults);
    ASSERT_EQ(memlift_engine_start("soft"), MEMLIFT_OK);
  }
  // The engine with another time limit: 2 s is for users, not for tests that wait for it.
  static memlift_engine withTimeout(uint64_t nanoseconds) {
    memlift_engine engine = memlift_engine_soft;
    engine.timeout_ns = nanoseconds;
    return engine;
  }
};

// An engine under whose hands memory is taken away: after the program's own thread has met all
// pages, and before the first piece is submitted. What a device then meets, no touch has shown.
class TakesAway {
public:
  TakesAway(const memlift_engine &engine, unsigned char *from, size_t size) : copy(engine) {
    real = &engine, memory = from, bytes = size;
    copy.submit = [](const memlift_request *pieces, unsigned count, memlift_ticket *tickets,
                     memlift_status *status) {
      if (bytes)
        mprotect(memory, bytes, PROT_NONE);
      bytes = 0;
      return real->submit(pieces, count, tickets, status);
    };
  }
  memlift_engine copy;

private:
  static inline const memlift_engine *real;
  static inline unsigned char *memory;
  static inline size_t bytes;
};

// A copy or fill with its right result, inside canaries.
struct Operation {
  Bytes source, memory, expected;
  memlift_request request;

  Operation(memlift_operation operation, size_t size, size_t skew = 3)
      : source(randomBytes(size + 64, size + skew)), memory(size + 128, 0xC3), expected(memory) {
    request.operation = operation;
    request.destination = memory.data() + 32 + skew;
    request.source = source.data() + 2 * skew;
    request.pattern = 0xf1e2d3c4b5a69788u;
    request.size = size;
    if (operation == MEMLIFT_OPERATION_COPY)
      memcpy(&expected[32 + skew], &source[2 * skew], size);
    else
      writePattern(&expected[32 + skew], size, request.pattern);
  }
  bool offload(const memlift_engine &engine = memlift_engine_soft) {
    return memlift_offload(&engine, &request) != 0;
  }
  testing::AssertionResult right() const { return sameBytes(memory, expected); }
  // The engine takes the operation, and memory is right when it returns.
  testing::AssertionResult doneBy(const memlift_engine &engine) {
    return offload(engine) ? right() : testing::AssertionFailure() << "the engine did not take it";
  }
};

// Bytes of an operation that are the engine's: whole lines of 64 bytes in the destination.
inline size_t bodyOf(const Operation &op) {
  uintptr_t begin = reinterpret_cast<uintptr_t>(op.request.destination),
            end = begin + op.request.size;
  uintptr_t first = (begin + 63) & ~uintptr_t(63), last = end & ~uintptr_t(63);
  return first < last ? last - first : 0;
}

// A child after fork is not the engine's process: it copies on the CPU, and counts nothing of it.
inline void expectChildOnCpu() {
  pid_t child = fork();
  if (child == 0) {
    Bytes from = randomBytes(1 << 20, 1), to(1 << 20);
    Counted counted;
    memlift_copy(to.data(), from.data(), to.size());
    _exit(from != to || counted.since().operations != 0);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

#endif
