// bounds.cpp - rewrites exit tests into forms that scalar evolution reads
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   for (i = 0; i < (1u << bits); i++)
//
// is  (i >> bits) == 0  after InstCombine. Where the loop stays, later runs of InstCombine restore
// that form.
#include "read/bounds.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;

namespace memlift {

/// Rewrites x >> b == 0 to x < 1 << b: each is poison where the other is, and the loop branches on
/// it.
static bool compareWithPower(const llvm::Loop &loop, BasicBlock &exiting) {
  auto *branch = dyn_cast<BranchInst>(exiting.getTerminator());
  auto *cmp =
      branch && branch->isConditional() ? dyn_cast<ICmpInst>(branch->getCondition()) : nullptr;
  Value *x, *bits;
  if (!cmp || !cmp->isEquality() || !loop.contains(cmp) ||
      !PatternMatch::match(cmp->getOperand(0), PatternMatch::m_LShr(PatternMatch::m_Value(x),
                                                                    PatternMatch::m_Value(bits))) ||
      !PatternMatch::match(cmp->getOperand(1), PatternMatch::m_Zero()) ||
      !x->getType()->isIntegerTy() || isa<Constant>(bits) || !loop.isLoopInvariant(bits) ||
      loop.isLoopInvariant(x))
    return false;
  IRBuilder<> before(loop.getLoopPreheader()->getTerminator());
  Value *bound = before.CreateShl(ConstantInt::get(x->getType(), 1), bits);
  CmpInst::Predicate within =
      cmp->getPredicate() == CmpInst::ICMP_EQ ? CmpInst::ICMP_ULT : CmpInst::ICMP_UGE;
  IRBuilder<> here(cmp);
  cmp->replaceAllUsesWith(here.CreateICmp(within, x, bound));
  auto *shift = cast<Instruction>(cmp->getOperand(0));
  cmp->eraseFromParent();
  if (shift->use_empty())
    shift->eraseFromParent();
  return true;
}

bool compareWithPowers(const llvm::Loop &loop) {
  SmallVector<BasicBlock *, 4> exiting;
  loop.getExitingBlocks(exiting);
  bool changed = false;
  for (BasicBlock *block : exiting)
    changed |= loop.getLoopPreheader() && compareWithPower(loop, *block);
  return changed;
}

} // namespace memlift
