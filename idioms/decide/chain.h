// chain.h - loops that continue one another, as one operation
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   while (n >= 8) { *(u64 *)d = *(u64 *)s; d += 8; s += 8; n -= 8; }
//   while (n--) *d++ = *s++;
//
// Such code is one copy, written as a loop over words and one over the remaining
// bytes. As two operations it would pay for two calls, and neither would see all
// bytes.
//
// Each loop is recognised on its own. The chain is one operation if all loops do the
// same to regions that continue one another, on every path through the code between
// them. Conditions are tested at run time for the chain as a whole, before the first
// loop; the other branch holds the chain as it was.
//
// The limits: 4 loops at a time (drive/chains.cpp), 64 cases, sums in at most two recurrences.
//
// Example: the loops above. The first copies 8 * (n >> 3) bytes if 8 <= n, else none;
// the second as many bytes as n is then. In the case 8 <= n the second begins at d +
// 8 * (n >> 3), where the first ends. In the other case the first is empty and the
// second begins at d. Together they copy n bytes in both cases, so it is one copy of
// n.
#ifndef MEMLIFT_IDIOMS_DECIDE_CHAIN_H
#define MEMLIFT_IDIOMS_DECIDE_CHAIN_H

#include "decide.h"

namespace memlift {

/// Makes a loop model that of a link which runs only if `runs`, of width 1, is 1.
/// Else its trip count and size are 0, and none of its assumptions has to hold.
void runsOnlyIf(Loop &loop, ExprId runs);

/// The joined chain, as one loop model with its outcome.
struct Joined {
  bool ok = false;     // the decision is to be carried out
  Loop loop;           // the loop that the outcome's expressions belong to
  size_t counting = 0; // the stage whose recurrences and live-outs `loop` has
  Outcome outcome;
  std::vector<ExprId> finals; // as Loop::finals of the last loop
};

/// Judges loop models of a chain (see Loop::follows). With verifyTrials the decision
/// is compared with the loop models, run one after the other, before it is believed.
Joined judgeChain(std::vector<Loop> &chain, const Options &options);

/// Compares the decision with the chain; returns "" or the difference.
std::string differsFromChain(const std::vector<Loop> &chain, const Joined &joined, unsigned trials,
                             uint64_t seed, unsigned &runs);

} // namespace memlift

#endif
