// trip.h - counts the iterations of the loops of a nest
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MEMLIFT_GCC_READ_TRIP_H
#define MEMLIFT_GCC_READ_TRIP_H

#include "translate.h"

namespace memlift {

/// Number of times that a loop comes back to its header after its preheader is left.
struct Count {
  bool known = false;
  bool mayWrap = false;       // unknown because a narrow counter may wrap
  ExprId zero = NoExpr;       // if true the latch never runs; NoExpr: never true
  ExprId latch = NoExpr;      // executions of the latch unless `zero`, pointer width
  ExprId plusOne = NoExpr;    // latch + 1, likewise
  uint64_t max = 0;           // bound of latch, 0 if there is none
  bool testedBefore = false;  // plusOne may be 0: an exit is before the body, too
  ExprId assumption = NoExpr; // the count holds under this condition only
  uint64_t otherwise = 0;     // iterations, at least, where it does not; 0 if unknown
  std::vector<RingEnd> ends;  // the count holds if these are reached only
};

Count countLoop(Translator &t, LoopBinding &binding, class loop *loop);
/// Counts the latch's executions as if this exit were the only one.
Count countExit(Translator &t, LoopBinding &binding, class loop *loop, edge exit);

/// Fills in binding.loop.dims. `bodyFirst` says per loop whether its body (the inner loop, or the
/// accesses) runs before the exit is tested.
void countNest(Translator &t, LoopBinding &binding, const Nest &nest,
               const std::vector<bool> &bodyFirst, basic_block body);

/// Adds the conditions under which the counters do not wrap that were assumed not to.
void assumeNoWrap(Translator &t, LoopBinding &binding, const Nest &nest);

/// Adds the conditions under which the indices of rings do not wrap that were taken as linear ones.
void assumeRings(Translator &t, LoopBinding &binding, const Nest &nest);

/// Describes the values of the nest that are used after it. `bodyFirst` as above.
void readLiveOuts(Translator &t, LoopBinding &binding, const Nest &nest,
                  const std::vector<bool> &bodyFirst);

} // namespace memlift

#endif
