// fork.h - the arms of a branch between loops in place
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MEMLIFT_LLVM_FORK_H
#define MEMLIFT_LLVM_FORK_H

#include "write/write.h"

#include <map>

namespace memlift {

/// Makes `body`, which runs at most once, part of the loop around `before`.
void addBlock(Env &env, llvm::BasicBlock *before, llvm::BasicBlock *body, llvm::BasicBlock *after);

/// Makes two arms before `binding.at`, one of which may be empty.
class Fork {
public:
  Fork(Env &env, LoopBinding &binding, Materialiser &make, llvm::Value *condition, const Branch &c);
  /// Emits on the first or the other arm until leave().
  void enter(bool first);
  void leave();

private:
  Env &env;
  LoopBinding &binding;
  Materialiser &make;
  llvm::BasicBlock *arms[2] = {nullptr, nullptr};
  llvm::Instruction *join;
  llvm::DebugLoc where;
  std::map<ExprId, llvm::Value *> known;

  llvm::BasicBlock *arm(llvm::BasicBlock *before, llvm::BasicBlock *after);
};

/// Computes the invariant values of stores before the branch, whether the stores run or not: those
/// of loops `first` to `end`.
void prepareStores(const LoopBinding &binding, Materialiser &make, const Decision &d, size_t first,
                   size_t end);

/// The end of an arm of a branch, and the values of its phis there.
struct ArmEnd {
  llvm::BasicBlock *end = nullptr;
  llvm::SmallVector<llvm::Value *, 4> values;
};

/// Returns the end of the arm that `binding.at` ends.
ArmEnd endOf(LoopBinding &binding, Materialiser &make, const Match &match, const Branch &c,
             bool first);
/// Adds the phis in `join`, where both arms join.
void merge(Materialiser &make, llvm::BasicBlock *join, const ArmEnd (&arms)[2]);

} // namespace memlift

#endif
