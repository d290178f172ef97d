// chain.h - loops and mem* calls that run one after the other with nothing between
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   entry:  if (n > 7)               everything between the end of `entry` and `exit`
//   words:    loop                   has no effect but through the links; a value
//   join:   p = PHI <d, ...>         there, as seen from the end of `entry`, follows
//           if (rest != 0)           from the conditions in between
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
  /// Block from which the link is entered within the chain.
  basic_block front() const { return loop ? loop_preheader_edge(loop)->src : gimple_bb(call); }
};

/// Orders blocks by index: the order in which a chain's values are written must be reproducible.
struct ByIndex {
  bool operator()(basic_block a, basic_block b) const { return a->index < b->index; }
};

struct LoopChain {
  std::vector<ChainLink> links;
  basic_block entry = nullptr, exit = nullptr;
  std::set<basic_block, ByIndex> blocks; // including those of the loops
  std::vector<LoopBinding> bindings;     // of the links that have been read
  std::map<tree, ExprId> after;          // the values of a loop's names after it
  bool failed = false;                   // some value could not be described
  /// Values that code after the chain uses: as Loop::finals of the last loop model.
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

/// Returns whether only computation is between `a` and `b`: after `a` in its block and before `b`
/// in its own. Query it before a block is split. `a` comes first, in another block.
bool isQuietBetween(const ChainLink &a, const ChainLink &b);
/// Fills in entry, exit and blocks for the links, in program order; calls must have blocks of their
/// own. Needs post-dominators. Returns false if there is more between the links.
bool findChain(LoopChain &chain);
/// Gives the chain an exit with all its PHIs, entered from the chain only and with one successor.
/// Invalidates post-dominators.
void closeChain(LoopChain &chain);
/// Reads a loop model for each link; needs post-dominators. Returns false if something cannot be
/// described.
bool readChain(LoopChain &chain);

} // namespace memlift

#endif
