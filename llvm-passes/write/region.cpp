// region.cpp - moves blocks into a function of their own
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   from:   br ..., first, ...               from:   br ..., call, ...
//   first:  ... a ...                        call:   r = f.suffix(a)
//   last:   b = ...; br exit          ->             br exit
//   exit:   phi [b, last], ...               exit:   phi [r, call], ...
//
// Where nothing but the function's end comes after them, the call's block returns what it returns:
// the call is then a jump, and needs no stack.
//
// Problem: a function saves registers for all its paths, and LLVM seldom finds that a path which
// needs neither them nor the stack could do without. Where that is the common path, and short, it
// is a loss.
#include "write/region.h"
#include "compat.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace memlift {
namespace {

constexpr Attribute::AttrKind kept[] = {
    Attribute::MinSize,         Attribute::OptimizeForSize,
    Attribute::NoUnwind,        Attribute::UWTable,
    Attribute::NoRedZone,       Attribute::NullPointerIsValid,
    Attribute::StackProtect,    Attribute::StackProtectStrong,
    Attribute::StackProtectReq, Attribute::NoImplicitFloat,
    Attribute::StrictFP,        Attribute::SafeStack,
    Attribute::ShadowCallStack, Attribute::SpeculativeLoadHardening};

/// Gives a loop metadata of its own, without places in the source.
void renewLoopMetadata(Instruction &branch) {
  MDNode *old = branch.getMetadata(LLVMContext::MD_loop);
  if (!old)
    return;
  SmallVector<Metadata *, 4> list = {nullptr};
  for (unsigned i = 1; i < old->getNumOperands(); ++i)
    if (!isa<DILocation>(old->getOperand(i)))
      list.push_back(old->getOperand(i));
  MDNode *fresh = MDNode::getDistinct(branch.getContext(), list);
  fresh->replaceOperandWith(0, fresh);
  branch.setMetadata(LLVMContext::MD_loop, fresh);
}

class Mover {
public:
  Mover(Env &env, ArrayRef<BasicBlock *> blocks)
      : env(env), blocks(blocks), inside(blocks.begin(), blocks.end()),
        exit(blocks.back()->getSingleSuccessor()) {}
  void run(const Twine &suffix, DebugLoc at);

private:
  Env &env;
  ArrayRef<BasicBlock *> blocks;
  SmallPtrSet<BasicBlock *, 16> inside;
  BasicBlock *exit;
  SmallSetVector<Value *, 16> inputs, outputs;
  SmallSetVector<AllocaInst *, 4> locals; // used by the blocks alone
  Type *result = nullptr;
  Function *made = nullptr;
  bool ends = false;         // the function returns right after the blocks:
  Value *returned = nullptr; // this, null: nothing

  bool isInside(const Instruction &i) const { return inside.count(i.getParent()); }
  void collect();
  bool findReturn();
  void findOutputs();
  bool mayJump() const;
  void forgetLoops();
  void call(DebugLoc at);
  void goOn(IRBuilder<> &b, CallInst *made);
  void move();
  void finish();
};

/// Finds what goes into the blocks and what comes out of them.
void Mover::collect() {
  for (BasicBlock *block : blocks)
    for (Instruction &i : make_early_inc_range(*block)) {
      if (auto *assumed = dyn_cast<AssumeInst>(&i)) {
        env.ac.unregisterAssumption(assumed);
        assumed->eraseFromParent();
        continue;
      }
      for (Value *v : i.operand_values()) {
        auto *from = dyn_cast<Instruction>(v);
        auto *local = dyn_cast<AllocaInst>(v);
        if (local && !isInside(*local) &&
            all_of(local->users(), [&](User *user) { return isInside(*cast<Instruction>(user)); }))
          locals.insert(local);
        else if ((from && !isInside(*from)) || isa<Argument>(v))
          inputs.insert(v);
      }
    }
  ends = findReturn();
  findOutputs();
}

/// Returns whether there is nothing in a block but values that meet there.
bool onlyJoins(BasicBlock &block) {
  return all_of(block, [](Instruction &i) {
    return isa<PHINode>(i) || i.isDebugOrPseudoInst() || i.isTerminator();
  });
}

/// Finds what the function returns, if it does so right after the blocks: a constant, one of their
/// values, or nothing.
bool Mover::findReturn() {
  SmallVector<BasicBlock *, 4> path = {blocks.back()};
  if (env.li.getLoopFor(exit) || env.li.getLoopFor(blocks.front()))
    return false;
  for (BasicBlock *at = exit; at && path.size() < 4 && onlyJoins(*at);
       at = at->getSingleSuccessor())
    path.push_back(at);
  auto *end = dyn_cast<ReturnInst>(path.back()->getTerminator());
  if (!end)
    return false;
  returned = end->getReturnValue();
  for (size_t k = path.size(); --k != 0;)
    if (auto *phi = dyn_cast_or_null<PHINode>(returned); phi && phi->getParent() == path[k])
      returned = phi->getIncomingValueForBlock(path[k - 1]);
  auto *value = dyn_cast_or_null<Instruction>(returned);
  return !returned || isa<Constant>(returned) || (value && isInside(*value));
}

/// Finds what comes out of the blocks, and what their function returns.
void Mover::findOutputs() {
  if (ends) {
    result = returned ? returned->getType() : Type::getVoidTy(env.f.getContext());
    return;
  }
  for (PHINode &phi : exit->phis()) {
    auto *from = dyn_cast<Instruction>(phi.getIncomingValueForBlock(blocks.back()));
    if (from && isInside(*from))
      outputs.insert(from);
  }
  SmallVector<Type *, 4> types;
  for (Value *v : outputs)
    types.push_back(v->getType());
  LLVMContext &c = env.f.getContext();
  result = types.empty()      ? Type::getVoidTy(c)
           : types.size() > 1 ? StructType::get(c, types)
                              : types.front();
}

/// Takes the blocks out of what is known of the function's loops.
void Mover::forgetLoops() {
  for (BasicBlock *block : blocks) {
    llvm::Loop *loop = env.li.getLoopFor(block);
    llvm::Loop *parent = loop ? loop->getParentLoop() : nullptr;
    if (!loop || loop->getHeader() != block || (parent && inside.count(parent->getHeader())))
      continue;
    if (parent)
      parent->removeChildLoop(loop);
    else
      env.li.removeLoop(find(env.li, loop));
  }
  llvm::Loop *around = env.li.getLoopFor(blocks.front());
  for (BasicBlock *block : blocks) {
    env.li.changeLoopFor(block, nullptr);
    for (llvm::Loop *l = around; l; l = l->getParentLoop())
      l->removeBlockFromLoop(block);
  }
}

/// Returns whether the made function cannot see variables of this one, so that a call of it may be
/// a jump.
bool Mover::mayJump() const {
  return none_of(instructions(env.f),
                 [&](const Instruction &i) {
                   const auto *local = dyn_cast<AllocaInst>(&i);
                   return local && !locals.count(const_cast<AllocaInst *>(local));
                 }) &&
         none_of(env.f.args(), [](const Argument &a) { return a.hasPassPointeeByValueCopyAttr(); });
}

/// Goes on where the blocks have gone on, with the values that come from their function.
void Mover::goOn(IRBuilder<> &b, CallInst *made) {
  BasicBlock *place = made->getParent();
  for (PHINode &phi : exit->phis()) {
    unsigned index = unsigned(phi.getBasicBlockIndex(blocks.back()));
    Value *old = phi.getIncomingValue(index);
    phi.setIncomingBlock(index, place);
    auto *found = find(outputs, old);
    if (found != outputs.end())
      phi.setIncomingValue(index,
                           outputs.size() == 1
                               ? static_cast<Value *>(made)
                               : b.CreateExtractValue(made, unsigned(found - outputs.begin())));
  }
  b.CreateBr(exit);
}

/// Replaces the blocks by a call.
void Mover::call(DebugLoc at) {
  llvm::Loop *around = env.li.getLoopFor(blocks.front());
  BasicBlock *place = BasicBlock::Create(env.f.getContext(), "memlift.call", &env.f, exit);
  if (around)
    around->addBasicBlockToLoop(place, env.li);
  blocks.front()->getSinglePredecessor()->getTerminator()->replaceSuccessorWith(blocks.front(),
                                                                                place);
  IRBuilder<> b(place);
  b.SetCurrentDebugLocation(at);
  CallInst *made = b.CreateCall(this->made, inputs.getArrayRef());
  made->setDoesNotThrow();
  bool pointsOut = any_of(outputs, [](Value *v) { return v->getType()->isPointerTy(); });
  for (unsigned k = 0; k < inputs.size(); ++k)
    if (isa<AllocaInst>(inputs[k]) && !pointsOut)
      compat::setNoCapture(*made, k);
  if (!ends) {
    goOn(b, made);
    return;
  }
  made->setTailCall(mayJump());
  exit->removePredecessor(blocks.back(), /*KeepOneInputPHIs=*/true);
  returned ? b.CreateRet(made) : b.CreateRetVoid();
}

/// Moves the blocks and the variables of theirs.
void Mover::move() {
  BasicBlock *entry = BasicBlock::Create(env.f.getContext(), "entry", made);
  for (BasicBlock *block : blocks)
    made->splice(made->end(), &env.f, block->getIterator());
  BranchInst *end = BranchInst::Create(blocks.front(), entry);
  for (AllocaInst *local : locals) {
    local->moveBefore(*entry, end->getIterator());
    local->setDebugLoc(DebugLoc());
  }
  for (BasicBlock *block : blocks)
    for (Instruction &i : *block)
      for (Use &use : i.operands()) {
        auto *found = find(inputs, use.get());
        if (found != inputs.end())
          use.set(made->getArg(unsigned(found - inputs.begin())));
      }
}

/// Gives back what comes out, and removes what belongs to the other function.
void Mover::finish() {
  Instruction *old = blocks.back()->getTerminator();
  IRBuilder<> b(old);
  b.SetCurrentDebugLocation(DebugLoc());
  Value *all = outputs.size() > 1 ? static_cast<Value *>(PoisonValue::get(result)) : returned;
  for (unsigned k = 0; k < outputs.size(); ++k)
    all = outputs.size() > 1 ? b.CreateInsertValue(all, outputs[k], k) : outputs[k];
  all ? b.CreateRet(all) : b.CreateRetVoid();
  old->eraseFromParent();
  for (BasicBlock *block : blocks) {
    dropDebugInformation(*block);
    for (Instruction &i : *block) {
      SmallVector<compat::DebugRecord *, 4> records;
      compat::findDebugValues(i, records);
      for (compat::DebugRecord *record : records)
        record->setKillLocation();
    }
  }
}

void Mover::run(const Twine &suffix, DebugLoc at) {
  collect();
  SmallVector<Type *, 16> types;
  for (Value *v : inputs)
    types.push_back(v->getType());
  made = declareBeside(env.f, FunctionType::get(result, types, /*isVarArg=*/false), suffix);
  made->addFnAttr(Attribute::NoInline);
  call(at);
  forgetLoops();
  move();
  finish();
  env.dt.recalculate(env.f);
}

} // namespace

Function *declareBeside(Function &f, FunctionType *type, const Twine &suffix) {
  Function *made = Function::Create(type, GlobalValue::InternalLinkage, f.getAddressSpace(),
                                    f.getName() + suffix, f.getParent());
  AttrBuilder attributes(f.getContext());
  for (const Attribute &a : f.getAttributes().getFnAttrs())
    if (a.isStringAttribute() ? !a.getKindAsString().starts_with("memlift")
                              : is_contained(kept, a.getKindAsEnum()))
      attributes.addAttribute(a);
  made->addFnAttrs(attributes);
  made->addFnAttr(JudgedAttribute);
  made->addFnAttr(Attribute::NoUnwind);
  if (f.hasSection())
    made->setSection(f.getSection());
  return made;
}

void dropDebugInformation(BasicBlock &block) {
  for (Instruction &i : make_early_inc_range(block)) {
    compat::dropDebugRecords(i);
    if (i.isDebugOrPseudoInst()) {
      i.eraseFromParent();
      continue;
    }
    i.setDebugLoc(DebugLoc());
    i.setMetadata(LLVMContext::MD_DIAssignID, nullptr);
    renewLoopMetadata(i);
  }
}

void moveOut(Env &env, ArrayRef<BasicBlock *> blocks, const Twine &suffix, DebugLoc at) {
  Mover(env, blocks).run(suffix, at);
}

} // namespace memlift
