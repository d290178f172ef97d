// fork.h - the ways of a choice between loops in place
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MEMLIFT_LLVM_FORK_H
#define MEMLIFT_LLVM_FORK_H

#include "write/write.h"

#include <map>

namespace memlift {

/// Makes `body`, which runs once or not at all, part of what is around `before`.
void addBlock(Env &env, llvm::BasicBlock *before, llvm::BasicBlock *body, llvm::BasicBlock *after);

/// Two ways in front of `pic.at`, one of which may be empty.
class Fork {
public:
  Fork(Env &env, LoopBinding &binding, Materialiser &make, llvm::Value *condition, const Choice &c);
  /// What is emitted until leave() stands on a way: the first one, or the other.
  void enter(bool first);
  void leave();

private:
  Env &env;
  LoopBinding &binding;
  Materialiser &make;
  llvm::BasicBlock *ways[2] = {nullptr, nullptr};
  llvm::Instruction *behind;
  llvm::DebugLoc where;
  std::map<ExprId, llvm::Value *> known;

  llvm::BasicBlock *way(llvm::BasicBlock *before, llvm::BasicBlock *after);
};

/// What does not vary, whether it is stored or not, is computed in front: of loops `first` to
/// `end`.
void prepareStores(const LoopBinding &binding, Materialiser &make, const Decision &d, size_t first,
                   size_t end);

/// The end of a way of a choice, and what the choice merges there.
struct WayEnd {
  llvm::BasicBlock *end = nullptr;
  llvm::SmallVector<llvm::Value *, 4> values;
};

/// Of the way that `pic.at` ends.
WayEnd endOf(LoopBinding &binding, Materialiser &make, const Match &match, const Choice &c,
             bool first);
/// In `behind`, where both have come together.
void merge(Materialiser &make, llvm::BasicBlock *behind, const WayEnd (&ways)[2]);

} // namespace memlift

#endif
