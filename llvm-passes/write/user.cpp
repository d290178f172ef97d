// user.cpp - accesses that may fault, and where a fault leads
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   body:    ...; callbr access, next, landing       each access ends a block
//   next:    ...
//   landing: br fixup                                one for each loop
//   fixup:   p = phi [where stores had come to, landing]...
//   byte:    q = phi [p, fixup], [q + 1, again]
//            callbr load, stored, out; callbr store, again, out
//   again:   br q + 1 == end, out, byte
//   out:     ret end - (q, or end)
//
// The fixup returns from the function instead of going on after the loops: values that are computed
// between them are not known there. Asm statements that come before every return, which forbid
// accesses to a program's memory again, are repeated in `out`.
//
// callbr with side effects is what clang makes of asm goto volatile. No pass moves, duplicates or
// merges it but with its whole block, so the order of accesses is the order of the decision.
#include "write/user.h"

#include "compat.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

#include <map>
#include <utility>

using namespace llvm;

namespace memlift {

constexpr char EntrySection[] = "__ex_table";
constexpr char MisplacedAttribute[] = "memlift-user-misplaced";

const UserTarget *userTargetOf(const Function &f) {
  Triple::ArchType arch = compat::tripleOf(*f.getParent()).getArch();
  return userTargetOf(Triple::getArchTypeName(arch).str());
}

UserAccesses::UserAccesses(Env &env, Materialiser &make, const UserFixup &fixup)
    : env(env), make(make), target(userTargetOf(env.f)), end(make.integer(fixup.end)) {
  assert(target && "not a target of the decision");
  if (fixup.apart != NoExpr)
    apart = make.integer(fixup.apart);
  else
    value = make.integer(fixup.value);
}

/// Emits an access without its edge for faults. It is replaced before the function is complete.
CallInst *UserAccesses::emit(IRBuilder<> &b, bool isStore, unsigned bytes, uint64_t offset,
                             ArrayRef<Value *> args, Type *result) {
  SmallVector<Type *, 2> types;
  for (Value *v : args)
    types.push_back(v->getType());
  std::string text = userAccess(*target, isStore, bytes, int64_t(offset),
                                {"${", ":", "}", /*modifierFirst=*/false, "${2:l}"});
  FunctionType *type = FunctionType::get(result, types, false);
  auto *code = InlineAsm::get(type, text, isStore ? "r,r,~{memory}" : "=r,r,~{memory}",
                              /*hasSideEffects=*/true);
  CallInst *call = b.CreateCall(type, code, args);
  call->setDoesNotThrow();
  accesses.push_back({call, reached});
  return call;
}

Value *UserAccesses::load(IRBuilder<> &b, Value *from, uint64_t offset, unsigned bytes) {
  Value *loaded = emit(b, false, bytes, offset, {from}, b.getInt64Ty());
  return b.CreateTrunc(loaded, b.getIntNTy(8 * bytes));
}

void UserAccesses::store(IRBuilder<> &b, Value *to, uint64_t offset, Value *stored) {
  unsigned bytes = stored->getType()->getIntegerBitWidth() / 8;
  // The instruction ignores the other bits of a register, so those of a load need not be cleared.
  auto *loaded = dyn_cast<TruncInst>(stored);
  Value *whole = loaded ? loaded->getOperand(0) : stored;
  emit(b, true, bytes, offset, {b.CreateZExtOrTrunc(whole, b.getInt64Ty()), to}, b.getVoidTy());
}

/// Ends the block with the access, and returns the block after it.
BasicBlock *UserAccesses::divide(CallInst *call, BasicBlock *fault) {
  BasicBlock *block = call->getParent();
  BasicBlock *next = SplitBlock(block, call->getNextNode(), &env.dt, &env.li);
  auto *code = cast<InlineAsm>(call->getCalledOperand());
  InlineAsm *jumping = InlineAsm::get(
      call->getFunctionType(), code->getAsmString(),
      StringRef(code->getConstraintString()).split(",~").first.str() + ",!i,~{memory}", true);
  SmallVector<Value *, 2> args(call->args());
  Instruction *old = block->getTerminator();
  CallBrInst *jump = CallBrInst::Create(call->getFunctionType(), jumping, next, {fault}, args, "");
  jump->insertInto(block, old->getIterator());
  jump->setDoesNotThrow();
  jump->setDebugLoc(call->getDebugLoc());
  call->replaceAllUsesWith(jump);
  old->eraseFromParent();
  call->eraseFromParent();
  return next;
}

/// Gives the accesses of the loops their edges. Returns the block where the landings meet, with the
/// address that stores had come to.
BasicBlock *UserAccesses::land(PHINode *&reached) {
  LLVMContext &c = env.f.getContext();
  BasicBlock *fixup = BasicBlock::Create(c, "memlift.fixup", &env.f);
  reached = PHINode::Create(PointerType::get(c, 0), 4, "", fixup);
  std::map<Value *, BasicBlock *> landings;
  for (const Access &a : std::exchange(accesses, {})) {
    BasicBlock *&landing = landings[a.reached];
    if (!landing) {
      landing = BasicBlock::Create(c, "memlift.landing", &env.f, fixup);
      BranchInst::Create(fixup, landing)->setDebugLoc(make.builder.getCurrentDebugLocation());
      reached->addIncoming(a.reached, landing);
    }
    divide(a.call, landing);
  }
  return fixup;
}

/// Returns whether a call is an asm statement of the source that only switches something: no
/// outputs, no operand in memory and none that is an address.
static bool switches(const Instruction &i) {
  auto *call = dyn_cast<CallInst>(&i);
  auto *code = call ? dyn_cast<InlineAsm>(call->getCalledOperand()) : nullptr;
  return code && call->getType()->isVoidTy() &&
         !StringRef(code->getConstraintString()).contains('*') &&
         llvm::none_of(call->args(),
                       [](const Use &v) { return v->getType()->isPtrOrPtrVectorTy(); });
}

/// Returns the asm statements in the straight line of code that ends with the function's only
/// return, in order.
static std::vector<CallInst *> switchesAtEnd(Function &f) {
  std::vector<CallInst *> found;
  ReturnInst *end = nullptr;
  for (BasicBlock &block : f)
    if (auto *i = dyn_cast<ReturnInst>(block.getTerminator())) {
      if (end)
        return {};
      end = i;
    }
  for (BasicBlock *block = end ? end->getParent() : nullptr; block;
       block = block->getUniquePredecessor()) {
    if (end->getParent() != block && !block->getUniqueSuccessor())
      break;
    for (Instruction &i : llvm::reverse(*block))
      if (switches(i))
        found.push_back(cast<CallInst>(&i));
  }
  return {found.rbegin(), found.rend()};
}

/// Returns whether all asm statements are those at the end or in the straight line at the start
/// of the function.
static bool allAtEnds(Function &f, const std::vector<CallInst *> &atEnd) {
  SmallPtrSet<Instruction *, 4> known(atEnd.begin(), atEnd.end());
  for (BasicBlock *block = &f.getEntryBlock(); block; block = block->getUniqueSuccessor()) {
    if (block != &f.getEntryBlock() && !block->getUniquePredecessor())
      break;
    for (Instruction &i : *block)
      if (switches(i))
        known.insert(&i);
  }
  return llvm::all_of(instructions(f),
                      [&](Instruction &i) { return !switches(i) || known.contains(&i); });
}

/// Repeats the statements at the end of the function, whose operands are constants or arguments.
void UserAccesses::repeatSwitches(IRBuilder<> &b) {
  bool good = allAtEnds(env.f, atEnd);
  for (CallInst *call : atEnd) {
    good &= llvm::all_of(call->args(),
                         [](const Use &v) { return isa<Constant>(v) || isa<Argument>(v); });
    Instruction *again = call->clone();
    b.Insert(again);
  }
  if (!good)
    env.f.addFnAttr(MisplacedAttribute);
}

/// Returns from the function with the number of bytes from `left` to the end.
void UserAccesses::leave(IRBuilder<> &b, Value *left) {
  repeatSwitches(b);
  Value *bytes = b.CreateSub(end, b.CreatePtrToInt(left, end->getType()));
  Type *type = env.f.getReturnType(); // void where no caller uses the result
  type->isVoidTy() ? b.CreateRetVoid() : b.CreateRet(b.CreateZExtOrTrunc(bytes, type));
}

void UserAccesses::cover() {
  LLVMContext &c = env.f.getContext();
  atEnd = switchesAtEnd(env.f);
  PHINode *at;
  BasicBlock *fixup = land(at);
  BasicBlock *byte = BasicBlock::Create(c, "memlift.byte", &env.f);
  BasicBlock *out = BasicBlock::Create(c, "memlift.out", &env.f);
  IRBuilder<> b(fixup);
  b.SetCurrentDebugLocation(make.builder.getCurrentDebugLocation());
  b.CreateBr(byte);

  b.SetInsertPoint(byte);
  PHINode *to = b.CreatePHI(at->getType(), 2);
  store(b, to, 0, apart ? load(b, b.CreateGEP(b.getInt8Ty(), to, apart), 0, 1) : value);
  Value *next = b.CreateGEP(b.getInt8Ty(), to, b.getInt64(1));
  b.CreateCondBr(b.CreateICmpEQ(b.CreatePtrToInt(next, end->getType()), end), out, byte);
  b.SetInsertPoint(out);
  PHINode *left = b.CreatePHI(at->getType(), 3);
  leave(b, left);

  std::vector<BasicBlock *> body = {byte};
  for (const Access &a : std::exchange(accesses, {})) {
    body.push_back(divide(a.call, out));
    left->addIncoming(to, body[body.size() - 2]);
  }
  left->addIncoming(next, body.back());
  to->addIncoming(at, fixup);
  to->addIncoming(next, body.back());
  llvm::Loop *loop = env.li.AllocateLoop();
  env.li.addTopLevelLoop(loop);
  for (BasicBlock *part : body)
    loop->addBasicBlockToLoop(part, env.li);
  addStringMetadataToLoop(loop, DoneTag, 1);
  env.dt.recalculate(env.f);
  env.se.forgetAllLoops();
}

/// Returns whether an instruction cannot fault, or has an entry of its own.
static bool isSafe(const Instruction &i) {
  if (!i.mayReadOrWriteMemory() || i.isDebugOrPseudoInst() || i.isLifetimeStartOrEnd())
    return true;
  if (const Value *p = getLoadStorePointerOperand(&i))
    return isa<AllocaInst>(getUnderlyingObject(p));
  auto *call = dyn_cast<CallBase>(&i);
  if (auto *intrinsic = dyn_cast<IntrinsicInst>(&i))
    return intrinsic->isAssumeLikeIntrinsic();
  auto *code = call ? dyn_cast<InlineAsm>(call->getCalledOperand()) : nullptr;
  return code && (StringRef(code->getAsmString()).contains(EntrySection) || switches(i));
}

std::string uncoveredMessage(const Function &f, const std::string &reason) {
  return "'" + f.getName().str() +
         "' is memlift(\"user\"), but an access may fault without an entry: " + reason;
}

std::string uncovered(const Function &f) {
  if (f.hasFnAttribute(MisplacedAttribute))
    return "an asm statement neither at its beginning nor before its only return";
  for (const Instruction &i : instructions(f))
    if (!isSafe(i)) {
      const DebugLoc &where = i.getDebugLoc();
      std::string what = isa<CallBase>(i) ? "a call" : i.mayWriteToMemory() ? "a store" : "a load";
      return where ? what + " at line " + std::to_string(where.getLine()) : what;
    }
  return "";
}

} // namespace memlift
