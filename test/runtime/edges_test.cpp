// edges_test.cpp - page ends, method changes, errno, floating-point state, stack, signals
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Defends contract 9 for the CPU path, and that no kernel reads or writes outside of its regions.

#include "stack.h"
#include "support.h"

#include <cerrno>
#include <cfenv>
#include <csignal>
#include <thread>
#if defined(__x86_64__)
#include "kernels/x86/limits.h"
#include <immintrin.h>
#endif

namespace {

class Edges : public AtLevel {};
AT_EVERY_LEVEL(Edges);

// Lengths with a kernel's size classes and method changes among them.
std::vector<size_t> lengths() {
  std::vector<size_t> all;
  for (size_t n = 0; n <= 1100; n += slow ? 3 : 1)
    all.push_back(n);
  for (size_t n : {2047, 4095, 4096, 4097, 65535, 65536, 65599})
    all.push_back(n);
  return all;
}

// Source and destination flush with the first or the last page that is mapped.
TEST_P(Edges, GuardPagesCopyAndMove) {
  Guarded source(70000), destination(70000);
  Bytes random = randomBytes(source.size(), 5);
  memcpy(source.begin(), random.data(), source.size());
  for (size_t n : lengths())
    for (int corner = 0; corner < 4; ++corner) {
      const unsigned char *from = corner & 1 ? source.end() - n : source.begin();
      unsigned char *to = corner & 2 ? destination.end() - n : destination.begin();
      memset(to, 0, n);
      memlift_copy(to, from, n);
      ASSERT_EQ(memcmp(to, from, n), 0) << "copy " << n << ", corner " << corner;
      memset(to, 0, n);
      memlift_move(to, from, n);
      ASSERT_EQ(memcmp(to, from, n), 0) << "move " << n << ", corner " << corner;
    }
}

TEST_P(Edges, GuardPagesOverlappingMove) {
  Guarded region(8192);
  Bytes random = randomBytes(region.size(), 11);
  for (size_t n = 1; n < region.size(); n += n < 700 ? 1 : 501) {
    memcpy(region.begin(), random.data(), random.size());
    memlift_move(region.end() - n, region.begin(), n);
    ASSERT_EQ(memcmp(region.end() - n, random.data(), n), 0) << "up, " << n;
    memcpy(region.begin(), random.data(), random.size());
    memlift_move(region.begin(), region.end() - n, n);
    ASSERT_EQ(memcmp(region.begin(), random.data() + random.size() - n, n), 0) << "down, " << n;
  }
}

TEST_P(Edges, GuardPagesFill) {
  Guarded region(70000);
  const uint64_t pattern = 0x8877665544332211u;
  for (size_t n : lengths())
    for (size_t period = 1; period <= 8; ++period)
      for (unsigned char *to : {region.begin(), region.end() - n}) {
        memlift_fill_pattern(to, pattern, period, n);
        for (size_t j = 0; j < n; j += n > 2000 ? 61 : 1)
          ASSERT_EQ(to[j], patternByte(pattern, period, j)) << "n " << n << ", period " << period;
      }
}

TEST_P(Edges, GuardPagesFillOfUpTo16Bytes) {
  Guarded region(70000);
  const uint64_t low = 0x8877665544332211u, high = 0x00ffeeddccbbaa99u;
  for (size_t n : lengths())
    for (size_t period = 9; period <= 16; ++period)
      for (unsigned char *to : {region.begin(), region.end() - n}) {
        memlift_fill_pattern16(to, low, high, period, n);
        for (size_t j = 0; j < n; j += n > 2000 ? 61 : 1)
          ASSERT_EQ(to[j], patternByte16(low, high, period, j))
              << "n " << n << ", period " << period;
      }
}

#if defined(__x86_64__)
void around(size_t limit, size_t largest) {
  if (limit > largest)
    return;
  std::vector<size_t> sizes = {limit - 1, limit, limit + 77};
  if (limit > 32u << 20) // half a second each
    sizes = {limit + 77};
  for (size_t n : sizes) {
    Bytes source = randomBytes(n + 64, n), to(n + 64, 0x33);
    memlift_copy(&to[5], &source[9], n);
    ASSERT_EQ(memcmp(&to[5], &source[9], n), 0) << n;
    ASSERT_TRUE(to[4] == 0x33 && to[5 + n] == 0x33) << n;
    memlift_fill64(&to[3], 0x8877665544332211u, n);
    for (size_t j = 0; j < n; j += j < 300 || n - j < 300 ? 1 : 97)
      ASSERT_EQ(to[3 + j], patternByte(0x8877665544332211u, 8, j)) << n << " at " << j;
    ASSERT_TRUE(to[2] == 0x33 && to[5 + n] == 0x33) << n;
  }
}

TEST_P(Edges, WhereTheMethodChanges) {
  const size_t largest = slow ? 8u << 20 : SIZE_MAX - 1;
  around(MEMLIFT_REP_COPY_MIN, largest);
  around(MEMLIFT_REP_FILL_MIN, largest);
  around(MEMLIFT_STREAM_COPY_MIN, largest);
  around(MEMLIFT_REP_FILL_WORDS_MIN, largest);
}

// The control word of the x87 unit and MXCSR with its sticky flags.
struct FpState {
  unsigned mxcsr = _mm_getcsr();
  unsigned short control = 0;
  FpState() { __asm__ volatile("fnstcw %0" : "=m"(control)); }
  bool operator==(const FpState &other) const {
    return mxcsr == other.mxcsr && control == other.control;
  }
};

TEST_P(Edges, FloatingPointStateIsKept) {
  Bytes a = randomBytes(3 << 20, 1), b(3 << 20);
  const unsigned before = _mm_getcsr();
  _mm_setcsr(before | 0x8040 | 0x6000 | 0x3d); // flush to zero, round to zero, all flags but one
  const FpState set;
  for (size_t n : {5u, 100u, 1000u, 100000u, 3u << 20}) {
    memlift_copy(b.data(), a.data(), n);
    memlift_move(b.data(), b.data() + 1, n - 1);
    memlift_fill64(b.data(), 0x7ff0000000000001u, n); // a signalling NaN as data
    memlift_fill_pattern(b.data(), 0x010203u, 3, n);
  }
  const FpState after;
  _mm_setcsr(before);
  ASSERT_TRUE(set == after);
}
#endif

TEST_P(Edges, ErrnoIsKept) {
  Bytes a(4000), b(4000);
  errno = 4711;
  memlift_copy(b.data(), a.data(), a.size());
  memlift_move(b.data() + 1, b.data(), a.size() - 1);
  memlift_fill_pattern(b.data(), 77, 5, b.size());
  ASSERT_EQ(errno, 4711);
}

// The first call of a process may come from anywhere: forget the choice and make it again.
TEST_P(Edges, FirstCallChoosesTheKernel) {
  memlift_copy_now = memlift_move_now = nullptr;
  memlift_fill_now = nullptr;
  memlift_pattern_now = nullptr;
  char a[40] = "first call", b[40];
  memlift_copy(b, a, sizeof a);
  ASSERT_STREQ(b, "first call");
  memlift_fill_now = nullptr;
  memlift_fill8(b, 'x', 3);
  memlift_move_now = nullptr;
  memlift_move(b + 1, b, 10);
  ASSERT_STREQ(b, "xxxxst call");
  memlift_pattern_now = nullptr;
  memlift_fill_pattern(b, 0x636261, 3, 7);
  ASSERT_EQ(std::string(b, 7), "abcabca");
}

// A handler that copies and fills, delivered all the time while the program does the same.
volatile sig_atomic_t handlerRuns, handlerErrors;

void useInHandler(int) {
  unsigned char from[300], to[300];
  for (unsigned i = 0; i < sizeof from; ++i)
    from[i] = static_cast<unsigned char>(i * 7);
  memlift_copy(to, from, sizeof to);
  handlerErrors = handlerErrors + (memcmp(to, from, sizeof to) != 0);
  memlift_fill32(to, 0x01020304, sizeof to);
  handlerErrors = handlerErrors + (memcmp(to, to + 4, sizeof to - 4) != 0);
  handlerRuns = handlerRuns + 1;
}

TEST_P(Edges, SignalHandlersMayUseIt) {
#if defined(__riscv) && defined(MEMLIFT_TEST_EMULATED)
  if (GetParam() == MEMLIFT_LEVEL_V)
    GTEST_SKIP() << "qemu-user 7.2 keeps no vectors for who is interrupted, as Linux does";
#endif
  handlerRuns = handlerErrors = 0;
  struct sigaction action = {}, before;
  action.sa_handler = useInHandler;
  sigaction(SIGUSR1, &action, &before);
  pthread_t self = pthread_self();
  std::thread sender([self] {
    for (int i = 0; i < 200; ++i) {
      pthread_kill(self, SIGUSR1);
      usleep(50);
    }
  });
  Bytes from = randomBytes(20000, 2), to(20000);
  for (int i = 0; i < 20000 && (handlerRuns < 150 || i < 500); ++i) {
    memlift_copy(to.data(), from.data(), to.size());
    ASSERT_EQ(to, from);
    memlift_fill8(to.data(), 1, to.size());
  }
  sender.join();
  sigaction(SIGUSR1, &before, nullptr);
  EXPECT_GT(handlerRuns, 0);
  EXPECT_EQ(handlerErrors, 0);
}

unsigned char big[400000], other[400000];

TEST_P(Edges, StackIsBounded) {
  if (sanitized)
    GTEST_SKIP() << "sanitizers add frames of their own and do not follow a switched stack";
  size_t empty = stackUsed([] {});
  size_t used = stackUsed([] {
    for (size_t n : {10u, 300u, 5000u, 400000u}) {
      memlift_copy(big, other, n);
      memlift_move(big + 1, big, n - 1);
      memlift_fill64(big, 5, n);
      memlift_fill_pattern(big, 5, 7, n);
    }
  });
  EXPECT_LT(used - empty, 1024u);
}

} // namespace
