// crc_test.cpp - CRCs of every width and direction against the shift register, bit by bit
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Check values are those of "123456789" in the Catalogue of parametrised CRC algorithms (reveng).

#include "stack.h"
#include "support.h"

#if defined(MEMLIFT_TEST_ZLIB)
#include <zlib.h>
#endif

namespace {

// The definition: one bit at a time, the register in the low `width` bits.
uint64_t shiftRegister(uint64_t c, const unsigned char *p, size_t n, const memlift_crc_poly &t) {
  const uint64_t mask = ~uint64_t(0) >> (64 - t.width);
  for (size_t i = 0; i < n; ++i)
    for (unsigned bit = 0; bit < 8; ++bit)
      if (t.reflected) {
        uint64_t out = (c ^ (p[i] >> bit)) & 1;
        c = c >> 1 ^ (out ? t.poly : 0);
      } else {
        uint64_t out = (c >> (t.width - 1) ^ (p[i] >> (7 - bit))) & 1;
        c = (c << 1 & mask) ^ (out ? t.poly : 0);
      }
  return c;
}

memlift_crc_poly make(uint32_t width, bool reflected, uint64_t poly) {
  memlift_crc_poly t;
  memset(&t, 0xA5, sizeof t);
  t.width = width, t.reflected = reflected, t.poly = poly;
  memlift_crc_init(&t);
  return t;
}

struct Known {
  const char *name;
  uint32_t width;
  bool reflected;
  uint64_t poly, init, xorOut, check;
};

const Known knowns[] = {
    {"CRC-8/SMBUS", 8, false, 0x07, 0, 0, 0xf4},
    {"CRC-8/MAXIM-DOW", 8, true, 0x8c, 0, 0, 0xa1},
    {"CRC-10/ATM", 10, false, 0x233, 0, 0, 0x199},
    {"CRC-15/CAN", 15, false, 0x4599, 0, 0, 0x059e},
    {"CRC-16/ARC", 16, true, 0xa001, 0, 0, 0xbb3d},
    {"CRC-16/XMODEM", 16, false, 0x1021, 0, 0, 0x31c3},
    {"CRC-16/IBM-3740", 16, false, 0x1021, 0xffff, 0, 0x29b1},
    {"CRC-24/OPENPGP", 24, false, 0x864cfb, 0xb704ce, 0, 0x21cf02},
    {"CRC-31/PHILIPS", 31, false, 0x04c11db7, 0x7fffffff, 0x7fffffff, 0x0ce9e46c},
    {"CRC-32/ISO-HDLC", 32, true, 0xedb88320, 0xffffffff, 0xffffffff, 0xcbf43926},
    {"CRC-32/ISCSI", 32, true, 0x82f63b78, 0xffffffff, 0xffffffff, 0xe3069283},
    {"CRC-32/BZIP2", 32, false, 0x04c11db7, 0xffffffff, 0xffffffff, 0xfc891918},
    {"CRC-40/GSM", 40, false, 0x0004820009, 0, 0xffffffffff, 0xd4164fc646},
    {"CRC-64/XZ", 64, true, 0xc96c5795d7870f42u, ~uint64_t(0), ~uint64_t(0), 0x995dc9bbdf1939fau},
    {"CRC-64/ECMA-182", 64, false, 0x42f0e1eba9ea3693u, 0, 0, 0x6c40df5f0b497347u},
};

TEST(Crc, CheckValuesOfKnownCrcs) {
  for (const Known &k : knowns) {
    memlift_crc_poly t = make(k.width, k.reflected, k.poly);
    EXPECT_EQ(memlift_crc(k.init, "123456789", 9, &t) ^ k.xorOut, k.check) << k.name;
  }
}

TEST(Crc, EveryLengthAndAlignment) {
  Bytes bytes = randomBytes(400, 71);
  for (const Known &k : knowns) {
    memlift_crc_poly t = make(k.width, k.reflected, k.poly);
    for (size_t at = 0; at < 8; ++at) {
      uint64_t expected = k.init; // continued by one byte each turn
      for (size_t n = 0; n <= 300; ++n) {
        ASSERT_EQ(memlift_crc(k.init, &bytes[at], n, &t), expected)
            << k.name << ", n " << n << ", alignment " << at;
        expected = shiftRegister(expected, &bytes[at + n], 1, t);
      }
    }
  }
}

// Every width, both directions, random polynomials and registers.
TEST(Crc, EveryWidthAgainstTheShiftRegister) {
  std::mt19937_64 random(testSeed());
  Bytes bytes = randomBytes(200, testSeed());
  for (uint32_t width = 8; width <= 64; ++width)
    for (int round = 0; round < (width <= 17 ? 12 : 4); ++round) {
      const uint64_t mask = ~uint64_t(0) >> (64 - width);
      memlift_crc_poly t = make(width, round & 1, random() & mask);
      uint64_t init = random() & mask;
      size_t at = random() % 16, n = random() % 150;
      ASSERT_EQ(memlift_crc(init, &bytes[at], n, &t), shiftRegister(init, &bytes[at], n, t))
          << "width " << width << ", reflected " << (round & 1) << ", polynomial " << std::hex
          << t.poly << ", MEMLIFT_TEST_SEED=" << std::dec << testSeed();
    }
}

// What the header says of each table, so that a compiler may emit the same.
TEST(Crc, TablesAreWhatTheHeaderSays) {
  const unsigned char zeros[8] = {};
  for (const Known &k : knowns) {
    memlift_crc_poly t = make(k.width, k.reflected, k.poly);
    for (unsigned b = 0; b < 256; ++b) {
      unsigned char byte = static_cast<unsigned char>(b);
      uint64_t c = shiftRegister(0, &byte, 1, t);
      for (size_t after = 0; after < 8; ++after)
        ASSERT_EQ(t.table[after][b], shiftRegister(c, zeros, after, t))
            << k.name << ", table " << after << ", byte " << b;
    }
  }
}

TEST(Crc, ParametersOutOfRangeBecomeTheNearest) {
  memlift_crc_poly narrow = make(3, false, 0x107), wide = make(99, true, 0xc96c5795d7870f42u);
  EXPECT_EQ(narrow.width, 8u);
  EXPECT_EQ(narrow.poly, 0x07u);
  EXPECT_EQ(memlift_crc(0, "123456789", 9, &narrow), 0xf4u);
  EXPECT_EQ(wide.width, 64u);
  EXPECT_EQ(~memlift_crc(~uint64_t(0), "123456789", 9, &wide), 0x995dc9bbdf1939fau);
}

TEST(Crc, PartsMakeTheWhole) {
  Bytes bytes = randomBytes(200, 73);
  for (const Known &k : knowns) {
    memlift_crc_poly t = make(k.width, k.reflected, k.poly);
    const uint64_t whole = memlift_crc(k.init, bytes.data(), 200, &t);
    for (size_t cut = 0; cut <= 200; ++cut)
      ASSERT_EQ(memlift_crc(memlift_crc(k.init, bytes.data(), cut, &t), &bytes[cut], 200 - cut, &t),
                whole)
          << k.name << ", cut at " << cut;
  }
}

TEST(Crc, GuardPagesAndZeroBytes) {
  Guarded region(4096);
  Bytes random = randomBytes(region.size(), 79);
  memcpy(region.begin(), random.data(), random.size());
  for (bool reflected : {false, true}) {
    memlift_crc_poly t = make(32, reflected, reflected ? 0xedb88320 : 0x04c11db7);
    for (size_t n = 0; n < 100; ++n) {
      ASSERT_EQ(memlift_crc(1, region.begin(), n, &t), shiftRegister(1, region.begin(), n, t));
      const unsigned char *from = region.end() - n;
      ASSERT_EQ(memlift_crc(1, from, n, &t), shiftRegister(1, from, n, t));
    }
    EXPECT_EQ(memlift_crc(77, nullptr, 0, &t), 77u);
  }
}

unsigned char big[10000];
memlift_crc_poly shared;

TEST(Crc, StackIsBounded) {
  if (sanitized)
    GTEST_SKIP() << "sanitizers add frames of their own and do not follow a switched stack";
  size_t empty = stackUsed([] {});
  size_t used = stackUsed([] {
    shared.width = 32, shared.reflected = 1, shared.poly = 0xedb88320;
    memlift_crc_init(&shared);
    shared.poly ^= memlift_crc(1, big, sizeof big, &shared) & 1;
  });
  EXPECT_LT(used - empty, 1024u);
}

#if defined(MEMLIFT_TEST_ZLIB)
TEST(Crc, Crc32IsZlibs) {
  memlift_crc_poly t = make(32, true, 0xedb88320);
  Bytes bytes = randomBytes(3 << 20, testSeed());
  std::mt19937_64 random(testSeed());
  for (int i = 0; i < 200; ++i) {
    size_t at = random() % 64, n = random() % (i < 190 ? 3000 : (3 << 20) - 64);
    uint64_t ours = memlift_crc(0xffffffff, &bytes[at], n, &t) ^ 0xffffffff;
    ASSERT_EQ(ours, crc32(0, &bytes[at], static_cast<uInt>(n)))
        << "n " << n << ", MEMLIFT_TEST_SEED=" << testSeed();
  }
}
#endif

} // namespace
