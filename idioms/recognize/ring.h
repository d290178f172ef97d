// ring.h - indices that start again at the beginning behind the end of a ring
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MEMLIFT_IDIOMS_RECOGNIZE_RING_H
#define MEMLIFT_IDIOMS_RECOGNIZE_RING_H

#include "../loop.h"

#include <optional>

namespace memlift {

/// An index that moves by one from place to place, from 0 to the last one, and from there to any
/// other. All expressions have the index's width.
struct Ring {
  ExprId at = NoExpr;     // the index, a leaf, while `next` depends on it
  ExprId next = NoExpr;   // the index one step on
  ExprId first = NoExpr;  // the index in the first iteration: invariant
  ExprId last = NoExpr;   // the last place: invariant
  ExprId exists = NoExpr; // without this condition it is no such index; NoExpr: it always is
};

/// Reads  (at + 1) & last,  at + 1 == size ? 0 : at + 1  and its like, where an iteration takes the
/// index from `at` to `next`.
std::optional<Ring> ringOf(Loop &loop, ExprId at, ExprId next);
/// Reads  (at + 1) % size,  where `sum` is at + 1.
std::optional<Ring> ringByRemainder(Loop &loop, ExprId at, ExprId sum, ExprId size, bool isSigned);
/// Reads  (start + i) & last  for the iterations i.
std::optional<Ring> cutByMask(Loop &loop, ExprId start, ExprId last);
/// Reads  (start + i) % size  for the iterations i.
std::optional<Ring> cutByRemainder(Loop &loop, ExprId start, ExprId size, bool isSigned);

/// The end of a loop that goes on while the index, or the next one if `next`, is at another place.
struct RingEnd {
  Ring ring;
  ExprId place = NoExpr; // of the index's width, invariant
  bool next = false;
};

/// Returns how often the index steps on before the loop ends, of pointer width; right where what
/// assumeReached() adds holds.
ExprId stepsTo(Loop &loop, const RingEnd &end);
/// Adds the assumptions that the place is in the ring, and is reached before the index starts again
/// at the ring's beginning.
void assumeReached(Loop &loop, const RingEnd &end);

/// Returns the index after one more step than the index `from`.
ExprId stepOn(Loop &loop, const Ring &ring, ExprId from);
/// Returns a value of the iteration that leaves the loop, after `taken` others, with the index
/// replaced by what it is then.
ExprId atEnd(Loop &loop, const Ring &ring, ExprId taken, ExprId value);
/// Returns a value of iteration i with the index replaced by first + i, which it is under the
/// assumptions that assumeInside() adds.
ExprId inIteration(Loop &loop, const Ring &ring, ExprId value);
/// Returns true if `next` is one more than `now` in all iterations but the last, where these are
/// the values of one iteration: of the index of a ring, of which assumeInside() was told.
bool stepsInside(Loop &loop, ExprId now, ExprId next);
/// Adds the assumptions under which the index is first + i in iteration i, from 0 to `taken`. If
/// `isSigned`, also with the sign extended.
void assumeInside(Loop &loop, const Ring &ring, ExprId taken, bool isSigned);

} // namespace memlift

#endif
