// blocks.cpp - clears blocks of memory by one instruction: DC ZVA of AArch64
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arm ARM, "DC ZVA, Data Cache Zero by VA" and "DCZID_EL0, Data Cache Zero ID register": bits 3 to
// 0 of the register (BS) are log2 of the words of 4 bytes that the instruction clears, bit 4 (DZP)
// says that it is prohibited. Any program may read the register. Both are in every AArch64, in
// either byte order, so they need no feature of the target; TargetFacts::clears excludes the other
// cases.
#include "write/blocks.h"

#include "llvm/IR/InlineAsm.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace memlift {

/// The register never changes: one read may be hoisted or shared.
Value *clearsBlocks(IRBuilder<> &b, uint64_t bytes) {
  FunctionType *type = FunctionType::get(b.getInt64Ty(), false);
  InlineAsm *read = InlineAsm::get(type, "mrs $0, dczid_el0", "=r", /*hasSideEffects=*/false);
  CallInst *id = b.CreateCall(type, read);
  id->setDoesNotAccessMemory();
  id->setDoesNotThrow();
  constexpr uint64_t prohibited = 16, size = 15;
  Value *known = b.CreateAnd(id, prohibited | size);
  return b.CreateICmpEQ(known, b.getInt64(Log2_64(bytes / 4)));
}

void clearBlock(IRBuilder<> &b, Value *at) {
  FunctionType *type = FunctionType::get(b.getVoidTy(), {at->getType()}, false);
  InlineAsm *clear = InlineAsm::get(type, "dc zva, $0", "r,~{memory}", /*hasSideEffects=*/true);
  b.CreateCall(type, clear, {at})->setDoesNotThrow();
}

} // namespace memlift
