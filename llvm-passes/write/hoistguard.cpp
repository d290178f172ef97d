// hoistguard.cpp - hoists the minimum-size guard above the zero-trip test
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   before:  from: br n == 0, past, pre            after:  from: guard; br guard, run, pre
//            pre:  guard; br guard, run, keep              pre:  br n == 0, past, keep
//
// A guard that never holds for an empty loop answers the zero-trip test as well. Operations that
// are long enough then save a test, and the others compute nothing twice.
#include "write/write.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace memlift {
namespace {

/// Returns the value that is 0 exactly where `branch` does not go to `pre`; null if there is none.
Value *noneElsewhere(const BranchInst *branch, const BasicBlock *pre) {
  if (!branch || !branch->isConditional() || branch->getSuccessor(0) == branch->getSuccessor(1))
    return nullptr;
  auto *test = dyn_cast<ICmpInst>(branch->getCondition());
  if (!test || !test->isEquality())
    return nullptr;
  auto *zero = dyn_cast<ConstantInt>(test->getOperand(1));
  bool equal = test->getPredicate() == ICmpInst::ICMP_EQ;
  bool elsewhere = branch->getSuccessor(equal ? 1 : 0) == pre;
  return zero && zero->isZero() && elsewhere ? test->getOperand(0) : nullptr;
}

/// Returns the loop model's expression of the value.
ExprId nameOf(LoopBinding &binding, const Value *v) {
  for (size_t i = 0; i < binding.syms.size(); ++i) {
    const SymbolSource &s = binding.syms[i];
    const auto *unknown = dyn_cast_or_null<SCEVUnknown>(s.scev);
    if (s.value == v || (unknown && unknown->getValue() == v))
      return binding.loop.exprs.leaf(Op::Sym, i, binding.loop.syms[i].width);
  }
  return NoExpr;
}

/// Returns whether the block, without its terminator, may be speculated.
bool isFree(const BasicBlock &block) {
  return llvm::all_of(block, [&](const Instruction &i) {
    return i.isTerminator() || isa<DbgInfoIntrinsic>(i) ||
           (!isa<PHINode>(i) && !i.mayReadOrWriteMemory() && isSafeToSpeculativelyExecute(&i));
  });
}

/// Moves instructions, without flags: those promise facts only where the trip count is not zero.
void moveAll(BasicBlock &from, BasicBlock &to) {
  for (Instruction &i : make_early_inc_range(from)) {
    if (i.isTerminator() || isa<DbgInfoIntrinsic>(i))
      continue;
    i.dropPoisonGeneratingFlags();
    i.dropUnknownNonDebugMetadata();
    i.moveBefore(to, to.getTerminator()->getIterator());
  }
}

} // namespace

void askSizeFirst(Env &env, LoopBinding &binding, const Decision &decision, BasicBlock *pre) {
  BasicBlock *from = pre->getSinglePredecessor();
  auto *second = dyn_cast<BranchInst>(pre->getTerminator());
  if (!from || from == pre || env.li.getLoopFor(from) != env.li.getLoopFor(pre))
    return;
  auto *first = dyn_cast<BranchInst>(from->getTerminator());
  Value *count = noneElsewhere(first, pre);
  ExprId none = count ? nameOf(binding, count) : NoExpr;
  if (none == NoExpr || !failsWithout(binding.loop.exprs, decision.guard, none) || !isFree(*pre))
    return;
  BasicBlock *past = first->getSuccessor(first->getSuccessor(0) == pre ? 1 : 0);
  BasicBlock *run = second->getSuccessor(0), *keep = second->getSuccessor(1);
  if (past == run || past == keep)
    return;
  moveAll(*pre, *from);
  Value *guard = second->getCondition(), *test = first->getCondition();
  bool noneFirst = first->getSuccessor(0) == past;
  second->setCondition(test);
  second->setSuccessor(0, noneFirst ? past : keep);
  second->setSuccessor(1, noneFirst ? keep : past);
  MDNode *often = second->getMetadata(LLVMContext::MD_prof);
  second->setMetadata(LLVMContext::MD_prof, first->getMetadata(LLVMContext::MD_prof));
  first->setCondition(guard);
  first->setSuccessor(0, run);
  first->setSuccessor(1, pre);
  first->setMetadata(LLVMContext::MD_prof, often);
  for (PHINode &phi : past->phis())
    phi.replaceIncomingBlockWith(from, pre);
  env.dt.applyUpdates({{DominatorTree::Insert, from, run},
                       {DominatorTree::Insert, pre, past},
                       {DominatorTree::Delete, pre, run},
                       {DominatorTree::Delete, from, past}});
  env.se.forgetBlockAndLoopDispositions();
}

} // namespace memlift
