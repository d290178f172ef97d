// engine_test.cpp - the engine path gives the same bytes, whatever the engine does
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Defends contract 6: an engine that is busy, faults, times out, lies or comes late costs time,
// never data. For every fault that soft_faults can inject there is a test here that fails when
// its handling is taken out.

#include "engine_support.h"

#include <cerrno>
#include <numeric>

namespace {

class Offload : public SoftEngine {};

constexpr size_t Piece = 256 << 10; // bytes of one command, engine/soft/soft.c

TEST_F(Offload, IsNotUsedUnlessAskedFor) {
  memlift_description d;
  ASSERT_EQ(memlift_describe(&d, sizeof d), MEMLIFT_OK);
  EXPECT_STREQ(d.engine, "cpu");
  EXPECT_EQ(d.engine_min, SIZE_MAX);
  Counted counted;
  Bytes bytes(1 << 20);
  memlift_fill8(bytes.data(), 1, bytes.size());
  EXPECT_EQ(counted.since().operations, 0u);
}

TEST_F(Offload, SameBytesAtEverySize) {
  start();
  for (auto operation : {MEMLIFT_OPERATION_COPY, MEMLIFT_OPERATION_FILL})
    for (size_t size : {size_t(1), size_t(7), size_t(4096), Piece - 1, Piece, Piece + 1,
                        5 * Piece + 13, 17 * Piece + 5, 40 * Piece}) {
      if (sanitized && size > 18 * Piece)
        continue;
      Counted counted;
      Operation op(operation, size, size % 13);
      ASSERT_TRUE(op.offload()) << size;
      ASSERT_TRUE(op.right()) << "operation " << operation << ", size " << size;
      EXPECT_EQ(counted.since().engine_bytes, size);
      EXPECT_EQ(counted.since().cpu_bytes, 0u);
    }
}

TEST_F(Offload, EveryEntryPointUsesIt) {
  start();
  const size_t n = 3 * Piece + 11;
  Bytes from = randomBytes(n, 1), to(n), expected(n);
  Counted counted;
  memlift_copy(to.data(), from.data(), n);
  ASSERT_EQ(to, from);
  std::fill(to.begin(), to.end(), 0);
  memlift_move(to.data(), from.data(), n);
  ASSERT_EQ(to, from);
  for (size_t period : {1, 2, 4, 8}) {
    memlift_fill_pattern(to.data(), 0xf1e2d3c4b5a69788u, period, n);
    writePattern(expected.data(), n, 0xf1e2d3c4b5a69788u, period);
    ASSERT_EQ(to, expected) << period;
  }
  EXPECT_EQ(counted.since().engine_bytes, 6 * n);
}

TEST_F(Offload, StaysOnTheCpuBelowTheLimitAndForOverlap) {
  start();
  Counted counted;
  Bytes bytes = randomBytes(2 * Piece + 10, 4), before = bytes;
  memlift_fill8(bytes.data(), 3, memlift_engine_soft.min_bytes - 1);
  memlift_move(bytes.data() + 1, bytes.data(), 2 * Piece);
  memlift_move(bytes.data(), bytes.data() + 1, 2 * Piece);
  memlift_copy(bytes.data(), bytes.data(), bytes.size());
  EXPECT_EQ(counted.since().engine_bytes, 0u);
  EXPECT_EQ(counted.since().operations, 0u);
}

TEST_F(Offload, MisalignedForTheEngineStaysOnTheCpu) {
  start();
  memlift_engine picky = memlift_engine_soft;
  picky.alignment = 64;
  Operation op(MEMLIFT_OPERATION_COPY, Piece, 3);
  EXPECT_FALSE(op.offload(picky));
}

// A wait that ends by its limit sets errno; so does a call that finds the engine taken.
TEST_F(Offload, ErrnoIsKept) {
  soft_faults faults = {};
  faults.lose_at = 1;
  start(faults);
  Operation op(MEMLIFT_OPERATION_COPY, 2 * Piece);
  errno = 4711;
  ASSERT_TRUE(op.offload(withTimeout(5000000)));
  EXPECT_EQ(errno, 4711);
  ASSERT_EQ(memlift_session_acquire(&memlift_engine_soft), MEMLIFT_OK);
  EXPECT_FALSE(op.offload());
  memlift_session_release(&memlift_engine_soft);
  EXPECT_EQ(errno, 4711);
}

// ---- Faults -----------------------------------------------------------------------------------

TEST_F(Offload, BusyDeviceCostsNoData) {
  soft_faults faults = {};
  faults.busy_from = 5; // 32 slots, so 36 commands are taken and then no more
  start(faults);
  Counted counted;
  Operation op(MEMLIFT_OPERATION_COPY, 60 * Piece);
  ASSERT_TRUE(op.offload());
  ASSERT_TRUE(op.right());
  EXPECT_GT(counted.since().busy, 0u);
  EXPECT_EQ(counted.since().engine_bytes, 36 * Piece);
  EXPECT_EQ(counted.since().cpu_bytes, 24 * Piece);
}

TEST_F(Offload, LostCommandIsTimedOutAndDoneByTheCpu) {
  soft_faults faults = {};
  faults.lose_at = 2;
  start(faults);
  Counted counted;
  Operation op(MEMLIFT_OPERATION_FILL, 4 * Piece + 5);
  ASSERT_TRUE(op.offload(withTimeout(patient)));
  ASSERT_TRUE(op.right());
  EXPECT_EQ(counted.since().time_outs, 1u);
  EXPECT_EQ(counted.since().cpu_bytes, Piece);
}

TEST_F(Offload, EveryCommandLost) {
  soft_faults faults = {};
  faults.lose_at = 1;
  faults.lose_count = 1000;
  start(faults);
  Operation op(MEMLIFT_OPERATION_COPY, 20 * Piece);
  ASSERT_TRUE(op.offload(withTimeout(5000000)));
  ASSERT_TRUE(op.right());
  Operation again(MEMLIFT_OPERATION_COPY, 2 * Piece);
  ASSERT_TRUE(again.offload(withTimeout(5000000)));
  ASSERT_TRUE(again.right());
}

TEST_F(Offload, EngineIsUsableAfterALostCommand) {
  soft_faults faults = {};
  faults.lose_at = 1;
  start(faults);
  Operation lost(MEMLIFT_OPERATION_COPY, Piece);
  ASSERT_TRUE(lost.offload(withTimeout(5000000)));
  ASSERT_TRUE(lost.right());
  Counted counted;
  Operation next(MEMLIFT_OPERATION_COPY, 3 * Piece);
  ASSERT_TRUE(next.offload());
  ASSERT_TRUE(next.right());
  EXPECT_EQ(counted.since().engine_bytes, 3 * Piece);
}

TEST_F(Offload, FaultAtEveryKindOfByteIsFinishedByTheCpu) {
  for (auto operation : {MEMLIFT_OPERATION_COPY, MEMLIFT_OPERATION_FILL})
    for (uint64_t byte : {uint64_t(0), uint64_t(1), uint64_t(65537), uint64_t(Piece - 1)})
      for (uint32_t at : {1u, 3u}) {
        soft_faults faults = {};
        faults.fault_at = at;
        faults.fault_byte = byte;
        start(faults);
        Counted counted;
        Operation op(operation, 3 * Piece);
        ASSERT_TRUE(op.offload());
        ASSERT_TRUE(op.right()) << "command " << at << ", byte " << byte;
        EXPECT_EQ(counted.since().faults, 1u);
        EXPECT_EQ(counted.since().cpu_bytes, Piece - byte);
      }
}

TEST_F(Offload, StatusThatMeansNothingIsNotTakenForSuccess) {
  for (uint8_t status : {4, 5, 0x7f, 0x81, 0xff}) {
    soft_faults faults = {};
    faults.wrong_status_at = 2;
    faults.wrong_status = status;
    start(faults);
    Counted counted;
    Operation op(MEMLIFT_OPERATION_FILL, 3 * Piece);
    ASSERT_TRUE(op.offload());
    ASSERT_TRUE(op.right()) << "status " << +status;
    EXPECT_EQ(counted.since().cpu_bytes, Piece);
    EXPECT_EQ(counted.since().faults, 1u);
  }
}

TEST_F(Offload, RefusedCommandIsDoneByTheCpu) {
  soft_faults faults = {};
  faults.wrong_status_at = 1;
  faults.wrong_status = MEMLIFT_SOFT_COMP_STATUS_BAD_COMMAND; // BYTES says all: still refused
  start(faults);
  Operation op(MEMLIFT_OPERATION_COPY, Piece);
  ASSERT_TRUE(op.offload());
  ASSERT_TRUE(op.right());
}

TEST_F(Offload, CompletionOfAnotherCommandIsNotTakenForOurs) {
  soft_faults faults = {};
  faults.wrong_sequence_at = 1;
  start(faults);
  Counted counted;
  Operation op(MEMLIFT_OPERATION_COPY, Piece + 9);
  ASSERT_TRUE(op.offload(withTimeout(patient)));
  ASSERT_TRUE(op.right());
  EXPECT_EQ(counted.since().time_outs, 1u);
}

TEST_F(Offload, MoreBytesThanAskedForAreNotBelieved) {
  soft_faults faults = {};
  faults.too_many_bytes_at = 1;
  start(faults);
  Operation op(MEMLIFT_OPERATION_FILL, Piece);
  ASSERT_TRUE(op.offload());
  ASSERT_TRUE(op.right());
}

// The device writes 30 ms late, after it was told to give up, and acknowledges only then. Who does
// not tell it, or does not wait, finds nonsense in memory that the program owns again.
TEST_F(Offload, ALateDeviceNeverWritesAfterTheReturn) {
  soft_faults faults = {};
  faults.late_at = 1;
  faults.late_ns = 30000000;
  start(faults);
  Operation op(MEMLIFT_OPERATION_COPY, Piece);
  ASSERT_TRUE(op.offload(withTimeout(1000000)));
  ASSERT_TRUE(op.right());
  usleep(200000);
  ASSERT_TRUE(op.right());
}

// ---- Starting and stopping --------------------------------------------------------------------

TEST_F(Offload, StartStopManyTimes) {
  for (int i = 0; i < 50; ++i) {
    start();
    Operation op(MEMLIFT_OPERATION_FILL, 1000);
    ASSERT_TRUE(op.offload());
    ASSERT_TRUE(op.right());
    ASSERT_EQ(memlift_engine_stop(), MEMLIFT_OK);
    Operation after(MEMLIFT_OPERATION_FILL, 1000);
    ASSERT_FALSE(after.offload());
  }
}

TEST_F(Offload, BadRequestsAreRefused) {
  EXPECT_EQ(memlift_engine_start(nullptr), MEMLIFT_INVALID_ARGUMENT);
  EXPECT_EQ(memlift_engine_start(""), MEMLIFT_UNKNOWN_ENGINE);
  EXPECT_EQ(memlift_engine_start("pdma?"), MEMLIFT_UNKNOWN_ENGINE);
  EXPECT_EQ(memlift_engine_start("cpu"), MEMLIFT_OK);
  EXPECT_EQ(memlift_describe(nullptr, 8), MEMLIFT_INVALID_ARGUMENT);
  memlift_description d;
  EXPECT_EQ(memlift_describe(&d, 0), MEMLIFT_INVALID_ARGUMENT);
  memlift_engine_description e;
  EXPECT_EQ(memlift_describe_engine(1000, &e, sizeof e), MEMLIFT_UNKNOWN_ENGINE);
  EXPECT_EQ(memlift_describe_engine(0, nullptr, 1), MEMLIFT_INVALID_ARGUMENT);
  EXPECT_EQ(memlift_engine_count(nullptr, 1), MEMLIFT_INVALID_ARGUMENT);
}

// A program that was built against a shorter struct gets only that much.
TEST_F(Offload, DescriptionsRespectTheCallersSize) {
  memlift_description d;
  memset(&d, 0x5a, sizeof d);
  ASSERT_EQ(memlift_describe(&d, offsetof(memlift_description, isa_requested)), MEMLIFT_OK);
  const unsigned char *rest = reinterpret_cast<unsigned char *>(&d.isa_requested);
  EXPECT_STREQ(d.isa_best, memlift_level_name(memlift_best_level()));
  EXPECT_EQ(*rest, 0x5a);
}

TEST_F(Offload, CountsOperationsBySizeAndEngine) {
  start();
  uint64_t soft[MEMLIFT_SIZE_CLASSES], cpu[MEMLIFT_SIZE_CLASSES], now[MEMLIFT_SIZE_CLASSES], few[3];
  ASSERT_EQ(memlift_engine_sizes("soft", soft, MEMLIFT_SIZE_CLASSES), MEMLIFT_OK);
  ASSERT_EQ(memlift_engine_sizes("cpu", cpu, MEMLIFT_SIZE_CLASSES), MEMLIFT_OK);
  Operation small(MEMLIFT_OPERATION_COPY, Piece), most(MEMLIFT_OPERATION_FILL, 2 * Piece - 1),
      next(MEMLIFT_OPERATION_FILL, 2 * Piece);
  ASSERT_TRUE(small.offload() && most.offload() && next.offload());
  ASSERT_EQ(memlift_session_acquire(&memlift_engine_soft), MEMLIFT_OK);
  ASSERT_FALSE(next.offload());
  memlift_session_release(&memlift_engine_soft);
  ASSERT_EQ(memlift_engine_sizes("soft", now, MEMLIFT_SIZE_CLASSES), MEMLIFT_OK);
  for (unsigned i = 0; i < MEMLIFT_SIZE_CLASSES; ++i)
    EXPECT_EQ(now[i] - soft[i], i == 18 ? 2u : i == 19 ? 1u : 0u) << i;
  ASSERT_EQ(memlift_engine_sizes("soft", few, 3), MEMLIFT_OK);
  EXPECT_EQ(few[0] + few[1] + few[2],
            std::accumulate(now, now + MEMLIFT_SIZE_CLASSES, uint64_t(0)));
  ASSERT_EQ(memlift_engine_sizes("cpu", now, MEMLIFT_SIZE_CLASSES), MEMLIFT_OK);
  EXPECT_EQ(now[19] - cpu[19], 1u);
  EXPECT_EQ(memlift_engine_sizes("pdma?", now, 1), MEMLIFT_UNKNOWN_ENGINE);
  EXPECT_EQ(memlift_engine_sizes(nullptr, now, 1), MEMLIFT_INVALID_ARGUMENT);
  EXPECT_EQ(memlift_engine_sizes("cpu", nullptr, 1), MEMLIFT_INVALID_ARGUMENT);
  EXPECT_EQ(memlift_engine_sizes("cpu", now, 0), MEMLIFT_INVALID_ARGUMENT);
  EXPECT_EQ(memlift_engine_sizes("cpu", now, 65), MEMLIFT_INVALID_ARGUMENT);
}

TEST_F(Offload, TheCpuEngineDoesTheSame) {
  for (auto operation : {MEMLIFT_OPERATION_COPY, MEMLIFT_OPERATION_FILL}) {
    Operation op(operation, 100000);
    ASSERT_TRUE(op.offload(memlift_engine_cpu));
    ASSERT_TRUE(op.right());
  }
}

TEST(Status, EveryCodeHasAText) {
  for (int code = MEMLIFT_OK; code <= MEMLIFT_LOST; ++code)
    EXPECT_STRNE(memlift_strerror(static_cast<memlift_status>(code)), "unknown status") << code;
  EXPECT_STREQ(memlift_strerror(static_cast<memlift_status>(19)), "unknown status");
  EXPECT_STREQ(memlift_strerror(static_cast<memlift_status>(-1)), "unknown status");
}

TEST(Status, HeaderAndLibraryAreOfOneVersion) {
  EXPECT_EQ(memlift_version(), unsigned(MEMLIFT_VERSION));
  EXPECT_EQ(memlift_version_string(), std::to_string(MEMLIFT_VERSION_MAJOR) + "." +
                                          std::to_string(MEMLIFT_VERSION_MINOR) + "." +
                                          std::to_string(MEMLIFT_VERSION_PATCH));
}

} // namespace
