// soc_test.cpp - the PDMA and ZDMA engines give the same bytes, whatever their channels say
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Defends contract 6 for them, on a model of the registers; examples/firmware runs them on QEMU's.

#include "engine_support.h"

#include "engine/pdma/pdma.h"
#include "engine/pdma/pdma_spec.h"
#include "engine/zdma/zdma.h"
#include "engine/zdma/zdma_spec.h"
#include "model/memory.h"
#include "model/soc_model.h"

namespace {

const memlift_operation both[] = {MEMLIFT_OPERATION_COPY, MEMLIFT_OPERATION_FILL};

class Soc : public testing::TestWithParam<const memlift_engine *> {
protected:
  void SetUp() override {
    unsigned char one = 1, two = 0;
    if (memlift_model_read(&two, reinterpret_cast<uintptr_t>(&one), 1) != 1)
      GTEST_SKIP() << "process_vm_readv is refused by this system";
    memlift_soc_model = &model;
    memlift_pdma_use(&memlift_soc_model_bus, 0, 0);
    memlift_zdma_use(&memlift_soc_model_bus, 0, 0);
    start();
  }
  void TearDown() override {
    memlift_engine_stop();
    memlift_pdma_use(nullptr, 0, 0);
    memlift_zdma_use(nullptr, 0, 0);
    memlift_soc_model = nullptr;
  }
  void start(const soc_faults &faults = {}) {
    memlift_engine_stop();
    memlift_soc_model_reset(&model);
    model.faults = faults;
    ASSERT_EQ(memlift_engine_start(GetParam()->name), MEMLIFT_OK);
  }
  bool fills() const { return GetParam() == &memlift_engine_zdma; }
  static soc_model model;
};
soc_model Soc::model;

TEST_P(Soc, SameBytesAtEverySizeAndSkew) {
  for (auto operation : both)
    for (size_t size : {size_t(64), size_t(127), size_t(4096), size_t(100003), size_t(3 << 20)})
      for (size_t skew : {0, 3, 29}) {
        if (sanitized && size > 1 << 20)
          continue;
        Operation op(operation, size, skew);
        bool takes = bodyOf(op) && (operation == MEMLIFT_OPERATION_COPY || fills());
        Counted counted;
        ASSERT_EQ(op.offload(*GetParam()), takes);
        if (!takes)
          continue;
        ASSERT_TRUE(op.right()) << operation << ", " << size << ", " << skew;
        EXPECT_EQ(counted.since().engine_bytes, bodyOf(op));
        EXPECT_EQ(counted.since().faults, 0u);
      }
  EXPECT_EQ(model.refused, 0u);
  EXPECT_EQ(model.refreshed, model.transfers);
  EXPECT_GE(model.shared, model.transfers);
}

TEST_P(Soc, EntryPointsUseIt) {
  Bytes from = randomBytes(1 << 20, 1), to(1 << 20);
  Counted counted;
  memlift_copy(to.data(), from.data(), to.size());
  EXPECT_EQ(to, from);
  memlift_fill64(to.data(), 0x1122334455667788u, to.size());
  for (size_t i = 0; i < to.size(); ++i)
    ASSERT_EQ(to[i], patternByte(0x1122334455667788u, 8, i));
  EXPECT_EQ(counted.since().operations, fills() ? 2u : 1u);
}

TEST_P(Soc, AChannelThatIsSomebodyElsesIsLeftAlone) {
  uintptr_t first = fills() ? ZDMA_BASE + MEMLIFT_ZDMA_ENABLE_OFFSET : PDMA_BASE;
  model.looks = 1000000;
  memlift_soc_model_bus.write(first, 1);
  if (!fills())
    memlift_soc_model_bus.write(first, 3);
  ASSERT_EQ(model.transfers, 1u);
  model.looks = 3;
  Operation op(MEMLIFT_OPERATION_COPY, 300000, 5);
  ASSERT_TRUE(op.offload(*GetParam()));
  EXPECT_TRUE(op.right());
  EXPECT_EQ(model.channel[0].number, 1u);
}

TEST_P(Soc, EveryFaultIsTheCpus) {
  for (int kind = 0; kind < 5; ++kind)
    for (uint32_t at : {1u, 3u}) {
      soc_faults f = {};
      switch (kind) {
      case 0: f.error_at = at; break;
      case 1: f.error_at = at, f.error_count = 1000; break;
      case 2: f.short_at = at; break;
      case 3: f.silent_at = at; break;
      default: f.late_at = at, f.late = 50000; // of 1 us each: past the time-out and all extensions
      }
      for (auto operation : both) {
        if (operation == MEMLIFT_OPERATION_FILL && !fills())
          continue;
        start(f);
        memlift_engine impatient = *GetParam();
        impatient.timeout_ns = 1000000;
        Operation op(operation, 200000, 7);
        Counted counted;
        ASSERT_TRUE(op.offload(impatient));
        memlift_soc_model_end_all(&model); // whatever is still under way
        ASSERT_TRUE(op.right()) << "fault " << kind << " at " << at;
        bool noticed = counted.since().faults + counted.since().time_outs > 0;
        EXPECT_TRUE(noticed || (kind == 2 && fills())) << "fault " << kind << " at " << at;
      }
    }
}

INSTANTIATE_TEST_SUITE_P(Engines, Soc, testing::Values(&memlift_engine_pdma, &memlift_engine_zdma),
                         [](const auto &info) { return std::string(info.param->name); });

// What a transfer writes into registers, worked out from the documents by hand.
class SocVectors : public Soc {
protected:
  void expect(const std::vector<std::pair<uintptr_t, uint64_t>> &wanted) {
    ASSERT_GE(model.write_count, wanted.size());
    for (size_t i = 0; i < wanted.size(); ++i) {
      EXPECT_EQ(model.writes[i].address, wanted[i].first) << i;
      EXPECT_EQ(model.writes[i].value, wanted[i].second) << i;
    }
  }
};

TEST_P(SocVectors, OfOneTransfer) {
  alignas(64) static unsigned char from[4096], to[4096];
  uintptr_t s = reinterpret_cast<uintptr_t>(from), d = reinterpret_cast<uintptr_t>(to);
  memlift_request copy = {MEMLIFT_OPERATION_COPY, to, from, 0, 64};
  memlift_request fill = {MEMLIFT_OPERATION_FILL, to, nullptr, 0x8877665544332211u, 64};
  ASSERT_TRUE(memlift_offload(GetParam(), &copy));
  if (!fills()) {
    expect({{0x3000000, 1}, {0x3000004, 0xff000000}, {0x3000008, 64}, {0x3000010, d}, {0x3000018, s},
            {0x3000000, 3}});
    return;
  }
  expect({{0xfd500100, 0xffffffff}, {0xfd500110, 0}, {0xfd500128, s & 0xffffffff},
          {0xfd50012c, s >> 32}, {0xfd500138, d & 0xffffffff}, {0xfd50013c, d >> 32},
          {0xfd500130, 64}, {0xfd500140, 64}, {0xfd500134, 0}, {0xfd500144, 0}, {0xfd500200, 1}});
  model.write_count = 0;
  ASSERT_TRUE(memlift_offload(GetParam(), &fill));
  expect({{0xfd500100, 0xffffffff}, {0xfd500110, 0x10}, {0xfd500128, d & 0xffffffff},
          {0xfd50012c, d >> 32}, {0xfd500138, d & 0xffffffff}, {0xfd50013c, d >> 32},
          {0xfd500130, 64}, {0xfd500140, 64}, {0xfd500134, 0}, {0xfd500144, 0},
          {0xfd500148, 0x44332211}, {0xfd50014c, 0x88776655}, {0xfd500150, 0x44332211},
          {0xfd500154, 0x88776655}, {0xfd500200, 1}});
}

INSTANTIATE_TEST_SUITE_P(Engines, SocVectors,
                         testing::Values(&memlift_engine_pdma, &memlift_engine_zdma),
                         [](const auto &info) { return std::string(info.param->name); });

TEST(SocAlone, IsNotThereUnderASystem) {
  EXPECT_EQ(memlift_engine_start("pdma"), MEMLIFT_NOT_PRESENT);
  EXPECT_EQ(memlift_engine_start("zdma"), MEMLIFT_NOT_PRESENT);
}

} // namespace
