// worth.h - estimates from which number of iterations a call is faster than the loop
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A call takes some cycles before it processes the first byte: its arguments are moved, the routine
// selects a method by the size, and live registers may be saved around it. The loop that the
// compiler makes of the source has no such cost, and ends sooner if it has few iterations. Both
// estimates are in cycles of a core that has the operands in its first-level cache.
#ifndef MEMLIFT_IDIOMS_DECIDE_WORTH_H
#define MEMLIFT_IDIOMS_DECIDE_WORTH_H

#include "decide.h"

namespace memlift {

/// Returns the cycles from the beginning of one iteration to that of the next one: the longest
/// chain of operations from a carried scalar to its own next value, and at least 1. A sum of sums
/// has two short chains, which run side by side.
unsigned cyclesOfIteration(const Loop &loop);

/// Returns the cycles from recurrence `rec` to its own next value; negative if that does not depend
/// on it.
int cyclesBetween(const ExprGraph &g, uint64_t rec, ExprId next);

/// Returns the operations that compute a value, those of invariants and conversions left out.
unsigned operationsIn(const ExprGraph &g, ExprId value);

/// Returns true if the loop reads values again in each iteration, which memlift takes for fixed
/// after a test. The compiler cannot.
bool rereads(const Loop &loop);

/// Returns true if the compiler makes a call of the C library of the loop, too.
bool formsCall(const Loop &loop, const Match &match);

/// Returns the cycles that the decision's calls take for a few bytes.
unsigned cyclesOfCalls(const Decision &d);

/// Returns an upper bound of a size or a trip count, for estimates only: a subtraction is taken not
/// to wrap. It is that of upperBound(), or a lower one through sums, products and shifts.
uint64_t mostOf(const Loop &loop, ExprId id);

/// Returns an upper bound that holds for all values, where mostOf() is an estimate.
uint64_t mostSurely(const Loop &loop, ExprId id);

/// Returns an upper bound of the iterations of a dimension, for estimates only.
uint64_t mostIterations(const Loop &loop, const Dim &dim);

/// Returns a condition for `count` to be at least `least`, which is above 0, by as few operations
/// as it takes: a program computes the count itself only where it holds. For estimates only: it may
/// differ where the count wraps, or is a select's constant below `least`.
ExprId enough(ExprGraph &g, ExprId count, uint64_t least);

/// Returns the least number of iterations for which the decision's calls are no slower.
uint64_t leastIterations(const Loop &loop, const Match &match, const Decision &d);

/// Returns the constant number of iterations up to which the compiler's vectors, all of them whole,
/// are no slower than the decision's calls; 0 if it makes none.
uint64_t leastConstant(const Loop &loop, const Match &match, const Decision &d);

} // namespace memlift

#endif
