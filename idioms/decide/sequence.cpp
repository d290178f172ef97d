// sequence.cpp - several operations in a loop's place, under one guard
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each operation is decided on as if it were alone. Then the decisions are put together:
// all conditions become one guard, since the loop on its other branch does all of them.
//
// Naively, each operation would have a guard of its own, and a loop that does the others. That
// takes a loop for each subset of the operations. With one guard there are two versions: all
// operations, one after the other, or the source's loop.
//
// The limits: one operation that is to be kept keeps the loop. Under -Os a guard does, too, as it
// needs the second version.
#include "decider.h"

namespace memlift {

/// If one operation is kept, all are. There is one guard for all, as there is one loop.
Decision decideSequence(Loop &loop, const Match &match, const Options &options) {
  Decision d;
  d.guard = match.condition;
  bool inlined = true;
  for (const Match &operation : match.sequence()) {
    Decision one = Decider(loop, operation, options, /*inSequence=*/true).run();
    if (!isDone(one.kind))
      return one;
    if (one.guard != NoExpr)
      d.guard = d.guard == NoExpr ? one.guard : loop.exprs.binary(Op::And, d.guard, one.guard);
    one.guard = NoExpr;
    one.repeat = Repeat();
    inlined &= one.kind == DecisionKind::Inlined || one.routine == Routine::None;
    d.facts.insert(d.facts.end(), one.facts.begin(), one.facts.end());
    d.sequence.push_back(one);
  }
  if (d.guard != NoExpr && loop.function.optSize) {
    Decision kept;
    kept.code = Diag::GuardTooCostly;
    kept.facts.push_back({"code size", Verdict::Failed, kept.code, "no second version with -Os",
                          "overlap must be tested at run time", ""});
    return kept;
  }
  d.kind = d.guard != NoExpr ? DecisionKind::Guarded
           : inlined         ? DecisionKind::Inlined
                             : DecisionKind::Lowered;
  d.code = d.guard != NoExpr ? Diag::Guarded : inlined ? Diag::Inlined : Diag::Lowered;
  return d;
}

} // namespace memlift
