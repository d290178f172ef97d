// async_priority_test.cpp - an awaited operation does not queue after those of other threads
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "async_support.h"

namespace {

class Priority : public Async {};

using Operations = std::vector<std::unique_ptr<Operation>>;

Operations fills(unsigned count, size_t size) {
  Operations ops;
  for (unsigned i = 0; i < count; ++i)
    ops.push_back(std::make_unique<Operation>(MEMLIFT_OPERATION_FILL, size));
  return ops;
}

// Submitted by another thread.
std::vector<memlift_token> hog(Operations &ops) {
  std::vector<memlift_token> tokens;
  std::thread([&] {
    for (auto &op : ops)
      tokens.push_back(submitted(*op));
  }).join();
  return tokens;
}

// From its first command on for so long.
soft_faults deaf() {
  soft_faults faults = {};
  faults.late_at = 1;
  faults.late_ns = 300000000;
  return faults;
}

void finish(const Operations &ops, const std::vector<memlift_token> &tokens) {
  for (size_t i = 0; i < ops.size(); ++i) {
    EXPECT_EQ(memlift_wait(tokens[i], forever), MEMLIFT_OK);
    EXPECT_TRUE(ops[i]->right()) << i;
  }
}

TEST_F(Priority, AWaitedOperationIsNotBehindOthers) {
  // in the engine as well as in the queue, or in the engine only
  for (size_t size : {4 * Piece, Piece}) {
    start(deaf());
    InUse impatient(withTimeout(400000000));
    Operations theirs = fills(8, size);
    Operation mine(MEMLIFT_OPERATION_COPY, 2 * Piece), first(MEMLIFT_OPERATION_COPY, Piece);
    Counted counted;
    std::vector<memlift_token> tokens = hog(theirs);
    memlift_token before = submitted(first), token = submitted(mine, before);
    EXPECT_EQ(memlift_wait(token, forever), MEMLIFT_OK);
    EXPECT_TRUE(mine.right());
    EXPECT_EQ(memlift_wait(before, forever), MEMLIFT_OK);
    EXPECT_TRUE(first.right());
    EXPECT_EQ(counted.since().engine_bytes, 0u) << "the device is not deaf any more";
    EXPECT_EQ(counted.since().time_outs, 0u);
    finish(theirs, tokens);
  }
}

// An operation goes to the engine if few bytes of others are in it.
TEST_F(Priority, AFewOthersAreNoReason) {
  start();
  InUse impatient(withTimeout(patient));
  Operations theirs = fills(2, Piece);
  Operation mine(MEMLIFT_OPERATION_COPY, 4 * Piece);
  Counted counted;
  std::vector<memlift_token> tokens = hog(theirs);
  EXPECT_EQ(memlift_wait(submitted(mine), forever), MEMLIFT_OK);
  EXPECT_TRUE(mine.right());
  finish(theirs, tokens);
  EXPECT_EQ(counted.since().engine_bytes, 6 * Piece);
}

TEST_F(Priority, OnesOwnQueueIsWaitedFor) {
  start();
  InUse impatient(withTimeout(patient));
  Operations ops;
  std::vector<memlift_token> tokens;
  Counted counted;
  for (int i = 0; i < 10; ++i) {
    ops.push_back(std::make_unique<Operation>(both[i % 2], 4 * Piece));
    tokens.push_back(submitted(*ops.back()));
  }
  EXPECT_EQ(memlift_wait(tokens[9], forever), MEMLIFT_OK);
  tokens.pop_back();
  EXPECT_TRUE(ops.back()->right());
  ops.pop_back();
  finish(ops, tokens);
  EXPECT_EQ(counted.since().engine_bytes, 40 * Piece);
  EXPECT_EQ(counted.since().cpu_bytes, 0u);
}

// The end of one begins all that come after it, and drops them if it is cancelled, however many.
TEST_F(Priority, AThousandComeAfterOne) {
  for (bool cancelled : {false, true}) {
    start(deaf());
    InUse impatient(withTimeout(patient)); // longer than it takes to submit a thousand
    Operation first(MEMLIFT_OPERATION_COPY, Piece);
    memlift_token before = submitted(first);
    Bytes from = randomBytes(64, 1), to(64 * 1000);
    std::vector<memlift_token> tokens(1000);
    for (size_t i = 0; i < tokens.size(); ++i) {
      memlift_submission s = {};
      s.operation = MEMLIFT_SUBMIT_COPY;
      s.destination = to.data() + 64 * i, s.source = from.data(), s.size = 64;
      s.after[0] = before; // twice, and after the one before it
      s.after[3] = before;
      s.after[1] = tokens[i ? i - 1 : 0];
      ASSERT_EQ(memlift_submit(&s, sizeof s, 1, &tokens[i]), MEMLIFT_OK);
    }
    Operation unrelated(MEMLIFT_OPERATION_FILL, 100);
    EXPECT_EQ(memlift_wait(submitted(unrelated), forever), MEMLIFT_OK);
    EXPECT_EQ(memlift_try_wait(tokens[500]), MEMLIFT_PENDING);
    memlift_status wanted = cancelled ? MEMLIFT_CANCELLED : MEMLIFT_OK;
    if (cancelled) {
      EXPECT_EQ(memlift_cancel(before), MEMLIFT_CANCELLED);
    } else {
      EXPECT_EQ(memlift_wait(before, forever), MEMLIFT_OK);
    }
    for (memlift_token token : tokens)
      ASSERT_EQ(memlift_wait(token, forever), wanted);
    for (size_t i = 0; i < to.size(); ++i)
      ASSERT_EQ(to[i], cancelled ? 0 : from[i % 64]);
  }
}

// Looking whether it is done does no more of it than one chunk.
TEST_F(Priority, ALookDoesABoundedPart) {
  soft_faults faults = {};
  faults.busy_from = 1;
  start(faults);
  constexpr size_t Chunk = 256 << 10;
  Bytes from = randomBytes(40 * Chunk, 3), to(40 * Chunk);
  uint32_t sum;
  memlift_token token;
  ASSERT_EQ(
      memlift_submit_copy_inet_sum(to.data(), from.data(), from.size(), 0, &sum, noToken, &token),
      MEMLIFT_OK);
  Counted counted;
  uint64_t before = 0;
  unsigned looks = 0;
  while (memlift_try_wait(token) == MEMLIFT_PENDING) {
    ASSERT_LE(counted.since().cpu_bytes - before, Chunk);
    before = counted.since().cpu_bytes;
    ++looks;
  }
  EXPECT_GE(looks, 40u);
  EXPECT_EQ(to, from);
  EXPECT_EQ(sum, memlift_inet_sum(from.data(), from.size(), 0));
}

} // namespace
