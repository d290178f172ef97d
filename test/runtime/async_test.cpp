// async_test.cpp - memlift/async.h: the bytes are right and each token is collected once, come what may
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Defends contract 6 for what is submitted: an engine that is busy, faults, times out, lies or comes
// late costs time, never data, and no operation is lost or completes twice.

#include "async_support.h"

#include <cerrno>
#include <csignal>
#include <sys/wait.h>

namespace {

constexpr size_t Piece = 256 << 10; // bytes of one command, engine/soft/soft.c
const memlift_operation both[] = {MEMLIFT_OPERATION_COPY, MEMLIFT_OPERATION_FILL};

class Async : public SoftEngine {};

// ---- Without an engine ------------------------------------------------------------------------

TEST(AsyncAlone, TheCpuDoesItWhenSubmitted) {
  for (auto operation : both)
    for (size_t size : {0, 1, 7, 4096, 300001}) {
      Operation op(operation, size);
      memlift_token token = submitted(op);
      ASSERT_TRUE(op.right());
      EXPECT_EQ(memlift_try_wait(token), MEMLIFT_OK);
      EXPECT_EQ(memlift_try_wait(token), MEMLIFT_COLLECTED);
    }
}

TEST(AsyncAlone, EveryPeriod) {
  for (size_t period = 1; period <= 8; ++period) {
    Bytes memory(1000, 0xC3);
    memlift_token token;
    ASSERT_EQ(memlift_submit_fill(memory.data() + 3, 0xf1e2d3c4b5a69788u, period, 900, noToken,
                                  &token),
              MEMLIFT_OK);
    ASSERT_EQ(memlift_wait(token, forever), MEMLIFT_OK);
    for (size_t i = 0; i < memory.size(); ++i)
      ASSERT_EQ(memory[i], i < 3 || i >= 903 ? 0xC3 : patternByte(0xf1e2d3c4b5a69788u, period, i - 3));
  }
}

TEST(AsyncAlone, ChecksumOfACopy) {
  for (size_t size : {0, 1, 2, 999, 65537}) {
    Bytes from = randomBytes(size, 1), to(size);
    uint32_t sum = 1;
    memlift_token token;
    ASSERT_EQ(memlift_submit_copy_inet_sum(to.data(), from.data(), size, 77, &sum, noToken, &token),
              MEMLIFT_OK);
    ASSERT_EQ(memlift_wait(token, forever), MEMLIFT_OK);
    EXPECT_EQ(to, from);
    EXPECT_EQ(sum, memlift_inet_sum(from.data(), size, 77));
  }
}

TEST(AsyncAlone, ACopyOntoItself) {
  Bytes bytes = randomBytes(5000, 2), before = bytes;
  uint32_t sum = 0;
  memlift_token token;
  ASSERT_EQ(memlift_submit_copy_inet_sum(bytes.data(), bytes.data(), bytes.size(), 0, &sum, noToken,
                                         &token),
            MEMLIFT_OK);
  ASSERT_EQ(memlift_wait(token, forever), MEMLIFT_OK);
  EXPECT_EQ(bytes, before);
  EXPECT_EQ(sum, memlift_inet_sum(before.data(), before.size(), 0));
}

TEST(AsyncAlone, BadArgumentsStartNothing) {
  unsigned char a[8] = {1}, b[8] = {2};
  unsigned which;
  memlift_token token = noToken, never = {uint64_t(1) << 60 | 3}, small = {5};
  Counted counted;
  EXPECT_EQ(memlift_submit_copy(nullptr, b, 8, noToken, &token), MEMLIFT_INVALID_ARGUMENT);
  EXPECT_EQ(memlift_submit_copy(a, nullptr, 8, noToken, &token), MEMLIFT_INVALID_ARGUMENT);
  EXPECT_EQ(memlift_submit_copy(a, b, 8, noToken, nullptr), MEMLIFT_INVALID_ARGUMENT);
  EXPECT_EQ(memlift_submit_copy(a, b, 8, never, &token), MEMLIFT_INVALID_ARGUMENT);
  EXPECT_EQ(memlift_submit_copy(a, b, 8, small, &token), MEMLIFT_INVALID_ARGUMENT);
  EXPECT_EQ(memlift_submit_fill(nullptr, 0, 8, 8, noToken, &token), MEMLIFT_INVALID_ARGUMENT);
  for (size_t period : {size_t(0), size_t(9), SIZE_MAX})
    EXPECT_EQ(memlift_submit_fill(a, 0, period, 8, noToken, &token), MEMLIFT_INVALID_ARGUMENT);
  EXPECT_EQ(memlift_submit_copy_inet_sum(a, b, 8, 0, nullptr, noToken, &token),
            MEMLIFT_INVALID_ARGUMENT);
  memlift_submission s = {};
  s.destination = a, s.source = b, s.size = 8, s.operation = MEMLIFT_SUBMIT_COPY;
  EXPECT_EQ(memlift_submit(&s, sizeof s, 0, &token), MEMLIFT_INVALID_ARGUMENT);
  EXPECT_EQ(memlift_submit(&s, 0, 1, &token), MEMLIFT_INVALID_ARGUMENT);
  EXPECT_EQ(memlift_submit(&s, sizeof s, MEMLIFT_TOKENS + 1, &token), MEMLIFT_INVALID_ARGUMENT);
  EXPECT_EQ(memlift_submit(nullptr, sizeof s, 1, &token), MEMLIFT_INVALID_ARGUMENT);
  s.flags = 4;
  EXPECT_EQ(memlift_submit(&s, sizeof s, 1, &token), MEMLIFT_INVALID_ARGUMENT);
  s.flags = 0, s.operation = 9;
  EXPECT_EQ(memlift_submit(&s, sizeof s, 1, &token), MEMLIFT_INVALID_ARGUMENT);
  EXPECT_EQ(memlift_wait(noToken, 0), MEMLIFT_INVALID_ARGUMENT);
  EXPECT_EQ(memlift_wait(never, 0), MEMLIFT_INVALID_ARGUMENT);
  EXPECT_EQ(memlift_cancel(noToken), MEMLIFT_INVALID_ARGUMENT);
  EXPECT_EQ(memlift_wait_any(&token, 0, 0, &which), MEMLIFT_INVALID_ARGUMENT);
  EXPECT_EQ(memlift_wait_any(nullptr, 1, 0, &which), MEMLIFT_INVALID_ARGUMENT);
  EXPECT_EQ(memlift_wait_any(&token, 1, 0, nullptr), MEMLIFT_INVALID_ARGUMENT);
  EXPECT_EQ(memlift_wait_any(&noToken, 1, 0, &which), MEMLIFT_COLLECTED);
  EXPECT_EQ(counted.since().submitted, 0u);
  EXPECT_EQ(a[0], 1);
}

TEST(AsyncAlone, ABatchIsAllOrNothing) {
  unsigned char a[8] = {1}, b[8] = {2};
  memlift_submission list[2] = {};
  memlift_token tokens[2] = {};
  list[0].operation = MEMLIFT_SUBMIT_COPY;
  list[0].destination = a, list[0].source = b, list[0].size = 8;
  list[1] = list[0];
  list[1].destination = nullptr;
  EXPECT_EQ(memlift_submit(list, sizeof *list, 2, tokens), MEMLIFT_INVALID_ARGUMENT);
  EXPECT_EQ(a[0], 1);
}

// A program that was built against a shorter struct has no `after`.
TEST(AsyncAlone, ShorterElementsAreUnderstood) {
  constexpr size_t size = offsetof(memlift_submission, after);
  unsigned char a[2][8] = {{1}, {1}}, b[8] = {2}, list[2 * size];
  memlift_token tokens[2];
  for (int i = 0; i < 2; ++i) {
    memlift_submission s = {};
    s.operation = MEMLIFT_SUBMIT_COPY;
    s.destination = a[i], s.source = b, s.size = 8;
    memcpy(list + i * size, &s, size);
  }
  ASSERT_EQ(memlift_submit(reinterpret_cast<memlift_submission *>(list), size, 2, tokens), MEMLIFT_OK);
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(memlift_wait(tokens[i], forever), MEMLIFT_OK);
    EXPECT_EQ(a[i][0], 2);
  }
}

TEST(AsyncAlone, AllTokensInUseIsBusy) {
  std::vector<memlift_token> tokens(MEMLIFT_TOKENS);
  unsigned char a[8] = {1}, b[8] = {2};
  for (memlift_token &token : tokens)
    ASSERT_EQ(memlift_submit_copy(a, b, 8, noToken, &token), MEMLIFT_OK);
  memlift_token more = noToken;
  a[0] = 1;
  EXPECT_EQ(memlift_submit_copy(a, b, 8, noToken, &more), MEMLIFT_BUSY);
  EXPECT_EQ(a[0], 1);
  ASSERT_EQ(memlift_wait(tokens[7], forever), MEMLIFT_OK);
  tokens[7] = noToken;
  EXPECT_EQ(memlift_submit_copy(a, b, 8, noToken, &more), MEMLIFT_OK);
  EXPECT_EQ(memlift_wait(more, forever), MEMLIFT_OK);
  unsigned which, collected = 0;
  while (memlift_wait_any(tokens.data(), MEMLIFT_TOKENS, forever, &which) == MEMLIFT_OK)
    tokens[which] = noToken, ++collected;
  EXPECT_EQ(collected, MEMLIFT_TOKENS - 1u);
}

// ---- Beside the program -----------------------------------------------------------------------

TEST_F(Async, SameBytesAtEverySize) {
  start();
  for (auto operation : both)
    for (size_t size : {size_t(1), size_t(7), Piece - 1, Piece, Piece + 1, 5 * Piece + 13,
                        17 * Piece + 5, 40 * Piece}) {
      if (sanitized && size > 18 * Piece)
        continue;
      Counted counted;
      Operation op(operation, size, size % 13);
      memlift_token token = submitted(op, noToken, MEMLIFT_SUBMITTED_ANY_SIZE);
      ASSERT_EQ(memlift_wait(token, forever), MEMLIFT_OK);
      ASSERT_TRUE(op.right()) << operation << ", " << size;
      EXPECT_EQ(counted.since().engine_bytes, size);
      EXPECT_EQ(counted.since().cpu_bytes, 0u);
      EXPECT_EQ(counted.since().operations, 1u);
    }
}

// The device is deaf for a while: a call that waited for it would take as long.
TEST_F(Async, SubmissionDoesNotWait) {
  soft_faults faults = {};
  faults.late_at = 1;
  faults.late_ns = 200000000;
  start(faults);
  uint64_t before = memlift_now();
  Operation op(MEMLIFT_OPERATION_COPY, 2 * Piece);
  memlift_token token = submitted(op);
  EXPECT_EQ(memlift_try_wait(token), MEMLIFT_PENDING);
  EXPECT_EQ(memlift_wait(token, 1000000), MEMLIFT_PENDING);
  EXPECT_LT(memlift_now() - before, 150000000u);
  EXPECT_EQ(memlift_cancel(token), MEMLIFT_CANCELLED); // what is late spoils its destination
}

TEST_F(Async, SmallOnesStayOnTheCpu) {
  start();
  Counted counted;
  Operation op(MEMLIFT_OPERATION_COPY, memlift_engine_soft.min_bytes - 1);
  memlift_token token = submitted(op);
  EXPECT_TRUE(op.right());
  EXPECT_EQ(memlift_try_wait(token), MEMLIFT_OK);
  EXPECT_EQ(counted.since().engine_bytes, 0u);
}

TEST_F(Async, SeveralAreUnderWayAndAnyOrderCollects) {
  start();
  std::vector<std::unique_ptr<Operation>> ops;
  std::vector<memlift_token> tokens;
  for (int i = 0; i < 20; ++i) {
    ops.push_back(std::make_unique<Operation>(both[i % 2], Piece + 1000 * i, i % 7));
    tokens.push_back(submitted(*ops.back()));
  }
  for (int i = 19; i >= 0; i -= 2) {
    ASSERT_EQ(memlift_wait(tokens[i], forever), MEMLIFT_OK);
    ASSERT_TRUE(ops[i]->right());
  }
  unsigned which;
  for (int left = 10; left; --left) {
    ASSERT_EQ(memlift_wait_any(tokens.data(), 20, forever, &which), MEMLIFT_OK);
    ASSERT_TRUE(ops[which]->right());
  }
  EXPECT_EQ(memlift_wait_any(tokens.data(), 20, forever, &which), MEMLIFT_COLLECTED);
}

// Each copies what the one before has written.
TEST_F(Async, AChainIsDoneInItsOrder) {
  start();
  for (uint32_t flags : {0u, MEMLIFT_SUBMITTED_ANY_SIZE}) {
    constexpr int Links = 12;
    std::vector<Bytes> memory{randomBytes(Piece + 77, 5)};
    memory.resize(Links + 1, Bytes(Piece + 77));
    memlift_submission list[Links] = {};
    memlift_token tokens[Links];
    for (int i = 0; i < Links; ++i) {
      list[i].operation = MEMLIFT_SUBMIT_COPY;
      list[i].flags = MEMLIFT_SUBMITTED_AFTER_PREVIOUS | flags;
      list[i].destination = memory[i + 1].data();
      list[i].source = memory[i].data();
      list[i].size = memory[0].size();
    }
    ASSERT_EQ(memlift_submit(list, sizeof *list, Links, tokens), MEMLIFT_OK);
    ASSERT_EQ(memlift_wait(tokens[Links - 1], forever), MEMLIFT_OK); // the others before it
    EXPECT_EQ(memory[Links], memory[0]);
    for (int i = 0; i < Links - 1; ++i)
      EXPECT_EQ(memlift_try_wait(tokens[i]), MEMLIFT_OK) << i;
  }
}

// Two fills, and a copy of each half that comes after both.
TEST_F(Async, AfterSeveral) {
  start();
  Bytes from(4 * Piece), to(4 * Piece);
  memlift_submission list[3] = {};
  memlift_token tokens[3];
  for (int i = 0; i < 2; ++i) {
    list[i].operation = MEMLIFT_SUBMIT_FILL;
    list[i].destination = from.data() + i * 2 * Piece;
    list[i].size = 2 * Piece;
    list[i].pattern = 0x11u * (i + 1), list[i].period = 1;
  }
  ASSERT_EQ(memlift_submit(list, sizeof *list, 2, tokens), MEMLIFT_OK);
  list[2].operation = MEMLIFT_SUBMIT_COPY;
  list[2].destination = to.data(), list[2].source = from.data(), list[2].size = to.size();
  list[2].after[1] = tokens[0], list[2].after[3] = tokens[1];
  ASSERT_EQ(memlift_submit(list + 2, sizeof *list, 1, tokens + 2), MEMLIFT_OK);
  ASSERT_EQ(memlift_wait(tokens[2], forever), MEMLIFT_OK);
  EXPECT_EQ(to[0], 0x11);
  EXPECT_EQ(to[2 * Piece - 1], 0x11);
  EXPECT_EQ(to[2 * Piece], 0x22);
  EXPECT_EQ(to.back(), 0x22);
  EXPECT_EQ(memlift_wait(tokens[0], forever), MEMLIFT_OK);
  EXPECT_EQ(memlift_wait(tokens[1], forever), MEMLIFT_OK);
}

TEST_F(Async, AfterATokenThatIsCollectedBeginsAtOnce) {
  start();
  Operation first(MEMLIFT_OPERATION_FILL, Piece), second(MEMLIFT_OPERATION_COPY, Piece);
  memlift_token a = submitted(first);
  ASSERT_EQ(memlift_wait(a, forever), MEMLIFT_OK);
  memlift_token b = submitted(second, a);
  ASSERT_EQ(memlift_wait(b, forever), MEMLIFT_OK);
  EXPECT_TRUE(second.right());
}

TEST_F(Async, ChecksumBesideTheEngine) {
  start();
  Bytes from = randomBytes(3 * Piece + 5, 6), to(from.size());
  uint32_t sum = 0;
  memlift_token token;
  Counted counted;
  ASSERT_EQ(memlift_submit_copy_inet_sum(to.data(), from.data(), from.size(), 5, &sum, noToken, &token),
            MEMLIFT_OK);
  ASSERT_EQ(memlift_wait(token, forever), MEMLIFT_OK);
  EXPECT_EQ(to, from);
  EXPECT_EQ(sum, memlift_inet_sum(from.data(), from.size(), 5));
  EXPECT_EQ(counted.since().engine_bytes, from.size());
}

// A call that waits for what it asks for finds the engine taken, and goes on the CPU; and the other
// way round.
TEST_F(Async, SharesTheEngineWithOrdinaryCalls) {
  start();
  Operation op(MEMLIFT_OPERATION_COPY, 3 * Piece), plain(MEMLIFT_OPERATION_COPY, 2 * Piece);
  memlift_token token = submitted(op);
  Counted counted;
  memlift_copy(plain.request.destination, plain.request.source, plain.request.size);
  EXPECT_TRUE(plain.right());
  EXPECT_EQ(counted.since().busy, 1u);
  EXPECT_EQ(memlift_engine_stop(), MEMLIFT_BUSY);
  ASSERT_EQ(memlift_wait(token, forever), MEMLIFT_OK);
  EXPECT_TRUE(op.right());
  Counted again;
  Operation next(MEMLIFT_OPERATION_COPY, 2 * Piece);
  ASSERT_TRUE(next.offload());
  EXPECT_EQ(again.since().engine_bytes, 2 * Piece);

  ASSERT_EQ(memlift_engine_soft.acquire(), MEMLIFT_OK);
  Operation other(MEMLIFT_OPERATION_FILL, 2 * Piece);
  token = submitted(other);
  EXPECT_TRUE(other.right());
  memlift_engine_soft.release();
  EXPECT_EQ(memlift_try_wait(token), MEMLIFT_OK);
}

TEST_F(Async, ErrnoIsKept) {
  soft_faults faults = {};
  faults.lose_at = 1;
  start(faults);
  InUse impatient(withTimeout(5000000));
  Operation op(MEMLIFT_OPERATION_COPY, 2 * Piece);
  errno = 4711;
  memlift_token token = submitted(op);
  EXPECT_EQ(memlift_wait(token, forever), MEMLIFT_OK);
  EXPECT_EQ(errno, 4711);
}

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
  InUse impatient(withTimeout(20000000));
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
    ASSERT_EQ(memlift_wait(submitted(other, noToken, MEMLIFT_SUBMITTED_ANY_SIZE), forever), MEMLIFT_OK);
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

// ---- Threads and processes ---------------------------------------------------------------------

TEST_F(Async, OneOfManyWaitersCollects) {
  start();
  for (int turn = 0; turn < 20; ++turn) {
    Operation op(MEMLIFT_OPERATION_COPY, 2 * Piece);
    memlift_token token = submitted(op);
    std::atomic<int> collected{0}, told{0};
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t)
      threads.emplace_back([&] {
        memlift_status status = memlift_wait(token, forever);
        collected += status == MEMLIFT_OK;
        told += status == MEMLIFT_COLLECTED;
      });
    for (std::thread &thread : threads)
      thread.join();
    EXPECT_EQ(collected, 1);
    EXPECT_EQ(told, 3);
    ASSERT_TRUE(op.right());
  }
}

TEST_F(Async, AnotherThreadMayCollect) {
  start();
  Operation op(MEMLIFT_OPERATION_COPY, 20 * Piece);
  memlift_token token;
  std::thread([&] { token = submitted(op); }).join();
  EXPECT_EQ(memlift_wait(token, forever), MEMLIFT_OK);
  EXPECT_TRUE(op.right());
}

TEST_F(Async, StartAndStopUnderLoad) {
  std::atomic<bool> done{false};
  std::atomic<unsigned> wrong{0};
  std::thread worker([&] {
    for (unsigned i = 0; !done; ++i) {
      Operation op(both[i % 2], Piece);
      wrong += memlift_wait(submitted(op), forever) != MEMLIFT_OK || !op.right();
    }
  });
  for (int i = 0; i < 100; ++i) {
    memlift_engine_start("soft");
    usleep(200);
    memlift_engine_stop();
  }
  done = true;
  worker.join();
  EXPECT_EQ(wrong, 0u);
}

// Every stage that an operation can be in: the child has the tokens, and does all on the CPU.
TEST_F(Async, AChildFinishesWhatItWaitsFor) {
  soft_faults faults = {};
  faults.late_at = 3;
  faults.late_ns = 20000000;
  start(faults);
  InUse impatient(withTimeout(5000000));
  Operation first(MEMLIFT_OPERATION_COPY, Piece), second(MEMLIFT_OPERATION_FILL, 30 * Piece),
      third(MEMLIFT_OPERATION_COPY, Piece);
  Bytes from = randomBytes(Piece, 4), to(Piece);
  uint32_t sum = 0;
  memlift_token a = submitted(first), b = submitted(second), c = submitted(third, b), d;
  ASSERT_EQ(memlift_submit_copy_inet_sum(to.data(), from.data(), Piece, 0, &sum, c, &d), MEMLIFT_OK);
  pid_t child = fork();
  if (child == 0) {
    Counted counted;
    int bad = memlift_wait(d, forever) != MEMLIFT_OK || to != from ||
              sum != memlift_inet_sum(from.data(), Piece, 0);
    bad |= (memlift_wait(a, forever) != MEMLIFT_OK || !first.right()) << 1;
    bad |= (memlift_wait(b, forever) != MEMLIFT_OK || !second.right()) << 2;
    bad |= (memlift_try_wait(c) != MEMLIFT_OK || !third.right()) << 3;
    Operation own(MEMLIFT_OPERATION_COPY, Piece);
    bad |= (memlift_wait(submitted(own), forever) != MEMLIFT_OK || !own.right()) << 4;
    _exit(bad | (counted.since().engine_bytes != 0) << 5);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(memlift_wait(d, forever), MEMLIFT_OK);
  EXPECT_EQ(to, from);
  for (memlift_token token : {a, b, c})
    EXPECT_EQ(memlift_wait(token, forever), MEMLIFT_OK);
  EXPECT_TRUE(first.right() && second.right() && third.right());
}

// Other threads are anywhere in the library at the moment of the fork.
TEST_F(Async, AChildForkedUnderLoadWorks) {
  start();
  std::atomic<bool> done{false};
  std::atomic<unsigned> bad{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; ++t)
    threads.emplace_back([&, t] {
      while (!done) {
        RandomOperations some(testSeed() + t, 4096);
        bad += some.run(200);
      }
    });
  for (int i = 0; i < (sanitized ? 5 : 20); ++i) {
    Operation op(MEMLIFT_OPERATION_COPY, Piece);
    memlift_token token = submitted(op);
    pid_t child = fork();
    if (child == 0) {
      int wrong = memlift_wait(token, forever) != MEMLIFT_OK || !op.right();
      for (int k = 0; k < 20; ++k) {
        Operation own(both[k % 2], 1000 * k);
        wrong |= (memlift_wait(submitted(own), forever) != MEMLIFT_OK || !own.right()) << 1;
      }
      _exit(wrong);
    }
    int status = -1;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
    ASSERT_EQ(memlift_wait(token, forever), MEMLIFT_OK);
    ASSERT_TRUE(op.right());
  }
  done = true;
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(bad, 0u);
}

TEST_F(Async, AChildMayStartAnEngineOfItsOwn) {
  if (sanitized)
    GTEST_SKIP() << "sanitizers refuse new threads in the child of a process with threads";
  start();
  Operation before(MEMLIFT_OPERATION_COPY, 3 * Piece);
  memlift_token token = submitted(before);
  pid_t child = fork();
  if (child == 0) {
    memlift_engine_stop();
    int bad = memlift_engine_start("soft") != MEMLIFT_OK;
    Counted counted;
    Operation own(MEMLIFT_OPERATION_COPY, 3 * Piece);
    bad |= (memlift_wait(submitted(own), forever) != MEMLIFT_OK || !own.right()) << 1;
    bad |= (counted.since().engine_bytes != 3 * Piece) << 2;
    bad |= (memlift_wait(token, forever) != MEMLIFT_OK || !before.right()) << 3;
    _exit(bad);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(memlift_wait(token, forever), MEMLIFT_OK);
  EXPECT_TRUE(before.right());
}

// The device only sees a fault; the signal is the waiting thread's own.
unsigned char *lazyPage;
volatile sig_atomic_t mapped;

void mapOnDemand(int, siginfo_t *info, void *) {
  auto *address = static_cast<unsigned char *>(info->si_addr);
  if (address < lazyPage || address >= lazyPage + 4096)
    _exit(99);
  mprotect(lazyPage, 4096, PROT_READ | PROT_WRITE);
  mapped = mapped + 1;
}

TEST_F(Async, PagesMappedOnDemandAreMappedByTheProgramsOwnHandler) {
  start();
  Guarded memory(4 * Piece);
  Bytes from = randomBytes(4 * Piece, 9);
  struct sigaction action = {}, before;
  action.sa_sigaction = mapOnDemand;
  action.sa_flags = SA_SIGINFO;
  sigaction(SIGSEGV, &action, &before);
  lazyPage = memory.begin() + 70 * 4096;
  mapped = 0;
  ASSERT_EQ(mprotect(lazyPage, 4096, PROT_NONE), 0);
  memlift_token token;
  ASSERT_EQ(memlift_submit_copy(memory.begin(), from.data(), 4 * Piece, noToken, &token), MEMLIFT_OK);
  usleep(10000);
  EXPECT_EQ(mapped, 0);
  EXPECT_EQ(memlift_wait(token, forever), MEMLIFT_OK);
  sigaction(SIGSEGV, &before, nullptr);
  EXPECT_EQ(mapped, 1);
  EXPECT_EQ(memcmp(memory.begin(), from.data(), 4 * Piece), 0);
}

// ---- At random ---------------------------------------------------------------------------------

TEST_F(Async, RandomOperationsUnderRandomFaults) {
  SCOPED_TRACE(testing::Message() << "MEMLIFT_TEST_SEED=" << testSeed());
  bool all = getenv("MEMLIFT_TEST_LONG") != nullptr;
  soft_faults faults = {};
  faults.per_mille = 2;
  faults.seed = testSeed();
  start(faults);
  InUse impatient(withTimeout(3000000));
  Counted counted;
  unsigned each = all ? 125000 : slow ? 500 : 5000;
  EXPECT_EQ(randomThreads(8, each, 20000), 0u);
  EXPECT_GT(counted.since().engine_bytes, 0u);
  EXPECT_GT(counted.since().faults, 0u);
}

} // namespace
