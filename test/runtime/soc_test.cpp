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

#include <array>

namespace {

const memlift_operation both[] = {MEMLIFT_OPERATION_COPY, MEMLIFT_OPERATION_FILL};

// The model's registers under both engines, of which one is started.
class SocDevice : public testing::Test {
protected:
  explicit SocDevice(const memlift_engine *engine = &memlift_engine_pdma) : device(engine) {}
  const memlift_engine *device;
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
  void start(const soc_faults &faults = {}, uint64_t scatter = 0) {
    memlift_engine_stop();
    memlift_soc_model_reset(&model);
    model.faults = faults;
    model.scatter = scatter;
    ASSERT_EQ(memlift_engine_start(device->name), MEMLIFT_OK);
  }
  bool fills() const { return device == &memlift_engine_zdma; }
  static soc_model model;
};
soc_model SocDevice::model;

class Soc : public SocDevice, public testing::WithParamInterface<const memlift_engine *> {
protected:
  Soc() : SocDevice(GetParam()) {}
};

class PdmaClaims : public SocDevice {};

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

// Pages that are neighbours for the program are none for the engine.
TEST_P(Soc, ScatteredMemoryIsFoundPageByPage) {
  for (uint64_t scatter : {0x1000, 0x3000, 0x5000})
    for (auto operation : both)
      for (size_t size : {size_t(4096), size_t(100003), size_t(1 << 20), size_t(8 << 20)})
        for (size_t skew : {0, 3, 29}) {
          if ((operation == MEMLIFT_OPERATION_FILL && !fills()) ||
              (size > 1 << 20 && (sanitized || scatter != 0x1000 || skew != 3)))
            continue;
          start({}, scatter);
          Operation op(operation, size, skew);
          Counted counted;
          ASSERT_TRUE(op.offload(*GetParam()));
          ASSERT_TRUE(op.right()) << operation << ", " << size << ", " << skew;
          EXPECT_EQ(counted.since().faults, 0u);
          EXPECT_EQ(counted.since().time_outs, 0u);
          EXPECT_EQ(model.refreshed, model.transfers);
          if (fills() && operation == MEMLIFT_OPERATION_COPY) { // by lists, wherever a page ends
            EXPECT_EQ(counted.since().engine_bytes, bodyOf(op));
            EXPECT_GT(model.with_lists, 0u);
            EXPECT_LT(model.transfers, size < 1 << 20 ? UINT32_MAX : size / 4096 / 2);
          }
          EXPECT_GE(counted.since().engine_bytes, bodyOf(op) - bodyOf(op) / 32 - 128);
        }
}

TEST_P(Soc, EntryPointsUseIt) {
  Bytes from = randomBytes(1 << 20, 1), to(1 << 20);
  Counted counted;
  memlift_copy(to.data(), from.data(), to.size());
  EXPECT_EQ(to, from);
  memlift_fill64(to.data(), 0x1122334455667788u, to.size());
  ASSERT_TRUE(sameBytes(to, patternBytes(to.size(), 0x1122334455667788u)));
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

// A claim is what its owner and we have to tell each other: he has not started it yet, or is done
// with it.
TEST_F(PdmaClaims, AClaimedChannelIsLeftAlone) {
  const uintptr_t claimed = PDMA_BASE + 2 * PDMA_STRIDE;
  memlift_soc_model_bus.write(claimed, MEMLIFT_PDMA_CLAIM_MASK);
  for (bool fails : {false, true}) {
    model.faults.error_at = fails ? model.transfers + 2 : 0;
    model.write_count = 0;
    Operation op(MEMLIFT_OPERATION_COPY, 300000, 5);
    ASSERT_TRUE(op.offload(memlift_engine_pdma));
    EXPECT_TRUE(op.right());
    EXPECT_EQ(model.channel[2].number, 0u);
    for (unsigned i = 0; i < model.write_count && i < SOC_ACCESSES; ++i)
      EXPECT_NE(model.writes[i].address / PDMA_STRIDE, claimed / PDMA_STRIDE);
    for (unsigned c = 0; c < PDMA_CHANNELS; ++c) // ours are given back, after an error, too
      EXPECT_EQ(memlift_soc_model_bus.read(PDMA_BASE + c * PDMA_STRIDE) & 3u, c == 2 ? 1u : 0u)
          << c;
  }
  for (unsigned c = 0; c < PDMA_CHANNELS; ++c)
    memlift_soc_model_bus.write(PDMA_BASE + c * PDMA_STRIDE, MEMLIFT_PDMA_CLAIM_MASK);
  Operation op(MEMLIFT_OPERATION_COPY, 300000, 5);
  uint32_t before = model.transfers;
  EXPECT_TRUE(op.offload(memlift_engine_pdma)); // by the CPU: other software has claimed all
  EXPECT_TRUE(op.right());
  EXPECT_EQ(model.transfers, before);
}

// An abort releases the claim.
TEST_F(PdmaClaims, AnAbortGivesTheClaimBack) {
  model.faults.late_at = 1, model.faults.late = 50000;
  memlift_engine impatient = memlift_engine_pdma;
  impatient.timeout_ns = 1000000;
  Operation op(MEMLIFT_OPERATION_COPY, 200000, 7);
  ASSERT_TRUE(op.offload(impatient));
  EXPECT_TRUE(op.right());
  for (unsigned c = 0; c < PDMA_CHANNELS; ++c)
    EXPECT_EQ(memlift_soc_model_bus.read(PDMA_BASE + c * PDMA_STRIDE) & 3u, 0u) << c;
}

TEST_P(Soc, EveryFaultIsTheCpus) {
  for (int kind = 0; kind < 12; ++kind)
    for (uint32_t at : {1u, 3u}) {
      uint64_t scatter = kind < 6 ? 0 : 0x1000;
      soc_faults f = {};
      switch (kind % 6) {
      case 0: f.error_at = at; break;
      case 1: f.error_at = at, f.error_count = 1000; break;
      case 2: f.short_at = at; break;
      case 3: f.silent_at = at; break;
      case 4: f.list_at = at; break;
      default: f.late_at = at, f.late = 50000; // of 1 us each: past the time-out and all extensions
      }
      for (auto operation : both) {
        if (operation == MEMLIFT_OPERATION_FILL && !fills())
          continue;
        start(f, scatter);
        memlift_engine impatient = *GetParam();
        impatient.timeout_ns = 1000000;
        Operation op(operation, 200000, 7);
        Counted counted;
        ASSERT_TRUE(op.offload(impatient));
        memlift_soc_model_end_all(&model); // whatever is still under way
        ASSERT_TRUE(op.right()) << "fault " << kind << " at " << at;
        bool noticed = counted.since().faults + counted.since().time_outs > 0;
        bool isNone = fills() ? kind % 6 == 2 : kind % 6 == 4; // of this engine
        EXPECT_TRUE(noticed || isNone) << "fault " << kind << " at " << at;
      }
    }
}

INSTANTIATE_TEST_SUITE_P(Engines, Soc, testing::Values(&memlift_engine_pdma, &memlift_engine_zdma),
                         [](const auto &info) { return std::string(info.param->name); });

// Register writes of a transfer, worked out from the documents by hand.
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
    expect({{0x3000000, 1},
            {0x3000004, 0xff000000},
            {0x3000008, 64},
            {0x3000010, d},
            {0x3000018, s},
            {0x3000000, 3}});
    return;
  }
  expect({{0xfd500100, 0xffffffff},
          {0xfd500120, 0x0483d20f},
          {0xfd500110, 0},
          {0xfd500128, s & 0xffffffff},
          {0xfd50012c, s >> 32},
          {0xfd500138, d & 0xffffffff},
          {0xfd50013c, d >> 32},
          {0xfd500130, 64},
          {0xfd500140, 64},
          {0xfd500134, 0},
          {0xfd500144, 0},
          {0xfd500200, 1}});
  model.write_count = 0;
  ASSERT_TRUE(memlift_offload(GetParam(), &fill));
  expect({{0xfd500100, 0xffffffff},
          {0xfd500120, 0x0483d20f},
          {0xfd500110, 0x10},
          {0xfd500128, d & 0xffffffff},
          {0xfd50012c, d >> 32},
          {0xfd500138, d & 0xffffffff},
          {0xfd50013c, d >> 32},
          {0xfd500130, 64},
          {0xfd500140, 64},
          {0xfd500134, 0},
          {0xfd500144, 0},
          {0xfd500148, 0x44332211},
          {0xfd50014c, 0x88776655},
          {0xfd500150, 0x44332211},
          {0xfd500154, 0x88776655},
          {0xfd500200, 1}});
}

class ZdmaVectors : public SocVectors {};

// Whoever had the channel before, to feed a FIFO at one address, say.
TEST_P(ZdmaVectors, AttributesOfBeforeDoNotCount) {
  for (unsigned c = 0; c < ZDMA_CHANNELS; ++c)
    memlift_soc_model_bus.write(ZDMA_BASE + c * ZDMA_STRIDE + 0x120, 0);
  for (auto operation : both) {
    Operation op(operation, 300000, 5);
    Counted counted;
    ASSERT_TRUE(op.offload(*GetParam()));
    EXPECT_TRUE(op.right());
    EXPECT_EQ(counted.since().faults, 0u);
  }
}

// 128 bytes across the end of a page, from two that lie apart in another way: an entry each, and
// two.
TEST_P(ZdmaVectors, OfAList) {
  start({}, 0x1000);
  alignas(8192) static unsigned char from[8192], to[8192];
  uintptr_t s = reinterpret_cast<uintptr_t>(from), d = reinterpret_cast<uintptr_t>(to);
  memlift_request copy = {MEMLIFT_OPERATION_COPY, to + 4032, from + 4000, 0, 128};
  memset(from, 1, sizeof from);
  ASSERT_TRUE(memlift_offload(GetParam(), &copy));
  EXPECT_EQ(memcmp(to + 4032, from, 128), 0);
  ASSERT_EQ(model.with_lists, 1u);
  EXPECT_EQ(model.shared, 4u); // both regions and both lists
  uint64_t source = model.writes[3].value | model.writes[4].value << 32;
  uint64_t destination = model.writes[5].value | model.writes[6].value << 32;
  expect({{0xfd500100, 0xffffffff},
          {0xfd500120, 0x0483d20f},
          {0xfd500110, 0x40},
          {0xfd500158, source & 0xffffffff},
          {0xfd50015c, source >> 32},
          {0xfd500160, destination & 0xffffffff},
          {0xfd500164, destination >> 32},
          {0xfd500200, 1}});
  EXPECT_EQ(source % 16 + destination % 16, 0u);
  std::vector<std::array<uint64_t, 2>> wanted[2] = {
      {{s + 4096 + 4000, 96}, {s, 32 | uint64_t(2) << 35}}, // the last: STOP
      {{d + 4096 + 4032, 64}, {d, 64}}};
  for (int side = 0; side < 2; ++side)
    for (size_t i = 0; i < 2; ++i)
      for (size_t word = 0; word < 2; ++word) {
        uint64_t at = (side ? destination : source) + 16 * i + 8 * word, value = 0;
        unsigned char bytes[8];
        memcpy(bytes, reinterpret_cast<void *>(at ^ 0x1000), 8);
        for (int b = 0; b < 8; ++b)
          value |= uint64_t(bytes[b]) << 8 * b;
        EXPECT_EQ(value, wanted[side][i][word]) << side << ", " << i << ", " << word;
      }
}

INSTANTIATE_TEST_SUITE_P(Engines, ZdmaVectors, testing::Values(&memlift_engine_zdma),
                         [](const auto &info) { return std::string(info.param->name); });

INSTANTIATE_TEST_SUITE_P(Engines, SocVectors,
                         testing::Values(&memlift_engine_pdma, &memlift_engine_zdma),
                         [](const auto &info) { return std::string(info.param->name); });

TEST(SocAlone, IsNotThereUnderASystem) {
  EXPECT_EQ(memlift_engine_start("pdma"), MEMLIFT_NOT_PRESENT);
  EXPECT_EQ(memlift_engine_start("zdma"), MEMLIFT_NOT_PRESENT);
}

} // namespace
