// sweeps_test.cpp - every length to 4096 at every alignment and small overlap; long, at every level
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Full sweeps of the cases that kernels_test.cpp and rows_test.cpp sample: contract 4 for copies,
// moves, fills and copies that swap bytes. Labelled "long".

#include "support.h"

namespace {

constexpr size_t Longest = 4096, Margin = 64;
constexpr unsigned char Canary = 0xC3;

class Sweeps : public AtLevel {};
AT_EVERY_LEVEL(Sweeps);

size_t step(size_t sanitizedStep) { return sanitized ? sanitizedStep : 1; }

unsigned char *aligned(Bytes &bytes) {
  size_t off = 64 - reinterpret_cast<uintptr_t>(bytes.data()) % 64;
  return bytes.data() + off + Margin;
}

// A destination whose surroundings are checked and painted again.
struct Room {
  Bytes bytes = Bytes(Longest + 64 + 2 * Margin + 64, Canary), canaries = Bytes(Margin, Canary);
  unsigned char *base = aligned(bytes);

  bool holds(size_t at, const unsigned char *expected, size_t n) {
    unsigned char *d = base + at;
    bool right = memcmp(d, expected, n) == 0 && memcmp(d - Margin, canaries.data(), Margin) == 0 &&
                 memcmp(d + n, canaries.data(), Margin) == 0;
    memset(d, Canary, n);
    return right;
  }
};

using Copy = void (*)(void *, const void *, size_t);

void copies(Copy copy) {
  Room room;
  Bytes source = randomBytes(Longest + 64 + 2 * Margin + 64, 7);
  const unsigned char *base = aligned(source);
  for (size_t n = 0; n <= Longest; n += step(7))
    for (size_t to = 0; to < 64; to += step(9))
      for (size_t from = 0; from < 64; from += step(11)) {
        copy(room.base + to, base + from, n);
        ASSERT_TRUE(room.holds(to, base + from, n))
            << "n " << n << ", to " << to << ", from " << from;
      }
}

TEST_P(Sweeps, Copy) { copies(memlift_copy); }
TEST_P(Sweeps, Move) { copies(memlift_move); }

TEST_P(Sweeps, MoveEveryOverlapBelow256) {
  constexpr ptrdiff_t reach = 255;
  const Bytes fresh = randomBytes(Longest + 2 * reach + 64, 3);
  Bytes bytes = fresh, expected = fresh;
  for (size_t n = 1; n <= Longest; n += step(61))
    for (ptrdiff_t distance = -reach; distance <= reach; ++distance) {
      size_t from = reach + n * 13 % 64, to = from + static_cast<size_t>(distance);
      memcpy(&expected[to], &fresh[from], n);
      memlift_move(&bytes[to], &bytes[from], n);
      ASSERT_EQ(bytes, expected) << "n " << n << ", distance " << distance;
      memcpy(&bytes[to], &fresh[to], n);
      memcpy(&expected[to], &fresh[to], n);
    }
}

TEST_P(Sweeps, FillOfEveryPeriod) {
  Room room;
  const uint64_t low = 0xf1e2d3c4b5a69788u, high = 0x0123456789abcdefu;
  for (size_t period = 1; period <= 16; ++period) {
    Bytes expected(Longest);
    for (size_t j = 0; j < Longest; ++j)
      expected[j] = patternByte16(low, high, period, j);
    for (size_t n = 0; n <= Longest; n += step(7))
      for (size_t to = 0; to < 64; to += step(5)) {
        memlift_fill_pattern16(room.base + to, low, high, period, n);
        ASSERT_TRUE(room.holds(to, expected.data(), n))
            << "period " << period << ", n " << n << ", to " << to;
      }
  }
}

void swapped(Copy swap, size_t word) {
  Room room;
  Bytes source = randomBytes(Longest + 64, 5), expected(Longest + 64);
  for (size_t n = 0; n <= Longest; n += step(7))
    for (size_t from = 0; from < 64; from += step(11)) {
      size_t whole = n - n % word, to = (from * 7 + n) % 64;
      for (size_t i = 0; i < whole; ++i)
        expected[i] = source[from + i / word * word + (word - 1 - i % word)];
      swap(room.base + to, &source[from], n);
      ASSERT_TRUE(room.holds(to, expected.data(), whole))
          << "word " << word << ", n " << n << ", from " << from << ", to " << to;
    }
}

TEST_P(Sweeps, Swap) {
  swapped(memlift_copy_swap16, 2);
  swapped(memlift_copy_swap32, 4);
  swapped(memlift_copy_swap64, 8);
}

} // namespace
