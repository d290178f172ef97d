// settle.cpp - guards that a later stage can answer: a copy between two globals at the link
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   br (n <= dst - src), run, loop          br true, run, loop
//   run: memlift_move(dst, src, n)     =>   run: memlift_copy(dst, src, n)
//
// A function that was given pointers had to test them. Inlined at the link of LTO, or in a ThinLTO
// back end, the pointers may be known to point into different objects. (A call of
// memlift_copy_forward, which tests by itself, becomes one of memlift_copy.) Then both branches
// give equal bytes, and either may be taken. The branch only has to be the guard: one that compares
// nothing but the size with the distance of the call's own arguments.
#include "write/write.h"

#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace memlift {
namespace {

/// Returns the pointer whose address `v` is, or null; of globals, both are constants.
Value *pointerOf(Value *v) {
  auto *op = dyn_cast<Operator>(v);
  return op && op->getOpcode() == Instruction::PtrToInt ? op->getOperand(0)->stripPointerCasts()
                                                        : nullptr;
}

/// Returns true if `v` is the difference of the addresses `a` and `b`, in either direction.
bool isDistance(Value *v, Value *a, Value *b) {
  auto *op = dyn_cast<Operator>(v);
  if (!op || op->getOpcode() != Instruction::Sub)
    return false;
  Value *x = pointerOf(op->getOperand(0)), *y = pointerOf(op->getOperand(1));
  a = a->stripPointerCasts();
  b = b->stripPointerCasts();
  return (x == a && y == b) || (x == b && y == a);
}

/// Returns true if the condition is one of idioms/decide's overlap tests for the call.
bool isGuardOf(Value *condition, CallBase &call) {
  Value *left, *right;
  if (match(condition, m_And(m_Value(left), m_Value(right))) ||
      match(condition, m_LogicalAnd(m_Value(left), m_Value(right))) ||
      match(condition, m_LogicalOr(m_Value(left), m_Value(right))))
    return isGuardOf(left, call) && isGuardOf(right, call);
  auto *compare = dyn_cast<ICmpInst>(condition);
  if (!compare || !compare->isUnsigned())
    return false;
  Value *size = call.getArgOperand(2);
  for (unsigned i : {0u, 1u})
    if (compare->getOperand(i) == size &&
        isDistance(compare->getOperand(1 - i), call.getArgOperand(0), call.getArgOperand(1)))
      return true;
  return false;
}

/// Returns the branch that leads to the call or past it, if it is the guard.
BranchInst *guardOf(CallBase &call) {
  BasicBlock *before = call.getParent()->getSinglePredecessor();
  auto *branch = before ? dyn_cast<BranchInst>(before->getTerminator()) : nullptr;
  if (!branch || !branch->isConditional() || branch->getSuccessor(0) == branch->getSuccessor(1) ||
      !isGuardOf(branch->getCondition(), call))
    return nullptr;
  return branch;
}

bool areDisjoint(AAResults &aa, CallBase &call) {
  auto around = [&](unsigned i) { return MemoryLocation::getBeforeOrAfter(call.getArgOperand(i)); };
  return aa.isNoAlias(around(0), around(1));
}

bool settle(AAResults &aa, CallBase &call) {
  BranchInst *guard = guardOf(call);
  if (!guard || !areDisjoint(aa, call))
    return false;
  bool runs = guard->getSuccessor(0) == call.getParent();
  guard->setCondition(ConstantInt::getBool(call.getContext(), runs));
  call.removeFnAttr(GuardedAttribute);
  useCopy(call);
  return true;
}

/// Settles a copy that may overlap, by a routine that tests by itself.
bool settleSteps(AAResults &aa, CallBase &call) {
  Function *f = call.getCalledFunction();
  if (!f || f->getName() != symbolOf(Routine::CopyForward) || !areDisjoint(aa, call))
    return false;
  useCopyForSteps(call);
  return true;
}

} // namespace

bool settleGuards(Function &f, AAResults &aa) {
  std::vector<CallBase *> calls;
  for (BasicBlock &block : f)
    for (Instruction &i : block)
      if (auto *call = dyn_cast<CallBase>(&i))
        if (call->hasFnAttr(GuardedAttribute))
          calls.push_back(call);
  bool changed = false;
  for (CallBase *call : calls)
    if (call->arg_size() == 3)
      changed |= settle(aa, *call);
    else if (call->arg_size() == 4)
      changed |= settleSteps(aa, *call);
  return changed;
}

} // namespace memlift
