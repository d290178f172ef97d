// chain.h - loops that continue one another, as one operation
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   while (n >= 8) { *(u64 *)d = *(u64 *)s; d += 8; s += 8; n -= 8; }
//   while (n--) *d++ = *s++;
//
// Each loop is recognised by itself, and if they do the same to regions of which
// one begins where the one before ends, on every way through the code between
// them, the whole chain is that operation on both regions. What has to be tested at
// run time is tested for the whole, in front of the first loop; the other branch
// is all of the chain as it was.
#ifndef MEMLIFT_IDIOMS_DECIDE_CHAIN_H
#define MEMLIFT_IDIOMS_DECIDE_CHAIN_H

#include "../remark.h"

namespace memlift {

/// Makes a loop model that of a link which control leaves out where `runs`, of width
/// 1, is 0: its trip count and size are zero there, and nothing has to hold.
void runsOnlyIf(Loop &loop, ExprId runs);

/// Where chains are looked for among a function's links, loops and calls in program
/// order; which of them can be one is the reader's knowledge.
class ChainSearch {
public:
  virtual ~ChainSearch() = default;
  /// Tries the longest chains first, from each link on that is not in one yet.
  void search(size_t links);

private:
  /// Could link `k + 1` go on with what link `k` does?
  virtual bool mayContinue(size_t k) = 0;
  /// Gives the link a block of its own, if it is a call.
  virtual void giveBlock(size_t link) = 0;
  /// Are these links a chain as the control flow goes?
  virtual bool isChain(size_t first, size_t count) = 0;
  /// True if the chain was rewritten.
  virtual bool tryChain(size_t first, size_t count) = 0;
};

struct Joined {
  bool ok = false;     // the decision is to be carried out
  Loop loop;           // what the outcome's expressions are of
  size_t counting = 0; // the stage whose recurrences and live-outs `loop` has
  Outcome outcome;
  std::vector<ExprId> finals; // as Loop::finals of the last loop
};

/// Judges loop models of a chain (see Loop::follows). With verifyTrials the decision
/// is run against the loop models, one after the other, before it is believed.
Joined judgeChain(std::vector<Loop> &chain, const Options &options);

/// Runs the decision against the chain; empty, or what differs.
std::string differsFromChain(const std::vector<Loop> &chain, const Joined &joined, unsigned trials,
                             uint64_t seed, unsigned &runs);

} // namespace memlift

#endif
