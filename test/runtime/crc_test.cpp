// crc_test.cpp - CRCs of every width and direction against the shift register, bit by bit
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Check values are those of "123456789" in the Catalogue of parametrised CRC algorithms (reveng).

#include "kernels/kernels.h"
#if defined(__aarch64__)
#include "kernels/aarch64/features_aarch64.h"
#elif defined(__riscv)
#include "kernels/riscv64/features_riscv64.h"
#endif
#include "references.h"
#include "stack.h"
#include "support.h"

#if defined(MEMLIFT_TEST_ZLIB)
#include <zlib.h>
#endif
#if defined(MEMLIFT_TEST_IDIOMS)
#include "idioms/algebra/crc.h"
#endif

namespace {

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

struct Kernel {
  const char *name;
  memlift_crc_fn *run;
};

// All that this machine can run, whichever of them memlift_crc has chosen.
std::vector<Kernel> kernels() {
  std::vector<Kernel> list = {{"generic", memlift_crc_generic}};
#if defined(__x86_64__)
  unsigned bits = memlift_clmul_bits();
  if (bits >= 128)
    list.push_back({"clmul128", memlift_crc_x86_clmul128});
  if (bits >= 256)
    list.push_back({"clmul256", memlift_crc_x86_clmul256});
  if (bits >= 512)
    list.push_back({"fused", memlift_crc_x86_fused});
#elif defined(__aarch64__) && MEMLIFT_HAVE_MACHINE_KERNELS
  unsigned features = memlift_aarch64_features();
  if (features & MEMLIFT_AARCH64_CRC32)
    list.push_back({"crc32", memlift_crc_aarch64_crc32});
  if (features & MEMLIFT_AARCH64_PMULL)
    list.push_back({"pmull", memlift_crc_aarch64_pmull});
  if (features == (MEMLIFT_AARCH64_CRC32 | MEMLIFT_AARCH64_PMULL))
    list.push_back({"both", memlift_crc_aarch64_both});
#elif defined(__riscv) && MEMLIFT_HAVE_MACHINE_KERNELS
  if (memlift_riscv64_features().has & MEMLIFT_RISCV64_ZBC)
    list.push_back({"zbc", memlift_crc_riscv64_zbc});
#endif
  return list;
}

class CrcKernel : public testing::TestWithParam<Kernel> {
protected:
  memlift_crc_fn *run = GetParam().run;
};

INSTANTIATE_TEST_SUITE_P(Every, CrcKernel, testing::ValuesIn(kernels()),
                         [](const auto &info) { return std::string(info.param.name); });

// Past four vectors of the widest kernel, with every remainder after them.
TEST_P(CrcKernel, EveryLengthAndAlignment) {
  Bytes bytes = randomBytes(900, 71);
  for (const Known &k : knowns) {
    memlift_crc_poly t = make(k.width, k.reflected, k.poly);
    for (size_t at = 0; at < 8; ++at) {
      uint64_t expected = k.init; // continued by one byte each iteration
      for (size_t n = 0; n <= 800; ++n) {
        ASSERT_EQ(run(k.init, &bytes[at], n, &t), expected)
            << k.name << ", n " << n << ", alignment " << at;
        expected = shiftRegister(expected, &bytes[at + n], 1, t);
      }
    }
  }
}

// Every width, both directions, random polynomials and registers.
TEST_P(CrcKernel, EveryWidthAgainstTheShiftRegister) {
  std::mt19937_64 random(testSeed());
  Bytes bytes = randomBytes(600, testSeed());
  for (uint32_t width = 8; width <= 64; ++width)
    for (int round = 0; round < (width <= 17 ? 12 : 4); ++round) {
      const uint64_t mask = ~uint64_t(0) >> (64 - width);
      memlift_crc_poly t = make(width, round & 1, random() & mask);
      uint64_t init = random() & mask;
      size_t at = random() % 16, n = random() % (round & 2 ? 580 : 40);
      ASSERT_EQ(run(init, &bytes[at], n, &t), shiftRegister(init, &bytes[at], n, t))
          << "width " << width << ", reflected " << (round & 1) << ", polynomial " << std::hex
          << t.poly << ", MEMLIFT_TEST_SEED=" << std::dec << testSeed();
    }
}

uint64_t reversed(uint64_t x) {
  uint64_t y = 0;
  for (int bit = 0; bit < 64; ++bit)
    y |= (x >> bit & 1) << (63 - bit);
  return y;
}

// x to the power k modulo x^64 + g
uint64_t power(unsigned k, uint64_t g) {
  uint64_t a = 1;
  for (; k; --k)
    a = a << 1 ^ (a >> 63 ? g : 0);
  return a;
}

// The product of x^64 + a and x^64 + b without x^128, its upper 64 bits.
uint64_t upperOfProduct(uint64_t a, uint64_t b) {
  uint64_t upper = a ^ b;
  for (int i = 1; i < 64; ++i)
    upper ^= a >> i & 1 ? b >> (64 - i) : 0;
  return upper;
}

TEST(Crc, FoldIsWhatTheHeaderSays) {
  const unsigned distance[] = {2048, 1536, 1024, 512, 384, 256, 128};
  for (const Known &k : knowns) {
    memlift_crc_poly t = make(k.width, k.reflected, k.poly);
    auto word = [&](uint64_t x) { return k.reflected ? reversed(x) : x; };
    uint64_t g = k.reflected ? reversed(k.poly) : k.poly << (64 - k.width);
    for (int row = 0; row < 7; ++row) {
      unsigned d = distance[row];
      EXPECT_EQ(t.fold[row][0], word(power(k.reflected ? d + 63 : d, g))) << k.name << d;
      EXPECT_EQ(t.fold[row][1], word(power(k.reflected ? d - 1 : d + 64, g))) << k.name << d;
    }
    memlift_crc_poly plain = make(64, false, g);
    EXPECT_EQ(plain.fold[7][1], g) << k.name;
    // Quotient times divisor is x^128 but for a rest of fewer than 64 bits.
    EXPECT_EQ(upperOfProduct(plain.fold[7][0], g), 0u) << k.name;
    for (int i = 0; i < 2; ++i) {
      uint64_t shifted = reversed(plain.fold[7][i]) << 1 | 1;
      EXPECT_EQ(t.fold[7][i], k.reflected ? shifted : plain.fold[7][i]) << k.name;
    }
  }
}

// Tables are as the header defines them, so that a compiler may emit them.
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

#if defined(MEMLIFT_TEST_IDIOMS)
// The constant that a plugin emits is what memlift_crc_init would have made.
TEST(Crc, CompilersEmitTheSame) {
  for (const Known &k : knowns) {
    memlift_crc_poly t = make(k.width, k.reflected, k.poly);
    std::vector<uint64_t> words = memlift::crcTables({k.width, k.reflected, k.poly});
    ASSERT_EQ(words.size() * 8, sizeof t - offsetof(memlift_crc_poly, fold));
    EXPECT_EQ(memcmp(words.data(), t.fold, words.size() * 8), 0) << k.name;
  }
}
#endif

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
      ASSERT_EQ(memlift_crc(memlift_crc(k.init, bytes.data(), cut, &t), bytes.data() + cut,
                            200 - cut, &t),
                whole)
          << k.name << ", cut at " << cut;
  }
}

// Lengths that no memory has: zeros in two steps are zeros in one.
TEST(Crc, CombinesOverAnyLength) {
  std::mt19937_64 random(testSeed());
  for (const Known &k : knowns) {
    memlift_crc_poly t = make(k.width, k.reflected, k.poly);
    const uint64_t state = random() >> (64 - k.width);
    ASSERT_EQ(memlift_crc_combine(state, 0, 0, &t), state) << k.name;
    for (int i = 0; i < 20; ++i) {
      size_t a = random() >> (1 + random() % 60), b = random() >> (1 + random() % 60);
      ASSERT_EQ(memlift_crc_combine(memlift_crc_combine(state, 0, a, &t), 0, b, &t),
                memlift_crc_combine(state, 0, a + b, &t))
          << k.name << ", " << a << " and " << b << ", MEMLIFT_TEST_SEED=" << testSeed();
    }
  }
}

TEST_P(CrcKernel, GuardPagesAndZeroBytes) {
  Guarded region(4096);
  Bytes random = randomBytes(region.size(), 79);
  memcpy(region.begin(), random.data(), random.size());
  for (bool reflected : {false, true}) {
    memlift_crc_poly t = make(32, reflected, reflected ? 0xedb88320 : 0x04c11db7);
    for (size_t n = 0; n < 700; ++n) {
      ASSERT_EQ(run(1, region.begin(), n, &t), shiftRegister(1, region.begin(), n, t));
      const unsigned char *from = region.end() - n;
      ASSERT_EQ(run(1, from, n, &t), shiftRegister(1, from, n, t));
    }
    EXPECT_EQ(run(77, nullptr, 0, &t), 77u);
  }
}

// Long enough for every loop to run; parts of any size give the same.
TEST_P(CrcKernel, LongInputsArePartsOfPseudoRandomSize) {
  Bytes bytes = randomBytes(1 << 20, 83);
  std::mt19937_64 random(testSeed());
  for (const Known &k : knowns) {
    memlift_crc_poly t = make(k.width, k.reflected, k.poly);
    uint64_t state = k.init;
    for (size_t at = 0, n; at < bytes.size(); at += n) {
      n = std::min<size_t>(random() % (random() & 1 ? 70 : 9000), bytes.size() - at);
      state = memlift_crc_generic(state, &bytes[at], n, &t);
    }
    EXPECT_EQ(run(k.init, bytes.data(), bytes.size(), &t), state) << k.name;
  }
}

// Long CRC-32Cs begin with what lies before a line, and are cut into blocks: where they are, and on
// both sides of the lengths that they are cut at.
TEST_P(CrcKernel, LongCrc32csAtEveryAlignment) {
  Bytes bytes = randomBytes(65700, 101);
  memlift_crc_poly t = make(32, 1, 0x82f63b78);
  for (size_t at = 0; at < 64; ++at)
    for (size_t n : {3839, 3840, 16127 + 64, 16128 + 64, 16400, 65280 + 63, 65280 + 64, 65536}) {
      uint64_t expected = memlift_crc_generic(0x12345678, &bytes[at], n, &t);
      ASSERT_EQ(run(0x12345678, &bytes[at], n, &t), expected) << "alignment " << at << ", n " << n;
    }
}

// ---- polynomials that are known at run time only ----

using Any = uint64_t(uint64_t, const void *, size_t, uint64_t, uint32_t, uint32_t);

uint64_t anyGeneric(uint64_t state, const void *p, size_t n, uint64_t poly, uint32_t width,
                    uint32_t reflected) {
  return memlift_crc_any_generic(state, p, n, poly, width, int(reflected));
}

Any *const anyOnes[] = {memlift_crc_any, anyGeneric};

TEST(CrcAny, EveryLengthAndAlignment) {
  Bytes bytes = randomBytes(900, 89);
  for (Any *run : anyOnes)
    for (const Known &k : knowns) {
      memlift_crc_poly t = make(k.width, k.reflected, k.poly);
      for (size_t at = 0; at < 4; ++at) {
        uint64_t expected = k.init;
        for (size_t n = 0; n <= 700; ++n) {
          ASSERT_EQ(run(k.init, &bytes[at], n, k.poly, k.width, k.reflected), expected)
              << k.name << ", n " << n << ", alignment " << at;
          expected = shiftRegister(expected, &bytes[at + n], 1, t);
        }
      }
    }
}

// Also those that no CRC has: 0, 1, all ones, without x^0.
TEST(CrcAny, EveryWidthAndPolynomial) {
  std::mt19937_64 random(testSeed());
  Bytes bytes = randomBytes(6000, testSeed());
  for (uint32_t width = 8; width <= 64; ++width)
    for (int round = 0; round < 24; ++round) {
      const uint64_t mask = ~uint64_t(0) >> (64 - width);
      const uint64_t special[] = {0, 1, mask, mask - 1, uint64_t(1) << (width - 1), mask >> 1};
      memlift_crc_poly t = {};
      t.width = width, t.reflected = round & 1;
      t.poly = round < 12 ? special[round / 2] : random() & mask;
      uint64_t init = random() & mask;
      size_t at = random() % 16, n = random() % (round & 2 ? 5900 : 200);
      uint64_t expected = shiftRegister(init, &bytes[at], n, t);
      for (Any *run : anyOnes)
        ASSERT_EQ(run(init, &bytes[at], n, t.poly, width, t.reflected), expected)
            << "width " << width << ", reflected " << t.reflected << ", polynomial " << std::hex
            << t.poly << std::dec << ", n " << n << ", MEMLIFT_TEST_SEED=" << testSeed();
    }
}

TEST(CrcAny, ParametersOutOfRangeBecomeTheNearest) {
  EXPECT_EQ(memlift_crc_any(0, "123456789", 9, 0x107, 3, 0), 0xf4u);
  EXPECT_EQ(~memlift_crc_any(~uint64_t(0), "123456789", 9, 0xc96c5795d7870f42u, 99, 7),
            0x995dc9bbdf1939fau);
}

TEST(CrcAny, GuardPagesAndZeroBytes) {
  Guarded region(4096);
  Bytes random = randomBytes(region.size(), 97);
  memcpy(region.begin(), random.data(), random.size());
  for (Any *run : anyOnes)
    for (bool reflected : {false, true}) {
      memlift_crc_poly t = make(24, reflected, reflected ? 0xdf3261 : 0x864cfb);
      for (size_t n = 0; n < 400; ++n) {
        const unsigned char *from = region.end() - n;
        ASSERT_EQ(run(1, region.begin(), n, t.poly, 24, reflected),
                  shiftRegister(1, region.begin(), n, t));
        ASSERT_EQ(run(1, from, n, t.poly, 24, reflected), shiftRegister(1, from, n, t));
      }
      EXPECT_EQ(run(77, nullptr, 0, t.poly, 24, reflected), 77u);
    }
}

#if defined(__x86_64__)
// Constants made for one call are those of memlift_crc_init.
TEST(CrcAny, FoldIsThatOfTheWholeStruct) {
  if (memlift_clmul_bits() < 128)
    GTEST_SKIP() << "this machine has no carry-less products";
  std::mt19937_64 random(testSeed());
  for (uint32_t width = 8; width <= 64; ++width)
    for (bool reflected : {false, true})
      for (uint64_t poly : {uint64_t(0), uint64_t(1), ~uint64_t(0), uint64_t(random())}) {
        memlift_crc_poly t = make(width, reflected, poly), own = {};
        memlift_crc_fold_x86(&own, t.poly, width, reflected);
        ASSERT_EQ(memcmp(own.fold, t.fold, sizeof t.fold), 0)
            << "width " << width << ", reflected " << reflected << ", polynomial " << std::hex
            << t.poly;
      }
}
#endif

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
    for (size_t n : {40, 10000})
      shared.poly ^= memlift_crc_any(1, big, n, shared.poly, 24, 0) & 1;
    shared.poly ^= memlift_crc_any_generic(1, big, 100, 0x864cfb, 24, 0) & 1;
  });
  EXPECT_LT(used - empty, 1024u);
}

TEST(Crc, BytesFromTheLastToTheFirst) {
  memlift_crc_poly t = make(24, false, 0x00065b);
  Guarded guarded(5000);
  Bytes bytes = randomBytes(5000, testSeed());
  for (size_t n : {0, 1, 2, 3, 15, 16, 17, 64, 300, 1023, 1024, 1025, 2047, 2048, 2049, 4900})
    for (size_t gap = 0; gap < 9; ++gap) {
      unsigned char *p = guarded.end() - gap - n;
      memcpy(p, bytes.data() + gap, n);
      Bytes turned(p, p + n);
      std::reverse(turned.begin(), turned.end());
      ASSERT_EQ(memlift_crc_words(0x555555, p, n, 0, &t),
                shiftRegister(0x555555, turned.data(), n, t))
          << "n " << n << ", " << gap << " bytes before the page's end";
    }
}

#if defined(MEMLIFT_TEST_ZLIB)
TEST_P(CrcKernel, Crc32IsZlibs) {
  memlift_crc_poly t = make(32, true, 0xedb88320);
  Bytes bytes = randomBytes(3 << 20, testSeed());
  std::mt19937_64 random(testSeed());
  for (int i = 0; i < 200; ++i) {
    size_t at = random() % 64, n = random() % (i < 190 ? 3000 : (3 << 20) - 64);
    uint64_t ours = run(0xffffffff, &bytes[at], n, &t) ^ 0xffffffff;
    ASSERT_EQ(ours, crc32(0, &bytes[at], static_cast<uInt>(n)))
        << "n " << n << ", MEMLIFT_TEST_SEED=" << testSeed();
  }
}
#endif

} // namespace
