// linear.h - the integers modulo 2^w: values as sums of recurrences and bytes
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The problem: find out which sum a loop computes. Sums come unrolled, in several
// accumulators, with words put together from bytes, with casts between, with 31 * h
// written as (h << 5) - h.
//
// The naive approach matches `sum += element`. The idea is to evaluate the body once,
// symbolically, in the ring of integers modulo 2^w. Every operation that is linear
// there keeps an exact form
//
//   constant + sum(coefficient * unit)
//
// over these units: the recurrences before the iteration, the bytes it reads, and
// loop invariants. The coefficients then tell what the loop computes; sum.cpp reads
// them.
//
// Widening is the exception. It is linear only if the narrow value did not wrap. So
// an interval goes along with each form, over the integers: while it stays within the
// width, the form is the value itself and not only congruent to it. That is what
// bounded means, and a widening of an unbounded form is refused.
//
// The limits: values of at most 64 bits, 4096 nodes; no product of two values that
// change, no right shift except one that takes whole bytes out of what was loaded.
//
// Example: a += p[0]; b += a; a += p[1]; b += a. Evaluated from the iteration's
// start, a' = a + p[0] + p[1] and b' = b + 2 a + 2 p[0] + p[1]. The second form is a
// sum of sums, with two elements an iteration: its factors are 2, 1 and that of the
// partner is 2.
#ifndef MEMLIFT_IDIOMS_ALGEBRA_LINEAR_H
#define MEMLIFT_IDIOMS_ALGEBRA_LINEAR_H

#include "../loop.h"

#include <tuple>

namespace memlift {

struct Unit {
  enum Kind : uint8_t {
    Rec,        // recurrence `index`, 0 .. 2^width-1
    Byte,       // byte `offset` (by address) of access `index`, 0 .. 255
    SignedByte, // such a byte as -128 .. 127
    Invariant,  // expression `index`
  } kind;
  uint32_t index;
  unsigned offset;

  bool operator<(const Unit &o) const {
    return std::tie(kind, index, offset) < std::tie(o.kind, o.index, o.offset);
  }
};

/// A linear form, or the reason why a value is none.
struct Linear {
  bool ok = false;
  /// The reason if !ok: the first operation that is not linear here, or a widening of
  /// a value that may have wrapped.
  std::string why;
  ExprId culprit = NoExpr; // that operation: only a remark needs its text
  bool mayWrap = false;
  FlatMap<Unit, uint64_t> terms; // coefficients modulo 2^width, none of them 0
  uint64_t constant = 0;
  /// If bounded, the value as an unsigned number lies in low .. high and equals the
  /// form over the integers; no coefficient is negative then.
  bool bounded = false;
  __int128 low = 0, high = 0;
};

/// Evaluates an expression of at most 64 bits modulo 2^its width.
Linear linearOf(const Loop &loop, ExprId id);

} // namespace memlift

#endif
