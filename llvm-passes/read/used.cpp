// used.cpp - finds the bits of a value that the code after a loop looks at
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   for (...) crc = crc & 0x8000 ? crc << 1 ^ 0x1021 : crc << 1;
//   return crc & 0xffff;                    the lower 16 bits alone
//
// A use that is not followed counts as one of all bits. Flags that depend on an instruction's
// operands (nuw, disjoint) are ignored: code that substitutes a value with other bits has to drop
// them.
#include "read/binding.h"

#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;

namespace memlift {

constexpr unsigned maxUseDepth = 4, maxUses = 8;

static uint64_t usedBy(const Instruction &user, const Value &v, unsigned depth);

uint64_t usedBits(const Value &v, unsigned depth) {
  if (depth > maxUseDepth || v.hasNUsesOrMore(maxUses + 1))
    return ~uint64_t(0);
  uint64_t used = 0;
  for (const User *u : v.users()) {
    const auto *i = dyn_cast<Instruction>(u);
    used |= i ? usedBy(*i, v, depth + 1) : ~uint64_t(0);
  }
  return used;
}

/// Returns the bits used through a shift by a constant, or a mask.
static uint64_t usedByConstant(const Instruction &user, uint64_t constant, unsigned bits,
                               unsigned depth) {
  uint64_t of = usedBits(user, depth) & maskOf(bits), all = ~uint64_t(0);
  switch (user.getOpcode()) {
  case Instruction::And: return of & constant;
  case Instruction::Or: return of & ~constant;
  case Instruction::Xor: return of;
  case Instruction::Shl: return constant < bits ? of >> constant : all;
  case Instruction::LShr: return constant < bits ? of << constant : all;
  default: return all;
  }
}

static uint64_t usedBy(const Instruction &user, const Value &v, unsigned depth) {
  uint64_t all = ~uint64_t(0);
  auto *type = dyn_cast<IntegerType>(v.getType());
  auto *result = dyn_cast<IntegerType>(user.getType());
  if (!type || !result || type->getBitWidth() > 64 || result->getBitWidth() > 64)
    return all;
  if (isa<TruncInst>(user) || isa<ZExtInst>(user) || isa<FreezeInst>(user))
    return usedBits(user, depth) & maskOf(result->getBitWidth());
  if (isa<PHINode>(user) || (isa<SelectInst>(user) && user.getOperand(0) != &v))
    return usedBits(user, depth);
  const APInt *constant;
  if (user.getNumOperands() == 2 && user.getOperand(0) == &v &&
      PatternMatch::match(user.getOperand(1), PatternMatch::m_APInt(constant)))
    return usedByConstant(user, constant->getLimitedValue(), type->getBitWidth(), depth);
  if (user.getOpcode() == Instruction::Xor || user.getOpcode() == Instruction::Or)
    return usedBits(user, depth);
  return all;
}

/// Drops the flags of all instructions that usedBits() follows, and of no others.
void forgetFlags(Value &v, unsigned depth) {
  if (depth > maxUseDepth || v.hasNUsesOrMore(maxUses + 1))
    return;
  for (User *u : v.users()) {
    auto *i = dyn_cast<Instruction>(u);
    if (!i || !i->getType()->isIntegerTy())
      continue;
    i->dropPoisonGeneratingFlags();
    forgetFlags(*i, depth + 1);
  }
}

} // namespace memlift
