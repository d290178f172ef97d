// stream_blocks_test.cpp - loops by blocks: what they leave, how they are cut, and their time
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "stream_support.h"

namespace {

// ---- Time ---------------------------------------------------------------------------------------

struct Timing {
  uint64_t blocks, percent;         // of D that C is
  unsigned channels, reads, writes; // arrays; none at all: one in place
};
std::ostream &operator<<(std::ostream &to, const Timing &t) {
  return to << t.blocks << " blocks, C/D " << t.percent << " %, channels: " << t.channels
            << ", arrays read: " << t.reads << ", written: " << t.writes;
}
class StreamTime : public testing::TestWithParam<Timing> {};

// A block is 64 iterations of a byte: no fewer have moved by a multiple of 64 bytes.
TEST_P(StreamTime, IsTheIdeal) {
  Timing p = GetParam();
  ModelStore store(4096);
  mover_model &model = store.model;
  model.setup = 1600;
  model.ns_per_kib = 1024 * 100;
  model.channels = p.channels;
  model.mover.worth = [](memlift_mover *) -> size_t { return 0; };
  bool inPlace = !p.reads && !p.writes;
  const uint64_t n = p.blocks, one = 8000, get = one * (inPlace ? 1 : p.reads),
                 put = one * (inPlace ? 1 : p.writes);
  const uint64_t d = p.channels == 1 ? get + put : std::max(get, put), c = d * p.percent / 100;
  Loop loop;
  loop.iterations = 64 * n;
  unsigned buffers = inPlace ? 3 : 2 * (p.reads + p.writes);
  loop.plan.store = buffers * (64 + 128); // for blocks of 64 iterations
  if (inPlace)
    loop.add(1, 1, in | out);
  for (unsigned i = 0; i < p.reads; ++i)
    loop.add(1, 1, in);
  for (unsigned i = 0; i < p.writes; ++i)
    loop.add(1, 1, out);
  Counts counts = compare(loop, &model, true, [&](uint64_t m) {
    EXPECT_EQ(m, 64u);
    mover_model_compute(&model, c);
  });
  EXPECT_EQ(counts.local, n);
  EXPECT_EQ(counts.direct, 0u);
  uint64_t ideal = get + (n - 1) * std::max(c, d) + c + put, time = model.now;
  EXPECT_LE(time, ideal);
  if (p.channels == 1) { // the part of all transfers that lay beside computing
    auto hidden =
        1 - (static_cast<double>(time) - static_cast<double>(n * c)) / static_cast<double>(n * d);
    double most = (1 - 1.0 / static_cast<double>(n)) *
                  std::min(1.0, static_cast<double>(c) / static_cast<double>(d));
    EXPECT_GE(hidden, 0.95 * most);
  }
  RecordProperty("permille_of_ideal", static_cast<int>(time * 1000 / ideal));
}

std::vector<Timing> timings() {
  std::vector<Timing> all;
  for (uint64_t blocks : {4, 16, 64})
    for (uint64_t percent : {50, 100, 200})
      for (unsigned channels : {1, 2})
        for (auto [reads, writes] : {std::pair{1u, 1u}, {0u, 0u}, {3u, 1u}, {1u, 3u}, {2u, 0u}})
          all.push_back({blocks, percent, channels, reads, writes});
  return all;
}
INSTANTIATE_TEST_SUITE_P(Cases, StreamTime, testing::ValuesIn(timings()));

// ---- Blocks -------------------------------------------------------------------------------------

TEST_F(Stream, GoesForwardsAndBackwards) {
  for (int64_t a : {4, -4, 12, -100})
    for (int64_t b : {4, -4, 8, -60}) {
      Loop loop;
      loop.iterations = 5000;
      loop.add(a, 4, in, 3);
      loop.add(b, static_cast<uint64_t>(std::abs(b)), out, 1);
      Counts counts = compare(loop, &store.model);
      EXPECT_GE(counts.local, 8u);
      EXPECT_EQ(counts.direct, 0u);
    }
}

TEST_F(Stream, BringsHalosAlong) {
  for (int64_t step : {4, -4}) {
    Loop loop;
    loop.iterations = 3000;
    loop.add(step, 200 + 4, in, 5); // FIR
    loop.add(step, 4, out);
    EXPECT_GE(compare(loop, &store.model).local, 8u);
  }
}

TEST_F(Stream, PutsBackInPlace) {
  for (int64_t step : {8, -8}) {
    Loop loop;
    loop.iterations = 3000;
    loop.add(step, 8, in | out, 3);
    EXPECT_GE(compare(loop, &store.model).local, 8u);
  }
}

TEST_F(Stream, GetsNothingOfWhatIsOnlyWritten) {
  Loop loop;
  loop.iterations = 3000;
  loop.add(8, 8, out);
  EXPECT_GE(compare(loop, &store.model).local, 8u);
  EXPECT_EQ(store.model.moved[MEMLIFT_GET], 0u);
  EXPECT_EQ(store.model.moved[MEMLIFT_PUT], 24000u);
}

// Bytes between the rows are neither read nor written.
TEST_F(Stream, MovesRowsAlone) {
  for (int64_t step : {500, -500, 129, 101, -164})
    for (uint32_t how : {in, out, in | out}) {
      uint64_t before = store.model.moved[0] + store.model.moved[1];
      Loop loop;
      loop.iterations = 200;
      loop.add(step, 100, how | rows, 7);
      loop.add(-step, 90, in | rows);
      EXPECT_GE(compare(loop, &store.model).local, 8u);
      uint64_t each = (how == (in | out) ? 200 : 100) + 90;
      EXPECT_EQ(store.model.moved[0] + store.model.moved[1] - before, 200 * each);
    }
}

TEST_F(Stream, MovesRowsThatFollowEachOtherAtOnce) {
  Loop loop;
  loop.iterations = 200;
  loop.add(100, 100, in | rows);
  loop.add(100, 100, out);
  EXPECT_GE(compare(loop, &store.model).local, 8u);
}

// Every block but the last has moved each access by a multiple of 64.
TEST_F(Stream, CutsWhereAllAlignmentsAreTheSame) {
  Loop loop;
  loop.iterations = 4001;
  loop.add(12, 12, in);
  loop.add(2, 2, out);
  std::vector<uint64_t> blocks;
  compare(loop, &store.model, true, [&](uint64_t m) { blocks.push_back(m); });
  ASSERT_GE(blocks.size(), 8u);
  for (size_t i = 0; i + 1 < blocks.size(); ++i)
    EXPECT_EQ(blocks[i] % 32, 0u);
}

// An eighth of the iterations where they are not.
TEST_F(Stream, TakesTheFastestBlocksWhereTimesAreKnown) {
  for (unsigned channels : {1, 2})
    for (uint64_t computing : {1, 4, 16}) {
      uint64_t longest = 0;
      auto time = [&](uint64_t cycles) {
        Loop loop;
        loop.iterations = 6000;
        loop.plan.cycles16 = static_cast<uint32_t>(16 * cycles);
        loop.add(4, 4, in);
        loop.add(4, 4, out);
        uint64_t start = store.model.now;
        longest = 0;
        compare(loop, &store.model, true, [&](uint64_t m) {
          longest = std::max(longest, m);
          mover_model_compute(&store.model, m * computing);
        });
        return store.model.now - start;
      };
      store.model.channels = channels;
      store.model.mover.cost = {};
      time(computing);
      EXPECT_EQ(longest, 672u);
      store.model.mover.cost = {100, 1000, channels, 16};
      uint64_t best = UINT64_MAX;
      for (uint64_t cycles = 1; cycles < 1000; cycles *= 2)
        best = std::min(best, time(cycles));
      EXPECT_LE(time(computing) * 100, best * 103) << channels << ' ' << computing;
      EXPECT_NE(longest, 672u);
      time(0); // not known
      EXPECT_EQ(longest, 672u);
    }
}

TEST_F(Stream, UsesNoMoreOfTheStoreThanAllowed) {
  for (uint64_t allowed : {1000, 2000, 9000, 32 << 10}) {
    Loop loop;
    loop.iterations = 20000;
    loop.plan.store = allowed;
    loop.add(8, 8, in);
    loop.add(8, 8, in | out);
    size_t least = SIZE_MAX;
    compare(loop, &store.model, true,
            [&](uint64_t) { least = std::min(least, memlift_store_largest(store.inside())); });
    EXPECT_GE(least + allowed, 32u << 10);
    EXPECT_LE(least + allowed, (32u << 10) + allowed / 2 + 512) << "and not much less";
    EXPECT_EQ(memlift_store_left(), 32u << 10);
  }
}

TEST_F(Stream, WorksInWhatIsLeftOfTheStore) {
  void *mine = memlift_store_alloc(28 << 10, 64);
  memset(mine, 7, 28 << 10);
  Loop loop;
  loop.iterations = 3000;
  loop.add(8, 8, in | out);
  EXPECT_GE(compare(loop, &store.model).local, 8u);
  for (size_t i = 0; i < 28 << 10; ++i)
    ASSERT_EQ(static_cast<unsigned char *>(mine)[i], 7);
}

TEST_F(Stream, HasNoBlockAfterTheLast) {
  Bytes memory(8000);
  memlift_stream_plan plan{1, 0, 0};
  memlift_stream_access access{memory.data(), 8, 8, in | out, 0};
  memlift_stream stream;
  memlift_stream_shift shift;
  memlift_stream_begin(&stream, &plan, &access, 1000);
  uint64_t iterations = 0, m;
  while ((m = memlift_stream_next(&stream, &shift)) != 0)
    iterations += m;
  EXPECT_EQ(iterations, 1000u);
  EXPECT_EQ(memlift_stream_next(&stream, &shift), 0u);
  memlift_stream_end(&stream);
  EXPECT_EQ(memlift_stream_next(&stream, &shift), 0u);
}

TEST_F(Stream, EndsEarlyIfTheCallerWantsNoMore) {
  Bytes memory = randomBytes(80000, 1), before = memory;
  memlift_stream_plan plan{1, 0, 0};
  memlift_stream_access access{memory.data(), 8, 8, in | out, 0};
  memlift_stream stream;
  memlift_stream_shift shift;
  memlift_stream_begin(&stream, &plan, &access, 10000);
  uint64_t m = memlift_stream_next(&stream, &shift);
  ASSERT_LT(m, 10000u);
  memset(memory.data() + shift.delta, 9, m * 8);
  memlift_stream_end(&stream);
  EXPECT_EQ(memory, [&] {
    Bytes expected = before;
    std::fill_n(expected.begin(), m * 8, 9);
    return expected;
  }());
  EXPECT_EQ(memlift_store_left(), 32u << 10);
  EXPECT_EQ(store.model.under_way, 0u);
}

// ---- One direct block ---------------------------------------------------------------------------

TEST_F(Stream, IsDirectWhereItDoesNotPay) {
  Loop loop;
  loop.iterations = 3;
  loop.add(4, 4, in);
  EXPECT_EQ(compare(loop).direct, 1u) << "too few bytes";
  loop.arrays.clear();
  loop.iterations = 100;
  loop.add(20000, 4, in);
  EXPECT_EQ(compare(loop).direct, 1u) << "no room for two windows";
  loop.arrays.clear();
  loop.iterations = 3000;
  loop.add(4, 4, in);
  store.model.mover.worth = [](memlift_mover *) -> size_t { return SIZE_MAX; };
  EXPECT_EQ(compare(loop).direct, 1u) << "no engine";
  store.model.mover.worth = [](memlift_mover *) -> size_t { return 64 << 10; };
  EXPECT_EQ(compare(loop).direct, 1u) << "two transfers that pay are more than all";
  store.model.mover.worth = [](memlift_mover *) -> size_t { return 32 << 10; };
  EXPECT_GE(compare(loop).local, 2u);
  store.model.mover.strided = 0;
  loop.arrays.clear();
  loop.add(64, 4, in | rows);
  EXPECT_EQ(compare(loop).direct, 1u) << "each row has a set-up";
  EXPECT_EQ(store.model.busy, 0u);
}

TEST_F(Stream, IsDirectWhereARuleIsBroken) {
  Bytes memory(100000);
  auto blocks = [&](std::vector<memlift_stream_access> accesses) {
    memlift_stream_plan plan{static_cast<uint32_t>(accesses.size()), 0, 0};
    memlift_stream stream;
    memlift_stream_shift shifts[20];
    uint64_t count = 0;
    memlift_stream_begin(&stream, &plan, accesses.data(), 1000);
    while (memlift_stream_next(&stream, shifts))
      count++;
    memlift_stream_end(&stream);
    return count;
  };
  void *p = memory.data();
  memlift_stream_access good{p, 8, 8, in, 0};
  EXPECT_GE(blocks({good}), 8u);
  EXPECT_EQ(blocks({}), 1u);
  EXPECT_EQ(blocks(std::vector<memlift_stream_access>(9, good)), 1u) << "too many accesses";
  EXPECT_EQ(blocks({{p, 0, 8, in, 0}}), 1u) << "no step";
  EXPECT_EQ(blocks({{p, 8, 0, in, 0}}), 1u) << "no bytes";
  EXPECT_EQ(blocks({{p, 8, 8, 0, 0}}), 1u) << "neither read nor written";
  EXPECT_EQ(blocks({{p, 8, 8, in | 8, 0}}), 1u) << "a bit without a meaning";
  EXPECT_EQ(blocks({{p, 8, 4, out, 0}}), 1u) << "a gap in what is written";
  EXPECT_EQ(blocks({{p, 8, 12, in | out, 0}}), 1u) << "a halo of what is written";
  EXPECT_EQ(blocks({{p, 8, 12, out | rows, 0}}), 1u) << "rows that overlap";
  EXPECT_EQ(blocks({{p, INT64_MIN, 8, in, 0}}), 1u);
  EXPECT_EQ(blocks({{p, INT64_MAX, 8, in | rows, 0}}), 1u);
  EXPECT_EQ(blocks({{p, 8, UINT64_MAX, in, 0}}), 1u);
  EXPECT_EQ(memlift_store_left(), 32u << 10);
}

} // namespace
