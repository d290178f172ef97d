// threads_test.cpp - helper threads give the same bytes, whatever they do
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Defends contracts 4, 6 and 9 for the threads engine: no signal in a thread of ours, no byte lost
// to a helper that is slow, comes late, or does part of its job only.

#include "threads_support.h"

#include <map>
#include <mutex>
#include <sched.h>

namespace {

// ---- Which CPUs --------------------------------------------------------------------------------

threads_set setOf(std::initializer_list<unsigned> cpus) {
  threads_set set = {};
  for (unsigned cpu : cpus)
    set.bits[cpu / 8] |= 1 << cpu % 8;
  return set;
}

// The CPUs of a plan as text, or "refused".
std::string chosen(const char *setting, const threads_set &may, unsigned here) {
  threads_crew_plan plan = {};
  if (memlift_threads_choose(setting, &may, here, &plan))
    return "refused";
  std::string text;
  for (unsigned i = 0; i < plan.count; ++i)
    text += (i ? "," : "") + std::to_string(plan.cpu[i]);
  return text;
}

TEST(ThreadsCpus, AllButTheOneThatTheProcessIsOn) {
  threads_set four = setOf({0, 2, 3, 8000});
  EXPECT_EQ(chosen("", four, 2), "0,3,8000");
  EXPECT_EQ(chosen("", four, 0), "2,3,8000");
  EXPECT_EQ(chosen("", four, 1), "0,2,3"); // it has just been moved
  EXPECT_EQ(chosen("1", four, 0), "2");
  EXPECT_EQ(chosen("3", four, 0), "2,3,8000");
  EXPECT_EQ(chosen("4", four, 0), "2,3,8000,0");
  EXPECT_EQ(chosen("cpus=8000", four, 0), "8000");
  EXPECT_EQ(chosen("cpus=2-3,0", four, 0), "2,3,0");
}

TEST(ThreadsCpus, WhatMakesNoSenseIsRefused) {
  threads_set four = setOf({0, 2, 3, 8000});
  for (const char *setting : {"0",
                              "5",
                              "65",
                              "-1",
                              "+1",
                              "1 ",
                              " 1",
                              "1,2",
                              "x",
                              "99999999999999999999",
                              "cpus",
                              "cpus=",
                              "cpus=1",
                              "cpus=0-3",
                              "cpus=3-2",
                              "cpus=2,2",
                              "cpus=2-3,3",
                              "cpus=2,",
                              "cpus=,2",
                              "cpus=2-",
                              "cpus=-2",
                              "cpus=2--3",
                              "cpus=8192",
                              "cpus=8001",
                              "cpus=2;3",
                              "cpus=4294967298",
                              "cpus=18446744073709551618"})
    EXPECT_EQ(chosen(setting, four, 0), "refused") << setting;
  for (const char *setting : {"", "1", "cpus=5"})
    EXPECT_EQ(chosen(setting, setOf({5}), 5), "refused") << setting;
  EXPECT_EQ(chosen("", setOf({}), 0), "refused");
}

TEST(ThreadsCpus, MoreThanItHasHelpersForAreLeftAlone) {
  threads_set many = {};
  for (unsigned i = 0; i < 25; ++i)
    many.bits[i] = 0xff; // 200 CPUs
  threads_crew_plan plan = {};
  EXPECT_EQ(memlift_threads_choose("", &many, 3, &plan), nullptr);
  EXPECT_EQ(plan.count, THREADS_MOST);
  EXPECT_EQ(memlift_threads_choose("cpus=100-163", &many, 3, &plan), nullptr);
  EXPECT_EQ(plan.count, THREADS_MOST);
  EXPECT_EQ(plan.cpu[63], 163u);
  EXPECT_EQ(chosen("cpus=100-164", many, 3), "refused");
  threads_set most = {};
  for (unsigned i = 0; i < 8; ++i)
    most.bits[i] = 0xff; // 64: all but one
  EXPECT_EQ(memlift_threads_choose("", &most, 3, &plan), nullptr);
  EXPECT_EQ(plan.count, 63u);
}

// ---- The engine --------------------------------------------------------------------------------

TEST_F(Threads, SameBytesAtEverySizeAndSkew) {
  for (const char *helpers : {"1", "2"}) {
    start(helpers);
    for (auto operation : both)
      for (size_t size : {size_t(1), 4 * KiB, 8 * KiB - 1, 64 * KiB + 3, MiB, 5 * MiB + 777})
        for (size_t skew : {0, 3, 29}) {
          if (slow && size > MiB && skew != 29)
            continue;
          Operation op(operation, size, skew), again(operation, size, skew);
          size_t pages = pagesOf(op);
          Counted counted;
          ASSERT_EQ(op.offload(alone()), pages != 0);
          if (!pages)
            continue;
          ASSERT_TRUE(op.right()) << operation << ", " << size << ", " << skew;
          EXPECT_EQ(counted.since().engine_bytes, pages);
          EXPECT_EQ(counted.since().cpu_bytes, 0u);
          EXPECT_EQ(counted.since().faults, 0u);
          ASSERT_EQ(again.offload(memlift_engine_threads), pagesOf(again) != 0);
          ASSERT_TRUE(pagesOf(again) == 0 || again.right()) << operation << ", " << size;
        }
  }
}

TEST_F(Threads, EntryPointsUseItFromItsLimitOn) {
  start();
  size_t least = memlift_engine_threads.min_bytes;
  Bytes from = randomBytes(4 * MiB, 1), to(4 * MiB);
  Counted counted;
  memlift_copy(to.data(), from.data(), least - 1);
  memlift_move(to.data() + 1, to.data(), 2 * MiB); // overlap is never split
  memlift_move(to.data(), to.data() + 1, 2 * MiB);
  EXPECT_EQ(counted.since().operations, 0u);
  memlift_copy(to.data(), from.data(), to.size());
  EXPECT_EQ(to, from);
  memlift_fill64(to.data(), 0x1122334455667788u, to.size());
  ASSERT_TRUE(sameBytes(to, patternBytes(to.size(), 0x1122334455667788u)));
  EXPECT_EQ(counted.since().operations, 2u);
}

TEST_F(Threads, SubmittedOperationsGiveTheSameBytes) {
  start();
  Operation first(MEMLIFT_OPERATION_COPY, 4 * MiB, 3), second(MEMLIFT_OPERATION_FILL, 2 * MiB, 5),
      third(MEMLIFT_OPERATION_COPY, MiB + 11, 0);
  Counted counted;
  memlift_token a = submitted(first), b = submitted(second), c = submitted(third, a);
  for (memlift_token token : {c, b, a})
    ASSERT_EQ(memlift_wait(token, forever), MEMLIFT_OK);
  for (Operation *op : {&first, &second, &third})
    EXPECT_TRUE(op->right());
  EXPECT_EQ(counted.since().engine_bytes, pagesOf(first) + pagesOf(second) + pagesOf(third));
}

// Each helper has the CPU that it was given, no signal, and about as many bytes as the others when
// none is faster: a piece is not begun before the other one has one.
TEST_F(Threads, HelpersWorkSideBySideWhereTheyBelong) {
  std::mutex lock;
  std::map<pid_t, size_t> bytes;
  std::set<unsigned> cpus;
  std::atomic<unsigned> arrived{0}, wrong{0};
  start([&](void *to, const void *from, size_t size) {
    unsigned number = ++arrived;
    cpu_set_t set;
    sigset_t blocked;
    wrong += sched_getaffinity(0, sizeof set, &set) != 0 || CPU_COUNT(&set) != 1;
    pthread_sigmask(SIG_SETMASK, nullptr, &blocked);
    wrong += !sigismember(&blocked, SIGTERM) || !sigismember(&blocked, SIGUSR1);
    {
      std::lock_guard<std::mutex> hold(lock);
      bytes[gettid()] += size;
      cpus.insert(sched_getcpu());
    }
    for (int i = 0; arrived < (number + 1) / 2 * 2 && i < 3000; ++i) // the last may be alone
      usleep(100);
    return memlift_remote_copy(to, from, size);
  });
  memlift_engine engine = alone();
  engine.max_bytes = engine.min_batch = 64 * KiB;
  alignas(4096) static unsigned char to[4 * MiB];
  Bytes from = randomBytes(sizeof to, 1);
  memlift_request whole = {MEMLIFT_OPERATION_COPY, to, from.data(), 0, sizeof to};
  ASSERT_TRUE(memlift_offload(&engine, &whole));
  EXPECT_EQ(memcmp(to, from.data(), sizeof to), 0);
  EXPECT_EQ(wrong, 0u);
  EXPECT_EQ(cpus.size(), 2u);
  ASSERT_EQ(bytes.size(), 2u);
  EXPECT_GE(std::min(bytes.begin()->second, bytes.rbegin()->second), MiB + MiB / 2);
}

// ---- What goes wrong ---------------------------------------------------------------------------

TEST_F(Threads, PartOfAJobIsFinishedByTheCpu) {
  for (auto operation : both)
    for (unsigned at : {1u, 3u, 10u})
      for (size_t right : {size_t(0), size_t(1), size_t(4711)}) {
        if (slow && at == 3)
          continue;
        start([=](void *to, const void *from, size_t size) {
          if (++calls != at)
            return memlift_remote_copy(to, from, size);
          memset(to, 0x5a, size);
          return memlift_remote_copy(to, from, right);
        });
        Operation op(operation, 4 * MiB + 4095, 0);
        Counted counted;
        ASSERT_TRUE(op.offload(alone()));
        ASSERT_TRUE(op.right()) << operation << ", call " << at << ", " << right;
        EXPECT_EQ(counted.since().faults, 1u);
        EXPECT_EQ(counted.since().engine_bytes + counted.since().cpu_bytes, 4 * MiB);
        EXPECT_GT(counted.since().cpu_bytes, 0u);
      }
}

TEST_F(Threads, NothingWorks) {
  start([](void *, const void *, size_t) { return 0; });
  for (auto operation : both) {
    Operation op(operation, 4 * MiB, 0);
    Counted counted;
    ASSERT_TRUE(op.offload(alone()));
    ASSERT_TRUE(op.right());
    EXPECT_EQ(counted.since().time_outs, 0u); // known at once
  }
}

// A helper that stands still: its job is waited for longer than others, then given up, and it is
// not believed to have stopped before it has said so. What it has in hand is spoiled, in the end.
TEST_F(Threads, AHelperThatComesLateNeverWritesAfterTheReturn) {
  for (unsigned at : {1u, 5u}) {
    start([=](void *to, const void *from, size_t size) {
      if (++calls != at)
        return memlift_remote_copy(to, from, size);
      usleep(300000); // the time-out, and all that is added to it, are 24 ms
      memset(to, 0x5a, size);
      return size_t(0);
    });
    Operation op(MEMLIFT_OPERATION_COPY, 8 * MiB, 3);
    Counted counted;
    ASSERT_TRUE(op.offload(alone(3000000)));
    ASSERT_TRUE(op.right());
    EXPECT_GT(counted.since().time_outs + counted.since().faults, 0u);
    usleep(400000);
    ASSERT_TRUE(op.right()) << at;
  }
}

// A helper that is only slow is not given up.
TEST_F(Threads, AHelperThatIsAtWorkIsWaitedFor) {
  start([](void *to, const void *from, size_t size) {
    if (++calls == 1)
      usleep(120000);
    return memlift_remote_copy(to, from, size);
  });
  Operation op(MEMLIFT_OPERATION_COPY, 2 * MiB, 3);
  Counted counted;
  ASSERT_TRUE(op.offload(alone(50000000)));
  EXPECT_TRUE(op.right());
  EXPECT_EQ(counted.since().time_outs, 0u);
  EXPECT_EQ(counted.since().engine_bytes, pagesOf(op));
}

// Both stand still: jobs that were not begun are dropped, and never begun later.
TEST_F(Threads, WhatIsGivenUpIsNotBegunLater) {
  start([](void *to, const void *from, size_t size) {
    if (++calls <= 2)
      usleep(300000);
    return memlift_remote_copy(to, from, size);
  });
  Operation op(MEMLIFT_OPERATION_COPY, 8 * MiB, 3);
  Counted counted;
  ASSERT_TRUE(op.offload(alone(10000000)));
  unsigned begun = calls;
  EXPECT_LE(begun, 2u);
  std::fill(op.memory.begin(), op.memory.end(), 0xC3);
  usleep(20000);
  EXPECT_EQ(calls, begun);
  EXPECT_EQ(std::count(op.memory.begin(), op.memory.end(), 0xC3), ptrdiff_t(op.memory.size()));
  EXPECT_GT(counted.since().time_outs, 0u);
  Operation next(MEMLIFT_OPERATION_COPY, 4 * MiB, 3); // it is as good as before
  Counted after;
  ASSERT_TRUE(next.offload(alone()));
  EXPECT_TRUE(next.right());
  EXPECT_EQ(after.since().engine_bytes, pagesOf(next));
}

// A long job is given up between two bursts: its remainder is not waited for.
TEST_F(Threads, WhatIsGivenUpEndsAfterABurst) {
  start(
      [](void *to, const void *from, size_t size) {
        if (++calls == 1)
          usleep(50000 * (MEMLIFT_EXTENSIONS + 3)); // until it is given up, and a while
        return memlift_remote_copy(to, from, size);
      },
      "1");
  memlift_engine one = alone(50000000); // time for the helper to begin
  one.max_bytes = one.min_batch = 8 * MiB;
  Operation op(MEMLIFT_OPERATION_COPY, 8 * MiB, 3);
  ASSERT_TRUE(op.offload(one));
  EXPECT_TRUE(op.right());
  EXPECT_LE(calls, 1u); // of 32
}

// A helper keeps the first place, and the ring comes round to it: nothing is written over what it
// has.
TEST_F(Threads, NoPlaceIsUsedTwice) {
  Counted counted;
  start([&](void *to, const void *from, size_t size) {
    for (int i = 0, first = ++calls == 1; first && !counted.since().busy && i < 10000; ++i)
      usleep(1000);
    return memlift_remote_copy(to, from, size);
  });
  memlift_engine crowded = alone();
  crowded.in_flight = 2 * THREADS_JOBS;
  crowded.max_bytes = crowded.min_batch = 4 * KiB;
  Operation op(MEMLIFT_OPERATION_COPY, 2 * MiB + 4095, 0); // 512 jobs
  ASSERT_TRUE(op.offload(crowded));
  EXPECT_TRUE(op.right());
  EXPECT_GT(counted.since().busy, 0u);
  EXPECT_EQ(counted.since().engine_bytes, 2 * MiB);
  EXPECT_EQ(calls, 512u);
}

// ---- At random ---------------------------------------------------------------------------------

// Eight threads, operations at random, helpers that fail at random: no wrong byte, none lost, none
// twice. On a busy machine helpers may get so little time that none of them fails; then there is
// another round.
TEST_F(Threads, RandomOperationsUnderRandomFaults) {
  SCOPED_TRACE(testing::Message() << "MEMLIFT_TEST_SEED=" << testSeed());
  bool all = getenv("MEMLIFT_TEST_LONG") != nullptr;
  std::mutex lock;
  std::mt19937_64 random(testSeed());
  start([&](void *to, const void *from, size_t size) {
    uint64_t drawn;
    {
      std::lock_guard<std::mutex> hold(lock);
      drawn = random();
    }
    if (drawn % 1000 >= 40)
      return memlift_remote_copy(to, from, size);
    if (drawn >> 10 & 1)
      usleep(drawn >> 20 & 1023);
    if (drawn >> 11 & 1) {
      memset(to, 0x5a, size);
      return memlift_remote_copy(to, from, (drawn >> 32) % size);
    }
    return memlift_remote_copy(to, from, size);
  });
  memlift_engine small = memlift_engine_threads;
  small.granule = 64, small.min_batch = 4096, small.timeout_ns = 100000;
  InUse use(small);
  Counted counted;
  for (int round = 0; round < 20 && counted.since().faults == 0; ++round)
    EXPECT_EQ(randomThreads(8, all ? 20000 : slow ? 300 : 2000, 20000), 0u);
  EXPECT_GT(counted.since().engine_bytes, 0u);
  EXPECT_GT(counted.since().faults, 0u);
}

} // namespace
