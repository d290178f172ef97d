// watch_test.cpp - waiting in the core for a line to be written, by each instruction there is
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Defends that a store is seen whenever it comes, also between arming and pausing, and that a wait
// ends at its limit. Where the processor lacks an instruction, the signal that raises does what it
// would do: an emulator's machine and most virtual ones have none of them.

#include "support.h"

#include "queue/backoff.h"
#include "queue/wait.h"
#include "queue/watch.h"

#include <atomic>
#include <csignal>
#include <thread>
#include <ucontext.h>

namespace {

// ---- A core that can watch, for those that can't -------------------------------------------

// State of the emulated core: events seen by the signal handler of this thread, and its orders.
struct Core {
  uintptr_t armed = 0;                  // address, 0 when not
  uint32_t *store_when_armed = nullptr; // written right after arming
  unsigned arms = 0, pauses = 0, unarmed = 0;
  uint64_t mode = 0; // of the last pause: its control operands
  int64_t limit = 0;
};
thread_local Core core;

void emulate_arm(uintptr_t at) {
  core.armed = at;
  core.arms++;
  if (core.store_when_armed)
    __atomic_fetch_add(core.store_when_armed, 1, __ATOMIC_RELEASE);
}

// Ends for no reason at once, as a pause may.
void emulate_pause(uint64_t mode, int64_t limit) {
  core.unarmed += core.armed == 0;
  core.armed = 0;
  core.pauses++;
  core.mode = mode, core.limit = limit;
}

#if defined(__x86_64__)
constexpr memlift_watch_kind kinds[] = {MEMLIFT_WATCH_POLL, MEMLIFT_WATCH_UMWAIT,
                                        MEMLIFT_WATCH_MWAITX};

const int numbers[] = {REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP, REG_RSI, REG_RDI,
                       REG_R8,  REG_R9,  REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15};

// umonitor F3 0F AE /6, umwait F2 0F AE /6, monitorx 0F 01 FA, mwaitx 0F 01 FB.
bool emulate(ucontext_t *u) {
  greg_t *regs = u->uc_mcontext.gregs;
  auto *code = reinterpret_cast<const unsigned char *>(regs[REG_RIP]);
  if (code[0] == 0x0f && code[1] == 0x01 && (code[2] | 1) == 0xfb) {
    if (code[2] == 0xfa)
      emulate_arm(static_cast<uintptr_t>(regs[REG_RAX]));
    else
      emulate_pause(static_cast<uint64_t>(regs[REG_RCX]), regs[REG_RBX]);
    regs[REG_RIP] += 3;
    return true;
  }
  unsigned high = (code[1] & 0xf0) == 0x40, at = 1 + high; // a REX prefix
  if ((code[0] | 1) != 0xf3 || code[at] != 0x0f || code[at + 1] != 0xae ||
      (code[at + 2] & 0xf8) != 0xf0)
    return false;
  unsigned number = (code[at + 2] & 7) + (high && (code[1] & 1) ? 8 : 0);
  auto operand = static_cast<uint64_t>(regs[numbers[number]]);
  if (code[0] == 0xf3)
    emulate_arm(operand);
  else
    emulate_pause(operand, static_cast<int64_t>((static_cast<uint64_t>(regs[REG_RDX]) << 32 |
                                                 static_cast<uint32_t>(regs[REG_RAX])) -
                                                __builtin_ia32_rdtsc()));
  regs[REG_RIP] += at + 3;
  return true;
}
#elif defined(__aarch64__)
constexpr memlift_watch_kind kinds[] = {MEMLIFT_WATCH_POLL, MEMLIFT_WATCH_WFE};
bool emulate(ucontext_t *) { return false; } // each processor has it
#elif defined(__riscv)
constexpr memlift_watch_kind kinds[] = {MEMLIFT_WATCH_POLL, MEMLIFT_WATCH_WRS};

bool emulate(ucontext_t *u) {
  unsigned instruction;
  memcpy(&instruction, reinterpret_cast<const void *>(u->uc_mcontext.__gregs[REG_PC]), 4);
  if (instruction != 0x01d00073) // wrs.sto
    return false;
  core.armed = 1; // lr.w is a common instruction
  emulate_pause(0, 0);
  u->uc_mcontext.__gregs[REG_PC] += 4;
  return true;
}
#else
constexpr memlift_watch_kind kinds[] = {MEMLIFT_WATCH_POLL};
bool emulate(ucontext_t *) { return false; }
#endif

void on_signal(int, siginfo_t *, void *context) {
  if (!emulate(static_cast<ucontext_t *>(context)))
    abort();
}

class Watch : public testing::TestWithParam<memlift_watch_kind> {
protected:
  void SetUp() override {
    if (!strcmp(memlift_watch_requested, "poll") && GetParam() != MEMLIFT_WATCH_POLL)
      GTEST_SKIP() << "MEMLIFT_WAIT=poll";
    struct sigaction action = {};
    action.sa_sigaction = on_signal;
    action.sa_flags = SA_SIGINFO;
    sigaction(SIGILL, &action, &before);
    core = Core();
    natural = memlift_watch_in_use();
    memlift_watch_use(GetParam());
    ASSERT_EQ(memlift_watch_in_use(), GetParam());
  }
  void TearDown() override {
    memlift_watch_use(natural);
    sigaction(SIGILL, &before, nullptr);
  }
  struct sigaction before = {};
  memlift_watch_kind natural = MEMLIFT_WATCH_POLL;
};

constexpr uint64_t millisecond = 1000000, longest = 20000 * millisecond;

TEST_P(Watch, AStoreIsSeenWherever) {
  alignas(64) unsigned char line[64] = {};
  for (unsigned at : {0u, 1u, 3u, 31u, 63u}) {
    std::thread writer([&line, at] {
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
      __atomic_store_n(&line[at], 7, __ATOMIC_RELEASE);
    });
    EXPECT_EQ(memlift_watch(&line[at], 1, 0, longest), 1) << at;
    writer.join();
    EXPECT_EQ(memlift_watch(&line[at], 1, 0, 0), 1) << "no longer what was seen";
  }
  EXPECT_EQ(core.unarmed, 0u);
}

TEST_P(Watch, NothingIsSeenUntilTheLimit) {
  alignas(64) uint32_t line[16] = {};
  uint64_t begin = memlift_now();
  EXPECT_EQ(memlift_watch(&line[1], 4, 0, 3 * millisecond), 0);
  EXPECT_GE(memlift_now() - begin, 3 * millisecond);
  begin = memlift_now();
  EXPECT_EQ(memlift_watch(&line[1], 4, 0, 0), 0);
  EXPECT_LT(memlift_now() - begin, longest / 2);
}

// As Queue.NoNotificationIsLost, by each kind: a lost one would take the whole limit.
TEST_P(Watch, NoNotificationIsLost) {
  static memlift_event ping, pong;
  ping = pong = {};
  constexpr uint32_t rounds = sanitized ? 300 : 2000;
  uint64_t begin = memlift_now();
  std::thread other([] {
    for (uint32_t i = 0; i < rounds; ++i) {
      while (memlift_event_read(&ping) == i)
        memlift_event_wait(&ping, i, longest);
      memlift_event_notify(&pong);
    }
  });
  for (uint32_t i = 0; i < rounds; ++i) {
    memlift_event_notify(&ping);
    while (memlift_event_read(&pong) == i)
      memlift_event_wait(&pong, i, longest);
  }
  other.join();
  EXPECT_LT(memlift_now() - begin, longest);
}

#if defined(__x86_64__)
TEST_P(Watch, WhatIsStoredBehindArmingIsNotSleptOver) {
  alignas(64) uint32_t word = 0;
  core.store_when_armed = &word;
  int seen = memlift_watch(&word, 4, 0, 2 * millisecond);
  if (!core.arms)
    GTEST_SKIP() << "this core does it itself, or polls";
  EXPECT_EQ(seen, 1);
  EXPECT_EQ(core.arms, 1u);
  EXPECT_EQ(core.pauses, 0u) << "the memory is looked at between arming and pausing";
}

// umwait and mwaitx: the lightest state, and a limit that this core reaches within microseconds.
TEST_P(Watch, PausesHaveALimitOfTheirOwn) {
  alignas(64) uint32_t word = 0;
  EXPECT_EQ(memlift_watch(&word, 4, 0, millisecond), 0);
  if (!core.pauses)
    GTEST_SKIP() << "this core does it itself, or polls";
  EXPECT_EQ(core.arms, core.pauses);
  EXPECT_EQ(core.unarmed, 0u);
  EXPECT_EQ(core.mode, GetParam() == MEMLIFT_WATCH_UMWAIT ? 1u : 2u);
  EXPECT_LE(core.limit, 16384); // or over by now: with a signal in between
}
#endif

INSTANTIATE_TEST_SUITE_P(Kinds, Watch, testing::ValuesIn(kinds), [](const auto &kind) {
  return std::string(memlift_watch_name(kind.param));
});

TEST(Backoff, LooksGetRarerUpToALimit) {
  memlift_backoff b = {};
  unsigned last = 0, looks = 0;
  for (; b.spent < 1000; ++looks) {
    memlift_back_off(&b);
    EXPECT_EQ(b.gap, last < MEMLIFT_BACKOFF_MOST ? std::max(1u, 2 * last) : last);
    last = b.gap;
  }
  EXPECT_EQ(last, MEMLIFT_BACKOFF_MOST);
  EXPECT_LT(looks, 40u);
}

} // namespace
