// residue.h - the integers modulo m: sums that are reduced as they go
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   a = (a + x) % 65521;                    a in 0 .. m - 1 after a step
//   a += x; if (a >= m) a -= m;             the same, if a starts below m
//   a += x; a = (a & 255) + (a >> 8);       m = 255: 0 only if all was 0, else
//                                           1 .. m
//
// A value is followed as an exact sum of units as long as nothing wraps, with
// the largest number that it can be. A reduction of a value t keeps the class of
// the sum modulo m: a remainder, a subtraction under a comparison and a fold are
// known by their form; any other operation on t alone by running t through all
// its values. What range the result is in says which number of its class it is.
#ifndef MEMLIFT_IDIOMS_ALGEBRA_RESIDUE_H
#define MEMLIFT_IDIOMS_ALGEBRA_RESIDUE_H

#include "linear.h"

namespace memlift {

struct Residue {
  bool ok = false;
  /// The value is congruent to this modulo m; units Rec and Byte only, no
  /// coefficient or constant is negative.
  Linear sum;
  uint64_t most = 0;     // no value is larger
  bool zeroOnly = false; // it is 0 only if the whole sum is
};

/// What `id` is, where recurrence k is at most most[k].
Residue residueOf(Loop &loop, ExprId id, uint64_t modulus, const std::vector<uint64_t> &most);

/// Moduli by which `id` may reduce what it carries, likeliest first.
std::vector<uint64_t> moduliIn(const Loop &loop, ExprId id);

} // namespace memlift

#endif
