// async_faults_test.cpp - submitted operations are right whatever the engine does, or cancelled
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Defends contract 6 for what is submitted: an engine that is busy, faults, times out, lies or
// comes late costs time, never data, and no operation is lost or completes twice.

#include "async_support.h"

namespace {

// ---- Faults -----------------------------------------------------------------------------------

TEST_F(Async, BusyDeviceCostsNoData) {
  soft_faults faults = {};
  faults.busy_from = 5;
  start(faults);
  Counted counted;
  Operation op(MEMLIFT_OPERATION_COPY, 60 * Piece);
  memlift_token token = submitted(op);
  ASSERT_EQ(memlift_wait(token, forever), MEMLIFT_OK);
  ASSERT_TRUE(op.right());
  EXPECT_GT(counted.since().busy, 0u);
  EXPECT_EQ(counted.since().engine_bytes, 36 * Piece);
  EXPECT_EQ(counted.since().cpu_bytes, 24 * Piece);
}

// Only what was lost is done again; what else was under way in the engine is given up with it.
TEST_F(Async, LostCommandIsTimedOutAndDoneByTheCpu) {
  soft_faults faults = {};
  faults.lose_at = 2;
  start(faults);
  InUse impatient(withTimeout(patient));
  Counted counted;
  Operation first(MEMLIFT_OPERATION_FILL, Piece), lost(MEMLIFT_OPERATION_FILL, Piece),
      last(MEMLIFT_OPERATION_COPY, Piece);
  memlift_token a = submitted(first), b = submitted(lost), c = submitted(last, b);
  ASSERT_EQ(memlift_wait(a, forever), MEMLIFT_OK);
  ASSERT_EQ(memlift_wait(c, forever), MEMLIFT_OK);
  ASSERT_EQ(memlift_wait(b, forever), MEMLIFT_OK);
  for (Operation *op : {&first, &lost, &last})
    EXPECT_TRUE(op->right());
  EXPECT_EQ(counted.since().time_outs, 1u);
  EXPECT_EQ(counted.since().cpu_bytes, Piece);
  EXPECT_EQ(counted.since().engine_bytes, 2 * Piece);
}

// One that is lost is given up though others complete all the time.
TEST_F(Async, ALostCommandIsNotHiddenByOthers) {
  soft_faults faults = {};
  faults.lose_at = 1;
  start(faults);
  InUse impatient(withTimeout(20000000));
  Operation lost(MEMLIFT_OPERATION_COPY, Piece);
  memlift_token token = submitted(lost);
  uint64_t before = memlift_now();
  while (memlift_try_wait(token) == MEMLIFT_PENDING) {
    Operation other(MEMLIFT_OPERATION_FILL, 100);
    ASSERT_EQ(memlift_wait(submitted(other, noToken, MEMLIFT_SUBMITTED_ANY_SIZE), forever),
              MEMLIFT_OK);
    ASSERT_TRUE(other.right());
    ASSERT_LT(memlift_now() - before, 10000000000u);
  }
  EXPECT_TRUE(lost.right());
}

TEST_F(Async, FaultAtEveryKindOfByteIsFinishedByTheCpu) {
  for (auto operation : both)
    for (uint64_t byte : {uint64_t(0), uint64_t(1), uint64_t(65537), uint64_t(Piece - 1)})
      for (uint32_t at : {1u, 3u}) {
        soft_faults faults = {};
        faults.fault_at = at;
        faults.fault_byte = byte;
        start(faults);
        Counted counted;
        Operation op(operation, 3 * Piece), other(operation, 2 * Piece);
        memlift_token a = submitted(op), b = submitted(other);
        ASSERT_EQ(memlift_wait(b, forever), MEMLIFT_OK);
        ASSERT_EQ(memlift_wait(a, forever), MEMLIFT_OK);
        ASSERT_TRUE(op.right() && other.right()) << "command " << at << ", byte " << byte;
        EXPECT_EQ(counted.since().faults, 1u);
        EXPECT_EQ(counted.since().cpu_bytes, Piece - byte);
      }
}

TEST_F(Async, AnswersThatMeanNothingAreNotBelieved) {
  for (int kind = 0; kind < 4; ++kind) {
    soft_faults faults = {};
    if (kind == 0)
      faults.wrong_status_at = 2, faults.wrong_status = 0x7f;
    else if (kind == 1)
      faults.wrong_status_at = 2, faults.wrong_status = MEMLIFT_SOFT_COMP_STATUS_BAD_COMMAND;
    else if (kind == 2)
      faults.wrong_sequence_at = 2;
    else
      faults.too_many_bytes_at = 2;
    start(faults);
    InUse impatient(withTimeout(20000000));
    Operation op(MEMLIFT_OPERATION_FILL, 3 * Piece);
    memlift_token token = submitted(op);
    ASSERT_EQ(memlift_wait(token, forever), MEMLIFT_OK);
    ASSERT_TRUE(op.right()) << kind;
  }
}

TEST_F(Async, ALateDeviceNeverWritesAfterTheToken) {
  soft_faults faults = {};
  faults.late_at = 1;
  faults.late_ns = 30000000;
  start(faults);
  InUse impatient(withTimeout(1000000));
  Operation op(MEMLIFT_OPERATION_COPY, Piece);
  memlift_token token = submitted(op);
  ASSERT_EQ(memlift_wait(token, forever), MEMLIFT_OK);
  ASSERT_TRUE(op.right());
  usleep(200000);
  ASSERT_TRUE(op.right());
}

// ---- Cancelling -------------------------------------------------------------------------------

TEST_F(Async, CancelledBeforeItBeginsTouchesNothing) {
  soft_faults faults = {};
  faults.late_at = 1;
  faults.late_ns = 50000000;
  start(faults);
  InUse impatient(withTimeout(10000000));
  Operation first(MEMLIFT_OPERATION_FILL, Piece), second(MEMLIFT_OPERATION_COPY, Piece),
      third(MEMLIFT_OPERATION_COPY, Piece), fourth(MEMLIFT_OPERATION_COPY, 100);
  memlift_token a = submitted(first), b = submitted(second, a), c = submitted(third, b),
                d = submitted(fourth, c);
  Bytes untouched = second.memory, too = third.memory;
  Counted counted;
  EXPECT_EQ(memlift_cancel(b), MEMLIFT_CANCELLED);
  EXPECT_EQ(memlift_cancel(b), MEMLIFT_COLLECTED);
  EXPECT_EQ(memlift_wait(b, forever), MEMLIFT_COLLECTED);
  EXPECT_EQ(memlift_wait(c, forever), MEMLIFT_CANCELLED);
  memlift_token e = submitted(fourth, d); // after one that is cancelled, and not collected
  EXPECT_EQ(memlift_wait(e, forever), MEMLIFT_CANCELLED);
  EXPECT_EQ(memlift_cancel(d), MEMLIFT_CANCELLED);
  EXPECT_EQ(memlift_wait(a, forever), MEMLIFT_OK);
  EXPECT_TRUE(first.right());
  EXPECT_EQ(second.memory, untouched);
  EXPECT_EQ(third.memory, too);
  EXPECT_EQ(counted.since().cancelled, 4u);
}

TEST_F(Async, CancelledUnderWayIsQuietOnReturn) {
  soft_faults faults = {};
  faults.late_at = 2;
  faults.late_ns = 30000000;
  start(faults);
  InUse impatient(withTimeout(5000000));
  Operation op(MEMLIFT_OPERATION_COPY, 40 * Piece);
  memlift_token token = submitted(op);
  EXPECT_EQ(memlift_cancel(token), MEMLIFT_CANCELLED);
  std::fill(op.memory.begin(), op.memory.end(), 0x77);
  usleep(100000);
  EXPECT_EQ(op.memory, Bytes(op.memory.size(), 0x77));
}

TEST_F(Async, CancelledTooLateIsComplete) {
  start();
  Operation op(MEMLIFT_OPERATION_COPY, Piece);
  memlift_token token = submitted(op);
  usleep(100000);
  EXPECT_EQ(memlift_cancel(token), MEMLIFT_OK);
  EXPECT_TRUE(op.right());
}

} // namespace
