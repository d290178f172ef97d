// skip.cpp - enters a loop at the iteration that it ends in
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   preheader: br guard, test 0, enter
//   test 0:    br ends, enter, test 1           tests of what the first iterations read
//   ...
//   call:      found = call                     where none of them ends the loop
//   work:      what the iterations before `found` do, if they do more than count
//   enter:     k = phi [0, preheader], [0, test 0], [1, test 1] ... [found, call]
//   loop:      i = phi [start + k * step, enter], [next, latch]
#include "write/write.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;

namespace memlift {
namespace {

/// Returns the value of a counter that starts at `start` in iteration `k`.
Value *advanced(IRBuilder<> &builder, const DataLayout &dl, Value *start, Value *k,
                const APInt &step) {
  Type *type = start->getType();
  bool points = type->isPointerTy();
  Type *number = points ? dl.getIndexType(type) : type;
  Value *by =
      builder.CreateMul(builder.CreateZExtOrTrunc(k, number),
                        ConstantInt::get(number, step.sextOrTrunc(number->getIntegerBitWidth())));
  return points ? builder.CreateGEP(builder.getInt8Ty(), start, by) : builder.CreateAdd(start, by);
}

class Skipper {
public:
  Skipper(Env &env, LoopBinding &binding, const Match &match, const Decision &decision)
      : env(env), binding(binding), match(match), decision(decision), loop(*binding.nest.front()),
        preheader(*loop.getLoopPreheader()) {}
  void run();

private:
  BasicBlock *blockAfter(BasicBlock *from, const char *name);
  void writeTests(Materialiser &make, BasicBlock *&at);
  void writeCall(Materialiser &make, BasicBlock *at);
  void writeWork(Materialiser &make, BasicBlock *at);
  APInt stepOf(const PHINode &phi) const;
  void prepareLoads(Materialiser &make);
  void enterLater(PHINode *k);

  Env &env;
  LoopBinding &binding;
  const Match &match;
  const Decision &decision;
  llvm::Loop &loop;
  BasicBlock &preheader;
  BasicBlock *enter = nullptr;
  PHINode *which = nullptr;                // the iteration
  std::map<PHINode *, Value *> loadedFrom; // in the first iteration
  std::map<PHINode *, Value *> workedTo;   // recurrences, after what has been done
  BasicBlock *worked = nullptr;            // the block where that is done
  std::vector<DominatorTree::UpdateType> updates;
};

/// Adds an empty block that ends with a branch to `enter`.
BasicBlock *Skipper::blockAfter(BasicBlock *from, const char *name) {
  BasicBlock *block = BasicBlock::Create(env.f.getContext(), name, &env.f, enter);
  BranchInst::Create(enter, block)->setDebugLoc(preheader.getTerminator()->getDebugLoc());
  if (llvm::Loop *parent = loop.getParentLoop())
    parent->addBasicBlockToLoop(block, env.li);
  updates.push_back({DominatorTree::Insert, from, block});
  updates.push_back({DominatorTree::Insert, block, enter});
  return block;
}

/// Replaces the end of `from` by a branch to `enter` if `leave`, or else to `to`.
void branchOn(BasicBlock *from, Value *leave, BasicBlock *enter, BasicBlock *to) {
  Instruction *old = from->getTerminator();
  IRBuilder<> builder(old);
  builder.CreateCondBr(leave, enter, to);
  old->eraseFromParent();
}

void Skipper::writeTests(Materialiser &make, BasicBlock *&at) {
  for (const SkipPlan::Early &e : decision.skip.early) {
    make.enter(at->getTerminator());
    Value *ends = make.integer(e.ends);
    BasicBlock *next = blockAfter(at, "memlift.early");
    branchOn(at, ends, enter, next);
    which->addIncoming(ConstantInt::get(which->getType(), e.iteration), at);
    at = next;
  }
}

void Skipper::writeCall(Materialiser &make, BasicBlock *at) {
  Instruction *end = at->getTerminator();
  make.enter(end);
  IRBuilder<> inside(end);
  inside.SetCurrentDebugLocation(make.builder.getCurrentDebugLocation());
  if (decision.skip.work != NoExpr)
    return writeWork(make, at);
  emitReturningCalls(binding, make, inside, match, decision);
  which->addIncoming(make.integer(decision.skip.to), at);
}

/// Finds the end, and does what the iterations before it do, or enters the loop as before.
void Skipper::writeWork(Materialiser &make, BasicBlock *at) {
  auto calls = [&](std::vector<ReturningCall> some) {
    Decision part = decision;
    part.calls = std::move(some);
    IRBuilder<> inside(at->getTerminator());
    inside.SetCurrentDebugLocation(make.builder.getCurrentDebugLocation());
    emitReturningCalls(binding, make, inside, match, part);
  };
  calls({decision.calls.front()});
  Value *may = make.integer(decision.skip.work);
  BasicBlock *work = blockAfter(at, "memlift.work");
  branchOn(at, may, work, enter);
  which->addIncoming(ConstantInt::get(which->getType(), 0), at);
  at = work;
  make.enter(at->getTerminator());
  calls({decision.calls.begin() + 1, decision.calls.end()});
  IRBuilder<> inside(at->getTerminator());
  inside.SetCurrentDebugLocation(make.builder.getCurrentDebugLocation());
  if (decision.routine != Routine::None)
    emitOperation(env, binding, make, inside, match.work.front(), decision);
  for (const LiveOutResult &r : decision.results)
    workedTo[binding.carried[size_t(binding.loop.liveOuts[r.index].rec)]] = make.integer(r.value);
  which->addIncoming(make.integer(decision.skip.to), at);
  worked = at;
}

/// Returns by how much the place moves that the phi's values are loaded from.
APInt Skipper::stepOf(const PHINode &phi) const {
  for (auto [loaded, index] : binding.loaded)
    if (loaded == &phi)
      return APInt(64, binding.loop.exprs[binding.loop.accesses[index].step[0]].value)
          .trunc(binding.loop.ptrBits);
  return APInt();
}

/// Computes where the values are loaded that phis have at first.
void Skipper::prepareLoads(Materialiser &make) {
  ExprGraph &g = binding.loop.exprs;
  for (auto [phi, index] : binding.loaded) {
    const Access &a = binding.loop.accesses[index];
    ExprId at = g.add(g.leaf(Op::BaseAddr, a.base, binding.loop.ptrBits), a.offset);
    loadedFrom[phi] = make.pointer(g.fromPoly(g.poly(at), binding.loop.ptrBits), a.base);
  }
}

/// Moves the start values of all counters on, and loads what the iteration before has loaded.
void Skipper::enterLater(PHINode *k) {
  IRBuilder<> builder(enter->getTerminator());
  for (PHINode &phi : loop.getHeader()->phis()) {
    int at = phi.getBasicBlockIndex(enter);
    auto from = loadedFrom.find(&phi);
    const auto *rec =
        env.se.isSCEVable(phi.getType()) ? dyn_cast<SCEVAddRecExpr>(env.se.getSCEV(&phi)) : nullptr;
    if (auto value = workedTo.find(&phi); value != workedTo.end()) {
      Value *init = phi.getIncomingValue(unsigned(at));
      PHINode *now = PHINode::Create(phi.getType(), 2, "memlift.worked");
      now->insertInto(enter, enter->begin());
      for (BasicBlock *pred : predecessors(enter))
        now->addIncoming(pred == worked ? value->second : init, pred);
      phi.setIncomingValue(unsigned(at), now);
    } else if (from != loadedFrom.end()) {
      Value *place = advanced(builder, env.dl, from->second, k, stepOf(phi));
      phi.setIncomingValue(unsigned(at), builder.CreateAlignedLoad(phi.getType(), place, Align(1)));
    } else if (rec) {
      const APInt &step = cast<SCEVConstant>(rec->getStepRecurrence(env.se))->getAPInt();
      phi.setIncomingValue(unsigned(at),
                           advanced(builder, env.dl, phi.getIncomingValue(unsigned(at)), k, step));
    } // else it is computed in the iteration before
  }
}

void Skipper::run() {
  enter =
      SplitBlock(&preheader, preheader.getTerminator(), &env.dt, &env.li, nullptr, "memlift.enter");
  Instruction *old = preheader.getTerminator();
  binding.at = old;
  Materialiser make(env, binding);
  Value *guard = decision.skip.guard == NoExpr ? nullptr : make.integer(decision.skip.guard);
  prepareLoads(make);
  Type *word = env.dl.getIntPtrType(env.f.getContext());
  which = PHINode::Create(word, 2, "memlift.at");
  which->insertInto(enter, enter->begin());
  // Invariants that the tests and the call use are computed here.
  BasicBlock *first = blockAfter(&preheader, "memlift.early"), *at = first;
  writeTests(make, at);
  writeCall(make, at);
  if (guard) {
    old = preheader.getTerminator();
    IRBuilder<>(old).CreateCondBr(guard, first, enter);
    old->eraseFromParent();
    which->addIncoming(ConstantInt::get(word, 0), &preheader);
  } else {
    old->setSuccessor(0, first);
    updates.push_back({DominatorTree::Delete, &preheader, enter});
  }
  env.dt.applyUpdates(updates);
  enterLater(which);
  env.se.forgetLoop(&loop);
  // One iteration is left, or few.
  markKept(loop);
  addStringMetadataToLoop(&loop, "llvm.loop.unroll.disable", 1);
}

} // namespace

void skipAhead(Env &env, LoopBinding &binding, const Match &match, const Decision &decision) {
  Skipper(env, binding, match, decision).run();
}

} // namespace memlift
