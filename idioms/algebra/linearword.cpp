// linearword.cpp - divides a linear word into moves of bits and look-ups
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "linearword.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace memlift {

constexpr unsigned mostIndexBits = 8; // tables have 256 entries

static bool isMixed(uint64_t column) { return (column & (column - 1)) != 0; }

static unsigned placeOf(uint64_t bit) {
  unsigned place = 0;
  while (bit >>= 1)
    ++place;
  return place;
}

/// Returns the exclusive-or of the columns for each index.
static std::vector<uint64_t> entriesOf(const uint64_t *columns, unsigned bits) {
  std::vector<uint64_t> entries = {0};
  for (unsigned b = 0; b < bits; ++b)
    for (size_t i = 0, n = entries.size(); i < n; ++i)
      entries.push_back(entries[i] ^ columns[b]);
  return entries;
}

constexpr int nowhere = 64; // no move

/// Returns the bits of the index that may come from an input whose bit `low` is bit 0 of the index:
/// those with the same column, or one that has a bit more, which is moved `up` places. `low` may be
/// negative.
static uint64_t sharedBits(const BitLookUp &l, const std::vector<uint64_t> &columns, int low,
                           int up) {
  uint64_t shared = 0;
  for (unsigned b = 0; b < l.bits; ++b) {
    int from = low + int(b);
    uint64_t column = l.entries[size_t(1) << b];
    if (!column || from < 0 || from >= int(columns.size()))
      continue;
    uint64_t own = columns[size_t(from)], more = own ^ column;
    bool moved =
        up != nowhere && isMixed(own) && more && !isMixed(more) && int(placeOf(more)) - from == up;
    if (own && (!more || moved))
      shared |= uint64_t(1) << b;
  }
  return shared;
}

/// Returns how far single bits by which the columns differ would be moved, and `nowhere` first.
static std::vector<int> distancesOf(const BitLookUp &l, const std::vector<uint64_t> &columns,
                                    int low) {
  std::vector<int> found = {nowhere};
  for (unsigned b = 0; b < l.bits; ++b) {
    int from = low + int(b);
    if (from < 0 || from >= int(columns.size()))
      continue;
    uint64_t own = columns[size_t(from)], more = own ^ l.entries[size_t(1) << b];
    if (!isMixed(own) || !more || isMixed(more))
      continue;
    int up = int(placeOf(more)) - from;
    if (std::find(found.begin(), found.end(), up) == found.end())
      found.push_back(up);
  }
  return found;
}

static unsigned countOf(uint64_t bits) {
  unsigned n = 0;
  for (; bits; bits &= bits - 1)
    ++n;
  return n;
}

/// Adds the input to the index of a look-up that has most of its columns, and leaves the bits by
/// which they differ. Returns false if none has more than one of those that are mixed; half of the
/// index, if bits are left that have to be moved.
static bool share(unsigned input, std::vector<uint64_t> &columns, LookUpPlan &plan) {
  BitLookUp *best = nullptr;
  BitLookUp::From from{input, 0, 0};
  for (BitLookUp &l : plan.lookUps)
    for (int low = 1 - int(l.bits); low < int(columns.size()); ++low)
      for (int up : distancesOf(l, columns, low)) {
        uint64_t shared = sharedBits(l, columns, low, up);
        unsigned least = std::max(up == nowhere ? 1u : l.bits / 2, countOf(from.mask));
        if (countOf(shared) > least)
          best = &l, from = {input, low, shared};
      }
  if (!best)
    return false;
  best->from.push_back(from);
  for (unsigned b = 0; b < best->bits; ++b)
    if (from.mask >> b & 1)
      columns[size_t(from.low + int(b))] ^= best->entries[size_t(1) << b];
  return true;
}

/// Covers the mixed bits of an input by look-ups, and clears the columns that these include.
static void lookUp(unsigned input, std::vector<uint64_t> &columns, LookUpPlan &plan) {
  unsigned width = unsigned(columns.size()), bits = std::min(mostIndexBits, width);
  while (std::any_of(columns.begin(), columns.end(), isMixed)) {
    if (share(input, columns, plan))
      continue;
    unsigned bit = 0;
    while (!isMixed(columns[bit]))
      ++bit;
    unsigned low = std::min(bit, width - bits);
    uint64_t mask = 0;
    for (unsigned b = 0; b < bits; ++b)
      mask |= uint64_t(columns[low + b] != 0) << b;
    plan.lookUps.push_back({{{input, int(low), mask}}, bits, entriesOf(&columns[low], bits)});
    std::fill_n(columns.begin() + low, bits, 0);
  }
}

/// The input with the most mixed bits comes first, so that others may share its look-ups; of those
/// with as many the one with the fewest bits in its columns, as others add bits that they move.
LookUpPlan planLookUps(const LinearWord &word) {
  LookUpPlan plan;
  std::vector<std::tuple<long, unsigned, unsigned>> order; // minus mixed bits, all bits, the input
  for (unsigned input = 0; input < word.columns.size(); ++input) {
    const std::vector<uint64_t> &columns = word.columns[input];
    unsigned bits = 0;
    for (uint64_t column : columns)
      bits += countOf(column);
    order.push_back({-std::count_if(columns.begin(), columns.end(), isMixed), bits, input});
  }
  std::sort(order.begin(), order.end());
  for (auto [mixed, bits, input] : order) {
    std::vector<uint64_t> columns = word.columns[input];
    lookUp(input, columns, plan);
    std::map<int, uint64_t> moves; // masks by distance
    for (unsigned bit = 0; bit < columns.size(); ++bit)
      if (columns[bit])
        moves[int(placeOf(columns[bit])) - int(bit)] |= uint64_t(1) << bit;
    for (auto [up, mask] : moves)
      plan.moves.push_back({input, mask, up});
  }
  return plan;
}

} // namespace memlift
