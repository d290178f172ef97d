// inplace.cpp - loops that take the place of a call
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   before:  ...; br trip == 0, after, body
//   body:    iv, scalars = phis; loads; stores; next ...; br iv + 1 == trip, after, body
//   after:   phis of the scalars; what comes next
#include "write/write.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;

namespace memlift {
namespace {

/// Makes `body`, which runs once or not at all, part of what is around `before`.
void addBlock(Env &env, BasicBlock *before, BasicBlock *body, BasicBlock *after) {
  env.dt.applyUpdates({{DominatorTree::Insert, before, body},
                       {DominatorTree::Insert, body, after}});
  if (llvm::Loop *parent = env.li.getLoopFor(before))
    parent->addBasicBlockToLoop(body, env.li);
}

/// Makes `body` a loop of its own inside whatever is around `before`.
void addLoop(Env &env, BasicBlock *before, BasicBlock *body, BasicBlock *after,
             bool few) {
  env.dt.applyUpdates({{DominatorTree::Insert, before, body},
                       {DominatorTree::Insert, body, after}});
  llvm::Loop *loop = env.li.AllocateLoop();
  if (llvm::Loop *parent = env.li.getLoopFor(before))
    parent->addChildLoop(loop);
  else
    env.li.addTopLevelLoop(loop);
  loop->addBasicBlockToLoop(body, env.li);
  addStringMetadataToLoop(loop, DoneTag, 1);
  if (!few)
    return;
  addStringMetadataToLoop(loop, "llvm.loop.vectorize.enable", 0);
  addStringMetadataToLoop(loop, "llvm.loop.unroll.disable", 1);
}

/// The same pointer, of which nobody knows any more what it points into.
Value *hide(IRBuilder<> &b, Value *pointer) {
  FunctionType *type = FunctionType::get(pointer->getType(), {pointer->getType()}, false);
  CallInst *call = b.CreateCall(InlineAsm::get(type, "", "=r,0", /*hasSideEffects=*/false),
                                {pointer});
  call->setDoesNotAccessMemory();
  call->setDoesNotThrow();
  return call;
}

class LoopInPlace {
public:
  LoopInPlace(Env &env, Picture &pic, Materialiser &make, const Match &match,
              const Decision &decision, const InlineLoop &loop)
      : env(env), pic(pic), make(make), match(match), decision(decision),
        l(loop) {}
  void emit();

private:
  Env &env;
  Picture &pic;
  Materialiser &make;
  const Match &match;
  const Decision &decision;
  const InlineLoop &l;
  bool once = false;         // at most: no loop at all
  Value *trip = nullptr, *start = nullptr, *to = nullptr;
  std::vector<Value *> inits;
  std::vector<PHINode *> phis;

  void prepare();
  std::vector<Value *> iterate(BasicBlock *before, BasicBlock *body,
                               BasicBlock *after);
};

void LoopInPlace::prepare() {
  trip = make.integer(l.trip);
  once = upperBound(pic.loop, l.trip) <= 1;
  if (l.start != NoExpr)
    start = make.pointer(l.start, match.srcBase);
  if (l.hidden)
    start = hide(make.builder, start);
  if (l.to != NoExpr)
    to = make.pointer(l.to, match.dstBase);
  for (const InlineStore &s : l.stores)
    make.prepare(s.value);
  for (const InlineScalar &s : l.scalars) {
    inits.push_back(make.integer(s.init));
    make.prepare(s.next);
  }
}

/// Fills the body; returns the scalars after an iteration.
std::vector<Value *> LoopInPlace::iterate(BasicBlock *before, BasicBlock *body,
                                          BasicBlock *after) {
  IRBuilder<> &b = make.builder;
  b.SetInsertPoint(body);
  Materialiser::Inside inside;
  inside.tables = &decision.tables;
  PHINode *iv = b.CreatePHI(trip->getType(), 2);
  inside.iv = iv;
  for (Value *init : inits) {
    phis.push_back(b.CreatePHI(init->getType(), 2));
    inside.scalars.push_back(phis.back());
  }
  Value *at = b.CreateMul(iv, ConstantInt::get(iv->getType(), l.step));
  auto place = [&](Value *from, uint64_t offset) {
    return b.CreateGEP(b.getInt8Ty(), from,
                       b.CreateAdd(at, ConstantInt::get(iv->getType(), offset)));
  };
  for (const InlineLoad &load : l.loads) {
    Type *type = load.bytes == 16 ? make.pairType() : b.getIntNTy(8 * load.bytes);
    inside.loads.push_back(b.CreateAlignedLoad(type, place(start, load.offset),
                                               Align(load.align)));
  }
  make.beginLoop(inside);
  for (const InlineStore &s : l.stores)
    b.CreateAlignedStore(make.integer(s.value), place(to, s.offset), Align(s.align));
  std::vector<Value *> next;
  for (const InlineScalar &s : l.scalars)
    next.push_back(make.integer(s.next));
  iv->addIncoming(ConstantInt::get(iv->getType(), 0), before);
  for (size_t i = 0; i < phis.size(); ++i)
    phis[i]->addIncoming(inits[i], before);
  if (once) {
    b.CreateBr(after);
    return next;
  }
  Value *count = b.CreateAdd(iv, ConstantInt::get(iv->getType(), 1));
  b.CreateCondBr(b.CreateICmpEQ(count, trip), after, body);
  iv->addIncoming(count, body);
  for (size_t i = 0; i < phis.size(); ++i)
    phis[i]->addIncoming(next[i], body);
  return next;
}

void LoopInPlace::emit() {
  prepare();
  Instruction *rest = pic.at;
  BasicBlock *before = rest->getParent();
  BasicBlock *after = SplitBlock(before, rest, &env.dt, &env.li, nullptr,
                                 "memlift.after");
  BasicBlock *body =
      BasicBlock::Create(env.f.getContext(), "memlift.body", &env.f, after);
  Instruction *old = before->getTerminator();
  make.builder.SetInsertPoint(old);
  Value *none = make.builder.CreateICmpEQ(trip, ConstantInt::get(trip->getType(), 0));
  make.builder.CreateCondBr(none, after, body);
  old->eraseFromParent();
  std::vector<Value *> next = iterate(before, body, after);
  if (once)
    addBlock(env, before, body, after);
  else
    addLoop(env, before, body, after, l.few);
  make.builder.SetInsertPoint(after, after->begin());
  std::vector<Value *> finals;
  for (size_t i = 0; i < phis.size(); ++i) {
    PHINode *final = make.builder.CreatePHI(phis[i]->getType(), 2);
    final->addIncoming(inits[i], before);
    final->addIncoming(next[i], body);
    finals.push_back(final);
  }
  make.endLoop(finals);
  make.builder.SetInsertPoint(rest);
}

} // namespace

void emitInPlace(Env &env, Picture &pic, Materialiser &make, const Match &match,
                 const Decision &decision) {
  DebugLoc where = make.builder.getCurrentDebugLocation();
  for (const InlineLoop &l : decision.loops) {
    LoopInPlace(env, pic, make, match, decision, l).emit();
    make.builder.SetCurrentDebugLocation(where);
  }
}

} // namespace memlift
