// kernels_test.cpp - copy, move and fill against a bytewise reference, at every level
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Defends contract 4: memory after the routine is bit for bit what the loop leaves, for every
// length, alignment and overlap, and not a byte around it is touched.

#include "kernels/limits.h"
#include "support.h"
#if defined(__x86_64__)
#include "kernels/x86/direction.h"
#endif

#include <algorithm>

namespace {

constexpr size_t MaxLength = 512;
constexpr size_t Margin = 64; // canary bytes on both sides
constexpr unsigned char Canary = 0xC3;

// A destination inside canaries; check() says what was touched beside it and paints it again.
class Arena {
public:
  explicit Arena(size_t most = MaxLength) : bytes(most + 64 + 2 * Margin + 64, Canary) {
    first = bytes.data();
    while (reinterpret_cast<uintptr_t>(first) % 64 != 0)
      ++first;
    first += Margin;
  }
  unsigned char *at(size_t alignment) { return first + alignment; }
  testing::AssertionResult check(size_t alignment, const unsigned char *expected, size_t n) {
    unsigned char *d = at(alignment);
    bool right = memcmp(d, expected, n) == 0;
    for (size_t i = 1; i <= Margin; ++i)
      right &= d[-static_cast<ptrdiff_t>(i)] == Canary && d[n + i - 1] == Canary;
    std::fill_n(d - Margin, n + 2 * Margin, Canary);
    if (right)
      return testing::AssertionSuccess();
    return testing::AssertionFailure() << "n " << n << ", destination alignment " << alignment;
  }

private:
  Bytes bytes;
  unsigned char *first;
};

class Kernels : public AtLevel {};
AT_EVERY_LEVEL(Kernels);

using Copy = void (*)(void *, const void *, size_t);

void sweep(Copy copy) {
  Arena arena;
  Bytes source = randomBytes(MaxLength + 192, 7);
  const unsigned char *s0 = source.data();
  while (reinterpret_cast<uintptr_t>(s0) % 64 != 0)
    ++s0;
  for (size_t n = 0; n <= MaxLength; ++n)
    for (size_t to = 0; to < 64; to += slow ? 5 : 1)
      for (size_t from = 0; from < 64; from += slow ? 7 : 1) {
        copy(arena.at(to), s0 + from, n);
        ASSERT_TRUE(arena.check(to, s0 + from, n)) << "source alignment " << from;
      }
}

// The loops of a kernel run longer than the sweeps above; all of them, every byte.
TEST_P(Kernels, FillOfManyVectorsOfEveryPeriod) {
  const uint64_t low = 0xf1e2d3c4b5a69788u, high = 0x0123456789abcdefu;
  const size_t sizes[] = {600, 1000, 2049, 4095, 9001, 16383, 16384, 16500, 20011, 40000};
  Bytes bytes(40200, 0xC3), expected(40000);
  for (size_t period = 1; period <= 16; ++period) {
    for (size_t j = 0; j < expected.size(); ++j)
      expected[j] = patternByte16(low, high, period, j);
    for (size_t n : sizes)
      for (size_t to = 100; to < 164; to += sanitized ? 13 : 3) {
        memlift_fill_pattern16(&bytes[to], low, high, period, n);
        ASSERT_EQ(memcmp(&bytes[to], expected.data(), n), 0)
            << "period " << period << ", n " << n << ", to " << to;
        ASSERT_TRUE(bytes[to - 1] == 0xC3 && bytes[to + n] == 0xC3);
        std::fill_n(bytes.begin() + static_cast<ptrdiff_t>(to), n, 0xC3);
      }
  }
}

TEST_P(Kernels, CopyEveryLengthAndAlignment) { sweep(memlift_copy); }
TEST_P(Kernels, MoveEveryLengthAndAlignment) { sweep(memlift_move); }

// Runs a check as on cores whose copies go upwards always, and on those that look at the distance.
template <typename Check> void inBothDirections(Check check) {
#if defined(__x86_64__)
  using Window = struct memlift_alias_window;
  for (Window window : {Window{0, 0}, Window{511, 2047}}) {
    memlift_alias_window = window;
    SCOPED_TRACE(window.few ? "by the distance" : "upwards");
    check();
  }
#else
  check();
#endif
}

// Vectors are aligned at both ends of a loop, and the counts of its iterations follow from that.
TEST_P(Kernels, LoopsOfVectorsOfEveryLength) {
  constexpr size_t most = 2100; // beyond 2 KiB other limits are looked at
  const uint64_t value = 0x9d81f273c4b5a697u;
  const Bytes source = randomBytes(most + 64, 7), bytes(most, 0x9d);
  const Bytes words = patternBytes(most, value, 8);
  Arena arena(most);
  for (size_t n = MaxLength + 1; n <= most; n += slow ? 11 : 1)
    for (size_t to = slow ? n % 5 : 0; to < 64; to += slow ? 5 : 1) {
      const unsigned char *from = &source[(n + 7 * to) % 64];
      memlift_fill8(arena.at(to), 0x9d, n);
      ASSERT_TRUE(arena.check(to, bytes.data(), n)) << "fill8";
      memlift_fill64(arena.at(to), value, n);
      ASSERT_TRUE(arena.check(to, words.data(), n)) << "fill64";
      inBothDirections([&] {
        memlift_copy(arena.at(to), from, n);
        ASSERT_TRUE(arena.check(to, from, n)) << "copy";
      });
      memlift_move(arena.at(to), from, n);
      ASSERT_TRUE(arena.check(to, from, n)) << "move";
    }
}

// The public routines do short lengths by themselves.
TEST_P(Kernels, CopyByTheKernelItself) { sweep(memlift_cpu_copy); }
TEST_P(Kernels, MoveByTheKernelItself) { sweep(memlift_cpu_move); }

TEST_P(Kernels, FillPatternEveryLengthAlignmentAndPeriod) {
  Arena arena;
  const uint64_t pattern = 0xf1e2d3c4b5a69788u;
  for (size_t period = 1; period <= 8; ++period) {
    const Bytes expected = patternBytes(MaxLength, pattern, period);
    for (size_t n = 0; n <= MaxLength; ++n)
      for (size_t to = 0; to < 64; to += slow ? 3 : 1) {
        memlift_fill_pattern(arena.at(to), pattern, period, n);
        ASSERT_TRUE(arena.check(to, expected.data(), n)) << "period " << period;
      }
  }
}

TEST_P(Kernels, FillPattern16EveryLengthAlignmentAndPeriod) {
  Arena arena;
  const uint64_t low = 0xf1e2d3c4b5a69788u, high = 0x0123456789abcdefu;
  for (size_t period = 1; period <= 16; ++period) {
    Bytes expected(MaxLength);
    for (size_t j = 0; j < MaxLength; ++j)
      expected[j] = patternByte16(low, high, period, j);
    for (size_t n = 0; n <= MaxLength; ++n)
      for (size_t to = 0; to < 64; to += slow ? 7 : 3) {
        memlift_fill_pattern16(arena.at(to), low, high, period, n);
        ASSERT_TRUE(arena.check(to, expected.data(), n)) << "period " << period;
      }
  }
}

// The reference stores the value as the loop of a program does and cuts the last one.
template <typename T> void sweepFill(void (*fill)(void *, T, size_t), T value) {
  Arena arena;
  Bytes expected(MaxLength + sizeof(T));
  for (size_t j = 0; j < MaxLength; j += sizeof(T))
    memcpy(&expected[j], &value, sizeof(T));
  for (size_t n = 0; n <= MaxLength; ++n)
    for (size_t to = 0; to < 64; to += slow ? 3 : 1) {
      fill(arena.at(to), value, n);
      ASSERT_TRUE(arena.check(to, expected.data(), n));
    }
}

TEST_P(Kernels, Fill8) { sweepFill<uint8_t>(memlift_fill8, 0x9d); }
TEST_P(Kernels, Fill16) { sweepFill<uint16_t>(memlift_fill16, 0x9d81); }
TEST_P(Kernels, Fill32) { sweepFill<uint32_t>(memlift_fill32, 0x9d81f273u); }
TEST_P(Kernels, FillByTheKernelItself) {
  sweepFill<uint64_t>(memlift_cpu_fill, 0x9d81f273c4b5a697u);
}
TEST_P(Kernels, Fill64) { sweepFill<uint64_t>(memlift_fill64, 0x9d81f273c4b5a697u); }

// Some machines clear blocks of up to 4 KiB at once: none may reach beyond the region.
TEST_P(Kernels, ZerosByBlocksStayInTheRegion) {
  const size_t room = 5000, largest = 20000;
  Bytes bytes(room + largest + room, Canary);
  for (size_t n = 0; n <= largest; n += 1 + n / (slow ? 9 : 40))
    for (size_t at = room - 130; at <= room; at += slow ? 13 : 3) {
      memlift_fill8(&bytes[at], 0, n);
      auto isCanary = [](unsigned char byte) { return byte == Canary; };
      auto isZero = [](unsigned char byte) { return byte == 0; };
      auto first = bytes.begin() + static_cast<ptrdiff_t>(at), last = first + ptrdiff_t(n);
      ASSERT_TRUE(std::all_of(bytes.begin(), first, isCanary)) << "n " << n << ", at " << at;
      ASSERT_TRUE(std::all_of(first, last, isZero)) << "n " << n << ", at " << at;
      ASSERT_TRUE(std::all_of(last, bytes.end(), isCanary)) << "n " << n << ", at " << at;
      std::fill(first, last, Canary);
    }
}

TEST_P(Kernels, PeriodOutOfRangeIsTakenAsTheNearest) {
  unsigned char one[100], eight[100], far[100];
  memlift_fill_pattern(one, 0x1122334455667788u, 0, sizeof one);
  for (unsigned char byte : one)
    ASSERT_EQ(byte, 0x88);
  memlift_fill_pattern(eight, 0x1122334455667788u, 8, sizeof eight);
  memlift_fill_pattern(far, 0x1122334455667788u, SIZE_MAX, sizeof far);
  ASSERT_EQ(memcmp(eight, far, sizeof far), 0);
  memlift_fill_pattern16(one, 0x1122334455667788u, 5, 0, sizeof one);
  for (unsigned char byte : one)
    ASSERT_EQ(byte, 0x88);
  memlift_fill_pattern16(eight, 0x1122334455667788u, 5, 16, sizeof eight);
  memlift_fill_pattern16(far, 0x1122334455667788u, 5, SIZE_MAX, sizeof far);
  ASSERT_EQ(memcmp(eight, far, sizeof far), 0);
}

TEST_P(Kernels, ZeroBytesTouchNothing) {
  memlift_copy(nullptr, nullptr, 0);
  memlift_move(nullptr, nullptr, 0);
  memlift_fill8(nullptr, 1, 0);
  memlift_fill64(nullptr, 1, 0);
  for (size_t period = 0; period < 10; ++period)
    memlift_fill_pattern(nullptr, 1, period, 0);
  for (size_t period = 0; period < 18; ++period)
    memlift_fill_pattern16(nullptr, 1, 2, period, 0);
}

TEST_P(Kernels, CopyOntoItself) {
  for (size_t n : {1u, 7u, 100u, 600u, 5000u, 1u << 21}) {
    Bytes bytes = randomBytes(n, n), before = bytes;
    memlift_copy(bytes.data(), bytes.data(), n);
    ASSERT_EQ(bytes, before);
    memlift_move(bytes.data(), bytes.data(), n);
    ASSERT_EQ(bytes, before);
  }
}

// Every distance up to 130 in both directions: around all vector widths and their doubles.
TEST_P(Kernels, MoveEveryOverlap) {
  const ptrdiff_t reach = 130;
  const Bytes fresh = randomBytes(2048 + 2 * reach, 3);
  Bytes bytes = fresh, expected = fresh;
  for (size_t n : {1,   2,   3,   7,   8,   9,   15,  16,  17,  31,  33,   63,   64,  65,
                   127, 129, 191, 255, 256, 257, 300, 511, 513, 600, 1000, 1025, 1500})
    for (ptrdiff_t distance = -reach; distance <= reach; distance += slow ? 3 : 1)
      for (size_t skew : {0, 1, 6, 13}) {
        unsigned char *from = bytes.data() + reach + skew, *to = from + distance;
        Bytes third(from, from + n);
        memcpy(expected.data() + (to - bytes.data()), third.data(), n);
        memlift_move(to, from, n);
        ASSERT_EQ(bytes, expected) << "n " << n << ", distance " << distance << ", skew " << skew;
        bytes = expected = fresh;
      }
}

// Long moves by every small distance, where a vector loop runs into its own output.
TEST_P(Kernels, MoveLongByShortDistances) {
  const size_t n = slow ? 40000 : 300000;
  const Bytes fresh = randomBytes(n + 400, 9);
  for (size_t distance : {1, 7, 8, 15, 16, 31, 33, 63, 64, 65, 129, 200}) {
    Bytes up = fresh, down = fresh, expected = fresh;
    memlift_move(down.data(), down.data() + distance, n);
    std::copy(fresh.begin() + static_cast<ptrdiff_t>(distance),
              fresh.begin() + static_cast<ptrdiff_t>(distance + n), expected.begin());
    ASSERT_EQ(down, expected) << "to lower addresses by " << distance;
    memlift_move(up.data() + distance, up.data(), n);
    expected = fresh;
    std::copy(fresh.begin(), fresh.begin() + static_cast<ptrdiff_t>(n),
              expected.begin() + static_cast<ptrdiff_t>(distance));
    ASSERT_EQ(up, expected) << "to higher addresses by " << distance;
  }
}

// Runs a check with string instructions for all copies of more than 2 KiB, whatever the machine has
// them for, where there are any.
template <typename Check> void byStrings(Check check) {
  const size_t before = memlift_limits.copy_string;
  memlift_limits.copy_string = 0;
  SCOPED_TRACE("by string instructions");
  check();
  memlift_limits.copy_string = before;
}

// The low bits of the distance say whether a copy between regions apart goes up or down, and
// whether string instructions are slow.
TEST_P(Kernels, CopyAtDistancesOfPages) {
  const size_t apart = 16384, most = 6000, edge = 64;
  const Bytes fresh = randomBytes(2 * apart + 2 * edge + most + 4096, 11);
  Bytes bytes = fresh, expected = fresh;
  for (size_t n : {257, 512, 513, 576, 577, 600, 832, 833, 1025, 1500, 2048, 2049, 4097, 6000})
    for (size_t low : {0, 1, 8, 31, 32, 63, 64, 65, 500, 511, 512, 513, 2047, 2048, 3000, 4095})
      for (bool up : {false, true})
        for (size_t skew : {0, 1, 37}) {
          const size_t near = edge + skew, far = near + apart + low;
          const size_t to = up ? far : near, from = up ? near : far;
          memcpy(&expected[to], &fresh[from], n);
          auto check = [&] {
            memlift_copy(&bytes[to], &bytes[from], n);
            ASSERT_EQ(bytes, expected) << "n " << n << ", from " << from << " to " << to;
            memcpy(&bytes[to], &fresh[to], n);
          };
          inBothDirections(check);
          byStrings(check);
          memcpy(&expected[to], &fresh[to], n);
        }
}

// One random operation inside a buffer, against the same done byte by byte.
struct Random {
  Bytes bytes, expected;
  std::mt19937_64 random;
  size_t limit;

  Random(size_t size, uint64_t seed) : bytes(randomBytes(size, seed)), random(seed), limit(size) {
    expected = bytes;
  }
  size_t upTo(size_t bound) { return random() % (bound + 1); }

  testing::AssertionResult step(size_t largest) {
    size_t n = upTo(largest), to = upTo(std::min<size_t>(limit - n, 4096)),
           from = upTo(std::min<size_t>(limit - n, 4096)), period = 1 + upTo(7);
    uint64_t pattern = random();
    bool move = random() & 1;
    if (move) {
      memmove(&expected[to], &expected[from], n);
      memlift_move(&bytes[to], &bytes[from], n);
    } else {
      writePattern(&expected[to], n, pattern, period);
      memlift_fill_pattern(&bytes[to], pattern, period, n);
    }
    if (bytes == expected)
      return testing::AssertionSuccess();
    return testing::AssertionFailure()
           << (move ? "move from " : "fill of period ") << (move ? from : period) << " to " << to
           << ", n " << n << ", MEMLIFT_TEST_SEED=" << testSeed();
  }
};

TEST_P(Kernels, RandomSmall) {
  Random random(9000, testSeed());
  for (int i = 0; i < (slow ? 2000 : 20000); ++i)
    ASSERT_TRUE(random.step(3000));
}

TEST_P(Kernels, RandomLarge) {
  Random random(slow ? 3 << 20 : 6 << 20, testSeed());
  for (int i = 0; i < (slow ? 4 : 24); ++i)
    ASSERT_TRUE(random.step(random.limit - 4096));
}

} // namespace
