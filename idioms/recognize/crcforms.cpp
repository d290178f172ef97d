// crcforms.cpp - builds the matrix of a loop's state over GF(2)
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "crcforms.h"
#include "../knownzero.h"

#include <algorithm>

namespace memlift {

namespace {

constexpr size_t maxRecs = 4; // all orders of them are tried

/// Returns the bits of the state.
unsigned widthOf(const Loop &loop, const std::vector<uint32_t> &recs) {
  unsigned bits = 0;
  for (uint32_t rec : recs)
    bits += loop.recs[rec].width;
  return bits;
}

/// Evaluates the whole state; on failure the failing form is the last one.
bool formsOf(const Loop &loop, const Gf2State &state, Forms &forms) {
  forms.clear();
  for (uint32_t rec : state.recs) {
    Gf2Form earlier = forms.empty() ? Gf2Form() : forms.back();
    forms.push_back(gf2Of(loop, loop.recs[rec].next, state, earlier));
    if (!forms.back().ok)
      return false;
  }
  return true;
}

/// Returns the bits of the state that are 0 before the loop, the base of the
/// induction.
uint64_t knownZeroOf(const Loop &loop, const std::vector<uint32_t> &recs) {
  uint64_t zero = 0;
  unsigned at = 0;
  for (uint32_t rec : recs) {
    zero |= knownZero(loop.exprs, loop.recs[rec].init) << at;
    at += loop.recs[rec].width;
  }
  return zero;
}

/// Returns the bits of `zero` that are still 0 after an iteration.
uint64_t stillZero(const Forms &forms, uint64_t zero) {
  unsigned at = 0;
  for (const Gf2Form &f : forms)
    for (const Gf2Bit &bit : f.value) {
      if (bit.any())
        zero &= ~(uint64_t(1) << at);
      ++at;
    }
  return zero;
}

} // namespace

/// Both steps only move in one direction, so they end: the state grows to at most
/// four recurrences, and the zeros shrink.
bool closeState(const Loop &loop, Gf2State &state, Forms &forms, uint64_t assumed) {
  while (true) {
    // Start with the largest set that the induction can begin with, and shrink it.
    state.zero = knownZeroOf(loop, state.recs) | assumed;
    while (formsOf(loop, state, forms)) {
      uint64_t still = stillZero(forms, state.zero);
      if (still == state.zero)
        return true;
      state.zero = still;
    }
    // The evaluation failed; only adding a recurrence from outside the state may
    // help.
    int other = forms.back().mixedWith;
    if (other < 0 ||
        std::find(state.recs.begin(), state.recs.end(), uint32_t(other)) != state.recs.end())
      return false;
    state.recs.push_back(uint32_t(other));
    if (widthOf(loop, state.recs) > 64 || state.recs.size() > maxRecs)
      return false;
    std::sort(state.recs.begin(), state.recs.end());
  }
}

/// The forms have one row for each bit of the new state; the map needs one column for
/// each bit of the old state and of the bytes.
LinearMap mapOf(const Forms &forms, const std::vector<unsigned> &order) {
  std::vector<const Gf2Bit *> rows;
  for (const Gf2Form &f : forms)
    for (const Gf2Bit &bit : f.value)
      rows.push_back(&bit);
  auto column = [&](unsigned index) {
    uint64_t v = 0;
    for (unsigned r = 0; r < rows.size(); ++r)
      v |= uint64_t((*rows[r])[index]) << r;
    return v;
  };
  LinearMap map;
  for (unsigned j = 0; j < rows.size(); ++j)
    map.state.push_back(column(j));
  for (unsigned k : order)
    for (unsigned i = 0; i < 8; ++i)
      map.bytes.push_back(column(64 + 8 * k + i));
  map.constant = column(gf2One);
  return map;
}

/// A bit that no live-out uses may be anything, which lets a register have garbage
/// above it.
uint64_t usedOf(const Loop &loop, const std::vector<uint32_t> &recs) {
  uint64_t used = 0;
  for (const LiveOut &l : loop.liveOuts) {
    unsigned at = 0;
    for (uint32_t rec : recs) {
      if (l.rec == int(rec))
        used |= (l.used & maskOf(loop.recs[rec].width)) << at;
      at += loop.recs[rec].width;
    }
  }
  return used;
}

/// The order of the phrases is that of the steps which convert the state.
std::string textOf(const CrcRepresentation &representation, const std::string &poly) {
  std::string r = std::to_string(representation.crc.width - representation.shift) + " bits, " +
                  (representation.crc.reflected ? "" : "not ") + "reflected, polynomial " + poly;
  if (representation.bitsReversed || representation.bytesReversed)
    r += representation.bitsReversed ? ", its bits reversed" : ", its bytes reversed";
  if (representation.low)
    r += ", placed from bit " + std::to_string(representation.low) + " on";
  if (representation.mixed)
    r += ", exclusive-ored with a constant";
  if (representation.late)
    r += ", the message " + std::to_string(representation.late) + " steps late";
  return r;
}

} // namespace memlift
