// stream_support.h - loops over arrays as data: run plainly, or by blocks through a local store
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MEMLIFT_TEST_STREAM_SUPPORT_H
#define MEMLIFT_TEST_STREAM_SUPPORT_H

#include "store_support.h"

#include <memlift/stream.h>

#include <functional>

// How a loop uses an array, for the tests.
constexpr uint32_t in = MEMLIFT_STREAM_IN, out = MEMLIFT_STREAM_OUT, rows = MEMLIFT_STREAM_ROWS;

// An access with memory of its own. Bytes of the windows that the loop does not read are `unread`
// from the end of each window.
struct Array {
  int64_t step;
  uint64_t bytes;
  uint32_t how;
  uint64_t unread = 0;
  Bytes memory;     // of the plain loop, and where the streamed one begins
  size_t first = 0; // byte of memory of the window of iteration 0
};

// Results of a loop by blocks.
struct Counts {
  uint64_t local = 0, direct = 0; // blocks
};

// A loop that reads and writes its arrays, and carries a number from iteration to iteration.
class Loop {
public:
  std::vector<Array> arrays;
  uint64_t iterations = 0;
  memlift_stream_plan plan{0, 0, 0};

  // Adds an array, with random bytes, that begins at `lead` bytes into its memory.
  void add(int64_t step, uint64_t bytes, uint32_t how, size_t lead = 0, uint64_t unread = 0) {
    Array a{step, bytes, how, unread, {}, lead};
    uint64_t apart = static_cast<uint64_t>(step < 0 ? -step : step);
    size_t span = iterations ? (iterations - 1) * apart + bytes : 0;
    a.memory = randomBytes(lead + span, arrays.size() + 1);
    if (step < 0 && iterations)
      a.first += (iterations - 1) * apart;
    arrays.push_back(std::move(a));
    plan.count = static_cast<uint32_t>(arrays.size());
  }

  // One iteration: what it reads of all arrays makes what it writes to them.
  static uint64_t iteration(const std::vector<Array> &arrays, uint64_t t, uint64_t carried,
                            const std::function<unsigned char *(size_t)> &at) {
    for (size_t k = 0; k < arrays.size(); ++k)
      if (arrays[k].how & MEMLIFT_STREAM_IN)
        for (uint64_t i = 0; i < arrays[k].bytes - arrays[k].unread; ++i)
          carried = carried * 31 + at(k)[i];
    for (size_t k = 0; k < arrays.size(); ++k)
      if (arrays[k].how & MEMLIFT_STREAM_OUT)
        for (uint64_t i = 0; i < arrays[k].bytes; ++i)
          at(k)[i] = static_cast<unsigned char>((carried >> i % 50) + k + t);
    return carried;
  }

  // Runs the loop as it stands, on the arrays' own memory.
  uint64_t runPlainly() {
    uint64_t carried = 1;
    for (uint64_t t = 0; t < iterations; ++t)
      carried = iteration(arrays, t, carried, [&](size_t k) {
        return arrays[k].memory.data() + arrays[k].first + static_cast<int64_t>(t) * arrays[k].step;
      });
    return carried;
  }

  // Runs it by blocks on memory at `base`, a pointer to the window of iteration 0 for each array;
  // `compute` is called for each block when its buffers are in use.
  using Compute = std::function<void(uint64_t m)>;
  uint64_t runByBlocks(const std::vector<unsigned char *> &base, Counts &counts,
                       const Compute &compute, mover_model *model = nullptr) const {
    memlift_stream stream;
    memlift_stream_shift shifts[MEMLIFT_STREAM_ACCESSES];
    std::vector<memlift_stream_access> accesses;
    for (size_t k = 0; k < arrays.size(); ++k)
      accesses.push_back({base[k], arrays[k].step, arrays[k].bytes, arrays[k].how, 0});
    uint64_t carried = 1, t = 0, m;
    memlift_stream_begin(&stream, &plan, accesses.data(), iterations);
    accesses.assign(accesses.size(), {}); // they were copied
    while ((m = memlift_stream_next(&stream, shifts)) != 0) {
      bool local = false;
      for (size_t k = 0; k < arrays.size(); ++k) {
        check(k, shifts[k], local);
        if (local && model)
          use(*model, k, base[k], t, m, shifts[k]);
      }
      ++(local ? counts.local : counts.direct);
      for (uint64_t j = 0; j < m; ++j)
        carried = iteration(arrays, t + j, carried, [&](size_t k) {
          return base[k] + static_cast<int64_t>(t + j) * arrays[k].step + shifts[k].delta +
                 static_cast<int64_t>(j) * shifts[k].slope;
        });
      compute(m);
      for (size_t k = 0; model && k < arrays.size(); ++k)
        if (local)
          use(*model, k, base[k], t, m, shifts[k]); // still
      t += m;
    }
    EXPECT_EQ(t, iterations);
    memlift_stream_end(&stream);
    return carried;
  }

private:
  // A shift is as stream.h says.
  void check(size_t k, const memlift_stream_shift &shift, bool &local) const {
    EXPECT_EQ(shift.delta % 64, 0);
    EXPECT_EQ(shift.slope % 64, 0);
    if (!(arrays[k].how & MEMLIFT_STREAM_ROWS)) {
      EXPECT_EQ(shift.slope, 0);
    }
    if (k == 0)
      local = shift.delta != 0;
    EXPECT_EQ(shift.delta != 0, local) << "a block is local or direct as a whole";
    if (!local) {
      EXPECT_EQ(shift.slope, 0);
    }
  }

  void use(mover_model &model, size_t k, unsigned char *base, uint64_t t, uint64_t m,
           const memlift_stream_shift &shift) const {
    for (uint64_t j = 0; j < m; ++j)
      mover_model_use(&model,
                      base + static_cast<int64_t>(t + j) * arrays[k].step + shift.delta +
                          static_cast<int64_t>(j) * shift.slope,
                      arrays[k].bytes, (arrays[k].how & MEMLIFT_STREAM_OUT) != 0);
  }
};

constexpr auto nothing = [](uint64_t) {};

// Runs a loop both ways, with each array's memory between two guard pages, flush with one of them,
// and compares memory and what was carried.
inline Counts compare(Loop loop, mover_model *model = nullptr, bool atEnd = true,
                      const Loop::Compute &compute = nothing) {
  Counts counts;
  std::vector<std::unique_ptr<Guarded>> guarded;
  std::vector<unsigned char *> base, begin;
  for (auto &a : loop.arrays) {
    guarded.push_back(std::make_unique<Guarded>(a.memory.size() + 1));
    Guarded &g = *guarded.back();
    unsigned char *at = atEnd ? g.end() - a.memory.size() : g.begin();
    memcpy(at, a.memory.data(), a.memory.size());
    begin.push_back(at);
    base.push_back(at + a.first);
  }
  uint64_t carried = loop.runByBlocks(base, counts, compute, model);
  EXPECT_EQ(carried, loop.runPlainly());
  for (size_t k = 0; k < loop.arrays.size(); ++k)
    EXPECT_EQ(memcmp(begin[k], loop.arrays[k].memory.data(), loop.arrays[k].memory.size()), 0)
        << "array " << k;
  return counts;
}

// A thread with a store of 32 KiB, and the model as its mover.
class Stream : public testing::Test {
protected:
  Stream() : store(32 << 10) {
    store.model.setup = 100;
    store.model.ns_per_kib = 1000;
  }
  ModelStore store;
};

#endif
