// crcany.cpp - a shift register whose polynomial the program computes
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   for (i..n) { c ^= p[i]; eight times: c = c & 1 ? c >> 1 ^ poly : c >> 1; }
//
// The problem: the body is linear in c only while poly is fixed, and poly is a value of the
// program.
//
// The method is to guess and then to prove. With numbers in place of the invariants the body is a
// matrix, so three trials tell how the register is represented. With formal bits in their place
// (algebra/gf2.h), the polynomial is what the bit that falls out last is multiplied by. Both are
// guesses. The proof runs a register of that representation and polynomial on formal bits, and
// compares it with the body term by term. Equal terms are equal for every polynomial.
//
// The limits: no tables, which would be computed at run time; no message that enters late; no
// constant mixed in.
#include "crcforms.h"
#include "../knownzero.h"

#include <algorithm>
#include <map>

namespace memlift {

namespace {

constexpr unsigned trialsAsked = 3;
constexpr size_t maxPieces = 4;

/// Returns true if all trials found a register in one representation.
bool areAlike(const std::vector<CrcRepresentation> &trials) {
  return std::all_of(trials.begin(), trials.end(), [&](const CrcRepresentation &t) {
    const CrcRepresentation &first = trials[0];
    return t.crc.width == first.crc.width && t.crc.reflected == first.crc.reflected &&
           t.low == first.low && t.bits == first.bits && t.shift == first.shift &&
           t.bytesReversed == first.bytesReversed && t.bitsReversed == first.bitsReversed &&
           !t.mixed && !t.late && !t.above;
  });
}

/// Returns the place in the register of a bit of the range.
unsigned placeOf(const CrcRepresentation &representation, unsigned bit) {
  if (representation.bitsReversed)
    return representation.bits - 1 - bit + representation.shift;
  if (representation.bytesReversed)
    bit = representation.bits - 8 - (bit & ~7u) + (bit & 7);
  return bit + representation.shift;
}

/// The polynomial's bits by the invariant that they come from. The key is the invariant and how
/// far up its bits are moved; the mask has their places in the state.
using Pieces = std::map<std::pair<unsigned, int>, uint64_t>; // (word, up) -> mask

/// Collects the factors' partners of the bit that falls out last. That bit depends on all that
/// fell out before it, so its factor has the highest number.
Pieces piecesOf(const Forms &forms, const CrcRepresentation &representation) {
  Gf2Value after;
  for (const Gf2Form &f : forms)
    after.insert(after.end(), f.value.begin(), f.value.end());
  unsigned last = 0;
  for (unsigned i = 0; i < representation.bits; ++i)
    for (const Gf2Term &t : after[representation.low + i].terms)
      last = std::max(last, t.factor);
  Pieces pieces;
  for (unsigned i = 0; i < representation.bits; ++i)
    for (const Gf2Term &t : after[representation.low + i].terms)
      if (t.factor == last)
        pieces[{t.word, int(i) - int(t.bit)}] |= uint64_t(1) << i;
  return pieces;
}

/// Puts the pieces together, in 64 bits.
ExprId join(ExprGraph &g, const Pieces &pieces, const std::vector<ExprId> &words) {
  ExprId sum = g.constant(0, 64);
  for (auto &[from, mask] : pieces) {
    ExprId by = g.constant(uint64_t(std::abs(from.second)), 64);
    ExprId piece =
        g.binary(from.second < 0 ? Op::LShr : Op::Shl, g.zextOrTrunc(words[from.first], 64), by);
    if (~mask & ~knownZero(g, piece))
      piece = g.binary(Op::And, piece, g.constant(mask, 64));
    sum = g.binary(Op::Xor, sum, piece);
  }
  return sum;
}

/// Computes the value of an invariant in a trial; false if that is not possible.
bool valueIn(const Loop &loop, ExprId word, unsigned trial, uint64_t &v) {
  Gf2State state;
  state.trial = trial;
  Gf2Form form = gf2Of(loop, word, state);
  v = 0;
  for (unsigned i = 0; form.ok && i < form.value.size(); ++i)
    v |= uint64_t(form.value[i][gf2One]) << i;
  return form.ok;
}

/// Returns the polynomial of a trial, its bits placed as in the state.
uint64_t polyIn(const CrcRepresentation &representation) {
  uint64_t v = 0;
  for (unsigned i = 0; i < representation.bits; ++i)
    v |= (representation.crc.poly >> placeOf(representation, i) & 1) << i;
  return v;
}

/// Returns the polynomial as an expression over invariants, or NoExpr if none is right in all
/// trials. A difference that is the same in all trials is a constant part of it.
ExprId polynomialOf(Loop &loop, const Forms &forms, const std::vector<CrcRepresentation> &trials) {
  ExprGraph &g = loop.exprs;
  Pieces pieces = piecesOf(forms, trials[0]);
  if (pieces.empty() || pieces.size() > maxPieces)
    return NoExpr;
  ExprId poly = join(g, pieces, forms.back().words);
  uint64_t more = 0;
  for (unsigned t = 0; t < trials.size(); ++t) {
    uint64_t v;
    if (!valueIn(loop, poly, t + 1, v))
      return NoExpr;
    v ^= polyIn(trials[t]);
    if (t && v != more)
      return NoExpr;
    more = v;
  }
  return g.binary(Op::Xor, poly, g.constant(more, 64));
}

/// A register of formal bits that is run step by step.
class FormalRegister {
public:
  FormalRegister(const CrcRepresentation &representation, std::vector<Gf2Bit> &factors)
      : representation(representation), factors(factors), bits(representation.crc.width),
        poly(bits.size()) {}
  void start(uint64_t zero);
  void take(const Gf2Value &word);
  /// Feeds the byte in the columns from `column` on; false if the terms cannot hold it.
  bool feed(unsigned column);
  bool isIn(const Forms &forms) const;

private:
  const CrcRepresentation &representation;
  std::vector<Gf2Bit> &factors;
  Gf2Value bits, poly; // lowest bit first
  bool step();
};

/// Starts with the state's own bits, except those that are 0.
void FormalRegister::start(uint64_t zero) {
  for (unsigned i = 0; i < representation.bits; ++i)
    bits[placeOf(representation, i)][representation.low + i] =
        !(zero >> (representation.low + i) & 1);
}

/// Sets the polynomial.
void FormalRegister::take(const Gf2Value &word) {
  for (unsigned i = 0; i < representation.bits && i < word.size(); ++i)
    poly[placeOf(representation, i)] = word[i];
}

/// Shifts by one bit and adds the polynomial times the bit that fell out.
bool FormalRegister::step() {
  Gf2Bit out = representation.crc.reflected ? bits.front() : bits.back();
  if (representation.crc.reflected)
    std::rotate(bits.begin(), bits.begin() + 1, bits.end());
  else
    std::rotate(bits.begin(), bits.end() - 1, bits.end());
  (representation.crc.reflected ? bits.back() : bits.front()) = Gf2Bit();
  for (unsigned i = 0; i < bits.size() && out.any(); ++i) {
    Gf2Bit product;
    if (poly[i].any() && poly[i].terms.empty())
      product = out; // the polynomial has a constant 1 there
    else if (poly[i].any() && !gf2Product(out, poly[i], factors, product))
      return false;
    bits[i] ^= product;
  }
  return true;
}

/// Adds the byte's columns at the register's entry and runs eight steps.
bool FormalRegister::feed(unsigned column) {
  size_t at = representation.crc.reflected ? 0 : bits.size() - 8;
  for (unsigned i = 0; i < 8; ++i) {
    Gf2Bit in;
    in[column + i] = true;
    bits[at + i] ^= in;
  }
  for (unsigned i = 0; i < 8; ++i)
    if (!step())
      return false;
  return true;
}

/// Compares the register with the body term by term; no bit may be outside the range.
bool FormalRegister::isIn(const Forms &forms) const {
  Gf2Value after;
  for (const Gf2Form &f : forms)
    after.insert(after.end(), f.value.begin(), f.value.end());
  size_t seen = 0;
  for (unsigned i = 0; i < representation.bits; ++i) {
    const Gf2Bit &bit = bits[placeOf(representation, i)];
    if (after[representation.low + i] != bit)
      return false;
    seen += bit.any();
  }
  return seen ==
         size_t(std::count_if(bits.begin(), bits.end(), [](const Gf2Bit &b) { return b.any(); }));
}

/// Evaluates the state, and places the bytes that it takes in by address.
Answer formsInOrder(Proof &p, Gf2State &state, Forms &forms, Weights &w,
                    std::vector<unsigned> &order) {
  if (!closeState(p.loop, state, forms))
    return Answer::NotMine;
  return bytesInOrder(p, forms.back().bytes, w, order);
}

/// Proves the guess with formal bits.
Answer proveAnyPolynomial(Proof &p, Reduction &r, const std::vector<CrcRepresentation> &trials) {
  Gf2State state;
  state.recs = {r.rec};
  state.formal = true;
  Forms forms;
  Weights w;
  std::vector<unsigned> order;
  if (Answer known = formsInOrder(p, state, forms, w, order); known != Answer::Proved)
    return known;
  const CrcRepresentation &representation = trials[0];
  uint64_t range = maskOf(representation.bits) << representation.low;
  // Later code must not use bits outside the range: their value is not computed.
  if (usedOf(p.loop, state.recs) & ~state.zero & ~range)
    return Answer::NotMine;
  ExprId poly = polynomialOf(p.loop, forms, trials);
  if (poly == NoExpr)
    return Answer::NotMine;
  // The polynomial's own bits, in the same formal terms as the body's.
  Gf2Form bits = gf2Of(p.loop, poly, state, forms.back());
  FormalRegister formal(representation, bits.factors);
  formal.start(state.zero);
  formal.take(bits.value);
  for (unsigned k : order)
    if (!formal.feed(64 + 8 * k))
      return Answer::NotMine;
  if (!formal.isIn(forms))
    return Answer::NotMine;
  r.kind = Reduction::Crc{representation, poly, state.recs};
  p.prove("recurrence", "a shift register fed with the bytes", textOf(representation, p.text(poly)),
          p.loop.recs[r.rec].name);
  return sourceRegion(p, w);
}

/// Proves that the body is linear for all invariants and multiplies carried values by them. That
/// is close enough to a register to give a reason.
Answer mixesInvariants(Proof &p, uint32_t rec) {
  Gf2State state;
  state.recs = {rec};
  state.formal = true;
  Forms forms;
  Weights w;
  std::vector<unsigned> order;
  if (Answer known = formsInOrder(p, state, forms, w, order); known != Answer::Proved)
    return known;
  auto isOfState = [](const Gf2Bit &factor) { return (factor.columns << (gf2Columns - 64)).any(); };
  const std::vector<Gf2Bit> &factors = forms.back().factors;
  return provedIf(std::any_of(factors.begin(), factors.end(), isOfState));
}

} // namespace

/// Recognises a register whose polynomial is known only when the program runs.
Answer crcOfAnyPolynomial(Proof &p, Reduction &r) {
  std::vector<CrcRepresentation> trials(trialsAsked);
  CrcSlip slip = CrcSlip::None;
  for (unsigned trial = 0; trial < trialsAsked && slip == CrcSlip::None; ++trial) {
    Gf2State state;
    state.recs = {r.rec};
    state.trial = trial + 1;
    Forms forms;
    Weights w;
    std::vector<unsigned> order;
    if (Answer known = formsInOrder(p, state, forms, w, order); known != Answer::Proved)
      return known;
    slip = findCrc(mapOf(forms, order), state.zero, usedOf(p.loop, state.recs), trials[trial]);
  }
  if (slip != CrcSlip::None) {
    Answer mixes = mixesInvariants(p, r.rec);
    return mixes == Answer::Proved ? refuseCrc(p, slip) : mixes;
  }
  p.match.idiom = Idiom::Crc;
  Answer proof = areAlike(trials) ? proveAnyPolynomial(p, r, trials) : Answer::NotMine;
  if (proof != Answer::NotMine)
    return proof;
  return p.fail("recurrence", Diag::CrcPolyVariable, "a shift register fed with the bytes",
                "its polynomial is a value that the program computes");
}

} // namespace memlift
