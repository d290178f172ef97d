// rewrite.cpp - puts an operation in a loop's place, or in front of it
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lowered, inlined:                    Guarded:
//
//   preheader: operation                 preheader: br guard, run, keep
//   exit: phi [final value]              run: operation; br exit
//                                        keep: the loop, as it was; br exit
//                                        exit: phi [final value, run], [.., keep]
#include "write/write.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;

namespace memlift {
namespace {

void replaceLoop(Env &env, Picture &pic, Materialiser &make, const Match &match,
                 const Decision &decision) {
  llvm::Loop &loop = *pic.nest.front();
  if (decision.calls.empty())
    emitOperation(env, pic, make, make.builder, match, decision);
  else
    emitReturningCalls(pic, make, match, decision);
  std::map<PHINode *, Value *> computed;
  for (const LiveOutResult &r : decision.results)
    computed[pic.liveOuts[r.index].phi] = make.integer(r.value);
  BasicBlock *exiting = loop.getExitingBlock();
  for (LiveOutSource &out : pic.liveOuts) {
    Value *final = computed.count(out.phi) ? computed[out.phi]
                                           : make.final(out.value);
    env.se.forgetValue(out.phi);
    out.phi->setIncomingValueForBlock(exiting, final);
  }
  deleteDeadLoop(&loop, &env.dt, &env.se, &env.li);
}

/// Splits so that the loop's exit has a block of its own and `join` follows it;
/// phis of both are complete but for the way around the loop.
BasicBlock *makeJoin(Env &env, llvm::Loop &loop) {
  BasicBlock *exit = loop.getExitBlock();
  SmallVector<BasicBlock *, 4> preds(predecessors(exit));
  SplitBlockPredecessors(exit, preds, ".memlift.kept", &env.dt, &env.li,
                         nullptr, /*PreserveLCSSA=*/true);
  return exit;
}

void addToParent(Env &env, llvm::Loop &loop, BasicBlock *block) {
  if (llvm::Loop *parent = loop.getParentLoop())
    parent->addBasicBlockToLoop(block, env.li);
}

void guardLoop(Env &env, Picture &pic, Materialiser &make, const Match &match,
               const Decision &decision) {
  llvm::Loop &loop = *pic.nest.front();
  Value *guard = make.integer(decision.guard);
  std::map<PHINode *, Value *> finals;
  for (LiveOutSource &out : pic.liveOuts)
    finals[out.phi] = make.final(out.value);
  // Values that the operation needs are computed in front of the guard; that is
  // harmless, and simple.
  BasicBlock *join = makeJoin(env, loop);
  BasicBlock *kept = loop.getExitBlock();
  BasicBlock *preheader = loop.getLoopPreheader();
  BasicBlock *entry = SplitBlock(preheader, preheader->getTerminator(), &env.dt,
                                 &env.li, nullptr, "memlift.loop");
  BasicBlock *run = BasicBlock::Create(env.f.getContext(), "memlift.run",
                                       &env.f, entry);
  Instruction *old = preheader->getTerminator();
  pic.at = old;
  make.builder.SetInsertPoint(old);
  BranchInst *end = BranchInst::Create(join, run);
  end->setDebugLoc(make.builder.getCurrentDebugLocation());
  IRBuilder<> inside(end);
  inside.SetCurrentDebugLocation(make.builder.getCurrentDebugLocation());
  emitOperation(env, pic, make, inside, match, decision);
  make.builder.CreateCondBr(guard, run, entry);
  old->eraseFromParent();
  addToParent(env, loop, run);
  for (PHINode &phi : join->phis()) {
    auto *inner = dyn_cast<PHINode>(phi.getIncomingValueForBlock(kept));
    Value *final = nullptr;
    for (LiveOutSource &out : pic.liveOuts)
      if (out.phi == &phi || out.phi == inner)
        final = finals[out.phi];
    if (!final && inner && inner->getParent() == kept)
      final = inner->getIncomingValueForBlock(loop.getExitingBlock());
    phi.addIncoming(final ? final : phi.getIncomingValueForBlock(kept), run);
    env.se.forgetValue(&phi);
  }
  env.dt.applyUpdates({{DominatorTree::Insert, preheader, run},
                       {DominatorTree::Insert, run, join}});
  env.se.forgetLoop(&loop);
  for (llvm::Loop *l : pic.nest)
    addStringMetadataToLoop(l, DoneTag, 1);
}

} // namespace

void rewriteLoop(Env &env, Picture &pic, const Match &match,
                 const Decision &decision) {
  Materialiser make(env, pic);
  if (decision.guard != NoExpr)
    guardLoop(env, pic, make, match, decision);
  else
    replaceLoop(env, pic, make, match, decision);
}

void rewriteCall(Env &env, Picture &pic, const Match &match,
                 const Decision &decision) {
  Materialiser make(env, pic);
  Instruction *old = pic.at;
  Instruction *before = old->getPrevNode();
  emitOperation(env, pic, make, make.builder, match, decision);
  // `tail` says that the callee sees no local variable: true of the new call,
  // which has the same arguments.
  auto *oldCall = cast<CallInst>(old);
  auto *newCall = dyn_cast_or_null<CallInst>(old->getPrevNode());
  if (newCall && newCall != before && oldCall->isTailCall())
    newCall->setTailCall();
  old->eraseFromParent();
}

} // namespace memlift
