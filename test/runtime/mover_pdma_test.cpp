// mover_pdma_test.cpp - loops by blocks and transfers through a thread's own channels of a PDMA
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "stream_support.h"

#include "engine/pdma/pdma_spec.h"
#include "model/memory.h"
#include "model/soc_model.h"
#include "tasks/mover_pdma.h"

namespace {

// The number of channels is the parameter.
class OwnPdma : public testing::TestWithParam<unsigned> {
protected:
  OwnPdma() : store(128 << 10) {}
  void SetUp() override {
    unsigned char one = 1, two = 0;
    if (memlift_model_read(&two, reinterpret_cast<uintptr_t>(&one), 1) != 1)
      GTEST_SKIP() << "process_vm_readv is refused by this system";
    memlift_soc_model = &model;
    reset({});
    ASSERT_EQ(memlift_mover_pdma_open(&pdma, &memlift_soc_model_bus, 0, channels()), MEMLIFT_OK);
    store.moveBy(&pdma.mover);
    isOpen = true;
  }
  void TearDown() override {
    if (isOpen) {
      uint32_t idle = 0;
      for (const memlift_pdma_job *own = pdma.own; own; own = own->next)
        idle |= 1u << own->channel;
      EXPECT_EQ(idle, channels()) << "a channel has not ended";
      EXPECT_EQ(pdma.idle | pdma.queued | pdma.running, 0u);
      memlift_mover_pdma_close(&pdma);
    }
    memlift_soc_model = nullptr;
  }
  // The second pair of channels, so that the numbers of the first are not taken for right.
  static uint32_t channels() { return ((1u << GetParam()) - 1) << (4 - GetParam()); }
  static void reset(const soc_faults &faults, uint64_t scatter = 0) {
    memlift_soc_model_reset(&model);
    model.faults = faults;
    model.scatter = scatter;
    model.looks = 3;
  }
  // A loop with all that stream.h allows but rows, large enough for the device.
  static Loop loop(uint64_t iterations = 20000) {
    Loop l;
    l.iterations = iterations;
    l.add(8, 8, in, 3);
    l.add(-8, 8, in | out, 1);
    l.add(4, 4, out, 60);
    return l;
  }

  static soc_model model;
  memlift_mover_pdma pdma;
  BoundStore store;
  bool isOpen = false;
};
soc_model OwnPdma::model;

TEST_P(OwnPdma, LeavesWhatThePlainLoopDoes) {
  Counts counts = compare(loop());
  EXPECT_GE(counts.local, 8u);
  EXPECT_EQ(counts.direct, 0u);
  EXPECT_EQ(model.transfers, 4 * counts.local);
  EXPECT_EQ(model.refused, 0u);
  EXPECT_EQ(model.refreshed, model.transfers);
}

TEST_P(OwnPdma, FindsPagesThatLieApart) {
  reset({}, 16 << 12);
  memlift_mover_pdma_close(&pdma);
  ASSERT_EQ(memlift_mover_pdma_open(&pdma, &memlift_soc_model_bus, 0, channels()), MEMLIFT_OK);
  Counts counts = compare(loop());
  EXPECT_GE(counts.local, 8u);
  EXPECT_GT(model.transfers, 4 * counts.local);
}

TEST_P(OwnPdma, MovesRows) {
  Loop l;
  l.iterations = 400;
  l.add(800, 600, in | rows, 3);
  l.add(700, 600, out | rows, 3);
  EXPECT_GE(compare(l).local, 8u);
  EXPECT_EQ(model.transfers, 800u);
}

TEST_P(OwnPdma, WithAFaultInAnyTransferLosesNothing) {
  compare(loop(4000));
  uint32_t all = model.transfers;
  for (uint32_t at = 1; at <= all && !HasFailure(); ++at)
    for (auto kind : {&soc_faults::error_at, &soc_faults::short_at, &soc_faults::silent_at,
                      &soc_faults::late_at}) {
      model.transfers = 0;
      model.faults = {};
      model.faults.*kind = at;
      model.faults.late = 50;
      ASSERT_LE(compare(loop(4000)).direct, 1u) << at;
    }
}

// A transfer that says that it is done, and that bytes are left; one that says nothing at all.
TEST_P(OwnPdma, BelievesNoHalfSuccess) {
  for (auto kind : {&soc_faults::short_at, &soc_faults::silent_at}) {
    model.transfers = 0;
    model.faults = {};
    model.faults.*kind = 2;
    memlift_dma_fault fault{};
    Bytes memory(8192);
    memlift_get_2d(store.begin(), 4096, &memory[0], 4096, 4096, 1, 1);
    memlift_get(store.begin() + 4096, &memory[4096], 4096, 2);
    EXPECT_EQ(memlift_tags_wait(6, MEMLIFT_TAGS_ALL, UINT64_MAX, nullptr, &fault), MEMLIFT_FAULT);
    EXPECT_EQ(fault.tag, 2u);
    EXPECT_EQ(fault.bytes, 0u);
    EXPECT_EQ(memlift_tags_wait(6, MEMLIFT_TAGS_ALL, 0, nullptr, &fault), MEMLIFT_OK);
  }
}

// More transfers than channels, and more than the queue has room for.
TEST_P(OwnPdma, QueuesWhatFindsNoChannel) {
  Bytes memory = randomBytes(4096 * 30, 1);
  for (size_t i = 0; i < 30; ++i)
    ASSERT_EQ(memlift_get(store.begin() + 4096 * i, &memory[4096 * i], 4096, 5), MEMLIFT_OK);
  ASSERT_EQ(memlift_tags_wait(32, MEMLIFT_TAGS_ALL, UINT64_MAX, nullptr, nullptr), MEMLIFT_OK);
  EXPECT_EQ(memcmp(store.begin(), memory.data(), memory.size()), 0);
  EXPECT_EQ(model.transfers, 30u);
  Bytes back(4096 * 30);
  for (int iteration = 0; iteration < 2; ++iteration)
    for (size_t i = 0; i < 30; ++i)
      ASSERT_EQ(memlift_put(&back[4096 * i], store.begin() + 4096 * i, 4096, 5), MEMLIFT_OK);
  ASSERT_EQ(memlift_tags_wait(32, MEMLIFT_TAGS_ALL, UINT64_MAX, nullptr, nullptr), MEMLIFT_OK);
  EXPECT_EQ(memory, back);
}

// Transfers that have ended, and whose end nobody has been told, while their channels do others.
TEST_P(OwnPdma, KeepsAnEndUntilItIsAskedFor) {
  const size_t first = GetParam(), all = first + 2;
  Bytes memory = randomBytes(4096 * all, 1);
  std::vector<memlift_transfer> transfers(all);
  std::vector<uint64_t> tickets(all);
  size_t moved = 0;
  auto start = [&](size_t i) {
    transfers[i] = {store.begin() + 4096 * i, &memory[4096 * i], 4096, 1, 0, 0, MEMLIFT_GET};
    return pdma.mover.start(&pdma.mover, &transfers[i], &tickets[i], &moved);
  };
  auto wait = [&](size_t i) {
    return pdma.mover.wait(&pdma.mover, tickets[i], UINT64_MAX, &moved);
  };
  for (size_t i = 0; i <= first; ++i)
    ASSERT_EQ(start(i), MEMLIFT_PENDING);
  ASSERT_EQ(wait(first), MEMLIFT_OK);
  ASSERT_EQ(start(first + 1), MEMLIFT_PENDING);
  for (size_t i = 0; i < first; ++i)
    ASSERT_NE(tickets[i], tickets[first + 1]);
  for (size_t i = 0; i < all; ++i)
    if (i != first) {
      ASSERT_EQ(wait(i), MEMLIFT_OK);
    }
  EXPECT_EQ(memcmp(store.begin(), memory.data(), memory.size()), 0);
}

TEST_P(OwnPdma, IsReleasedWithNothingUnderWay) {
  model.looks = 1000;
  Bytes memory = randomBytes(4096 * 8, 1);
  for (size_t i = 0; i < 8; ++i)
    memlift_get(store.begin() + 4096 * i, &memory[4096 * i], 4096, 5);
  uint32_t before = model.transfers;
  EXPECT_EQ(before, GetParam());
  EXPECT_EQ(memlift_store_release(), MEMLIFT_OK);
  memset(store.begin(), 1, 4096 * 8);
  memlift_soc_model_end_all(&model);
  EXPECT_EQ(store.begin()[0], 1);
  EXPECT_EQ(model.transfers, before) << "what was queued is forgotten";
}

TEST_P(OwnPdma, RefusesChannelsOfOthers) {
  memlift_mover_pdma second;
  EXPECT_EQ(memlift_mover_pdma_open(&second, &memlift_soc_model_bus, 0, 15), MEMLIFT_BUSY);
  EXPECT_EQ(memlift_mover_pdma_open(&second, &memlift_soc_model_bus, 0, 0),
            MEMLIFT_INVALID_ARGUMENT);
  EXPECT_EQ(memlift_mover_pdma_open(&second, &memlift_soc_model_bus, 0, 16),
            MEMLIFT_INVALID_ARGUMENT);
  memlift_mover_pdma_close(&pdma);
  isOpen = false;
  EXPECT_EQ(memlift_mover_pdma_open(&second, &memlift_soc_model_bus, 0, 15), MEMLIFT_OK);
  memlift_mover_pdma_close(&second);
}

// Costs of a transfer for the thread: its size, its addresses, and the word that runs it.
TEST_P(OwnPdma, StartsWithFourStores) {
  unsigned before = model.write_count;
  memlift_get(store.begin(), store.begin() + 8192, 4096, 0);
  EXPECT_EQ(model.write_count - before, 4u);
  EXPECT_EQ(memlift_tags_wait(1, MEMLIFT_TAGS_ALL, UINT64_MAX, nullptr, nullptr), MEMLIFT_OK);
}

INSTANTIATE_TEST_SUITE_P(Channels, OwnPdma, testing::Values(1, 2, 4));

} // namespace
