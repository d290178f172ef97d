// ones.h - ones' complement: sums modulo 2^16 - 1 that are folded as they go
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The class of a sum modulo 65535 has one representative that a folding loop
// keeps: 0 for a true zero, else 1..65535. Spellings differ in how they get from
// t = state + words to it: two shifts and an add, a compare and an increment, a
// subtraction of 65535. None is matched. What is shown is that the new state
// depends on t alone, and then t runs through all the values that it can have.
#ifndef MEMLIFT_IDIOMS_ALGEBRA_ONES_H
#define MEMLIFT_IDIOMS_ALGEBRA_ONES_H

#include "linear.h"

namespace memlift {

struct OnesForm {
  bool ok = false;
  /// What was added, over bytes, modulo 2^64; each word once.
  Linear words;
};

/// Is `id` the representative of recurrence `rec` + words, given that the
/// recurrence is at most 65535? Adds expressions to the graph.
OnesForm onesOf(Loop &loop, ExprId id, uint32_t rec);

/// 0 for 0, else the number in 1..65535 that is congruent modulo 65535.
uint64_t onesRepresentative(uint64_t t);

/// True if the value is certainly at most 65535.
bool fitsSixteenBits(const Loop &loop, ExprId id);

} // namespace memlift

#endif
