// huge_test.cpp - every operation over more than 4 GiB, of which only a few MiB are there
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One block of some 2 MiB is mapped again and again, so that the addresses are different and the
// bytes are not. A length cut to 32 bits, a counter that wraps and a lane that is emptied once in
// 4 GiB would be seen here only. The last block differs from the others, so bytes past 4 GiB count.

#include "operations.h"

#include <memory>
#include <numeric>

namespace operations {
namespace {

constexpr size_t Page = 4096, Odd = 1003;

// The least number of pages that whole periods fill, again and again up to 2 MiB.
size_t blockOf(size_t period) {
  const size_t least = std::lcm(period, Page);
  return ((size_t(2) << 20) + least - 1) / least * least;
}

// 4 GiB of one block, another one, and a guard page after them.
class Repeated {
public:
  const size_t block, size;

  Repeated(const Bytes &one, const Bytes &last)
      : block(one.size()), size(((size_t(4) << 30) / block + 2) * block) {
    file = memfd_create("memlift-test", 0);
    EXPECT_EQ(write(file, one.data(), block), ssize_t(block));
    EXPECT_EQ(write(file, last.data(), block), ssize_t(block));
    void *memory =
        mmap(nullptr, size + Page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    EXPECT_NE(memory, MAP_FAILED);
    first = static_cast<unsigned char *>(memory);
    for (size_t at = 0; at < size; at += block)
      EXPECT_NE(mmap(first + at, block, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file,
                     at + block < size ? 0 : static_cast<off_t>(block)),
                MAP_FAILED);
  }
  ~Repeated() {
    munmap(first, size + Page);
    close(file);
  }
  Repeated(const Repeated &) = delete;
  Repeated &operator=(const Repeated &) = delete;
  unsigned char *at(size_t i) const { return first + i; }

private:
  int file;
  unsigned char *first;
};

// The mapping in use is kept while blocks stay as large: its page tables take seconds to fill, and
// the system does not allow for many.
const Repeated &kept(std::unique_ptr<Repeated> &all, size_t block, const Bytes &one,
                     const Bytes &last) {
  if (!all || all->block != block) {
    all.reset();
    all = std::make_unique<Repeated>(one, last);
  }
  return *all;
}

// All ones are what carries most.
const Repeated &input(size_t block) {
  static std::unique_ptr<Repeated> all;
  return kept(all, block, Bytes(block, 0xff), randomBytes(block, 47));
}

const Repeated &output(size_t block) {
  static std::unique_ptr<Repeated> all;
  return kept(all, block, Bytes(block, 0xC3), Bytes(block, 0xC3));
}

class HugeNumber : public testing::TestWithParam<const Number *> {
protected:
  const Number &op = *GetParam();
  void TearDown() override { memlift_limit_level(noLimit); }

  // By the best kernels, a block at a time; blocks are compared with the reference elsewhere.
  uint64_t blockByBlock(const unsigned char *p, size_t n, uint64_t start) {
    Partial parts = beginning(op, start);
    for (size_t done = 0; done < n; done += blockOf(1))
      extend(op, parts, p + done, std::min(blockOf(1), n - done));
    return parts.value;
  }
};

GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(HugeNumber);
INSTANTIATE_TEST_SUITE_P(Every, HugeNumber, testing::ValuesIn(chosen(numbers())),
                         [](const auto &info) { return info.param->name; });

TEST_P(HugeNumber, MoreThanFourGibibytes) {
  const uint64_t start = op.starts.back();
  const Repeated &all = input(blockOf(1));
  const unsigned char *p = all.at(op.word);
  const size_t n = all.size - 8 - Odd / op.word * op.word;
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

// A block holds whole periods, so that what is written to it is the same again and again. No
// reference makes a number of so many bytes: all kernels have to make the same one.
TEST_P(HugeMemory, MoreThanFourGibibytes) {
  const size_t block = blockOf(op.period), at = 64 * op.period;
  const Repeated &from = input(block), &to = output(block);
  Bytes expected(2 * block, 0xC3); // a whole block, and the last one
  const Bytes source(from.at(to.size - 2 * block), from.at(to.size));
  op.reference(expected.data(), source.data(), 2 * block - Odd);
  uint64_t number = 0;
  for (const Isa &isa : isas()) {
    isa.enter();
    memset(to.at(0), 0xC3, block);
    memset(to.at(to.size - block), 0xC3, block);
    const uint64_t result = op.call(to.at(at), from.at(at), to.size - at - Odd);
    number = isa.level == MEMLIFT_LEVEL_GENERIC ? result : number;
    ASSERT_EQ(result, number) << isa.name;
    ASSERT_EQ(memcmp(to.at(0), expected.data(), block), 0) << isa.name;
    ASSERT_EQ(memcmp(to.at(to.size - block), &expected[block], block), 0) << isa.name;
  }
}

} // namespace
} // namespace operations
