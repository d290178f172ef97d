// spread.cpp - what iterations of a loop hand on, and what binds its code to its function
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   header:  s = phi [init, preheader], [s2, latch]
//            s1 = add s, x                  each user of s and s1 in the loop is one more addition,
//            s2 = phi [s, ...], [s1, ...]   a phi or a select between such values
//
// Then s2 is s plus something that does not depend on s, whatever control does, and blocks of
// iterations may start from 0.
#include "read/spread.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

namespace memlift {

const SCEVAddRecExpr *counterOf(Env &env, llvm::Loop &loop, PHINode &phi) {
  if (!env.se.isSCEVable(phi.getType()))
    return nullptr;
  const auto *rec = dyn_cast<SCEVAddRecExpr>(env.se.getSCEV(&phi));
  if (!rec || rec->getLoop() != &loop || !rec->isAffine())
    return nullptr;
  SCEVExpander expander(compat::expanderOf<SCEVExpander>(env.se, env.dl));
  const SCEV *step = rec->getStepRecurrence(env.se);
  return expander.isSafeToExpandAt(step, loop.getLoopPreheader()->getTerminator()) ? rec : nullptr;
}

namespace {

bool kindOf(const Instruction &op, Carry::Kind &kind) {
  if (const auto *call = dyn_cast<MinMaxIntrinsic>(&op)) {
    switch (call->getIntrinsicID()) {
    case Intrinsic::umin: kind = Carry::UMin; return true;
    case Intrinsic::umax: kind = Carry::UMax; return true;
    case Intrinsic::smin: kind = Carry::SMin; return true;
    default: kind = Carry::SMax; return true;
    }
  }
  switch (op.getOpcode()) {
  case Instruction::Add:
  case Instruction::Sub: kind = Carry::Add; return true;
  case Instruction::Xor: kind = Carry::Xor; return true;
  case Instruction::And: kind = Carry::And; return true;
  case Instruction::Or: kind = Carry::Or; return true;
  default: return false;
  }
}

/// Follows a phi of the header through the loop.
class Follower {
public:
  Follower(llvm::Loop &loop, PHINode &phi) : loop(loop), phi(phi) {}
  CarriedPhi run();

private:
  llvm::Loop &loop;
  PHINode &phi;
  SmallSetVector<Instruction *, 16> members;
  Carry::Kind kind = Carry::Other;

  bool take(Instruction &user);
  bool isClosed(Instruction &member);
  bool leavesLast(const Instruction &member, const Instruction &user) const;
  bool follow();
};

/// Returns whether a user outside of the loop gets the value after the last iteration.
bool Follower::leavesLast(const Instruction &member, const Instruction &user) const {
  return isa<PHINode>(user) && user.getParent() == loop.getExitBlock() &&
         phi.getIncomingValueForBlock(loop.getLoopLatch()) == &member;
}

bool Follower::take(Instruction &user) {
  if (isa<BinaryOperator>(user) || isa<MinMaxIntrinsic>(user)) {
    Carry::Kind of;
    if (!kindOf(user, of) || (kind != Carry::Other && kind != of))
      return false;
    kind = of;
  } else if (!isa<PHINode>(user) && !isa<SelectInst>(user)) {
    return false;
  }
  members.insert(&user);
  return true;
}

/// Returns whether the member is the phi joined with what depends on no member.
bool Follower::isClosed(Instruction &member) {
  auto isMember = [&](Value *v) {
    auto *i = dyn_cast<Instruction>(v);
    return i && members.contains(i);
  };
  if (&member == &phi)
    return isMember(phi.getIncomingValueForBlock(loop.getLoopLatch()));
  if (auto *merge = dyn_cast<PHINode>(&member))
    return all_of(merge->incoming_values(), [&](Use &use) { return isMember(use.get()); });
  if (auto *select = dyn_cast<SelectInst>(&member))
    return !isMember(select->getCondition()) && isMember(select->getTrueValue()) &&
           isMember(select->getFalseValue());
  bool left = isMember(member.getOperand(0)), right = isMember(member.getOperand(1));
  return left != right && (left || member.getOpcode() != Instruction::Sub);
}

bool Follower::follow() {
  constexpr size_t most = 256;
  if (!phi.getType()->isIntegerTy() || phi.getType()->getIntegerBitWidth() > 64)
    return false;
  members.insert(&phi);
  for (size_t i = 0; i < members.size() && i < most; ++i)
    for (User *u : members[i]->users()) {
      auto *user = cast<Instruction>(u);
      if (loop.contains(user) ? !members.contains(user) && !take(*user)
                              : !leavesLast(*members[i], *user))
        return false;
    }
  return kind != Carry::Other && members.size() <= most &&
         all_of(members, [&](Instruction *i) { return isClosed(*i); });
}

CarriedPhi Follower::run() {
  if (!follow())
    return {&phi, Carry::Other, {}};
  CarriedPhi found = {&phi, kind, {}};
  for (Instruction *i : members)
    if (isa<BinaryOperator>(i) || isa<MinMaxIntrinsic>(i))
      found.joins.push_back(i);
  return found;
}

/// Returns what binds an operand to its function or thread, or null.
const char *boundBy(const llvm::Loop &loop, const Value &v) {
  if (const auto *c = dyn_cast<Constant>(&v)) {
    if (c->isThreadDependent())
      return "uses a thread-local variable";
    return isa<BlockAddress>(c) ? "uses the address of a label" : nullptr;
  }
  const auto *i = dyn_cast<Instruction>(&v);
  if ((!i && !isa<Argument>(v)) || (i && loop.contains(i)))
    return nullptr;
  Type *type = v.getType();
  return v.isSwiftError() || !type->isSized() || type->isScalableTy()
             ? "uses a value of no fixed size"
             : nullptr;
}

const char *boundBy(const llvm::Loop &loop, const Instruction &i) {
  if (isa<AllocaInst>(i))
    return "has variables of its own";
  if (i.isTerminator() && !isa<BranchInst>(i) && !isa<SwitchInst>(i))
    return "leaves in another way than by its test";
  if (const auto *call = dyn_cast<CallBase>(&i)) {
    Intrinsic::ID id = call->getIntrinsicID();
    if (id == Intrinsic::not_intrinsic)
      return "calls a function";
    if (id == Intrinsic::threadlocal_address)
      return "uses a thread-local variable";
    if (call->isConvergent() || call->getType()->isTokenTy())
      return "has an operation that stays where it is";
  }
  for (const Value *v : i.operand_values())
    if (const char *why = boundBy(loop, *v))
      return why;
  return nullptr;
}

} // namespace

std::vector<CarriedPhi> carriedPhis(Env &env, llvm::Loop &loop) {
  std::vector<CarriedPhi> list;
  for (PHINode &phi : loop.getHeader()->phis())
    if (!counterOf(env, loop, phi))
      list.push_back(Follower(loop, phi).run());
  return list;
}

void readSpread(Env &env, LoopBinding &binding) {
  llvm::Loop &loop = *binding.nest.front();
  if (!loop.getLoopPreheader() || !loop.getLoopLatch() || !loop.getExitBlock())
    return; // other rules refuse it
  for (const CarriedPhi &c : carriedPhis(env, loop)) {
    std::string name = sourceName(*c.phi);
    binding.loop.carries.push_back(
        {name.empty() ? "a value" : name, c.kind, sourceLoc(c.phi->getDebugLoc())});
  }
  for (const BasicBlock *block : loop.blocks())
    for (const Instruction &i : *block)
      if (const char *why = i.isDebugOrPseudoInst() ? nullptr : boundBy(loop, i))
        binding.loop.bound.push_back({Diag::SpreadBound, why, sourceLoc(i.getDebugLoc())});
  if (env.f.isPresplitCoroutine())
    binding.loop.bound.push_back({Diag::SpreadBound, "a coroutine", {}});
}

} // namespace memlift
