// chainjoin.cpp - the steps of the proof that a chain of loops is one operation
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The order of the steps: recognise all stages; require one operation on the same
// bases; pair their sums; prove that regions adjoin, upwards or downwards; prove that
// each stage starts with the sums of the one before. Then the matches are merged:
// facts and conditions are collected, patterns and overlaps are joined, and the first
// stage's start values become those of the whole. Each step may fail, and the chain
// then stays as it is.
#include "../align/align.h"
#include "chainprover.h"
#include "worth.h"

#include <algorithm>
#include <iterator>

namespace memlift {

/// Proves that each region begins where the one before ends, unless it is empty.
/// Downwards, each region ends where the one before begins.
bool ChainProver::adjoin(ExprId Match::*start) {
  if (matches[0].*start == NoExpr)
    return true;
  for (size_t k = 1; k < matches.size(); ++k) {
    ExprId gap = g.sub(matches[k].*start, matches[0].*start);
    if (downwards)
      gap = g.add(gap, g.sub(total(k + 1), matches[0].bytes));
    else
      gap = g.sub(gap, total(k));
    if (!always({gap}, [&](AssumptionSimplifier &u) {
          return u.isZero(matches[k].bytes) || u.isZero(gap);
        }))
      return false;
  }
  return true;
}

namespace {

/// Compares what is particular to a kind of reduction. Partners are compared by
/// startsContinue(). A kind without a function here is not joined.
struct SameKind {
  const ExprGraph &g;

  template <class Kind> bool operator()(const Kind &, const Kind &) const { return false; }
  bool operator()(const Reduction::Sum &a, const Reduction::Sum &b) const {
    return a.factor == b.factor && !a.pairs && !b.pairs && a.perIteration == NoExpr &&
           b.perIteration == NoExpr;
  }
  bool operator()(const Reduction::WeightedSum &a, const Reduction::WeightedSum &b) const {
    return a.exclusive == b.exclusive && a.perIteration == NoExpr && b.perIteration == NoExpr;
  }
  bool operator()(const Reduction::ModularSum &a, const Reduction::ModularSum &b) const {
    return a.modulus == b.modulus && a.fold == b.fold;
  }
  bool operator()(const Reduction::ModularWeightedSum &a,
                  const Reduction::ModularWeightedSum &b) const {
    return a.modulus == b.modulus && a.fold == b.fold && a.exclusive == b.exclusive &&
           a.partnerFold == b.partnerFold;
  }
  bool operator()(const Reduction::XorFold &, const Reduction::XorFold &) const { return true; }
  bool operator()(const Reduction::Polyhash &a, const Reduction::Polyhash &b) const {
    return a.factor == b.factor;
  }
  /// Requires one CRC in one place of the register. A polynomial that the program
  /// computes must be the same value in both. A table that nobody knows is for long
  /// regions alone: each loop stays for short ones, which one call could not leave it.
  bool operator()(const Reduction::Crc &a, const Reduction::Crc &b) const {
    const CrcRepresentation &x = a.representation, &y = b.representation;
    bool known = (a.poly == NoExpr) == (b.poly == NoExpr) && a.choice == NoExpr &&
                 b.choice == NoExpr && a.recs.size() < 2 && b.recs.size() < 2;
    known &= !a.word && !b.word && !a.lanes && !b.lanes && a.table == NoExpr && b.table == NoExpr;
    return known && (a.poly == NoExpr || g.equal(a.poly, b.poly)) && x.crc.width == y.crc.width &&
           x.crc.poly == y.crc.poly && x.crc.reflected == y.crc.reflected && x.low == y.low &&
           x.bits == y.bits && x.mixed == y.mixed && x.bytesReversed == y.bytesReversed &&
           x.bitsReversed == y.bitsReversed && x.shift == y.shift && !x.late && !y.late &&
           !x.above && !y.above;
  }
};

} // namespace

/// Returns true for reductions that are the same function of the bytes. Sums that are
/// stored, or that start from a wider value, are not joined.
bool ChainProver::sameReduction(const Reduction &a, const Reduction &b) const {
  bool layout = (a.is<Reduction::Crc>() || a.elementBytes == b.elementBytes) &&
                a.isSigned == b.isSigned && a.swapped == b.swapped;
  auto same = [&](const auto &kind) {
    auto *other = b.as<std::decay_t<decltype(kind)>>();
    return other && SameKind{g}(kind, *other);
  };
  return layout && !a.stored && !b.stored && !a.wideStart && !b.wideStart &&
         std::visit(same, a.kind);
}

/// Pairs the stages' sums by kind, so that all stages have them in one order.
bool ChainProver::pairReductions() {
  const std::vector<Reduction> &first = matches[0].reductions;
  liveOuts.assign(stages.size(), {});
  for (size_t k = 0; k < stages.size(); ++k) {
    if (matches[k].reductions.size() != first.size() || first.size() > 2)
      return false;
    for (const Reduction &want : first) {
      const Reduction *found = nullptr;
      for (const Reduction &r : matches[k].reductions)
        if (r.kind.index() == want.kind.index() && found)
          return false;
        else if (sameReduction(want, r))
          found = &r;
      if (!found)
        return false;
      liveOuts[k].push_back(found->liveOut);
      const LiveOut &l = stages[k].liveOuts[found->liveOut];
      if (l.rec != int(found->rec) ||
          loop.exprs.width(inits[k][found->rec]) != loop.exprs.width(inits[0][want.rec]))
        return false;
    }
  }
  nameWholes();
  return true;
}

/// Creates symbols for the values that the whole chain leaves.
void ChainProver::nameWholes() {
  for (const Reduction &r : matches[summing].reductions) {
    Symbol whole{"chain", stages[summing].recs[r.rec].width};
    whole.stage = int(stages.size());
    wholes.push_back(g.leaf(Op::Sym, loop.syms.size(), whole.width));
    loop.syms.push_back(whole);
  }
}

/// Proves that each stage starts with the values that the one before leaves.
/// Everything that its sums depend on has to come from there.
bool ChainProver::startsContinue() {
  for (size_t k = 0; k < stages.size(); ++k)
    for (const Reduction &r : matches[k].reductions) {
      const uint32_t *partner = partnerOf(r);
      bool known = !partner;
      for (const Reduction &o : matches[k].reductions)
        known |= partner && &o != &r && o.rec == *partner;
      if (!known)
        return false;
    }
  for (size_t k = 1; k < stages.size(); ++k)
    for (size_t i = 0; i < liveOuts[k].size(); ++i) {
      int rec = stages[k].liveOuts[liveOuts[k][i]].rec;
      ExprId init = inits[k][size_t(rec)];
      ExprId before = symbolOf(k - 1, liveOuts[k - 1][i]);
      if (before == NoExpr || !always({init}, [&](AssumptionSimplifier &u) {
            return u.isZero(matches[k].bytes) || u.same(init, before);
          }))
        return false;
    }
  return true;
}

/// Requires that all stages do one operation to the same bases; a copy continues a
/// move.
bool ChainProver::sameOperation() {
  const Match &first = matches[0];
  for (const Match &m : matches) {
    bool copies = m.idiom == Idiom::Copy || m.idiom == Idiom::Move;
    bool copied = first.idiom == Idiom::Copy || first.idiom == Idiom::Move;
    if (m.idiom != first.idiom && !(copies && copied))
      return false;
    if ((m.dst == NoExpr) != (first.dst == NoExpr) || (m.src == NoExpr) != (first.src == NoExpr) ||
        (m.dst != NoExpr && m.dstBase != first.dstBase) ||
        (m.src != NoExpr && m.srcBase != first.srcBase) || mentionsStage(m.bytes) ||
        mentionsStage(m.condition))
      return false;
  }
  return true;
}

/// Proves that all patterns are repetitions of the shortest one. A comparison that
/// cannot be decided is tested at run time.
bool ChainProver::joinPatterns(Match &joined) {
  size_t least = 0;
  for (size_t k = 0; k < matches.size(); ++k) {
    if (!matches[k].fill()->native || matches[k].fill()->period > 8)
      return false;
    if (matches[k].fill()->period < matches[least].fill()->period)
      least = k;
  }
  const FillForm &small = *matches[least].fill();
  joined.writes = small;
  for (size_t k = 0; k < matches.size(); ++k) {
    ExprId all = g.splat(small.pattern, 8 * matches[k].fill()->period);
    if (all == matches[k].fill()->pattern)
      continue;
    if (g.isConst(all) && g.isConst(matches[k].fill()->pattern))
      return false;
    ExprId same = g.binary(Op::Eq, matches[k].fill()->pattern, all);
    joined.condition =
        joined.condition == NoExpr ? same : g.binary(Op::And, joined.condition, same);
    joined.facts.push_back({"pattern", Verdict::Guarded, Diag::Overlap, "one pattern in all loops",
                            "tested at run time: " + sourceText(loop, same),
                            "the compiler cannot tell"});
  }
  return true;
}

/// Returns true if the loops are the two directions of a move, as bcopy is written: in each case at
/// most one of them runs, and the case says that the destination is on the side it needs.
bool ChainProver::choosesDirection(const Match &joined) {
  ExprId below = g.binary(Op::ULt, joined.dst, joined.src);
  return always({below}, [&](AssumptionSimplifier &u) {
    ExprId known = u.simple(below);
    unsigned running = 0;
    for (const Match &m : matches) {
      if (u.isZero(m.bytes))
        continue;
      Overlap o = m.overlap();
      ++running;
      if (o != Overlap::Disjoint && o != Overlap::MoveSafe &&
          !g.isConst(known, o == Overlap::GuardAscending ? 1 : 0))
        return false;
      if (o == Overlap::GuardDisjoint)
        return false;
    }
    return running <= 1;
  });
}

/// Joins the overlap conditions. Loops that each may be a move upwards are one move
/// upwards together: with the destination below the source, no stage writes what a
/// later one reads; with it at least `bytes` above, no stage reads what any stage
/// writes.
bool ChainProver::joinOverlap(Match &joined) {
  bool allDisjoint = true, allSafe = true, ordered = true, up = false, down = false;
  auto stepOf = [&](size_t k) { return matches[k].copy() ? matches[k].copy()->step : 0; };
  unsigned step = downwards ? 0 : stepOf(0);
  int64_t distance = 0;
  bool fixed = g.constantDifference(joined.dst, joined.src, distance);
  for (size_t k = 0; k < matches.size(); ++k) {
    Overlap o = matches[k].overlap();
    allDisjoint &= o == Overlap::Disjoint && (k == 0 || stages[k].disjoint);
    // A call reads everything before it writes, so it fits either direction.
    bool call = stages[k].origin != Origin::Loop;
    up |= o == Overlap::GuardAscending, down |= o == Overlap::GuardDescending;
    allSafe &= o == Overlap::Disjoint || o == Overlap::MoveSafe;
    ordered &= o == Overlap::Disjoint || call ||
               (o == Overlap::MoveSafe && fixed && (downwards ? distance >= 0 : distance <= 0)) ||
               o == (downwards ? Overlap::GuardDescending : Overlap::GuardAscending);
    step = stepOf(k) == step ? step : 0;
  }
  if (joined.copy())
    joined.toCopy().step = step;
  if (allDisjoint)
    return true;
  Overlap all = Overlap::GuardDisjoint;
  if (allSafe && ordered && fixed && (downwards ? distance >= 0 : distance <= 0))
    all = Overlap::MoveSafe;
  else if (fixed)
    return false;
  else if (up && down && choosesDirection(joined))
    all = Overlap::MoveSafe;
  else if (up && down) // a test for regions apart would be worse than one for each loop
    return false;
  else if (ordered)
    all = downwards ? Overlap::GuardDescending : Overlap::GuardAscending;
  if (joined.copy())
    joined.toCopy().overlap = all;
  bool moves = all != Overlap::GuardDisjoint;
  if (joined.idiom == Idiom::Copy || joined.idiom == Idiom::Move)
    joined.idiom = moves ? Idiom::Move : Idiom::Copy;
  if (all != Overlap::MoveSafe)
    joined.facts.push_back({"overlap of all", Verdict::Guarded, Diag::Overlap,
                            "no loop reads what one before it wrote",
                            "tested at run time for the whole region", "the compiler cannot tell"});
  return true;
}

uint64_t ChainProver::alignOf(ExprId address, uint32_t base) const {
  ExprId offset = g.sub(address, g.leaf(Op::BaseAddr, base, loop.ptrBits));
  return alignmentOf(loop, base, offset);
}

/// Gives the joined loop the first stage's start values and all bytes.
void ChainProver::joinReductions(Match &joined) {
  loop.recs = stages[0].recs;
  loop.liveOuts = stages[0].liveOuts;
  for (size_t k = 0; k < loop.recs.size(); ++k)
    loop.recs[k].init = inits[0][k];
  for (Reduction &r : joined.reductions) {
    r.elementsPerIteration = 1;
    unsigned log = unsigned(__builtin_ctz(r.elementBytes));
    joined.iterations = g.binary(Op::LShr, joined.bytes, loop.word(log));
  }
}

/// Collects the facts, conditions and places of all loops.
std::string ChainProver::gather(Match &joined) {
  std::string lines;
  joined.facts.clear();
  joined.condition = NoExpr;
  for (size_t k = 0; k < matches.size(); ++k) {
    joined.facts.insert(joined.facts.end(), matches[k].facts.begin(), matches[k].facts.end());
    lines += (k ? ", " : "") + std::to_string(stages[k].loc.line) + ":" +
             std::to_string(stages[k].loc.col);
    ExprId c = matches[k].condition == NoExpr ? NoExpr : merge(matches[k].condition);
    if (c != NoExpr && !g.isConst(c, 1))
      joined.condition = joined.condition == NoExpr ? c : g.binary(Op::And, joined.condition, c);
  }
  return lines;
}

/// Turns `loop` into the model of the whole chain.
void ChainProver::becomeWhole() {
  loop.follows = false;
  loop.origin = Origin::Loop;
  loop.id = stages[0].id;
  loop.loc = stages[0].loc;
  loop.dims.clear();
  loop.accesses.clear();
  loop.aliases.clear();
  loop.assumptions.clear();
  loop.obstacles.clear();
}

/// Returns the bytes that tell a long chain of sums: those of its first loop, if these may be many.
/// All bytes together are put together from each case, and take as long as a short chain.
ExprId ChainProver::bytesThatTell(const Match &joined) const {
  constexpr uint64_t few = 64;
  if (joined.reductions.empty() || g.isConst(joined.bytes))
    return NoExpr;
  return mostOf(loop, matches[0].bytes) > few ? matches[0].bytes : joined.bytes;
}

/// Runs all steps, upwards first and then downwards.
bool ChainProver::join(Match &joined) {
  if (!recogniseAll())
    return false;
  if (copyThenSum(joined))
    return true;
  if (!sameOperation() || !pairReductions())
    return false;
  if (!adjoin(&Match::dst) || !adjoin(&Match::src)) {
    downwards = true;
    if (!matches[0].reductions.empty() || !adjoin(&Match::dst) || !adjoin(&Match::src))
      return false;
  }
  if (!startsContinue())
    return false;
  joined = matches[0];
  std::string lines = gather(joined);
  ExprId sum = total(matches.size());
  joined.bytes = merge(sum);
  joined.maxBytes = 0;
  for (ExprId *start : {&joined.dst, &joined.src})
    if (*start != NoExpr) // address of the lowest byte
      *start = merge(downwards ? g.sub(*start, g.sub(sum, matches[0].bytes)) : *start);
  joined.dstAlign = joined.dst == NoExpr ? 1 : alignOf(joined.dst, joined.dstBase);
  joined.srcAlign = joined.src == NoExpr ? 1 : alignOf(joined.src, joined.srcBase);
  // An alignment that holds if there are bytes may be that of a later loop.
  joined.dstTouched = joined.dstAlign;
  joined.srcTouched = joined.srcAlign;
  joined.facts.push_back({"continued", Verdict::Proved, Diag::None,
                          "each loop continues where the one before ends",
                          std::to_string(matches.size()) + " loops, at " + lines + ": " +
                              sourceText(loop, joined.bytes) + " bytes in all",
                          "wherever it runs"});
  if (joined.idiom == Idiom::Fill && !joinPatterns(joined))
    return false;
  if (joined.dst != NoExpr && joined.src != NoExpr && !joinOverlap(joined))
    return false;
  joined.longBy = bytesThatTell(joined);
  becomeWhole();
  joinReductions(joined);
  return true;
}

/// Returns false for a chain that would become loops in place, which are not faster
/// than the chain; and for a copy and a sum that no single routine does.
bool ChainProver::pays(const Decision &d) const {
  return d.loops.empty() && (summing == 0 || (d.calls.size() == 1 && d.routine == Routine::None));
}

} // namespace memlift
