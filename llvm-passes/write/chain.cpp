// chain.cpp - puts one operation beside a chain of loops, and joins the values after both
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   entry: br guard, run, rest       `rest` has entry's old terminator; without a
//   run:   operation; br exit        guard the condition is true, and all code
//   rest:  the chain, as it was      after the other edge is unreachable
//   exit:  phi [final, run], ..
#include "write/debug.h"
#include "write/write.h"

#include "decide/chain.h"
#include "read/chain.h"

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

/// Adds a phi for a value `v` that code after the chain uses without a phi in its exit.
void mergeAfter(Env &env, LoopChain &chain, Instruction &v, Value *final, BasicBlock *run) {
  auto *phi = PHINode::Create(v.getType(), 2, v.getName() + ".memlift");
  phi->insertBefore(chain.exit->begin());
  for (BasicBlock *pred : predecessors(chain.exit))
    phi->addIncoming(pred == run ? final : &v, pred);
  v.replaceUsesWithIf(phi, [&](Use &use) {
    auto *user = cast<Instruction>(use.getUser());
    if (user == phi)
      return false;
    auto *other = dyn_cast<PHINode>(user);
    BasicBlock *at = other ? other->getIncomingBlock(use) : user->getParent();
    return !chain.blocks.count(at);
  });
  env.se.forgetValue(&v);
}

/// Marks what is left of the chain; if `alone`, it runs for few bytes and is compiled as it was.
void markDone(Env &env, LoopChain &chain, bool alone) {
  for (const ChainLink &u : chain.links)
    if (u.loop)
      alone ? addStringMetadataToLoop(u.loop, DoneTag, 1) : markKept(*u.loop);
    else
      u.call->setMetadata(DoneTag, MDNode::get(env.f.getContext(), {}));
}

} // namespace

void rewriteChain(Env &env, LoopChain &chain, LoopBinding &binding, const Joined &joined) {
  const Decision &decision = joined.outcome.decision;
  checkResults(binding, decision);
  env.budget.add(decision);
  SmallVector<BasicBlock *, 16> blocks;
  for (BasicBlock &block : env.f) // in a reproducible order
    if (chain.blocks.count(&block))
      blocks.push_back(&block);
  const BoundVariables bound(blocks, nullptr, env.dt);
  BasicBlock *rest = SplitBlock(chain.entry, chain.entry->getTerminator(), &env.dt, &env.li,
                                nullptr, "memlift.chain");
  Instruction *old = chain.entry->getTerminator();
  binding.at = old;
  Materialiser make(env, binding);
  Value *guard = decision.guard == NoExpr ? make.builder.getTrue() : make.integer(decision.guard);
  BasicBlock *run = BasicBlock::Create(env.f.getContext(), "memlift.run", &env.f, rest);
  BranchInst *end = BranchInst::Create(chain.exit, run);
  end->setDebugLoc(make.builder.getCurrentDebugLocation());
  if (llvm::Loop *parent = env.li.getLoopFor(chain.entry))
    parent->addBasicBlockToLoop(run, env.li);
  IRBuilder<> inside(end);
  inside.SetCurrentDebugLocation(make.builder.getCurrentDebugLocation());
  make.enter(end);
  emitReturningCalls(binding, make, inside, joined.outcome.match, decision);
  if (decision.routine != Routine::None || !decision.words.empty())
    emitOperation(env, binding, make, inside, joined.outcome.match, decision);
  std::vector<Value *> finals;
  for (size_t i = 0; i < chain.finals.size(); ++i)
    finals.push_back(finalValue(make, binding, joined.finals[i], chain.finals[i]->getType()));
  make.builder.SetInsertPoint(old);
  make.builder.CreateCondBr(guard, run, rest, weightsOf(env, decision));
  old->eraseFromParent();
  env.dt.applyUpdates(
      {{DominatorTree::Insert, chain.entry, run}, {DominatorTree::Insert, run, chain.exit}});
  chain.blocks.insert(rest);
  bound.forget(*run);
  for (size_t i = 0; i < chain.finals.size(); ++i) {
    auto *phi = dyn_cast<PHINode>(chain.finals[i]);
    if (!phi || phi->getParent() != chain.exit) {
      mergeAfter(env, chain, *chain.finals[i], finals[i], run);
      continue;
    }
    phi->addIncoming(finals[i], run);
    env.se.forgetValue(phi);
  }
  env.se.forgetAllLoops();
  markDone(env, chain, decision.keptAlone);
}

} // namespace memlift
