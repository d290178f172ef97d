// crc_table_test.cpp - CRCs by tables of the program's, which may hold anything, against their loop
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "folding.h"
#include "kernels/kernels.h"
#include "stack.h"
#include "support.h"

#include <array>

namespace {

// One routine as a function of entries in memory, and the loop that it replaces.
struct Size {
  unsigned bytes;
  uint64_t (*run)(uint64_t, const void *, size_t, const void *, uint32_t, uint32_t);
};

template <class Entry,
          uint64_t Run(uint64_t, const void *, size_t, const Entry *, uint32_t, uint32_t)>
uint64_t run(uint64_t c, const void *p, size_t n, const void *t, uint32_t width, uint32_t down) {
  return Run(c, p, n, static_cast<const Entry *>(t), width, down);
}

const Size sizes[] = {{1, run<uint8_t, memlift_crc_table_u8>},
                      {2, run<uint16_t, memlift_crc_table_u16>},
                      {4, run<uint32_t, memlift_crc_table_u32>},
                      {8, run<uint64_t, memlift_crc_table_u64>}};

uint64_t maskOf(unsigned width) { return ~uint64_t(0) >> (64 - width); }

using Entries = std::array<uint64_t, 256>;

uint64_t entryAt(const unsigned char *table, unsigned bytes, unsigned i) {
  uint64_t v = 0;
  memcpy(&v, table + size_t(i) * bytes, bytes);
  return v;
}

unsigned indexOf(uint64_t c, unsigned byte, unsigned width, bool reflected) {
  return unsigned((reflected ? c : c >> (width - 8)) ^ byte) & 0xff;
}

uint64_t plain(uint64_t c, const unsigned char *p, size_t n, const unsigned char *table,
               unsigned bytes, unsigned width, bool reflected) {
  for (; n; ++p, --n) {
    uint64_t entry = entryAt(table, bytes, indexOf(c, *p, width, reflected));
    c = (entry ^ (reflected ? c >> 8 : c << 8)) & maskOf(width);
  }
  return c;
}

Entries crcEntries(unsigned width, bool reflected, uint64_t poly) {
  Entries t;
  for (unsigned i = 0; i < 256; ++i) {
    uint64_t c = reflected ? i : uint64_t(i) << (width - 8);
    for (int k = 0; k < 8; ++k)
      c = reflected ? c >> 1 ^ (c & 1 ? poly : 0)
                    : (c << 1 & maskOf(width)) ^ (c >> (width - 1) ? poly : 0);
    t[i] = c;
  }
  return t;
}

Entries swapped(Entries t, unsigned width) {
  for (uint64_t &entry : t)
    entry = __builtin_bswap64(entry) >> (64 - width);
  return t;
}

Bytes inMemory(const Entries &t, unsigned bytes) {
  Bytes all(256 * size_t(bytes));
  for (size_t i = 0; i < 256; ++i)
    memcpy(&all[i * bytes], &t[i], bytes);
  return all;
}

// A table and how it is used: its entries' size, the register's width and direction.
struct Use {
  Entries table;
  Size size;
  unsigned width;
  bool reflected;
};

std::vector<Use> crcUses() {
  std::vector<Use> uses;
  for (const Size &size : sizes)
    for (unsigned width : {8u, 12u, 16u, 24u, 32u, 40u, 64u})
      for (bool reflected : {false, true}) {
        const uint64_t poly = 0xc96c5795d7870f43u & maskOf(width);
        const Entries t = crcEntries(width, reflected, poly);
        if (width <= 8 * size.bytes)
          uses.push_back({t, size, width, reflected});
        if (width % 8 == 0 && width <= 8 * size.bytes)
          uses.push_back({swapped(t, width), size, width, !reflected});
      }
  // Bits above the register, which its loop cuts off. GnuPG's generator leaves them.
  std::mt19937_64 random(testSeed());
  for (size_t k = 0, clean = uses.size(); k < clean; ++k)
    if (uses[k].width < 8 * uses[k].size.bytes) {
      uses.push_back(uses[k]);
      for (uint64_t &entry : uses.back().table)
        entry |= random() & ~maskOf(uses[k].width);
    }
  // Registers that are wider than the entries, as `unsigned crc` with a table of uint16_t.
  uses.push_back({crcEntries(16, true, 0xa001), sizes[1], 32, true});
  uses.push_back({crcEntries(32, true, 0xedb88320), sizes[2], 64, true});
  return uses;
}

// Lets another table be the last one that failed, as that is not tested again.
void forgetFailed(const Size &size) {
  static const Bytes none(256 * 8), zeros(300);
  size.run(1, zeros.data(), zeros.size(), none.data(), 8, 1);
}

void expectSame(const Use &use, const Bytes &table, const unsigned char *p, size_t n,
                uint64_t init) {
  forgetFailed(use.size);
  ASSERT_EQ(use.size.run(init, p, n, table.data(), use.width, use.reflected),
            plain(init, p, n, table.data(), use.size.bytes, use.width, use.reflected))
      << "entries of " << use.size.bytes << ", width " << use.width << ", reflected "
      << use.reflected << ", n " << n << ", MEMLIFT_TEST_SEED=" << testSeed();
}

TEST(CrcTable, EveryLengthAndAlignment) {
  const Bytes bytes = randomBytes(700, testSeed());
  for (const Use &use : crcUses()) {
    const Bytes table = inMemory(use.table, use.size.bytes);
    for (size_t at = 0; at < 3; ++at)
      for (size_t n = 0; n <= 400; n += n < 130 ? 1 : 17)
        expectSame(use, table, &bytes[at], n, 0x123456789abcdefu & maskOf(use.width));
  }
}

// A table that is wrong in one bit of one entry is another function.
TEST(CrcTable, OneWrongBitInAnyEntry) {
  std::mt19937_64 random(testSeed());
  Bytes bytes = randomBytes(600, testSeed());
  for (unsigned i = 0; i < 256; ++i) // each entry is looked up
    bytes[i] = static_cast<unsigned char>(i);
  for (const Use &use : crcUses()) {
    const Bytes right = inMemory(use.table, use.size.bytes);
    for (unsigned entry = 0; entry < 256; ++entry) {
      Bytes table = right;
      const unsigned bit = unsigned(random() % (8 * use.size.bytes));
      table[entry * use.size.bytes + bit / 8] ^= static_cast<unsigned char>(1 << bit % 8);
      expectSame(use, table, bytes.data(), bytes.size(), random() & maskOf(use.width));
    }
  }
}

TEST(CrcTable, AnyPolynomialAndTablesOfNone) {
  std::mt19937_64 random(testSeed());
  const Bytes bytes = randomBytes(3000, testSeed());
  for (int round = 0; round < 1500; ++round) {
    const Size &size = sizes[random() % 4];
    const unsigned width = 8 + unsigned(random() % 57);
    const bool reflected = random() & 1;
    const uint64_t special[] = {0, 1, maskOf(width), uint64_t(1) << (width - 1), random()};
    Use use = {crcEntries(width, reflected, special[random() % 5] & maskOf(width)), size, width,
               reflected};
    if (random() % 4 == 0) // linear, and of no polynomial
      for (unsigned i = 0; i < 256; ++i)
        use.table[i] ^= i & 4 ? 0x55 : 0;
    if (random() % 8 == 0)
      for (uint64_t &entry : use.table)
        entry = random() % 8 ? random() : 0;
    if (random() % 8 == 0)
      use.table[0] = 1; // affine
    const size_t at = random() % 16;
    expectSame(use, inMemory(use.table, size.bytes), &bytes[at], random() % (bytes.size() - at),
               random() & maskOf(width));
  }
}

// Bytes for which only entries of `first` .. `last` are looked up.
Bytes bytesFor(size_t n, unsigned first, unsigned last, const unsigned char *table, const Use &use,
               uint64_t init) {
  Bytes bytes;
  for (uint64_t c = init; bytes.size() < n;) {
    const unsigned index = first + unsigned(bytes.size() * 37) % (last - first + 1);
    const unsigned own = indexOf(c, 0, use.width, use.reflected);
    bytes.push_back(static_cast<unsigned char>(own ^ index));
    c = plain(c, &bytes.back(), 1, table, use.size.bytes, use.width, use.reflected);
  }
  return bytes;
}

// Entries in a page that the loop does not read need not exist.
TEST(CrcTable, ReadsNoPageThatTheLoopDoesNot) {
  for (const Use &use : crcUses()) {
    Guarded region(4096);
    const Bytes table = inMemory(use.table, use.size.bytes);
    const uint64_t init = 1;
    for (unsigned there : {1u, 2u, 100u, 128u, 255u}) {
      // The first entries at the end of the region.
      const size_t bytes = size_t(there) * use.size.bytes;
      memcpy(region.end() - bytes, table.data(), bytes);
      Bytes from = bytesFor(500, 0, there - 1, table.data(), use, init);
      ASSERT_EQ(
          use.size.run(init, from.data(), 500, region.end() - bytes, use.width, use.reflected),
          plain(init, from.data(), 500, table.data(), use.size.bytes, use.width, use.reflected));
      // The last entries at its start.
      memcpy(region.begin(), table.data() + table.size() - bytes, bytes);
      from = bytesFor(500, 256 - there, 255, table.data(), use, init);
      ASSERT_EQ(
          use.size.run(init, from.data(), 500, region.begin() + bytes - table.size(), use.width,
                       use.reflected),
          plain(init, from.data(), 500, table.data(), use.size.bytes, use.width, use.reflected));
    }
  }
}

TEST(CrcTable, TableAcrossPages) {
  const Bytes bytes = randomBytes(300, testSeed());
  for (const Use &use : crcUses()) {
    Guarded region(3 * 4096);
    const Bytes table = inMemory(use.table, use.size.bytes);
    for (size_t before = 0; before <= table.size(); before += use.size.bytes) {
      unsigned char *at = region.begin() + 4096 - before;
      memcpy(at, table.data(), table.size());
      for (size_t n : {79u, 80u, 81u, 300u})
        ASSERT_EQ(use.size.run(1, bytes.data(), n, at, use.width, use.reflected),
                  plain(1, bytes.data(), n, at, use.size.bytes, use.width, use.reflected));
    }
  }
}

TEST(CrcTable, GuardPagesAndZeroBytes) {
  Guarded region(4096);
  const Bytes random = randomBytes(region.size(), testSeed());
  memcpy(region.begin(), random.data(), random.size());
  for (const Use &use : crcUses()) {
    const Bytes table = inMemory(use.table, use.size.bytes);
    for (size_t n = 0; n < 300; ++n) {
      expectSame(use, table, region.begin(), n, 1);
      expectSame(use, table, region.end() - n, n, 1);
    }
    EXPECT_EQ(use.size.run(77, nullptr, 0, nullptr, use.width, use.reflected), 77u);
  }
}

// The table's own bytes may be those that are summed.
TEST(CrcTable, BytesOfTheTableItself) {
  for (const Use &use : crcUses()) {
    const Bytes table = inMemory(use.table, use.size.bytes);
    for (size_t at : {0u, 1u, 100u})
      expectSame(use, table, &table[at], table.size() - at, 1);
  }
}

TEST(CrcTable, WidthsOutOfRangeBecomeTheNearest) {
  const Bytes bytes = randomBytes(200, 5);
  const Bytes eight = inMemory(crcEntries(8, false, 7), 1);
  EXPECT_EQ(sizes[0].run(1, bytes.data(), 200, eight.data(), 3, 0),
            sizes[0].run(1, bytes.data(), 200, eight.data(), 8, 0));
  const Bytes wide = inMemory(crcEntries(64, true, 0xc96c5795d7870f42u), 8);
  EXPECT_EQ(sizes[3].run(1, bytes.data(), 200, wide.data(), 99, 7),
            sizes[3].run(1, bytes.data(), 200, wide.data(), 64, 1));
}

uint64_t result;

#if defined(__x86_64__)
TEST(CrcTable, TablesOfCrcsAreFolded) {
  if (memlift_crc_kernel() == memlift_crc_generic)
    GTEST_SKIP() << "nothing is folded on this processor";
  constexpr size_t from = MEMLIFT_CRC_TABLE_U32_TEST_FROM(1);
  const Bytes bytes = randomBytes(1 << 12, 3);
  for (const Use &use : crcUses()) {
    const Bytes right = inMemory(use.table, use.size.bytes);
    Bytes wrong = right;
    wrong[0] ^= 1;
    auto folds = [&](size_t n, const Bytes &table) {
      forgetFailed(use.size);
      return foldingsOf([&] {
        result ^= use.size.run(1, bytes.data(), n, table.data(), use.width, use.reflected);
      });
    };
    SCOPED_TRACE("entries of " + std::to_string(use.size.bytes) + ", width " +
                 std::to_string(use.width) + ", reflected " + std::to_string(use.reflected));
    EXPECT_EQ(folds(from - 1, right), 0u);
    EXPECT_EQ(folds(bytes.size(), right), 1u);
    EXPECT_EQ(folds(bytes.size(), wrong), 0u);
  }
}

// Tests of what is no CRC's table would take a fifth of the time of 80 to 300 bytes.
TEST(CrcTable, NoTableFailsAgainAndAgain) {
  if (memlift_crc_kernel() == memlift_crc_generic)
    GTEST_SKIP() << "nothing is folded on this processor";
  constexpr size_t few = MEMLIFT_CRC_TABLE_U32_TEST_FROM(1) + 200, many = 64 * (few - 200);
  const Bytes bytes = randomBytes(many, 3);
  for (const Use &use : crcUses()) {
    const Bytes right = inMemory(use.table, use.size.bytes);
    Bytes table = right;
    const auto folds = [&](size_t n) {
      const uint64_t expected =
          plain(1, bytes.data(), n, table.data(), use.size.bytes, use.width, use.reflected);
      return foldingsOf([&] {
        EXPECT_EQ(use.size.run(1, bytes.data(), n, table.data(), use.width, use.reflected),
                  expected);
      });
    };
    forgetFailed(use.size);
    EXPECT_EQ(folds(few), 1u);
    table[0] ^= 1;
    EXPECT_EQ(folds(few), 0u);
    EXPECT_EQ(folds(many), 0u);
    table = right; // in the same place
    EXPECT_EQ(folds(few), 0u) << "the table that has just failed is tested again";
    EXPECT_EQ(folds(many - 1), 0u);
    EXPECT_EQ(folds(many), 1u) << "a table that was filled since stays unknown";
    EXPECT_EQ(folds(few), 1u) << "a table that has passed is not forgotten";
  }
}
#endif

const uint32_t *sharedTable;
unsigned char big[10000];

TEST(CrcTable, StackIsBounded) {
  if (sanitized)
    GTEST_SKIP() << "sanitizers add frames of their own and do not follow a switched stack";
  const Bytes table = inMemory(crcEntries(32, true, 0xedb88320), 4);
  sharedTable = reinterpret_cast<const uint32_t *>(table.data());
  size_t empty = stackUsed([] {});
  size_t used = stackUsed([] {
    result = memlift_crc_table_u32(1, big, sizeof big, sharedTable, 32, 1);
    result ^= memlift_crc_table_u32(1, big, 100, sharedTable, 32, 1);
  });
  EXPECT_LT(used - empty, 1024u);
}

} // namespace
