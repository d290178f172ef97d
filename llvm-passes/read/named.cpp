// named.cpp - calls by name that are memset, memcpy or memmove
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// __memset_chk(p, 0, 192, (size_t)-1): the size of p's object was not known, so there is nothing to
// check. LLVM folds such a call too, but after the passes that could use the result.
//
// memset(p, 0, 64) without built-ins is a call of a function that happens to have this name; with
// --memlift-trust-names it has the effect of the C library's. If nothing is gained, it becomes a
// call of memset again.
#include "read/binding.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/SimplifyLibCalls.h"

using namespace llvm;

namespace memlift {

static bool isChecked(const CallInst &call) {
  const Function *callee = call.getCalledFunction();
  if (!callee || callee->isIntrinsic() || call.arg_size() != 4)
    return false;
  StringRef name = callee->getName();
  return name == "__memset_chk" || name == "__memcpy_chk" || name == "__memmove_chk";
}

/// Returns whether the function is declared as the C library does, and visible outside.
static bool isNamed(const CallInst &call) {
  const Function *callee = call.getCalledFunction();
  if (!callee || callee->hasLocalLinkage() || call.arg_size() != 3 || callee->isVarArg() ||
      call.getFunctionType() != callee->getFunctionType() || call.hasOperandBundles())
    return false;
  StringRef name = callee->getName();
  bool set = name == "memset";
  if (!set && name != "memcpy" && name != "memmove")
    return false;
  const DataLayout &dl = call.getModule()->getDataLayout();
  Type *pointer = PointerType::get(call.getContext(), 0);
  Type *second = set ? static_cast<Type *>(Type::getInt32Ty(call.getContext())) : pointer;
  return call.getType() == pointer && call.getArgOperand(0)->getType() == pointer &&
         call.getArgOperand(1)->getType() == second &&
         call.getArgOperand(2)->getType() == dl.getIntPtrType(call.getContext());
}

bool takeNamed(Function &f) {
  std::vector<CallInst *> calls;
  for (Instruction &i : instructions(f))
    if (auto *call = dyn_cast<CallInst>(&i))
      if (isNamed(*call))
        calls.push_back(call);
  for (CallInst *call : calls) {
    IRBuilder<> b(call);
    Value *to = call->getArgOperand(0), *second = call->getArgOperand(1);
    Value *size = call->getArgOperand(2);
    StringRef name = call->getCalledFunction()->getName();
    MaybeAlign dst = call->getParamAlign(0), src = call->getParamAlign(1);
    CallInst *known = name == "memset"
                          ? b.CreateMemSet(to, b.CreateTrunc(second, b.getInt8Ty()), size, dst)
                      : name == "memcpy" ? b.CreateMemCpy(to, dst, second, src, size)
                                         : b.CreateMemMove(to, dst, second, src, size);
    if (call->isTailCall())
      known->setTailCall();
    call->replaceAllUsesWith(to);
    call->eraseFromParent();
  }
  return !calls.empty();
}

bool foldChecked(Function &f, const TargetLibraryInfo &tli) {
  std::vector<CallInst *> calls;
  for (Instruction &i : instructions(f))
    if (auto *call = dyn_cast<CallInst>(&i))
      if (isChecked(*call))
        calls.push_back(call);
  bool changed = false;
  for (CallInst *call : calls) {
    IRBuilder<> builder(call);
    FortifiedLibCallSimplifier simplifier(&tli);
    Value *result = simplifier.optimizeCall(call, builder);
    if (!result)
      continue;
    call->replaceAllUsesWith(result);
    call->eraseFromParent();
    changed = true;
  }
  return changed;
}

} // namespace memlift
