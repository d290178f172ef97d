// integers.cpp - rewrites pointers that a loop steps as integers into those integers
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   p = phi ptr [start, ..], [next, ..]     i = phi i64 [ptrtoint start], [y]
//   x = ptrtoint p                          p = inttoptr i
//   y = x + 8                               y = i + 8
//   next = inttoptr y
//   again = icmp ne ptr next, end           again = icmp ne y, ptrtoint end
//
// Such steps come from DPDK's RTE_PTR_ADD, align-up macros and the like. Scalar evolution follows
// no integer through a pointer, but it follows the form on the right. The dereferenced pointers
// remain inttoptr: their object is as unknown as before.
#include "read/integers.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace memlift {
namespace {

/// Returns whether `v` is an integer: `phi` as a number plus loop invariants.
bool isStepOf(const llvm::Loop &loop, const Value *v, const PHINode &phi, unsigned depth) {
  if (const auto *cast = dyn_cast<PtrToIntInst>(v))
    return cast->getPointerOperand() == &phi &&
           cast->getType()->getIntegerBitWidth() ==
               cast->getModule()->getDataLayout().getPointerSizeInBits(0);
  const auto *sum = dyn_cast<BinaryOperator>(v);
  if (!sum || !depth || !loop.contains(sum))
    return false;
  Value *a = sum->getOperand(0), *b = sum->getOperand(1);
  bool adds = sum->getOpcode() == Instruction::Add;
  if (!adds && sum->getOpcode() != Instruction::Sub)
    return false;
  return (loop.isLoopInvariant(b) && isStepOf(loop, a, phi, depth - 1)) ||
         (adds && loop.isLoopInvariant(a) && isStepOf(loop, b, phi, depth - 1));
}

/// Returns the stepped integer that comes back to the header as the pointer `phi`.
Value *integerStep(const llvm::Loop &loop, PHINode &phi) {
  if (!phi.getType()->isPointerTy() || phi.getType()->getPointerAddressSpace() != 0)
    return nullptr;
  auto *next = dyn_cast<IntToPtrInst>(phi.getIncomingValueForBlock(loop.getLoopLatch()));
  if (!next || !loop.contains(next) || !isStepOf(loop, next->getOperand(0), phi, 4))
    return nullptr;
  return next->getOperand(0);
}

/// Returns a pointer as an integer, without a new instruction inside the loop.
Value *asInteger(const llvm::Loop &loop, Value *pointer, Type *word) {
  if (auto *cast = dyn_cast<IntToPtrInst>(pointer))
    if (cast->getOperand(0)->getType() == word)
      return cast->getOperand(0);
  if (!loop.isLoopInvariant(pointer))
    return nullptr;
  IRBuilder<> before(loop.getLoopPreheader()->getTerminator());
  return before.CreatePtrToInt(pointer, word);
}

/// Rewrites comparisons of such pointers to comparisons of the integers.
void compareIntegers(const llvm::Loop &loop, Value *pointer, Type *word) {
  for (User *user : make_early_inc_range(pointer->users())) {
    auto *cmp = dyn_cast<ICmpInst>(user);
    if (!cmp || !loop.contains(cmp))
      continue;
    Value *a = asInteger(loop, cmp->getOperand(0), word);
    Value *b = a ? asInteger(loop, cmp->getOperand(1), word) : nullptr;
    if (!b)
      continue;
    IRBuilder<> here(cmp);
    cmp->replaceAllUsesWith(here.CreateICmp(cmp->getPredicate(), a, b));
    cmp->eraseFromParent();
  }
}

void stepInteger(const llvm::Loop &loop, PHINode &phi, Value *step) {
  BasicBlock *header = loop.getHeader(), *before = loop.getLoopPreheader();
  Type *word = step->getType();
  auto *next = cast<IntToPtrInst>(phi.getIncomingValueForBlock(loop.getLoopLatch()));
  IRBuilder<> outside(before->getTerminator());
  Value *init = outside.CreatePtrToInt(phi.getIncomingValueForBlock(before), word);
  PHINode *number = IRBuilder<>(&phi).CreatePHI(word, 2, phi.getName() + ".i");
  number->addIncoming(init, before);
  IRBuilder<> inside(header, header->getFirstInsertionPt());
  Value *pointer = inside.CreateIntToPtr(number, phi.getType());
  for (User *user : make_early_inc_range(phi.users()))
    if (auto *cast = dyn_cast<PtrToIntInst>(user); cast && cast->getType() == word) {
      cast->replaceAllUsesWith(number);
      cast->eraseFromParent();
    }
  number->addIncoming(next->getOperand(0), loop.getLoopLatch());
  phi.replaceAllUsesWith(pointer);
  phi.eraseFromParent();
  compareIntegers(loop, next, word);
  compareIntegers(loop, pointer, word);
}

} // namespace

bool stepIntegers(const llvm::Loop &loop) {
  if (!loop.getLoopPreheader() || !loop.getLoopLatch() || !loop.getSubLoops().empty())
    return false;
  bool changed = false;
  for (PHINode &phi : make_early_inc_range(loop.getHeader()->phis()))
    if (Value *step = integerStep(loop, phi)) {
      stepInteger(loop, phi, step);
      changed = true;
    }
  return changed;
}

} // namespace memlift
