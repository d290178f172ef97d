// choose.cpp - chooses the symbols, addresses and memory of a trial
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A trial that the loop model's own facts rule out shows nothing. So values are drawn
// again until the trip counts are possible, and bases are mostly as aligned as the
// accesses need. Regions are close together, so that they overlap; the arena grows
// with a size that the loop model fixes.
#include "machine.h"

namespace memlift {

constexpr uint64_t usualArena = 8192, largestArena = uint64_t(1) << 19;
constexpr unsigned attempts = 24;

/// Bytes at the ends of their range.
static const uint8_t extremes[] = {0, 0xff, 0xff, 0, 1, 0xfe, 0x80, 0x7f};

/// Draws mostly small values, so that sizes fit the arena; sometimes any value.
void Machine::chooseSymbols() {
  syms.clear();
  ++moment;
  for (const Symbol &s : loop.syms) {
    uint64_t kind = random.below(8);
    Bytes v = fromWord(random.below(kind < 4 ? 48 : 300), s.width);
    if (kind >= 6)
      for (uint8_t &b : v)
        b = kind == 7 ? uint8_t(random.next()) : extremes[random.below(4)];
    if (s.width % 8)
      v.back() &= uint8_t(maskOf(s.width % 8));
    if (s.max && toWord(v) > s.max) // often the largest one, since limits show there
      v = fromWord(toWord(v) % 2 ? s.max : toWord(v) % s.max, s.width);
    syms.push_back(v);
  }
}

bool Machine::chooseTrips() {
  trips.clear();
  iterations = 1;
  for (const Dim &d : loop.dims) {
    uint64_t trip = word(d.trip);
    trips.push_back(trip);
    if (!loop.dataExits.empty())
      continue; // the loop ends at what it reads
    iterations = trip > maxIterations ? maxIterations + 1 : iterations * trip;
    if (iterations > maxIterations || (d.nonzero && !trip) || (d.maxTrip && trip > d.maxTrip))
      return false;
  }
  return true;
}

/// Returns the bytes that one access covers, as far as the loop model fixes it.
uint64_t Machine::constantExtent() const {
  uint64_t most = 0;
  for (const Access &a : loop.accesses) {
    uint64_t extent = g.isConst(a.bytes) ? g[a.bytes].value : 0;
    for (size_t k = 0; k < a.step.size() && k < loop.dims.size(); ++k) {
      if (!loop.dataExits.empty() || !g.isConst(loop.dims[k].trip) || !g.isConst(a.step[k]))
        continue;
      int64_t step = signExtend(g[a.step[k]].value, g.width(a.step[k]));
      uint64_t by = std::min<uint64_t>(step < 0 ? -uint64_t(step) : step, 4096);
      extent += std::min(g[loop.dims[k].trip].value, largestArena) * by;
    }
    most = std::max(most, std::min(extent, largestArena));
  }
  return most;
}

uint64_t Machine::usualAlign(uint32_t base) const {
  uint64_t align = loop.bases[base].align;
  for (const Access &a : loop.accesses)
    if (a.base == base)
      align = std::max({align, a.align, a.proved});
  return std::min<uint64_t>(align, 1024);
}

void Machine::chooseBases(uint64_t extent) {
  uint64_t room = memory.size() - 2048 - extent;
  uint64_t centre = 1024 + random.below(room);
  bool apart = random.below(4) == 0;
  for (uint32_t i = 0; i < loop.bases.size(); ++i) {
    uint64_t spread = random.below(2) ? 64 : 1024;
    uint64_t align = random.below(8) ? usualAlign(i) : loop.bases[i].align;
    uint64_t at = centre + random.below(spread) - spread / 2;
    if (apart && i)
      at = (at + i * (memory.size() / 4)) % (memory.size() - 1024);
    at += arenaBase;
    // A distance of one element is a case of its own, and rare by chance.
    if (i && random.below(4) == 0)
      at = bases.back() + (uint64_t(1) << random.below(4));
    bases.push_back(at & ~(std::min<uint64_t>(align, 1024) - 1));
  }
}

/// Draws symbols with which the loop can run. Now and then, if the loop model has
/// assumptions, draws some that break them: trip counts mean nothing then, and the
/// loop model may describe another loop.
bool Machine::chooseValues() {
  for (unsigned i = 0; i < attempts; ++i) {
    chooseSymbols();
    assumed = true;
    for (const Assumption &a : loop.assumptions)
      assumed &= word(a.condition) != 0;
    if (!assumed && random.below(8) == 0)
      return true;
    if (assumed && chooseTrips())
      return true;
  }
  return false;
}

/// Stores the values that the loop model has for fixed places; false if two such
/// places overlap partly.
bool Machine::setFixed() {
  bool fit = true;
  std::vector<bool> set(memory.size());
  for (const Access &a : loop.accesses) {
    if (!a.fixed || a.store || a.value == NoExpr)
      continue;
    uint64_t at = (bases[a.base] + word(a.offset)) & maskOf(loop.ptrBits);
    Bytes v = byAddress(eval(a.value));
    for (uint64_t i = 0; i < v.size() && inArena(at, v.size()); ++i) {
      uint64_t byte = at - arenaBase + i;
      fit &= !set[byte] || memory[byte] == v[i];
      memory[byte] = v[i];
      set[byte] = true;
    }
  }
  ++moment;
  return fit;
}

/// Gives most bytes one value, often one that the loop compares with. In random memory, loops that
/// end at a difference do so at once.
void Machine::levelMemory() {
  uint8_t most = uint8_t(1 + random.below(255));
  if (!syms.empty() && random.below(2))
    most = uint8_t(toWord(syms[random.below(syms.size())]));
  uint64_t rare = 8 + random.below(56);
  for (uint8_t &b : memory)
    if (random.below(rare))
      b = most;
}

bool Machine::choose() {
  uint64_t extent = constantExtent();
  memory.resize(usualArena);
  while (extent > memory.size() / 4 && memory.size() < largestArena)
    memory.resize(2 * memory.size());
  if (extent > memory.size() / 4)
    return false;
  maxIterations = std::max(maxIterations, 2 * extent);
  uint8_t *const bytes = memory.data();
  for (size_t i = 0; i < memory.size(); i += 8)
    for (uint64_t k = 0, v = random.next(); k < 8; ++k)
      bytes[i + k] = uint8_t(v >> (8 * k));
  if (random.below(4) == 0) // values with which carries chain, or never occur
    for (uint8_t &b : memory)
      b = extremes[b % 8];
  chooseBases(extent);
  for (uint32_t i = 0; i < loop.bases.size(); ++i)
    if (loop.bases[i].align > 1024 && bases[i] % loop.bases[i].align)
      return false;
  if (!chooseValues())
    return false;
  iv.assign(loop.dims.size(), 0);
  if (!loop.dataExits.empty() && random.below(2))
    levelMemory();
  ok &= setFixed();
  loaded.resize(loop.accesses.size());
  touched.assign(loop.accesses.size(), std::vector<bool>(memory.size()));
  return ok;
}

} // namespace memlift
