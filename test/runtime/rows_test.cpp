// rows_test.cpp - fills, copies and moves of rows, and copies that swap bytes, at every level
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Defends contract 4 for the two-dimensional routines and for memlift_copy_swap*: memory is what a
// loop over rows, or over words, leaves, for every pitch, length, alignment and overlap, and no
// byte around the regions is touched.

#include "support.h"

namespace {

class Rows : public AtLevel {};
AT_EVERY_LEVEL(Rows);

constexpr size_t Size = 20000;
constexpr ptrdiff_t Middle = 9000;

// Two equal buffers: one for the routine, one for the reference.
struct Twin {
  Bytes got, want;
  explicit Twin(uint64_t seed) : got(randomBytes(Size, seed)), want(got) {}
  unsigned char *at(ptrdiff_t i) { return got.data() + i; }
  void again(uint64_t seed) { want = got = randomBytes(Size, seed); }
};

const size_t Widths[] = {0,  1,  2,  3,   7,   8,   15,  16,  17, 31,
                         33, 64, 65, 100, 128, 129, 255, 256, 301};
const ptrdiff_t Pitches[] = {0, 1, 2, 16, 64, 100, 255, 256, 301, 512, -1, -64, -301, -700};

TEST_P(Rows, FillEveryPitchWidthAndPeriod) {
  const uint64_t pattern = 0x8877665544332211u;
  Twin twin(1);
  for (size_t period = 1; period <= 8; ++period)
    for (size_t width : Widths)
      for (ptrdiff_t pitch : Pitches)
        for (size_t rows : {0u, 1u, 2u, 5u}) {
          twin.again(period);
          memlift_fill_2d(twin.at(Middle + 3), pitch, pattern, period, width, rows);
          for (size_t y = 0; y < rows; ++y)
            for (size_t x = 0; x < width; ++x)
              twin.want[static_cast<size_t>(Middle + 3 + static_cast<ptrdiff_t>(y) * pitch) + x] =
                  patternByte(pattern, period, x);
          ASSERT_EQ(twin.got, twin.want) << "period " << period << ", width " << width << ", pitch "
                                         << pitch << ", rows " << rows;
        }
}

TEST_P(Rows, FillPeriodOutOfRangeIsTakenAsTheNearest) {
  Twin twin(2);
  memlift_fill_2d(twin.at(0), 40, 0x1122334455667788u, 0, 20, 3);
  memlift_fill_2d(twin.at(1000), 40, 0x1122334455667788u, SIZE_MAX, 20, 3);
  for (size_t y = 0; y < 3; ++y)
    for (size_t x = 0; x < 20; ++x) {
      ASSERT_EQ(twin.got[40 * y + x], 0x88);
      ASSERT_EQ(twin.got[1000 + 40 * y + x], patternByte(0x1122334455667788u, 8, x));
    }
}

TEST_P(Rows, CopyEveryPitchAndWidth) {
  Twin twin(3);
  Bytes source = randomBytes(Size, 4);
  for (size_t width : Widths)
    for (ptrdiff_t to : Pitches)
      for (ptrdiff_t from : Pitches)
        for (size_t rows : {0u, 1u, 4u}) {
          twin.again(width);
          memlift_copy_2d(twin.at(Middle), to, &source[Middle + 5], from, width, rows);
          for (size_t y = 0; y < rows; ++y)
            std::copy_n(source.begin() + Middle + 5 + static_cast<ptrdiff_t>(y) * from, width,
                        twin.want.begin() + Middle + static_cast<ptrdiff_t>(y) * to);
          ASSERT_EQ(twin.got, twin.want)
              << "width " << width << ", pitches " << to << " and " << from << ", rows " << rows;
        }
}

// In one buffer, at every small distance: row after row, each as if through a buffer.
TEST_P(Rows, MoveEveryOverlap) {
  Twin twin(5);
  for (size_t width : {1u, 8u, 17u, 64u, 100u})
    for (ptrdiff_t to : {64, 100, 101, -100})
      for (ptrdiff_t from : {100, -100, 37})
        for (ptrdiff_t distance = -130; distance <= 130; distance += slow ? 13 : 1) {
          twin.again(static_cast<uint64_t>(distance + 200));
          memlift_move_2d(twin.at(Middle + distance), to, twin.at(Middle), from, width, 4);
          for (ptrdiff_t y = 0; y < 4; ++y) {
            Bytes row(twin.want.begin() + Middle + y * from,
                      twin.want.begin() + Middle + y * from + static_cast<ptrdiff_t>(width));
            std::copy(row.begin(), row.end(), twin.want.begin() + Middle + distance + y * to);
          }
          ASSERT_EQ(twin.got, twin.want) << "width " << width << ", pitches " << to << " and "
                                         << from << ", distance " << distance;
        }
}

TEST_P(Rows, GuardPages) {
  Guarded source(8192), destination(8192);
  for (size_t width = 1; width <= 300; width += slow ? 7 : 1) {
    ptrdiff_t pitch = static_cast<ptrdiff_t>(width) + 13;
    size_t span = static_cast<size_t>(3 * pitch) + width;
    memlift_fill_2d(destination.begin(), pitch, 7, 1, width, 4);
    memlift_fill_2d(destination.end() - width, -pitch, 0x070605, 3, width, 4);
    memlift_copy_2d(destination.begin(), pitch, source.end() - span, pitch, width, 4);
    memlift_move_2d(destination.end() - span, pitch, source.begin(), pitch, width, 4);
    ASSERT_EQ(memcmp(destination.begin(), source.end() - span, width), 0);
  }
}

TEST_P(Rows, NothingToDoTouchesNothing) {
  memlift_fill_2d(nullptr, 1, 1, 1, 0, 100);
  memlift_fill_2d(nullptr, 1, 1, 1, 100, 0);
  memlift_copy_2d(nullptr, 1, nullptr, 1, 0, 100);
  memlift_copy_2d(nullptr, 1, nullptr, 1, 100, 0);
  memlift_move_2d(nullptr, 1, nullptr, 1, 0, SIZE_MAX);
  memlift_move_2d(nullptr, 1, nullptr, 1, 100, 0);
  memlift_copy_swap16(nullptr, nullptr, 0);
  memlift_copy_swap32(nullptr, nullptr, 0);
  memlift_copy_swap64(nullptr, nullptr, 0);
}

using Swap = void (*)(void *, const void *, size_t);
struct Words {
  size_t bytes;
  Swap swap;
};
const Words AllWords[] = {
    {2, memlift_copy_swap16}, {4, memlift_copy_swap32}, {8, memlift_copy_swap64}};

void reference(Bytes &memory, size_t to, size_t from, size_t bytes, size_t n) {
  n -= n % bytes;
  Bytes third(memory.begin() + static_cast<ptrdiff_t>(from),
              memory.begin() + static_cast<ptrdiff_t>(from + n));
  for (size_t i = 0; i < n; ++i)
    memory[to + i] = third[i / bytes * bytes + (bytes - 1 - i % bytes)];
}

TEST_P(Rows, SwapEveryLengthAndAlignment) {
  Twin twin(6);
  for (const Words &words : AllWords)
    for (size_t n = 0; n <= 400; n += n < 80 ? 1 : 7)
      for (size_t to = 0; to < 9; ++to)
        for (size_t from = 0; from < 9; from += slow ? 4 : 1) {
          words.swap(twin.at(static_cast<ptrdiff_t>(100 + to)),
                     twin.at(static_cast<ptrdiff_t>(10000 + from)), n);
          reference(twin.want, 100 + to, 10000 + from, words.bytes, n);
          ASSERT_EQ(twin.got, twin.want)
              << 8 * words.bytes << " bits, n " << n << ", to " << to << ", from " << from;
        }
}

TEST_P(Rows, SwapEveryOverlap) {
  Twin twin(7);
  for (const Words &words : AllWords)
    for (size_t n : {2u, 8u, 16u, 40u, 64u, 72u, 136u, 256u, 264u, 513u, 1000u})
      for (size_t to = Middle - 140; to <= Middle + 140; to += slow ? 9 : 1) {
        twin.again(n);
        words.swap(twin.at(static_cast<ptrdiff_t>(to)), twin.at(Middle), n);
        reference(twin.want, to, Middle, words.bytes, n);
        ASSERT_EQ(twin.got, twin.want) << 8 * words.bytes << " bits, n " << n << ", distance "
                                       << static_cast<ptrdiff_t>(to) - Middle;
      }
}

TEST_P(Rows, SwapGuardPages) {
  Guarded source(4096), destination(4096);
  for (const Words &words : AllWords)
    for (size_t n = 0; n <= 600; ++n)
      for (int corner = 0; corner < 4; ++corner)
        words.swap(corner & 1 ? destination.end() - n : destination.begin(),
                   corner & 2 ? source.end() - n : source.begin(), n);
}

} // namespace
