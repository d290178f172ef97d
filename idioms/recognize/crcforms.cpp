// crcforms.cpp - what a loop carries, as a matrix over GF(2)
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "crcforms.h"
#include "known.h"

#include <algorithm>

namespace memlift {

namespace {

constexpr size_t maxParts = 4; // their orders are tried

unsigned widthOf(const Loop &loop, const std::vector<uint32_t> &recs) {
  unsigned bits = 0;
  for (uint32_t rec : recs)
    bits += loop.recs[rec].width;
  return bits;
}

/// The forms of all of the state; false with the failing one at the end.
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

uint64_t knownZeroOf(const Loop &loop, const std::vector<uint32_t> &recs) {
  uint64_t zero = 0;
  unsigned at = 0;
  for (uint32_t rec : recs) {
    zero |= knownZero(loop.exprs, loop.recs[rec].init) << at;
    at += loop.recs[rec].width;
  }
  return zero;
}

/// Of the bits that are 0 before an iteration, those that are 0 after it.
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

bool closeState(const Loop &loop, Gf2State &state, Forms &forms) {
  while (true) {
    state.zero = knownZeroOf(loop, state.recs);
    while (formsOf(loop, state, forms)) {
      uint64_t still = stillZero(forms, state.zero);
      if (still == state.zero)
        return true;
      state.zero = still;
    }
    int other = forms.back().mixedWith;
    if (other < 0 ||
        std::find(state.recs.begin(), state.recs.end(), uint32_t(other)) != state.recs.end())
      return false;
    state.recs.push_back(uint32_t(other));
    if (widthOf(loop, state.recs) > 64 || state.recs.size() > maxParts)
      return false;
    std::sort(state.recs.begin(), state.recs.end());
  }
}

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

std::string textOf(const HeldCrc &held, const std::string &poly) {
  std::string r = std::to_string(held.crc.width - held.shift) + " bits, " +
                  (held.crc.reflected ? "" : "not ") + "reflected, polynomial " + poly;
  if (held.bitsTurned || held.bytesTurned)
    r += held.bitsTurned ? ", held with its bits reversed" : ", held with its bytes reversed";
  if (held.low)
    r += ", held from bit " + std::to_string(held.low) + " on";
  if (held.mixed)
    r += ", held with a constant mixed in";
  if (held.late)
    r += ", the message " + std::to_string(held.late) + " steps late";
  return r;
}

} // namespace memlift
