// rewrite.cpp - puts an operation in a loop's place, or before it
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lowered, inlined:                    Guarded:
//
//   preheader: operation                 preheader: br guard, run, keep
//   exit: phi [final value]              run: operation; br exit
//                                        keep: the loop, as it was; br exit
//                                        exit: phi [final value, run], [.., keep]
//
// Loops in place come before the operation, or are all of it.
#include "write/debug.h"
#include "write/user.h"
#include "write/write.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;

namespace memlift {
namespace {

constexpr char RuntimeUnrollOff[] = "llvm.loop.unroll.runtime.disable";

/// Stores the final values of counters whose other stores were unobservable.
void storeFinals(Materialiser &make, IRBuilder<> &builder, const Decision &decision) {
  for (const FinalStore &f : decision.finals)
    builder.CreateAlignedStore(f.pointsInto < 0 ? make.integer(f.value)
                                                : make.pointer(f.value, uint32_t(f.pointsInto)),
                               make.pointer(f.address, f.base), Align(f.align));
}

/// Returns whether any operation but the returning calls writes memory.
bool writesMemory(const Decision &decision) {
  return decision.routine != Routine::None || !decision.words.empty() || !decision.sequence.empty();
}

/// Returns the one value that leaves the nest through the phi, or through the one before it.
const Value *valueBefore(const PHINode &phi, const BasicBlock *kept = nullptr) {
  const Value *value = kept ? phi.getIncomingValueForBlock(kept) : phi.getIncomingValue(0);
  auto *inner = dyn_cast<PHINode>(value);
  return kept && inner && inner->getParent() == kept ? inner->getIncomingValue(0) : value;
}

void replaceLoop(Env &env, LoopBinding &binding, Materialiser &make, const Match &match,
                 const Decision &decision, const BoundVariables &bound) {
  llvm::Loop &loop = *binding.nest.front();
  emitInPlace(env, binding, make, match, decision);
  emitReturningCalls(binding, make, make.builder, match, decision);
  if (writesMemory(decision))
    emitOperation(env, binding, make, make.builder, match, decision);
  storeFinals(make, make.builder, decision);
  make.useTables(decision.tables);
  std::map<PHINode *, Value *> computed;
  for (const LiveOutResult &r : decision.results)
    computed[binding.liveOuts[r.index].phi] = make.integer(r.value);
  for (LiveOutSource &out : binding.liveOuts) {
    Value *final = computed.count(out.phi) ? computed[out.phi] : make.final(out);
    env.se.forgetValue(out.phi);
    bound.bind(*out.phi, valueBefore(*out.phi));
    for (unsigned i = 0; i < out.phi->getNumIncomingValues(); ++i)
      out.phi->setIncomingValue(i, final);
  }
  deleteDeadLoop(&loop, &env.dt, &env.se, &env.li);
}

/// Splits so that the loop's exit has a block of its own and `join` follows it;
/// phis of both are complete but for the back edge.
BasicBlock *makeJoin(Env &env, llvm::Loop &loop) {
  BasicBlock *exit = loop.getUniqueExitBlock();
  SmallVector<BasicBlock *, 4> preds(predecessors(exit));
  SplitBlockPredecessors(exit, preds, ".memlift.kept", &env.dt, &env.li, nullptr,
                         /*PreserveLCSSA=*/true);
  return exit;
}

void addToParent(Env &env, llvm::Loop &loop, BasicBlock *block) {
  if (llvm::Loop *parent = loop.getParentLoop())
    parent->addBasicBlockToLoop(block, env.li);
}

/// A block between the preheader and the join that holds an operation.
struct Arm {
  BasicBlock *block = nullptr;
  std::map<PHINode *, Value *> finals; // of the binding's live-outs
};

/// Computes, before the nest, the live-outs that are known there.
std::map<PHINode *, Value *> finalsOf(LoopBinding &binding, Materialiser &make) {
  std::map<PHINode *, Value *> finals;
  for (LiveOutSource &out : binding.liveOuts)
    if (out.value || out.known != NoExpr)
      finals[out.phi] = make.final(out);
  return finals;
}

/// Emits the operation into a new block before `before`.
Arm makeArm(Env &env, LoopBinding &binding, Materialiser &make, BasicBlock *join,
            BasicBlock *before, const std::map<PHINode *, Value *> &finals, const Match &match,
            const Decision &decision) {
  Arm arm;
  arm.finals = finals;
  arm.block = BasicBlock::Create(env.f.getContext(), "memlift.run", &env.f, before);
  BranchInst *end = BranchInst::Create(join, arm.block);
  end->setDebugLoc(make.builder.getCurrentDebugLocation());
  IRBuilder<> inside(end);
  inside.SetCurrentDebugLocation(make.builder.getCurrentDebugLocation());
  make.enter(end);
  emitReturningCalls(binding, make, inside, match, decision);
  if (writesMemory(decision))
    emitOperation(env, binding, make, inside, match, decision);
  storeFinals(make, inside, decision);
  for (const LiveOutResult &r : decision.results)
    arm.finals[binding.liveOuts[r.index].phi] = make.integer(r.value);
  return arm;
}

/// Gives phis of the join the values that the nest's live-outs have after `arm`.
void joinArm(Env &env, LoopBinding &binding, llvm::Loop &loop, BasicBlock *join, BasicBlock *kept,
             const Arm &arm) {
  for (PHINode &phi : join->phis()) {
    auto *inner = dyn_cast<PHINode>(phi.getIncomingValueForBlock(kept));
    Value *final = nullptr;
    for (LiveOutSource &out : binding.liveOuts)
      if (out.phi == &phi || out.phi == inner)
        final = arm.finals.at(out.phi);
    if (!final && inner && inner->getParent() == kept)
      final = inner->getIncomingValue(0); // every exit leaves one value
    phi.addIncoming(final ? final : phi.getIncomingValueForBlock(kept), arm.block);
    env.se.forgetValue(&phi);
  }
}

/// Returns the decision of the second arm, where only the second guard holds.
Decision repeatOf(const Decision &decision) {
  Decision fill = decision;
  fill.kind = DecisionKind::Lowered;
  fill.routine = decision.repeat.routine;
  fill.symbol = decision.repeat.symbol;
  fill.args = decision.repeat.args;
  fill.loops.clear();
  return fill;
}

/// Replaces the preheader's end `old` by the arms after their tests; if none holds, `entry` leads
/// to the nest. `weights` are the branch weights; null: unknown.
void branchTo(Env &env, llvm::Loop &loop, Instruction *old, BasicBlock *entry, BasicBlock *join,
              ArrayRef<Arm> arms, ArrayRef<Value *> guards, MDNode *weights) {
  std::vector<DominatorTree::UpdateType> updates;
  BasicBlock *from = old->getParent();
  if (arms.size() > 1)
    updates.push_back({DominatorTree::Delete, from, entry});
  old->eraseFromParent();
  for (size_t i = 0; i < arms.size(); ++i) {
    BasicBlock *other = entry;
    if (i + 1 < arms.size()) {
      other = BasicBlock::Create(env.f.getContext(), "memlift.apart", &env.f, arms[i + 1].block);
      addToParent(env, loop, other);
    }
    IRBuilder<>(from).CreateCondBr(guards[i], arms[i].block, other, weights);
    addToParent(env, loop, arms[i].block);
    updates.push_back({DominatorTree::Insert, from, arms[i].block});
    updates.push_back({DominatorTree::Insert, arms[i].block, join});
    if (arms.size() > 1)
      updates.push_back({DominatorTree::Insert, from, other});
    from = other;
  }
  env.dt.applyUpdates(updates);
}

/// Puts loops in place before the rest of the arm.
void emitInArm(Env &env, LoopBinding &binding, Materialiser &make, const Arm &arm,
               const Match &match, const Decision &decision) {
  DebugLoc where = make.builder.getCurrentDebugLocation();
  binding.at = &*arm.block->getFirstInsertionPt();
  make.builder.SetInsertPoint(binding.at);
  make.builder.SetCurrentDebugLocation(where);
  make.enter(nullptr); // the arm's current end
  emitInPlace(env, binding, make, match, decision);
}

void guardLoop(Env &env, LoopBinding &binding, Materialiser &make, const Match &match,
               const Decision &decision, const BoundVariables &bound) {
  llvm::Loop &loop = *binding.nest.front();
  bool twice = decision.repeat.exists();
  // Operands of the operation are computed before the guard; that is harmless, and simple.
  std::vector<Value *> guards = {make.integer(decision.guard)};
  if (twice)
    guards.push_back(make.integer(decision.repeat.guard));
  std::map<PHINode *, Value *> finals = finalsOf(binding, make);
  BasicBlock *join = makeJoin(env, loop);
  BasicBlock *kept = loop.getUniqueExitBlock();
  BasicBlock *preheader = loop.getLoopPreheader();
  BasicBlock *entry =
      SplitBlock(preheader, preheader->getTerminator(), &env.dt, &env.li, nullptr, "memlift.loop");
  Instruction *old = preheader->getTerminator();
  binding.at = old;
  make.builder.SetInsertPoint(old);
  std::vector<Arm> arms = {makeArm(env, binding, make, join, entry, finals, match, decision)};
  if (twice)
    arms.push_back(makeArm(env, binding, make, join, entry, finals, match, repeatOf(decision)));
  for (PHINode &phi : join->phis())
    bound.bind(phi, valueBefore(phi, kept));
  for (const Arm &arm : arms) {
    joinArm(env, binding, loop, join, kept, arm);
    bound.forget(*arm.block);
  }
  // Operations that are too short, or overlap, are placed after all loops in place for the others.
  branchTo(env, loop, old, entry, join, arms, guards, weightsOf(env, decision));
  if (decision.longOnly || !decision.loops.empty())
    askSizeFirst(env, binding, decision, preheader);
  env.se.forgetLoop(&loop);
  // Beside loops in place it serves short operations; beside grouped ones, overlapping operations.
  bool rare = (decision.loops.empty() || isGrouped(decision)) && !decision.keptAlone;
  for (llvm::Loop *l : binding.nest)
    rare ? markKept(*l) : addStringMetadataToLoop(l, DoneTag, 1);
  if (!decision.loops.empty())
    emitInArm(env, binding, make, arms[0], match, decision);
}

} // namespace

/// Marks a kept loop as LLVM marks the remainder of a vectorised one. It runs only where addresses
/// overlap, which a vectoriser would test once more; and unrolled copies in each place would only
/// add code.
void markKept(llvm::Loop &loop) {
  addStringMetadataToLoop(&loop, DoneTag, 1);
  addStringMetadataToLoop(&loop, "llvm.loop.isvectorized", 1);
  if (!getBooleanLoopAttribute(&loop, RuntimeUnrollOff))
    addStringMetadataToLoop(&loop, RuntimeUnrollOff, 1);
}

/// Allows one loop of a function whose accesses may fault: after a fault the function returns what
/// this one had left.
static void takeUser(llvm::Function &f) {
  if (f.getFnAttribute(UserAttribute).getValueAsString() == UserCovered)
    refuse(*f.getParent(), Diag::UserUncovered, uncoveredMessage(f, "it has two loops"));
  f.addFnAttr(UserAttribute, UserCovered);
}

void rewriteLoop(Env &env, LoopBinding &binding, const Match &match, const Decision &decision) {
  checkResults(binding, decision);
  if (decision.fixup.faults)
    takeUser(env.f);
  env.budget.add(decision);
  Materialiser make(env, binding);
  for (const LiveOutResult &r : decision.results)
    if (binding.loop.liveOuts[r.index].used != ~uint64_t(0))
      forgetFlags(*binding.liveOuts[r.index].phi);
  const llvm::Loop &nest = *binding.nest.front();
  const BoundVariables bound(nest.getBlocks(), nest.getExitingBlock(), env.dt);
  gatherExits(env, binding);
  if (decision.guard != NoExpr)
    guardLoop(env, binding, make, match, decision, bound);
  else
    replaceLoop(env, binding, make, match, decision, bound);
}

void rewriteCall(Env &env, LoopBinding &binding, const Match &match, const Decision &decision) {
  Materialiser make(env, binding);
  Instruction *old = binding.at;
  Instruction *before = old->getPrevNode();
  emitOperation(env, binding, make, make.builder, match, decision);
  // `tail` says that the callee sees no local variable: true of the new call, which has the same
  // arguments.
  auto *oldCall = cast<CallInst>(old);
  auto *newCall = dyn_cast_or_null<CallInst>(old->getPrevNode());
  if (newCall && newCall != before && oldCall->isTailCall())
    newCall->setTailCall();
  old->eraseFromParent();
}

MDNode *weightsOf(const Env &env, const Decision &decision) {
  MDBuilder metadata(env.f.getContext());
  if (decision.longOnly || decision.sizeFirst)
    return metadata.createBranchWeights(Half, 10 - Half);
  return decision.loops.empty() ? nullptr : metadata.createBranchWeights(9, 1);
}

} // namespace memlift
