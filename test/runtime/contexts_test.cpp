// contexts_test.cpp - the engine path where a loop may run: handlers, children, many threads
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Defends contract 9 for the engine path: it is taken only where it is safe, and where it is not
// the CPU does the work.

#include "engine_support.h"
#include "stack.h"

#include <atomic>
#include <csetjmp>
#include <csignal>
#include <sys/wait.h>
#include <thread>

namespace {

class Contexts : public SoftEngine {};

constexpr size_t Size = 1 << 20;

// Copies in a child; returns its exit code.
int copyInChild(const Bytes &from, Bytes &to) {
  memlift_copy(to.data(), from.data(), from.size());
  return memcmp(to.data(), from.data(), from.size()) != 0;
}

TEST_F(Contexts, AChildAfterForkUsesTheCpu) {
  start();
  Bytes from = randomBytes(Size, 1), to(Size);
  pid_t child = fork();
  if (child == 0) {
    Counted counted;
    int bad = copyInChild(from, to);
    _exit(bad | (counted.since().engine_bytes != 0) << 1);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

// Another thread is in the engine at the moment of the fork: the child inherits its flag as taken.
TEST_F(Contexts, AChildForkedWhileTheEngineWorksUsesTheCpu) {
  start();
  std::atomic<bool> done{false};
  std::thread busy([&done] {
    Bytes from = randomBytes(Size, 2), to(Size);
    while (!done)
      memlift_copy(to.data(), from.data(), Size);
  });
  Bytes from = randomBytes(Size, 3), to(Size);
  for (int i = 0; i < (sanitized ? 5 : 20); ++i) {
    pid_t child = fork();
    if (child == 0)
      _exit(copyInChild(from, to));
    int status = -1;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
  }
  done = true;
  busy.join();
}

#if !defined(__SANITIZE_THREAD__) // its runtime turns vfork into fork
TEST_F(Contexts, AChildAfterVforkLeavesTheEngineAlone) {
  start();
  static Bytes from, to;
  from = randomBytes(Size, 4), to.assign(Size, 0);
  Counted counted;
  pid_t child = vfork();
  if (child == 0) {
    memlift_copy(to.data(), from.data(), Size);
    _exit(0);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(to, from);
  EXPECT_EQ(counted.since().engine_bytes, 0u);
  memlift_copy(to.data(), from.data(), Size);
  EXPECT_EQ(counted.since().engine_bytes, Size);
}
#endif

TEST_F(Contexts, AChildMayStartAnEngineOfItsOwn) {
  if (sanitized)
    GTEST_SKIP() << "sanitizers refuse new threads in the child of a process with threads";
  start();
  pid_t child = fork();
  if (child == 0) {
    Bytes from = randomBytes(Size, 5), to(Size);
    memlift_engine_stop();
    bool started = memlift_engine_start("soft") == MEMLIFT_OK;
    Counted counted;
    int bad = copyInChild(from, to);
    _exit((started ? 0 : 1) | bad << 1 | (counted.since().engine_bytes != Size) << 2);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

// The handler interrupts the program anywhere, also between submit and completion.
unsigned char handlerFrom[Size / 2], handlerTo[Size / 2];
std::atomic<int> runs, errors; // free of locks, as a handler needs

void offloadInHandler(int) {
  memlift_copy(handlerTo, handlerFrom, sizeof handlerTo);
  errors += memcmp(handlerTo, handlerFrom, sizeof handlerTo) != 0;
  memlift_fill64(handlerTo, 1, sizeof handlerTo);
  ++runs;
}

TEST_F(Contexts, AHandlerThatInterruptsTheEngineGoesOnTheCpu) {
  start();
  runs = errors = 0;
  for (size_t i = 0; i < sizeof handlerFrom; ++i)
    handlerFrom[i] = static_cast<unsigned char>(i * 31 >> 3);
  struct sigaction action = {}, before;
  action.sa_handler = offloadInHandler;
  sigaction(SIGUSR1, &action, &before);
  pthread_t self = pthread_self();
  std::atomic<bool> used{false}, sent{false};
  const int least = sanitized ? 20 : 100;
  // The next signal waits for the handler: where a handler takes longer than the pause, signals at
  // a fixed rate leave the program no time for a copy of its own.
  std::thread sender([self, least, &used, &sent] {
    for (int i = 1; i <= least || (!used && i < 20000); ++i) {
      pthread_kill(self, SIGUSR1);
      while (runs < i)
        usleep(50);
      usleep(700);
    }
    sent = true;
  });
  Counted counted;
  Bytes from = randomBytes(Size, 6), to(Size);
  bool right = true;
  while (!sent) {
    std::fill(to.begin(), to.end(), 0);
    memlift_copy(to.data(), from.data(), Size);
    right &= to == from;
    used = counted.since().engine_bytes > 0;
  }
  sender.join();
  sigaction(SIGUSR1, &before, nullptr);
  EXPECT_TRUE(right);
  EXPECT_TRUE(used);
  EXPECT_GE(runs, least);
  EXPECT_EQ(errors, 0);
  EXPECT_EQ(counted.since().time_outs, 0u);
}

TEST_F(Contexts, ManyThreadsShareOrGoOnTheCpu) {
  start();
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  Counted counted;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([t, &wrong] {
      Bytes from = randomBytes(Size + t, t), to(Size + t);
      for (int i = 0; i < (sanitized ? 10 : 60); ++i) {
        memlift_copy(to.data(), from.data(), to.size());
        wrong += to != from;
        memlift_fill64(to.data(), i, to.size());
        wrong += to[8 * 100] != static_cast<unsigned char>(i);
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_GT(counted.since().engine_bytes, 0u);
  EXPECT_EQ(counted.since().time_outs, 0u);
}

// Starting and stopping while others work: they use the engine or they do not.
TEST_F(Contexts, StartAndStopUnderLoad) {
  std::atomic<bool> done{false};
  std::atomic<int> wrong{0};
  std::thread worker([&] {
    Bytes from = randomBytes(Size, 8), to(Size);
    while (!done) {
      std::fill(to.begin(), to.end(), 0);
      memlift_copy(to.data(), from.data(), Size);
      wrong += to != from;
    }
  });
  for (int i = 0; i < 100; ++i) {
    memlift_engine_start("soft");
    usleep(200);
    memlift_engine_stop();
  }
  done = true;
  worker.join();
  EXPECT_EQ(wrong, 0);
}

// A page that the program maps on demand, in its SIGSEGV handler: it is met in the program's own
// thread, before the engine is asked. One that is taken away later is a fault of the device, no
// signal in its thread; the CPU then meets it where the program expects it.
unsigned char *lazyPage;
volatile sig_atomic_t mapped;
pthread_t faultingThread;

void mapOnDemand(int, siginfo_t *info, void *) {
  auto *address = static_cast<unsigned char *>(info->si_addr);
  if (address < lazyPage || address >= lazyPage + 4096 ||
      !pthread_equal(pthread_self(), faultingThread))
    _exit(99);
  mprotect(lazyPage, 4096, PROT_READ | PROT_WRITE);
  mapped = mapped + 1;
}

TEST_F(Contexts, PagesMappedOnDemandAreMappedByTheProgramsOwnHandler) {
  start();
  Guarded memory(Size);
  Bytes from = randomBytes(Size, 9);
  struct sigaction action = {}, before;
  action.sa_sigaction = mapOnDemand;
  action.sa_flags = SA_SIGINFO;
  sigaction(SIGSEGV, &action, &before);
  faultingThread = pthread_self();
  lazyPage = memory.begin() + 70 * 4096;
  mapped = 0;
  ASSERT_EQ(mprotect(lazyPage, 4096, PROT_NONE), 0);
  Counted counted;
  memlift_copy(memory.begin(), from.data(), Size);
  EXPECT_EQ(mapped, 1);
  EXPECT_EQ(memcmp(memory.begin(), from.data(), Size), 0);
  EXPECT_EQ(counted.since().faults, 0u);
  EXPECT_EQ(counted.since().engine_bytes, Size);
  memset(memory.begin(), 0, Size);
  TakesAway engine(memlift_engine_soft, lazyPage, 4096);
  memlift_request request = {MEMLIFT_OPERATION_COPY, memory.begin(), from.data(), 0, Size};
  EXPECT_TRUE(memlift_offload(&engine.copy, &request));
  sigaction(SIGSEGV, &before, nullptr);
  EXPECT_EQ(mapped, 2);
  EXPECT_EQ(memcmp(memory.begin(), from.data(), Size), 0);
  EXPECT_EQ(counted.since().faults, 1u);
}

// The handler leaves by longjmp: the engine was released before the CPU met the page.
sigjmp_buf leave;

void leaveHandler(int) { siglongjmp(leave, 1); }

TEST_F(Contexts, LeavingAFaultByLongjmpKeepsTheEngineUsable) {
  start();
  Guarded memory(Size);
  Bytes from = randomBytes(Size, 10);
  struct sigaction action = {}, before;
  action.sa_handler = leaveHandler;
  sigaction(SIGSEGV, &action, &before);
  ASSERT_EQ(mprotect(memory.begin() + Size / 2, 4096, PROT_NONE), 0);
  if (sigsetjmp(leave, 1) == 0) {
    memlift_copy(memory.begin(), from.data(), Size);
    ADD_FAILURE() << "the copy met no fault";
  }
  sigaction(SIGSEGV, &before, nullptr);
  Counted counted;
  Operation op(MEMLIFT_OPERATION_COPY, Size);
  ASSERT_TRUE(op.offload());
  ASSERT_TRUE(op.right());
  EXPECT_EQ(counted.since().engine_bytes, Size);
}

// Signals for the process are never delivered to the device's thread.
TEST_F(Contexts, TheDevicesThreadTakesNoSignals) {
  sigset_t before, now;
  pthread_sigmask(SIG_SETMASK, nullptr, &before);
  start();
  pthread_sigmask(SIG_SETMASK, nullptr, &now);
  for (int signal : {SIGUSR1, SIGTERM, SIGCHLD})
    EXPECT_EQ(sigismember(&before, signal), sigismember(&now, signal));
  static std::atomic<int> foreign;
  static pthread_t self;
  foreign = 0;
  self = pthread_self();
  struct sigaction action = {}, old;
  action.sa_handler = [](int) { foreign += !pthread_equal(pthread_self(), self); };
  sigaction(SIGUSR2, &action, &old);
  sigset_t usr2;
  sigemptyset(&usr2);
  sigaddset(&usr2, SIGUSR2);
  pthread_sigmask(SIG_BLOCK, &usr2, nullptr); // the device's thread would be the only taker
  kill(getpid(), SIGUSR2);
  Operation op(MEMLIFT_OPERATION_COPY, Size);
  ASSERT_TRUE(op.offload());
  EXPECT_EQ(foreign, 0);
  pthread_sigmask(SIG_UNBLOCK, &usr2, nullptr);
  sigaction(SIGUSR2, &old, nullptr);
}

TEST_F(Contexts, StackIsBounded) {
  if (sanitized)
    GTEST_SKIP() << "sanitizers add frames of their own and do not follow a switched stack";
  start();
  static unsigned char from[8 << 20], to[8 << 20];
  auto both = [] {
    memlift_copy(to, from, sizeof to);
    memlift_fill64(to, 1, sizeof to);
  };
  both(); // the dynamic linker saves all vector registers when it binds a function
  Counted counted;
  size_t empty = stackUsed([] {});
  size_t used = stackUsed(both);
  EXPECT_EQ(counted.since().engine_bytes, 2 * sizeof to);
  EXPECT_LT(used - empty, 8192u);
}

} // namespace
