// spread_sums_test.cpp - sums and checksums by blocks against those of one thread
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support.h"
#include "tasks_support.h"

#include "memlift/spread.h"
#include "tasks/context.h"

namespace {

constexpr uint64_t LeastBytes = MEMLIFT_SPREAD_CYCLES;
const size_t sumLengths[] = {0,
                             1,
                             63,
                             64,
                             65, // at most two blocks
                             LeastBytes - 1,
                             LeastBytes,
                             2 * LeastBytes - 1,
                             2 * LeastBytes,
                             2 * LeastBytes + 1,
                             300007, // slow sums are long here
                             16 * LeastBytes - 1,
                             16 * LeastBytes,
                             16 * LeastBytes + 1}; // and fast ones here;

class SpreadSums : public testing::TestWithParam<uint32_t> {
protected:
  void SetUp() override {
    memlift_context_options options = {};
    options.units = GetParam();
    ASSERT_EQ(memlift_context_create(&context, &options, sizeof options), MEMLIFT_OK);
    ASSERT_EQ(memlift_spread_bind(context), MEMLIFT_OK);
    memlift_spread_ns = 0;
  }
  void TearDown() override {
    memlift_spread_ns = MEMLIFT_SPREAD_NS;
    EXPECT_EQ(memlift_spread_bind(nullptr), MEMLIFT_OK);
    EXPECT_EQ(memlift_context_destroy(context), MEMLIFT_OK);
  }
  // Calls check(address, bytes) for all sumLengths and some alignments.
  template <typename Check> void forRegions(Check check, size_t most = SIZE_MAX) {
    Bytes bytes = randomBytes(16 * LeastBytes + 64, 71);
    for (size_t n : sumLengths)
      for (size_t at = 1; at < 8; at += slow ? 7 : 3)
        if (n <= most)
          check(&bytes[at], n);
  }
  memlift_context *context = nullptr;
};
INSTANTIATE_TEST_SUITE_P(, SpreadSums, testing::Values(0u, 2u));

struct Sum {
  const char *name;
  uint64_t (*ours)(const void *, size_t), (*plain)(const void *, size_t);
};
const Sum sums[] = {{"sum_u8", memlift_spread_sum_u8, memlift_sum_u8},
                    {"sum_s8", memlift_spread_sum_s8, memlift_sum_s8},
                    {"sum_u16", memlift_spread_sum_u16, memlift_sum_u16},
                    {"sum_s16", memlift_spread_sum_s16, memlift_sum_s16},
                    {"sum_u32", memlift_spread_sum_u32, memlift_sum_u32},
                    {"sum_s32", memlift_spread_sum_s32, memlift_sum_s32},
                    {"sum_u64", memlift_spread_sum_u64, memlift_sum_u64},
                    {"sum_swap_u16", memlift_spread_sum_swap_u16, memlift_sum_swap_u16},
                    {"sum_swap_s16", memlift_spread_sum_swap_s16, memlift_sum_swap_s16},
                    {"sum_swap_u32", memlift_spread_sum_swap_u32, memlift_sum_swap_u32},
                    {"sum_swap_s32", memlift_spread_sum_swap_s32, memlift_sum_swap_s32},
                    {"sum_swap_u64", memlift_spread_sum_swap_u64, memlift_sum_swap_u64},
                    {"xor_u8", memlift_spread_xor_u8, memlift_xor_u8},
                    {"xor_u16", memlift_spread_xor_u16, memlift_xor_u16},
                    {"xor_u32", memlift_spread_xor_u32, memlift_xor_u32},
                    {"xor_u64", memlift_spread_xor_u64, memlift_xor_u64}};

TEST_P(SpreadSums, PlainSums) {
  forRegions([](const unsigned char *p, size_t n) {
    for (const Sum &s : sums)
      ASSERT_EQ(s.ours(p, n), s.plain(p, n)) << s.name << ", " << n << " bytes";
    ASSERT_EQ(memlift_spread_sum_low_u32(p, n), memlift_sum_low_u32(p, n)) << n << " bytes";
  });
}

TEST_P(SpreadSums, InternetChecksums) {
  forRegions([](const unsigned char *p, size_t n) {
    for (uint32_t init : {0u, 1u, 0xffffu, 0x10000u, 0x12345678u, 0xffffffffu})
      ASSERT_EQ(memlift_spread_inet_sum(p, n, init), memlift_inet_sum(p, n, init))
          << n << " bytes, init " << init;
  });
  Bytes zeros(16 * LeastBytes + 1), ones(16 * LeastBytes + 1, 0xff);
  for (uint32_t init : {0u, 0xffffu})
    for (const Bytes *b : {&zeros, &ones})
      EXPECT_EQ(memlift_spread_inet_sum(b->data(), b->size(), init),
                memlift_inet_sum(b->data(), b->size(), init));
}

TEST_P(SpreadSums, OnesComplementSums) {
  auto check = [](const unsigned char *p, size_t n) {
    for (uint64_t init : {uint64_t(0), uint64_t(1), uint64_t(0xffffffff), uint64_t(1) << 32,
                          uint64_t(0x123456789abcdef), ~uint64_t(0)}) {
      ASSERT_EQ(memlift_spread_ones_sum_u32(p, n, uint32_t(init)),
                memlift_ones_sum_u32(p, n, uint32_t(init)))
          << n << " bytes, init " << init;
      ASSERT_EQ(memlift_spread_ones_sum_u64(p, n, init), memlift_ones_sum_u64(p, n, init))
          << n << " bytes, init " << init;
    }
  };
  forRegions(check);
  for (unsigned char value : {0x00, 0x80, 0xff})
    check(Bytes(16 * LeastBytes + 1, value).data(), 16 * LeastBytes + 1);
}

TEST_P(SpreadSums, Crcs) {
  const struct {
    uint32_t width, reflected;
    uint64_t poly;
  } known[] = {{32, 1, 0xEDB88320}, {32, 1, 0x82F63B78}, {16, 0, 0x1021},
               {8, 0, 0x07},        {24, 0, 0x864CFB},   {64, 1, 0xC96C5795D7870F42}};
  for (const auto &k : known) {
    memlift_crc_poly poly = {};
    poly.width = k.width, poly.reflected = k.reflected, poly.poly = k.poly;
    memlift_crc_init(&poly);
    uint64_t mask = ~uint64_t(0) >> (64 - k.width);
    forRegions([&](const unsigned char *p, size_t n) {
      for (uint64_t state : {uint64_t(0), mask, 0x123456789abcdef & mask})
        ASSERT_EQ(memlift_spread_crc(state, p, n, &poly), memlift_crc(state, p, n, &poly))
            << k.width << " bits, " << n << " bytes, state " << state;
    });
  }
}

struct Modsum {
  const char *name;
  decltype(&memlift_modsum_u8) ours, plain;
};
const Modsum modsums[] = {
    {"modsum_u8", memlift_spread_modsum_u8, memlift_modsum_u8},
    {"modsum_u16", memlift_spread_modsum_u16, memlift_modsum_u16},
    {"modsum_u32", memlift_spread_modsum_u32, memlift_modsum_u32},
    {"modsum_swap_u16", memlift_spread_modsum_swap_u16, memlift_modsum_swap_u16},
    {"modsum_swap_u32", memlift_spread_modsum_swap_u32, memlift_modsum_swap_u32}};

TEST_P(SpreadSums, SumsModuloM) {
  const uint64_t moduli[] = {255, 65521, 65535, 0xffffffff, uint64_t(1) << 32};
  forRegions(
      [&](const unsigned char *p, size_t n) {
        for (uint64_t m : moduli)
          for (uint32_t how = 0; how < 8; how += slow ? 3 : 1)
            for (uint64_t start :
                 {uint64_t(0), uint64_t(1), 254 | uint64_t(255) << 32, ~uint64_t(0)})
              for (const Modsum &s : modsums)
                if (m >> 32 == 0 || !(how & MEMLIFT_MODSUM_FOLD)) {
                  ASSERT_EQ(s.ours(p, n, start, m, how), s.plain(p, n, start, m, how))
                      << s.name << ", " << n << " bytes, m " << m << ", how " << how << ", start "
                      << start;
                }
      },
      300007);
  Bytes zeros(200001);
  for (uint32_t how = 0; how < 8; how++)
    for (uint64_t m : {uint64_t(255), uint64_t(200001)})
      for (uint64_t start : {uint64_t(0), m, m << 32})
        for (const Modsum &s : modsums)
          EXPECT_EQ(s.ours(zeros.data(), zeros.size(), start, m, how),
                    s.plain(zeros.data(), zeros.size(), start, m, how))
              << s.name << ", m " << m << ", how " << how << ", start " << start;
}

} // namespace
