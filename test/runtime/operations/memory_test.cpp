// memory_test.cpp - every operation that writes memory: lengths, alignments, overlaps, page ends
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Defends contract 4: memory afterwards is what the reference leaves, for every length to 4 KiB at
// every alignment and for random lengths to 64 MiB, and nothing beside the regions is touched.

#include "operations.h"

#include <cctype>
#include <cmath>

namespace operations {
namespace {

constexpr size_t Margin = 64;
constexpr unsigned char Canary = 0xC3;

// "copy_a8": 8.
size_t alignmentOf(const std::string &symbol) {
  size_t at = symbol.find("_a");
  return at != std::string::npos && isdigit(symbol[at + 2]) ? std::stoul(symbol.substr(at + 2)) : 1;
}

class OfMemory : public testing::TestWithParam<const Memory *> {
protected:
  const Memory &op = *GetParam();
  void TearDown() override { memlift_limit_level(noLimit); }
};

GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(OfMemory);
INSTANTIATE_TEST_SUITE_P(Every, OfMemory, testing::ValuesIn(chosen(memories())),
                         [](const auto &info) { return info.param->name; });

// Equal bytes at each alignment of a source, in memory of their own.
class Sources {
public:
  explicit Sources(const Bytes &bytes) : stride((bytes.size() + 191) & ~size_t(63)) {
    memory.resize(64 * stride + 64);
    first = memory.data();
    while (reinterpret_cast<uintptr_t>(first) % 64 != 0)
      ++first;
    for (size_t at = 0; at < 64; ++at)
      memcpy(first + at * stride + at, bytes.data(), bytes.size());
  }
  const unsigned char *at(size_t alignment) const { return first + alignment * stride + alignment; }

private:
  size_t stride;
  Bytes memory;
  unsigned char *first;
};

// Destinations at each alignment from sources at every fifth, in turns; some of both in a short
// run. Rows are copied by the same kernels, many to a call: one source.
TEST_P(OfMemory, EveryLengthAndAlignment) {
  const Sources sources(randomBytes(MaxLength, 31));
  alignas(64) static unsigned char memory[MaxLength + 64 + 2 * Margin];
  const size_t unit = alignmentOf(op.symbol); // multiples of it are what it takes
  const bool aligned = unit > 1;
  const size_t to_step = aligned ? unit : isLong() ? 1 : sanitized ? 17 : 9;
  const size_t from_step = aligned ? unit : isLong() ? 5 : sanitized ? 23 : 13;
  const bool rows = op.symbol.find("_2d") != std::string::npos;
  const size_t next = op.reads && !rows ? from_step : 64;
  for (const Isa &isa : isas()) {
    isa.enter();
    for (size_t n : lengths()) {
      Bytes expected(n + 2 * Margin, Canary);
      const uint64_t result = op.reference(&expected[Margin], sources.at(0), n);
      for (size_t to = 0; to < 64; to += to_step)
        for (size_t from = aligned ? 0 : (n + to) % from_step; from < 64; from += next) {
          unsigned char *d = memory + Margin + to;
          memset(d - Margin, Canary, expected.size());
          ASSERT_EQ(op.call(d, sources.at(from), n), result) << isa.name << ", n " << n;
          ASSERT_EQ(memcmp(d - Margin, expected.data(), expected.size()), 0)
              << isa.name << ", n " << n << ", to alignment " << to << ", from " << from;
        }
    }
  }
}

// Source and destination flush with the first or the last page that is mapped.
TEST_P(OfMemory, GuardPages) {
  const Bytes bytes = randomBytes(MaxLength, 37);
  Guarded source(MaxLength), destination(MaxLength);
  for (const Isa &isa : isas()) {
    isa.enter();
    for (size_t n : lengths()) {
      Bytes expected(n + 1, Canary);
      const uint64_t result = op.reference(expected.data(), bytes.data(), n);
      for (int corner = op.reads ? 3 : 1; corner >= 0; --corner) {
        unsigned char *from = corner & 2 ? source.end() - n : source.begin();
        unsigned char *to = corner & 1 ? destination.end() - n : destination.begin();
        memcpy(from, bytes.data(), n);
        memset(to, Canary, n);
        ASSERT_EQ(op.call(to, from, n), result) << isa.name << ", n " << n;
        ASSERT_EQ(memcmp(to, expected.data(), n), 0)
            << isa.name << ", n " << n << ", corner " << corner;
      }
    }
  }
}

std::vector<ptrdiff_t> distances(size_t n) {
  std::vector<ptrdiff_t> list = {0};
  for (size_t d : {1,  2,  3,  4,  5,  7,   8,   9,   12,  15,  16,  17,  24,  31,  32,  33,
                   48, 63, 64, 65, 96, 127, 128, 129, 191, 192, 255, 256, 257, 511, 1024})
    list.push_back(static_cast<ptrdiff_t>(d));
  for (size_t d : {n / 2, n - n / 8, n ? n - 1 : 0, n, n + 1})
    list.push_back(static_cast<ptrdiff_t>(d));
  for (size_t i = list.size(); i-- > 1;)
    list.push_back(-list[i]);
  return list;
}

TEST_P(OfMemory, EveryOverlap) {
  if (!op.overlaps)
    return;
  const size_t reach = MaxLength + 64;
  const Bytes fresh = randomBytes(MaxLength + 2 * reach, 41);
  Bytes bytes = fresh, expected = fresh;
  const size_t step = isLong() ? 3 : sanitized ? 509 : 211;
  for (const Isa &isa : isas()) {
    isa.enter();
    for (size_t n = 0; n <= MaxLength; n += n < 66 ? (sanitized ? 7 : 1) : step)
      for (ptrdiff_t distance : distances(n)) {
        const size_t from = reach + n % 3, to = from + static_cast<size_t>(distance);
        const size_t low = std::min(from, to) - 64, size = std::max(from, to) + n + 64 - low;
        op.reference(&expected[to], &expected[from], n);
        op.call(&bytes[to], &bytes[from], n);
        ASSERT_EQ(memcmp(&bytes[low], &expected[low], size), 0)
            << isa.name << ", n " << n << ", distance " << distance;
        memcpy(&bytes[low], &fresh[low], size);
        memcpy(&expected[low], &fresh[low], size);
      }
  }
}

TEST_P(OfMemory, NoBytesTouchNothing) {
  for (const Isa &isa : isas()) {
    isa.enter();
    ASSERT_EQ(op.call(nullptr, nullptr, 0), op.reference(nullptr, nullptr, 0)) << isa.name;
  }
}

// Regions of their own, so that a byte too many is seen.
TEST_P(OfMemory, RandomLengths) {
  const size_t most = isLong() ? size_t(64) << 20 : sanitized ? 1 << 14 : 1 << 18;
  const Bytes source = randomBytes(most + 64, testSeed());
  Bytes to(most + 128 + 2 * Margin, Canary), expected = to;
  std::mt19937_64 random(testSeed());
  std::uniform_real_distribution<double> exponent(std::log(1024.0), std::log(double(most)));
  for (int round = 0; round < (isLong() ? 24 : 8); ++round) {
    size_t n = round ? std::min(most, size_t(std::exp(exponent(random)))) : most;
    const size_t at = Margin + random() % 64, from = random() % 64;
    std::fill(expected.begin(), expected.end(), Canary);
    const uint64_t result = op.reference(&expected[at], &source[from], n);
    for (const Isa &isa : isas()) {
      isa.enter();
      std::fill(to.begin(), to.end(), Canary);
      ASSERT_EQ(op.call(&to[at], &source[from], n), result) << isa.name << ", n " << n;
      ASSERT_TRUE(to == expected) << isa.name << ", n " << n << ", at " << at << ", from " << from
                                  << ", MEMLIFT_TEST_SEED=" << testSeed();
    }
  }
}

} // namespace
} // namespace operations
