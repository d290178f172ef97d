// chain.h - loops and mem* calls that run one after the other with nothing between
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   entry:  br n > 7, words, join        everything between the end of `entry` and
//   words:  loop; br join                `exit` has no effect but through the links;
//   join:   p = phi [d, entry], [..]     a value there, as seen from the end of
//           br n' != 0, bytes, exit      `entry`, follows from the conditions in
//   bytes:  loop; br exit                between: p is n > 7 ? d + 8 * (n >> 3) : d
//   exit:
#ifndef MEMLIFT_LLVM_READ_CHAIN_H
#define MEMLIFT_LLVM_READ_CHAIN_H

#include "read/binding.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/PostDominators.h"

namespace memlift {

/// A loop, or else a call that has a block of its own.
struct ChainLink {
  llvm::Loop *loop = nullptr;
  llvm::CallBase *call = nullptr;
  /// Block from which the link is entered within the chain.
  llvm::BasicBlock *front() const { return loop ? loop->getLoopPreheader() : call->getParent(); }
};

struct LoopChain {
  std::vector<ChainLink> links;
  llvm::BasicBlock *entry = nullptr, *exit = nullptr;
  llvm::SmallPtrSet<llvm::BasicBlock *, 16> blocks; // including those of the loops
  const llvm::PostDominatorTree *pdt = nullptr;
  std::vector<LoopBinding> bindings;                   // of the links that have been read
  std::map<llvm::PHINode *, ExprId> states;            // the values of links' live-outs
  std::map<llvm::PHINode *, const llvm::SCEV *> after; // after the chain, the other values
  bool failed = false;                                 // some value could not be described
  /// Values that code after the chain uses: as Loop::finals of the last loop model.
  std::vector<llvm::Instruction *> finals;

  bool contains(const llvm::Value *v) const {
    const auto *i = llvm::dyn_cast<llvm::Instruction>(v);
    return i && blocks.count(const_cast<llvm::BasicBlock *>(i->getParent()));
  }
  const ChainLink *linkOf(const llvm::BasicBlock *block) const {
    for (const ChainLink &u : links)
      if (u.loop && u.loop->contains(block))
        return &u;
    return nullptr;
  }
};

/// Fills in entry, exit and blocks for the links, in program order; calls must have blocks of their
/// own. Returns false if there is more between them.
bool findChain(Env &env, const llvm::PostDominatorTree &pdt, LoopChain &chain);
/// Gives the chain an exit that is entered from the chain only.
void closeChain(Env &env, LoopChain &chain);
/// Reads a loop model for each link. Returns false if something cannot be described.
bool readChain(Env &env, LoopChain &chain);

} // namespace memlift

#endif
