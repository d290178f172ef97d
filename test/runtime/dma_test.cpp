// dma_test.cpp - memlift_get, memlift_put, rows and lists; tags, fences, faults, lost transfers
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "store_support.h"

#include <cerrno>
#include <sys/wait.h>

namespace {

constexpr size_t storeBytes = 128 << 10;
constexpr uint64_t forEver = UINT64_MAX;

memlift_status waitAll() {
  return memlift_tags_wait(~0u, MEMLIFT_TAGS_ALL, forEver, nullptr, nullptr);
}

// Whoever moves, the bytes are those of memcpy.
enum Way { Cpu, Checked, Model, Unordered, Engine };
class Dma : public testing::TestWithParam<Way> {
protected:
  Dma() : store(storeBytes, GetParam() == Checked ? MEMLIFT_STORE_CHECKED : 0), random(testSeed()) {
    mover_model_init(&model, testSeed());
    model.setup = 100;
    model.ns_per_kib = 100;
    model.mover.worth = [](memlift_mover *) -> size_t { return 0; };
    model.reorders = GetParam() == Unordered;
    model.jitter = GetParam() == Unordered ? 1000 : 0;
    if (GetParam() == Model || GetParam() == Unordered)
      store.moveBy(&model.mover);
    if (GetParam() == Engine) {
      EXPECT_EQ(memlift_engine_start("soft"), MEMLIFT_OK);
    }
  }
  ~Dma() override {
    EXPECT_EQ(model.violations, 0u) << model.violation;
    if (GetParam() == Engine) {
      EXPECT_EQ(memlift_engine_stop(), MEMLIFT_OK);
    }
  }

  BoundStore store;
  mover_model model;
  std::mt19937_64 random;
};

TEST_P(Dma, MovesAnyLengthAtAnyAlignment) {
  ASSERT_EQ(store.status, MEMLIFT_OK);
  Bytes memory = randomBytes(9000, 1), back(9000), expected(9000);
  for (size_t length : {1, 2, 3, 7, 8, 15, 16, 31, 33, 63, 64, 65, 127, 200, 1000, 4096, 8191})
    for (size_t from = 0; from < 64; from += slow ? 13 : 3)
      for (size_t to : {0, 1, 8, 61}) {
        unsigned char *local = store.begin() + to;
        ASSERT_EQ(memlift_get(local, memory.data() + from, length, 3), MEMLIFT_OK);
        ASSERT_EQ(waitAll(), MEMLIFT_OK);
        ASSERT_EQ(memcmp(local, memory.data() + from, length), 0);
        ASSERT_EQ(memlift_put(back.data() + to, local, length, 4), MEMLIFT_OK);
        memcpy(expected.data() + to, memory.data() + from, length);
        ASSERT_EQ(waitAll(), MEMLIFT_OK);
        ASSERT_EQ(back, expected);
      }
}

TEST_P(Dma, MovesRowsOfAnyPitch) {
  Bytes memory = randomBytes(60000, 2), back(60000), expected(60000);
  for (int i = 0; i < (slow ? 40 : 400); ++i) {
    size_t width = 1 + random() % 300, rows = 1 + random() % 40;
    auto pitch = static_cast<ptrdiff_t>(width + random() % 3 * (random() % 100));
    auto localPitch = static_cast<ptrdiff_t>(width + random() % 3 * (random() % 100));
    unsigned char *local = store.begin() + random() % 64, *from = memory.data() + random() % 64;
    unsigned char *to = back.data() + random() % 64;
    if (random() % 4 == 0) { // from the last row to the first
      from += static_cast<ptrdiff_t>(rows - 1) * pitch;
      pitch = -pitch;
    }
    ASSERT_EQ(memlift_get_2d(local, localPitch, from, pitch, width, rows, 0), MEMLIFT_OK);
    ASSERT_EQ(waitAll(), MEMLIFT_OK);
    for (size_t y = 0; y < rows; ++y)
      ASSERT_EQ(memcmp(local + y * localPitch, from + static_cast<ptrdiff_t>(y) * pitch, width), 0);
    ptrdiff_t putPitch = std::abs(pitch);
    ASSERT_EQ(memlift_put_2d(to, putPitch, local, localPitch, width, rows, 0), MEMLIFT_OK);
    for (size_t y = 0; y < rows; ++y)
      memcpy(expected.data() + (to - back.data()) + y * putPitch, local + y * localPitch, width);
    ASSERT_EQ(waitAll(), MEMLIFT_OK);
    ASSERT_EQ(back, expected) << testSeed();
  }
}

TEST_P(Dma, GathersAndScattersLists) {
  Bytes memory = randomBytes(20000, 3), before = memory;
  memlift_piece pieces[] = {{&memory[100], 7}, {&memory[9000], 0}, {&memory[50], 33},
                            {nullptr, 0},      {&memory[7001], 1}, {&memory[12000], 5000}};
  ASSERT_EQ(memlift_get_list(store.begin() + 3, pieces, 6, 9), MEMLIFT_OK);
  ASSERT_EQ(waitAll(), MEMLIFT_OK);
  Bytes expected;
  for (auto &piece : pieces)
    expected.insert(expected.end(), static_cast<unsigned char *>(piece.address),
                    static_cast<unsigned char *>(piece.address) + piece.size);
  EXPECT_EQ(memcmp(store.begin() + 3, expected.data(), expected.size()), 0);
  std::fill(memory.begin(), memory.end(), 0);
  ASSERT_EQ(memlift_put_list(pieces, 6, store.begin() + 3, 9), MEMLIFT_OK);
  ASSERT_EQ(waitAll(), MEMLIFT_OK);
  for (auto &piece : pieces)
    if (piece.size) {
      EXPECT_EQ(memcmp(piece.address,
                       &before[static_cast<unsigned char *>(piece.address) - memory.data()],
                       piece.size),
                0);
    }
  EXPECT_EQ(memory[107], 0);
}

TEST_P(Dma, OfNothingDoesNothing) {
  EXPECT_EQ(memlift_get(nullptr, nullptr, 0, 0), MEMLIFT_OK);
  EXPECT_EQ(memlift_put_2d(nullptr, 5, nullptr, 5, 0, 7, 0), MEMLIFT_OK);
  EXPECT_EQ(memlift_put_2d(nullptr, 5, nullptr, 5, 7, 0, 0), MEMLIFT_OK);
  EXPECT_EQ(memlift_get_list(nullptr, nullptr, 0, 0), MEMLIFT_OK);
  EXPECT_EQ(waitAll(), MEMLIFT_OK);
}

TEST_P(Dma, RefusesWhatIsWrongBeforeItBegins) {
  unsigned char byte = 1;
  memlift_piece pieces[] = {{&byte, 1}, {nullptr, 1}};
  *store.begin() = 7;
  EXPECT_EQ(memlift_get(store.begin(), &byte, 1, 32), MEMLIFT_INVALID_ARGUMENT);
  EXPECT_EQ(memlift_get(nullptr, &byte, 1, 0), MEMLIFT_INVALID_ARGUMENT);
  EXPECT_EQ(memlift_put(nullptr, store.begin(), 1, 0), MEMLIFT_INVALID_ARGUMENT);
  EXPECT_EQ(memlift_get_2d(store.begin(), 1, &byte, 1, 2, SIZE_MAX, 0), MEMLIFT_INVALID_ARGUMENT);
  EXPECT_EQ(memlift_get_list(store.begin(), pieces, 2, 0), MEMLIFT_INVALID_ARGUMENT);
  EXPECT_EQ(memlift_get_list(store.begin(), nullptr, 1, 0), MEMLIFT_INVALID_ARGUMENT);
  EXPECT_EQ(memlift_tag_fence(32), MEMLIFT_INVALID_ARGUMENT);
  EXPECT_EQ(memlift_tags_wait(0, 0, 0, nullptr, nullptr), MEMLIFT_INVALID_ARGUMENT);
  EXPECT_EQ(memlift_tags_wait(1, 2, 0, nullptr, nullptr), MEMLIFT_INVALID_ARGUMENT);
  EXPECT_EQ(waitAll(), MEMLIFT_OK);
  EXPECT_EQ(*store.begin(), 7);
}

TEST_P(Dma, OfMoreTransfersThanThereAreSlotsGoesOn) {
  Bytes memory = randomBytes(300 * 100, 4);
  for (unsigned i = 0; i < 300; ++i)
    ASSERT_EQ(memlift_get(store.begin() + i * 100, &memory[i * 100], 100, i % 32), MEMLIFT_OK);
  ASSERT_EQ(waitAll(), MEMLIFT_OK);
  EXPECT_EQ(memcmp(store.begin(), memory.data(), memory.size()), 0);
}

TEST_P(Dma, KeepsErrno) {
  Bytes memory(100);
  errno = 12345;
  memlift_get(store.begin(), memory.data(), 100, 0);
  waitAll();
  EXPECT_EQ(errno, 12345);
}

// The bytes of a put, then those of a get of the same memory.
TEST_P(Dma, AfterAFenceComesLater) {
  for (int i = 0; i < 50; ++i) {
    Bytes memory(5000), one = randomBytes(5000, static_cast<uint64_t>(i));
    memcpy(store.begin(), one.data(), 5000);
    ASSERT_EQ(memlift_put(memory.data(), store.begin(), 5000, 7), MEMLIFT_OK);
    ASSERT_EQ(memlift_tag_fence(7), MEMLIFT_OK);
    ASSERT_EQ(memlift_get(store.begin() + 8192, memory.data(), 5000, 7), MEMLIFT_OK);
    ASSERT_EQ(waitAll(), MEMLIFT_OK);
    ASSERT_EQ(memcmp(store.begin() + 8192, one.data(), 5000), 0);
  }
}

std::string nameOf(const testing::TestParamInfo<Way> &info) {
  const char *names[] = {"Cpu", "Checked", "Model", "Unordered", "EnginesThread"};
  return names[info.param];
}
INSTANTIATE_TEST_SUITE_P(By, Dma, testing::Values(Cpu, Checked, Model, Unordered, Engine), nameOf);

// ---- Tags ---------------------------------------------------------------------------------------

class Tags : public testing::Test {
protected:
  Tags() : store(storeBytes) {
    store.model.setup = 1000;
    store.model.ns_per_kib = 1024; // a byte in a nanosecond
    store.model.mover.worth = [](memlift_mover *) -> size_t { return 0; };
  }
  ModelStore store;
  Bytes memory = randomBytes(storeBytes, 5);
  uint32_t done = 0;
};

TEST_F(Tags, AreDoneWhenTheirTransfersAre) {
  memlift_get(store.begin(), &memory[0], 1000, 1);           // ends at 2000
  memlift_get(store.begin() + 4096, &memory[4096], 1000, 2); // at 4000
  memlift_get(store.begin() + 8192, &memory[8192], 1000, 1); // at 6000
  EXPECT_EQ(memlift_tags_wait(6, MEMLIFT_TAGS_ANY, 0, &done, nullptr), MEMLIFT_BUSY);
  EXPECT_EQ(done, 0u);
  EXPECT_EQ(memlift_tags_wait(6, MEMLIFT_TAGS_ANY, 3000, &done, nullptr), MEMLIFT_PENDING);
  EXPECT_EQ(store.model.now, 3000u);
  EXPECT_EQ(done, 0u) << "the last one of tag 1 is under way";
  EXPECT_EQ(memlift_tags_wait(6, MEMLIFT_TAGS_ANY, forEver, &done, nullptr), MEMLIFT_OK);
  EXPECT_EQ(done, 4u);
  EXPECT_EQ(store.model.now, 4000u);
  EXPECT_EQ(memlift_tags_wait(6, MEMLIFT_TAGS_ALL, 0, &done, nullptr), MEMLIFT_BUSY);
  EXPECT_EQ(done, 4u);
  EXPECT_EQ(memlift_tags_wait(6, MEMLIFT_TAGS_ALL, forEver, &done, nullptr), MEMLIFT_OK);
  EXPECT_EQ(done, 6u);
  EXPECT_EQ(store.model.now, 6000u);
  EXPECT_EQ(memlift_tags_wait(1u << 31, MEMLIFT_TAGS_ALL, 0, &done, nullptr), MEMLIFT_OK)
      << "nothing was begun with it";
}

// Two channels: the put, begun last, ends first.
TEST_F(Tags, AnyIsTheFirstThatEnds) {
  store.model.channels = 2;
  memlift_get(store.begin(), &memory[0], 50000, 1);
  memlift_put(&memory[60000], store.begin() + 60000, 10, 2);
  EXPECT_EQ(memlift_tags_wait(6, MEMLIFT_TAGS_ANY, forEver, &done, nullptr), MEMLIFT_OK);
  EXPECT_EQ(done, 4u);
  EXPECT_LT(store.model.now, 50000u);
  EXPECT_EQ(waitAll(), MEMLIFT_OK);
}

TEST_F(Tags, TellOfAFaultOnceWithItsPlace) {
  for (size_t byte : {0, 1, 999}) {
    store.model.faults.fail_at = store.model.started + 2;
    store.model.faults.fail_byte = byte;
    memlift_dma_fault fault{};
    memlift_get(store.begin(), &memory[0], 1000, 1);
    memlift_put(&memory[4096], store.begin() + 4096, 1000, 2);
    EXPECT_EQ(memlift_tags_wait(2, MEMLIFT_TAGS_ALL, forEver, &done, &fault), MEMLIFT_OK)
        << "it is the other tag's";
    EXPECT_EQ(memlift_tags_wait(6, MEMLIFT_TAGS_ALL, forEver, &done, &fault), MEMLIFT_FAULT);
    EXPECT_EQ(done, 6u);
    EXPECT_EQ(fault.address, &memory[4096 + byte]);
    EXPECT_EQ(fault.bytes, byte);
    EXPECT_EQ(fault.tag, 2u);
    EXPECT_EQ(fault.put, 1u);
    EXPECT_EQ(memcmp(&memory[4096], store.begin() + 4096, byte), 0);
    EXPECT_EQ(memlift_tags_wait(6, MEMLIFT_TAGS_ALL, forEver, &done, &fault), MEMLIFT_OK);
  }
}

TEST_F(Tags, TellOfTheFaultsOfEachTag) {
  store.model.faults.bad = &memory[500];
  store.model.faults.bad_end = &memory[501];
  memlift_dma_fault fault{};
  memlift_get_2d(store.begin(), 128, &memory[0], 200, 100, 10, 30);
  memlift_get(store.begin() + 4096, &memory[450], 100, 4);
  EXPECT_EQ(memlift_tags_wait(~0u, MEMLIFT_TAGS_ALL, forEver, &done, &fault), MEMLIFT_FAULT);
  EXPECT_EQ(fault.tag, 4u);
  EXPECT_EQ(fault.bytes, 50u);
  EXPECT_EQ(fault.address, &memory[500]);
  EXPECT_EQ(memlift_tags_wait(~0u, MEMLIFT_TAGS_ALL, forEver, &done, &fault), MEMLIFT_OK)
      << "the rows leave that byte out";
  memlift_get_2d(store.begin(), 128, &memory[450], 40, 30, 3, 30);
  EXPECT_EQ(memlift_tags_wait(~0u, MEMLIFT_TAGS_ALL, forEver, &done, &fault), MEMLIFT_FAULT);
  EXPECT_EQ(fault.tag, 30u);
  EXPECT_EQ(fault.bytes, 30u + 10) << "through the rows";
  EXPECT_EQ(fault.address, &memory[500]);
  EXPECT_EQ(fault.put, 0u);
}

TEST_F(Tags, OfALostTransferAreDoneByTheCpu) {
  store.model.faults.lose_at = 1;
  memlift_get(store.begin(), &memory[0], 1000, 1);
  EXPECT_EQ(memlift_tags_wait(2, MEMLIFT_TAGS_ALL, 5000, nullptr, nullptr), MEMLIFT_PENDING);
  EXPECT_EQ(waitAll(), MEMLIFT_OK);
  EXPECT_EQ(store.model.aborted, 1u);
  EXPECT_EQ(memcmp(store.begin(), &memory[0], 1000), 0);
}

TEST_F(Tags, OfARefusedTransferAreDoneByTheCpu) {
  store.model.faults.busy_at = 1;
  memlift_get(store.begin(), &memory[0], 1000, 1);
  EXPECT_EQ(memlift_tags_wait(2, MEMLIFT_TAGS_ALL, 0, nullptr, nullptr), MEMLIFT_OK);
  EXPECT_EQ(memcmp(store.begin(), &memory[0], 1000), 0);
}

TEST_F(Tags, OfAReleasedStoreTouchNothing) {
  memlift_store_alloc(1000, 64);
  memlift_get(store.begin(), &memory[0], 1000, 1);
  EXPECT_EQ(memlift_store_release(), MEMLIFT_OK);
  EXPECT_EQ(store.model.aborted, 1u);
  memset(store.begin(), 1, 1000);
  mover_model_compute(&store.model, 100000);
  EXPECT_EQ(memlift_tags_wait(2, MEMLIFT_TAGS_ALL, 0, nullptr, nullptr), MEMLIFT_OK);
  EXPECT_EQ(store.begin()[0], 1);
  EXPECT_EQ(memlift_store_left(), storeBytes);
}

// Small transfers are not worth their set-up while nothing else is done.
TEST_F(Tags, OfSmallTransfersAreDoneByTheCpu) {
  mover_model plain;
  mover_model_init(&plain, 1);
  store.model.mover.worth = plain.mover.worth;
  memlift_get(store.begin(), &memory[0], 999, 1);
  EXPECT_EQ(store.model.started, 0u);
  memlift_get(store.begin(), &memory[0], 1000, 1);
  EXPECT_EQ(store.model.started, 1u);
  EXPECT_EQ(waitAll(), MEMLIFT_OK);
}

// ---- Bad addresses of the machine ---------------------------------------------------------------

TEST(DmaFaults, OfTheCpuAreToldIfChecked) {
  BoundStore store(storeBytes, MEMLIFT_STORE_CHECKED);
  ASSERT_EQ(store.status, MEMLIFT_OK);
  Guarded memory(1);
  memlift_dma_fault fault{};
  memlift_get(store.begin(), memory.end() - 100, 101, 5);
  EXPECT_EQ(memlift_tags_wait(64, MEMLIFT_TAGS_ALL, 0, nullptr, &fault), MEMLIFT_OK)
      << "it is another tag's";
  EXPECT_EQ(memlift_tags_wait(32, MEMLIFT_TAGS_ALL, 0, nullptr, &fault), MEMLIFT_FAULT);
  EXPECT_EQ(fault.address, memory.end() - 100 + fault.bytes);
  EXPECT_LE(fault.bytes, 100u);
  EXPECT_EQ(memcmp(store.begin(), memory.end() - 100, fault.bytes), 0);
  memlift_put(memory.end(), store.begin(), 8, 6);
  EXPECT_EQ(memlift_tags_wait(64, MEMLIFT_TAGS_ALL, 0, nullptr, &fault), MEMLIFT_FAULT);
  EXPECT_EQ(fault.address, memory.end());
  EXPECT_EQ(fault.bytes, 0u);
  EXPECT_EQ(fault.put, 1u);
  EXPECT_EQ(waitAll(), MEMLIFT_OK);
}

TEST(DmaFaultsDeathTest, OfTheCpuRaiseTheirSignalElse) {
  testing::GTEST_FLAG(death_test_style) = "threadsafe";
  BoundStore store(storeBytes);
  Guarded memory(1);
  EXPECT_DEATH(memlift_get(store.begin(), memory.end(), 1, 5), "");
}

// ---- The engine in use --------------------------------------------------------------------------

class ByEnginesThread : public testing::Test {
protected:
  ByEnginesThread() : store(1 << 20) { EXPECT_EQ(memlift_engine_start("soft"), MEMLIFT_OK); }
  ~ByEnginesThread() override { EXPECT_EQ(memlift_engine_stop(), MEMLIFT_OK); }
  static uint64_t submitted() {
    memlift_engine_counters counters{};
    memlift_engine_count(&counters, sizeof counters);
    return counters.submitted;
  }
  static constexpr size_t large = 300 << 10;
  BoundStore store;
  Bytes memory = randomBytes(2 * large, 6);
};

TEST_F(ByEnginesThread, LargeTransfersAreMoved) {
  uint64_t before = submitted();
  memlift_get(store.begin() + 5, &memory[1], large, 0);
  memlift_get_2d(store.begin() + 512 * 1024, 100, &memory[3], 200, 100, 100, 1);
  EXPECT_EQ(submitted() - before, 1u) << "the rows are small";
  EXPECT_EQ(waitAll(), MEMLIFT_OK);
  EXPECT_EQ(memcmp(store.begin() + 5, &memory[1], large), 0);
  Bytes back(large);
  memlift_put(back.data(), store.begin() + 5, large, 0);
  EXPECT_EQ(submitted() - before, 2u);
  EXPECT_EQ(waitAll(), MEMLIFT_OK);
  EXPECT_EQ(memcmp(back.data(), &memory[1], large), 0);
}

TEST_F(ByEnginesThread, RowsAreMovedOneByOne) {
  uint64_t before = submitted();
  size_t row = 256 << 10;
  Bytes wide = randomBytes(3 * row + 300, 7);
  memlift_get_2d(store.begin(), static_cast<ptrdiff_t>(row) + 64, &wide[0],
                 static_cast<ptrdiff_t>(row) + 100, row, 3, 0);
  EXPECT_EQ(submitted() - before, 3u);
  EXPECT_EQ(waitAll(), MEMLIFT_OK);
  for (size_t y = 0; y < 3; ++y)
    EXPECT_EQ(memcmp(store.begin() + y * (row + 64), &wide[y * (row + 100)], row), 0);
}

TEST_F(ByEnginesThread, ABadAddressIsToldAndRaisesNoSignal) {
  Guarded guarded(large);
  memlift_dma_fault fault{};
  size_t there = large - 10000;
  memlift_get(store.begin(), guarded.end() - there, large, 1);
  EXPECT_EQ(memlift_tags_wait(2, MEMLIFT_TAGS_ALL, forEver, nullptr, &fault), MEMLIFT_FAULT);
  EXPECT_EQ(fault.address, guarded.end());
  EXPECT_EQ(fault.bytes, there);
  mprotect(guarded.begin(), 4096, PROT_READ);
  memlift_put(guarded.begin(), store.begin(), large, 1);
  EXPECT_EQ(memlift_tags_wait(2, MEMLIFT_TAGS_ALL, forEver, nullptr, &fault), MEMLIFT_FAULT);
  EXPECT_EQ(fault.address, guarded.begin());
  EXPECT_EQ(fault.bytes, 0u);
}

TEST_F(ByEnginesThread, TransfersAreCompleteInAChild) {
#if defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "ThreadSanitizer allows no child of a program with threads";
#endif
  memlift_get(store.begin(), &memory[0], large, 0);
  pid_t child = fork();
  if (child == 0)
    _exit(waitAll() == MEMLIFT_OK && memcmp(store.begin(), &memory[0], large) == 0 ? 0 : 1);
  int status = 1;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(waitAll(), MEMLIFT_OK);
  EXPECT_EQ(memcmp(store.begin(), &memory[0], large), 0);
}

} // namespace
