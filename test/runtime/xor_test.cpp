// xor_test.cpp - exclusive-or of all words against a loop over them, at every level
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Defends that words of each size are folded into the right lanes at any length and alignment, on
// machines of either byte order, and that a remainder is not read.

#include "support.h"

namespace {

constexpr size_t MaxLength = 700;

class Xor : public AtLevel {};
AT_EVERY_LEVEL(Xor);

template <typename Word> uint64_t plain(const unsigned char *p, size_t n) {
  Word x = 0;
  for (size_t i = 0; i + sizeof(Word) <= n; i += sizeof(Word)) {
    Word word;
    memcpy(&word, p + i, sizeof word);
    x = static_cast<Word>(x ^ word);
  }
  return x;
}

struct Operation {
  const char *name;
  size_t bytes;
  uint64_t (*ours)(const void *, size_t);
  uint64_t (*plain)(const unsigned char *, size_t);
};

const Operation operations[] = {
    {"xor_u8", 1, memlift_xor_u8, plain<uint8_t>},
    {"xor_u16", 2, memlift_xor_u16, plain<uint16_t>},
    {"xor_u32", 4, memlift_xor_u32, plain<uint32_t>},
    {"xor_u64", 8, memlift_xor_u64, plain<uint64_t>},
};

TEST_P(Xor, EveryLengthAndAlignment) {
  Bytes bytes = randomBytes(MaxLength + 192, 79);
  for (const Operation &op : operations)
    for (size_t n = 0; n <= MaxLength; ++n)
      for (size_t at = 0; at < 64; at += slow ? 5 : 1)
        ASSERT_EQ(op.ours(&bytes[at], n), op.plain(&bytes[at], n))
            << op.name << ", n " << n << ", alignment " << at;
}

TEST_P(Xor, RandomLengths) {
  Bytes bytes = randomBytes(1 << 20, testSeed());
  std::mt19937_64 random(testSeed());
  for (int round = 0; round < 20; ++round) {
    size_t at = random() % 4096, n = random() % (bytes.size() - at);
    for (const Operation &op : operations)
      ASSERT_EQ(op.ours(&bytes[at], n), op.plain(&bytes[at], n))
          << op.name << ", n " << n << ", at " << at << ", MEMLIFT_TEST_SEED=" << testSeed();
  }
}

TEST_P(Xor, GuardPages) {
  Guarded region(9000);
  Bytes random = randomBytes(region.size(), 83);
  memcpy(region.begin(), random.data(), random.size());
  for (const Operation &op : operations)
    for (size_t n = 0; n < 9000; n += n < 700 ? 1 : 509) {
      ASSERT_EQ(op.ours(region.begin(), n), op.plain(region.begin(), n)) << op.name << " " << n;
      size_t whole = n / op.bytes * op.bytes;
      const unsigned char *from = region.end() - whole;
      ASSERT_EQ(op.ours(from, whole + op.bytes - 1), op.plain(from, whole))
          << op.name << " " << whole << " and a remainder";
    }
}

TEST_P(Xor, NoBytesTouchNothing) {
  for (const Operation &op : operations)
    ASSERT_EQ(op.ours(nullptr, 0), 0u) << op.name;
}

} // namespace
