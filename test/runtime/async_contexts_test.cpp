// async_contexts_test.cpp - submitted operations across threads, children and handlers
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Defends contract 9 for what is submitted, as far as memlift/async.h promises it.

#include "async_support.h"

#include <csignal>
#include <sys/wait.h>

namespace {

// ---- Threads and processes ---------------------------------------------------------------------

TEST_F(Async, OneOfManyWaitersCollects) {
  start();
  for (int iteration = 0; iteration < 20; ++iteration) {
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
  ASSERT_EQ(memlift_submit_copy_inet_sum(to.data(), from.data(), Piece, 0, &sum, c, &d),
            MEMLIFT_OK);
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

std::atomic<bool> interrupted{false}, gone{false};

void untilGone(int) {
  interrupted = true;
  while (!gone)
    sched_yield();
}

// A thread that waits for an operation may do the CPU's part of the one before it. A handler stops
// it there, while a second thread waits for that one and unmaps its memory.
TEST_F(Async, NoMemoryIsAccessedAfterAWaitForItHasReturned) {
  start();
  const size_t size = 16 << 20;
  struct sigaction before, action = {};
  action.sa_handler = untilGone;
  sigaction(SIGUSR1, &action, &before);
  for (useconds_t delay = 0; delay < 2000; delay += sanitized ? 400 : 100) {
    Operation first(MEMLIFT_OPERATION_COPY, Piece), last(MEMLIFT_OPERATION_COPY, Piece);
    void *memory = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    ASSERT_NE(memory, MAP_FAILED);
    memlift_token held, a = submitted(first);
    // No engine does a period of 3, and it is not done at once as it comes after `first`.
    ASSERT_EQ(memlift_submit_fill(memory, 0x030201, 3, size, a, &held), MEMLIFT_OK);
    memlift_token c = submitted(last, held);
    ASSERT_EQ(memlift_wait(a, forever), MEMLIFT_OK);
    interrupted = gone = false;
    std::atomic<bool> begun{false}, over{false};
    std::thread other([&] {
      begun = true;
      EXPECT_EQ(memlift_wait(c, forever), MEMLIFT_OK);
      over = true;
    });
    while (!begun)
      sched_yield();
    usleep(delay);
    if (!over)
      pthread_kill(other.native_handle(), SIGUSR1);
    while (!interrupted && !over)
      sched_yield();
    EXPECT_EQ(memlift_wait(held, forever), MEMLIFT_OK);
    EXPECT_EQ(munmap(memory, size), 0);
    gone = true;
    other.join();
    EXPECT_TRUE(first.right() && last.right());
  }
  sigaction(SIGUSR1, &before, nullptr);
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

// A missing page is met by the thread that submits. One that is taken away later is only a fault
// for the device; the signal is the waiting thread's own.
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
  TakesAway engine(memlift_engine_soft, lazyPage, 4096);
  InUse inUse(engine.copy);
  ASSERT_EQ(memlift_submit_copy(memory.begin(), from.data(), 4 * Piece, noToken, &token),
            MEMLIFT_OK);
  usleep(10000);
  EXPECT_EQ(mapped, 1);
  EXPECT_EQ(memlift_wait(token, forever), MEMLIFT_OK);
  sigaction(SIGSEGV, &before, nullptr);
  EXPECT_EQ(mapped, 2);
  EXPECT_EQ(memcmp(memory.begin(), from.data(), 4 * Piece), 0);
}

} // namespace
