// narrow.cpp - tells which loops can be read where offsets are narrower than pointers
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   for (i = 0; i < n; i++)    the address is base + i * 4, modulo 2^32 in its low 32 bits;
//     p[i] = 0;                no pointer is loaded, stored, compared, converted or used later
#include "narrow.h"

#include "read/binding.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace memlift {

bool hasNarrowOffsets(const DataLayout &layout) {
  return layout.getIndexSizeInBits(0) < layout.getPointerSizeInBits(0);
}

bool asksForIntegers(const Function &f) {
  return f.hasFnAttribute(StreamAttribute) || f.hasFnAttribute(SpreadAttribute) ||
         f.hasFnAttribute(UserAttribute);
}

static bool hasPointer(const Type *type) {
  return !type->isSingleValueType() || type->isPtrOrPtrVectorTy();
}

/// Returns whether a plain number is stored, and the address is the only pointer.
static bool isPlainStore(const StoreInst &store) {
  return store.isSimple() && store.getPointerAddressSpace() == 0 &&
         !hasPointer(store.getValueOperand()->getType());
}

/// Returns whether the value is a pointer's next or later place, and stays in the loop.
static bool isAddress(const llvm::Loop &loop, const Instruction &i) {
  return (isa<GetElementPtrInst>(i) || isa<PHINode>(i)) && i.getType()->isPointerTy() &&
         i.getType()->getPointerAddressSpace() == 0 && all_of(i.users(), [&](const User *user) {
           return loop.contains(cast<Instruction>(user));
         });
}

/// Returns whether the instruction computes numbers of numbers.
static bool isArithmetic(const Instruction &i) {
  return !i.mayHaveSideEffects() && !i.mayReadFromMemory() && !isa<CallBase>(i) &&
         none_of(i.operands(),
                 [](const Use &use) { return use->getType()->isPtrOrPtrVectorTy(); }) &&
         (i.isTerminator() || !hasPointer(i.getType()));
}

bool onlyFills(const llvm::Loop &loop) {
  const Value *object = nullptr;
  for (const BasicBlock *block : loop.blocks())
    for (const Instruction &i : *block) {
      const auto *store = dyn_cast<StoreInst>(&i);
      if (i.isDebugOrPseudoInst() || (!store && (isAddress(loop, i) || isArithmetic(i))))
        continue;
      if (!store || !isPlainStore(*store))
        return false;
      const Value *into = getUnderlyingObject(store->getPointerOperand());
      if (object && into != object)
        return false;
      object = into;
    }
  return object != nullptr;
}

} // namespace memlift
