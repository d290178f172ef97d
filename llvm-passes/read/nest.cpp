// nest.cpp - finds the loops around an innermost one that make a perfect nest with it
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   for (y = 0; y < h; y++)      one subloop, nothing else that has an effect;
//     for (x = 0; x < w; x++)    `if (w > 0)` before the rotated inner
//       p[y * w + x] = 0;        loop is allowed if it is invariant
#include "read/carried.h"
#include "read/search.h"

#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace memlift {

bool hasStore(const llvm::Loop &loop) {
  for (const BasicBlock *block : loop.blocks())
    for (const Instruction &i : *block)
      if (isa<StoreInst>(i))
        return true;
  return false;
}

bool isCandidate(Env &env, const llvm::Loop &loop) {
  if (!holdsSmallLoops(env, loop))
    return false;
  bool asked = env.f.hasFnAttribute(StreamAttribute);
  for (const BasicBlock *block : loop.blocks())
    for (const Instruction &i : *block)
      if (isa<StoreInst>(i) || isMemCall(i) || (asked && isa<LoadInst>(i)))
        return true;
  return mayCarryLoads(env, loop) || maySearch(loop);
}

bool innerGuard(Env &env, llvm::Loop &parent, llvm::Loop &inner, InnerGuard &guard) {
  guard = InnerGuard();
  const BasicBlock *latch = parent.getLoopLatch();
  BasicBlock *at = inner.getLoopPreheader();
  if (!latch || !at)
    return false;
  while (!env.dt.dominates(at, latch)) {
    BasicBlock *pred = at->getSinglePredecessor();
    auto *branch = pred ? dyn_cast<BranchInst>(pred->getTerminator()) : nullptr;
    if (!branch || !parent.contains(pred))
      return false;
    if (branch->isConditional()) {
      if (guard.condition || branch->getSuccessor(0) == branch->getSuccessor(1))
        return false;
      guard.condition = branch->getCondition();
      guard.runsIf = branch->getSuccessor(0) == at;
    }
    at = pred;
  }
  return true;
}

/// Returns whether the parent's own blocks only count and compute.
static bool isBare(Env &env, llvm::Loop &parent) {
  for (BasicBlock *block : parent.blocks()) {
    if (env.li.getLoopFor(block) != &parent)
      continue;
    for (Instruction &i : *block)
      if (!i.isDebugOrPseudoInst() && (i.mayHaveSideEffects() || i.mayReadFromMemory()))
        return false;
  }
  return true;
}

std::vector<llvm::Loop *> widestNest(Env &env, llvm::Loop &innermost) {
  std::vector<llvm::Loop *> nest = {&innermost};
  InnerGuard guard;
  for (llvm::Loop *inner = &innermost;; inner = nest.front()) {
    llvm::Loop *parent = inner->getParentLoop();
    if (!parent || parent->getSubLoops().size() != 1 || nest.size() >= 4 ||
        !parent->isLoopSimplifyForm() || !parent->getExitingBlock() || !parent->getExitBlock() ||
        !inner->getExitingBlock() || !isBare(env, *parent) ||
        !innerGuard(env, *parent, *inner, guard))
      return nest;
    nest.insert(nest.begin(), parent);
  }
}

} // namespace memlift
