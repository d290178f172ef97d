// gather.cpp - one block for all exits of a loop to lead to, and the edges on from there
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   X0: br test, a, X1              X0: br test, left, X1
//   X1: br test, b, X0         =>   X1: br test, left, X0
//   a:  phi [v, X0]                 left: which = phi [true, X0], [false, X1]
//   b:  phi [w, X1]                       va = phi [v, X0], [poison, X1]
//                                         vb = phi [poison, X0], [w, X1]
//                                         br which, toA, toB
//                                   toA: br a        a: phi [va, toA]
//                                   toB: br b        b: phi [vb, toB]
//
// The operation in the loop's place knows beforehand at which exit the loop would be left, and with
// which values. Both arms may then lead to one block, which distinguishes the exits.
#include "write/write.h"

#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace memlift {
namespace {

class Gather {
public:
  Gather(Env &env, LoopBinding &binding)
      : env(env), binding(binding), loop(*binding.nest.front()), from(binding.exits.from) {}
  void run();

private:
  BasicBlock *block(const char *name, BasicBlock *before);
  PHINode *choice(Type *type, Value *here, size_t exit, Value *elsewhere);
  void leadOn();
  void retarget(size_t exit);

  Env &env;
  LoopBinding &binding;
  llvm::Loop &loop;
  const std::vector<BasicBlock *> &from;
  std::vector<BasicBlock *> to, arms;
  BasicBlock *left = nullptr;
  std::vector<PHINode *> which; // whether the loop is left at this exit; not needed for the last
  std::vector<DominatorTree::UpdateType> updates;
};

BasicBlock *Gather::block(const char *name, BasicBlock *before) {
  BasicBlock *made = BasicBlock::Create(env.f.getContext(), name, &env.f, before);
  if (llvm::Loop *parent = loop.getParentLoop())
    parent->addBasicBlockToLoop(made, env.li);
  return made;
}

/// Returns a phi that is `here` where the loop is left at this exit, and `elsewhere` at others.
PHINode *Gather::choice(Type *type, Value *here, size_t exit, Value *elsewhere) {
  PHINode *phi = PHINode::Create(type, unsigned(from.size()), "memlift.left", left);
  for (size_t k = 0; k < from.size(); ++k)
    phi->addIncoming(k == exit ? here : elsewhere, from[k]);
  return phi;
}

/// Leads from the block after all exits to the code after each, by one test after the other.
void Gather::leadOn() {
  DebugLoc where = from.front()->getTerminator()->getDebugLoc();
  BasicBlock *at = left;
  for (size_t k = 0; k + 1 < from.size(); ++k) {
    BasicBlock *other = k + 2 == from.size() ? arms.back() : block("memlift.left", arms.back());
    BranchInst *branch = BranchInst::Create(arms[k], other, which[k], at);
    branch->setDebugLoc(where);
    updates.push_back({DominatorTree::Insert, at, arms[k]});
    updates.push_back({DominatorTree::Insert, at, other});
    at = other;
  }
}

void Gather::retarget(size_t exit) {
  BranchInst::Create(to[exit], arms[exit])->setDebugLoc(from[exit]->getTerminator()->getDebugLoc());
  from[exit]->getTerminator()->replaceSuccessorWith(to[exit], left);
  to[exit]->replacePhiUsesWith(from[exit], arms[exit]);
  updates.push_back({DominatorTree::Delete, from[exit], to[exit]});
  updates.push_back({DominatorTree::Insert, from[exit], left});
  updates.push_back({DominatorTree::Insert, arms[exit], to[exit]});
}

void Gather::run() {
  for (BasicBlock *block : from) {
    auto *branch = cast<BranchInst>(block->getTerminator());
    to.push_back(branch->getSuccessor(loop.contains(branch->getSuccessor(0))));
  }
  left = block("memlift.left", to.front());
  for (size_t k = 0; k < from.size(); ++k)
    arms.push_back(block("memlift.to", to[k]));
  for (LiveOutSource &out : binding.liveOuts) {
    PHINode *afterLoop = out.phi;
    Value *value = afterLoop->getIncomingValueForBlock(from[out.exit]);
    out.phi = choice(afterLoop->getType(), value, out.exit, PoisonValue::get(afterLoop->getType()));
    afterLoop->setIncomingValueForBlock(from[out.exit], out.phi);
    env.se.forgetValue(afterLoop);
  }
  LLVMContext &context = env.f.getContext();
  for (size_t k = 0; k + 1 < from.size(); ++k) {
    which.push_back(choice(Type::getInt1Ty(context), ConstantInt::getTrue(context), k,
                           ConstantInt::getFalse(context)));
    binding.liveOuts.push_back({which.back(), nullptr, k, binding.exits.isLeft[k]});
  }
  for (size_t k = 0; k < from.size(); ++k)
    retarget(k);
  leadOn();
  env.dt.applyUpdates(updates);
}

} // namespace

void gatherExits(Env &env, LoopBinding &binding) {
  if (!binding.exits.from.empty())
    Gather(env, binding).run();
}

} // namespace memlift
