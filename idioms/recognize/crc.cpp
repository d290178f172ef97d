// crc.cpp - is what the loop carries the shift register of a polynomial?
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   for (i..n) c = table[(c ^ p[i]) & 255] ^ (c >> 8);
//   for (i..n) { c ^= p[i]; eight times: c = c & 1 ? c >> 1 ^ P : c >> 1; }
//   for (i..n) { x = lo ^ p[i]; lo = hi ^ tl[x]; hi = th[x]; }
//
// The spelling is gone once the body is a matrix; algebra/shiftregister.h says
// which matrices are registers. The state is one recurrence, or all that are
// mixed with one another. Which of its bits are always 0 is proved by induction:
// they are 0 before the loop, and an iteration that finds them 0 leaves them 0.
// The limits: 64 bits of state in 4 recurrences, 23 bytes an iteration.
#include "../algebra/gf2.h"
#include "known.h"
#include "prover.h"

#include <algorithm>
#include <cstdio>
#include <set>

namespace memlift {

namespace {

constexpr size_t maxParts = 4; // their orders are tried

using Forms = std::vector<Gf2Form>; // as Gf2State::recs

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
    std::vector<std::pair<uint32_t, unsigned>> bytes;
    if (!forms.empty())
      bytes = forms.back().bytes;
    forms.push_back(gf2Of(loop, loop.recs[rec].next, state, bytes));
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

/// Adds recurrences to the state until none is mixed with one outside, then takes
/// bits out of its zeros until an iteration leaves them so.
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
    if (other < 0 || std::find(state.recs.begin(), state.recs.end(),
                               uint32_t(other)) != state.recs.end())
      return false;
    state.recs.push_back(uint32_t(other));
    if (widthOf(loop, state.recs) > 64 || state.recs.size() > maxParts)
      return false;
    std::sort(state.recs.begin(), state.recs.end());
  }
}

bool madeOf(const ExprGraph &g, ExprId id, ExprId value, std::set<ExprId> &seen) {
  if (id == NoExpr || id == value || !seen.insert(id).second)
    return true;
  const Expr &e = g[id];
  bool other = e.op == Op::Rec || e.op == Op::Load || e.op == Op::Opaque ||
               e.op == Op::Iv;
  return !other && madeOf(g, e.a, value, seen) && madeOf(g, e.b, value, seen) &&
         madeOf(g, e.c, value, seen);
}

/// entry = table[f(crc)], made behind crc and kept for the next iteration: what it
/// holds then is table[f(crc)] of that iteration's crc, if it begins so. Compilers
/// do this where crc begins with a constant.
std::map<uint32_t, ExprId> derivedFrom(Loop &loop, uint32_t rec) {
  ExprGraph &g = loop.exprs;
  std::map<uint32_t, ExprId> derived;
  ExprId leaf = g.leaf(Op::Rec, rec, loop.recs[rec].width);
  for (uint32_t k = 0; k < loop.recs.size(); ++k) {
    const Recurrence &other = loop.recs[k];
    if (k == rec || !g.isConst(other.init) || !g.isConst(loop.recs[rec].init))
      continue;
    // It must be made of the new value alone, not of the old one, too.
    ExprId value = g.opaque(loop.recs[rec].width);
    std::map<ExprId, ExprId> now = {{loop.recs[rec].next, value}};
    std::map<ExprId, ExprId> here = {{value, leaf}};
    std::map<ExprId, ExprId> first = {{value, loop.recs[rec].init}};
    std::set<ExprId> seen;
    ExprId f = g.substitute(other.next, now);
    if (!madeOf(g, f, value, seen))
      continue;
    Gf2Form begin = gf2Of(loop, g.substitute(f, first), Gf2State());
    Gf2Form expected = gf2Of(loop, other.init, Gf2State());
    if (begin.ok && begin.unknownTable.empty() && begin.value == expected.value)
      derived[k] = g.substitute(f, here);
  }
  return derived;
}

/// The matrix; `order` says where in the forms each byte by address is.
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

/// The bits of the state that the code after the loop looks at.
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

std::string textOf(const HeldCrc &held) {
  char text[160];
  std::snprintf(text, sizeof text, "%u bits, %s, polynomial 0x%llx",
                held.crc.width - held.shift,
                held.crc.reflected ? "reflected" : "not reflected",
                (unsigned long long)(held.crc.poly >> held.shift));
  std::string r = text;
  if (held.bitsTurned || held.bytesTurned)
    r += held.bitsTurned ? ", held with its bits reversed"
                         : ", held with its bytes reversed";
  if (held.low)
    r += ", held from bit " + std::to_string(held.low) + " on";
  if (held.mixed)
    r += ", held with a constant mixed in";
  if (held.late)
    r += ", the message " + std::to_string(held.late) + " steps late";
  return r;
}

Diag codeOf(CrcSlip slip) {
  return slip == CrcSlip::UpperBits     ? Diag::CrcUpperBits
         : slip == CrcSlip::WordsTurned ? Diag::CrcWordsTurned
                                        : Diag::NotACrc;
}

const char *whatIs(CrcSlip slip) {
  switch (slip) {
  case CrcSlip::UpperBits: return "bits above the register are used later";
  case CrcSlip::WordsTurned:
    return "the bytes of each word are taken from its other end";
  case CrcSlip::Constant: return "a constant is mixed in with every round";
  default: return "a linear map that is no shift register";
  }
}

} // namespace

/// The places of the bytes in the order of addresses, as for a sum in which each
/// counts once. False (with a fact, if there is a reason to tell) if they are not
/// one region.
bool Prover::bytesInOrder(
    const std::vector<std::pair<uint32_t, unsigned>> &read, Weights &w,
    std::vector<unsigned> &order) {
  Linear bytes;
  for (auto &[access, offset] : read)
    bytes.terms[{Unit::Byte, access, offset}] = 1;
  w.width = 64;
  if (read.empty() || !weightsOf(bytes, w))
    return false;
  const Access &walk = loop.accesses[w.walk];
  order.assign(read.size(), 0);
  for (unsigned k = 0; k < read.size(); ++k) {
    const Access &a = loop.accesses[read[k].first];
    int64_t at = 0;
    g.constantDifference(a.offset, walk.offset, at);
    size_t place = size_t(at + int64_t(read[k].second) - w.low);
    if (place >= order.size() || w.bytes.size() != order.size())
      return false; // a byte is read twice
    order[place] = k;
  }
  return true;
}

/// A register of whatever the invariants are: of which polynomial, is known when
/// the program runs. A few trials tell; nothing is made of it.
bool Prover::crcOfAnyPolynomial(uint32_t rec) {
  for (unsigned trial = 1; trial <= 3; ++trial) {
    Gf2State state;
    state.recs = {rec};
    state.trial = trial;
    Forms forms;
    Weights w;
    std::vector<unsigned> order;
    HeldCrc held;
    if (!closeState(loop, state, forms) ||
        !bytesInOrder(forms.back().bytes, w, order) ||
        findCrc(mapOf(forms, order), state.zero, usedOf(loop, state.recs),
                held) != CrcSlip::None)
      return false;
  }
  return true;
}

bool Prover::crcOf(Reduction &r) {
  const char *name = "recurrence", *need = "a shift register fed with the bytes";
  Gf2State state;
  state.recs = {r.rec};
  state.derived = derivedFrom(loop, r.rec);
  Forms forms;
  if (!closeState(loop, state, forms)) {
    if (forms.back().symbolic && crcOfAnyPolynomial(r.rec)) {
      match.idiom = Idiom::Crc;
      fail(name, Diag::CrcPolyVariable, need,
           "its polynomial is a value that the program computes");
    }
    if (forms.back().tableNotLinear) {
      match.idiom = Idiom::Crc;
      fail(name, Diag::TableNotLinear, need, forms.back().why);
    }
    return false;
  }
  Weights w;
  std::vector<unsigned> order;
  if (!bytesInOrder(forms.back().bytes, w, order))
    return false;
  for (const Gf2Form &f : forms)
    if (!f.unknownTable.empty()) {
      match.idiom = Idiom::Crc;
      fail(name, Diag::CrcTableUnknown, "a table with the entries of a CRC",
           "table " + f.unknownTable + " is not known when this is compiled");
      return false;
    }
  CrcSlip slip = CrcSlip::Other;
  bool more = true;
  // Which recurrence holds the lower part of the register is not said anywhere.
  while (slip != CrcSlip::None && more) {
    slip = findCrc(mapOf(forms, order), state.zero, usedOf(loop, state.recs),
                   r.held);
    if (slip != CrcSlip::None)
      more = std::next_permutation(state.recs.begin(), state.recs.end()) &&
             closeState(loop, state, forms) &&
             bytesInOrder(forms.back().bytes, w = Weights(), order);
  }
  match.idiom = Idiom::Crc;
  if (slip == CrcSlip::None && r.held.above && state.recs.size() > 1)
    slip = CrcSlip::Other;
  if (slip != CrcSlip::None) {
    fail(name, codeOf(slip), need, whatIs(slip));
    return false;
  }
  r.kind = Reduction::Crc;
  r.parts = state.recs;
  prove(name, need, textOf(r.held), loop.recs[r.rec].name);
  return sourceRegion(w);
}

} // namespace memlift
