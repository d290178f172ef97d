// ones.h - ones' complement: sums modulo 2^w - 1 that are folded as they go
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The class of a sum modulo 2^w - 1 (w = 16, 32 or 64) has one representative
// that a loop keeps: 0 for a true zero, else 1 .. 2^w - 1. Spellings differ in
// where they keep it: in one variable, in a sum and a carry still to be added, in
// a sum still to be folded. None is matched. Let A1, A2 ... be what an iteration
// computes of the carried values alone (A1 = s; or s and c; or s & 0xffff and
// s >> 16), and T their sum. What is shown, in every case of its comparisons and
// carries (cases.h), is that an iteration depends on T and on the words alone, and
// that the T it leaves is the representative of T + words.
#ifndef MEMLIFT_IDIOMS_ALGEBRA_ONES_H
#define MEMLIFT_IDIOMS_ALGEBRA_ONES_H

#include "linear.h"

namespace memlift {

struct OnesForm {
  bool ok = false;
  unsigned width = 0; // w
  /// What was added, over bytes, modulo 2^w - 1; each word once.
  Linear words;
  std::vector<ExprId> state; // the Ai, before an iteration
  /// After an iteration the recurrence is T itself.
  bool direct = false;
  /// Else: one iteration from `main` = T and all other recurrences 0 leaves what
  /// one from any values with that T does.
  uint32_t main = 0;
};

/// Is the recurrence part of a ones' complement sum, given that T starts within
/// 2^w - 1? Adds expressions to the graph.
OnesForm onesOf(Loop &loop, uint32_t rec);

/// After so many folds at k bits, s = (s & (1 << k) - 1) + (s >> k), no number of
/// `width` bits has more than k; 2 <= 2 * k <= width <= 64.
unsigned foldsToEnd(unsigned width, unsigned k);

/// 0 for 0, else the number in 1 .. 2^width - 1 that is congruent modulo that.
uint64_t onesRepresentative(uint64_t t, unsigned width);

} // namespace memlift

#endif
