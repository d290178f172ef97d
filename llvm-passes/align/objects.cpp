// objects.cpp - raises the alignment of variables to the one that their fills and copies need
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   char name[16];                         of alignment 1 by default
//   memset(name, 0, sizeof name);          two words, or sixteen bytes
//
// The compiler chooses a variable's address, so more alignment costs a few bytes at most.
#include "align/lowbits.h"
#include "align/raise.h"

#include "llvm/IR/InstIterator.h"

#include <optional>

using namespace llvm;

namespace memlift {
namespace {

class Raiser {
public:
  Raiser(Function &f, uint64_t mostBytes, const DominatorTree &dt, const LoopInfo &li,
         AssumptionCache &ac)
      : f(f), dl(f.getParent()->getDataLayout()), mostBytes(mostBytes), dt(dt), li(li), ac(ac) {}
  bool call(MemIntrinsic &m);

private:
  Function &f;
  const DataLayout &dl;
  uint64_t mostBytes;
  const DominatorTree &dt;
  const LoopInfo &li;
  AssumptionCache &ac;
  std::optional<LowBits> bits;

  /// A pointer operand: the alignment that it can get, and the variable to raise for it.
  struct Side {
    uint64_t align = 1;
    Value *object = nullptr;
  };
  Side sideOf(Value &pointer, MaybeAlign known, uint64_t word, Instruction &at);
  void raise(const Side &side);
};

/// Returns whether this module alone chooses the object's address, independently of others in its
/// section.
bool isOurs(const Value &object) {
  if (auto *local = dyn_cast<AllocaInst>(&object))
    return local->isStaticAlloca() && !local->isUsedWithInAlloca() && !local->isSwiftError();
  auto *global = dyn_cast<GlobalVariable>(&object);
  // Equal strings are merged only if they are no more aligned than others.
  return global && global->canIncreaseAlignment() && !global->hasSection() &&
         !(global->isConstant() && global->hasGlobalUnnamedAddr());
}

Raiser::Side Raiser::sideOf(Value &pointer, MaybeAlign known, uint64_t word, Instruction &at) {
  Side side;
  side.align = known.valueOrOne().value();
  if (side.align >= word || pointer.getType()->getPointerAddressSpace() != 0)
    return side;
  APInt sum(dl.getIndexTypeSizeInBits(pointer.getType()), 0);
  Value *base = pointer.stripAndAccumulateConstantOffsets(dl, sum, /*AllowNonInbounds=*/true);
  uint64_t place = sum.isZero() ? word : uint64_t(1) << std::min(sum.countr_zero(), 12u);
  if (isOurs(*base) && std::min(place, word) > side.align) {
    side.align = std::min(place, word);
    side.object = base;
    return side;
  }
  if (!bits)
    bits.emplace(f, dt, li, ac, nullptr);
  unsigned zeros = bits->zeroBits(pointer, unsigned(Log2_64(word)), at);
  side.align = std::max(side.align, uint64_t(1) << zeros);
  return side;
}

void Raiser::raise(const Side &side) {
  if (!side.object)
    return;
  if (auto *local = dyn_cast<AllocaInst>(side.object))
    local->setAlignment(std::max(local->getAlign(), Align(side.align)));
  else if (auto *global = dyn_cast<GlobalVariable>(side.object))
    global->setAlignment(std::max(global->getAlign().valueOrOne(), Align(side.align)));
}

bool Raiser::call(MemIntrinsic &m) {
  constexpr uint64_t narrowest = 4; // a copy in narrower words gains nothing
  auto *size = dyn_cast<ConstantInt>(m.getLength());
  if (!size || m.isVolatile() || size->getValue().ult(narrowest) || size->getValue().ugt(mostBytes))
    return false;
  uint64_t word = dl.getPointerSize();
  Side dst = sideOf(*m.getRawDest(), m.getDestAlign(), word, m), src;
  src.align = word;
  if (auto *transfer = dyn_cast<MemTransferInst>(&m))
    src = sideOf(*transfer->getRawSource(), transfer->getSourceAlign(), word, m);
  if (std::min(dst.align, src.align) < narrowest || (!dst.object && !src.object))
    return false;
  raise(dst);
  raise(src);
  return true;
}

} // namespace

bool raiseObjects(Function &f, uint64_t mostBytes, const DominatorTree &dt, const LoopInfo &li,
                  AssumptionCache &ac) {
  Raiser raiser(f, mostBytes, dt, li, ac);
  bool changed = false;
  for (Instruction &i : instructions(f))
    if (auto *m = dyn_cast<MemIntrinsic>(&i))
      changed |= raiser.call(*m);
  return changed;
}

} // namespace memlift
