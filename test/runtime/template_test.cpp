// template_test.cpp - the template engine gives the same bytes, whatever its device does
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Defends contract 6 for it, on a model of the device. What a porter copies starts with these
// tests: for each way in which the device can fail one that fails when its handling is taken out.

#include "async_support.h"

#include "model/memory.h"
#include "model/template_model.h"

#include <csignal>
#include <mutex>

namespace {

constexpr size_t KiB = 1024, MiB = 1024 * KiB, Job = 64 * KiB;

template_model model;
std::mutex lock;

// The model, protected by a lock: its clients are the threads of a test.
const template_transport locked = {
    [](const char **reason) { return memlift_template_model_transport.probe(reason); },
    [] {
      std::lock_guard<std::mutex> hold(lock);
      return memlift_template_model_transport.open();
    },
    [] {
      std::lock_guard<std::mutex> hold(lock);
      memlift_template_model_transport.close();
    },
    [](unsigned offset) {
      std::lock_guard<std::mutex> hold(lock);
      return memlift_template_model_transport.read(offset);
    },
    [](unsigned offset, uint64_t value) {
      std::lock_guard<std::mutex> hold(lock);
      memlift_template_model_transport.write(offset, value);
    },
    [] {
      std::lock_guard<std::mutex> hold(lock);
      return memlift_template_model_transport.now();
    }};

// The model is the device for a test, and the engine the one in use, whether registry.c knows it or
// not.
class Template : public testing::Test {
protected:
  void SetUp() override {
    memlift_template_model_reset(&model, testSeed());
    memlift_template_model = &model;
    memlift_template_use(&locked);
    const char *reason;
    if (memlift_engine_template.probe(&reason) != MEMLIFT_OK)
      GTEST_SKIP() << reason;
  }
  void TearDown() override {
    leave();
    memlift_template_use(nullptr);
    memlift_template_model = nullptr;
  }
  void start(const template_faults &faults = {}) {
    leave();
    memlift_template_model_reset(&model, testSeed());
    model.faults = faults;
    ASSERT_EQ(memlift_engine_start("cpu"), MEMLIFT_OK);
    ASSERT_EQ(memlift_session_start(&memlift_engine_template), MEMLIFT_OK);
    __atomic_store_n(&memlift_engine_active, &memlift_engine_template, __ATOMIC_RELEASE);
    __atomic_store_n(&memlift_engine_min, memlift_engine_template.min_bytes, __ATOMIC_RELAXED);
  }
  static void leave() {
    if (memlift_engine_active) {
      EXPECT_EQ(memlift_engine_stop(), MEMLIFT_OK);
    }
  }
  // With jobs of another size, so that there are several of what does not take long.
  static memlift_engine shorter() {
    memlift_engine engine = memlift_engine_template;
    engine.max_bytes = Job;
    return engine;
  }
  static bool offload(Operation &op) { return op.offload(memlift_engine_template); }
  // Whatever is still under way takes effect: too late, if the engine has been left.
  static void later() { memlift_template_model_pass(&model, 10000000000u); }
};

// ---- What it does ------------------------------------------------------------------------------

TEST_F(Template, SameBytesAtEverySizeAndSkew) {
  start();
  for (auto operation : both)
    for (size_t size : {size_t(64), size_t(127), 4 * KiB, MiB - 1, MiB + 64, 5 * MiB + 777})
      for (size_t skew : {0, 3, 29}) {
        if (sanitized && size > 2 * MiB)
          continue;
        Operation op(operation, size, skew);
        size_t body = bodyOf(op);
        Counted counted;
        ASSERT_EQ(offload(op), body != 0);
        if (!body)
          continue;
        ASSERT_TRUE(op.right()) << operation << ", " << size << ", " << skew;
        EXPECT_EQ(counted.since().engine_bytes, body);
        EXPECT_EQ(counted.since().faults, 0u);
      }
  EXPECT_EQ(model.refused, 0u);
  EXPECT_EQ(model.overflowed, 0u);
}

TEST_F(Template, EntryPointsUseItFromItsLimitOn) {
  start();
  Bytes from = randomBytes(2 * MiB, 1), to(2 * MiB);
  Counted counted;
  memlift_copy(to.data(), from.data(), memlift_engine_template.min_bytes - 1);
  EXPECT_EQ(counted.since().operations, 0u);
  memlift_copy(to.data(), from.data(), to.size());
  EXPECT_EQ(to, from);
  memlift_fill64(to.data(), 0x1122334455667788u, to.size());
  ASSERT_TRUE(sameBytes(to, patternBytes(to.size(), 0x1122334455667788u)));
  EXPECT_EQ(counted.since().operations, 2u);
}

TEST_F(Template, SubmittedOperationsGiveTheSameBytes) {
  start();
  Operation first(MEMLIFT_OPERATION_COPY, 4 * MiB, 3), second(MEMLIFT_OPERATION_FILL, 2 * MiB, 5),
      third(MEMLIFT_OPERATION_COPY, 300 * KiB, 0);
  Counted counted;
  memlift_token a = submitted(first), b = submitted(second), c = submitted(third, a);
  for (memlift_token token : {c, b, a})
    ASSERT_EQ(memlift_wait(token, forever), MEMLIFT_OK);
  for (Operation *op : {&first, &second, &third})
    EXPECT_TRUE(op->right());
  EXPECT_EQ(counted.since().engine_bytes, bodyOf(first) + bodyOf(second) + bodyOf(third));
}

// ---- How it fails ------------------------------------------------------------------------------

// Outcome of an operation of four jobs: the CPU's bytes, and the counter of the failure.
struct Failure {
  const char *name;
  template_faults faults;
  size_t cpu;
  unsigned faultCount, timeOuts;
};

template_faults with(void (*set)(template_faults &)) {
  template_faults f = {};
  set(f);
  return f;
}

const Failure failures[] = {
    {"lost", with([](auto &f) { f.lose_at = 2; }), Job, 0, 1},
    // two time-outs
    {"late", with([](auto &f) { f.late_at = 2, f.late_ns = 250000000; }), Job, 0, 1},
    {"another's", with([](auto &f) { f.tag_at = 2; }), Job, 0, 1},
    {"fault at 0", with([](auto &f) { f.fault_at = 2; }), Job, 1, 0},
    {"fault at 4711", with([](auto &f) { f.fault_at = 2, f.fault_byte = 4711; }), Job - 4711, 1, 0},
    {"short", with([](auto &f) { f.short_at = 2; }), Job, 1, 0},
    {"too many", with([](auto &f) { f.too_many_at = 2; }), Job, 1, 0},
    {"refused", with([](auto &f) { f.status_at = 2, f.status = 3; }), Job, 1, 0},
    {"status 4", with([](auto &f) { f.status_at = 2, f.status = 4; }), Job, 1, 0},
    {"status 255", with([](auto &f) { f.status_at = 2, f.status = 255; }), Job, 1, 0},
};

TEST_F(Template, EveryFaultIsTheCpus) {
  for (const Failure &failure : failures)
    for (auto operation : both) {
      start(failure.faults);
      Operation op(operation, 4 * Job + 63, 0); // four whole ones, wherever it lies
      Counted counted;
      ASSERT_TRUE(op.offload(shorter()));
      later();
      ASSERT_TRUE(op.right()) << failure.name << ", " << operation;
      EXPECT_EQ(counted.since().cpu_bytes, failure.cpu) << failure.name;
      EXPECT_EQ(counted.since().faults, failure.faultCount) << failure.name;
      EXPECT_EQ(counted.since().time_outs, failure.timeOuts) << failure.name;
      Operation next(operation, 6 * Job, 5); // it is as good as before
      Counted after;
      ASSERT_TRUE(next.offload(shorter()));
      ASSERT_TRUE(next.right()) << failure.name;
      EXPECT_EQ(after.since().engine_bytes, bodyOf(next)) << failure.name;
      EXPECT_EQ(model.overflowed, 0u);
    }
}

TEST_F(Template, EveryFaultOfWhatIsSubmittedIsTheCpus) {
  for (const Failure &failure : failures) {
    start(failure.faults);
    InUse use(shorter());
    Operation first(MEMLIFT_OPERATION_COPY, 3 * Job, 3), second(MEMLIFT_OPERATION_FILL, 2 * Job, 5);
    memlift_token a = submitted(first), b = submitted(second);
    ASSERT_EQ(memlift_wait(b, forever), MEMLIFT_OK);
    ASSERT_EQ(memlift_wait(a, forever), MEMLIFT_OK);
    later();
    EXPECT_TRUE(first.right()) << failure.name;
    EXPECT_TRUE(second.right()) << failure.name;
  }
}

TEST_F(Template, WhatThereIsNoRoomForIsTheCpus) {
  template_faults faults = {};
  faults.busy_at = 1, faults.busy_count = UINT32_MAX;
  start(faults);
  Operation never(MEMLIFT_OPERATION_COPY, 4 * MiB, 5);
  Counted counted;
  ASSERT_TRUE(offload(never));
  EXPECT_TRUE(never.right());
  EXPECT_EQ(counted.since().cpu_bytes, bodyOf(never));
  EXPECT_EQ(model.jobs, 0u);
  faults.busy_at = 2, faults.busy_count = 1; // while something is under way room comes of itself
  start(faults);
  Operation later(MEMLIFT_OPERATION_COPY, 4 * MiB, 5);
  Counted after;
  ASSERT_TRUE(offload(later));
  EXPECT_TRUE(later.right());
  EXPECT_EQ(after.since().engine_bytes, bodyOf(later));
  EXPECT_EQ(after.since().busy, 1u);
}

// More jobs than there are places: one is lost, and its place stays unused until the device is
// stopped.
TEST_F(Template, NoPlaceIsUsedTwice) {
  template_faults faults = {};
  faults.lose_at = 3;
  start(faults);
  memlift_engine crowded = shorter();
  crowded.in_flight = 2 * TEMPLATE_PLACES;
  Operation op(MEMLIFT_OPERATION_COPY, 4 * MiB, 0);
  ASSERT_TRUE(op.offload(crowded));
  EXPECT_TRUE(op.right());
  EXPECT_EQ(model.overflowed, 0u);
}

TEST_F(Template, ADeviceThatGoesCostsNoData) {
  for (uint32_t at : {1u, 2u, 4u}) {
    template_faults faults = {};
    faults.remove_at = at;
    start(faults);
    Operation op(MEMLIFT_OPERATION_COPY, 6 * MiB, 5);
    ASSERT_TRUE(offload(op));
    later();
    ASSERT_TRUE(op.right()) << at;
    EXPECT_EQ(model.jobs, at); // none is rung for after that
    EXPECT_EQ(memlift_session_acquire(&memlift_engine_template), MEMLIFT_NOT_PRESENT);
    Operation next(MEMLIFT_OPERATION_COPY, MiB);
    EXPECT_FALSE(offload(next));
  }
}

// A page that is taken away under the device is a fault with a count, and the CPU's to meet: in the
// program's own thread, with the engine free.
TEST_F(Template, AMissingPageIsTheCpusToMeet) {
  start();
  Guarded memory(2 * MiB + 4096);
  Bytes data = randomBytes(2 * MiB + 4096, 3);
  pid_t child = fork();
  if (child == 0) {
    static unsigned char *end;
    static const unsigned char *expected;
    end = memory.end() - 4096, expected = data.data();
    struct sigaction act = {};
    act.sa_handler = [](int) {
      _exit(memlift_session_acquire(&memlift_engine_template) != MEMLIFT_OK ? 1
            : memcmp(end - 2 * MiB, expected, 2 * MiB - 64) != 0            ? 2
            : memlift_engine_counted.engine_bytes < MiB                     ? 3
                                                                            : 42);
    };
    sigaction(SIGSEGV, &act, nullptr);
    memlift_template_model_reset(&model, 1);
    if (memlift_session_start(&memlift_engine_template) != MEMLIFT_OK)
      _exit(4);
    memlift_engine_counted.engine_bytes = 0;
    TakesAway engine(memlift_engine_template, end, 4096);
    memlift_request request = {MEMLIFT_OPERATION_COPY, memory.begin(), data.data(), 0,
                               2 * MiB + 4096};
    memlift_offload(&engine.copy, &request);
    _exit(5);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 42);
}

// ---- Who may use it ----------------------------------------------------------------------------

TEST_F(Template, AChildUsesTheCpu) {
  start();
  expectChildOnCpu();
}

TEST_F(Template, IsOneUsersAtATime) {
  start();
  ASSERT_EQ(memlift_session_acquire(&memlift_engine_template), MEMLIFT_OK);
  EXPECT_EQ(memlift_session_acquire(&memlift_engine_template), MEMLIFT_BUSY);
  EXPECT_EQ(memlift_engine_stop(), MEMLIFT_BUSY);
  Operation op(MEMLIFT_OPERATION_COPY, MiB);
  EXPECT_FALSE(offload(op));
  memlift_session_release(&memlift_engine_template);
  EXPECT_TRUE(offload(op));
  EXPECT_TRUE(op.right());
}

TEST_F(Template, StopsAndStartsAgain) {
  for (int i = 0; i < 3; ++i) {
    start();
    EXPECT_TRUE(model.is_open);
    Operation op(MEMLIFT_OPERATION_FILL, MiB);
    EXPECT_TRUE(offload(op));
    EXPECT_TRUE(op.right());
    ASSERT_EQ(memlift_engine_stop(), MEMLIFT_OK);
    EXPECT_FALSE(model.is_open);
    EXPECT_FALSE(offload(op));
  }
}

TEST_F(Template, IsNotThereWithoutADevice) {
  const char *reason = "";
  memlift_template_use(nullptr);
  EXPECT_EQ(memlift_engine_template.probe(&reason), MEMLIFT_NOT_PRESENT);
  EXPECT_STRNE(reason, "");
  EXPECT_EQ(memlift_session_start(&memlift_engine_template), MEMLIFT_NOT_PRESENT);
  EXPECT_EQ(memlift_session_acquire(&memlift_engine_template), MEMLIFT_NOT_PRESENT);
}

// Eight threads, operations at random, faults at random: no wrong byte, none lost, none twice.
TEST_F(Template, RandomOperationsUnderRandomFaults) {
  SCOPED_TRACE(testing::Message() << "MEMLIFT_TEST_SEED=" << testSeed());
  bool all = getenv("MEMLIFT_TEST_LONG") != nullptr;
  template_faults faults = {};
  faults.per_mille = 40; // enough of them that none is no chance
  start(faults);
  memlift_engine impatient = memlift_engine_template;
  impatient.timeout_ns = 20000000;
  model.ask_ns = 5000; // there are not to be millions of looks until a lost job is given up
  InUse use(impatient);
  Counted counted;
  EXPECT_EQ(randomThreads(8, all ? 20000 : slow ? 300 : 2000, 20000), 0u);
  EXPECT_GT(counted.since().engine_bytes, 0u);
  EXPECT_GT(counted.since().faults, 0u);
}

} // namespace
