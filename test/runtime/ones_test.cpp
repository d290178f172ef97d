// ones_test.cpp - ones' complement sums of 32- and 64-bit words against the loops they stand for
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Defends the exact number, not only its class: 0 stands for nothing but zeros, all ones for every
// other multiple of the modulus; and that no byte after the last whole word is read.

#include "support.h"

namespace {

template <typename Word> Word plain(const unsigned char *p, size_t n, Word sum) {
  for (size_t i = 0; i + sizeof(Word) <= n; i += sizeof(Word)) {
    Word word;
    memcpy(&word, p + i, sizeof word);
    sum += word;
    sum += sum < word;
  }
  return sum;
}

const uint64_t inits[] = {
    0, 1, 0xfffffffe, 0xffffffff, 0x100000000, ~uint64_t(0) - 1, ~uint64_t(0), 0x123456789abcdef0};

void compare(const unsigned char *p, size_t n, uint64_t init) {
  uint32_t narrow = static_cast<uint32_t>(init);
  ASSERT_EQ(memlift_ones_sum_u32(p, n, narrow), plain(p, n, narrow)) << "n " << n;
  ASSERT_EQ(memlift_ones_sum_u64(p, n, init), plain(p, n, init)) << "n " << n;
}

TEST(Ones, EveryLengthAlignmentAndStart) {
  Bytes bytes = randomBytes(900, 67);
  for (size_t n = 0; n <= 600; ++n)
    for (size_t at = 0; at < 32; at += slow ? 5 : 1)
      for (uint64_t init : inits)
        compare(&bytes[at], n, init);
}

TEST(Ones, ZerosAndOnes) {
  Bytes zeros(300), ones(300, 0xff);
  for (size_t n = 0; n <= 290; ++n)
    for (uint64_t init : inits) {
      compare(&zeros[n % 9], n, init);
      compare(&ones[n % 9], n, init);
    }
  // A word and its complement: all ones, which must not become 0.
  unsigned char pair[16];
  memset(pair, 0x5a, 8), memset(pair + 8, 0xa5, 8);
  EXPECT_EQ(memlift_ones_sum_u64(pair, 16, 0), ~uint64_t(0));
  EXPECT_EQ(memlift_ones_sum_u32(pair, 16, 0), 0xffffffffu);
}

TEST(Ones, GuardPages) {
  Guarded region(70000);
  Bytes random = randomBytes(region.size(), 73);
  memcpy(region.begin(), random.data(), random.size());
  for (size_t n = 0; n < 66000; n += n < 300 ? 1 : 4093) {
    compare(region.begin(), n, n);
    size_t whole = n / 8 * 8;
    const unsigned char *from = region.end() - whole;
    ASSERT_EQ(memlift_ones_sum_u64(from, whole + 7, 5), plain(from, whole, uint64_t(5))) << n;
    whole = n / 4 * 4;
    from = region.end() - whole;
    ASSERT_EQ(memlift_ones_sum_u32(from, whole + 3, 5), plain(from, whole, uint32_t(5))) << n;
  }
}

TEST(Ones, PartsMakeTheWhole) {
  Bytes bytes = randomBytes(1000, 79);
  const uint64_t whole = memlift_ones_sum_u64(bytes.data(), 1000, 9);
  for (size_t cut = 0; cut <= 1000; cut += 8)
    ASSERT_EQ(memlift_ones_sum_u64(bytes.data() + cut, 1000 - cut,
                                   memlift_ones_sum_u64(bytes.data(), cut, 9)),
              whole)
        << "cut at " << cut;
}

} // namespace
