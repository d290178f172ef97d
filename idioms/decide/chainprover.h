// chainprover.h - the proof that loops continue one another, in progress
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The steps are in chainjoin.cpp, the case splits and the search in chain.cpp, and
// the fusion of a copy with a sum in chainfuse.cpp.
#ifndef MEMLIFT_IDIOMS_DECIDE_CHAINPROVER_H
#define MEMLIFT_IDIOMS_DECIDE_CHAINPROVER_H

#include "../source_text.h"
#include "../algebra/simplify.h"
#include "chain.h"

#include <functional>

namespace memlift {

/// Proves one chain. All values are expressions of the joined loop; symbols with a
/// stage stand for results of earlier stages and are bound case by case.
class ChainProver {
public:
  ChainProver(std::vector<Loop> &stages, Joined &out)
      : stages(stages), out(out), loop(out.loop), g(out.loop.exprs) {}
  /// Joins all stages into one match; false if that is not possible.
  bool join(Match &joined);
  /// Returns true if the decision about the chain is better than the chain.
  bool pays(const Decision &d) const;
  /// Makes the values of a decision shorter by what its guard says.
  void useGuard(Decision &d);
  /// Computes the values that later code uses from the results of the decision's
  /// calls; false if one of them is not known.
  bool finals(const Decision &d);

private:
  std::vector<Loop> &stages;
  Joined &out;
  Loop &loop;
  ExprGraph &g;
  std::vector<Match> matches;                  // expressed in the joined loop
  std::vector<std::vector<ExprId>> inits;      // initial values of each stage's recurrences
  std::vector<std::vector<uint32_t>> liveOuts; // by stage and reduction
  std::vector<ExprId> wholes;                  // symbols of the chain's results, by reduction
  ExprId guard = NoExpr;                       // holds wherever values are used; NoExpr: none
  size_t summing = 0;                          // the stage whose reductions name `wholes`
  bool downwards = false;

  /// A claim that is checked in one case.
  using Leaf = std::function<bool(AssumptionSimplifier &)>;
  // chain.cpp: stages in one graph, and case splits.
  bool recogniseAll();
  ExprId import(const ExprGraph &from, ExprId id, std::map<ExprId, ExprId> &known);
  void importMatch(Match &m, Loop &from, std::map<ExprId, ExprId> &known);
  void bindStages(AssumptionSimplifier &u, bool toWhole);
  bool each(AssumptionSimplifier u, const std::vector<ExprId> &watched, const Leaf &leaf,
            unsigned &budget);
  bool always(const std::vector<ExprId> &watched, const Leaf &leaf);
  bool excludedByGuard(AssumptionSimplifier u);
  ExprId merged(AssumptionSimplifier u, ExprId id, bool toWhole, unsigned &budget);
  ExprId merge(ExprId id, bool toWhole = false);
  bool mentionsStage(ExprId id) const;
  // chainjoin.cpp and chainfuse.cpp: the steps of the proof.
  bool adjoin(ExprId Match::*start);
  bool sameOperation();
  bool sameReduction(const Reduction &a, const Reduction &b) const;
  bool pairReductions();
  void nameWholes();
  bool sumsAllOf(ExprId Match::*side);
  bool copyThenSum(Match &joined);
  bool startsContinue();
  bool joinPatterns(Match &joined);
  bool choosesDirection(const Match &joined);
  bool joinOverlap(Match &joined);
  void joinReductions(Match &joined);
  std::string gather(Match &joined);
  ExprId bytesThatTell(const Match &joined) const;
  void becomeWhole();
  ExprId symbolOf(size_t stage, uint32_t liveOut) const;
  ExprId total(size_t count) const;
  uint64_t alignOf(ExprId address, uint32_t base) const;
};

} // namespace memlift

#endif
