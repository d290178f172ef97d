// named.cpp - calls by name that are memset, memcpy or memmove
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// __memset_chk(p, 0, 192, (size_t)-1): what there is behind p was not known, so there
// is nothing to check. LLVM folds such a call too, but after the passes that could use
// the result.
#include "read/picture.h"

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
