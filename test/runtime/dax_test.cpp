// dax_test.cpp - the DAX engine gives the same bytes, whatever the device does
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Defends contract 6 for the DAX. For every fault that dax_faults can inject there is a test here
// that fails when its handling is taken out: mutate_engines.py takes it out, and looks.

#include "dax_support.h"

#include "engine/populate.h"

#include <csignal>
#include <sys/wait.h>
#include <thread>

namespace {

using Dax = DaxTest;

constexpr size_t KiB = 1024, MiB = 1024 * KiB;
const memlift_operation both[] = {MEMLIFT_OPERATION_COPY, MEMLIFT_OPERATION_FILL};

TEST_F(Dax, SameBytesAtEverySizeAndSkew) {
  start();
  memlift_engine engine = alone();
  for (auto operation : both)
    for (size_t size :
         {size_t(64), size_t(65), size_t(127), size_t(128), 4 * KiB, 8 * KiB + 64, 64 * KiB - 1,
          64 * KiB + 1, 300 * KiB + 13, MiB, MiB + 64, 3 * MiB + 777, 20 * MiB + 1})
      for (size_t skew : {0, 3, 13, 29}) {
        if (sanitized && size > 4 * MiB)
          continue;
        Counted counted;
        Operation op(operation, size, skew);
        size_t body = bodyOf(op);
        ASSERT_EQ(op.offload(engine), body != 0) << size << " " << skew;
        if (body == 0)
          continue;
        ASSERT_TRUE(op.right()) << "operation " << operation << ", " << size << ", " << skew;
        // Where a copy's source meets the end of a page within 64 bytes, those are the CPU's.
        EXPECT_LE(counted.since().engine_bytes, body);
        EXPECT_GE(counted.since().engine_bytes + 64 * (size / DAX_LARGEST_PAGE + 2), body);
        EXPECT_EQ(counted.since().engine_bytes + counted.since().shared_bytes, size);
      }
  EXPECT_EQ(model.decode_errors, 0u);
  EXPECT_EQ(model.failed, 0u);
}

TEST_F(Dax, ZerosAreAFillOfTheirOwn) {
  start();
  memlift_engine engine = alone();
  for (size_t size : {size_t(64), 8 * KiB, MiB, 5 * MiB + 64}) {
    Counted counted;
    Operation op(MEMLIFT_OPERATION_FILL, size, 0);
    op.request.pattern = 0;
    std::fill(op.expected.begin() + 32, op.expected.begin() + 32 + static_cast<long>(size), 0);
    if (!bodyOf(op))
      continue;
    ASSERT_TRUE(op.doneBy(engine)) << size;
    EXPECT_EQ(counted.since().engine_bytes, bodyOf(op));
  }
}

TEST_F(Dax, ABlockFillsNoMoreThanItsInputIsFor) {
  start();
  memlift_engine engine = alone();
  engine.min_batch = 32 * MiB;
  for (uint64_t pattern : {uint64_t(0), uint64_t(0x1122334455667788)}) {
    Bytes memory(5 * MiB, 0xee);
    memlift_request request = {MEMLIFT_OPERATION_FILL, memory.data(), nullptr, pattern, 5 * MiB};
    ASSERT_TRUE(memlift_offload(&engine, &request));
    ASSERT_TRUE(sameBytes(memory, patternBytes(memory.size(), pattern)));
    EXPECT_EQ(model.failed, 0u);
  }
}

TEST_F(Dax, OnePatternAfterAnother) {
  start();
  memlift_engine engine = alone();
  for (int i = 0; i < 20; ++i) {
    Operation op(MEMLIFT_OPERATION_FILL, 100000, static_cast<size_t>(i));
    op.request.pattern ^= static_cast<uint64_t>(i) * 0x0101010101010101u;
    for (size_t j = 0; j < op.request.size; ++j)
      op.expected[32 + static_cast<size_t>(i) + j] = patternByte(op.request.pattern, 8, j);
    ASSERT_TRUE(op.doneBy(engine)) << i;
  }
}

TEST_F(Dax, EntryPointsUseItFromItsLimitOn) {
  start();
  Bytes from = randomBytes(2 * MiB, 1), to(2 * MiB);
  Counted counted;
  memlift_copy(to.data(), from.data(), to.size());
  EXPECT_EQ(to, from);
  EXPECT_GT(counted.since().engine_bytes, 0u);
  Counted small;
  memlift_fill8(to.data(), 1, memlift_engine_dax.min_bytes - 1);
  EXPECT_EQ(small.since().operations, 0u);
}

// The CPU works from the end while the units do from the front, and each byte is done once.
TEST_F(Dax, TheCpuTakesItsShare) {
  start();
  model.costs.unit_speed = 100; // slow enough for the CPU to get some
  for (auto operation : both) {
    Counted counted;
    Operation op(operation, 8 * MiB, 0);
    ASSERT_TRUE(op.doneBy(memlift_engine_dax));
    EXPECT_EQ(counted.since().cpu_bytes, 0u);
    EXPECT_EQ(counted.since().engine_bytes + counted.since().shared_bytes, op.request.size);
    unsigned char probe[1];
    if (memlift_populate_write(probe, 1)) {
      EXPECT_GT(counted.since().shared_bytes, MiB);
    }
  }
}

// Memory that is not there is met by the CPU when the engine has been released, not beside it.
TEST_F(Dax, TheCpuSharesOnlyWhatIsThere) {
  start();
  model.costs.unit_speed = 10;
  Guarded memory(4 * MiB);
  memlift_request request = {MEMLIFT_OPERATION_FILL, memory.begin(), nullptr, 0x11, 4 * MiB};
  pid_t child = fork();
  // dies of the protected page; before that it must not have left the engine taken
  if (child == 0) {
    struct sigaction act = {};
    act.sa_handler = [](int) {
      bool taken = memlift_session_acquire(&memlift_engine_dax) == MEMLIFT_BUSY;
      _exit(taken ? 1 : 42);
    };
    sigaction(SIGSEGV, &act, nullptr);
    memlift_engine_stop();
    memlift_engine_start("cpu");
    memlift_dax_model_reset(&model, 1, model.page);
    model.costs.unit_speed = 10;
    if (memlift_engine_start("dax") != MEMLIFT_OK)
      _exit(2);
    TakesAway engine(memlift_engine_dax, memory.begin() + 3 * MiB, MiB);
    memlift_offload(&engine.copy, &request);
    _exit(3);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 42);
}

// ---- Pages -----------------------------------------------------------------------------------

TEST_F(Dax, BlocksAreCutAtPages) {
  model.page = 64 * KiB;
  start();
  memlift_dax_assume_pages(64 * KiB);
  memlift_engine engine = alone();
  for (auto operation : both) {
    Counted counted;
    Operation op(operation, MiB, 5);
    ASSERT_TRUE(op.doneBy(engine));
    EXPECT_EQ(counted.since().faults, 0u);
    EXPECT_EQ(counted.since().cpu_bytes, 0u);
  }
  EXPECT_EQ(model.failed, 0u);
}

// Pages turn out to be smaller than they may be: the CPU makes good, and later operations stay on
// it.
TEST_F(Dax, AfterAPageOverflowSmallPagesAreAssumed) {
  model.page = 16 * KiB;
  start();
  for (auto operation : both) {
    memlift_dax_assume_pages(DAX_LARGEST_PAGE);
    Operation op(operation, 2 * MiB, 5);
    ASSERT_TRUE(op.doneBy(alone()));
    EXPECT_EQ(memlift_dax_assumed_pages(), DAX_BASE_PAGE);
    uint32_t before = model.blocks;
    Operation next(operation, 2 * MiB, 5);
    EXPECT_FALSE(next.offload(alone()));
    EXPECT_EQ(model.blocks, before);
  }
}

// ---- Submissions that are not taken whole ------------------------------------------------------

TEST_F(Dax, APartialAcceptanceIsGoneOnWith) {
  for (uint32_t most : {0u, 1u, 2u, 3u}) {
    dax_faults faults = {};
    faults.accept_at = 2;
    faults.accept_most = most;
    start(faults);
    memlift_engine engine = alone();
    engine.max_bytes = 16 * KiB; // many blocks a submission
    Counted counted;
    Operation op(MEMLIFT_OPERATION_COPY, 4 * MiB, 0);
    ASSERT_TRUE(op.doneBy(engine)) << most;
    EXPECT_GT(counted.since().busy, 0u);
    EXPECT_EQ(counted.since().faults, 0u);
    EXPECT_EQ(counted.since().cpu_bytes, 0u);
    EXPECT_EQ(model.failed, 0u);
  }
}

TEST_F(Dax, BusyIsTriedAgain) {
  dax_faults faults = {};
  faults.busy_at = 1;
  faults.busy_count = 3;
  start(faults);
  Counted counted;
  Operation op(MEMLIFT_OPERATION_FILL, MiB, 1);
  ASSERT_TRUE(op.doneBy(alone()));
  EXPECT_EQ(counted.since().engine_bytes, bodyOf(op));
}

TEST_F(Dax, BusyForEverIsTheCpus) {
  dax_faults faults = {};
  faults.busy_at = 4;
  faults.busy_count = UINT32_MAX;
  start(faults);
  Counted counted;
  Operation op(MEMLIFT_OPERATION_COPY, 4 * MiB, 1);
  ASSERT_TRUE(op.doneBy(alone()));
  EXPECT_GT(counted.since().busy, 0u);
  EXPECT_GT(counted.since().cpu_bytes, 0u);
  EXPECT_LT(model.submissions, 1000u);
}

TEST_F(Dax, EveryRefusalIsTheCpus) {
  for (uint32_t why = MEMLIFT_DAX_EXEC_WRONG_THREAD; why <= MEMLIFT_DAX_EXEC_INTERNAL + 1; ++why)
    for (uint32_t at : {1u, 3u}) {
      dax_faults faults = {};
      faults.refuse_at = at;
      faults.refuse_why = why;
      start(faults);
      Operation op(MEMLIFT_OPERATION_COPY, 2 * MiB, 7);
      ASSERT_TRUE(op.doneBy(alone())) << why;
    }
}

// ---- Blocks that do not end well ---------------------------------------------------------------

TEST_F(Dax, ALostBlockIsTimedOutAndDoneByTheCpu) {
  for (auto operation : both) {
    dax_faults faults = {};
    faults.lose_at = 3;
    start(faults);
    Counted counted;
    Operation op(operation, MiB, 5);
    ASSERT_TRUE(op.doneBy(alone()));
    EXPECT_EQ(counted.since().faults, 1u); // killed: the area says so
    EXPECT_GT(counted.since().cpu_bytes, 0u);
    EXPECT_EQ(model.killed, 1u);
    Counted next;
    Operation again(operation, MiB, 5);
    ASSERT_TRUE(again.doneBy(alone()));
    EXPECT_EQ(next.since().cpu_bytes, 0u);
  }
}

TEST_F(Dax, EveryBlockLost) {
  dax_faults faults = {};
  faults.lose_at = 1;
  faults.lose_count = UINT32_MAX;
  start(faults);
  memlift_engine engine = alone();
  engine.max_bytes = 16 * KiB; // more holes than are noted one by one
  Operation op(MEMLIFT_OPERATION_COPY, 3 * MiB, 5);
  ASSERT_TRUE(op.doneBy(engine));
}

TEST_F(Dax, AFailureAtAnyByteIsFinishedByTheCpu) {
  for (auto operation : both)
    for (uint32_t error :
         {MEMLIFT_DAX_CA_ERROR_OVERFLOW, MEMLIFT_DAX_CA_ERROR_DECODE, MEMLIFT_DAX_CA_ERROR_PAGE,
          MEMLIFT_DAX_CA_ERROR_TIMEOUT, MEMLIFT_DAX_CA_ERROR_RETRY, 0x55})
      for (uint64_t byte : {uint64_t(0), uint64_t(64), uint64_t(4097), uint64_t(65535)})
        for (uint32_t at : {1u, 5u}) {
          dax_faults faults = {};
          faults.fail_at = at;
          faults.fail_error = error;
          faults.fail_byte = byte;
          start(faults);
          Counted counted;
          Operation op(operation, 512 * KiB, 5);
          ASSERT_TRUE(op.doneBy(alone()))
              << "error " << error << " at block " << at << ", byte " << byte;
          EXPECT_EQ(counted.since().faults, 1u);
          EXPECT_GT(counted.since().cpu_bytes, 0u);
        }
}

TEST_F(Dax, AStatusThatMeansNothingIsNotTakenForSuccess) {
  for (uint32_t status : {2u, 3u, 4u, 5u, 0x10u, 0x81u, 0xffu}) {
    dax_faults faults = {};
    faults.status_at = 2;
    faults.status = status;
    start(faults);
    Operation op(MEMLIFT_OPERATION_FILL, MiB, 0);
    ASSERT_TRUE(op.doneBy(alone())) << status;
  }
}

TEST_F(Dax, SuccessWithAnElementTooFewIsNotBelieved) {
  for (uint32_t at : {1u, 4u}) {
    dax_faults faults = {};
    faults.short_at = at;
    start(faults);
    Operation op(MEMLIFT_OPERATION_COPY, MiB, 0);
    ASSERT_TRUE(op.doneBy(alone()));
    Operation zeros(MEMLIFT_OPERATION_FILL, MiB, 0);
    start(faults);
    zeros.request.pattern = 0;
    std::fill(zeros.expected.begin() + 32, zeros.expected.end() - 96, 0);
    ASSERT_TRUE(zeros.doneBy(alone()));
  }
}

// The block that info does not find writes for 2 s more, and no kill is answered before that. Who
// believes info, or takes no answer for one, has its memory spoiled.
TEST_F(Dax, ALateBlockNeverWritesAfterTheReturn) {
  for (auto operation : both) {
    dax_faults faults = {};
    faults.late_at = 2;
    faults.late_ns = 2000000000u;
    start(faults);
    Operation op(operation, MiB, 5);
    ASSERT_TRUE(op.offload(alone()));
    later();
    ASSERT_TRUE(op.right());
  }
}

TEST_F(Dax, AKillThatIsDeafIsAskedAgain) {
  dax_faults faults = {};
  faults.lose_at = 1;
  faults.lose_count = 3;
  faults.deaf_at = 1;
  faults.deaf_count = 5;
  start(faults);
  Operation op(MEMLIFT_OPERATION_COPY, MiB, 5);
  ASSERT_TRUE(op.doneBy(alone()));
  EXPECT_EQ(model.killed, 3u);
}

// Slow, not lost: info says that it runs, so it is not killed.
TEST_F(Dax, ABlockThatIsComingIsWaitedFor) {
  start();
  model.costs.block = 1200000000u;
  Counted counted;
  Operation op(MEMLIFT_OPERATION_COPY, MiB, 0);
  ASSERT_TRUE(op.doneBy(alone()));
  EXPECT_EQ(counted.since().time_outs, 0u);
  EXPECT_EQ(model.killed, 0u);
}

// ... but not for ever: some are killed while they run, some in the queue.
TEST_F(Dax, AnEndlessQueueIsLeft) {
  start();
  model.costs.block = 60000000000u;
  Operation op(MEMLIFT_OPERATION_COPY, 4 * MiB, 0);
  ASSERT_TRUE(op.offload(alone()));
  EXPECT_GT(model.killed, model.units);
  model.costs.block = 0;
  for (int i = 0; i < 10; ++i)
    later();
  ASSERT_TRUE(op.right());
}

TEST_F(Dax, ARunningBlockIsStopped) {
  start();
  model.costs.block = 60000000000u;
  Operation op(MEMLIFT_OPERATION_COPY, MiB, 0);
  ASSERT_TRUE(op.offload(alone()));
  for (int i = 0; i < 10; ++i)
    later();
  ASSERT_TRUE(op.right());
  EXPECT_GT(model.killed, 0u);
}

// ---- The device goes ---------------------------------------------------------------------------

TEST_F(Dax, ADeviceThatGoesCostsNoData) {
  for (auto operation : both)
    for (uint32_t at : {1u, 2u, 5u}) {
      dax_faults faults = {};
      faults.remove_at = at;
      start(faults);
      Operation op(operation, 4 * MiB, 5);
      ASSERT_TRUE(op.offload(alone()));
      later();
      ASSERT_TRUE(op.right()) << at;
      EXPECT_FALSE(model.is_open && at > 1); // closed: nothing of it is under way
      Operation next(operation, MiB, 5);
      EXPECT_FALSE(next.offload(alone()));
    }
}

TEST_F(Dax, ADeviceThatGoesWhileItIsWaitedForCostsNoData) {
  for (uint32_t look : {2u, 3u, 5u, 9u, 20u}) {
    dax_faults faults = {};
    faults.remove_later = look;
    start(faults);
    model.costs.unit_speed = 20;
    Operation op(MEMLIFT_OPERATION_COPY, 4 * MiB, 5);
    ASSERT_TRUE(op.offload(alone()));
    later();
    ASSERT_TRUE(op.right()) << look;
  }
}

// ---- Who may use it ----------------------------------------------------------------------------

TEST_F(Dax, AnotherThreadUsesTheCpu) {
  start();
  Counted counted;
  std::thread([] {
    Bytes from = randomBytes(MiB, 1), to(MiB);
    memlift_copy(to.data(), from.data(), MiB);
    EXPECT_EQ(from, to);
  }).join();
  EXPECT_EQ(counted.since().operations, 0u);
}

TEST_F(Dax, AChildUsesTheCpu) {
  start();
  expectChildOnCpu();
}

// Another thread forks while the device works. What fork does to a page that is pinned is done here
// by hand: the CPU's copy of it has lost what the device wrote.
memlift_request *beingForked;
void waitAndFork(memlift_ticket ticket, const memlift_request *piece, uint64_t nanoseconds) {
  memlift_engine_dax.wait(ticket, piece, nanoseconds);
  pid_t child = beingForked ? fork() : 1;
  if (child == 0)
    _exit(0);
  if (beingForked) {
    waitpid(child, nullptr, 0);
    memset(beingForked->destination, 0x77, 8192);
  }
  beingForked = nullptr;
}

TEST_F(Dax, AForkMeanwhileCostsNoData) {
  for (auto operation : both) {
    start();
    memlift_engine engine = alone();
    engine.wait = waitAndFork;
    engine.in_flight = 1; // the first block is the one that is waited for
    Operation op(operation, MiB, 5);
    beingForked = &op.request;
    ASSERT_TRUE(op.offload(engine));
    ASSERT_EQ(beingForked, nullptr);
    ASSERT_TRUE(op.right());
  }
}

// ---- All of it at random -----------------------------------------------------------------------

TEST_F(Dax, RandomOperationsUnderRandomFaults) {
  const bool all = getenv("MEMLIFT_TEST_LONG") != nullptr;
  const int rounds = all ? 1000000 : sanitized ? 300 : 3000;
  dax_faults faults = {};
  faults.per_mille = 30;
  start(faults);
  std::mt19937_64 random(testSeed());
  const size_t largest = all ? 64 * KiB : 512 * KiB;
  Bytes source = randomBytes(largest + 128, testSeed()), memory(largest + 256), expected(memory);
  memlift_ticket ticket;
  memlift_status status;
  Counted counted;
  for (int i = 0; i < rounds; ++i) {
    size_t size = 1 + random() % largest, to = 64 + random() % 64, from = random() % 128;
    memlift_request request = {};
    request.operation = both[random() % 2];
    request.destination = memory.data() + to;
    request.source = source.data() + from;
    request.pattern = random() % 4 ? random() : 0;
    request.size = size;
    if (request.operation == MEMLIFT_OPERATION_COPY)
      std::copy_n(source.begin() + static_cast<long>(from), size,
                  expected.begin() + static_cast<long>(to));
    else
      writePattern(&expected[to], size, request.pattern);
    memlift_dax_assume_pages(DAX_LARGEST_PAGE);
    memlift_engine engine = i % 2 ? alone() : memlift_engine_dax;
    if (!memlift_offload(&engine, &request))
      memlift_engine_cpu.submit(&request, 1, &ticket, &status);
    if (random() % 16 == 0)
      later();
    ASSERT_TRUE(memory == expected) << "round " << i << ", MEMLIFT_TEST_SEED=" << testSeed();
  }
  EXPECT_GT(counted.since().engine_bytes, 0u);
  EXPECT_GT(counted.since().faults, 0u);
  EXPECT_GT(model.killed, 0u);
  EXPECT_EQ(model.decode_errors, 0u) << "MEMLIFT_TEST_SEED=" << testSeed();
}

} // namespace
