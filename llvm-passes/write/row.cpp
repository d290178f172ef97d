// row.cpp - one operation beside a row of loops, and the values behind both
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   entry: br guard, run, rest       `rest` is what entry ended with; without a
//   run:   operation; br exit        guard the condition is true, and what hangs on
//   rest:  the row, as it was        the other edge is unreachable
//   exit:  phi [final, run], ..
#include "write/debug.h"
#include "write/write.h"

#include "decide/row.h"
#include "read/row.h"

#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;

namespace memlift {
namespace {

Value *finalValue(Materialiser &make, LoopBinding &binding, ExprId id, Type *type) {
  if (!type->isPointerTy())
    return make.integer(id);
  ExprGraph &graph = binding.loop.exprs;
  for (const auto &[atoms, factor] : graph.poly(id))
    if (atoms.size() == 1 && factor == 1 && graph[atoms[0]].op == Op::BaseAddr)
      return make.pointer(id, uint32_t(graph[atoms[0]].value));
  return make.builder.CreateIntToPtr(make.integer(id), type);
}

/// Code behind the row uses `v`, which no phi of its exit chooses yet.
void mergeBehind(Env &env, Row &row, Instruction &v, Value *final, BasicBlock *run) {
  auto *phi = PHINode::Create(v.getType(), 2, v.getName() + ".memlift");
  phi->insertBefore(row.exit->begin());
  for (BasicBlock *pred : predecessors(row.exit))
    phi->addIncoming(pred == run ? final : &v, pred);
  v.replaceUsesWithIf(phi, [&](Use &use) {
    auto *user = cast<Instruction>(use.getUser());
    if (user == phi)
      return false;
    auto *other = dyn_cast<PHINode>(user);
    BasicBlock *at = other ? other->getIncomingBlock(use) : user->getParent();
    return !row.blocks.count(at);
  });
  env.se.forgetValue(&v);
}

void markDone(Env &env, Row &row) {
  for (const RowUnit &u : row.units)
    if (u.loop)
      markKept(*u.loop);
    else
      u.call->setMetadata(DoneTag, MDNode::get(env.f.getContext(), {}));
}

} // namespace

void rewriteRow(Env &env, Row &row, LoopBinding &binding, const Joined &joined) {
  const Decision &decision = joined.outcome.decision;
  env.budget.add(decision);
  SmallVector<BasicBlock *, 16> blocks;
  for (BasicBlock &block : env.f) // in the order of every run
    if (row.blocks.count(&block))
      blocks.push_back(&block);
  const BoundVariables bound(blocks, nullptr, env.dt);
  BasicBlock *rest =
      SplitBlock(row.entry, row.entry->getTerminator(), &env.dt, &env.li, nullptr, "memlift.row");
  Instruction *old = row.entry->getTerminator();
  binding.at = old;
  Materialiser make(env, binding);
  Value *guard = decision.guard == NoExpr ? make.builder.getTrue() : make.integer(decision.guard);
  BasicBlock *run = BasicBlock::Create(env.f.getContext(), "memlift.run", &env.f, rest);
  BranchInst *end = BranchInst::Create(row.exit, run);
  end->setDebugLoc(make.builder.getCurrentDebugLocation());
  if (llvm::Loop *parent = env.li.getLoopFor(row.entry))
    parent->addBasicBlockToLoop(run, env.li);
  IRBuilder<> inside(end);
  inside.SetCurrentDebugLocation(make.builder.getCurrentDebugLocation());
  make.enter(end);
  emitReturningCalls(binding, make, inside, joined.outcome.match, decision);
  if (decision.routine != Routine::None || !decision.words.empty())
    emitOperation(env, binding, make, inside, joined.outcome.match, decision);
  std::vector<Value *> finals;
  for (size_t i = 0; i < row.finals.size(); ++i)
    finals.push_back(finalValue(make, binding, joined.finals[i], row.finals[i]->getType()));
  make.builder.SetInsertPoint(old);
  make.builder.CreateCondBr(guard, run, rest);
  old->eraseFromParent();
  env.dt.applyUpdates(
      {{DominatorTree::Insert, row.entry, run}, {DominatorTree::Insert, run, row.exit}});
  row.blocks.insert(rest);
  bound.forget(*run);
  for (size_t i = 0; i < row.finals.size(); ++i) {
    auto *phi = dyn_cast<PHINode>(row.finals[i]);
    if (!phi || phi->getParent() != row.exit) {
      mergeBehind(env, row, *row.finals[i], finals[i], run);
      continue;
    }
    phi->addIncoming(finals[i], run);
    env.se.forgetValue(phi);
  }
  env.se.forgetAllLoops();
  markDone(env, row);
}

} // namespace memlift
