// fork.cpp - the ways of a choice between loops in place
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

/// An empty block between the two.
BasicBlock *Fork::way(BasicBlock *before, BasicBlock *after) {
  BasicBlock *block = BasicBlock::Create(env.f.getContext(), "memlift.way", &env.f, after);
  BranchInst::Create(after, block)->setDebugLoc(where);
  addBlock(env, before, block, after);
  return block;
}

Fork::Fork(Env &env, LoopBinding &binding, Materialiser &make, Value *condition, const Choice &c)
    : env(env), binding(binding), make(make), behind(binding.at),
      where(make.builder.getCurrentDebugLocation()) {
  BasicBlock *before = behind->getParent();
  BasicBlock *after = SplitBlock(before, behind, &env.dt, &env.li, nullptr, "memlift.join");
  ways[0] = way(before, after);
  ways[1] = c.others ? way(before, after) : after;
  Instruction *old = before->getTerminator();
  make.builder.SetInsertPoint(old);
  MDNode *weights = MDBuilder(env.f.getContext()).createBranchWeights(c.ofTen, 10 - c.ofTen);
  make.builder.CreateCondBr(condition, ways[0], ways[1], weights);
  old->eraseFromParent();
  if (c.others)
    env.dt.applyUpdates({{DominatorTree::Delete, before, after}});
  make.builder.SetInsertPoint(behind);
}

void Fork::enter(bool first) {
  binding.at = ways[first ? 0 : 1]->getTerminator();
  make.builder.SetInsertPoint(binding.at);
  make.builder.SetCurrentDebugLocation(where);
  known = make.values();
}

/// What was computed on the way is not there behind it.
void Fork::leave() {
  make.setValues(std::move(known));
  binding.at = behind;
  make.builder.SetInsertPoint(behind);
  make.builder.SetCurrentDebugLocation(where);
}

void prepareStores(const LoopBinding &binding, Materialiser &make, const Decision &d, size_t first,
                   size_t end) {
  for (size_t i = first; i < end; ++i)
    for (const InlineStore &s : d.loops[i].stores)
      if (binding.loop.exprs.isInvariant(s.value))
        make.prepare(s.value);
}

WayEnd endOf(LoopBinding &binding, Materialiser &make, const Match &match, const Choice &c,
             bool first) {
  WayEnd way;
  for (const Merged &m : c.merges) {
    ExprId id = first ? m.one : m.other;
    uint32_t base = m.kind == Merged::Source ? match.srcBase : match.dstBase;
    way.values.push_back(m.kind == Merged::Number ? make.integer(id) : make.pointer(id, base));
  }
  way.end = binding.at->getParent();
  return way;
}

void merge(Materialiser &make, BasicBlock *behind, const WayEnd (&ways)[2]) {
  IRBuilder<> b(behind, behind->begin());
  for (size_t i = 0; i < ways[0].values.size(); ++i) {
    PHINode *phi = b.CreatePHI(ways[0].values[i]->getType(), 2, "memlift.merged");
    for (const WayEnd &way : ways)
      phi->addIncoming(way.values[i], way.end);
    make.merge(phi);
  }
}

} // namespace memlift
