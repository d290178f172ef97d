// async_models_test.cpp - operations submitted to a DAX or a DSA: right bytes, overlapped time
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The devices are the models, on their virtual clock: what the program does meanwhile is time that
// a test lets pass.

#include "async_support.h"
#include "dax_support.h"
#include "dsa_support.h"

#include <mutex>
#include <sys/wait.h>

namespace {

constexpr size_t KiB = 1024, MiB = 1024 * KiB;

// Submitted, and so much virtual time later waited for: the time from when submission has returned.
template <class Model, class Pass>
uint64_t timeOf(Model &model, Pass pass, Operation &op, uint64_t work) {
  std::fill(op.memory.begin(), op.memory.end(), 0xC3);
  memlift_token token = submitted(op);
  uint64_t before = model.now;
  pass(&model, work);
  EXPECT_EQ(model.now, before + work);
  EXPECT_EQ(memlift_wait(token, forever), MEMLIFT_OK);
  EXPECT_TRUE(op.right());
  return model.now - before;
}

// The share of the device's time that independent work of the same length hides. The caller's own,
// for submitting, is not the device's.
template <class Model, class Pass>
double hiddenShare(Model &model, Pass pass, memlift_operation operation, size_t size) {
  Operation op(operation, size, 0); // the same addresses for both: pages end at the same places
  uint64_t device = timeOf(model, pass, op, 0);
  uint64_t together = timeOf(model, pass, op, device);
  return (2.0 * device - together) / device;
}

// An engine with a short time limit, for a model whose clients poll: time passes by their looks at
// the clock, and a lost command should not take millions of them.
template <class Model> memlift_engine forPolling(Model &model, const memlift_engine &engine) {
  memlift_engine impatient = engine;
  impatient.timeout_ns = 20000000;
  model.costs.ask = 5000;
  return impatient;
}

// ---- DSA ---------------------------------------------------------------------------------------

std::mutex dsaLock;

// The model, protected by a lock: its clients are the threads of a test.
const dsa_transport lockedDsa = {
    [](const char **reason) { return memlift_dsa_model_transport.probe(reason); },
    [](dsa_limits *limits) {
      std::lock_guard<std::mutex> hold(dsaLock);
      return memlift_dsa_model_transport.open(limits);
    },
    [] {
      std::lock_guard<std::mutex> hold(dsaLock);
      memlift_dsa_model_transport.close();
    },
    [](const unsigned char *descriptor) {
      std::lock_guard<std::mutex> hold(dsaLock);
      return memlift_dsa_model_transport.submit(descriptor);
    },
    [] {
      std::lock_guard<std::mutex> hold(dsaLock);
      return memlift_dsa_model_transport.now();
    },
    [](const unsigned char *record, uint64_t nanoseconds) {
      std::lock_guard<std::mutex> hold(dsaLock);
      memlift_dsa_model_transport.pause(record, nanoseconds);
    }};

class AsyncDsa : public DsaTest {
protected:
  AsyncDsa() : DsaTest(lockedDsa) {}
};

TEST_F(AsyncDsa, SameBytesAtEverySizeAndSkew) {
  start();
  for (auto operation : both)
    for (size_t size : {size_t(64), size_t(127), 4 * KiB, 64 * KiB + 1, 300 * KiB + 13,
                        3 * MiB + 777, 20 * MiB + 1})
      for (size_t skew : {0, 3, 29}) {
        if (sanitized && size > 4 * MiB)
          continue;
        Counted counted;
        Operation op(operation, size, skew);
        size_t body = bodyOf(op);
        memlift_token token = submitted(op, noToken, MEMLIFT_SUBMITTED_ANY_SIZE);
        ASSERT_EQ(memlift_wait(token, forever), MEMLIFT_OK);
        ASSERT_TRUE(op.right()) << operation << ", " << size << ", " << skew;
        EXPECT_EQ(counted.since().engine_bytes, body);
        EXPECT_EQ(counted.since().cpu_bytes, 0u);
      }
  EXPECT_EQ(model.refused, 0u);
  EXPECT_EQ(model.overflowed, 0u);
}

TEST_F(AsyncDsa, IndependentWorkHidesTheDevicesTime) {
  start();
  model.costs.jitter = 0; // one run is compared with another
  for (auto operation : both)
    for (size_t size : {256 * KiB, 4 * MiB, 32 * MiB})
      if (!sanitized || size < 32 * MiB) {
        EXPECT_GE(hiddenShare(model, memlift_dsa_model_pass, operation, size), 0.9) << size;
      }
}

// Several units: a short operation would be done long before the long one that it comes after.
TEST_F(AsyncDsa, WhatComesAfterReadsWhatWasWritten) {
  start();
  Operation first(MEMLIFT_OPERATION_COPY, 8 * MiB, 0);
  Bytes to(64 * KiB);
  const unsigned char *end = first.memory.data() + 32 + 8 * MiB;
  memlift_token a = submitted(first), b;
  ASSERT_EQ(memlift_submit_copy(to.data(), end - to.size(), to.size(), a, &b), MEMLIFT_OK);
  ASSERT_EQ(memlift_wait(b, forever), MEMLIFT_OK);
  EXPECT_EQ(memcmp(to.data(), end - to.size(), to.size()), 0);
  EXPECT_EQ(memlift_wait(a, forever), MEMLIFT_OK);
  EXPECT_TRUE(first.right());
}

TEST_F(AsyncDsa, EveryFaultIsTheCpus) {
  for (int kind = 0; kind < 10; ++kind) {
    dsa_faults f = {};
    switch (kind) {
    case 0: f.no_room_at = 1, f.no_room_count = 1000; break;
    case 1: f.no_room_at = 2, f.no_room_count = 2; break;
    case 2: f.drop_at = 1, f.drop_count = 3; break;
    case 3: f.fault_at = 2, f.fault_count = 100, f.fault_byte = 4711; break;
    case 4: f.status_at = 1, f.status = MEMLIFT_DSA_COMP_STATUS_HARDWARE; break;
    case 5: f.too_many_at = 2; break;
    case 6: f.late_at = 1, f.late_ns = 3000000000u; break;
    case 7: f.batch_at = 1, f.batch_status = MEMLIFT_DSA_COMP_STATUS_BATCH_FAULT; break;
    case 8: f.remove_at = 1; break;
    default: f.remove_at = 2;
    }
    start(f);
    Operation first(MEMLIFT_OPERATION_COPY, 6 * MiB, 3), second(MEMLIFT_OPERATION_FILL, 2 * MiB, 5),
        third(MEMLIFT_OPERATION_COPY, 300 * KiB, 0);
    memlift_token a = submitted(first), b = submitted(second), c = submitted(third, a);
    ASSERT_EQ(memlift_wait(c, forever), MEMLIFT_OK);
    ASSERT_EQ(memlift_wait(b, forever), MEMLIFT_OK);
    ASSERT_EQ(memlift_wait(a, forever), MEMLIFT_OK);
    memlift_dsa_model_pass(&model, 10000000000u); // whatever is still under way
    for (Operation *op : {&first, &second, &third})
      ASSERT_TRUE(op->right()) << "fault " << kind;
  }
}

TEST_F(AsyncDsa, RandomOperationsUnderRandomFaults) {
  SCOPED_TRACE(testing::Message() << "MEMLIFT_TEST_SEED=" << testSeed());
  bool all = getenv("MEMLIFT_TEST_LONG") != nullptr;
  dsa_faults faults = {};
  faults.per_mille = all || !slow ? 5 : 40; // enough of them that none is no chance
  start(faults);
  InUse impatient(forPolling(model, memlift_engine_dsa));
  Counted counted;
  EXPECT_EQ(randomThreads(8, all ? 20000 : slow ? 300 : 2000, 20000), 0u);
  EXPECT_GT(counted.since().engine_bytes, 0u);
  EXPECT_GT(counted.since().faults, 0u);
}

// ---- DAX ---------------------------------------------------------------------------------------

class AsyncDax : public DaxTest {};

TEST_F(AsyncDax, SameBytesAtEverySizeAndSkew) {
  for (uint64_t page : {uint64_t(DAX_BASE_PAGE), uint64_t(DAX_LARGEST_PAGE)}) {
    model.page = page;
    start();
    for (auto operation : both)
      for (size_t size : {size_t(64), 4 * KiB, 300 * KiB + 13, 9 * MiB + 777})
        for (size_t skew : {0, 3, 29}) {
          if (sanitized && size > MiB)
            continue;
          Operation op(operation, size, skew);
          memlift_token token = submitted(op, noToken, MEMLIFT_SUBMITTED_ANY_SIZE);
          ASSERT_EQ(memlift_wait(token, forever), MEMLIFT_OK);
          ASSERT_TRUE(op.right()) << operation << ", " << size << ", " << skew;
        }
  }
}

TEST_F(AsyncDax, IndependentWorkHidesTheDevicesTime) {
  start();
  model.costs.jitter = 0; // one run is compared with another
  for (auto operation : both)
    for (size_t size : {512 * KiB, 4 * MiB, 32 * MiB})
      if (!sanitized || size < 32 * MiB) {
        EXPECT_GE(hiddenShare(model, memlift_dax_model_pass, operation, size), 0.9) << size;
      }
}

// The device reads the elements of a fill while it runs: another value has to wait.
TEST_F(AsyncDax, FillsOfDifferentValuesFollowOneAnother) {
  start();
  Counted counted;
  std::vector<std::unique_ptr<Operation>> ops;
  std::vector<memlift_token> tokens;
  for (int i = 0; i < 6; ++i) {
    ops.push_back(std::make_unique<Operation>(both[i % 3 != 0], 512 * KiB, i));
    ops.back()->request.pattern += i * 0x0101010101010101u;
    for (size_t j = 0; j < 512 * KiB && i % 3; ++j)
      ops.back()->expected[32 + i + j] = patternByte(ops.back()->request.pattern, 8, j);
    tokens.push_back(submitted(*ops.back()));
  }
  for (int i = 5; i >= 0; --i) {
    ASSERT_EQ(memlift_wait(tokens[i], forever), MEMLIFT_OK);
    ASSERT_TRUE(ops[i]->right()) << i;
  }
  EXPECT_LT(counted.since().cpu_bytes, 6 * 64u * 3); // granules across the end of a page
}

TEST_F(AsyncDax, EveryFaultIsTheCpus) {
  for (int kind = 0; kind < 9; ++kind) {
    dax_faults f = {};
    switch (kind) {
    case 0: f.accept_at = 1, f.accept_most = 1; break;
    case 1: f.busy_at = 1, f.busy_count = 1000; break;
    case 2: f.refuse_at = 2, f.refuse_why = MEMLIFT_DAX_EXEC_NO_ACCESS; break;
    case 3: f.lose_at = 1, f.lose_count = 4; break;
    case 4: f.fail_at = 2, f.fail_error = MEMLIFT_DAX_CA_ERROR_PAGE, f.fail_byte = 999; break;
    case 5: f.status_at = 1, f.status = 77; break;
    case 6: f.short_at = 1; break;
    case 7: f.late_at = 1, f.late_ns = 900000000; break;
    default: f.remove_later = 2;
    }
    start(f);
    Operation first(MEMLIFT_OPERATION_COPY, 6 * MiB, 3), second(MEMLIFT_OPERATION_FILL, 2 * MiB, 5),
        third(MEMLIFT_OPERATION_COPY, 300 * KiB, 0);
    memlift_token a = submitted(first), b = submitted(second), c = submitted(third, a);
    ASSERT_EQ(memlift_wait(c, forever), MEMLIFT_OK);
    ASSERT_EQ(memlift_wait(b, forever), MEMLIFT_OK);
    ASSERT_EQ(memlift_wait(a, forever), MEMLIFT_OK);
    later();
    for (Operation *op : {&first, &second, &third})
      ASSERT_TRUE(op->right()) << "fault " << kind;
  }
}

// Linux lets the thread that opened the device use it. What another one submits is the CPU's; what
// it waits for is collected, as far as it has been sent.
TEST_F(AsyncDax, AnotherThreadSubmitsToTheCpuAndMayWait) {
  start();
  Operation mine(MEMLIFT_OPERATION_COPY, 2 * MiB), alien(MEMLIFT_OPERATION_COPY, 2 * MiB),
      after(MEMLIFT_OPERATION_COPY, 2 * MiB);
  memlift_token token = submitted(mine);
  Counted counted;
  uint32_t blocks = model.blocks;
  std::thread([&] {
    EXPECT_EQ(memlift_wait(submitted(alien), forever), MEMLIFT_OK);
    EXPECT_TRUE(alien.right());
    EXPECT_EQ(memlift_wait(submitted(after, token), forever), MEMLIFT_OK);
    EXPECT_TRUE(after.right());
    EXPECT_EQ(memlift_wait(token, forever), MEMLIFT_OK);
  }).join();
  EXPECT_TRUE(mine.right());
  EXPECT_EQ(model.blocks, blocks);
  EXPECT_EQ(model.strangers, 0u); // it does not even try
  EXPECT_EQ(counted.since().faults, 0u);
  EXPECT_GT(counted.since().engine_bytes, 0u);
}

// It may not kill either, but close: that ends all that is under way. The owner opens it again.
TEST_F(AsyncDax, AnotherThreadGivesUpOnALostBlock) {
  dax_faults faults = {};
  faults.lose_at = 1;
  start(faults);
  Operation op(MEMLIFT_OPERATION_COPY, 2 * MiB);
  memlift_token token = submitted(op);
  Counted counted;
  std::thread([&] { EXPECT_EQ(memlift_wait(token, forever), MEMLIFT_OK); }).join();
  later();
  EXPECT_TRUE(op.right());
  EXPECT_FALSE(model.is_open);
  EXPECT_GT(counted.since().time_outs, 0u);
  EXPECT_EQ(model.kills, 0u);
  EXPECT_EQ(model.strangers, 0u);
  Operation next(MEMLIFT_OPERATION_COPY, 2 * MiB);
  EXPECT_TRUE(next.offload(memlift_engine_dax));
  EXPECT_TRUE(next.right());
  EXPECT_EQ(model.opens, 2u);
  EXPECT_GT(counted.since().engine_bytes, MiB);
}

// Pages of an operation that another thread collects stay pinned until the owner comes: it alone
// may release them.
TEST_F(AsyncDax, TheOwnerUnpinsWhatAnotherThreadHasCollected) {
  start();
  Operation op(MEMLIFT_OPERATION_COPY, 2 * MiB), next(MEMLIFT_OPERATION_COPY, 2 * MiB);
  memlift_token token = submitted(op);
  std::thread([&] { EXPECT_EQ(memlift_wait(token, forever), MEMLIFT_OK); }).join();
  EXPECT_TRUE(op.right());
  EXPECT_EQ(model.strangers, 0u);
  EXPECT_EQ(model.dequeues, 0u);
  ASSERT_EQ(memlift_session_acquire(&memlift_engine_dax), MEMLIFT_OK);
  EXPECT_EQ(model.dequeues, 1u);
  memlift_session_release(&memlift_engine_dax);
  EXPECT_EQ(model.dequeues, 2u);
}

// A device that does not open any more is given up, and that is counted.
TEST_F(AsyncDax, AnOwnerThatCannotOpenItAgainUsesTheCpu) {
  dax_faults faults = {};
  faults.lose_at = 1;
  dax_transport door = memlift_dax_model_transport;
  static bool refuses;
  refuses = false;
  door.open = [] { return refuses ? MEMLIFT_NOT_PRESENT : memlift_dax_model_transport.open(); };
  memlift_dax_use(&door);
  start(faults);
  refuses = true;
  Operation op(MEMLIFT_OPERATION_COPY, 2 * MiB);
  memlift_token token = submitted(op);
  std::thread([&] { EXPECT_EQ(memlift_wait(token, forever), MEMLIFT_OK); }).join();
  Counted counted;
  for (int i = 0; i < 2; ++i) {
    Operation next(MEMLIFT_OPERATION_COPY, 2 * MiB);
    EXPECT_FALSE(next.offload(memlift_engine_dax));
  }
  EXPECT_EQ(counted.since().lost, 1u);
}

// The device knows pages by their numbers: what it writes after a fork may be lost to the parent.
TEST_F(AsyncDax, AForkMeanwhileCostsNoData) {
  start();
  Operation op(MEMLIFT_OPERATION_COPY, 2 * MiB);
  memlift_token token = submitted(op);
  Counted counted;
  pid_t child = fork();
  if (child == 0)
    _exit(memlift_wait(token, forever) != MEMLIFT_OK || !op.right());
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  ASSERT_EQ(memlift_wait(token, forever), MEMLIFT_OK);
  EXPECT_TRUE(op.right());
  EXPECT_EQ(counted.since().cpu_bytes, 2 * MiB);
}

TEST_F(AsyncDax, RandomOperationsUnderRandomFaults) {
  SCOPED_TRACE(testing::Message() << "MEMLIFT_TEST_SEED=" << testSeed());
  bool all = getenv("MEMLIFT_TEST_LONG") != nullptr;
  uint64_t moved = 0;
  // a device that goes ends a run's use of it
  for (unsigned run = 0; run < (all ? 40u : 3u); ++run) {
    dax_faults faults = {};
    faults.per_mille = 5;
    start(faults);
    InUse impatient(forPolling(model, memlift_engine_dax));
    Counted counted;
    RandomOperations some(testSeed() + run, 30000);
    EXPECT_EQ(some.run(slow ? 300 : 2000), 0u);
    EXPECT_EQ(some.submittedCount, some.completed + some.cancelled);
    moved += counted.since().engine_bytes;
  }
  EXPECT_GT(moved, 0u);
}

} // namespace
