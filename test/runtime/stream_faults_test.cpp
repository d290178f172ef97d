// stream_faults_test.cpp - loops by blocks: faults, signal handlers, and the engines of the library
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "stack.h"
#include "stream_support.h"

#include <csetjmp>
#include <csignal>
#include <sys/time.h>
#include <sys/wait.h>

namespace {

// ---- Faults -------------------------------------------------------------------------------------

// A byte that no iteration reads: the engine meets it, the loop does not.
// A loop with an array of each kind.
Loop mixed() {
  Loop loop;
  loop.iterations = 1000;
  loop.add(8, 8, out);
  loop.add(16, 16, in | out);
  loop.add(8, 8, in);
  return loop;
}

TEST_F(Stream, WithABadAddressInAGetIsDirectForABlock) {
  Bytes memory = randomBytes(64000, 2);
  Loop loop;
  loop.iterations = 1000;
  loop.add(64, 64, in, 0, 32);
  loop.arrays[0].memory = memory;
  loop.add(8, 8, out);
  for (size_t bad : {33, 32000 + 63, 64000 - 1}) {
    Counts counts;
    Bytes result(8000);
    store.model.faults.bad = &memory[bad];
    store.model.faults.bad_end = &memory[bad] + 1;
    uint64_t carried =
        loop.runByBlocks({memory.data(), result.data()}, counts, nothing, &store.model);
    Loop plain = loop;
    EXPECT_EQ(carried, plain.runPlainly());
    EXPECT_EQ(result, plain.arrays[1].memory);
    EXPECT_EQ(counts.direct, 1u);
    EXPECT_GE(counts.local, 7u);
  }
}

TEST_F(Stream, WithAFaultInAnyTransferLosesNothing) {
  Loop loop = mixed();
  compare(loop, &store.model);
  uint32_t all = store.model.started;
  for (uint32_t at = 1; at <= all; ++at)
    for (size_t byte : {0, 1, 63, 500, 1 << 20}) {
      store.model.faults.fail_at = store.model.started + at;
      store.model.faults.fail_byte = byte;
      Counts counts = compare(loop, &store.model);
      ASSERT_LE(counts.direct, 1u);
      ASSERT_FALSE(HasFailure()) << "transfer " << at << ", byte " << byte;
    }
}

TEST_F(Stream, WithALostTransferIsDirectFromThenOn) {
  Loop loop = mixed();
  compare(loop, &store.model);
  uint32_t all = store.model.started;
  for (uint32_t at = 1; at <= all; ++at) {
    store.model.faults.lose_at = store.model.started + at;
    uint64_t start = store.model.now;
    compare(loop, &store.model);
    ASSERT_FALSE(HasFailure()) << "transfer " << at;
    ASSERT_LT(store.model.now - start, 2 * store.model.mover.patience);
  }
  store.model.faults.lose_per_mille = 1000;
  uint64_t start = store.model.now;
  compare(loop, &store.model);
  EXPECT_LT(store.model.now - start, 2 * store.model.mover.patience) << "it was waited for again";
}

TEST_F(Stream, WithATransferThatIsNotTakenLosesNothing) {
  Loop loop = mixed();
  compare(loop, &store.model);
  uint32_t all = store.model.started;
  for (uint32_t at = 1; at <= all; ++at) {
    store.model.faults.busy_at = store.model.started + at;
    Counts counts = compare(loop, &store.model);
    ASSERT_LE(counts.direct, 1u);
    ASSERT_FALSE(HasFailure()) << "transfer " << at;
  }
}

sigjmp_buf left;
void leave(int) { siglongjmp(left, 1); }

// Has a handler that leaves for the signals of bad addresses.
class Leaving {
public:
  Leaving() {
    struct sigaction action{};
    action.sa_handler = leave;
    sigaction(SIGSEGV, &action, &before[0]);
    sigaction(SIGBUS, &action, &before[1]);
  }
  ~Leaving() {
    sigaction(SIGSEGV, &before[0], nullptr);
    sigaction(SIGBUS, &before[1], nullptr);
  }

private:
  struct sigaction before[2];
};

// Every iteration fills 64 bytes at `to` with its number, from 1 on. Returns 0 when a signal ended
// it.
int fillIterations(const unsigned char *from, unsigned char *to, uint64_t iterations) {
  memlift_stream_plan plan{2, 0, 0};
  memlift_stream_access accesses[] = {{const_cast<unsigned char *>(from), 64, 64, in, 0},
                                      {to, 64, 64, out, 0}};
  memlift_stream stream;
  memlift_stream_shift shifts[2];
  if (sigsetjmp(left, 1))
    return 0;
  memlift_stream_begin(&stream, &plan, accesses, iterations);
  for (uint64_t t = 0, m; (m = memlift_stream_next(&stream, shifts)) != 0; t += m)
    for (uint64_t j = t; j < t + m; ++j)
      memset(to + j * 64 + shifts[1].delta, static_cast<int>(1 + j % 255), 64);
  memlift_stream_end(&stream);
  return 1;
}

// The signal comes in the program's thread, at the address, when all earlier blocks are in memory
// and no later one is, be they local or direct. The handler leaves the loop, and after a release
// the store is to be used again.
TEST_F(Stream, WithABadAddressInAPutRaisesItsSignalInOrder) {
  Leaving leaving;
  const uint64_t iterations = 512, page = 4096; // a block is a page
  for (bool direct : {false, true}) {
    Guarded memory(8 * page);
    Bytes from(8 * page);
    unsigned char *bad = memory.begin() + 3 * page;
    memset(memory.begin(), 0, 8 * page);
    ASSERT_EQ(mprotect(bad, page, PROT_NONE), 0);
    store.model.faults.bad = direct ? &from[4 * page] : bad;
    store.model.faults.bad_end = store.model.faults.bad + (direct ? 1 : page);
    if (direct) { // transfers: gets 0 and 1, then put 0, get 2, and so on: the ninth is put 3
      store.model.faults.fail_at = store.model.started + 9;
      store.model.faults.fail_byte = 0;
    }
    ASSERT_FALSE(fillIterations(from.data(), memory.begin(), iterations));
    ASSERT_EQ(mprotect(bad, page, PROT_READ | PROT_WRITE), 0);
    for (uint64_t i = 0; i < 8 * page; ++i)
      ASSERT_EQ(memory.begin()[i], i < 3 * page ? 1 + i / 64 % 255 : 0) << i << ' ' << direct;
    EXPECT_EQ(memlift_store_release(), MEMLIFT_OK);
    EXPECT_EQ(memlift_store_left(), 32u << 10);
    store.model.faults = {};
    Loop loop;
    loop.iterations = 1000;
    loop.add(8, 8, in | out);
    EXPECT_GE(compare(loop, &store.model).local, 8u);
  }
}

// ---- Contexts -----------------------------------------------------------------------------------

uint64_t handled, handlersBlocks;
void runLoop(int) {
  static uint32_t array[1000];
  memlift_stream_plan plan{1, 0, 0};
  memlift_stream_access access{array, 4, 4, in | out, 0};
  memlift_stream stream;
  memlift_stream_shift shift;
  memlift_stream_begin(&stream, &plan, &access, 1000);
  for (uint64_t t = 0, m; (m = memlift_stream_next(&stream, &shift)) != 0; t += m) {
    handlersBlocks += m == 1000 && shift.delta == 0;
    for (uint64_t j = 0; j < m; ++j)
      ++*reinterpret_cast<uint32_t *>(reinterpret_cast<char *>(array + t + j) + shift.delta);
  }
  memlift_stream_end(&stream);
  ++handled;
}

TEST_F(Stream, OfAHandlerInALoopIsDirect) {
  auto before = signal(SIGUSR1, runLoop);
  handled = handlersBlocks = 0;
  Loop loop;
  loop.iterations = 1000;
  loop.add(8, 8, in | out);
  EXPECT_GE(compare(loop, &store.model, true, [](uint64_t) { raise(SIGUSR1); }).local, 8u);
  signal(SIGUSR1, before);
  EXPECT_GE(handled, 8u);
  EXPECT_EQ(handlersBlocks, handled);
}

// A handler that comes in the middle of a transfer: the mover raises it.
memlift_status (*startOfModel)(memlift_mover *, const memlift_transfer *, uint64_t *, size_t *);
TEST_F(Stream, OfAHandlerInATransferIsDirect) {
  auto before = signal(SIGUSR1, runLoop);
  handled = handlersBlocks = 0;
  startOfModel = store.model.mover.start;
  store.model.mover.start = [](memlift_mover *mover, const memlift_transfer *transfer,
                               uint64_t *ticket, size_t *moved) {
    raise(SIGUSR1);
    return startOfModel(mover, transfer, ticket, moved);
  };
  Bytes memory = randomBytes(1000, 3);
  EXPECT_EQ(memlift_get(store.begin(), memory.data(), 1000, 0), MEMLIFT_OK);
  EXPECT_EQ(memlift_tags_wait(1, MEMLIFT_TAGS_ALL, UINT64_MAX, nullptr, nullptr), MEMLIFT_OK);
  signal(SIGUSR1, before);
  EXPECT_EQ(handled, 1u);
  EXPECT_EQ(handlersBlocks, 1u);
  EXPECT_EQ(memcmp(store.begin(), memory.data(), 1000), 0);
}

// Wherever the handler comes: its loops, and those of the thread, are right.
TEST_F(Stream, OfAHandlerAtAnyTimeIsRight) {
  auto before = signal(SIGPROF, runLoop);
  handled = 0;
  itimerval often = {{0, 200}, {0, 200}}, never = {};
  setitimer(ITIMER_PROF, &often, nullptr);
  Loop loop;
  loop.iterations = 2000;
  loop.add(8, 8, in);
  loop.add(8, 8, in | out);
  for (int i = 0; i < 50 || (handled < 5 && i < 2000); ++i) {
    compare(loop, &store.model);
    void *p = memlift_store_alloc(100, 64);
    memlift_get(p, loop.arrays[0].memory.data(), 100, 0);
    memlift_tags_wait(1, MEMLIFT_TAGS_ALL, UINT64_MAX, nullptr, nullptr);
    EXPECT_EQ(memcmp(p, loop.arrays[0].memory.data(), 100), 0);
    memlift_store_free(p);
  }
  setitimer(ITIMER_PROF, &never, nullptr);
  signal(SIGPROF, before);
  EXPECT_EQ(memlift_store_left(), 32u << 10);
}

// ---- The engine in use --------------------------------------------------------------------------

class StreamOfEnginesThread : public testing::TestWithParam<const char *> {
protected:
  StreamOfEnginesThread() : store(4 << 20) {
    EXPECT_EQ(memlift_engine_start(GetParam()), MEMLIFT_OK);
  }
  ~StreamOfEnginesThread() override { EXPECT_EQ(memlift_engine_stop(), MEMLIFT_OK); }
  BoundStore store;
};

TEST_P(StreamOfEnginesThread, LeavesWhatThePlainLoopDoes) {
  memlift_engine_counters before{}, after{};
  memlift_engine_count(&before, sizeof before);
  Loop loop;
  loop.iterations = (slow ? 1 << 19 : 1 << 20) / 8;
  loop.add(8, 24, in, 5);
  loop.add(-8, 8, out, 3);
  loop.add(8, 8, in | out, 1);
  Counts counts = compare(loop);
  EXPECT_GE(counts.local, 2u);
  EXPECT_EQ(counts.direct, 0u);
  memlift_engine_count(&after, sizeof after);
  EXPECT_EQ(after.submitted - before.submitted, 4 * counts.local);
  EXPECT_EQ(after.collected - before.collected, 4 * counts.local);
}

// The windows reach into a page that is not there; no iteration reads it.
TEST_P(StreamOfEnginesThread, WithABadPageInAGetIsDirectForABlock) {
  const uint64_t step = 8192, iterations = 512;
  Guarded memory(step * iterations);
  memset(memory.begin(), 5, step * iterations);
  ASSERT_EQ(mprotect(memory.begin() + 100 * step + 4096, 4096, PROT_NONE), 0);
  Loop loop;
  loop.iterations = iterations;
  loop.add(static_cast<int64_t>(step), step, in, 0, 4096);
  std::fill(loop.arrays[0].memory.begin(), loop.arrays[0].memory.end(), 5);
  Counts counts;
  EXPECT_EQ(loop.runByBlocks({memory.begin()}, counts, nothing), loop.runPlainly());
  EXPECT_EQ(counts.direct, 1u);
  EXPECT_GE(counts.local, 7u);
}

#if !defined(__SANITIZE_THREAD__) // its runtime turns vfork into fork
TEST_P(StreamOfEnginesThread, InAChildOfVforkIsRight) {
  static uint32_t array[1 << 20];
  static memlift_stream_access access{array, 4, 4, in | out, 0};
  memset(array, 0, sizeof array);
  pid_t child = vfork();
  if (child == 0) {
    static memlift_stream_plan plan{1, 0, 0};
    memlift_stream stream;
    memlift_stream_shift shift;
    memlift_stream_begin(&stream, &plan, &access, 1 << 20);
    for (uint64_t t = 0, m; (m = memlift_stream_next(&stream, &shift)) != 0; t += m)
      for (uint64_t j = t; j < t + m; ++j)
        *reinterpret_cast<uint32_t *>(reinterpret_cast<char *>(array + j) + shift.delta) += 3;
    memlift_stream_end(&stream);
    _exit(0);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(std::count(std::begin(array), std::end(array), 3u), 1 << 20);
  EXPECT_EQ(memlift_store_left(), 4u << 20);
}
#endif

// As stream.h says: 8 KiB with an engine.
TEST_P(StreamOfEnginesThread, UsesABoundedStack) {
  if (sanitized)
    GTEST_SKIP() << "sanitizers add frames of their own and do not follow a switched stack";
  static uint32_t array[1 << 20];
  auto run = [] {
    memlift_stream_plan plan{1, 0, 0};
    memlift_stream_access access{array, 4, 4, in | out, 0};
    memlift_stream stream;
    memlift_stream_shift shift;
    memlift_stream_begin(&stream, &plan, &access, 1 << 20);
    while (memlift_stream_next(&stream, &shift))
      ;
    memlift_stream_end(&stream);
  };
  run(); // the dynamic linker saves all vector registers when it binds a function
  size_t empty = stackUsed([] {}), used = stackUsed(run);
  EXPECT_LT(used - empty, 8192u);
  RecordProperty("stack", static_cast<int>(used - empty));
}

INSTANTIATE_TEST_SUITE_P(By, StreamOfEnginesThread, testing::Values("soft", "threads"));

} // namespace
