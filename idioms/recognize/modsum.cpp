// modsum.cpp - sums, and sums of sums, that are reduced modulo m in the loop
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   for (i..n) { a = (a + p[i]) % 65521; b = (b + a) % 65521; }      Adler-32
//   for (i..n) { a += p[i]; if (a >= 255) a -= 255; b += a; ... }    Fletcher
//   for (i..n) { a += p[i]; a = (a & 255) + (a >> 8); ... }
//
// algebra/residue.h shows that each new value is congruent to a sum of carried values
// and bytes, and lies in a range with one number of each class. So it is determined
// by the sum of all that was read, however it was reduced in between. The start value
// must be such that nothing wraps and one subtraction is enough: proved by its range,
// or tested before the loop.
//
// The limits: m up to 2^32, elements of up to 4 bytes, and no third sum.
//
// Why the shape matters: the routine postpones the reduction over blocks and reduces
// both sums at their ends. That gives the same numbers only if each iteration leaves
// the one representative of its class, and if the second sum adds the reduced first
// one once for each element. Both are what the proof shows.
#include "../algebra/residue.h"
#include "families.h"
#include "walk.h"

#include <algorithm>

namespace memlift {

/// The forms of a sum modulo m and of the sum that it adds up, if there is one. That one may be
/// folded alone, as where it is tested for m and the second one is divided.
struct ModularForms {
  bool partnerFold = false;
  Linear own, partner;
  uint32_t partnerRec = 0; // the one that it adds up; its own number if there is none
};

/// Returns the recurrence that is this one cut to fewer bits, or the recurrence
/// itself. The two agree only after an iteration, so the loop must run.
static uint32_t cutTo(const Proof &p, uint32_t rec) {
  for (const Dim &d : p.loop.dims)
    if (!d.nonzero)
      return rec;
  for (uint32_t k = 0; k < p.readRecs; ++k) {
    unsigned width = p.loop.recs[k].width;
    if (width < p.loop.recs[rec].width &&
        p.g.cast(Op::Trunc, p.loop.recs[rec].next, width) == p.loop.recs[k].next)
      return k;
  }
  return rec;
}

/// Returns true if the value depends on its own value before.
static bool carriesItself(const Proof &p, uint32_t rec) {
  return anyNode(p.g, p.loop.recs[rec].next,
                 [&](const Expr &e) { return e.op == Op::Rec && e.value == rec; });
}

/// Returns true if the recurrence depends on another one, or another one on it.
static bool coupled(const Proof &p, uint32_t rec) {
  for (uint32_t k = 0; k < p.readRecs; ++k) {
    if (cutTo(p, k) != k)
      continue;
    if (anyNode(p.g, p.loop.recs[k].next, [&](const Expr &e) {
          return e.op == Op::Rec && e.value != k && (e.value == rec || k == rec);
        }))
      return true;
  }
  return false;
}

/// Finds the one other recurrence in a sum; its own number if there is none.
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

/// The greatest number of a class.
static uint64_t topOf(uint64_t modulus, bool fold) { return modulus - !fold; }

/// Returns true if the recurrence and its partner are reduced to numbers up to the top of their
/// classes in every iteration, given their largest start values; or up to it, if `tested`.
static bool modularWith(Proof &p, const Reduction &r, const Reduction::ModularSum &sum, bool tested,
                        ModularForms &forms) {
  Loop &loop = p.loop;
  const uint64_t top = topOf(sum.modulus, sum.fold);
  std::vector<uint64_t> most;
  for (uint32_t k = 0; k < loop.recs.size(); ++k) {
    uint64_t own = k == r.rec ? top : topOf(sum.modulus, forms.partnerFold);
    most.push_back(tested ? own : std::max(own, upperBound(loop, loop.recs[k].init)));
  }
  auto canonical = [&](uint32_t rec, Linear &form, bool fold) {
    Residue x = residueOf(loop, loop.recs[rec].next, sum.modulus, most);
    form = x.sum;
    form.ok = x.ok;
    return x.ok && x.most <= topOf(sum.modulus, fold) && (x.zeroOnly || !fold);
  };
  if (!canonical(r.rec, forms.own, sum.fold) || !partnerIn(forms.own, r.rec, forms.partnerRec))
    return false;
  bool alone = forms.partnerRec == r.rec;
  if (alone ? forms.partnerFold != sum.fold
            : !canonical(forms.partnerRec, forms.partner, forms.partnerFold))
    return false;
  uint32_t wide = uint32_t(loop.liveOuts[r.liveOut].rec);
  if (wide != r.rec && !p.narrowed.count(wide) &&
      residueOf(loop, loop.recs[wide].next, sum.modulus, most).most > top)
    return false; // bits are lost when the value is cut
  return tested || (upperBound(loop, loop.recs[r.rec].init) <= 0xffffffff &&
                    upperBound(loop, loop.recs[forms.partnerRec].init) <= 0xffffffff);
}

/// Matches a sum of all elements, or a sum of such sums.
static Answer modularShape(Proof &p, const ModularForms &forms, const Reduction::ModularSum &sum,
                           Reduction &r, Weights &w) {
  w.width = 64;
  Answer read = weightsOf(p, forms.own, w);
  if (read == Answer::Refused)
    return read;
  Elements e;
  bool fits;
  if (forms.partnerRec == r.rec) {
    r.kind = sum;
    Weights again;
    again.width = 64;
    fits = read == Answer::Proved && forms.own.constant == 0 &&
           plainSum(p, forms.own, r.rec, again, e) == Answer::Proved && !e.isSigned;
    r.elementBytes = e.bytes;
    r.swapped = e.swapped;
    r.elementsPerIteration = unsigned(e.factors.size());
  } else {
    Reduction::WeightedSum sums;
    sums.partner = forms.partnerRec;
    fits = weightsOfSums(p, forms.own, forms.partner, r, sums, w) == Answer::Proved &&
           sums.perIteration == NoExpr;
    r.kind = Reduction::ModularWeightedSum{sum, sums.partner, sums.exclusive, forms.partnerFold};
  }
  return fits && r.elementBytes <= 4 ? Answer::Proved : failWeights(p, w);
}

/// Returns true if the expression consists of sums, factors and remainders only.
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

/// Reports a recurrence that is reduced to a range with several numbers of one class.
/// The range is found as a fixed point, in at most 8 steps.
static Answer beyondRange(Proof &p, uint32_t rec) {
  Loop &loop = p.loop;
  for (uint64_t m : moduliIn(loop, loop.recs[rec].next)) {
    std::vector<uint64_t> most(loop.recs.size(), m);
    Residue x = residueOf(loop, loop.recs[rec].next, m, most);
    for (int round = 0; x.ok && x.most > most[rec] && round < 8; ++round) {
      most[rec] = x.most;
      x = residueOf(loop, loop.recs[rec].next, m, most);
    }
    if (!x.ok || x.most > most[rec] || x.most <= m)
      continue;
    p.name(Idiom::ModularSum);
    return p.fail("range", Diag::ResidueRange,
                  "one number of each class modulo " + std::to_string(m),
                  loop.recs[rec].name + " is 0 .. " + std::to_string(x.most));
  }
  return Answer::NotMine;
}

/// Reports why a recurrence that is reduced in every iteration is none of these, if
/// the reason is known.
Answer nearlyModular(Proof &p, Reduction &r) {
  ExprGraph &g = p.g;
  const Recurrence &rec = p.loop.recs[r.rec];
  ExprId id = rec.next;
  while (g[id].op == Op::ZExt || g[id].op == Op::Trunc || g[id].op == Op::SExt)
    id = g[id].a;
  const Expr &e = g[id];
  if (e.op != Op::URem && e.op != Op::SRem)
    return coupled(p, r.rec) ? beyondRange(p, r.rec) : Answer::NotMine;
  std::string by = rec.name + ": modulo " + std::to_string(g[e.b].value);
  int budget = 1000;
  if (!sumsOnly(g, e.a, budget))
    return Answer::NotMine; // reported as no sum at all
  p.name(Idiom::ModularSum);
  if (coupled(p, r.rec))
    return p.fail("modulus", Diag::MixedModuli, "one for the sums that are linked", by);
  return p.fail("remainder", Diag::ResidueRange, "one number of each class",
                by + ", of what may be negative or wrap");
}

/// Has it tested that no start value is above what the proof allows.
static void startsSmall(Proof &p, const Reduction &r, const Reduction::ModularSum &sum,
                        const ModularForms &forms) {
  uint64_t most = topOf(sum.modulus, sum.fold && forms.partnerFold);
  for (uint32_t rec : {r.rec, forms.partnerRec}) {
    ExprId init = p.loop.recs[rec].init;
    ExprId test = p.g.binary(Op::ULe, init, p.g.constant(most, p.g.width(init)));
    if (upperBound(p.loop, init) > most && p.tested.insert(test).second)
      p.require(test);
  }
  p.guard("start value", Diag::None, "at most " + std::to_string(most),
          p.text(p.loop.recs[r.rec].init) + " is tested before the loop");
}

/// Recognises a sum that each iteration reduces modulo m.
Answer modularOf(Proof &p, Reduction &r) {
  const Recurrence &rec = p.loop.recs[r.rec];
  ModularForms forms;
  Weights w;
  // Proved start values are tried before those that need a test at run time.
  for (bool unknown : {false, true})
    for (uint64_t m : moduliIn(p.loop, rec.next))
      for (unsigned folded : {0, 2, 1}) {
        if (m == uint64_t(1) << 32 && folded)
          continue; // 2^32 itself does not fit the result
        // A second sum that is folded adds a first one that is: else that may be 0 for no sum of 0.
        bool fold = folded == 2;
        forms.partnerFold = folded;
        Reduction::ModularSum sum = {m, fold};
        if (!modularWith(p, r, sum, unknown, forms))
          continue;
        Idiom named = p.match.idiom;
        p.name(Idiom::ModularSum);
        if (modularShape(p, forms, sum, r, w) == Answer::Refused)
          return Answer::Refused;
        bool ones = r.elementBytes == 2 || (r.elementBytes == 4 && !r.swapped);
        if (ones && m == maskOf(8 * r.elementBytes) && fold && !coupled(p, r.rec)) {
          p.match.idiom = named;
          return Answer::NotMine; // the ones' complement routine is faster
        }
        p.prove("recurrence", "a sum reduced modulo one number in each iteration",
                rec.name + ": modulo " + std::to_string(m) + (fold ? ", folded" : ""));
        if (unknown)
          startsSmall(p, r, sum, forms);
        else
          p.prove("start value", "small enough to be reduced like the rest", p.text(rec.init));
        return sourceRegion(p, w);
      }
  return Answer::NotMine;
}

/// Recognises a value that later code uses before it is cut to its recurrence, if the
/// cut loses nothing, as after a remainder.
Answer wideLiveOut(Proof &p, Reduction &r) {
  uint32_t wide = r.rec;
  r.rec = cutTo(p, wide);
  if (r.rec == wide)
    return Answer::NotMine;
  Answer modular = modularOf(p, r);
  if (modular != Answer::NotMine || carriesItself(p, wide))
    return modular;
  return p.fail("live-outs", Diag::LiveOut, "the value as it is carried",
                p.loop.recs[r.rec].name + " is used after the loop before it is cut to " +
                    std::to_string(p.loop.recs[r.rec].width) + " bits");
}

} // namespace memlift
