// chainfuse.cpp - a copy followed by the sum of the copied bytes, as one operation
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   memcpy(d, s, n);
//   for (i = 0; i < n / 2; i++) sum += w[i];     w is s, or d
//
// Clang makes this of a loop that does both, and programmers write it. When the sum
// reads, the copy has been made. So both regions hold the same bytes, and the sum may
// read either. A single pass then loads each byte once.
//
// The limit: one sum, over all bytes of the copy.
#include "chainprover.h"

namespace memlift {

/// Returns true if the sum reads all bytes of that side of the copy, and no others.
bool ChainProver::sumsAllOf(ExprId Match::*side) {
  const Match &copy = matches[0], &sum = matches[1];
  ExprId gap = g.sub(sum.src, copy.*side), rest = g.sub(sum.bytes, copy.bytes);
  return always({gap, rest}, [&](AssumptionSimplifier &u) {
    return u.isZero(rest) && (u.isZero(sum.bytes) || u.isZero(gap));
  });
}

/// Returns true if a routine computes this sum while it copies.
static bool copiedBeside(const Reduction &r) {
  if (auto *ones = r.as<Reduction::Ones>())
    return ones->modulus == 16 && ones->direct;
  auto *sum = r.as<Reduction::Sum>();
  return sum && r.elementBytes == 2 && !r.isSigned && !r.swapped && !sum->pairs &&
         sum->perIteration == NoExpr;
}

/// Joins the two links into one match with the copy's regions and the sum's live-out.
bool ChainProver::copyThenSum(Match &joined) {
  if (matches.size() != 2)
    return false;
  const Match &copy = matches[0], &sum = matches[1];
  bool copies = copy.idiom == Idiom::Copy && copy.overlap() == Overlap::Disjoint &&
                copy.reductions.empty() && copy.condition == NoExpr;
  bool sums = sum.dst == NoExpr && sum.reductions.size() == 1 && copiedBeside(sum.reductions[0]);
  if (!copies || !sums || mentionsStage(sum.bytes) || mentionsStage(sum.condition))
    return false;
  const bool ofSource = sumsAllOf(&Match::src);
  if (!ofSource && !sumsAllOf(&Match::dst))
    return false;
  summing = out.counting = 1;
  liveOuts = {{}, {sum.reductions[0].liveOut}};
  nameWholes();
  joined = sum;
  joined.writes = CopyForm();
  std::string lines = gather(joined);
  joined.idiom = sum.reductions[0].is<Reduction::Ones>() ? Idiom::CopyInetChecksum : Idiom::CopySum;
  joined.bytes = merge(copy.bytes);
  joined.iterations = merge(sum.iterations);
  joined.dst = merge(copy.dst);
  joined.src = merge(copy.src);
  joined.dstBase = copy.dstBase;
  joined.srcBase = copy.srcBase;
  joined.dstAlign = alignOf(joined.dst, joined.dstBase);
  joined.srcAlign = alignOf(joined.src, joined.srcBase);
  joined.dstTouched = joined.dstAlign;
  joined.srcTouched = joined.srcAlign;
  joined.facts.push_back(
      {"copied and summed", Verdict::Proved, Diag::None, "the sum reads what was copied, all of it",
       "a copy and a sum, at " + lines + ": " + sourceText(loop, joined.bytes) + " bytes",
       "wherever they run"});
  becomeWhole();
  // The copy is what is written beside such a sum, and the routine does both.
  if (!ofSource)
    loop.touchedNearby = loop.readInLoop = false;
  return true;
}

} // namespace memlift
