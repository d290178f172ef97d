// machine_test.cpp - features of a machine, and the kernels chosen by them
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Defends that no kernel runs whose instructions the machine has not, and that a block of zeros is
// as large as the system says.

#include "support.h"

#if defined(__riscv)
#include "kernels/riscv64/features_riscv64.h"
#endif

namespace {

TEST(Machine, LevelsRiseFromGeneric) {
  std::vector<memlift_level> all = levels();
  ASSERT_FALSE(all.empty());
  EXPECT_EQ(std::string(memlift_level_name(all.front())), "generic");
  for (memlift_level level : all)
    EXPECT_EQ(memlift_limit_level(level), level);
  memlift_limit_level(noLimit);
}

TEST(Machine, GenericMeansGeneric) {
  memlift_limit_level(MEMLIFT_LEVEL_GENERIC);
  memlift_description d;
  ASSERT_EQ(memlift_describe(&d, sizeof d), MEMLIFT_OK);
  for (const char *name :
       {d.copy_kernel, d.move_kernel, d.fill_kernel, d.pattern_kernel, d.sum_kernel, d.crc_kernel})
    EXPECT_NE(std::string(name).find("_generic"), std::string::npos) << name;
  EXPECT_EQ(memlift_copy_now, memlift_copy_generic);
  EXPECT_EQ(memlift_crc_now, memlift_crc_generic);
  EXPECT_EQ(memlift_inet_now, memlift_inet_generic);
  memlift_limit_level(noLimit);
}

TEST(Machine, EveryKernelHasAName) {
  for (memlift_level level : levels()) {
    memlift_limit_level(level);
    memlift_description d;
    ASSERT_EQ(memlift_describe(&d, sizeof d), MEMLIFT_OK);
    for (const char *name : {d.copy_kernel, d.move_kernel, d.fill_kernel, d.pattern_kernel,
                             d.sum_kernel, d.crc_kernel})
      EXPECT_STRNE(name, "unknown") << memlift_level_name(level);
    EXPECT_NE(std::string(d.isa_levels).find(memlift_level_name(level)), std::string::npos);
  }
  memlift_limit_level(noLimit);
}

#if defined(__riscv) && __riscv_xlen == 64
using Features = struct memlift_riscv64_features; // a function has that name, too

Features probed(std::vector<memlift_hwprobe> answers, long vectors = -22) {
  return memlift_riscv64_from_probe(answers.data(), answers.size(), vectors);
}

constexpr int64_t Extensions = 4, ZeroBlock = 6;
constexpr uint64_t V = 1 << 2, Zbb = 1 << 4, Zicboz = 1 << 6, Zbc = 1 << 7,
                   Zawrs = uint64_t(1) << 48;

TEST(Riscv64, NothingAnsweredIsNothingThere) {
  EXPECT_EQ(probed({}).has, 0u);
  EXPECT_EQ(probed({{-1, ~uint64_t(0)}, {-1, 64}}).has, 0u);
}

TEST(Riscv64, EachBitIsItsExtension) {
  EXPECT_EQ(probed({{Extensions, Zbb}}).has, MEMLIFT_RISCV64_ZBB);
  EXPECT_EQ(probed({{Extensions, V}}).has, MEMLIFT_RISCV64_V);
  EXPECT_EQ(probed({{Extensions, Zbb | Zbc}}).has, MEMLIFT_RISCV64_ZBB | MEMLIFT_RISCV64_ZBC);
  EXPECT_EQ(probed({{Extensions, Zawrs}}).has, MEMLIFT_RISCV64_ZAWRS);
  EXPECT_EQ(probed({{Extensions, ~(V | Zbb | Zbc | Zicboz | Zawrs)}}).has, 0u);
}

TEST(Riscv64, ProductsWantTurnedBytesAsWell) { EXPECT_EQ(probed({{Extensions, Zbc}}).has, 0u); }

// Off now; off now and for programs it becomes; on; not known to the system.
TEST(Riscv64, VectorsMayBeForbidden) {
  for (long forbidden : {1, 0x11, 0x15})
    EXPECT_EQ(probed({{Extensions, V | Zbb}}, forbidden).has, MEMLIFT_RISCV64_ZBB) << forbidden;
  for (long allowed : {2, 0x12, 0, -22, -1})
    EXPECT_EQ(probed({{Extensions, V}}, allowed).has, MEMLIFT_RISCV64_V) << allowed;
}

// A wrong size would clear too much: without an answer, or with one that makes no sense, no blocks.
TEST(Riscv64, BlocksOfZerosWantASize) {
  EXPECT_EQ(probed({{Extensions, Zicboz}}).has, 0u);
  EXPECT_EQ(probed({{Extensions, Zicboz}, {-1, 64}}).has, 0u);
  EXPECT_EQ(probed({{ZeroBlock, 64}}).zero_block, 0u);
  for (uint64_t size : {uint64_t(0), uint64_t(1), uint64_t(48), uint64_t(8192), ~uint64_t(0)})
    EXPECT_EQ(probed({{Extensions, Zicboz}, {ZeroBlock, size}}).has, 0u) << size;
  for (uint64_t size : {16, 32, 64, 128, 4096}) {
    Features f = probed({{Extensions, Zicboz}, {ZeroBlock, size}});
    EXPECT_EQ(f.has, MEMLIFT_RISCV64_ZICBOZ);
    EXPECT_EQ(f.zero_block, size);
  }
}

TEST(Riscv64, WithoutVectorsNoneAreUsed) {
  Features before = memlift_riscv64_features();
  memlift_riscv64_assume({MEMLIFT_RISCV64_ZAWRS, 0}); // of no use to any kernel
  EXPECT_EQ(memlift_best_level(), MEMLIFT_LEVEL_BASE);
  memlift_riscv64_assume({MEMLIFT_RISCV64_ZBB, 0});
  memlift_choose_kernels();
  EXPECT_EQ(memlift_copy_now, memlift_copy_riscv64_base);
  EXPECT_EQ(memlift_crc_now, memlift_crc_generic);
  EXPECT_EQ(memlift_fill_now, memlift_fill_riscv64_base);
  EXPECT_EQ(memlift_swap_now, memlift_swap_riscv64_zbb);
  memlift_riscv64_assume({MEMLIFT_RISCV64_V, 0});
  memlift_choose_kernels();
  EXPECT_EQ(memlift_copy_now, memlift_copy_riscv64_v);
  EXPECT_EQ(memlift_crc_now, memlift_crc_generic);
  EXPECT_EQ(memlift_swap_now, memlift_swap_riscv64_v);
  EXPECT_EQ(memlift_sum_now[MEMLIFT_SUM_SWAP16], memlift_sum_swap_u16_riscv64_v);
  EXPECT_EQ(memlift_sum_now[MEMLIFT_SUM_SWAP32], memlift_sum_swap_u32_riscv64_v);
  memlift_riscv64_assume(before);
  memlift_choose_kernels();
}
#endif

} // namespace
