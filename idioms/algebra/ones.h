// ones.h - ones' complement: sums modulo 2^w - 1 that are folded in the loop
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The problem: an Internet checksum brings every carry back to bit 0.
//
//   s += w[i]; s = (s & 0xffff) + (s >> 16);
//   s += w[i]; if (s < w[i]) s++;
//   s += c; s += w[i]; c = s < w[i];
//
// All three add modulo 2^w - 1 with w = 16, 32 or 64. They differ in where they keep
// the sum: in one variable, in a sum and a carry still to be added, in a sum still to
// be folded.
//
// The naive approach matches the fold. There are more spellings than patterns, and an
// unrolled body mixes them. The idea is to prove two things of the function that an
// iteration is, instead of looking at its form.
//
// The class of a sum modulo 2^w - 1 has one representative that such loops keep: 0 if
// all that was added is 0, else 1 .. 2^w - 1. Let A1, A2, ... be the values that an
// iteration computes from carried values alone (s; or s and c; or s & 0xffff and s >>
// 16), and T their sum. In every case of the comparisons and carries (cases.h):
//
// - the next values depend on T and on the words only, not on how T is split into the
//   Ai;
// - the T that they lead to is the representative of T + words.
//
// By induction, n iterations leave the representative of T0 + all words. If the
// live-out is not T itself, the last iteration is done again from the T before it,
// with `main` = T.
//
// The limits: 3 terms, 4 recurrences, 64 cases, 1000 nodes; T starts within 2^w - 1.
//
// Example: s = (s & 0xffff) + (s >> 16) + w with s in 32 bits. The terms are A1 = s &
// 0xffff and A2 = s >> 16, so T = A1 + A2, and the iteration leaves s' = T + w: it
// depends on T only. T' is made of the terms of s'. If s' is below 2^16, T' is T + w.
// Else the low half is T + w - 2^16 and the high half is 1, so T' is T + w - 65535.
// Both are congruent to T + w, and the bounds of each case show that T' is the
// representative.
#ifndef MEMLIFT_IDIOMS_ALGEBRA_ONES_H
#define MEMLIFT_IDIOMS_ALGEBRA_ONES_H

#include "linear.h"

namespace memlift {

/// The result of the proof.
struct OnesForm {
  bool ok = false;
  unsigned width = 0; // w
  /// The words that were added, over bytes, modulo 2^w - 1; each word once.
  Linear words;
  std::vector<ExprId> state; // the Ai as they are before an iteration
  /// True if the recurrence is T itself after an iteration.
  bool direct = false;
  /// If not direct: a recurrence that can hold all of T. An iteration that starts
  /// with `main` = T and all other recurrences 0 leaves the same values as one that
  /// starts with any other split of T.
  uint32_t main = 0;
};

/// Proves that the recurrence is part of a ones' complement sum, given that T starts
/// within 2^w - 1. Adds expressions to the graph.
OnesForm onesOf(Loop &loop, uint32_t rec);

/// The number of folds s = (s & (1 << k) - 1) + (s >> k) after which no number of
/// `width` bits has more than k bits; 2 <= 2 * k <= width <= 64.
unsigned foldsToEnd(unsigned width, unsigned k);

/// Returns 0 for 0, else the number in 1 .. 2^width - 1 that is congruent to t.
uint64_t onesRepresentative(uint64_t t, unsigned width);

} // namespace memlift

#endif
