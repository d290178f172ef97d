// bounds.cpp - bounds of counters in forms that scalar evolution reads
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   for (i = 0; i < (1u << bits); i++)
//
// is  (i >> bits) == 0  after InstCombine, and  7 - i  is  i ^ 7  where i <= 7. Where the loop
// stays, later runs of InstCombine restore that form.
//
//   while (n >= 8)       the rest of at most seven iterations: n is a phi of values for which
//     n -= 8;            the test has failed
//   while (n--)
#include "read/bounds.h"

#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/ConstantRange.h"
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

bool subtractCounters(const llvm::Loop &loop, ScalarEvolution &se) {
  using namespace PatternMatch;
  bool changed = false;
  for (BasicBlock *block : loop.blocks())
    for (Instruction &i : make_early_inc_range(*block)) {
      Value *x;
      const APInt *all;
      if (!match(&i, m_Xor(m_Value(x), m_APInt(all))) || !all->isMask() || all->isAllOnes() ||
          !isa<SCEVAddRecExpr>(se.getSCEV(x)) || se.getUnsignedRangeMax(se.getSCEV(x)).ugt(*all))
        continue;
      Value *rest = IRBuilder<>(&i).CreateNUWSub(i.getOperand(1), x, i.getName());
      i.replaceAllUsesWith(rest);
      i.eraseFromParent();
      changed = true;
    }
  return changed;
}

/// Returns the values that v may have where the edge is taken, by the edge's own test.
static ConstantRange rangeOnEdge(ScalarEvolution &se, Value *v, BasicBlock *from, BasicBlock *to) {
  using namespace PatternMatch;
  ConstantRange range = se.getUnsignedRange(se.getSCEV(v));
  auto *branch = dyn_cast<BranchInst>(from->getTerminator());
  auto *cmp =
      branch && branch->isConditional() ? dyn_cast<ICmpInst>(branch->getCondition()) : nullptr;
  const APInt *bound, *by;
  if (!cmp || branch->getSuccessor(0) == branch->getSuccessor(1) ||
      !match(cmp->getOperand(1), m_APInt(bound)))
    return range;
  Value *x = cmp->getOperand(0);
  ConstantRange tested = ConstantRange::makeExactICmpRegion(
      branch->getSuccessor(0) == to ? cmp->getPredicate() : cmp->getInversePredicate(), *bound);
  if (x == v)
    return range.intersectWith(tested);
  return match(v, m_Add(m_Specific(x), m_APInt(by))) ? range.intersectWith(tested.add(*by)) : range;
}

/// Returns the quotient in a product of one and a constant; null if it is something else.
static const SCEVUDivExpr *quotientIn(const SCEV *s) {
  const auto *product = dyn_cast<SCEVMulExpr>(s);
  if (!product || product->getNumOperands() != 2)
    return nullptr;
  const SCEV *factor = product->getOperand(1);
  return dyn_cast<SCEVUDivExpr>(factor);
}

/// Returns the greatest value of x - x / c * c, which is what a loop leaves that became a call; all
/// ones for other numbers.
static APInt greatestRest(ScalarEvolution &se, const SCEV *s) {
  APInt most = APInt::getAllOnes(unsigned(se.getTypeSizeInBits(s->getType())));
  const auto *sum = dyn_cast<SCEVAddExpr>(s);
  for (unsigned k = 0; sum && k < sum->getNumOperands(); ++k) {
    const SCEVUDivExpr *quotient = quotientIn(sum->getOperand(k));
    if (!quotient)
      continue;
    const SCEV *by = quotient->getRHS(), *x = quotient->getLHS();
    if (isa<SCEVConstant>(by) && se.getAddExpr(s, se.getMulExpr(by, quotient)) == x)
      most = cast<SCEVConstant>(by)->getAPInt() - 1;
  }
  return most;
}

/// Returns the values of a phi, by the tests on its edges. Signed numbers below a bound may be
/// negative: that is one interval in signed order only.
static ConstantRange rangeOfPhi(ScalarEvolution &se, PHINode &phi, unsigned depth = 3) {
  const unsigned width = phi.getType()->getIntegerBitWidth();
  ConstantRange all = ConstantRange::getEmpty(width);
  for (unsigned k = 0; k < phi.getNumIncomingValues(); ++k) {
    Value *v = phi.getIncomingValue(k);
    ConstantRange range = rangeOnEdge(se, v, phi.getIncomingBlock(k), phi.getParent());
    const APInt rest = greatestRest(se, se.getSCEV(v));
    if (!rest.isAllOnes())
      range = range.intersectWith(ConstantRange(APInt::getZero(width), rest + 1));
    if (auto *inner = dyn_cast<PHINode>(v); inner && depth && inner->getParent() != phi.getParent())
      range = range.intersectWith(rangeOfPhi(se, *inner, depth - 1));
    all = all.unionWith(range, ConstantRange::Signed);
  }
  return all;
}

namespace {

/// Collects the phis that a number is computed from.
struct PhiFinder {
  std::vector<PHINode *> phis;
  bool follow(const SCEV *s) {
    const auto *unknown = dyn_cast<SCEVUnknown>(s);
    if (auto *phi = unknown ? dyn_cast<PHINode>(unknown->getValue()) : nullptr)
      phis.push_back(phi);
    return true;
  }
  bool isDone() const { return false; }
};

} // namespace

uint64_t mostTaken(ScalarEvolution &se, const llvm::Loop &loop, const SCEV *taken) {
  PhiFinder finder;
  visitAll(taken, finder);
  ValueToSCEVMapTy known;
  for (PHINode *phi : finder.phis) {
    if (!phi->getType()->isIntegerTy())
      continue;
    const SCEV *s = se.getSCEV(phi);
    const ConstantRange range = rangeOfPhi(se, *phi);
    if (range.isEmptySet())
      continue;
    if (range.getUnsignedMax().ult(se.getUnsignedRangeMax(s)))
      known[phi] = se.getUMinExpr(s, se.getConstant(range.getUnsignedMax()));
    else if (range.getSignedMax().slt(se.getSignedRangeMax(s)))
      known[phi] = se.getSMinExpr(s, se.getConstant(range.getSignedMax()));
  }
  if (known.empty())
    return 0;
  const SCEV *bounded = SCEVParameterRewriter::rewrite(se.applyLoopGuards(taken, &loop), se, known);
  APInt most = se.getUnsignedRangeMax(bounded);
  return most.getActiveBits() < 63 ? most.getZExtValue() : 0;
}

} // namespace memlift
