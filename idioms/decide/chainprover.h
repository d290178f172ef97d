// chainprover.h - the proof that loops continue one another, in progress
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MEMLIFT_IDIOMS_DECIDE_CHAINPROVER_H
#define MEMLIFT_IDIOMS_DECIDE_CHAINPROVER_H

#include "../algebra/simplify.h"
#include "chain.h"

#include <functional>

namespace memlift {

class ChainProver {
public:
  ChainProver(std::vector<Loop> &stages, Joined &out)
      : stages(stages), out(out), loop(out.loop), g(out.loop.exprs) {}
  /// One match for the whole chain; false if there is none.
  bool join(Match &joined);
  /// Is the decision about it worth the chain?
  bool pays(const Decision &d) const;
  /// What later code uses, over the results of the decision's calls; false if some
  /// of it is not known.
  bool finals(const Decision &d);

private:
  std::vector<Loop> &stages;
  Joined &out;
  Loop &loop;
  ExprGraph &g;
  std::vector<Match> matches;                  // over the joined loop's expressions
  std::vector<std::vector<ExprId>> inits;      // of each stage's recurrences
  std::vector<std::vector<uint32_t>> liveOuts; // by stage and reduction
  std::vector<ExprId> wholes;                  // what the chain leaves, by reduction
  size_t summing = 0;                          // the stage that `wholes` are named after
  bool downwards = false;

  using Leaf = std::function<bool(AssumptionSimplifier &)>;
  bool recogniseAll();
  ExprId import(const ExprGraph &from, ExprId id, std::map<ExprId, ExprId> &known);
  void importMatch(Match &m, Loop &from, std::map<ExprId, ExprId> &known);
  void bindStages(AssumptionSimplifier &u, bool toWhole);
  bool each(AssumptionSimplifier u, const std::vector<ExprId> &watched, const Leaf &leaf,
            unsigned &budget);
  bool always(const std::vector<ExprId> &watched, const Leaf &leaf);
  ExprId merged(AssumptionSimplifier u, ExprId id, bool toWhole, unsigned &budget);
  ExprId merge(ExprId id, bool toWhole = false);
  bool mentionsStage(ExprId id) const;
  bool adjoin(ExprId Match::*start);
  bool sameOperation();
  bool sameReduction(const Reduction &a, const Reduction &b) const;
  bool pairReductions();
  void nameWholes();
  bool sumsAllOf(ExprId Match::*side);
  bool copyThenSum(Match &joined);
  bool startsContinue();
  bool joinPatterns(Match &joined);
  bool joinOverlap(Match &joined);
  void joinReductions(Match &joined);
  std::string gather(Match &joined);
  void becomeWhole();
  ExprId symbolOf(size_t stage, uint32_t liveOut) const;
  ExprId total(size_t count) const;
  uint64_t alignOf(ExprId address, uint32_t base) const;
};

} // namespace memlift

#endif
