// numbers_test.cpp - every operation that makes a number: lengths, alignments, page ends, parts
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Defends that each result is that of the reference for every length to 4 KiB at every alignment,
// from every kind of start, and for random lengths to 64 MiB; that nothing beside the region is
// read; that the results for two parts make that for the whole; and that other libraries agree.

#include "operations.h"

#include <cmath>

namespace operations {
namespace {

class OfNumber : public testing::TestWithParam<const Number *> {
protected:
  const Number &op = *GetParam();
  void TearDown() override { memlift_limit_level(noLimit); }
  uint64_t start(size_t i) const { return op.starts[i % op.starts.size()]; }
};

GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(OfNumber);
INSTANTIATE_TEST_SUITE_P(Every, OfNumber, testing::ValuesIn(chosen(numbers())),
                         [](const auto &info) { return info.param->name; });

// Results of the reference for the first n bytes, for each start and length.
class Expected {
public:
  Expected(const Number &op, const Bytes &bytes, const std::vector<size_t> &lengths)
      : table(op.starts.size(), std::vector<uint64_t>(bytes.size() + 1)) {
    for (size_t s = 0; s < op.starts.size(); ++s)
      for (size_t n : lengths)
        table[s][n] = op.reference(bytes.data(), n, op.starts[s]);
  }
  uint64_t of(size_t s, size_t n) const { return table[s % table.size()][n]; }

private:
  std::vector<std::vector<uint64_t>> table;
};

TEST_P(OfNumber, EveryLengthAlignmentAndStart) {
  const Bytes bytes = randomBytes(MaxLength, 17);
  const std::vector<size_t> sizes = lengths();
  const Expected expected(op, bytes, sizes);
  alignas(64) static unsigned char memory[MaxLength + 128];
  for (const Isa &isa : isas()) {
    isa.enter();
    for (size_t at = 0; at < 64; at += isLong() ? 1 : 7) {
      memset(memory, 0xA5, sizeof memory);
      memcpy(memory + at, bytes.data(), MaxLength);
      for (size_t n : sizes)
        ASSERT_EQ(op.call(memory + at, n, start(n + at)), expected.of(n + at, n))
            << isa.name << ", n " << n << ", alignment " << at << ", start " << start(n + at);
    }
  }
}

// Flush with the first or the last page that is mapped; a remainder is not even read.
TEST_P(OfNumber, GuardPages) {
  const Bytes bytes = randomBytes(MaxLength, 19);
  const std::vector<size_t> sizes = lengths();
  const Expected expected(op, bytes, sizes);
  Guarded region(MaxLength);
  for (const Isa &isa : isas()) {
    isa.enter();
    for (size_t n : sizes) {
      memcpy(region.begin(), bytes.data(), n);
      ASSERT_EQ(op.call(region.begin(), n, start(n)), expected.of(n, n)) << isa.name << ", " << n;
      const size_t whole = n / op.word * op.word;
      unsigned char *last = region.end() - whole;
      memcpy(last, bytes.data(), whole);
      ASSERT_EQ(op.call(last, whole + op.word - 1, start(n)), expected.of(n, n))
          << isa.name << ", " << whole << " at the end of a page, and a remainder";
    }
  }
}

TEST_P(OfNumber, NoBytesTouchNothing) {
  for (const Isa &isa : isas()) {
    isa.enter();
    for (uint64_t s : op.starts)
      ASSERT_EQ(op.call(nullptr, 0, s), op.reference(nullptr, 0, s)) << isa.name << ", " << s;
  }
}

// A length, small ones as likely as large ones.
size_t anyLength(std::mt19937_64 &random, double least, double most) {
  std::uniform_real_distribution<double> exponent(std::log(least), std::log(most));
  return static_cast<size_t>(std::exp(exponent(random)));
}

struct Case {
  size_t at, n;
  uint64_t start, expected;
};

TEST_P(OfNumber, RandomLengths) {
  const size_t most = isLong() ? size_t(64) << 20 : sanitized ? 1 << 14 : 1 << 16;
  const Bytes bytes = randomBytes(most + 64, testSeed());
  std::mt19937_64 random(testSeed());
  std::vector<Case> cases;
  for (int i = 0; i < (isLong() ? 60 : 12); ++i) {
    size_t n = i == 0 ? most : anyLength(random, 1024, i % 10 ? 1 << 17 : double(most));
    size_t at = random() % 64;
    n = std::min(n, most);
    uint64_t s = start(random());
    cases.push_back({at, n, s, op.reference(&bytes[at], n, s)});
  }
  for (const Isa &isa : isas()) {
    isa.enter();
    for (const Case &c : cases)
      ASSERT_EQ(op.call(&bytes[c.at], c.n, c.start), c.expected)
          << isa.name << ", n " << c.n << ", alignment " << c.at << ", start " << c.start
          << ", MEMLIFT_TEST_SEED=" << testSeed();
  }
}

// Lanes are emptied in time, and a carry is lost nowhere: all ones, and both ends of the signed
// words, on both sides of 64 and 128 KiB and for megabytes. A CRC carries nothing: one value is
// enough.
TEST_P(OfNumber, ExtremesLoseNoCarry) {
  const size_t most = isLong() ? size_t(17) << 20 : 140000;
  for (unsigned char value : {0xff, 0x80, 0x7f, 0x00}) {
    if (op.poly && value != 0xff)
      continue;
    const Bytes bytes(most + 4, value);
    std::vector<Case> cases;
    for (size_t n : {size_t(65534), size_t(131068), size_t(131072), size_t(131075), most})
      cases.push_back({n % 4, n, start(n), op.reference(&bytes[n % 4], n, start(n))});
    for (const Isa &isa : isas()) {
      isa.enter();
      for (const Case &c : cases)
        ASSERT_EQ(op.call(&bytes[c.at], c.n, c.start), c.expected)
            << isa.name << ", n " << c.n << ", bytes " << unsigned(value);
    }
  }
}

TEST_P(OfNumber, PartsMakeTheWhole) {
  const size_t n = 1000;
  const Bytes bytes = randomBytes(n, 29);
  for (const Isa &isa : isas()) {
    isa.enter();
    for (uint64_t s : op.starts) {
      const uint64_t whole = op.reference(bytes.data(), n, s);
      for (size_t cut = 0; cut <= n; cut += op.word * (isLong() ? 1 : 7)) {
        Partial parts = beginning(op, s);
        extend(op, parts, bytes.data(), cut);
        extend(op, parts, bytes.data() + cut, n - cut);
        ASSERT_EQ(parts.value, whole) << isa.name << ", start " << s << ", cut at " << cut;
      }
    }
  }
}

TEST_P(OfNumber, ManyParts) {
  const Bytes bytes = randomBytes(isLong() ? 3 << 20 : 1 << 15, testSeed());
  std::mt19937_64 random(testSeed());
  const uint64_t s = start(random()), whole = op.reference(bytes.data(), bytes.size(), s);
  for (const Isa &isa : isas()) {
    isa.enter();
    Partial parts = beginning(op, s);
    for (size_t at = 0, n; at < bytes.size(); at += n) {
      n = anyLength(random, 1, isLong() ? 1 << 17 : 1 << 13) / op.word * op.word;
      n = std::min(n, bytes.size() - at);
      extend(op, parts, &bytes[at], n);
    }
    ASSERT_EQ(parts.value, whole) << isa.name << ", MEMLIFT_TEST_SEED=" << testSeed();
  }
}

TEST_P(OfNumber, AgreesWithItsPeers) {
  const size_t most = isLong() ? size_t(64) << 20 : 1 << 16;
  if (op.peers.empty())
    return;
  const Bytes bytes = randomBytes(most + 64, testSeed());
  std::mt19937_64 random(testSeed());
  for (int i = 0; i < (isLong() ? 3000 : 200); ++i) {
    size_t n = i % 100 == 99 ? anyLength(random, 1, double(most)) : random() % MaxLength;
    size_t at = random() % 64;
    uint64_t s = start(random());
    for (const Isa &isa : isas()) {
      isa.enter();
      uint64_t ours = op.call(&bytes[at], n, s);
      for (const Peer &peer : op.peers)
        ASSERT_EQ(ours, peer.call(&bytes[at], n, s))
            << isa.name << " and " << peer.name << ", n " << n << ", alignment " << at << ", start "
            << s << ", MEMLIFT_TEST_SEED=" << testSeed();
    }
  }
}

} // namespace
} // namespace operations
