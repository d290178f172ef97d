// expand.h - words in the place of a call or an assignment of constant size
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where unaligned words trap, a compiler that does not know of a pointer's alignment
// goes byte by byte or calls, and beyond some eight words it calls in any case:
//
//   memset(p, 0, 200), p a multiple of 8:      3 rounds of 8 words, and one word
//
// LLVM 22 for RV64 makes at most 8 stores of the width that it knows to be aligned,
// GCC 12 at most 15.
#ifndef MEMLIFT_IDIOMS_EXPAND_H
#define MEMLIFT_IDIOMS_EXPAND_H

#include "decide.h"

namespace memlift {

/// More words than this are no longer "small" (and -Os wants fewer).
constexpr size_t maxInlineWords = 16, maxInlineWordsSize = 4, maxInlineWordsCompact = 8;

/// The bytes from `at` to `size` as words of at most `word` bytes; no values yet.
/// There are some more than maxInlineWords if there are too many.
std::vector<InlineWord> cutWords(uint64_t at, uint64_t size, unsigned word, const Match &match);

/// What the compiler takes the addresses to be multiples of.
uint64_t alignKnown(const Loop &loop);

/// Fills in the decision if the call or the assignment is to become words. If not,
/// the decision gets the reason as a fact, unless the compiler does the same itself.
bool expandCall(Loop &loop, const Match &match, const Core &core, Decision &d);

} // namespace memlift

#endif
