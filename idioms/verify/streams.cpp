// streams.cpp - an interpreter of loops that are cut into blocks
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Transfers are as early and as late as a runtime may make them: the next block is read before this
// one is computed, and a block is written after the next one was computed. Bytes that were not
// read are poison.
#include "machine.h"

namespace memlift {

constexpr uint8_t poison = 0xa5;
constexpr uint64_t mostIterations = 5; // of a block

/// Returns the bytes of one stream in iterations [first, first + count), by address.
Machine::Window Machine::windowOf(const StreamAccess &a, uint64_t first, uint64_t count) {
  uint64_t step = word(a.step), bytes = word(a.bytes), low = word(a.base) + first * step;
  uint64_t last = low + (count - 1) * step;
  bool down = int64_t(step) < 0;
  Window w = {down ? last : low, {}};
  w.bytes.assign((down ? low - last : last - low) + bytes, poison);
  for (uint64_t i = 0; a.how & StreamAccess::In && i < w.bytes.size(); ++i)
    if (inArena(w.low + i, 1))
      w.bytes[i] = memory[w.low + i - arenaBase];
  return w;
}

/// Writes the iterations of a block. Returns false if they are not all in the arena.
bool Machine::writeBack(const StreamAccess &a, const Window &w, uint64_t first, uint64_t count) {
  uint64_t step = word(a.step), bytes = word(a.bytes);
  for (uint64_t t = first; t < first + count; ++t) {
    uint64_t at = word(a.base) + t * step;
    if (!inArena(at, bytes))
      return false;
    std::copy_n(w.bytes.begin() + long(at - w.low), bytes, memory.begin() + long(at - arenaBase));
  }
  return true;
}

/// Returns where an access of so many bytes finds them: in memory, or in its stream's block.
uint8_t *Machine::place(uint32_t index, uint64_t at, uint64_t n) {
  if (!plan)
    return memory.data() + (at - arenaBase);
  for (size_t k = 0; k < plan->accesses.size(); ++k)
    for (uint32_t one : plan->accesses[k].accesses)
      if (one == index) {
        Window &w = block[k];
        bool inside = at >= w.low && n <= w.bytes.size() && at - w.low <= w.bytes.size() - n;
        return inside ? w.bytes.data() + (at - w.low) : nullptr;
      }
  return memory.data() + (at - arenaBase);
}

/// Computes one block. Returns false if an access is outside its stream's window.
bool Machine::computeBlock(uint64_t first, uint64_t count, uint64_t &budget) {
  for (iv[0] = first; iv[0] < first + count; ++iv[0]) {
    ++moment;
    if (!iterate(1, budget))
      return false;
  }
  return true;
}

/// Runs the plan; returns "" or what is wrong with it.
std::string Machine::runStream(const StreamPlan &streams) {
  uint64_t iterations = word(streams.iterations), budget = maxIterations;
  if (iterations != trips[0])
    return "the number of iterations is another one";
  carried.clear();
  for (const Recurrence &r : loop.recs)
    carried.push_back(eval(r.init));
  auto read = [&](uint64_t first, uint64_t count) {
    std::vector<Window> all;
    for (const StreamAccess &a : streams.accesses)
      all.push_back(windowOf(a, first, count));
    return all;
  };
  auto write = [&](const std::vector<Window> &all, uint64_t first, uint64_t count) {
    bool good = true;
    for (size_t k = 0; k < all.size(); ++k)
      if (streams.accesses[k].how & StreamAccess::Out)
        good &= writeBack(streams.accesses[k], all[k], first, count);
    return good;
  };
  auto length = [&](uint64_t from) {
    return std::min(iterations - from, 1 + random.below(mostIterations));
  };
  std::vector<Window> before, after;
  uint64_t begun = 0, done = 0, first = 0, count = length(0); // the block before: [begun, done)
  block = read(0, count);
  while (first < iterations) {
    uint64_t next = first + count, nextCount = next < iterations ? length(next) : 0;
    if (nextCount)
      after = read(next, nextCount);
    plan = &streams;
    bool inside = computeBlock(first, count, budget);
    plan = nullptr;
    if (!inside)
      return "an access is outside its window";
    if (!write(before, begun, done - begun))
      return "writes memory that the loop does not";
    before = std::move(block);
    begun = first, done = next;
    block = std::move(after);
    first = next, count = nextCount;
  }
  return write(before, begun, done - begun) ? "" : "writes memory that the loop does not";
}

std::string Machine::runSpread(const SpreadPlan &spread) {
  uint64_t iterations = word(spread.iterations), budget = maxIterations;
  if (iterations != trips[0])
    return "the number of iterations is another one";
  carried.clear();
  for (const Recurrence &r : loop.recs)
    carried.push_back(eval(r.init));
  std::vector<std::pair<uint64_t, uint64_t>> blocks; // first, count
  for (uint64_t first = 0; first < iterations; first += blocks.back().second)
    blocks.push_back({first, std::min(iterations - first, 1 + random.below(mostIterations))});
  while (!blocks.empty()) {
    std::swap(blocks[random.below(blocks.size())], blocks.back());
    if (!computeBlock(blocks.back().first, blocks.back().second, budget))
      return "an access is outside of memory";
    blocks.pop_back();
  }
  return "";
}

} // namespace memlift
