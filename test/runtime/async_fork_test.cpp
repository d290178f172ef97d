// async_fork_test.cpp - a fork at any point: in a handler, under the lock, in an engine
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Defends contract 13: no process that forks is harmed, wherever its threads and handlers are.

#include "../../runtime/async/hub.h"
#include "async_support.h"

#include <atomic>
#include <chrono>
#include <csignal>
#include <pthread.h>
#include <sys/wait.h>
#include <thread>

namespace {

class Forking : public Async {};

pid_t made; // by the last fork of a handler, or of an engine

void forkNow() {
  made = fork();
  if (made == 0)
    alarm(30); // a child that waits for ever
}

void forkInHandler(int) { forkNow(); }

void expectGoodChild() {
  int status = -1;
  ASSERT_EQ(waitpid(made, &status, 0), made);
  EXPECT_EQ(status, 0);
}

// Work of a child that is no longer interrupted; returns 0 when all is right.
int ownWork() {
  int bad = memlift_engine_stop() != MEMLIFT_OK;
  memlift_soft_inject(nullptr);
  if (!sanitized) { // sanitizers refuse new threads in the child of a process with threads
    bad |= (memlift_engine_start("soft") != MEMLIFT_OK) << 1;
    Counted counted;
    Operation own(MEMLIFT_OPERATION_COPY, 3 * Piece);
    bad |= (memlift_wait(submitted(own), forever) != MEMLIFT_OK || !own.right()) << 2;
    bad |= (counted.since().engine_bytes != 3 * Piece) << 3;
    bad |= (memlift_engine_stop() != MEMLIFT_OK) << 4;
  }
  Operation small(MEMLIFT_OPERATION_FILL, 1000);
  bad |= (memlift_wait(submitted(small), forever) != MEMLIFT_OK || !small.right()) << 5;
  return bad;
}

unsigned calledInChild; // functions of the parent's engine that are not to be

void leaveChild(int bad) { _exit(bad ? 64 : calledInChild ? 128 : ownWork()); }

// ---- In a handler ------------------------------------------------------------------------------

std::atomic<bool> inWait;

void tellingWait(memlift_ticket ticket, const memlift_request *piece, uint64_t nanoseconds) {
  inWait = true;
  memlift_engine_soft.wait(ticket, piece, nanoseconds);
}

// A device that is deaf for a time and then spoils the destination, and a thread that interrupts
// the wait for it once, by a signal whose handler forks.
class Interrupted {
public:
  Interrupted() {
    struct sigaction action = {};
    action.sa_handler = forkInHandler;
    sigaction(SIGUSR1, &action, &before);
    inWait = false;
    made = -1;
    pthread_t self = pthread_self();
    poker = std::thread([self] {
      while (!inWait)
        std::this_thread::yield();
      usleep(2000);
      pthread_kill(self, SIGUSR1);
    });
  }
  ~Interrupted() {
    if (made != 0)
      poker.join();
    sigaction(SIGUSR1, &before, nullptr);
  }
  static memlift_engine engine() {
    memlift_engine e = memlift_engine_soft;
    e.wait = tellingWait;
    e.timeout_ns = 50000000;
    return e;
  }
  static soft_faults faults() {
    soft_faults f = {};
    f.late_at = 1;
    f.late_ns = 100000000;
    return f;
  }

private:
  struct sigaction before;
  std::thread poker;
};

TEST_F(Forking, InAHandlerThatInterruptsAWait) {
  start(Interrupted::faults());
  InUse engine(Interrupted::engine());
  Interrupted interrupted;
  Operation op(MEMLIFT_OPERATION_COPY, 2 * Piece);
  memlift_status status = memlift_wait(submitted(op), forever);
  int bad = status != MEMLIFT_OK || !op.right();
  if (made == 0)
    leaveChild(bad);
  EXPECT_EQ(bad, 0);
  expectGoodChild();
}

TEST_F(Forking, InAHandlerThatInterruptsACopy) {
  start(Interrupted::faults());
  memlift_engine impatient = Interrupted::engine();
  Interrupted interrupted;
  Operation op(MEMLIFT_OPERATION_COPY, 2 * Piece);
  op.offload(impatient);
  int bad = !op.right();
  if (made == 0)
    leaveChild(bad);
  EXPECT_EQ(bad, 0);
  expectGoodChild();
}

// ---- Inside of an engine -----------------------------------------------------------------------

// The soft engine, of which one function forks once, as a handler could that interrupts it.
enum Function { Submit, Poll, Wait, Abort, Functions };
Function where;

void forkIn(Function function) {
  if (made == 0)
    ++calledInChild;
  else if (made == -1 && function == where)
    forkNow();
}

memlift_engine forking(Function function) {
  memlift_engine e = memlift_engine_soft;
  where = function, made = -1, calledInChild = 0;
  e.timeout_ns = 20000000;
  e.submit = [](const memlift_request *pieces, unsigned count, memlift_ticket *tickets,
                memlift_status *status) {
    forkIn(Submit);
    return memlift_engine_soft.submit(pieces, count, tickets, status);
  };
  e.poll = [](memlift_ticket ticket, const memlift_request *piece, size_t *done) {
    if (made) // a look does no harm in a child
      forkIn(Poll);
    return memlift_engine_soft.poll(ticket, piece, done);
  };
  e.wait = [](memlift_ticket ticket, const memlift_request *piece, uint64_t nanoseconds) {
    if (made) // nor does this
      forkIn(Wait);
    memlift_engine_soft.wait(ticket, piece, nanoseconds);
  };
  e.abort = [] {
    forkIn(Abort);
    memlift_engine_soft.abort();
  };
  return e;
}

soft_faults losing() {
  soft_faults faults = {};
  faults.lose_at = 2, faults.lose_count = 2;
  return faults;
}

class ForkingIn : public Forking, public testing::WithParamInterface<int> {};

TEST_P(ForkingIn, TheLibrarysOwnCallOfIt) {
  start(losing());
  InUse engine(forking(static_cast<Function>(GetParam())));
  Operation op(MEMLIFT_OPERATION_COPY, 5 * Piece), next(MEMLIFT_OPERATION_FILL, 3 * Piece);
  memlift_token a = submitted(op), b = submitted(next, a);
  int bad = memlift_wait(b, forever) != MEMLIFT_OK || !next.right();
  bad |= (memlift_wait(a, forever) != MEMLIFT_OK || !op.right()) << 1;
  ASSERT_NE(made, -1);
  if (made == 0)
    leaveChild(bad);
  EXPECT_EQ(bad, 0);
  expectGoodChild();
}

TEST_P(ForkingIn, ACopysCallOfIt) {
  start(losing());
  memlift_engine engine = forking(static_cast<Function>(GetParam()));
  Operation op(MEMLIFT_OPERATION_COPY, 5 * Piece);
  op.offload(engine);
  int bad = !op.right();
  ASSERT_NE(made, -1);
  if (made == 0)
    leaveChild(bad);
  EXPECT_EQ(bad, 0);
  expectGoodChild();
}

INSTANTIATE_TEST_SUITE_P(, ForkingIn, testing::Range(0, int(Functions)));

// ---- Everything else ---------------------------------------------------------------------------

// The child has the lock as well, and makes the hub its own when it lets it go.
TEST_F(Forking, UnderTheLock) {
  start();
  Operation op(MEMLIFT_OPERATION_COPY, 3 * Piece);
  memlift_token token = submitted(op);
  memlift_hub_lock();
  forkNow();
  memlift_hub_unlock();
  int bad = memlift_wait(token, forever) != MEMLIFT_OK || !op.right();
  if (made == 0)
    leaveChild(bad);
  EXPECT_EQ(bad, 0);
  expectGoodChild();
}

// Two threads fork at once, one of them in a handler that has interrupted it under the lock.
thread_local int forker;
std::atomic<int> forking_now{0};

// Runs after the library's own handler, as it is registered before.
void lingerInFork() {
  if (forker != 1)
    return;
  forking_now = 1;
  auto end = std::chrono::steady_clock::now() + std::chrono::seconds(1);
  while (forking_now != 2 && std::chrono::steady_clock::now() < end)
    std::this_thread::yield();
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
}
bool lingers;
__attribute__((constructor(101))) void linger() {
  lingers = pthread_atfork(lingerInFork, nullptr, nullptr) == 0;
}

// Runs before it.
void tellOfFork() {
  if (forker == 2)
    forking_now = 2;
}

TEST_F(Forking, UnderTheLockWhileAnotherThreadForks) {
  ASSERT_TRUE(lingers);
  start();
  Operation op(MEMLIFT_OPERATION_COPY, Piece); // the library watches forks from the first one on
  ASSERT_EQ(memlift_wait(submitted(op), forever), MEMLIFT_OK);
  ASSERT_EQ(pthread_atfork(tellOfFork, nullptr, nullptr), 0);
  std::thread other([] {
    forker = 2;
    while (!forking_now)
      std::this_thread::yield();
    pid_t pid = fork();
    if (pid == 0)
      _exit(0);
    EXPECT_EQ(waitpid(pid, nullptr, 0), pid);
  });
  memlift_hub_lock();
  forker = 1;
  forkNow();
  forker = 0;
  int bad = !memlift_hub_is_mine();
  memlift_hub_unlock();
  if (made == 0)
    _exit(bad || ownWork());
  other.join();
  EXPECT_EQ(bad, 0);
  expectGoodChild();
}

// An operation that another thread was cancelling is cancelled in the child, where that thread does
// not exist.
TEST_F(Forking, WhileAnotherThreadCancels) {
  soft_faults faults = {};
  faults.late_at = 1;
  faults.late_ns = 200000000;
  start(faults);
  InUse engine(Interrupted::engine());
  inWait = false;
  Operation op(MEMLIFT_OPERATION_COPY, Piece);
  memlift_token token = submitted(op);
  std::thread canceller([&] { EXPECT_EQ(memlift_cancel(token), MEMLIFT_CANCELLED); });
  while (!inWait)
    std::this_thread::yield();
  forkNow();
  if (made == 0)
    _exit(memlift_wait(token, forever) != MEMLIFT_CANCELLED);
  canceller.join();
  expectGoodChild();
}

// The thread that starts an engine at that moment does not exist in the child.
TEST_F(Forking, WhileAnotherThreadStartsAnEngine) {
  std::atomic<bool> done{false};
  std::thread starter([&] {
    while (!done) {
      memlift_engine_start("soft");
      memlift_engine_stop();
    }
  });
  for (int i = 0; i < (sanitized ? 5 : 30); ++i) {
    forkNow();
    if (made == 0)
      _exit(ownWork());
    expectGoodChild();
  }
  done = true;
  starter.join();
}

} // namespace
