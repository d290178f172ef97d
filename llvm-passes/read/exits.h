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

  /// True if there are several, all of them counted.
  bool find();
  size_t count() const { return blocks.size(); }
  /// How many exits are tested in front of the block, in each iteration.
  size_t before(const llvm::BasicBlock &block) const;
  /// That the loop is left from, in the order in which it is tested there.
  const std::vector<llvm::BasicBlock *> &from() const { return blocks; }
  /// How often in a row the loop is not left at that exit.
  const llvm::SCEV *count(size_t exit) const { return counts[exit]; }
  /// How often the back edge is taken.
  const llvm::SCEV *taken() const;
  /// How often a block runs in front of which so many exits are tested.
  const llvm::SCEV *rounds(size_t before) const;
  /// Is one of them run at least once?
  bool runsAtOnce(size_t before) const;
  /// The value that every exit leaves to a phi behind the loop, as it is for `old` and
  /// `next`: in front of such a block, and behind it.
  bool leaves(const llvm::PHINode &phi, size_t before, const llvm::Value *old,
              const llvm::Value *next) const;
  /// The same value, counted; null if there is none, or the exits leave different ones.
  /// `copies` stand in for values of the loop.
  const llvm::SCEV *leaves(const llvm::PHINode &phi, size_t before,
                           const std::map<llvm::Instruction *, llvm::Instruction *> &copies) const;

private:
  bool isWhatRemains(const llvm::SCEVAddRecExpr &counter, llvm::ArrayRef<const llvm::SCEV *> left,
                     size_t before) const;

  Env &env;
  llvm::Loop &loop;
  std::vector<llvm::BasicBlock *> blocks; // that the loop is left from, in order
  std::vector<const llvm::SCEV *> counts; // as blocks, of pointer width: how often in
                                          // a row the loop is not left there
};

/// A cheap look: may the loop be counted, as far as its exits go?
bool mayBeCounted(const llvm::Loop &loop);

} // namespace memlift

#endif
