// linear.h - the integers modulo 2^w: values as sums of recurrences and bytes
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop body is evaluated once, symbolically. Every operation that is linear in
// the ring of integers modulo 2^w keeps an exact form
//     constant + sum(coefficient * unit)
// whose units are the recurrences before the iteration, the bytes it reads, and
// invariants. Widening is linear only if the narrow value did not wrap: an
// interval goes along with the form to prove that.
#ifndef MEMLIFT_IDIOMS_ALGEBRA_LINEAR_H
#define MEMLIFT_IDIOMS_ALGEBRA_LINEAR_H

#include "../loop.h"

#include <tuple>

namespace memlift {

struct Unit {
  enum Kind : uint8_t {
    Rec,        // recurrence `index`, 0 .. 2^width-1
    Byte,       // byte `offset` (by address) of access `index`, 0 .. 255
    SignedByte, // the same as -128 .. 127
    Invariant,  // expression `index`
  } kind;
  uint32_t index;
  unsigned offset;

  bool operator<(const Unit &o) const {
    return std::tie(kind, index, offset) < std::tie(o.kind, o.index, o.offset);
  }
};

struct Linear {
  bool ok = false;
  /// Why it is not: the first operation that is not linear here, or a widening
  /// of what may have wrapped.
  std::string why;
  bool mayWrap = false;
  FlatMap<Unit, uint64_t> terms; // coefficient modulo 2^width, none of them 0
  uint64_t constant = 0;
  /// The value as an unsigned number lies in low..high and equals the form over
  /// the integers (no coefficient is negative then); else bounded is false.
  bool bounded = false;
  __int128 low = 0, high = 0;
};

/// The form of an expression of at most 64 bits, modulo 2^its width.
Linear linearOf(const Loop &loop, ExprId id);

} // namespace memlift

#endif
