// residue.h - the integers modulo m: sums that are reduced in the loop
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The problem: Adler-32 and Fletcher sums reduce in every iteration.
//
//   a = (a + x) % 65521;                    a in 0 .. m - 1 after a step
//   a += x; if (a >= m) a -= m;             likewise, if a starts below m
//   a += x; a = (a & 255) + (a >> 8);       m = 255: 0 only if all was 0, else
//                                           1 .. m
//
// The naive approach matches `urem`. It misses the other two, mixtures of them, and
// rewritten forms such as x - (x < m ? 0 : m).
//
// The idea is to follow two things about each value: an exact sum of units that it is
// congruent to modulo m, and the largest number that it can be. Sums keep both as
// long as nothing wraps. A reduction keeps the class and changes the range.
// Reductions come in three known forms: a remainder, a subtraction under a
// comparison, a fold. Any other function of one value t alone is run on all values of
// t (oneinput.h), so it needs no pattern.
//
// The range then says which number of its class the value is: 0 .. m - 1 has one of
// each; 1 .. m has too, and 0 joins it if only a sum of 0 gives 0 (zeroOnly).
//
// The limits: 2^21 values of t and 2^26 steps in all; only nonnegative coefficients.
//
// Example: a += x; if (a >= 255) a -= 255, with a at most 254 and x a byte. The sum
// is a + x, at most 509. The subtraction keeps its class modulo 255. Below the limit
// the value is at most 254; above it, at most 509 - 255 = 254. So the range is 0 ..
// 254, which has one number of each class, and the induction over iterations is
// closed.
#ifndef MEMLIFT_IDIOMS_ALGEBRA_RESIDUE_H
#define MEMLIFT_IDIOMS_ALGEBRA_RESIDUE_H

#include "linear.h"

namespace memlift {

/// A value modulo m, and its range.
struct Residue {
  bool ok = false;
  /// The value is congruent to this form modulo m. Its units are Rec and Byte only;
  /// no coefficient or constant is negative.
  Linear sum;
  uint64_t most = 0;     // largest number that the value can be
  bool zeroOnly = false; // the value is 0 only if the whole sum is 0
};

/// Evaluates `id` modulo `modulus`, where recurrence k is at most most[k].
Residue residueOf(Loop &loop, ExprId id, uint64_t modulus, const std::vector<uint64_t> &most);

/// Returns the moduli by which `id` may reduce its sum, the most likely ones first.
std::vector<uint64_t> moduliIn(const Loop &loop, ExprId id);

} // namespace memlift

#endif
