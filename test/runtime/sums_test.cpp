// sums_test.cpp - sums, weighted sums and hashes against bytewise references, at every level
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Defends that each result is exact modulo 2^64 for every length and alignment, that a remainder
// is ignored, and contract 9.

#include "references.h"
#include "stack.h"
#include "support.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace {

constexpr size_t MaxLength = 600;

class Sums : public AtLevel {};
AT_EVERY_LEVEL(Sums);

struct Operation {
  const char *name;
  size_t bytes; // of a word
  uint64_t (*ours)(const void *, size_t);
  uint64_t (*plain)(const unsigned char *, size_t);
  uint64_t (*unweighted)(const void *, size_t); // of a weighted sum
};

const Operation operations[] = {
    {"sum_u8", 1, memlift_sum_u8, plainSum<uint8_t>, nullptr},
    {"sum_s8", 1, memlift_sum_s8, plainSum<int8_t>, nullptr},
    {"sum_u16", 2, memlift_sum_u16, plainSum<uint16_t>, nullptr},
    {"sum_s16", 2, memlift_sum_s16, plainSum<int16_t>, nullptr},
    {"sum_u32", 4, memlift_sum_u32, plainSum<uint32_t>, nullptr},
    {"sum_s32", 4, memlift_sum_s32, plainSum<int32_t>, nullptr},
    {"sum_u64", 8, memlift_sum_u64, plainSum<uint64_t>, nullptr},
    {"sum_swap_u16", 2, memlift_sum_swap_u16, plainSum<uint16_t, true>, nullptr},
    {"sum_swap_s16", 2, memlift_sum_swap_s16, plainSum<int16_t, true>, nullptr},
    {"sum_swap_u32", 4, memlift_sum_swap_u32, plainSum<uint32_t, true>, nullptr},
    {"sum_swap_s32", 4, memlift_sum_swap_s32, plainSum<int32_t, true>, nullptr},
    {"sum_swap_u64", 8, memlift_sum_swap_u64, plainSum<uint64_t, true>, nullptr},
    {"wsum_u8", 1, memlift_wsum_u8, plainWeighted<uint8_t>, memlift_sum_u8},
    {"wsum_u16", 2, memlift_wsum_u16, plainWeighted<uint16_t>, memlift_sum_u16},
    {"wsum_u32", 4, memlift_wsum_u32, plainWeighted<uint32_t>, memlift_sum_u32},
    {"wsum_s8", 1, memlift_wsum_s8, plainWeighted<int8_t>, memlift_sum_s8},
    {"wsum_u64", 8, memlift_wsum_u64, plainWeighted<uint64_t>, memlift_sum_u64},
};

TEST_P(Sums, EveryLengthAndAlignment) {
  Bytes bytes = randomBytes(MaxLength + 192, 17);
  const unsigned char *first = bytes.data();
  while (reinterpret_cast<uintptr_t>(first) % 64 != 0)
    ++first;
  for (const Operation &op : operations)
    for (size_t n = 0; n <= MaxLength; ++n)
      for (size_t at = 0; at < 64; at += slow ? 5 : 1)
        ASSERT_EQ(op.ours(first + at, n), op.plain(first + at, n))
            << op.name << ", n " << n << ", alignment " << at;
}

TEST_P(Sums, RandomLengths) {
  const size_t size = slow ? 1 << 18 : 3 << 20;
  Bytes bytes = randomBytes(size, testSeed());
  std::mt19937_64 random(testSeed());
  for (int round = 0; round < (slow ? 2 : 6); ++round) {
    size_t at = random() % 4096, n = random() % (size - at);
    for (const Operation &op : operations)
      ASSERT_EQ(op.ours(&bytes[at], n), op.plain(&bytes[at], n))
          << op.name << ", n " << n << ", at " << at << ", MEMLIFT_TEST_SEED=" << testSeed();
  }
}

// Lanes are emptied in time: all ones for longer than any narrow lane holds, and both extremes of
// the signed words. No sanitizer sees a lane, so there the megabytes are left out.
TEST_P(Sums, ExtremesOverflowNoLane) {
  for (unsigned char value : {0xff, 0x80, 0x7f})
    for (size_t n : {size_t(300000), slow ? size_t(70000) : size_t(9) << 20}) {
      Bytes bytes(n + 3, value);
      for (const Operation &op : operations)
        ASSERT_EQ(op.ours(&bytes[1], n + 1), op.plain(&bytes[1], n + 1))
            << op.name << ", n " << n + 1 << ", bytes " << unsigned(value);
    }
}

// Flush with the first or the last page that is mapped; a remainder is not even read.
TEST_P(Sums, GuardPages) {
  Guarded region(70000);
  Bytes random = randomBytes(region.size(), 23);
  memcpy(region.begin(), random.data(), random.size());
  for (const Operation &op : operations)
    for (size_t n = 0; n < 66000; n += n < 1100 ? (slow ? 3 : 1) : 4093) {
      ASSERT_EQ(op.ours(region.begin(), n), op.plain(region.begin(), n)) << op.name << " " << n;
      const unsigned char *from = region.end() - n;
      ASSERT_EQ(op.ours(from, n), op.plain(from, n)) << op.name << " " << n;
      size_t whole = n / op.bytes * op.bytes;
      from = region.end() - whole;
      ASSERT_EQ(op.ours(from, whole + op.bytes - 1), op.plain(from, whole))
          << op.name << " " << whole << " and a remainder";
    }
}

// sum(X Y) = sum(X) + sum(Y);  wsum(X Y) = wsum(X) + words(Y) * sum(X) + wsum(Y)
TEST_P(Sums, PartsMakeTheWhole) {
  const size_t n = 1000 / 8 * 8;
  Bytes bytes = randomBytes(n, 29);
  const unsigned char *p = bytes.data();
  for (const Operation &op : operations)
    for (size_t cut = 0; cut <= n; cut += op.bytes) {
      uint64_t parts = op.ours(p, cut) + op.ours(p + cut, n - cut);
      if (op.unweighted)
        parts += (n - cut) / op.bytes * op.unweighted(p, cut);
      ASSERT_EQ(op.ours(p, n), parts) << op.name << ", cut at " << cut;
    }
}

TEST_P(Sums, ZeroBytesTouchNothing) {
  for (const Operation &op : operations)
    ASSERT_EQ(op.ours(nullptr, 0), 0u) << op.name;
  ASSERT_EQ(memlift_polyhash_u8(nullptr, 0, 77, 31), 77u);
}

TEST_P(Sums, FirstCallChoosesTheKernel) {
  Bytes bytes = randomBytes(1000, 31);
  for (const Operation &op : operations) {
    for (memlift_sum_fn *&kernel : memlift_sum_now)
      kernel = nullptr;
    ASSERT_EQ(op.ours(bytes.data(), 1000), op.plain(bytes.data(), 1000)) << op.name;
  }
}

#if defined(__x86_64__)
// A level that borrowed the kernels of another would pass every other test, slowly.
TEST_P(Sums, EachLevelHasKernelsOfItsOwn) {
  // The program brings the kernels of the operations that something calls.
  for (int op = 0; op < MEMLIFT_SUM_OPS; ++op)
    EXPECT_EQ(memlift_cpu_sum(static_cast<memlift_sum_op>(op), nullptr, 0), 0u);
  const std::vector<memlift_sum_fn *> ours(memlift_sum_now, memlift_sum_now + MEMLIFT_SUM_OPS);
  for (memlift_level other : levels()) {
    if (other == GetParam())
      continue;
    ASSERT_EQ(memlift_limit_level(other), other);
    for (int op = 0; op < MEMLIFT_SUM_OPS; ++op)
      EXPECT_NE(memlift_sum_now[op], ours[op]) << "operation " << op;
  }
}
#endif

TEST_P(Sums, StateIsKept) {
  Bytes bytes = randomBytes(100000, 37);
  errno = 4711;
#if defined(__x86_64__)
  const unsigned before = _mm_getcsr();
  const unsigned set = before | 0x8040 | 0x6000 | 0x3d;
  _mm_setcsr(set);
#endif
  uint64_t sink = 0;
  for (const Operation &op : operations)
    sink += op.ours(bytes.data(), bytes.size());
  sink += memlift_polyhash_u8(bytes.data(), bytes.size(), sink, 31);
#if defined(__x86_64__)
  const unsigned after = _mm_getcsr();
  _mm_setcsr(before);
  EXPECT_EQ(after, set);
#endif
  EXPECT_EQ(errno, 4711);
  EXPECT_NE(sink, 0u);
}

unsigned char big[100000];
volatile uint64_t sink;

TEST_P(Sums, StackIsBounded) {
  if (sanitized)
    GTEST_SKIP() << "sanitizers add frames of their own and do not follow a switched stack";
  size_t empty = stackUsed([] {});
  size_t used = stackUsed([] {
    for (const Operation &op : operations)
      sink = op.ours(big + 1, 99999);
    sink = memlift_polyhash_u8(big, sizeof big, 1, 31);
  });
  EXPECT_LT(used - empty, 1024u);
}

TEST(Polyhash, SignedBytes) {
  Bytes bytes = randomBytes(MaxLength + 8, 47);
  for (size_t n = 0; n <= MaxLength; ++n) {
    uint64_t h = 5381;
    for (size_t i = 0; i < n; ++i)
      h = h * 33 + static_cast<uint64_t>(static_cast<int8_t>(bytes[n % 8 + i]));
    ASSERT_EQ(memlift_polyhash_s8(&bytes[n % 8], n, 5381, 33), h) << "n " << n;
  }
  ASSERT_EQ(memlift_polyhash_s8(nullptr, 0, 77, 31), 77u);
}

TEST(Polyhash, EveryLengthAlignmentAndFactor) {
  Bytes bytes = randomBytes(MaxLength + 8, 41);
  for (uint64_t k : {uint64_t(0), uint64_t(1), uint64_t(31), uint64_t(33), ~uint64_t(0),
                     uint64_t(0x9e3779b97f4a7c15u)})
    for (size_t n = 0; n <= MaxLength; ++n)
      for (size_t at = 0; at < 8; ++at)
        ASSERT_EQ(memlift_polyhash_u8(&bytes[at], n, 5381, k),
                  plainHash<uint8_t>(&bytes[at], n, 5381, k))
            << "n " << n << ", alignment " << at << ", factor " << k;
}

template <typename Word>
void hashesWords(uint64_t (*hash)(const void *, size_t, uint64_t, uint64_t)) {
  Guarded region(4096);
  Bytes bytes = randomBytes(4096, 53);
  std::copy(bytes.begin(), bytes.end(), region.begin());
  for (uint64_t k : {uint64_t(0), uint64_t(31), ~uint64_t(0), uint64_t(0x9e3779b97f4a7c15u)})
    for (size_t n = 0; n < 200; ++n)
      for (size_t gap = 0; gap < 9; ++gap) {
        const unsigned char *p = region.end() - n - gap;
        uint64_t want = 5381;
        for (size_t i = 0; i + sizeof(Word) <= n; i += sizeof(Word)) {
          Word x;
          std::memcpy(&x, p + i, sizeof x);
          want = want * k + x;
        }
        ASSERT_EQ(hash(p, n, 5381, k), want) << "n " << n << ", gap " << gap << ", factor " << k;
      }
  ASSERT_EQ(hash(nullptr, 0, 77, 31), 77u);
}

TEST(Polyhash, Words) {
  hashesWords<uint16_t>(memlift_polyhash_u16);
  hashesWords<uint32_t>(memlift_polyhash_u32);
  hashesWords<uint64_t>(memlift_polyhash_u64);
}

TEST(Polyhash, PartsMakeTheWhole) {
  Bytes bytes = randomBytes(300, 43);
  const uint64_t whole = memlift_polyhash_u8(bytes.data(), 300, 7, 31);
  for (size_t cut = 0; cut <= 300; ++cut)
    ASSERT_EQ(memlift_polyhash_u8(bytes.data() + cut, 300 - cut,
                                  memlift_polyhash_u8(bytes.data(), cut, 7, 31), 31),
              whole)
        << "cut at " << cut;
}

TEST(Polyhash, GuardPages) {
  Guarded region(4096);
  for (size_t n = 0; n < 100; ++n) {
    ASSERT_EQ(memlift_polyhash_u8(region.begin(), n, 1, 31),
              plainHash<uint8_t>(region.begin(), n, 1, 31));
    const unsigned char *from = region.end() - n;
    ASSERT_EQ(memlift_polyhash_u8(from, n, 1, 31), plainHash<uint8_t>(from, n, 1, 31));
  }
}

} // namespace
