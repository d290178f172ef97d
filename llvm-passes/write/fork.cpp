// fork.cpp - the arms of a branch between loops in place
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "write/fork.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace memlift {

void addBlock(Env &env, BasicBlock *before, BasicBlock *body, BasicBlock *after) {
  env.dt.applyUpdates(
      {{DominatorTree::Insert, before, body}, {DominatorTree::Insert, body, after}});
  if (llvm::Loop *parent = env.li.getLoopFor(before))
    parent->addBasicBlockToLoop(body, env.li);
}

/// Adds an empty block between the two.
BasicBlock *Fork::arm(BasicBlock *before, BasicBlock *after) {
  BasicBlock *block = BasicBlock::Create(env.f.getContext(), "memlift.arm", &env.f, after);
  BranchInst::Create(after, block)->setDebugLoc(where);
  addBlock(env, before, block, after);
  return block;
}

Fork::Fork(Env &env, LoopBinding &binding, Materialiser &make, Value *condition, const Branch &c)
    : env(env), binding(binding), make(make), join(binding.at),
      where(make.builder.getCurrentDebugLocation()) {
  BasicBlock *before = join->getParent();
  BasicBlock *after = SplitBlock(before, join, &env.dt, &env.li, nullptr, "memlift.join");
  arms[0] = arm(before, after);
  arms[1] = c.others ? arm(before, after) : after;
  Instruction *old = before->getTerminator();
  make.builder.SetInsertPoint(old);
  MDNode *weights = MDBuilder(env.f.getContext()).createBranchWeights(c.weight, 10 - c.weight);
  make.builder.CreateCondBr(condition, arms[0], arms[1], weights);
  old->eraseFromParent();
  if (c.others)
    env.dt.applyUpdates({{DominatorTree::Delete, before, after}});
  make.builder.SetInsertPoint(join);
}

void Fork::enter(bool first) {
  binding.at = arms[first ? 0 : 1]->getTerminator();
  make.builder.SetInsertPoint(binding.at);
  make.builder.SetCurrentDebugLocation(where);
  known = make.values();
}

/// Values computed on the arm are not available after it.
void Fork::leave() {
  make.setValues(std::move(known));
  binding.at = join;
  make.builder.SetInsertPoint(join);
  make.builder.SetCurrentDebugLocation(where);
}

void prepareStores(const LoopBinding &binding, Materialiser &make, const Decision &d, size_t first,
                   size_t end) {
  for (size_t i = first; i < end; ++i)
    for (const InlineStore &s : d.loops[i].stores)
      if (binding.loop.exprs.isInvariant(s.value))
        make.prepare(s.value);
}

ArmEnd endOf(LoopBinding &binding, Materialiser &make, const Match &match, const Branch &c,
             bool first) {
  ArmEnd arm;
  for (const Phi &m : c.phis) {
    ExprId id = first ? m.ifTrue : m.ifFalse;
    uint32_t base = m.kind == Phi::Source ? match.srcBase : match.dstBase;
    arm.values.push_back(m.kind == Phi::Number ? make.integer(id) : make.pointer(id, base));
  }
  arm.end = binding.at->getParent();
  return arm;
}

void merge(Materialiser &make, BasicBlock *join, const ArmEnd (&arms)[2]) {
  IRBuilder<> b(join, join->begin());
  for (size_t i = 0; i < arms[0].values.size(); ++i) {
    PHINode *phi = b.CreatePHI(arms[0].values[i]->getType(), 2, "memlift.merged");
    for (const ArmEnd &arm : arms)
      phi->addIncoming(arm.values[i], arm.end);
    make.merge(phi);
  }
}

} // namespace memlift
