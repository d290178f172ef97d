// exits.h - loops that end at the first of several exits, each of them counted
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MEMLIFT_LLVM_READ_EXITS_H
#define MEMLIFT_LLVM_READ_EXITS_H

#include "read/binding.h"

#include "llvm/Analysis/ScalarEvolutionExpressions.h"

namespace memlift {

/// The exits of an innermost loop in simple form; see exits.cpp.
class SeveralExits {
public:
  SeveralExits(Env &env, llvm::Loop &loop) : env(env), loop(loop) {}

  /// Finds the exits. Returns true if there are several, all of them counted: by scalar evolution,
  /// or by `other`, which gives null if it cannot.
  bool find(llvm::function_ref<const llvm::SCEV *(const llvm::BasicBlock &)> other);
  size_t count() const { return blocks.size(); }
  /// Returns how many exits are tested before the block, in each iteration.
  size_t before(const llvm::BasicBlock &block) const;
  /// Returns the exiting blocks, in the order of their tests.
  const std::vector<llvm::BasicBlock *> &from() const { return blocks; }
  /// Returns for how many consecutive iterations the loop is not left at that exit.
  const llvm::SCEV *count(size_t exit) const { return counts[exit]; }
  /// Returns how often the back edge is taken.
  const llvm::SCEV *taken() const;
  /// Returns how often a block runs that comes after `before` exit tests.
  const llvm::SCEV *iterations(size_t before) const;
  /// Returns whether such a block runs at least once.
  bool runsAtOnce(size_t before) const;
  /// Returns whether every exit leaves one value to a phi after the loop: `old` at exits before
  /// such a block, `next` at those after it.
  bool leaves(const llvm::PHINode &phi, size_t before, const llvm::Value *old,
              const llvm::Value *next) const;
  /// Returns the value that every exit leaves to a phi, as a function of the counts; null if there
  /// is none, or the exits leave different ones. `copies` replace values of the loop.
  const llvm::SCEV *leaves(const llvm::PHINode &phi, size_t before,
                           const std::map<llvm::Instruction *, llvm::Instruction *> &copies) const;

private:
  bool isWhatRemains(const llvm::SCEVAddRecExpr &counter, llvm::ArrayRef<const llvm::SCEV *> left,
                     size_t before) const;

  Env &env;
  llvm::Loop &loop;
  std::vector<llvm::BasicBlock *> blocks; // exiting blocks, in order
  std::vector<const llvm::SCEV *> counts; // as blocks, at pointer width: consecutive iterations in
                                          // which the loop is not left there
};

/// Returns whether the loop may be counted, as far as its exits go; a cheap test.
bool mayBeCounted(const llvm::Loop &loop);

} // namespace memlift

#endif
