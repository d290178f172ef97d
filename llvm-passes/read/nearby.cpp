// nearby.cpp - looks for accesses beside a loop to the bytes that it reads or writes
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Routines for AVX-512 load and store up to 64 bytes by masks. A core forwards nothing from a
// masked store, nor from several stores to one load, so a load that follows waits for the cache. A
// compiler's loop over elements has no such loads. Example: d[i] = 0 for all i < n; return d[0].
//
// An access is to the same bytes if its pointer is that of the loop but for a constant, or for one
// index. The limits: a few blocks and instructions on each side. It is an estimate: both versions
// of the loop are right.
#include "read/nearby.h"

#include "llvm/IR/Operator.h"
#include "llvm/TargetParser/Triple.h"

using namespace llvm;

namespace memlift {
namespace {

class Neighbours {
public:
  explicit Neighbours(Env &env) : env(env) {}
  void of(const LoopBinding &binding);
  bool readAfter(const BasicBlock *block, BasicBlock::const_iterator from);
  bool writtenBefore(const BasicBlock *block, BasicBlock::const_iterator to);
  bool inLoop = false; // what was found is in a loop, or in a routine

private:
  Env &env;
  SmallPtrSet<const Value *, 4> stored, loaded; // where the loop's accesses begin
  const llvm::Loop *self = nullptr, *around = nullptr;
  unsigned left = 64; // instructions that are looked at
  SmallPtrSet<const BasicBlock *, 8> seen;

  bool leavesLoop(const BasicBlock *from, const BasicBlock *to) const;
  const llvm::Loop *ownLoop(const BasicBlock *block) const;
  const Value *beginning(const Value *p, const llvm::Loop *inside) const;
  bool meets(const Value *p, const BasicBlock *block, const SmallPtrSetImpl<const Value *> &roots);
  bool callMeets(const Instruction &i, bool writes);
  bool reads(const Instruction &i);
  bool writes(const Instruction &i);
};

/// Returns the innermost loop around a block, if the loop in question is not in it.
const llvm::Loop *Neighbours::ownLoop(const BasicBlock *block) const {
  const llvm::Loop *l = env.li.getLoopFor(block);
  if (self)
    return l && l->contains(self) && l != self ? nullptr : l;
  return l && around && l->contains(around) ? nullptr : l;
}

/// Returns true if another loop lies between: what is beyond it is not near.
bool Neighbours::leavesLoop(const BasicBlock *from, const BasicBlock *to) const {
  const llvm::Loop *l = env.li.getLoopFor(from);
  return l && l != around && (!around || around->contains(l)) && !l->contains(to);
}

/// Returns the pointer before the first iteration, without constant offsets.
const Value *Neighbours::beginning(const Value *p, const llvm::Loop *inside) const {
  for (unsigned steps = 0; steps < 8; ++steps) {
    APInt offset(env.dl.getIndexTypeSizeInBits(p->getType()), 0);
    p = p->stripAndAccumulateConstantOffsets(env.dl, offset, /*AllowNonInbounds=*/true);
    const auto *phi = dyn_cast<PHINode>(p);
    if (phi && phi->getNumIncomingValues() == 1) {
      p = phi->getIncomingValue(0);
      continue;
    }
    const llvm::Loop *loop = phi ? env.li.getLoopFor(phi->getParent()) : nullptr;
    if (loop && loop->getHeader() == phi->getParent() && loop->getLoopPredecessor()) {
      if (inside != loop)
        return p;
      p = phi->getIncomingValueForBlock(loop->getLoopPredecessor());
      continue;
    }
    const auto *gep = dyn_cast<GEPOperator>(p);
    if (!gep || !inside || inside->isLoopInvariant(p))
      return p;
    p = gep->getPointerOperand();
  }
  return p;
}

bool Neighbours::meets(const Value *p, const BasicBlock *block,
                       const SmallPtrSetImpl<const Value *> &roots) {
  const Value *root = beginning(p, ownLoop(block));
  const auto *gep = dyn_cast<GEPOperator>(root);
  return roots.contains(root) ||
         (gep && roots.contains(beginning(gep->getPointerOperand(), ownLoop(block))));
}

/// Returns true for a call of a routine, which another loop became.
bool callsRoutine(const Instruction &i) {
  const auto *call = dyn_cast<CallInst>(&i);
  const Function *callee = call ? call->getCalledFunction() : nullptr;
  return callee && callee->getName().starts_with("memlift_");
}

/// Returns true for any other call: it takes its time. A routine has the loop that became it beside
/// it, for few bytes, which may have other pointers to the same place.
bool takesTime(const Instruction &i) {
  return isa<CallBase>(i) && !isa<IntrinsicInst>(i) && !callsRoutine(i);
}

/// Returns true for a call of a routine that writes what is loaded, or reads what is stored.
bool Neighbours::callMeets(const Instruction &i, bool writes) {
  if (!callsRoutine(i))
    return false;
  const auto &call = cast<CallInst>(i);
  return any_of(call.args(), [&](const Use &u) {
    const unsigned at = call.getArgOperandNo(&u);
    return u->getType()->isPointerTy() &&
           !(writes ? call.onlyReadsMemory(at) : call.onlyWritesMemory(at)) &&
           meets(u, i.getParent(), writes ? loaded : stored);
  });
}

bool Neighbours::reads(const Instruction &i) {
  const auto *load = dyn_cast<LoadInst>(&i);
  inLoop = !load || ownLoop(i.getParent());
  if (load)
    return meets(load->getPointerOperand(), i.getParent(), stored);
  const auto *copy = dyn_cast<MemTransferInst>(&i);
  return copy ? meets(copy->getRawSource(), i.getParent(), stored) : callMeets(i, /*writes=*/false);
}

bool Neighbours::writes(const Instruction &i) {
  if (const auto *store = dyn_cast<StoreInst>(&i))
    return meets(store->getPointerOperand(), i.getParent(), loaded);
  const auto *bulk = dyn_cast<MemIntrinsic>(&i);
  return bulk ? meets(bulk->getRawDest(), i.getParent(), loaded) : callMeets(i, /*writes=*/true);
}

/// Collects where the accesses begin.
void Neighbours::of(const LoopBinding &binding) {
  self = binding.nest.empty() ? nullptr : binding.nest.front();
  around = self         ? self->getParentLoop()
           : binding.at ? env.li.getLoopFor(binding.at->getParent())
                        : nullptr;
  for (const Instruction *i : binding.accesses) {
    if (!i)
      continue;
    const llvm::Loop *inside = binding.nest.empty() ? nullptr : binding.nest.back();
    if (const auto *load = dyn_cast<LoadInst>(i))
      loaded.insert(beginning(load->getPointerOperand(), inside));
    else if (const auto *store = dyn_cast<StoreInst>(i))
      stored.insert(beginning(store->getPointerOperand(), inside));
    else if (const auto *bulk = dyn_cast<MemIntrinsic>(i)) {
      stored.insert(beginning(bulk->getRawDest(), inside));
      if (const auto *copy = dyn_cast<MemTransferInst>(i))
        loaded.insert(beginning(copy->getRawSource(), inside));
    }
  }
}

/// Returns true if what the loop stores is loaded in the next blocks.
bool Neighbours::readAfter(const BasicBlock *block, BasicBlock::const_iterator from) {
  for (; from != block->end(); ++from) {
    if (reads(*from))
      return true;
    if (from->isDebugOrPseudoInst())
      continue;
    if (!--left || takesTime(*from)) {
      left = 0;
      return false;
    }
  }
  for (const BasicBlock *next : successors(block)) {
    if (!left)
      return false;
    bool within = (self && self->contains(next)) || leavesLoop(block, next);
    if (!within && seen.insert(next).second && readAfter(next, next->begin()))
      return true;
  }
  return false;
}

/// Returns true if what the loop loads is stored in the blocks before, of loops, too.
bool Neighbours::writtenBefore(const BasicBlock *block, BasicBlock::const_iterator to) {
  while (to != block->begin()) {
    --to;
    if (writes(*to))
      return true;
    if (to->isDebugOrPseudoInst())
      continue;
    if (!--left || takesTime(*to)) {
      left = 0;
      return false;
    }
  }
  for (const BasicBlock *before : predecessors(block)) {
    if (!left)
      return false;
    bool within = (self && self->contains(before)) || leavesLoop(block, before);
    if (!within && seen.insert(before).second && writtenBefore(before, before->end()))
      return true;
  }
  return false;
}

} // namespace

void addNeighbours(Env &env, LoopBinding &binding) {
  // Calls that are begun early are waited for anyway.
  if (env.config.async || env.f.hasFnAttribute("memlift-async") ||
      !Triple(env.f.getParent()->getTargetTriple()).isX86())
    return;
  const BasicBlock *before = nullptr, *after = nullptr;
  BasicBlock::const_iterator to, from;
  if (!binding.nest.empty()) {
    before = binding.nest.front()->getLoopPreheader();
    after = binding.nest.front()->getUniqueExitBlock();
    if (!before || !after)
      return;
    to = before->end(), from = after->begin();
  } else if (binding.at) {
    before = after = binding.at->getParent();
    to = binding.at->getIterator(), from = std::next(to);
  } else {
    return;
  }
  Neighbours reads(env), writes(env);
  reads.of(binding), writes.of(binding);
  const bool read = reads.readAfter(after, from);
  binding.loop.readInLoop = read && reads.inLoop;
  binding.loop.touchedNearby = read || writes.writtenBefore(before, to);
}

} // namespace memlift
