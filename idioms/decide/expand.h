// expand.h - expands a call or an assignment of constant size into words
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// If unaligned words trap, a compiler that does not know a pointer's alignment copies
// byte by byte, or calls; and above some eight words it always calls:
//
//   memset(p, 0, 200), p a multiple of 8:      3 iterations of 8 words, and one word
//
// With the alignment that align/ proves, words are possible. LLVM 22 for RV64 makes
// at most 8 stores of the width that it knows to be aligned, GCC 12 at most 15. The
// limits: constant sizes up to the core's expandMaxBytes.
//
// Why loops: 200 bytes are 25 words. In a straight line a fill takes 25 stores, a
// copy 50 instructions. A loop over groups has the same speed on a core that can load
// a group before it stores it, and needs less code.
#ifndef MEMLIFT_IDIOMS_EXPAND_H
#define MEMLIFT_IDIOMS_EXPAND_H

#include "decide.h"

namespace memlift {

/// More words than this are not "small"; -Os and compact code allow fewer.
constexpr size_t maxInlineWords = 16, maxInlineWordsSize = 4, maxInlineWordsCompact = 8;

/// Cuts the bytes from `at` to `size` into words of at most `word` bytes, without
/// values. Stops after a few more than maxInlineWords.
std::vector<InlineWord> cutWords(uint64_t at, uint64_t size, unsigned word, const Match &match);

/// Returns the alignment that the compiler itself knows of both addresses.
uint64_t alignKnown(const Loop &loop);

/// Fills in the decision if the call or assignment should become words. Else enters
/// the reason as a fact, unless the compiler makes the same words itself.
bool expandCall(Loop &loop, const Match &match, const Core &core, Decision &d);

} // namespace memlift

#endif
