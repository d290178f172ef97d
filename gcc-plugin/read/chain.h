// chain.h - loops and mem* calls that run one after the other with nothing between
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   entry:  if (n > 7)               everything between the end of `entry` and `exit`
//   words:    loop                   has no effect but through the links; what a value
//   join:   p = PHI <d, ...>         there is, as seen from the end of `entry`,
//           if (rest != 0)           follows from the conditions on the way
//   bytes:    loop
//   exit:
#ifndef MEMLIFT_GCC_READ_CHAIN_H
#define MEMLIFT_GCC_READ_CHAIN_H

#include "translate.h"

namespace memlift {

/// A loop, or else a call that has a block of its own.
struct ChainLink {
  class loop *loop = nullptr;
  gimple *call = nullptr;
  /// Where it is entered from within the chain.
  basic_block front() const { return loop ? loop_preheader_edge(loop)->src : gimple_bb(call); }
};

/// The order in which a chain's values are written has to be that of every run.
struct ByIndex {
  bool operator()(basic_block a, basic_block b) const { return a->index < b->index; }
};

struct LoopChain {
  std::vector<ChainLink> links;
  basic_block entry = nullptr, exit = nullptr;
  std::set<basic_block, ByIndex> blocks; // with those of the loops
  std::vector<LoopBinding> bindings;     // of the links that have been read
  std::map<tree, ExprId> behind;         // what a loop's values are behind it
  bool failed = false;                   // something could not be described
  /// Values that code behind the chain uses: as Loop::finals of the last loop model.
  std::vector<tree> finals;

  bool contains(tree name) const {
    basic_block bb = TREE_CODE(name) == SSA_NAME ? gimple_bb(SSA_NAME_DEF_STMT(name)) : nullptr;
    return bb && (blocks.count(bb) || bb == exit);
  }
  const ChainLink *linkOf(basic_block bb) const {
    for (const ChainLink &u : links)
      if (u.loop && flow_bb_inside_loop_p(u.loop, bb))
        return &u;
    return nullptr;
  }
};

/// Asked before a block is split: is there, behind `a` in its block and before `b` in
/// its own, nothing that would keep the two from being a chain? `a` comes first, and
/// they are not in one block.
bool isQuietBetween(const ChainLink &a, const ChainLink &b);
/// Fills in entry, exit and blocks for the links, in program order; calls must
/// have blocks of their own. Needs post-dominators. False if there is more
/// between the links.
bool findChain(LoopChain &chain);
/// Gives the chain an exit with all its PHIs, entered from the chain only and with one
/// successor. Post-dominators are gone then.
void closeChain(LoopChain &chain);
/// Reads a loop model for each link; needs post-dominators. False if something cannot
/// be described.
bool readChain(LoopChain &chain, unsigned ordinal);

} // namespace memlift

#endif
