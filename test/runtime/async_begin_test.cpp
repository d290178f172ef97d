// async_begin_test.cpp - memlift_begin_* and memlift_end are right wherever a loop may stand
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Defends contracts 6 and 9 for memlift_begin_copy, memlift_begin_fill and memlift_end.

#include "../../runtime/async/hub.h"
#include "async_support.h"

#include <csignal>
#include <sys/time.h>
#include <sys/wait.h>

namespace {

class Begin : public Async {};

// Destination with canaries, source, and what is right.
struct Region {
  explicit Region(size_t size)
      : from(randomBytes(size + 1, testSeed() + size)), memory(size + 64, 0xC3), size(size) {}
  unsigned char *to() { return memory.data() + 32; }
  bool holdsSource(size_t at = 0) const { return holds(from.data() + at); }
  bool holdsPattern(uint64_t pattern, size_t period) const {
    return holds(patternBytes(size, pattern, period).data());
  }
  bool holds(const unsigned char *wanted) const {
    Bytes expected(memory.size(), 0xC3);
    std::copy_n(wanted, size, expected.begin() + 32);
    return memory == expected;
  }

  Bytes from, memory;
  size_t size;
};

const size_t sizes[] = {0, 1, 7, 4096, Piece - 1, Piece, (sanitized ? 3 : 20) * Piece + 5};

TEST_F(Begin, CopiesAreRightWhenEnded) {
  for (bool engine : {false, true}) {
    if (engine)
      start();
    for (size_t n : sizes) {
      Region r(n);
      Counted counted;
      uint64_t token = memlift_begin_copy(r.to(), r.from.data() + 1, n);
      EXPECT_EQ(token != 0, engine && n >= Piece) << n;
      memlift_end(token);
      ASSERT_TRUE(r.holdsSource(1)) << n;
      EXPECT_EQ(counted.since().engine_bytes != 0, engine && n >= Piece) << n;
      EXPECT_EQ(counted.since().submitted, counted.since().collected);
    }
  }
}

TEST_F(Begin, FillsAreRightWhenEnded) {
  const uint64_t pattern = 0x8877665544332211;
  for (bool engine : {false, true}) {
    if (engine)
      start();
    for (size_t n : sizes)
      for (size_t period = 1; period <= 8; ++period) {
        Region r(n);
        bool whole = period == 1 || period == 2 || period == 4 || period == 8;
        uint64_t token = memlift_begin_fill(r.to(), pattern, period, n);
        EXPECT_EQ(token != 0, engine && whole && n >= Piece) << n << " by " << period;
        memlift_end(token);
        ASSERT_TRUE(r.holdsPattern(pattern, period)) << n << " by " << period;
      }
  }
}

TEST_F(Begin, OverlappingCopiesAreMovedAtOnce) {
  start();
  for (size_t shift : {size_t(0), size_t(1), size_t(4096), 2 * Piece - 1, 2 * Piece})
    for (bool up : {false, true}) {
      Bytes memory = randomBytes(4 * Piece, shift), wanted = memory;
      unsigned char *a = memory.data(), *b = memory.data() + shift;
      memmove(wanted.data() + (up ? shift : 0), wanted.data() + (up ? 0 : shift), 2 * Piece);
      uint64_t token =
          up ? memlift_begin_copy(b, a, 2 * Piece) : memlift_begin_copy(a, b, 2 * Piece);
      EXPECT_EQ(token != 0, shift == 2 * Piece);
      memlift_end(token);
      ASSERT_EQ(memory, wanted) << shift;
    }
}

TEST_F(Begin, SeveralAreUnderWayAtOnce) {
  start();
  Region a(9 * Piece), b(Piece), c(3 * Piece);
  uint64_t first = memlift_begin_copy(a.to(), a.from.data(), a.size),
           second = memlift_begin_fill(b.to(), 0xA5, 1, b.size),
           third = memlift_begin_copy(c.to(), c.from.data(), c.size);
  EXPECT_TRUE(first && second && third);
  memlift_end(third), memlift_end(first), memlift_end(second);
  EXPECT_TRUE(a.holdsSource() && c.holdsSource());
  EXPECT_TRUE(b.holdsPattern(0xA5, 1));
}

TEST_F(Begin, FaultsCostNoData) {
  for (uint64_t seed = 0; seed < (sanitized ? 3 : 10); ++seed) {
    soft_faults faults = {};
    faults.per_mille = 300;
    faults.late_ns = 1000000;
    // The first one mostly has a fault in a command that is then aborted, between two bursts.
    faults.seed = seed ? testSeed() + seed : 1045852460;
    start(faults);
    InUse impatient(withTimeout(3000000));
    Region r(20 * Piece), f(5 * Piece);
    uint64_t copy = memlift_begin_copy(r.to(), r.from.data(), r.size);
    uint64_t fill = memlift_begin_fill(f.to(), 0x1234, 2, f.size);
    memlift_end(copy), memlift_end(fill);
    ASSERT_TRUE(r.holdsSource()) << faults.seed;
    ASSERT_TRUE(f.holdsPattern(0x1234, 2)) << faults.seed;
  }
}

TEST_F(Begin, WithoutAFreeTokenAllIsDoneAtOnce) {
  start();
  std::vector<memlift_token> tokens;
  Region small(64), r(2 * Piece);
  memlift_token token;
  while (memlift_submit_copy(small.to(), small.from.data(), 64, noToken, &token) == MEMLIFT_OK)
    tokens.push_back(token);
  EXPECT_EQ(tokens.size(), size_t(MEMLIFT_TOKENS));
  EXPECT_EQ(memlift_begin_copy(r.to(), r.from.data(), r.size), 0u);
  EXPECT_TRUE(r.holdsSource());
  for (memlift_token t : tokens)
    EXPECT_EQ(memlift_wait(t, forever), MEMLIFT_OK);
}

// A handler that interrupts a call of the library's own finds its lock held, for ever.
TEST_F(Begin, WhoeverInterruptsTheLibraryDoesAllAtOnce) {
  start();
  Region r(2 * Piece);
  memlift_hub_lock();
  uint64_t token = memlift_begin_copy(r.to(), r.from.data(), r.size);
  memlift_hub_unlock();
  EXPECT_EQ(token, 0u);
  EXPECT_TRUE(r.holdsSource());
}

Region *inHandler;
std::atomic<unsigned> handled, wrongInHandler;

void copyInHandler(int) {
  int before = errno;
  uint64_t token = memlift_begin_copy(inHandler->to(), inHandler->from.data(), inHandler->size);
  memlift_end(token);
  wrongInHandler += memcmp(inHandler->to(), inHandler->from.data(), inHandler->size) != 0;
  memset(inHandler->to(), 0, inHandler->size);
  wrongInHandler += errno != before;
  ++handled;
}

// Each with the seed of its faults; 0: none.
class BeginInHandlers : public Begin, public testing::WithParamInterface<int> {};

TEST_P(BeginInHandlers, MayInterruptAnyCall) {
  soft_faults faults = {};
  faults.per_mille = GetParam() ? 50 : 0;
  faults.late_ns = 500000;
  faults.seed = testSeed() + GetParam();
  start(faults);
  InUse impatient(withTimeout(2000000));
  Region mine(3 * Piece), handlers(Piece);
  inHandler = &handlers, handled = 0, wrongInHandler = 0;
  struct sigaction action = {}, before;
  action.sa_handler = copyInHandler;
  action.sa_flags = SA_RESTART;
  sigaction(SIGALRM, &action, &before);
  itimerval often = {{0, 700}, {0, 700}}, never = {};
  setitimer(ITIMER_REAL, &often, nullptr);
  for (unsigned i = 0; i < (sanitized ? 20 : 100) || handled < (sanitized ? 10 : 50); ++i) {
    memset(mine.to(), 0, mine.size);
    uint64_t token = memlift_begin_copy(mine.to(), mine.from.data(), mine.size);
    memlift_end(token);
    ASSERT_EQ(memcmp(mine.to(), mine.from.data(), mine.size), 0);
  }
  setitimer(ITIMER_REAL, &never, nullptr);
  sigaction(SIGALRM, &before, nullptr);
  EXPECT_EQ(wrongInHandler, 0u);
}

INSTANTIATE_TEST_SUITE_P(, BeginInHandlers, testing::Values(0, 1, 2));

#if !defined(__SANITIZE_THREAD__) // its runtime turns vfork into fork
TEST_F(Begin, AChildAfterVforkLeavesTheEngineAlone) {
  start();
  static Region *r;
  r = new Region(2 * Piece);
  static volatile uint64_t token;
  token = 1;
  Counted counted;
  pid_t child = vfork();
  if (child == 0) {
    token = memlift_begin_copy(r->to(), r->from.data(), r->size);
    _exit(0);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(token, 0u);
  EXPECT_TRUE(r->holdsSource());
  EXPECT_EQ(counted.since().submitted, 0u);
  delete r;
}
#endif

TEST_F(Begin, AChildMayBegin) {
  start();
  pid_t child = fork();
  if (child == 0) {
    Region r(2 * Piece);
    memlift_end(memlift_begin_copy(r.to(), r.from.data(), r.size));
    _exit(!r.holdsSource());
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

TEST_F(Begin, ThreadsBeginSideBySide) {
  start();
  std::atomic<unsigned> wrong{0}, engine{0};
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      Region r(Piece + 100 * t);
      for (int i = 0; i < (sanitized ? 20 : 200); ++i) {
        memset(r.to(), i, r.size);
        uint64_t token = memlift_begin_copy(r.to(), r.from.data(), r.size);
        engine += token != 0;
        memlift_end(token);
        wrong += !r.holdsSource();
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(wrong, 0u);
  EXPECT_GT(engine, 0u);
}

} // namespace
