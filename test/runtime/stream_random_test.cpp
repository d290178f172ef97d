// stream_random_test.cpp - loops at random by blocks, through transfers that fail at random
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "stream_support.h"

namespace {

class Generator {
public:
  explicit Generator(uint64_t seed) : random(seed) {}

  uint64_t below(uint64_t n) { return random() % n; }
  bool chance(unsigned percent) { return below(100) < percent; }

  Loop loop() {
    Loop l;
    const uint64_t some[] = {0, 1, 2, 3, 7, 63, 64, 65, 127, 128};
    l.iterations = chance(20) ? some[below(std::size(some))] : 1 + below(slow ? 600 : 2000);
    for (uint64_t count = 1 + below(chance(80) ? 3 : 8); count; --count)
      add(l);
    l.plan.store = chance(50) ? 0 : 500 + below(20000);
    l.plan.cycles16 = static_cast<uint32_t>(below(1000));
    return l;
  }

  void model(mover_model &m) {
    m.setup = below(2) * below(300);
    m.ns_per_kib = 1 + below(5000);
    m.channels = 1 + static_cast<unsigned>(below(2));
    m.reorders = chance(30);
    m.jitter = below(2) * below(20000);
    m.mover.strided = !chance(20);
    if (chance(80))
      m.mover.worth = [](memlift_mover *) -> size_t { return 0; };
    m.faults.fail_per_mille = chance(30) ? static_cast<uint32_t>(below(100)) : 0;
    m.faults.busy_per_mille = chance(20) ? static_cast<uint32_t>(below(100)) : 0;
    m.faults.lose_per_mille = chance(20) ? static_cast<uint32_t>(below(50)) : 0;
  }

  std::mt19937_64 random;

private:
  void add(Loop &l) {
    const uint64_t widths[] = {1, 2, 4, 8, 3, 12, 16, 64};
    uint64_t step = chance(70) ? widths[below(std::size(widths))] : 1 + below(200);
    uint32_t how = static_cast<uint32_t>(1 + below(3)) | (chance(30) ? rows : 0);
    uint64_t bytes = step, unread = 0;
    if (how & rows)
      bytes = 1 + below(how == (in | rows) ? step + 100 : step); // rows that are read may overlap
    else if (how == in)
      bytes = chance(50) ? 1 + below(step) : step + below(100); // gaps, halos
    if (!(how & out) && chance(30))
      unread = below(bytes);
    auto signedStep = static_cast<int64_t>(step);
    l.add(chance(30) ? -signedStep : signedStep, bytes, how, below(70), unread);
  }
};

// Memory and what is carried, as of the plain loop.
void runOne(uint64_t seed, Counts &counts) {
  Generator generate(seed);
  Loop loop = generate.loop();
  ModelStore store(1024 << generate.below(7), seed);
  generate.model(store.model);
  uint64_t computing = generate.below(3) * generate.below(5000);
  bool atEnd = generate.chance(50);
  std::vector<std::unique_ptr<Guarded>> guarded;
  std::vector<unsigned char *> base, begin;
  for (auto &a : loop.arrays) {
    guarded.push_back(std::make_unique<Guarded>(a.memory.size() + 1));
    begin.push_back(atEnd ? guarded.back()->end() - a.memory.size() : guarded.back()->begin());
    memcpy(begin.back(), a.memory.data(), a.memory.size());
    base.push_back(begin.back() + a.first);
  }
  if (generate.chance(20)) { // a bad byte that no iteration touches, or any
    size_t k = generate.below(loop.arrays.size()), size = loop.arrays[k].memory.size();
    store.model.faults.bad = begin[k] + generate.below(size + 1);
    store.model.faults.bad_end = store.model.faults.bad + 1;
  }
  uint64_t carried = loop.runByBlocks(
      base, counts, [&](uint64_t) { mover_model_compute(&store.model, computing); }, &store.model);
  ASSERT_EQ(carried, loop.runPlainly()) << "seed " << seed;
  for (size_t k = 0; k < loop.arrays.size(); ++k)
    ASSERT_EQ(memcmp(begin[k], loop.arrays[k].memory.data(), loop.arrays[k].memory.size()), 0)
        << "seed " << seed << ", array " << k;
  ASSERT_EQ(store.model.violations, 0u) << "seed " << seed << ": " << store.model.violation;
  ASSERT_EQ(store.model.under_way, 0u) << "seed " << seed;
  ASSERT_EQ(memlift_store_left(), 1024u * (store.inside()->units / 16)) << "seed " << seed;
}

TEST(StreamAtRandom, LeavesWhatThePlainLoopDoes) {
  const char *all = getenv("MEMLIFT_TEST_LONG");
  int loops = all ? 100000 : slow ? 300 : 1000;
  Counts counts;
  for (int i = 0; i < loops && !HasFatalFailure(); ++i)
    runOne(testSeed() + static_cast<uint64_t>(i), counts);
  EXPECT_GT(counts.local, static_cast<uint64_t>(loops)) << "most loops were direct";
  EXPECT_GT(counts.direct, static_cast<uint64_t>(loops) / 10);
}

} // namespace
