// local_store_test.cpp - local stores: whose they are, and what is allocated in them
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "store_support.h"

#include <algorithm>
#include <atomic>
#include <map>
#include <thread>

namespace {

constexpr size_t size = 64 << 10;

TEST(LocalStore, IsBoundOnceAndTakenAway) {
  EXPECT_EQ(memlift_store_left(), 0u);
  EXPECT_EQ(memlift_store_alloc(1, 1), nullptr);
  EXPECT_EQ(memlift_store_unbind(), MEMLIFT_NOT_PRESENT);
  EXPECT_EQ(memlift_store_release(), MEMLIFT_NOT_PRESENT);
  EXPECT_EQ(memlift_get(nullptr, nullptr, 0, 0), MEMLIFT_NOT_PRESENT);
  EXPECT_EQ(memlift_tag_fence(0), MEMLIFT_NOT_PRESENT);
  EXPECT_EQ(memlift_tags_wait(1, 0, 0, nullptr, nullptr), MEMLIFT_NOT_PRESENT);
  {
    BoundStore store(size);
    ASSERT_EQ(store.status, MEMLIFT_OK);
    EXPECT_EQ(memlift_store_left(), size);
    BoundStore second(size);
    EXPECT_EQ(second.status, MEMLIFT_BUSY);
  }
  EXPECT_EQ(memlift_store_left(), 0u);
  BoundStore again(size);
  EXPECT_EQ(again.status, MEMLIFT_OK);
}

TEST(LocalStore, RefusesWhatIsNoStore) {
  memlift_local_store store;
  alignas(64) unsigned char memory[256];
  EXPECT_EQ(memlift_store_bind(nullptr, memory, 256, 0), MEMLIFT_INVALID_ARGUMENT);
  EXPECT_EQ(memlift_store_bind(&store, nullptr, 256, 0), MEMLIFT_INVALID_ARGUMENT);
  EXPECT_EQ(memlift_store_bind(&store, memory, 256, 2), MEMLIFT_INVALID_ARGUMENT);
  EXPECT_EQ(memlift_store_bind(&store, memory, 63, 0), MEMLIFT_INVALID_ARGUMENT);
  EXPECT_EQ(memlift_store_bind(&store, memory + 1, 126, 0), MEMLIFT_INVALID_ARGUMENT);
  ASSERT_EQ(memlift_store_bind(&store, memory + 1, 127, 0), MEMLIFT_OK);
  EXPECT_EQ(memlift_store_left(), 64u);
  EXPECT_EQ(memlift_store_alloc(64, 64), memory + 64);
  EXPECT_EQ(memlift_store_unbind(), MEMLIFT_OK);
}

TEST(LocalStore, OfManyThreadsIsEachOnesOwn) {
  std::atomic<unsigned> bound{0}, wrong{0};
  auto user = [&](unsigned number) {
    for (int round = 0; round < 20; ++round) {
      BoundStore store(4096 + number * 64);
      bound += store.status == MEMLIFT_OK;
      std::this_thread::yield();
      wrong += memlift_store_left() != 4096 + number * 64;
      wrong += memlift_store_alloc(100, 64) != store.begin();
    }
    wrong += memlift_store_left() != 0;
  };
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < 16; ++i)
    threads.emplace_back(user, i);
  for (auto &thread : threads)
    thread.join();
  EXPECT_EQ(bound, 16u * 20);
  EXPECT_EQ(wrong, 0u);
  EXPECT_EQ(memlift_stores_bound, 0u);
}

TEST(LocalStore, OfOneThreadTooManyIsRefused) {
  std::atomic<unsigned> bound{0}, refused{0};
  std::atomic<bool> leave{false};
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < MEMLIFT_STORES + 1; ++i)
    threads.emplace_back([&] {
      BoundStore store(4096);
      bound += store.status == MEMLIFT_OK;
      refused += store.status == MEMLIFT_NO_RESOURCES;
      while (!leave)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    });
  while (bound + refused <= MEMLIFT_STORES)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  BoundStore mine(4096);
  EXPECT_EQ(mine.status, MEMLIFT_NO_RESOURCES);
  EXPECT_EQ(memlift_store_left(), 0u);
  leave = true;
  for (auto &thread : threads)
    thread.join();
  EXPECT_EQ(bound, static_cast<unsigned>(MEMLIFT_STORES));
  EXPECT_EQ(refused, 1u);
  BoundStore then(4096);
  EXPECT_EQ(then.status, MEMLIFT_OK);
}

TEST(LocalStoreAllocator, AlignsAndRefuses) {
  BoundStore store(size);
  auto *first = static_cast<unsigned char *>(memlift_store_alloc(1, 1));
  EXPECT_EQ(first, store.begin());
  EXPECT_EQ(memlift_store_left(), size - 64);
  auto *page = static_cast<unsigned char *>(memlift_store_alloc(65, 4096));
  EXPECT_EQ(page, store.begin() + 4096);
  EXPECT_EQ(memlift_store_alloc(0, 64), nullptr);
  EXPECT_EQ(memlift_store_alloc(64, 96), nullptr) << "not a power of two";
  EXPECT_EQ(memlift_store_alloc(64, static_cast<size_t>(1) << 63), nullptr);
  EXPECT_EQ(memlift_store_alloc(SIZE_MAX, 64), nullptr);
  EXPECT_EQ(memlift_store_alloc(size - 4096 - 128 + 1, 64), nullptr);
  EXPECT_EQ(memlift_store_alloc(size - 4096 - 128, 64), page + 128);
  EXPECT_EQ(memlift_store_left(), 4096u - 64) << "the gap before the page";
  memlift_store_free(page + 64); // nothing begins there
  memlift_store_free(nullptr);
  EXPECT_EQ(memlift_store_left(), 4096u - 64);
  memlift_store_free(page);
  EXPECT_EQ(memlift_store_left(), 4096u + 64);
  EXPECT_EQ(memlift_store_release(), MEMLIFT_OK);
  EXPECT_EQ(memlift_store_left(), size);
}

TEST(LocalStoreAllocator, HasSoManyPiecesAndNoMore) {
  BoundStore store(size);
  for (int i = 0; i < MEMLIFT_STORE_PIECES; ++i)
    ASSERT_EQ(memlift_store_alloc(1, 1), store.begin() + i * 64);
  EXPECT_EQ(memlift_store_alloc(1, 1), nullptr);
  EXPECT_EQ(memlift_store_left(), 0u);
  memlift_store_free(store.begin() + 64);
  EXPECT_EQ(memlift_store_left(), size - MEMLIFT_STORE_PIECES * 64);
  EXPECT_EQ(memlift_store_alloc(64, 64), store.begin() + 64) << "the gap is used first";
}

TEST(LocalStoreAllocator, OfRandomPiecesKeepsThemApart) {
  std::mt19937_64 random(testSeed());
  BoundStore store(size);
  std::map<unsigned char *, size_t> live;
  for (int i = 0; i < 20000; ++i) {
    if (live.size() > 100 || (!live.empty() && random() % 2)) {
      auto it = live.begin();
      std::advance(it, random() % live.size());
      memlift_store_free(it->first);
      live.erase(it);
      continue;
    }
    size_t wanted = 1 + random() % (random() % 8 ? 700 : 30000);
    size_t alignment = static_cast<size_t>(1) << random() % 13;
    size_t left = memlift_store_left();
    auto *p = static_cast<unsigned char *>(memlift_store_alloc(wanted, alignment));
    if (!p) {
      ASSERT_TRUE(alignment > 64 || (wanted + 63) / 64 * 64 > left) << testSeed();
      continue;
    }
    ASSERT_EQ(reinterpret_cast<uintptr_t>(p) % std::max<size_t>(alignment, 64), 0u);
    ASSERT_TRUE(p >= store.begin() && p + wanted <= store.begin() + size);
    auto after = live.lower_bound(p);
    ASSERT_TRUE(after == live.end() || p + wanted <= after->first) << testSeed();
    ASSERT_TRUE(after == live.begin() || std::prev(after)->first + std::prev(after)->second <= p);
    live[p] = wanted;
  }
  for (auto &[p, bytes] : live)
    memlift_store_free(p);
  EXPECT_EQ(memlift_store_left(), size);
}

} // namespace
