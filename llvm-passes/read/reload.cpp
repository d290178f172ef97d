// reload.cpp - bounds and pointers that a loop loads again in each iteration
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   for (i = 0; i < b->used; i++)     stores of bytes may change b, so its
//     b->data[i] = 0;                 loads cannot be moved out of the loop
//
// The loop is read with copies of these loads before it; the loads stay in the loop model as
// `fixed` accesses (loop.h). A copy runs when the loop is reached. There the load itself would run
// in the first iteration, with no exit before it. Or the place has been loaded already:
//
//   for (i = 0; i < b->used && i < n; i++)     once rotated, the loop tests
//     b->data[i] = 0;                          i < n before it reads b->used again
#include "read/exits.h"
#include "read/reload.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace memlift {

/// Loads, and computations that depend on them.
constexpr size_t maxCopies = 16;
/// Blocks before a loop that are searched for a load like one of its own.
constexpr unsigned maxBlocksBefore = 4;
/// Values of blocks that are looked at to tell whether a value is still that of a place.
constexpr size_t maxBlocksOfValue = 24;

bool Reloads::runsAtOnce(const BasicBlock &block) const {
  SmallVector<BasicBlock *, 4> exiting;
  loop.getExitingBlocks(exiting);
  return all_of(exiting, [&](const BasicBlock *exit) { return env.dt.dominates(&block, exit); });
}

/// Returns whether the place was loaded before the loop, and memory cannot have been freed since.
bool Reloads::readOnTheWay(const LoadInst &load) const {
  const BasicBlock *block = loop.getLoopPreheader();
  for (unsigned k = 0; block && k < maxBlocksBefore; ++k, block = block->getSinglePredecessor())
    for (const Instruction &i : reverse(*block)) {
      const auto *other = dyn_cast<LoadInst>(&i);
      if (other && other->isSimple() && other->getType() == load.getType() &&
          other->getPointerOperand() == load.getPointerOperand())
        return true;
      if (i.mayHaveSideEffects() && !isa<StoreInst>(i))
        return false;
    }
  return false;
}

/// Returns the load of this place before the loop whose value memory still has there; null if
/// there is none.
LoadInst *Reloads::loadedBefore(const LoadInst &load) const {
  BasicBlock *block = loop.getLoopPreheader();
  for (unsigned k = 0;
       block && k < maxBlocksBefore && env.li.getLoopFor(block) == loop.getParentLoop();
       ++k, block = block->getSinglePredecessor())
    for (Instruction &i : reverse(*block)) {
      auto *other = dyn_cast<LoadInst>(&i);
      if (other && other->isSimple() && other->getType() == load.getType() &&
          other->getPointerOperand() == load.getPointerOperand())
        return other;
      if (i.mayWriteToMemory())
        return nullptr;
    }
  return nullptr;
}

/// Scalar evolution caches its results, so it must forget the old ones.
void Reloads::exchange(Use &use, Instruction *value) {
  env.se.forgetValue(cast<Instruction>(use.getUser()));
  use.set(value);
}

/// Returns whether the load is of register size and runs in every iteration.
bool Reloads::isRegister(const LoadInst &load) const {
  Type *type = load.getType();
  return load.isSimple() && load.getPointerAddressSpace() == 0 &&
         (type->isIntegerTy() || type->isPointerTy() || type->isFloatingPointTy()) &&
         env.dl.getTypeStoreSize(type) <= 8 &&
         env.dt.dominates(load.getParent(), loop.getLoopLatch()) &&
         (runsAtOnce(*load.getParent()) || (!loop.getExitingBlock() && readOnTheWay(load)));
}

/// Finds the store that increments the loaded value: the only one to the place, in each iteration
/// and after the only load. Returns false for a place that is stored to otherwise: it is neither
/// fixed nor a counter's.
bool Reloads::isCounter(LoadInst &load, StoreInst *&counts) const {
  unsigned loads = 0, stores = 0;
  for (BasicBlock *block : loop.blocks())
    for (Instruction &i : *block) {
      auto *store = dyn_cast<StoreInst>(&i);
      auto *other = dyn_cast<LoadInst>(&i);
      if (store && store->getPointerOperand() == load.getPointerOperand()) {
        counts = store;
        ++stores;
      }
      loads += other && other->getPointerOperand() == load.getPointerOperand();
    }
  return loads == 1 && stores == 1 && counts->isSimple() &&
         (load.getType()->isIntegerTy() || load.getType()->isPointerTy()) &&
         counts->getValueOperand()->getType() == load.getType() &&
         counts->getValueOperand() != &load && loop.isLoopInvariant(load.getPointerOperand()) &&
         env.dt.dominates(&load, counts) &&
         env.dt.dominates(counts->getParent(), loop.getLoopLatch());
}

bool Reloads::isFixed(LoadInst &load) {
  return loop.makeLoopInvariant(load.getPointerOperand(), moved,
                                loop.getLoopPreheader()->getTerminator(), nullptr, &env.se);
}

/// Returns whether an instruction is invariant only because of copies made before.
bool Reloads::followsCopies(const Instruction &i) const {
  return !isa<PHINode>(i) && !i.getType()->isVoidTy() && !i.mayReadOrWriteMemory() &&
         loop.hasLoopInvariantOperands(&i) && isSafeToSpeculativelyExecute(&i) &&
         any_of(i.operands(), [&](const Use &use) {
           return any_of(copies, [&](const Copy &c) { return c.copy == use.get(); });
         });
}

bool Reloads::isCopied(const Instruction &i) const {
  return any_of(copies, [&](const Copy &c) { return c.original == &i; });
}

Instruction *Reloads::copyInFront(const Instruction &original) {
  Instruction *end = loop.getLoopPreheader()->getTerminator();
  Instruction *copy = original.clone();
  copy->dropPoisonGeneratingFlags();
  copy->dropUnknownNonDebugMetadata();
  copy->insertInto(end->getParent(), end->getIterator());
  return copy;
}

void Reloads::standIn(Copy made) {
  for (Use &use : made.original->uses())
    if (auto *user = dyn_cast<Instruction>(use.getUser()); user && loop.contains(user))
      made.uses.push_back(&use);
  for (Use *use : made.uses)
    exchange(*use, made.copy);
  copies.push_back(made);
}

/// Returns whether `v` is what memory has at the load's place when control leaves `block`: on every
/// way there `v` was loaded from the place, and nothing has been written since. A block that is
/// asked about again on a way around a loop adds nothing.
bool Reloads::isCurrent(const LoadInst &load, const Value *v, const BasicBlock *block,
                        std::set<std::pair<const Value *, const BasicBlock *>> &asked) const {
  if (!asked.insert({v, block}).second)
    return true;
  if (asked.size() > maxBlocksOfValue)
    return false;
  for (const Instruction &i : reverse(*block)) {
    if (&i == v)
      break;
    if (i.mayWriteToMemory())
      return false;
  }
  const auto *i = dyn_cast<Instruction>(v);
  if (i && i->getParent() == block) {
    const auto *first = dyn_cast<LoadInst>(i);
    const auto *phi = dyn_cast<PHINode>(i);
    if (first)
      return first->isSimple() && first->getType() == load.getType() &&
             first->getPointerOperand() == load.getPointerOperand();
    return phi && all_of(phi->blocks(), [&](const BasicBlock *from) {
             return isCurrent(load, phi->getIncomingValueForBlock(from), from, asked);
           });
  }
  return i && !pred_empty(block) && all_of(predecessors(block), [&](const BasicBlock *from) {
           return isCurrent(load, v, from, asked);
         });
}

/// Returns whether `v`, a value before the loop, is what `i` computes in the first iteration: the
/// same of fixed loads.
bool Reloads::isFirst(const Instruction &i, const Value *v, unsigned links) const {
  if (const auto *load = dyn_cast<LoadInst>(&i)) {
    std::set<std::pair<const Value *, const BasicBlock *>> asked;
    return isCurrent(*load, v, loop.getLoopPreheader(), asked);
  }
  const auto *before = dyn_cast<Instruction>(v);
  if (!links || !before || !i.isSameOperationAs(before))
    return false;
  for (unsigned k = 0; k < i.getNumOperands(); ++k) {
    const Value *operand = i.getOperand(k), *other = before->getOperand(k);
    auto copied = find_if(copies, [&](const Copy &c) { return c.copy == operand; });
    if (operand != other &&
        (copied == copies.end() || !isFirst(*copied->original, other, links - 1)))
      return false;
  }
  return true;
}

/// Replaces phis that carry a fixed value on from an equal one before the loop: optimisers that
/// find the first of the loop's loads redundant leave them.
void Reloads::hoistCarried() {
  for (size_t i = 0; i < copies.size() && copies.size() < maxCopies; ++i) {
    if (isa<PHINode>(copies[i].original) || copies[i].counts)
      continue;
    for (PHINode &phi : loop.getHeader()->phis())
      if (!isCopied(phi) && phi.getIncomingValueForBlock(loop.getLoopLatch()) == copies[i].copy &&
          isFirst(*copies[i].original, phi.getIncomingValueForBlock(loop.getLoopPreheader()))) {
        Copy made;
        made.original = &phi;
        made.copy = copies[i].copy;
        made.shared = true;
        standIn(made);
      }
  }
}

void Reloads::hoistOne(Instruction &original) {
  Copy made;
  made.original = &original;
  auto *load = dyn_cast<LoadInst>(&original);
  made.copy = load ? loadedBefore(*load) : nullptr;
  made.shared = made.copy;
  if (!made.copy)
    made.copy = copyInFront(original);
  standIn(made);
}

/// Returns whether the last write before the loop stores `v` to the place.
bool Reloads::storedBefore(const LoadInst &load, const Value *v) const {
  const BasicBlock *block = loop.getLoopPreheader();
  for (unsigned k = 0; block && k < maxBlocksBefore; ++k, block = block->getSinglePredecessor())
    for (const Instruction &i : reverse(*block))
      if (i.mayWriteToMemory()) {
        const auto *store = dyn_cast<StoreInst>(&i);
        return store && store->isSimple() && store->getValueOperand() == v &&
               store->getPointerOperand() == load.getPointerOperand();
      }
  return false;
}

/// Returns the initial value of a phi that has the counter's value, too, as an earlier load found
/// it: optimisers read the index of a ring twice in an iteration. Null if there is none.
Value *Reloads::alreadyCounted(const LoadInst &load, const StoreInst &counts) const {
  for (PHINode &phi : loop.getHeader()->phis()) {
    Value *first = phi.getIncomingValueForBlock(loop.getLoopPreheader());
    if (phi.getIncomingValueForBlock(loop.getLoopLatch()) == counts.getValueOperand() &&
        first->getType() == load.getType() && (isFirst(load, first) || storedBefore(load, first)))
      return first;
  }
  return nullptr;
}

/// Reads the counter as if it were in a register.
void Reloads::hoistCounter(LoadInst &load, StoreInst &counts) {
  BasicBlock *header = loop.getHeader();
  Value *first = alreadyCounted(load, counts);
  Copy made;
  made.original = &load;
  made.before = copyInFront(load);
  made.counts = &counts;
  PHINode *phi = PHINode::Create(load.getType(), 2, load.getName() + ".c");
  phi->insertInto(header, header->begin());
  made.copy = phi;
  standIn(made);
  phi->addIncoming(first ? first : made.before, loop.getLoopPreheader());
  phi->addIncoming(counts.getValueOperand(), loop.getLoopLatch());
}

/// Asks scalar evolution of all counters now. It caches its result for a counter, and that of an
/// index depends on it, whatever was asked before.
void Reloads::askOfCounters() {
  for (BasicBlock *block : loop.blocks())
    for (Instruction &i : *block)
      if (isa<TruncInst>(i) && i.getType()->isIntegerTy())
        env.se.getSignExtendExpr(
            env.se.getSCEV(&i),
            IntegerType::get(i.getContext(), 2 * i.getType()->getIntegerBitWidth()));
}

bool Reloads::hoist() {
  if (!loop.isLoopSimplifyForm() || !mayBeCounted(loop) || !loop.getSubLoops().empty())
    return false;
  // One pointer may be read through another.
  auto hoists = [&](Instruction &i) {
    if (i.use_empty() || copies.size() >= maxCopies || isCopied(i))
      return false;
    auto *load = dyn_cast<LoadInst>(&i);
    if (load && (!isRegister(*load) || !isFixed(*load)))
      return false;
    StoreInst *counts = nullptr;
    if (load && isCounter(*load, counts) && loop.getExitingBlock())
      hoistCounter(*load, *counts);
    else if (load ? !counts : followsCopies(i))
      hoistOne(i);
    else
      return false;
    return true;
  };
  for (bool again = true; again;) {
    again = false;
    for (BasicBlock *block : loop.blocks())
      for (Instruction &i : *block)
        again |= hoists(i);
    size_t before = copies.size();
    hoistCarried();
    again |= copies.size() != before;
  }
  if (!copies.empty()) {
    env.se.forgetLoop(&loop);
    askOfCounters();
  }
  return !copies.empty();
}

void Reloads::restore() {
  for (size_t i = copies.size(); i-- > 0;) {
    const Copy &c = copies[i];
    for (Use *use : c.uses)
      exchange(*use, c.original);
    env.se.forgetValue(c.copy);
    if (!c.shared && c.copy->use_empty())
      c.copy->eraseFromParent();
    if (c.before && c.before->use_empty()) {
      env.se.forgetValue(c.before);
      c.before->eraseFromParent();
    }
  }
  env.se.forgetLoop(&loop);
}

std::vector<Instruction *> Reloads::stores() const {
  std::vector<Instruction *> list;
  for (const Copy &c : copies)
    if (c.counts)
      list.push_back(c.counts);
  return list;
}

std::map<Instruction *, Instruction *> Reloads::loads() const {
  std::map<Instruction *, Instruction *> list;
  for (const Copy &c : copies)
    list[c.original] = c.copy;
  return list;
}

} // namespace memlift
