// crc_slices_test.cpp - CRCs by several tables, which may hold anything, against their loop
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "folding.h"
#include "kernels/kernels.h"
#include "stack.h"
#include "support.h"

namespace {

unsigned topOf(uint64_t c, unsigned width, bool reflected) {
  return unsigned(reflected ? c : c >> (width - 8)) & 0xff;
}

uint64_t moved(uint64_t c, unsigned width, bool reflected) {
  return reflected ? c >> 8 : c << 8 & ~uint64_t(0) >> (64 - width);
}

// Tables and how they are used. Entries have the width of the register.
struct Use {
  unsigned width, slices;
  bool reflected;
  std::vector<uint64_t> entries;

  size_t size() const { return 256 * slices * (width / 8); }
  Bytes inMemory() const {
    Bytes all(size());
    for (size_t i = 0; i < entries.size(); ++i)
      memcpy(&all[i * (width / 8)], &entries[i], width / 8);
    return all;
  }
  uint64_t run(uint64_t c, const unsigned char *p, size_t n, const unsigned char *t) const {
    const void *tables = t;
    if (width == 16)
      return memlift_crc_slices_u16(c, p, n, static_cast<const uint16_t *>(tables), slices,
                                    reflected);
    if (width == 32)
      return memlift_crc_slices_u32(c, p, n, static_cast<const uint32_t *>(tables), slices,
                                    reflected);
    return memlift_crc_slices_u64(c, p, n, static_cast<const uint64_t *>(tables), slices,
                                  reflected);
  }
  uint64_t plain(uint64_t c, const unsigned char *p, size_t n) const {
    for (; n >= slices; n -= slices) {
      uint64_t next = 0;
      for (unsigned k = 0; k < slices; ++k, ++p) {
        next ^= entries[256 * (slices - 1 - k) + (topOf(c, width, reflected) ^ *p)];
        c = moved(c, width, reflected);
      }
      c ^= next;
    }
    return c;
  }
};

// `swapped`: the bytes of each entry in the other order, with bits leaving at the other end.
Use crcUse(unsigned width, unsigned slices, bool reflected, uint64_t poly, bool swapped = false) {
  Use use = {width, slices, reflected, std::vector<uint64_t>(256 * slices)};
  const uint64_t mask = ~uint64_t(0) >> (64 - width);
  const bool down = reflected != swapped;
  poly &= mask;
  for (unsigned i = 0; i < 256; ++i) {
    uint64_t c = down ? i : uint64_t(i) << (width - 8);
    for (int k = 0; k < 8; ++k)
      c = down ? c >> 1 ^ (c & 1 ? poly : 0) : (c << 1 & mask) ^ (c >> (width - 1) ? poly : 0);
    use.entries[i] = swapped ? __builtin_bswap64(c) >> (64 - width) : c;
  }
  for (unsigned i = 256; i < 256 * slices; ++i) {
    const uint64_t c = use.entries[i - 256];
    use.entries[i] = use.entries[topOf(c, width, reflected)] ^ moved(c, width, reflected);
  }
  return use;
}

std::vector<Use> crcUses() {
  std::vector<Use> uses;
  for (unsigned width : {16u, 32u, 64u})
    for (unsigned slices : {1u, 2u, 3u, 4u, 7u, 8u, 12u, 16u})
      for (bool reflected : {false, true})
        for (bool swapped : {false, true})
          uses.push_back(crcUse(width, slices, reflected, 0xc96c5795d7870f43u, swapped));
  return uses;
}

// Lets another table be the last one that failed, as that is not tested again.
void forgetFailed(const Use &use) {
  static const Bytes none(256 * 8), zeros(1000);
  Use other = use;
  other.slices = 1;
  other.run(1, zeros.data(), zeros.size(), none.data());
}

void expectSame(const Use &use, const unsigned char *table, const unsigned char *p, size_t n,
                uint64_t init) {
  init &= ~uint64_t(0) >> (64 - use.width);
  forgetFailed(use);
  ASSERT_EQ(use.run(init, p, n, table), use.plain(init, p, n))
      << use.slices << " tables, width " << use.width << ", reflected " << use.reflected << ", n "
      << n << ", MEMLIFT_TEST_SEED=" << testSeed();
}

TEST(CrcSlices, LengthsAndAlignments) {
  const Bytes bytes = randomBytes(9000, testSeed());
  for (const Use &use : crcUses()) {
    const Bytes table = use.inMemory();
    for (size_t at = 0; at < 3; ++at)
      for (size_t n = 0; n <= 8900; n += n < 70 ? 1 : 441)
        expectSame(use, table.data(), &bytes[at], n, 0x123456789abcdefu);
  }
}

// Tables that are wrong in one bit of one entry are another function. The bytes look each entry up.
TEST(CrcSlices, OneWrongBit) {
  std::mt19937_64 random(testSeed());
  const Bytes bytes = randomBytes(16 * 1024, testSeed());
  for (const Use &right : crcUses())
    for (unsigned round = 0; round < 4 * right.slices; ++round) {
      Use use = right;
      const size_t entry = round < right.slices ? 256 * round + 255 : random() % use.entries.size();
      use.entries[entry] ^= uint64_t(1) << random() % use.width;
      expectSame(use, use.inMemory().data(), bytes.data(), bytes.size(), random());
    }
}

TEST(CrcSlices, TablesOfNone) {
  std::mt19937_64 random(testSeed());
  const Bytes bytes = randomBytes(9000, testSeed());
  for (int round = 0; round < 1200; ++round) {
    const unsigned width = 16u << random() % 3, slices = 1 + unsigned(random() % 16);
    const uint64_t special[] = {0, 1, ~uint64_t(0), uint64_t(1) << (width - 1), random()};
    Use use = crcUse(width, slices, random() & 1, special[random() % 5]);
    const Use other = crcUse(width, slices, use.reflected, random());
    const uint64_t mask = ~uint64_t(0) >> (64 - width);
    const size_t which = random() % slices;
    for (size_t i = 0; i < 256; ++i) {
      uint64_t &entry = use.entries[256 * which + i];
      switch (round % 6) {
      case 0: entry = other.entries[256 * which + i]; break; // of another CRC
      case 1: entry = use.entries[i]; break;                 // too early
      case 2: entry ^= i & 4 ? 0x55 : 0; break;              // linear, and of no CRC
      case 3: entry ^= 1; break;                             // affine
      case 4: entry = random() & mask; break;
      }
    }
    const size_t at = random() % 16;
    expectSame(use, use.inMemory().data(), &bytes[at], random() % (bytes.size() - at), random());
  }
}

// Bytes for which the first table is looked up from `there` entries before its end, and the last
// one in so many entries from its begin.
Bytes bytesFor(size_t n, const Use &use, unsigned there, bool last) {
  Bytes bytes(n);
  uint64_t c = 1;
  for (size_t i = 0; i + use.slices <= n; i += use.slices) {
    uint64_t left = c;
    for (unsigned k = 0; k < use.slices; ++k) {
      bool limited = last ? k == 0 : k + 1 == use.slices;
      unsigned index = unsigned(i * 37 + k) % (limited ? there : 256);
      if (limited && !last)
        index += 256 - there;
      bytes[i + k] = static_cast<unsigned char>(topOf(left, use.width, use.reflected) ^ index);
      left = moved(left, use.width, use.reflected);
    }
    c = use.plain(c, &bytes[i], use.slices);
  }
  return bytes;
}

// Entries in a page that the loop does not read need not exist.
TEST(CrcSlices, ReadsNoPageThatTheLoopDoesNot) {
  for (const Use &use : crcUses()) {
    Guarded region((use.size() / 4096 + 2) * 4096);
    const Bytes table = use.inMemory();
    const unsigned entry = use.width / 8;
    for (unsigned there : {1u, 2u, 100u, 255u}) {
      // The tables end in a page that is not there, and begin in one.
      const size_t gone = size_t(256 - there) * entry;
      unsigned char *end = region.end() - (table.size() - gone);
      memcpy(end, table.data(), table.size() - gone);
      Bytes from = bytesFor(9000, use, there, true);
      expectSame(use, end, from.data(), from.size(), 1);
      unsigned char *begin = region.begin() - gone;
      memcpy(region.begin(), table.data() + gone, table.size() - gone);
      from = bytesFor(9000, use, there, false);
      expectSame(use, begin, from.data(), from.size(), 1);
    }
  }
}

TEST(CrcSlices, TablesAcrossPages) {
  const Bytes bytes = randomBytes(9000, testSeed());
  for (const Use &use : crcUses()) {
    Guarded region((use.size() / 4096 + 3) * 4096);
    const Bytes table = use.inMemory();
    for (size_t before = 0; before <= 4096; before += before < 64 ? use.width / 8 : 504) {
      unsigned char *at = region.begin() + 4096 - before;
      memcpy(at, table.data(), table.size());
      for (size_t n : {3000u, 9000u})
        expectSame(use, at, bytes.data(), n, 1);
    }
  }
}

TEST(CrcSlices, GuardPagesAndNothing) {
  Guarded region(2 * 4096);
  const Bytes random = randomBytes(region.size(), testSeed());
  memcpy(region.begin(), random.data(), random.size());
  for (const Use &use : crcUses()) {
    const Bytes table = use.inMemory();
    for (size_t n : {0u, 1u, 15u, 16u, 17u, 1024u, 2560u, 4608u, 8191u, 8192u}) {
      expectSame(use, table.data(), region.begin(), n, 1);
      expectSame(use, table.data(), region.end() - n, n, 1);
    }
    EXPECT_EQ(use.run(77, nullptr, 0, nullptr), 77u);
  }
}

TEST(CrcSlices, BytesOfTheTablesThemselves) {
  for (const Use &use : crcUses()) {
    const Bytes table = use.inMemory();
    for (size_t at : {0u, 1u, 100u})
      expectSame(use, table.data(), &table[at], table.size() - at, 1);
  }
}

uint64_t result;

#if defined(__x86_64__)
size_t testsFrom(const Use &use) {
  return use.width == 16   ? MEMLIFT_CRC_SLICES_U16_TEST_FROM(use.slices)
         : use.width == 32 ? MEMLIFT_CRC_SLICES_U32_TEST_FROM(use.slices)
                           : MEMLIFT_CRC_SLICES_U64_TEST_FROM(use.slices);
}

TEST(CrcSlices, TablesOfCrcsAreFolded) {
  if (memlift_crc_kernel() == memlift_crc_generic)
    GTEST_SKIP() << "nothing is folded on this processor";
  const Bytes bytes = randomBytes(1 << 14, 3);
  for (const Use &use : crcUses()) {
    const Bytes right = use.inMemory();
    Bytes wrong = right;
    wrong[0] ^= 1;
    auto folds = [&](size_t n, const Bytes &table) {
      forgetFailed(use);
      return foldingsOf([&] { result ^= use.run(1, bytes.data(), n, table.data()); });
    };
    SCOPED_TRACE(std::to_string(use.slices) + " tables, width " + std::to_string(use.width) +
                 ", reflected " + std::to_string(use.reflected));
    EXPECT_EQ(folds(testsFrom(use) - 1, right), 0u);
    EXPECT_EQ(folds(bytes.size(), right), 1u);
    EXPECT_EQ(folds(bytes.size(), wrong), 0u);
  }
}

TEST(CrcSlices, NoTablesFailAgainAndAgain) {
  if (memlift_crc_kernel() == memlift_crc_generic)
    GTEST_SKIP() << "nothing is folded on this processor";
  for (const Use &use : crcUses()) {
    const size_t few = testsFrom(use) + 2000, many = 64 * (testsFrom(use) + 16);
    const Bytes bytes = randomBytes(many, 3), right = use.inMemory();
    Bytes table = right;
    const auto folds = [&](size_t n) {
      return foldingsOf([&] { result ^= use.run(1, bytes.data(), n, table.data()); });
    };
    SCOPED_TRACE(std::to_string(use.slices) + " tables, width " + std::to_string(use.width));
    forgetFailed(use);
    EXPECT_EQ(folds(few), 1u);
    table[0] ^= 1;
    EXPECT_EQ(folds(few), 0u);
    table = right; // in the same place
    EXPECT_EQ(folds(few), 0u) << "tables that have just failed are tested again";
    EXPECT_EQ(folds(many), 1u) << "tables that were filled since stay unknown";
    EXPECT_EQ(folds(few), 1u) << "tables that have passed are not forgotten";
  }
}
#endif

const uint64_t *sharedTables;
unsigned char big[10000];

TEST(CrcSlices, StackIsBounded) {
  if (sanitized)
    GTEST_SKIP() << "sanitizers add frames of their own and do not follow a switched stack";
  const Bytes table = crcUse(64, 8, true, 0x95ac9329ac4bc9b5u).inMemory();
  sharedTables = reinterpret_cast<const uint64_t *>(table.data());
  size_t empty = stackUsed([] {});
  size_t used = stackUsed([] {
    result = memlift_crc_slices_u64(1, big, sizeof big, sharedTables, 8, 1);
    result ^= memlift_crc_slices_u64(1, big, 100, sharedTables, 8, 1);
  });
  EXPECT_LT(used - empty, 1536u);
}

} // namespace
