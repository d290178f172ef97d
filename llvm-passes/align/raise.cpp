// raise.cpp - raises the alignment of loads and stores to the proved one
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// By the time that alignment can be proved, memcpy(d, s, 8) is a load and a store, with the
// alignment that was known when it became them. Where unaligned words trap, such an access is split
// into bytes.
#include "align/raise.h"

#include "align/lowbits.h"

#include "llvm/IR/InstIterator.h"

#include <optional>

using namespace llvm;

namespace memlift {

unsigned bitsToRaise(Instruction &i, const DataLayout &dl) {
  auto *load = dyn_cast<LoadInst>(&i);
  auto *store = dyn_cast<StoreInst>(&i);
  if (!(load ? load->isSimple() : store && store->isSimple()) ||
      getLoadStorePointerOperand(&i)->getType()->getPointerAddressSpace() != 0)
    return 0;
  TypeSize size = dl.getTypeStoreSize(getLoadStoreType(&i));
  if (size.isScalable())
    return 0;
  uint64_t word = std::min<uint64_t>(size.getFixedValue(), dl.getPointerSize());
  return isPowerOf2_64(word) && getLoadStoreAlignment(&i).value() < word ? unsigned(Log2_64(word))
                                                                         : 0;
}

bool hasAccessToRaise(Function &f) {
  for (Instruction &i : instructions(f))
    if (bitsToRaise(i, f.getParent()->getDataLayout()))
      return true;
  return false;
}

bool raiseAccesses(Function &f, const DominatorTree &dt, const LoopInfo &li, AssumptionCache &ac) {
  const DataLayout &dl = f.getParent()->getDataLayout();
  std::optional<LowBits> bits;
  bool changed = false;
  for (Instruction &i : instructions(f)) {
    unsigned most = bitsToRaise(i, dl);
    if (!most)
      continue;
    if (!bits)
      bits.emplace(f, dt, li, ac, nullptr);
    Align proved(uint64_t(1) << bits->zeroBits(*getLoadStorePointerOperand(&i), most, i));
    if (proved <= getLoadStoreAlignment(&i))
      continue;
    if (auto *load = dyn_cast<LoadInst>(&i))
      load->setAlignment(proved);
    else
      cast<StoreInst>(i).setAlignment(proved);
    changed = true;
  }
  return changed;
}

} // namespace memlift
