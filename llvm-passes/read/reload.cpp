// reload.cpp - bounds and pointers that a loop loads again in each iteration
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   for (i = 0; i < b->used; i++)     stores of bytes may change b: nobody can
//     b->data[i] = 0;                 move its loads out of the loop
//
// The loop is read with copies of these loads in front of it; the loads stay in
// the picture as `fixed` accesses (loop.h). A copy runs when the loop is
// reached: the load itself would run in the first iteration, with nothing
// before it that could leave the loop.
#include "read/reload.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace memlift {

/// With what follows from the loads.
constexpr size_t maxCopies = 16;

bool Reloads::runsAtOnce(const BasicBlock &block) const {
  return env.dt.dominates(&block, loop.getLoopLatch()) &&
         env.dt.dominates(&block, loop.getExitingBlock());
}

/// Scalar evolution knows what it has once been asked.
void Reloads::exchange(Use &use, Instruction *value) {
  env.se.forgetValue(cast<Instruction>(use.getUser()));
  use.set(value);
}

/// A counter that is kept in memory is not fixed.
bool Reloads::isStoredTo(const Value &pointer) const {
  for (const BasicBlock *block : loop.blocks())
    for (const Instruction &i : *block)
      if (auto *store = dyn_cast<StoreInst>(&i))
        if (store->getPointerOperand() == &pointer)
          return true;
  return false;
}

bool Reloads::isFixed(LoadInst &load) {
  Type *type = load.getType();
  return load.isSimple() && load.getPointerAddressSpace() == 0 &&
         (type->isIntegerTy() || type->isPointerTy() ||
          type->isFloatingPointTy()) &&
         env.dl.getTypeStoreSize(type) <= 8 && runsAtOnce(*load.getParent()) &&
         !isStoredTo(*load.getPointerOperand()) &&
         loop.makeLoopInvariant(load.getPointerOperand(), moved,
                                loop.getLoopPreheader()->getTerminator(),
                                nullptr, &env.se);
}

/// Invariant only because of copies made before.
bool Reloads::followsCopies(const Instruction &i) const {
  return !isa<PHINode>(i) && !i.getType()->isVoidTy() &&
         !i.mayReadOrWriteMemory() && loop.hasLoopInvariantOperands(&i) &&
         isSafeToSpeculativelyExecute(&i) &&
         any_of(i.operands(), [&](const Use &use) {
           return any_of(copies,
                         [&](const Copy &c) { return c.copy == use.get(); });
         });
}

void Reloads::hoistOne(Instruction &original) {
  Instruction *end = loop.getLoopPreheader()->getTerminator();
  Copy made{&original, original.clone(), {}};
  made.copy->dropPoisonGeneratingFlags();
  made.copy->dropUnknownNonDebugMetadata();
  made.copy->insertInto(end->getParent(), end->getIterator());
  for (Use &use : original.uses())
    if (auto *user = dyn_cast<Instruction>(use.getUser());
        user && loop.contains(user))
      made.uses.push_back(&use);
  for (Use *use : made.uses)
    exchange(*use, made.copy);
  copies.push_back(made);
}

/// Scalar evolution remembers what it was once asked of a counter, and what it
/// makes of an index hangs on that: it is asked here, whatever was before.
void Reloads::askOfCounters() {
  for (BasicBlock *block : loop.blocks())
    for (Instruction &i : *block)
      if (isa<TruncInst>(i) && i.getType()->isIntegerTy())
        env.se.getSignExtendExpr(
            env.se.getSCEV(&i),
            IntegerType::get(i.getContext(), 2 * i.getType()->getIntegerBitWidth()));
}

bool Reloads::hoist() {
  if (!loop.isLoopSimplifyForm() || !loop.getExitingBlock() ||
      !loop.getSubLoops().empty())
    return false;
  // One pointer may be read through another.
  auto wanted = [&](Instruction &i) {
    if (i.use_empty() || copies.size() >= maxCopies ||
        any_of(copies, [&](const Copy &c) { return c.original == &i; }))
      return false;
    auto *load = dyn_cast<LoadInst>(&i);
    return load ? isFixed(*load) : followsCopies(i);
  };
  for (bool again = true; again;) {
    again = false;
    for (BasicBlock *block : loop.blocks())
      for (Instruction &i : *block)
        if (wanted(i)) {
          hoistOne(i);
          again = true;
        }
  }
  if (!copies.empty()) {
    env.se.forgetLoop(&loop);
    askOfCounters();
  }
  return !copies.empty();
}

void Reloads::restore() {
  for (size_t i = copies.size(); i-- > 0;) {
    for (Use *use : copies[i].uses)
      exchange(*use, copies[i].original);
    env.se.forgetValue(copies[i].copy);
    if (copies[i].copy->use_empty())
      copies[i].copy->eraseFromParent();
  }
  env.se.forgetLoop(&loop);
}

std::map<Instruction *, Instruction *> Reloads::loads() const {
  std::map<Instruction *, Instruction *> list;
  for (const Copy &c : copies)
    list[c.original] = c.copy;
  return list;
}

} // namespace memlift
