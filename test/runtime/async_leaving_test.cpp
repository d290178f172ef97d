// async_leaving_test.cpp - a wait that is left by longjmp, pthread_exit or cancellation is harmless
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Defends contract 13 for what is submitted: whoever goes away holds no lock, no engine and no
// operation.

#include "async_support.h"

#include <chrono>
#include <csetjmp>
#include <csignal>

namespace {

class Leaving : public Async {};

#if defined(__SANITIZE_THREAD__)
constexpr bool deferredHandlers = true;
#else
constexpr bool deferredHandlers = false;
#endif

// The soft engine with a wait that counts the threads in it.
std::atomic<unsigned> asleep;

void countedWait(memlift_ticket ticket, const memlift_request *piece, uint64_t nanoseconds) {
  ++asleep;
  memlift_engine_soft.wait(ticket, piece, nanoseconds);
}

memlift_engine telling(uint64_t timeout) {
  memlift_engine engine = memlift_engine_soft;
  engine.wait = countedWait;
  engine.timeout_ns = timeout;
  asleep = 0;
  return engine;
}

void untilSomebodySleeps() {
  const auto begin = std::chrono::steady_clock::now();
  while (!asleep && std::chrono::steady_clock::now() - begin < std::chrono::seconds(10))
    std::this_thread::yield();
  EXPECT_NE(asleep, 0u) << "the operation was complete before a thread waited for it";
}

// On a busy machine a thread may begin to wait some time after it was made.
constexpr uint32_t Slow = 500000000; // ns

// A device that is deaf for a while, and spoils what it was to write.
soft_faults deaf(uint32_t nanoseconds) {
  soft_faults faults = {};
  faults.late_at = 1;
  faults.late_ns = nanoseconds;
  return faults;
}

thread_local sigjmp_buf way;
thread_local volatile sig_atomic_t mayLeave;

void leave(int) {
  if (mayLeave)
    siglongjmp(way, 1);
}

class Handler {
public:
  Handler(int signal, void (*handler)(int)) : number(signal) {
    struct sigaction action = {};
    action.sa_handler = handler;
    sigaction(number, &action, &before);
  }
  ~Handler() { sigaction(number, &before, nullptr); }

private:
  int number;
  struct sigaction before;
};

// Returns 0 when the wait was left.
int waitAndMaybeLeave(memlift_token token, memlift_status *status) {
  if (sigsetjmp(way, 1)) {
    mayLeave = 0;
    return 0;
  }
  mayLeave = 1;
  *status = memlift_wait(token, forever);
  mayLeave = 0;
  return 1;
}

// Others go on, wait for the same operation, and stop the engine.
void expectNobodyHarmed(memlift_token token, Operation &op) {
  std::thread([&] {
    Operation other(MEMLIFT_OPERATION_COPY, 2 * Piece);
    EXPECT_EQ(memlift_wait(submitted(other), forever), MEMLIFT_OK);
    EXPECT_TRUE(other.right());
    EXPECT_EQ(memlift_wait(token, forever), MEMLIFT_OK);
  }).join();
  EXPECT_TRUE(op.right());
  EXPECT_EQ(memlift_engine_stop(), MEMLIFT_OK);
}

// All is left to the CPU, and a page goes away before it comes to that.
memlift_token submittedToNobody(Guarded &memory, const Bytes &from) {
  memlift_token token;
  EXPECT_EQ(memlift_submit_copy(memory.begin(), from.data(), 4 * Piece, noToken, &token),
            MEMLIFT_OK);
  EXPECT_EQ(mprotect(memory.begin() + 2 * Piece, 4096, PROT_NONE), 0);
  return token;
}

soft_faults silent() {
  soft_faults faults = {};
  faults.lose_at = 1, faults.lose_count = 4;
  return faults;
}

TEST_F(Leaving, AFaultByLongjmp) {
  start(silent());
  InUse impatient(withTimeout(10000000));
  Guarded memory(4 * Piece);
  Bytes from = randomBytes(4 * Piece, 7);
  unsigned char *page = memory.begin() + 2 * Piece;
  Handler handler(SIGSEGV, leave);
  memlift_token token = submittedToNobody(memory, from);
  memlift_status status;
  ASSERT_EQ(waitAndMaybeLeave(token, &status), 0);
  ASSERT_EQ(waitAndMaybeLeave(token, &status), 0) << "the page is still missing";
  uint64_t begun = memlift_begin_copy(from.data(), from.data() + 2 * Piece, 2 * Piece);
  memlift_end(begun);
  ASSERT_EQ(mprotect(page, 4096, PROT_READ | PROT_WRITE), 0);
  ASSERT_EQ(memlift_submit_copy(memory.begin(), from.data(), 1, token, &token), MEMLIFT_OK);
  std::thread([&] { EXPECT_EQ(memlift_wait(token, forever), MEMLIFT_OK); }).join();
  EXPECT_EQ(memcmp(memory.begin() + 2 * Piece, from.data() + 2 * Piece, 2 * Piece), 0);
  EXPECT_EQ(memlift_engine_stop(), MEMLIFT_OK);
}

TEST_F(Leaving, ASleepByLongjmp) {
  if (deferredHandlers)
    GTEST_SKIP() << "ThreadSanitizer runs handlers later, also while their signals are held back";
  start(deaf(2 * Slow));
  InUse engine(telling(Slow));
  Operation op(MEMLIFT_OPERATION_COPY, 2 * Piece);
  memlift_token token = submitted(op);
  Handler handler(SIGUSR1, leave);
  int left = 1;
  std::thread leaver([&] {
    memlift_status status;
    left = waitAndMaybeLeave(token, &status);
  });
  untilSomebodySleeps();
  pthread_kill(leaver.native_handle(), SIGUSR1);
  leaver.join();
  EXPECT_EQ(left, 0);
  expectNobodyHarmed(token, op);
}

#if !defined(__SANITIZE_THREAD__) &&                                                               \
    !defined(__SANITIZE_ADDRESS__) // which do not follow such ends of frames
void leaveForEver(int) { pthread_exit(nullptr); }

void *waitFor(void *token) {
  memlift_wait(*static_cast<memlift_token *>(token), forever);
  return nullptr;
}

// In a thread whose stack is gone after it.
template <class End> void waitInAThread(memlift_token token, End end) {
  constexpr size_t Stack = 1 << 20;
  void *stack = mmap(nullptr, Stack, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstack(&attributes, stack, Stack);
  pthread_t thread;
  ASSERT_EQ(pthread_create(&thread, &attributes, waitFor, &token), 0);
  end(thread);
  pthread_join(thread, nullptr);
  pthread_attr_destroy(&attributes);
  munmap(stack, Stack);
}

TEST_F(Leaving, ASleepByPthreadExit) {
  start(deaf(2 * Slow));
  InUse engine(telling(Slow));
  Operation op(MEMLIFT_OPERATION_COPY, 2 * Piece);
  memlift_token token = submitted(op);
  Handler handler(SIGUSR1, leaveForEver);
  waitInAThread(token, [](pthread_t thread) {
    untilSomebodySleeps();
    pthread_kill(thread, SIGUSR1);
  });
  expectNobodyHarmed(token, op);
}

TEST_F(Leaving, AFaultByPthreadExit) {
  start(silent());
  InUse impatient(withTimeout(10000000));
  Guarded memory(4 * Piece);
  Bytes from = randomBytes(4 * Piece, 7);
  memlift_token token = submittedToNobody(memory, from);
  {
    Handler handler(SIGSEGV, leaveForEver);
    waitInAThread(token, [](pthread_t) {});
  }
  for (int i = 0; i < 5; ++i)
    memlift_end(memlift_begin_copy(from.data(), from.data() + 2 * Piece, Piece));
  EXPECT_EQ(memlift_cancel(token), MEMLIFT_CANCELLED);
  EXPECT_EQ(memlift_engine_stop(), MEMLIFT_OK);
}

void *waitToBeCancelled(void *token) {
  pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, nullptr);
  return waitFor(token);
}

TEST_F(Leaving, ASleepByCancellation) {
  start(deaf(2 * Slow));
  InUse engine(telling(Slow));
  Operation op(MEMLIFT_OPERATION_COPY, 2 * Piece);
  memlift_token token = submitted(op);
  pthread_t thread;
  ASSERT_EQ(pthread_create(&thread, nullptr, waitToBeCancelled, &token), 0);
  untilSomebodySleeps();
  pthread_cancel(thread);
  void *result;
  pthread_join(thread, &result);
  EXPECT_EQ(result, PTHREAD_CANCELED);
  expectNobodyHarmed(token, op);
}
#endif

// Wherever in a wait it is: the signals come every 300 us.
TEST_F(Leaving, AWaitAnywhere) {
  if (deferredHandlers)
    GTEST_SKIP() << "ThreadSanitizer runs handlers later, also while their signals are held back";
  start();
  Handler handler(SIGUSR1, leave);
  std::atomic<bool> done{false};
  pthread_t self = pthread_self();
  std::thread sender([&] {
    while (!done) {
      pthread_kill(self, SIGUSR1);
      usleep(300);
    }
  });
  unsigned left = 0;
  for (int i = 0; i < (sanitized ? 30 : 300); ++i) {
    Operation op(both[i % 2], 3 * Piece + 5, i % 7);
    memlift_token token = submitted(op);
    memlift_status status;
    while (!waitAndMaybeLeave(token, &status))
      ++left;
    ASSERT_TRUE(status == MEMLIFT_OK || status == MEMLIFT_COLLECTED); // left after it had collected
    ASSERT_TRUE(op.right()) << i;
  }
  done = true;
  sender.join();
  EXPECT_EQ(memlift_engine_stop(), MEMLIFT_OK);
}

// A thread that leaves in the middle of a cancellation leaves no operation locked.
TEST_F(Leaving, ACancellationByLongjmp) {
  if (deferredHandlers)
    GTEST_SKIP() << "ThreadSanitizer runs handlers later, also while their signals are held back";
  start(deaf(2 * Slow));
  InUse engine(telling(Slow));
  Operation op(MEMLIFT_OPERATION_COPY, 2 * Piece);
  memlift_token token = submitted(op);
  Handler handler(SIGUSR1, leave);
  std::thread leaver([&] {
    if (sigsetjmp(way, 1) == 0) {
      mayLeave = 1;
      memlift_cancel(token);
    }
    mayLeave = 0;
  });
  untilSomebodySleeps();
  pthread_kill(leaver.native_handle(), SIGUSR1);
  leaver.join();
  memlift_status status = memlift_wait(token, forever);
  EXPECT_TRUE(status == MEMLIFT_CANCELLED || status == MEMLIFT_COLLECTED) << status;
  EXPECT_EQ(memlift_engine_stop(), MEMLIFT_OK);
}

// ---- The result of what another thread collects ------------------------------------------------

// Three threads wait for one operation, which is cancelled meanwhile. Returns false if it ended
// before all three waited: on a busy machine a thread can be slower than the device.
bool threeWaitersAreTold(memlift_token token) {
  memlift_status told[3];
  std::atomic<unsigned> returned{0};
  std::vector<std::thread> waiters;
  for (memlift_status &status : told) {
    unsigned before = asleep;
    waiters.emplace_back([&] {
      status = memlift_wait(token, forever);
      ++returned;
    });
    while (asleep < before + 3 && !returned) // another waiter may be the one that sleeps
      std::this_thread::yield();
  }
  bool all = !returned;
  memlift_status cancelled = memlift_cancel(token);
  for (std::thread &waiter : waiters)
    waiter.join();
  if (!all || cancelled != MEMLIFT_CANCELLED)
    return false;
  for (memlift_status status : told) {
    EXPECT_TRUE(status == MEMLIFT_CANCELLED || status == MEMLIFT_COLLECTED) << status;
    all &= status == MEMLIFT_CANCELLED; // else it came too late
  }
  EXPECT_EQ(memlift_wait(token, forever), MEMLIFT_COLLECTED); // another call has collected it
  return all;
}

TEST_F(Leaving, EveryWaiterIsToldThatItWasCancelled) {
  bool tried = false;
  for (int attempt = 0; attempt < 20 && !tried; ++attempt) {
    start(deaf(50000000));
    InUse engine(telling(20000000));
    Operation op(MEMLIFT_OPERATION_COPY, 2 * Piece);
    tried = threeWaitersAreTold(submitted(op));
    EXPECT_EQ(memlift_engine_stop(), MEMLIFT_OK);
  }
  EXPECT_TRUE(tried) << "the device was always faster than three threads";
}

} // namespace
