// health_test.cpp - a silent engine is left alone, and tried again after growing pauses
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Time is the test's own: who waits for a command that is lost has waited for long enough at once,
// and who waits for another one waits for as long as that takes.

#include "async_support.h"

#include "engine/health.h"

namespace {

std::atomic<uint64_t> clockNow;
unsigned sent;                   // commands
bool (*isLost)(unsigned number); // from 1 on

constexpr uint64_t Limit = 50000000;

memlift_engine withOwnClock(bool (*lost)(unsigned)) {
  memlift_engine engine = memlift_engine_soft;
  sent = 0, isLost = lost;
  engine.timeout_ns = Limit;
  engine.now = [] { return clockNow.load(); };
  engine.submit = [](const memlift_request *pieces, unsigned count, memlift_ticket *tickets,
                     memlift_status *status) {
    ++sent;
    return memlift_engine_soft.submit(pieces, count, tickets, status);
  };
  engine.poll = [](memlift_ticket ticket, const memlift_request *piece, size_t *done) {
    *done = 0;
    return isLost(sent) ? MEMLIFT_PENDING : memlift_engine_soft.poll(ticket, piece, done);
  };
  engine.wait = [](memlift_ticket ticket, const memlift_request *piece, uint64_t nanoseconds) {
    if (isLost(sent))
      clockNow += Limit;
    else
      memlift_engine_soft.wait(ticket, piece, nanoseconds);
  };
  return engine;
}

bool all(unsigned) { return true; }

std::string health() {
  memlift_description d;
  memlift_describe(&d, sizeof d);
  return d.engine_health;
}

uint64_t pauseNow() {
  memlift_description d;
  memlift_describe(&d, sizeof d);
  return d.engine_pause;
}

// Both ways to an engine: a call that waits, and one that is submitted.
class Health : public Async, public testing::WithParamInterface<bool> {
protected:
  void SetUp() override {
    Async::SetUp();
    clockNow = 0;
  }
  // Returns how many commands have timed out.
  uint64_t copy() {
    Counted counted;
    Operation op(MEMLIFT_OPERATION_COPY, Piece);
    if (GetParam()) {
      EXPECT_EQ(memlift_wait(submitted(op), forever), MEMLIFT_OK);
    } else {
      memlift_copy(op.request.destination, op.request.source, op.request.size);
    }
    EXPECT_TRUE(op.right());
    return counted.since().time_outs;
  }
};

TEST_P(Health, ASilentEngineIsLeftAlone) {
  start();
  InUse engine(withOwnClock(all));
  Counted counted;
  EXPECT_EQ(health(), "answers");
  for (unsigned i = 1; i <= MEMLIFT_SILENT_AFTER; ++i) {
    EXPECT_EQ(health(), i == 1 ? "answers" : "timed out");
    EXPECT_EQ(copy(), 1u);
  }
  EXPECT_EQ(health(), "silent");
  EXPECT_EQ(counted.since().silent, 1u);
  unsigned before = sent;
  for (int i = 0; i < 100; ++i)
    EXPECT_EQ(copy(), 0u);
  EXPECT_EQ(sent, before);
}

TEST_P(Health, ItIsTriedAgainWithGrowingPauses) {
  start();
  InUse engine(withOwnClock(all));
  for (unsigned i = 0; i < MEMLIFT_SILENT_AFTER; ++i)
    copy();
  for (uint64_t pause = MEMLIFT_FIRST_PAUSE_NS, i = 0; i < 12; ++i) {
    EXPECT_EQ(pauseNow(), pause);
    EXPECT_EQ(copy(), 0u);
    clockNow += pause;
    EXPECT_EQ(copy(), 1u) << "the pause is over";
    EXPECT_EQ(copy(), 0u);
    pause = std::min(2 * pause, MEMLIFT_LONGEST_PAUSE_NS);
  }
}

TEST_P(Health, AnAnswerEndsAllOfIt) {
  start();
  InUse engine(withOwnClock([](unsigned number) { return number <= MEMLIFT_SILENT_AFTER + 1; }));
  for (unsigned i = 0; i < MEMLIFT_SILENT_AFTER; ++i)
    copy();
  clockNow += MEMLIFT_FIRST_PAUSE_NS;
  EXPECT_EQ(copy(), 1u);
  clockNow += 2 * MEMLIFT_FIRST_PAUSE_NS;
  Counted counted;
  EXPECT_EQ(copy(), 0u);
  EXPECT_EQ(counted.since().engine_bytes, Piece);
  EXPECT_EQ(health(), "answers");
  EXPECT_EQ(pauseNow(), 0u);
}

// Now and then one is lost: that is no reason.
TEST_P(Health, TimeOutsBetweenAnswersDoNotCount) {
  start();
  InUse engine(withOwnClock([](unsigned number) { return number % 3 != 0; }));
  for (int i = 0; i < 9; ++i)
    EXPECT_EQ(copy(), i % 3 == 2 ? 0u : 1u);
  EXPECT_EQ(health(), "answers");
}

TEST_P(Health, AStartBeginsAnew) {
  start();
  {
    InUse engine(withOwnClock(all));
    for (unsigned i = 0; i < MEMLIFT_SILENT_AFTER; ++i)
      copy();
    EXPECT_EQ(health(), "silent");
  }
  start();
  EXPECT_EQ(health(), "answers");
  Counted counted;
  copy();
  EXPECT_EQ(counted.since().engine_bytes, Piece);
}

INSTANTIATE_TEST_SUITE_P(, Health, testing::Bool(),
                         [](const auto &info) { return info.param ? "Submitted" : "Called"; });

// Whatever else is under way completes: only what is lost is the CPU's, though an abort gives up on
// everything.
TEST_F(Async, OneLostCommandAbortsNothingElse) {
  soft_faults faults = {};
  faults.lose_at = 1;
  start(faults);
  memlift_engine engine = withOwnClock([](unsigned) { return false; });
  static std::atomic<bool> slow;
  slow = true;
  engine.poll = [](memlift_ticket ticket, const memlift_request *piece, size_t *done) {
    *done = 0; // nothing is seen to complete before the first one is overdue
    return slow ? MEMLIFT_PENDING : memlift_engine_soft.poll(ticket, piece, done);
  };
  InUse inUse(engine);
  Operation lost(MEMLIFT_OPERATION_COPY, Piece), other(MEMLIFT_OPERATION_FILL, 4 * Piece);
  Counted counted;
  memlift_token a = submitted(lost);
  clockNow += Limit;
  memlift_token b = submitted(other);
  EXPECT_EQ(memlift_try_wait(a), MEMLIFT_PENDING);
  EXPECT_EQ(counted.since().time_outs, 0u) << "the other one is not overdue";
  slow = false;
  EXPECT_EQ(memlift_wait(b, forever), MEMLIFT_OK);
  EXPECT_EQ(memlift_wait(a, forever), MEMLIFT_OK);
  EXPECT_TRUE(lost.right() && other.right());
  EXPECT_EQ(counted.since().time_outs, 1u);
  EXPECT_EQ(counted.since().engine_bytes, 4 * Piece);
  EXPECT_EQ(counted.since().cpu_bytes, Piece);
}

} // namespace
