// threads_contexts_test.cpp - the threads engine's helpers with any memory, in any thread
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Defends contracts 4 and 9 for the threads engine: no signal in a thread of ours, nothing left
// behind.

#include "threads_support.h"

#include <csetjmp>
#include <csignal>
#include <dirent.h>
#include <sched.h>

namespace {

// ---- Memory that is not there ------------------------------------------------------------------

unsigned char *lazyMemory;
size_t lazySize;
volatile sig_atomic_t met, foreign;
pthread_t owner;
sigjmp_buf leave;

void allow(int, siginfo_t *info, void *) {
  auto *address = static_cast<unsigned char *>(info->si_addr);
  foreign = foreign + !pthread_equal(pthread_self(), owner);
  if (address < lazyMemory || address >= lazyMemory + lazySize)
    _exit(99);
  uintptr_t page = reinterpret_cast<uintptr_t>(address) & ~uintptr_t(4095);
  mprotect(reinterpret_cast<void *>(page), 4096, PROT_READ | PROT_WRITE);
  met = met + 1;
}

// A program's handler for its own memory, for the time of a test.
class Handler {
public:
  explicit Handler(void (*function)(int, siginfo_t *, void *)) {
    struct sigaction action = {};
    action.sa_sigaction = function;
    action.sa_flags = SA_SIGINFO;
    sigaction(SIGSEGV, &action, &before);
    owner = pthread_self();
    met = foreign = 0;
  }
  ~Handler() { sigaction(SIGSEGV, &before, nullptr); }

private:
  struct sigaction before;
};

TEST_F(Threads, PagesMappedOnDemandAreMappedByTheProgramsOwnHandler) {
  start();
  for (bool source : {false, true}) {
    Guarded memory(4 * MiB);
    Bytes other = randomBytes(4 * MiB, 9);
    memset(memory.begin(), 7, 4 * MiB);
    lazyMemory = memory.begin() + 70 * 4096, lazySize = 4096;
    Handler handler(allow);
    ASSERT_EQ(mprotect(lazyMemory, lazySize, PROT_NONE), 0);
    if (source)
      memlift_copy(other.data(), memory.begin(), 4 * MiB);
    else
      memlift_copy(memory.begin(), other.data(), 4 * MiB);
    EXPECT_EQ(met, 1);
    EXPECT_EQ(foreign, 0);
    EXPECT_EQ(memcmp(memory.begin(), other.data(), 4 * MiB), 0);
  }
}

// A collector's barrier: another thread takes pages away while they are copied, again and again.
TEST_F(Threads, PagesTakenAwayMeanwhileAreMetByTheProgramsOwnThread) {
  start();
  Guarded memory(4 * MiB);
  Bytes from = randomBytes(4 * MiB, 9);
  lazyMemory = memory.begin(), lazySize = memory.size();
  Handler handler(allow);
  std::atomic<bool> done{false};
  std::thread collector([&] {
    std::mt19937_64 random(testSeed());
    while (!done) {
      mprotect(lazyMemory + random() % (lazySize / 4096) * 4096, 4096, PROT_READ);
      usleep(random() % 100);
    }
  });
  for (int i = 0; i < (sanitized ? 50 : 300); ++i) {
    memlift_fill64(memory.begin(), i, 4 * MiB);
    memlift_copy(memory.begin(), from.data(), 4 * MiB);
    ASSERT_EQ(memcmp(memory.begin(), from.data(), 4 * MiB), 0) << i;
  }
  done = true;
  collector.join();
  EXPECT_EQ(foreign, 0);
  EXPECT_GT(met, 0);
}

TEST_F(Threads, LeavingAFaultByLongjmpKeepsTheEngineUsable) {
  start();
  Guarded memory(4 * MiB);
  Bytes from = randomBytes(4 * MiB, 10);
  {
    Handler handler([](int, siginfo_t *, void *) { siglongjmp(leave, 1); });
    ASSERT_EQ(mprotect(memory.begin() + 2 * MiB, 4096, PROT_NONE), 0);
    if (sigsetjmp(leave, 1) == 0) {
      memlift_copy(memory.begin(), from.data(), 4 * MiB);
      ADD_FAILURE() << "the copy met no fault";
    }
  }
  Counted counted;
  Operation op(MEMLIFT_OPERATION_COPY, 4 * MiB);
  ASSERT_TRUE(op.offload(alone()));
  EXPECT_TRUE(op.right());
  EXPECT_EQ(counted.since().engine_bytes, pagesOf(op));
}

// ---- Who may use it, and what it leaves behind --------------------------------------------------

unsigned tasks() {
  unsigned count = 0;
  DIR *dir = opendir("/proc/self/task");
  while (dir && readdir(dir))
    ++count;
  closedir(dir);
  return count;
}

// Those that there are without helpers. A sanitizer begins one of its own with the program's first.
unsigned tasksBefore() {
  unsigned count = 0;
  std::thread([&] { count = tasks(); }).join();
  return count - 1;
}

// One that has been joined may be listed for a moment yet.
bool tasksAre(unsigned wanted) {
  for (int i = 0; i < 2000 && tasks() != wanted; ++i)
    usleep(1000);
  return tasks() == wanted;
}

TEST_F(Threads, StopJoinsAllHelpers) {
  unsigned before = tasksBefore();
  for (int i = 0; i < 20; ++i) {
    start();
    EXPECT_TRUE(tasksAre(before + 2));
    Operation op(MEMLIFT_OPERATION_FILL, MiB);
    EXPECT_TRUE(op.offload(alone()));
    EXPECT_TRUE(op.right());
    ASSERT_EQ(memlift_engine_stop(), MEMLIFT_OK);
    EXPECT_TRUE(tasksAre(before));
    EXPECT_FALSE(op.offload(alone()));
  }
}

TEST_F(Threads, HelpersSleepWhenThereIsNothingToDo) {
  start();
  Operation op(MEMLIFT_OPERATION_FILL, MiB);
  ASSERT_TRUE(op.offload(alone()));
  usleep(50000);
  timespec before, after;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &before);
  usleep(200000);
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &after);
  int64_t used = (after.tv_sec - before.tv_sec) * 1000000000 + after.tv_nsec - before.tv_nsec;
  EXPECT_LT(used, 20000000);
}

TEST_F(Threads, AChildUsesTheCpuOrHelpersOfItsOwn) {
  start();
  memlift_threads_use("1", nullptr);
  pid_t child = fork();
  if (child == 0) {
    Bytes from = randomBytes(4 * MiB, 1), to(4 * MiB);
    Counted counted;
    memlift_copy(to.data(), from.data(), to.size());
    if (from != to || counted.since().operations != 0)
      _exit(1);
    if (sanitized) // TSan starts no threads in a child of several
      _exit(0);
    if (memlift_engine_start("threads") != MEMLIFT_OK)
      _exit(2);
    memlift_fill8(to.data(), 0, to.size());
    memlift_copy(to.data(), from.data(), to.size());
    if (from != to || counted.since().engine_bytes == 0)
      _exit(3);
    _exit(memlift_engine_stop() == MEMLIFT_OK && tasksAre(3) ? 0 : 4); // ".", ".." and itself
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  Operation op(MEMLIFT_OPERATION_COPY, MiB);
  EXPECT_TRUE(op.offload(alone()));
  EXPECT_TRUE(op.right());
}

TEST_F(Threads, IsRefusedWhereThereIsOneCpu) {
  pid_t child = fork();
  if (child == 0) {
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(sched_getcpu(), &one);
    const char *reason = "";
    bool right = sched_setaffinity(0, sizeof one, &one) == 0 &&
                 memlift_engine_start("threads") == MEMLIFT_NOT_PRESENT &&
                 memlift_engine_threads.probe(&reason) == MEMLIFT_NOT_PRESENT &&
                 strcmp(reason, "this process may use one CPU only") == 0;
    _exit(!right);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

TEST_F(Threads, ASettingThatMakesNoSenseIsRefused) {
  memlift_engine_stop();
  memlift_threads_use("many", nullptr);
  EXPECT_EQ(memlift_engine_start("threads"), MEMLIFT_NOT_PRESENT);
  Operation op(MEMLIFT_OPERATION_COPY, MiB);
  EXPECT_FALSE(op.offload(alone()));
}

TEST_F(Threads, IsOneUsersAtATime) {
  start();
  ASSERT_EQ(memlift_session_acquire(&memlift_engine_threads), MEMLIFT_OK);
  EXPECT_EQ(memlift_session_acquire(&memlift_engine_threads), MEMLIFT_BUSY);
  EXPECT_EQ(memlift_engine_stop(), MEMLIFT_BUSY);
  Operation op(MEMLIFT_OPERATION_COPY, MiB);
  EXPECT_FALSE(op.offload());
  memlift_session_release(&memlift_engine_threads);
  EXPECT_TRUE(op.offload(alone()));
}

TEST_F(Threads, StartAndStopUnderLoad) {
  std::atomic<bool> done{false};
  std::atomic<int> wrong{0};
  std::thread worker([&] {
    Bytes from = randomBytes(2 * MiB, 8), to(2 * MiB);
    while (!done) {
      std::fill(to.begin(), to.end(), 0);
      memlift_copy(to.data(), from.data(), to.size());
      wrong += to != from;
    }
  });
  memlift_threads_use("2", nullptr);
  for (int i = 0; i < 100; ++i) {
    memlift_engine_start("threads");
    usleep(200);
    memlift_engine_stop();
  }
  done = true;
  worker.join();
  EXPECT_EQ(wrong, 0);
}

} // namespace
