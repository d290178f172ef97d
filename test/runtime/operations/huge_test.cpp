// huge_test.cpp - every operation over more than 4 GiB, of which only a few MiB are there
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One block of 2 MiB is mapped again and again, so that the addresses are different and the bytes
// are not. A length cut to 32 bits, a counter that wraps and a lane that is emptied once in 4 GiB
// would be seen here only. The last block is one of its own: what is behind 4 GiB counts.

#include "operations.h"

namespace operations {
namespace {

constexpr size_t Block = 2 << 20, Blocks = 2049, Odd = 1003;

// 4 GiB of one block, 2 MiB of another, and a guard page behind them.
class Repeated {
public:
  Repeated(const Bytes &one, const Bytes &last) {
    file = memfd_create("memlift-test", 0);
    EXPECT_EQ(write(file, one.data(), Block), ssize_t(Block));
    EXPECT_EQ(write(file, last.data(), Block), ssize_t(Block));
    void *memory = mmap(nullptr, Blocks * Block + 4096, PROT_NONE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    EXPECT_NE(memory, MAP_FAILED);
    first = static_cast<unsigned char *>(memory);
    for (size_t i = 0; i < Blocks; ++i)
      EXPECT_NE(mmap(first + i * Block, Block, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED,
                     file, i + 1 < Blocks ? 0 : Block),
                MAP_FAILED);
  }
  ~Repeated() {
    munmap(first, Blocks * Block + 4096);
    close(file);
  }
  Repeated(const Repeated &) = delete;
  Repeated &operator=(const Repeated &) = delete;
  unsigned char *at(size_t i) const { return first + i; }

private:
  int file;
  unsigned char *first;
};

constexpr size_t Size = Blocks * Block;

// All ones are what carries most. One mapping for all: its page tables take seconds to fill.
const Repeated &input() {
  static const Repeated all(Bytes(Block, 0xff), randomBytes(Block, 47));
  return all;
}

const Repeated &output() {
  static const Repeated all(Bytes(Block, 0xC3), Bytes(Block, 0xC3));
  return all;
}

class HugeNumber : public testing::TestWithParam<const Number *> {
protected:
  const Number &op = *GetParam();
  void TearDown() override { memlift_limit_level(noLimit); }

  // By the best kernels, a block at a time; blocks are compared with the reference elsewhere.
  uint64_t blockByBlock(const unsigned char *p, size_t n, uint64_t start) {
    Partial parts = beginning(op, start);
    for (size_t done = 0; done < n; done += Block)
      extend(op, parts, p + done, std::min(Block, n - done));
    return parts.value;
  }
};

GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(HugeNumber);
INSTANTIATE_TEST_SUITE_P(Every, HugeNumber, testing::ValuesIn(chosen(numbers())),
                         [](const auto &info) { return info.param->name; });

TEST_P(HugeNumber, MoreThanFourGibibytes) {
  const uint64_t start = op.starts.back();
  const unsigned char *p = input().at(op.word);
  const size_t n = Size - 8 - Odd / op.word * op.word;
  memlift_limit_level(noLimit);
  const uint64_t expected = blockByBlock(p, n, start);
  for (const Isa &isa : isas()) {
    isa.enter();
    ASSERT_EQ(op.call(p, n, start), expected) << isa.name;
  }
}

class HugeMemory : public testing::TestWithParam<const Memory *> {
protected:
  const Memory &op = *GetParam();
  void TearDown() override { memlift_limit_level(noLimit); }
};

GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(HugeMemory);
INSTANTIATE_TEST_SUITE_P(Every, HugeMemory, testing::ValuesIn(chosen(memories())),
                         [](const auto &info) { return info.param->name; });

// What has been written to a block is the same again and again where the period divides its size.
TEST_P(HugeMemory, MoreThanFourGibibytes) {
  if (op.period == 0 || Block % op.period != 0)
    return;
  const size_t n = Size - 64 - Odd, at = 64;
  Bytes expected(2 * Block, 0xC3); // a whole block, and the last one
  const Bytes source(input().at(Size - 2 * Block), input().at(Size));
  op.reference(expected.data(), source.data(), 2 * Block - 64 - Odd + at);
  for (const Isa &isa : isas()) {
    isa.enter();
    const Repeated &to = output();
    memset(to.at(0), 0xC3, Block);
    memset(to.at(Size - Block), 0xC3, Block);
    op.call(to.at(at), input().at(at), n);
    ASSERT_EQ(memcmp(to.at(at), &expected[at], Block - at), 0) << isa.name;
    ASSERT_EQ(memcmp(to.at(Size - Block), &expected[Block], Block), 0) << isa.name;
  }
}

} // namespace
} // namespace operations
