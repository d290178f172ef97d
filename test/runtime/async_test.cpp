// async_test.cpp - memlift/async.h: bytes are right, in order, and each token is collected once
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Without an engine, beside the program on the soft device, and at random by many threads.

#include "async_support.h"

#include <cerrno>

namespace {

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
    ASSERT_EQ(
        memlift_submit_fill(memory.data() + 3, 0xf1e2d3c4b5a69788u, period, 900, noToken, &token),
        MEMLIFT_OK);
    ASSERT_EQ(memlift_wait(token, forever), MEMLIFT_OK);
    for (size_t i = 0; i < memory.size(); ++i)
      ASSERT_EQ(memory[i],
                i < 3 || i >= 903 ? 0xC3 : patternByte(0xf1e2d3c4b5a69788u, period, i - 3));
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
  ASSERT_EQ(memlift_submit(reinterpret_cast<memlift_submission *>(list), size, 2, tokens),
            MEMLIFT_OK);
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
  faults.late_ns = 3000000000u; // much more than a loaded machine takes for the rest
  start(faults);
  uint64_t before = memlift_now();
  Operation op(MEMLIFT_OPERATION_COPY, 2 * Piece);
  memlift_token token = submitted(op);
  EXPECT_EQ(memlift_try_wait(token), MEMLIFT_PENDING);
  EXPECT_EQ(memlift_wait(token, 1000000), MEMLIFT_PENDING);
  EXPECT_LT(memlift_now() - before, 2500000000u);
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
  ASSERT_EQ(
      memlift_submit_copy_inet_sum(to.data(), from.data(), from.size(), 5, &sum, noToken, &token),
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

  ASSERT_EQ(memlift_session_acquire(&memlift_engine_soft), MEMLIFT_OK);
  Operation other(MEMLIFT_OPERATION_FILL, 2 * Piece);
  token = submitted(other);
  EXPECT_TRUE(other.right());
  memlift_session_release(&memlift_engine_soft);
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

// ---- At random ---------------------------------------------------------------------------------

TEST_F(Async, RandomOperationsUnderRandomFaults) {
  SCOPED_TRACE(testing::Message() << "MEMLIFT_TEST_SEED=" << testSeed());
  bool all = getenv("MEMLIFT_TEST_LONG") != nullptr;
  soft_faults faults = {};
  faults.per_mille = all || !slow ? 2 : 40; // enough of them that none is no chance
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
