// trip.h - how often the loops of a nest run
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MEMLIFT_GCC_READ_TRIP_H
#define MEMLIFT_GCC_READ_TRIP_H

#include "translate.h"

namespace memlift {

/// How often a loop comes back to its header once its preheader is left.
struct Count {
  bool known = false;
  bool mayWrap = false;       // unknown because a narrow counter may wrap
  ExprId zero = NoExpr;       // if true the latch never runs; NoExpr: never true
  ExprId latch = NoExpr;      // executions of the latch unless `zero`, pointer width
  ExprId plusOne = NoExpr;    // latch + 1, the same
  uint64_t max = 0;           // bound of latch, 0 if there is none
  bool testedBefore = false;  // plusOne may be 0: an exit stands in front of the body, too
  ExprId assumption = NoExpr; // without which none of this is known
};

Count countLoop(Translator &t, LoopBinding &binding, class loop *loop);
/// How often the latch runs if the loop is left at this exit alone.
Count countExit(Translator &t, LoopBinding &binding, class loop *loop, edge exit);

/// Fills in pic.loop.dims. `bodyFirst` says per loop whether its body (the inner
/// loop, or the accesses) runs before the exit is tested.
void countNest(Translator &t, LoopBinding &binding, const Nest &nest,
               const std::vector<bool> &bodyFirst, basic_block body);

/// Says under which conditions the counters do not wrap that were taken not to.
void assumeNoWrap(Translator &t, LoopBinding &binding, const Nest &nest);

/// Describes the values of the nest that are used behind it. `bodyFirst` as above.
void readLiveOuts(Translator &t, LoopBinding &binding, const Nest &nest,
                  const std::vector<bool> &bodyFirst);

} // namespace memlift

#endif
