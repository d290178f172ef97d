// modsum_test.cpp - sums modulo m against loops that reduce at each word, at every level
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Defends that putting the reduction off changes no result: neither its class modulo m, nor which
// number of the class it is, nor a start value that no word was added to.

#include "references.h"
#include "support.h"

#if defined(MEMLIFT_TEST_ZLIB)
#include <zlib.h>
#endif

namespace {

constexpr size_t MaxLength = 400;
constexpr uint64_t Two32 = uint64_t(1) << 32;

class Modsum : public AtLevel {};
AT_EVERY_LEVEL(Modsum);

struct Operation {
  const char *name;
  size_t bytes;
  uint64_t (*ours)(const void *, size_t, uint64_t, uint64_t, uint32_t);
  uint64_t (*plain)(const void *, size_t, uint64_t, uint64_t, uint32_t);
};

const Operation operations[] = {
    {"u8", 1, memlift_modsum_u8, plainModsum<uint8_t>},
    {"u16", 2, memlift_modsum_u16, plainModsum<uint16_t>},
    {"u32", 4, memlift_modsum_u32, plainModsum<uint32_t>},
    {"swap_u16", 2, memlift_modsum_swap_u16, plainModsum<uint16_t, true>},
    {"swap_u32", 4, memlift_modsum_swap_u32, plainModsum<uint32_t, true>},
};

const uint64_t moduli[] = {2,     3,          255,        256,        65521, 65535,
                           65536, 0x7fffffff, 0xfffffffb, 0xffffffff, Two32};
const uint64_t starts[] = {0, 1, 254 | 255 * Two32, 65535 | 65535 * Two32, ~uint64_t(0)};

// Every number of `how`, but for a fold of 2^32, which has no room.
template <typename Check> void forEachWay(Check check) {
  for (const Operation &op : operations)
    for (uint64_t m : moduli)
      for (uint32_t how = 0; how < 8; ++how)
        if (m < Two32 || !(how & MEMLIFT_MODSUM_FOLD))
          check(op, m, how);
}

TEST_P(Modsum, EveryLengthAndStart) {
  Bytes bytes = randomBytes(MaxLength + 64, 61);
  size_t at = 0;
  forEachWay([&](const Operation &op, uint64_t m, uint32_t how) {
    for (size_t n = 0; n <= MaxLength; n += n < 20 ? 1 : 7, at = (at + 5) % 64)
      for (uint64_t start : starts)
        ASSERT_EQ(op.ours(&bytes[at], n, start, m, how), op.plain(&bytes[at], n, start, m, how))
            << op.name << ", n " << n << ", m " << m << ", how " << how << ", start " << start;
  });
}

// Zeros stay zero, multiples of m do not become it, and all ones overflow nothing.
TEST_P(Modsum, ExtremesOverManyBlocks) {
  for (unsigned char value : {0x00, 0x01, 0xff}) {
    Bytes bytes((slow ? 20000 : 100000) + 9, value);
    forEachWay([&](const Operation &op, uint64_t m, uint32_t how) {
      if (m != 255 && m != 65521 && m != 0xffffffff && m != Two32)
        return;
      for (uint64_t start : {uint64_t(0), ~uint64_t(0)})
        ASSERT_EQ(op.ours(&bytes[1], bytes.size() - 1, start, m, how),
                  op.plain(&bytes[1], bytes.size() - 1, start, m, how))
            << op.name << ", m " << m << ", how " << how << ", bytes " << unsigned(value);
    });
  }
}

TEST_P(Modsum, RandomLengths) {
  Bytes bytes = randomBytes(1 << 16, testSeed());
  std::mt19937_64 random(testSeed());
  forEachWay([&](const Operation &op, uint64_t, uint32_t how) {
    size_t at = random() % 4096, n = random() % (bytes.size() - at);
    uint64_t m = 2 + (random() >> (32 + random() % 31)), start = random();
    ASSERT_EQ(op.ours(&bytes[at], n, start, m, how), op.plain(&bytes[at], n, start, m, how))
        << op.name << ", n " << n << ", at " << at << ", m " << m << ", how " << how
        << ", MEMLIFT_TEST_SEED=" << testSeed();
  });
}

// Flush with the first or the last page that is mapped; a remainder is not even read.
TEST_P(Modsum, GuardPages) {
  Guarded region(20000);
  Bytes random = randomBytes(region.size(), 67);
  memcpy(region.begin(), random.data(), random.size());
  for (const Operation &op : operations)
    for (size_t n = 0; n < 20000; n += n < 300 ? 1 : 1021) {
      ASSERT_EQ(op.ours(region.begin(), n, 1, 65521, 0), op.plain(region.begin(), n, 1, 65521, 0));
      size_t whole = n / op.bytes * op.bytes;
      const unsigned char *from = region.end() - whole;
      ASSERT_EQ(op.ours(from, whole + op.bytes - 1, 1, 65521, 0),
                op.plain(from, whole, 1, 65521, 0))
          << op.name << " " << whole << " and a remainder";
    }
}

TEST_P(Modsum, NoBytesTouchNothingAndKeepTheStart) {
  for (const Operation &op : operations) {
    ASSERT_EQ(op.ours(nullptr, 0, ~uint64_t(0), 2, 0), ~uint64_t(0)) << op.name;
    ASSERT_EQ(op.ours(nullptr, 0, ~uint64_t(0), 2, MEMLIFT_MODSUM_FIRST), 0xffffffffu) << op.name;
  }
}

TEST_P(Modsum, PartsMakeTheWhole) {
  Bytes bytes = randomBytes(3000, 71);
  forEachWay([&](const Operation &op, uint64_t m, uint32_t how) {
    if (how & MEMLIFT_MODSUM_FIRST)
      return;
    const uint64_t whole = op.ours(bytes.data(), 3000, 5, m, how);
    for (size_t cut = 0; cut <= 3000; cut += 4 * 53)
      ASSERT_EQ(op.ours(&bytes[cut], 3000 - cut, op.ours(bytes.data(), cut, 5, m, how), m, how),
                whole)
          << op.name << ", m " << m << ", how " << how << ", cut at " << cut;
  });
}

#if defined(__x86_64__)
// Those that no level uses here as well, up to the largest input and the largest lanes.
TEST(Pairs, KernelsAgree) {
  std::vector<memlift_pair_fn *> kernels = {memlift_pair_x86_sse2};
  if (memlift_best_level() >= MEMLIFT_LEVEL_AVX2)
    kernels.push_back(memlift_pair_x86_avx2);
  if (memlift_best_level() >= MEMLIFT_LEVEL_AVX512)
    kernels.push_back(memlift_pair_x86_avx512);
  if (memlift_best_level() >= MEMLIFT_LEVEL_AVX512 && memlift_has_vnni())
    kernels.push_back(memlift_pair_x86_vnni);
  Bytes random = randomBytes(32768 + 64, testSeed()), ones(32768 + 64, 0xff);
  for (const Bytes *bytes : {&random, &ones})
    for (size_t n = 0; n <= 32768; n += n < 1100 ? 1 : n < 32000 ? 509 : 1) {
      const unsigned char *p = &(*bytes)[n * 5 % 64];
      memlift_pair expected = memlift_pair_generic(p, n);
      for (size_t k = 0; k < kernels.size(); ++k) {
        memlift_pair got = kernels[k](p, n);
        ASSERT_EQ(got.sum, expected.sum) << "kernel " << k << ", n " << n;
        ASSERT_EQ(got.weighted, expected.weighted) << "kernel " << k << ", n " << n;
      }
    }
}
#endif

#if defined(MEMLIFT_TEST_ZLIB)
TEST_P(Modsum, AgreesWithZlib) {
  Bytes bytes = randomBytes(100000, 73);
  for (size_t n : {size_t(0), size_t(1), size_t(5552), size_t(99999)}) {
    uint64_t sums = memlift_modsum_u8(bytes.data(), n, 1, 65521, 0);
    ASSERT_EQ((sums >> 32) << 16 | (sums & 0xffff), adler32(1, bytes.data(), unsigned(n)));
  }
}
#endif

} // namespace
