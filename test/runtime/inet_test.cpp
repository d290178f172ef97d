// inet_test.cpp - the Internet checksum and its copying form, at every level
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Defends that the result is the one number of 0 to 0xffff that RFC 1071's sum folds to, carries
// beyond 32 bits included, and that 0 stands for nothing but zeros.

#include "references.h"
#include "support.h"

#if defined(MEMLIFT_TEST_ZLIB)
#include <zlib.h>
#endif

namespace {

constexpr size_t MaxLength = 600;

class Inet : public AtLevel {};
AT_EVERY_LEVEL(Inet);

const uint32_t inits[] = {0, 1, 0xfffe, 0xffff, 0x10000, 0x12345678, 0xffffffff};

TEST_P(Inet, EveryLengthAlignmentAndStart) {
  Bytes bytes = randomBytes(MaxLength + 192, 53);
  const unsigned char *first = bytes.data();
  while (reinterpret_cast<uintptr_t>(first) % 64 != 0)
    ++first;
  for (size_t n = 0; n <= MaxLength; ++n)
    for (size_t at = 0; at < 64; at += slow ? 5 : 1) {
      uint32_t init = inits[(n + at) % (sizeof inits / sizeof *inits)];
      ASSERT_EQ(memlift_inet_sum(first + at, n, init), plainInet(first + at, n, init))
          << "n " << n << ", alignment " << at << ", init " << init;
    }
}

#if defined(__x86_64__)
// A level has one kernel in use; a machine with VNNI leaves that of plain AVX-512 aside.
TEST(InetKernels, EveryLengthToThreePages) {
  std::vector<memlift_inet_fn *> kernels = {memlift_inet_generic, memlift_inet_x86_sse2};
  if (memlift_best_level() >= MEMLIFT_LEVEL_AVX2)
    kernels.push_back(memlift_inet_x86_avx2);
  if (memlift_best_level() >= MEMLIFT_LEVEL_AVX512)
    kernels.push_back(memlift_inet_x86_avx512);
  if (memlift_best_level() >= MEMLIFT_LEVEL_AVX512 && memlift_has_vnni())
    kernels.push_back(memlift_inet_x86_vnni);
  Bytes bytes = randomBytes(3 * 4096 + 192, testSeed());
  for (size_t n = 0; n <= 3 * 4096; n += 1 + n / 1500) {
    size_t at = n * 7 % 64;
    uint32_t init = inits[n % (sizeof inits / sizeof *inits)];
    uint32_t expected = plainInet(&bytes[at], n, init);
    for (size_t k = 0; k < kernels.size(); ++k)
      ASSERT_EQ(kernels[k](&bytes[at], n, init), expected)
          << "kernel " << k << ", n " << n << ", MEMLIFT_TEST_SEED=" << testSeed();
  }
}
#endif

TEST_P(Inet, ZeroOnlyForZeros) {
  Bytes zeros(5000), ones(5000, 0xff);
  for (size_t n = 0; n <= 300; ++n) {
    ASSERT_EQ(memlift_inet_sum(&zeros[1], n, 0), 0u) << n;
    ASSERT_EQ(memlift_inet_sum(&zeros[1], n, 0xffff), 0xffffu) << n;
    ASSERT_EQ(memlift_inet_sum(&zeros[1], n, 0xffffffff), 0xffffu) << n;
    ASSERT_EQ(memlift_inet_sum(&zeros[1], n, 0xffff0000), 0xffffu) << n;
    if (n > 0 && n % 2 == 0) {
      ASSERT_EQ(memlift_inet_sum(&ones[1], n, 0), 0xffffu) << n;
    }
  }
  // A word and its complement add up to 0xffff, which must not become 0 either.
  unsigned char pair[] = {0x12, 0x34, 0xed, 0xcb};
  ASSERT_EQ(memlift_inet_sum(pair, 4, 0), 0xffffu);
}

// An accumulator of 32 bits loses carries after 128 KiB of ones; ours must not.
TEST_P(Inet, ManyCarries) {
  Bytes ones((size_t(7) << 20) + 1, 0xff);
  for (size_t n : {size_t(131070), size_t(131072), size_t(131074), size_t(200001), size_t(1) << 20,
                   (size_t(7) << 20) - 1})
    for (size_t at : {0, 1})
      for (uint32_t init : inits)
        ASSERT_EQ(memlift_inet_sum(&ones[at], n, init), plainInet(&ones[at], n, init))
            << "n " << n << ", init " << init;
}

TEST_P(Inet, RandomLengths) {
  const size_t size = slow ? 1 << 18 : 3 << 20;
  Bytes bytes = randomBytes(size, testSeed()), to(size);
  std::mt19937_64 random(testSeed());
  for (int round = 0; round < (slow ? 4 : 12); ++round) {
    size_t at = random() % 4096, n = random() % (size - at);
    uint32_t init = static_cast<uint32_t>(random()), expected = plainInet(&bytes[at], n, init);
    ASSERT_EQ(memlift_inet_sum(&bytes[at], n, init), expected)
        << "n " << n << ", at " << at << ", MEMLIFT_TEST_SEED=" << testSeed();
    ASSERT_EQ(memlift_copy_inet_sum(&to[size - at - n], &bytes[at], n, init), expected)
        << "n " << n << ", at " << at << ", MEMLIFT_TEST_SEED=" << testSeed();
    ASSERT_EQ(memcmp(&to[size - at - n], &bytes[at], n), 0);
  }
}

// More than a kernel is given at once (1 GiB): the same 2 MiB again and again, by address only.
TEST_P(Inet, MoreThanOneGibibyte) {
  if (sanitized)
    GTEST_SKIP() << "takes minutes under sanitizers";
  const size_t block = 2 << 20, copies = 513;
  Bytes bytes = randomBytes(block, 71);
  int file = memfd_create("memlift-inet", 0);
  ASSERT_GE(file, 0);
  ASSERT_EQ(write(file, bytes.data(), block), static_cast<ssize_t>(block));
  void *memory = mmap(nullptr, copies * block, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(memory, MAP_FAILED);
  unsigned char *p = static_cast<unsigned char *>(memory);
  for (size_t i = 0; i < copies; ++i)
    ASSERT_NE(mmap(p + i * block, block, PROT_READ, MAP_SHARED | MAP_FIXED, file, 0), MAP_FAILED);
  uint64_t expected = copies * uint64_t(plainInet(bytes.data(), block, 0)) + 0xffffffff;
  while (expected >> 16)
    expected = (expected & 0xffff) + (expected >> 16);
  EXPECT_EQ(memlift_inet_sum(p, copies * block, 0xffffffff), expected);
  munmap(memory, copies * block);
  close(file);
}

// A sum continues from the sum before it after any even number of bytes.
TEST_P(Inet, EvenPartsMakeTheWhole) {
  Bytes bytes = randomBytes(1001, 59);
  const uint32_t whole = memlift_inet_sum(bytes.data(), 1001, 9);
  for (size_t cut = 0; cut <= 1000; cut += 2)
    ASSERT_EQ(memlift_inet_sum(&bytes[cut], 1001 - cut, memlift_inet_sum(bytes.data(), cut, 9)),
              whole)
        << "cut at " << cut;
}

TEST_P(Inet, GuardPages) {
  Guarded source(70000), destination(70000);
  Bytes random = randomBytes(source.size(), 61);
  memcpy(source.begin(), random.data(), random.size());
  for (size_t n = 0; n < 66000; n += n < 1100 ? (slow ? 3 : 1) : 4093)
    for (int corner = 0; corner < 4; ++corner) {
      const unsigned char *from = corner & 1 ? source.end() - n : source.begin();
      unsigned char *to = corner & 2 ? destination.end() - n : destination.begin();
      memset(to, 0, n);
      uint32_t expected = plainInet(from, n, 3);
      ASSERT_EQ(memlift_inet_sum(from, n, 3), expected) << n << ", corner " << corner;
      ASSERT_EQ(memlift_copy_inet_sum(to, from, n, 3), expected) << n << ", corner " << corner;
      ASSERT_EQ(memcmp(to, from, n), 0) << n << ", corner " << corner;
    }
}

// Large enough for stores past the caches, which only write whole cache lines.
TEST_P(Inet, HugeCopies) {
  if (sanitized || GetParam() != memlift_best_level())
    GTEST_SKIP() << "32 MiB, for the kernel that streams: once is enough";
  const size_t size = (size_t(16) << 20) + 5000;
  Bytes from = randomBytes(size, 89), to(size + 128);
  for (size_t at : {size_t(0), size_t(1), size_t(62), size_t(63)}) {
    const size_t n = size - at - at % 3;
    ASSERT_EQ(memlift_copy_inet_sum(&to[63 - at], &from[at], n, 7), plainInet(&from[at], n, 7));
    ASSERT_EQ(memcmp(&to[63 - at], &from[at], n), 0) << at;
    ASSERT_EQ(to[63 - at + n], 0) << at;
    std::fill(to.begin(), to.end(), 0);
  }
}

// Lanes of 32 bits are emptied every half mebibyte.
TEST_P(Inet, CopiedExtremesOverflowNoLane) {
  const size_t block = size_t(1) << 19;
  Bytes from(2 * block + 100, 255), to(from.size() + 1);
  for (size_t n : {block - 1, block, block + 1, block + 33, 2 * block + 99}) {
    std::fill(to.begin(), to.end(), 0);
    ASSERT_EQ(memlift_copy_sum_u16(to.data(), from.data(), n), n / 2 * 0xffff);
    ASSERT_EQ(memcmp(to.data(), from.data(), n), 0) << n;
    ASSERT_EQ(to[n], 0) << n;
    ASSERT_EQ(memlift_copy_inet_sum(to.data(), from.data(), n, 7), plainInet(from.data(), n, 7));
  }
}

TEST_P(Inet, CopyWritesNothingElse) {
  Bytes source = randomBytes(MaxLength + 64, 67), to(MaxLength + 192, 0xC3);
  for (size_t n = 0; n <= MaxLength; ++n)
    for (size_t at = 0; at < 64; at += slow ? 7 : 3) {
      const unsigned char *from = &source[63 - at];
      ASSERT_EQ(memlift_copy_inet_sum(&to[64 + at], from, n, 5), plainInet(from, n, 5));
      Bytes expected(to.size(), 0xC3);
      memcpy(&expected[64 + at], from, n);
      ASSERT_EQ(to, expected) << "n " << n << ", alignment " << at;
      std::fill(to.begin(), to.end(), static_cast<unsigned char>(0xC3));
    }
}

TEST_P(Inet, ZeroBytesTouchNothing) {
  ASSERT_EQ(memlift_inet_sum(nullptr, 0, 0x12345), 0x2346u);
  ASSERT_EQ(memlift_copy_inet_sum(nullptr, nullptr, 0, 0), 0u);
}

// The example of RFC 1071, section 3, in network byte order.
TEST_P(Inet, ExampleOfTheRfc) {
  const unsigned char bytes[] = {0x00, 0x01, 0xf2, 0x03, 0xf4, 0xf5, 0xf6, 0xf7};
  uint16_t sum = static_cast<uint16_t>(memlift_inet_sum(bytes, sizeof bytes, 0));
  unsigned char inMemory[2];
  memcpy(inMemory, &sum, 2);
  EXPECT_EQ(inMemory[0], 0xdd);
  EXPECT_EQ(inMemory[1], 0xf2);
}

#if defined(MEMLIFT_TEST_ZLIB)
// Adler-32 from our two sums is zlib's.
TEST_P(Inet, AdlerFromSumsIsZlibs) {
  Bytes bytes = randomBytes(100000, testSeed());
  std::mt19937_64 random(testSeed());
  for (int i = 0; i < 200; ++i) {
    size_t at = random() % 64, n = random() % (i < 100 ? 300 : 99000);
    uint64_t a = 1 + memlift_sum_u8(&bytes[at], n), b = n + memlift_wsum_u8(&bytes[at], n);
    ASSERT_EQ(b % 65521 << 16 | a % 65521, adler32(1, &bytes[at], static_cast<uInt>(n)))
        << "n " << n << ", MEMLIFT_TEST_SEED=" << testSeed();
  }
}
#endif

} // namespace
