// limits_test.cpp - MEMLIFT_LIMITS: what is read, what is refused, and that no value changes a byte
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "kernels/limits.h"
#include "support.h"

namespace {

const struct memlift_limits Old = {1, 2, 3, 4, 5};

TEST(Limits, NamesAndSizesInAnyOrder) {
  struct memlift_limits l = Old;
  EXPECT_EQ(memlift_read_limits("copy-string=24K", &l), nullptr);
  EXPECT_EQ(l.copy_string, 24u << 10);
  EXPECT_EQ(l.copy_stream, 2u);
  EXPECT_EQ(memlift_read_limits("fill-string=never,copy-stream=96M,copy-string=0", &l), nullptr);
  EXPECT_EQ(l.fill_string, SIZE_MAX);
  EXPECT_EQ(l.copy_stream, 96u << 20);
  EXPECT_EQ(l.copy_string, 0u);
  EXPECT_EQ(l.fill_repeat, 4u);
  EXPECT_EQ(memlift_read_limits("engine=187K,fill-repeat=2M", &l), nullptr);
  EXPECT_EQ(l.engine, size_t(187) << 10);
  EXPECT_EQ(l.fill_repeat, 2u << 20);
  EXPECT_EQ(memlift_read_limits("copy-stream=2G,copy-stream=1000", &l), nullptr);
  EXPECT_EQ(l.copy_stream, 1000u);
}

TEST(Limits, AllOfAHostileTextIsRefusedWithAReason) {
  const std::string tooLong(sizeof memlift_limits_requested - 1, '1');
  const std::string cases[] = {"",
                               ",",
                               "=",
                               "24K",
                               "copy-string",
                               "copy-string=",
                               "copy-string=K",
                               "copy-string=-1",
                               "copy-string=+1",
                               "copy-string= 1",
                               "copy-string=1k",
                               "copy-string=1KB",
                               "copy-string=1T",
                               "copy-string=1,",
                               "copy-string=1,,fill-string=2",
                               "copy-string=1;fill-string=2",
                               "copy-string=1 ",
                               "copy_string=1",
                               "COPY-STRING=1",
                               "copy-string=0x10",
                               "copy-string=1e3",
                               "copy-string=18446744073709551616",
                               "copy-string=18014398509481984K",
                               "copy-string=99999999999999999999999999999999G",
                               "fill-stream=1",
                               "copy-string=nevermind",
                               "copy-string=1,bogus=2",
                               "\xff\xfe%s%n",
                               "copy-string=" + tooLong};
  for (const std::string &text : cases) {
    struct memlift_limits l = Old;
    const char *why = memlift_read_limits(text.c_str(), &l);
    ASSERT_NE(why, nullptr) << text;
    EXPECT_GT(strlen(why), 10u) << text;
    EXPECT_EQ(memcmp(&l, &Old, sizeof l), 0) << text;
  }
}

class AtLimits : public AtLevel {
protected:
  struct memlift_limits before = memlift_limits;
  void TearDown() override {
    memlift_set_limits(&before);
    AtLevel::TearDown();
  }
};
AT_EVERY_LEVEL(AtLimits);

// Lengths around every class of small sizes and some vectors more, with each method from 0 on.
TEST_P(AtLimits, EachMethodIsRightAtEverySize) {
  const struct memlift_limits all[] = {
      {SIZE_MAX, SIZE_MAX, SIZE_MAX, SIZE_MAX, 0}, {0, SIZE_MAX, 0, 0, 0}, {0, 0, 0, 0, 0}};
  const Bytes source = randomBytes(9000, 3);
  for (const struct memlift_limits &limits : all) {
    memlift_set_limits(&limits);
    for (size_t n = 0; n <= 8500; n += n < 1200 ? 1 : 37)
      for (size_t to : {0, 1, 31, 63, 64}) {
        Bytes bytes(n + 130, 0xC3), expected = bytes;
        memlift_copy(&bytes[to], &source[to * 5], n);
        std::copy_n(&source[to * 5], n, &expected[to]);
        ASSERT_EQ(bytes, expected) << "copy of " << n << " to " << to;
        for (uint64_t value : {uint64_t(0), ~uint64_t(0), uint64_t(0x8877665544332211)}) {
          memlift_fill64(&bytes[to], value, n);
          writePattern(&expected[to], n, value);
          ASSERT_EQ(bytes, expected) << "fill of " << n << " to " << to;
        }
      }
  }
}

TEST_P(AtLimits, EachMethodKeepsToItsRegion) {
  const struct memlift_limits all[] = {{0, SIZE_MAX, 0, 0, 0}, {0, 0, 0, 0, 0}};
  Guarded source(70000), destination(70000);
  for (const struct memlift_limits &limits : all) {
    memlift_set_limits(&limits);
    for (size_t n = 0; n <= 69000; n += n < 1400 ? 1 : 4999)
      for (int corner = 0; corner < 4; ++corner) {
        const unsigned char *from = corner & 1 ? source.end() - n : source.begin();
        unsigned char *to = corner & 2 ? destination.end() - n : destination.begin();
        memlift_copy(to, from, n);
        memlift_move(to, from, n);
        memlift_fill64(to, 0x8877665544332211u, n);
      }
  }
}

// Long fills of more than a byte are repeated from their own beginning, at any alignment and at
// any place in the value, and stop where they have to.
TEST_P(AtLimits, RepeatedFillsAreRightToTheLastByte) {
  const struct memlift_limits early = {SIZE_MAX, SIZE_MAX, SIZE_MAX, 65536, 0};
  memlift_set_limits(&early);
  const size_t most = 600000;
  const uint64_t low = 0x8877665544332211u, high = 0x00ffeeddccbbaa99u;
  Guarded guarded(most);
  Bytes expected(most);
  for (size_t period = 1; period <= 16; ++period) {
    for (size_t j = 0; j < most; ++j)
      expected[j] = patternByte16(low, high, period, j);
    for (size_t n : {size_t(393215), size_t(393216), size_t(393217), size_t(480013), most})
      for (size_t cut : {0, 1, 17, 63}) {
        memset(guarded.begin(), 0xC3, most);
        unsigned char *d = guarded.end() - (n - cut);
        memlift_fill_pattern16(d, low, high, period, n - cut);
        ASSERT_EQ(memcmp(d, expected.data(), n - cut), 0) << period << ", " << n << ", " << cut;
        ASSERT_TRUE(std::all_of(guarded.begin(), d, [](unsigned char c) { return c == 0xC3; }))
            << period << ", " << n << ", " << cut;
      }
  }
}

} // namespace
