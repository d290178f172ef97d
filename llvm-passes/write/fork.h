// fork.h - the arms of a branch between loops in place
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MEMLIFT_LLVM_FORK_H
#define MEMLIFT_LLVM_FORK_H

#include "write/write.h"

#include <map>

namespace memlift {

/// Makes `body`, which runs once or not at all, part of what is around `before`.
void addBlock(Env &env, llvm::BasicBlock *before, llvm::BasicBlock *body, llvm::BasicBlock *after);

/// Two arms in front of `pic.at`, one of which may be empty.
class Fork {
public:
  Fork(Env &env, LoopBinding &binding, Materialiser &make, llvm::Value *condition, const Branch &c);
  /// What is emitted until leave() stands on an arm: the first one, or the other.
  void enter(bool first);
  void leave();

private:
  Env &env;
  LoopBinding &binding;
  Materialiser &make;
  llvm::BasicBlock *arms[2] = {nullptr, nullptr};
  llvm::Instruction *behind;
  llvm::DebugLoc where;
  std::map<ExprId, llvm::Value *> known;

  llvm::BasicBlock *arm(llvm::BasicBlock *before, llvm::BasicBlock *after);
};

/// What does not vary, whether it is stored or not, is computed in front: of loops `first` to
/// `end`.
void prepareStores(const LoopBinding &binding, Materialiser &make, const Decision &d, size_t first,
                   size_t end);

/// The end of an arm of a branch, and the values of its phis there.
struct ArmEnd {
  llvm::BasicBlock *end = nullptr;
  llvm::SmallVector<llvm::Value *, 4> values;
};

/// Of the arm that `pic.at` ends.
ArmEnd endOf(LoopBinding &binding, Materialiser &make, const Match &match, const Branch &c,
             bool first);
/// In `behind`, where both have come together.
void merge(Materialiser &make, llvm::BasicBlock *behind, const ArmEnd (&arms)[2]);

} // namespace memlift

#endif
