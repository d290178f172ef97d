// modsum.cpp - sums, and sums of sums, that are reduced modulo m as they go
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   for (i..n) { a = (a + p[i]) % 65521; b = (b + a) % 65521; }      Adler-32
//   for (i..n) { a += p[i]; if (a >= 255) a -= 255; b += a; ... }    Fletcher
//   for (i..n) { a += p[i]; a = (a & 255) + (a >> 8); ... }
//
// Each new value is congruent to a sum of what was carried and read, and lies in
// a range that has one number of each class (algebra/residue.h): so it is known
// from the sum of all that was read, however it was reduced on the way. That
// takes a start value from which nothing wraps and a subtraction is enough: proved
// by its range, or tested before the loop. The limits: m up to 2^32, elements of
// up to 4 bytes, and no third sum.
#include "../algebra/residue.h"
#include "prover.h"
#include "walk.h"

#include <algorithm>

namespace memlift {

/// The recurrence that is this one cut to fewer bits, or itself. Only after an
/// iteration is one the other's last value.
uint32_t Prover::cutTo(uint32_t rec) const {
  for (const Dim &d : loop.dims)
    if (!d.nonzero)
      return rec;
  for (uint32_t k = 0; k < readRecs; ++k) {
    unsigned width = loop.recs[k].width;
    if (width < loop.recs[rec].width &&
        g.cast(Op::Trunc, loop.recs[rec].next, width) == loop.recs[k].next)
      return k;
  }
  return rec;
}

/// Does the value depend on its own last one?
bool Prover::carriesItself(uint32_t rec) const {
  return anyNode(g, loop.recs[rec].next,
                 [&](const Expr &e) { return e.op == Op::Rec && e.value == rec; });
}

/// Does another recurrence take part in this one, or the other way round?
bool Prover::coupled(uint32_t rec) const {
  for (uint32_t k = 0; k < readRecs; ++k) {
    if (cutTo(k) != k)
      continue;
    if (anyNode(g, loop.recs[k].next, [&](const Expr &e) {
          return e.op == Op::Rec && e.value != k && (e.value == rec || k == rec);
        }))
      return true;
  }
  return false;
}

/// The one other recurrence in a sum; its own number if there is none.
static bool partnerIn(const Linear &sum, uint32_t own, uint32_t &partner) {
  partner = own;
  for (auto &[u, factor] : sum.terms)
    if (u.kind == Unit::Rec && u.index != own) {
      if (partner != own)
        return false;
      partner = u.index;
    }
  return true;
}

/// Are the recurrence and its partner reduced to numbers up to `top` in every
/// round, if none starts above `starts`?
bool Prover::modularWith(Reduction &r, uint64_t top, ModularForms &forms) {
  std::vector<uint64_t> most;
  for (const Recurrence &rec : loop.recs)
    most.push_back(r.startUnknown ? top : std::max(top, upperBound(loop, rec.init)));
  auto canonical = [&](uint32_t rec, Linear &sum) {
    Residue x = residueOf(loop, loop.recs[rec].next, r.residueModulus, most);
    sum = x.sum;
    sum.ok = x.ok;
    return x.ok && x.most <= top && (x.zeroOnly || !r.fold);
  };
  if (!canonical(r.rec, forms.own) || !partnerIn(forms.own, r.rec, r.partner))
    return false;
  if (r.partner != r.rec && !canonical(r.partner, forms.partner))
    return false;
  uint32_t wide = uint32_t(loop.liveOuts[r.liveOut].rec);
  if (wide != r.rec && !narrowed.count(wide) &&
      residueOf(loop, loop.recs[wide].next, r.residueModulus, most).most > top)
    return false; // something is lost when it is cut
  r.startMost = r.startUnknown ? top : 0xffffffff;
  return r.startUnknown || (upperBound(loop, loop.recs[r.rec].init) <= 0xffffffff &&
                            upperBound(loop, loop.recs[r.partner].init) <= 0xffffffff);
}

/// A sum of all elements, or a sum of such sums.
bool Prover::modularShape(const ModularForms &forms, Reduction &r, Weights &w) {
  w.width = 64;
  size_t before = match.facts.size();
  bool reads = weightsOf(forms.own, w);
  if (match.facts.size() != before)
    return false;
  Elements e;
  bool fits;
  if (r.partner == r.rec) {
    r.kind = Reduction::ModularSum;
    Weights again;
    again.width = 64;
    fits = reads && forms.own.constant == 0 && plainSum(forms.own, r.rec, again, e) && !e.isSigned;
    r.elementBytes = e.bytes;
    r.swapped = e.swapped;
    r.elementsPerRound = unsigned(e.factors.size());
  } else {
    r.kind = Reduction::ModularWeightedSum;
    fits = weightsOfSums(forms.own, forms.partner, r, w) && r.perRound == NoExpr;
  }
  if (!fits || r.elementBytes > 4) {
    failWeights(w);
    return false;
  }
  return true;
}

/// Nothing but sums, factors and remainders, of what is carried and read.
static bool sumsOnly(const ExprGraph &g, ExprId id, int &budget) {
  if (id == NoExpr)
    return true;
  if (--budget < 0)
    return false;
  const Expr &e = g[id];
  switch (e.op) {
  case Op::Const:
  case Op::Rec:
  case Op::Load: return true;
  case Op::Mul:
  case Op::Shl: return g.isConst(e.b) && sumsOnly(g, e.a, budget);
  case Op::Add:
  case Op::ZExt:
  case Op::SExt:
  case Op::Trunc:
  case Op::URem:
  case Op::SRem: return sumsOnly(g, e.a, budget) && sumsOnly(g, e.b, budget);
  default: return false;
  }
}

/// Reduced to a range in every round, but to one with several numbers of a class?
bool Prover::beyondRange(uint32_t rec) {
  for (uint64_t m : moduliIn(loop, loop.recs[rec].next)) {
    std::vector<uint64_t> most(loop.recs.size(), m);
    Residue x = residueOf(loop, loop.recs[rec].next, m, most);
    for (int round = 0; x.ok && x.most > most[rec] && round < 8; ++round) {
      most[rec] = x.most;
      x = residueOf(loop, loop.recs[rec].next, m, most);
    }
    if (!x.ok || x.most > most[rec] || x.most <= m)
      continue;
    match.idiom = std::max(match.idiom, Idiom::ModularSum);
    fail("range", Diag::ResidueRange, "one number of each class modulo " + std::to_string(m),
         loop.recs[rec].name + " is 0 .. " + std::to_string(x.most));
    return true;
  }
  return false;
}

/// It is reduced in every round, and yet: why is it none of these? False if that
/// is not known.
bool Prover::nearlyModular(uint32_t index) {
  const Recurrence &rec = loop.recs[index];
  ExprId id = rec.next;
  while (g[id].op == Op::ZExt || g[id].op == Op::Trunc || g[id].op == Op::SExt)
    id = g[id].a;
  const Expr &e = g[id];
  if (e.op != Op::URem && e.op != Op::SRem)
    return coupled(index) && beyondRange(index);
  std::string by = rec.name + ": modulo " + std::to_string(g[e.b].value);
  int budget = 1000;
  if (!sumsOnly(g, e.a, budget))
    return false; // reported as no sum at all
  match.idiom = std::max(match.idiom, Idiom::ModularSum);
  if (coupled(index))
    fail("modulus", Diag::MixedModuli, "one for the sums that are linked", by);
  else
    fail("remainder", Diag::ResidueRange, "one number of each class",
         by + ", of what may be negative or wrap");
  return true;
}

/// No start value may be above what the proof allows.
void Prover::startsSmall(const Reduction &r) {
  for (uint32_t rec : {r.rec, r.partner}) {
    ExprId init = loop.recs[rec].init;
    ExprId test = g.binary(Op::ULe, init, g.constant(r.startMost, g.width(init)));
    if (upperBound(loop, init) > r.startMost && tested.insert(test).second)
      require(test);
  }
}

/// True if `result` is such a sum; false with a failed fact if it nearly is.
bool Prover::modularOf(Reduction &result) {
  Reduction r = result;
  const Recurrence &rec = loop.recs[r.rec];
  ModularForms forms;
  Weights w;
  for (bool unknown : {false, true})
    for (uint64_t m : moduliIn(loop, rec.next))
      for (bool fold : {false, true}) {
        if (m == uint64_t(1) << 32 && fold)
          continue; // 2^32 itself has no room in the result
        r.residueModulus = m;
        r.fold = fold;
        r.startUnknown = unknown;
        if (!modularWith(r, m - !fold, forms))
          continue;
        Idiom named = match.idiom;
        match.idiom = std::max(named, Idiom::ModularSum);
        size_t before = match.facts.size();
        if (!modularShape(forms, r, w))
          return false;
        bool ones = r.elementBytes == 2 || (r.elementBytes == 4 && !r.swapped);
        if (ones && m == maskOf(8 * r.elementBytes) && fold && !coupled(r.rec)) {
          match.facts.resize(before); // the ones' complement routine is faster
          match.idiom = named;
          return false;
        }
        prove("recurrence", "a sum reduced modulo one number in every round",
              rec.name + ": modulo " + std::to_string(m) + (fold ? ", folded" : ""));
        if (unknown)
          startsSmall(r);
        if (unknown)
          match.facts.push_back({"start value", Verdict::Guarded, Diag::None,
                                 "at most " + std::to_string(r.startMost),
                                 text(rec.init) + " is tested before the loop", ""});
        else
          prove("start value", "small enough to be reduced like the rest", text(rec.init));
        result = r;
        return sourceRegion(w);
      }
  return false;
}

} // namespace memlift
