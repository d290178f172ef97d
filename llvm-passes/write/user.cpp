// user.cpp - accesses that may fault, and where a fault leads
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   body:    ...; callbr access, next, landing       each access ends a block
//   next:    ...
//   landing: br fixup                                one for each loop over words
//   fixup:   p = phi [where stores had come to, landing]...
//   resume:  q = phi [to, before], [p, fixup]        then the last loop, which goes by bytes
//   out:     ret end - (where a loop over bytes had come to)
//
// Values that `resume` uses are computed before the first loop. Asm statements that come before
// every return, which forbid accesses to a program's memory again, are repeated in `out`.
//
// callbr with side effects is what clang makes of asm goto volatile. No pass moves, duplicates or
// merges it but with its whole block, so the order of accesses is the order of the decision.
#include "write/user.h"

#include "compat.h"
#include "write/opaque.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

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
    : env(env), make(make), target(userTargetOf(env.f)), fixup(fixup),
      end(launder(make.builder, make.integer(fixup.end))) {
  assert(target && "not a target of the decision");
  make.set(fixup.end, end);
  Value *value = fixup.value == NoExpr ? nullptr : make.integer(fixup.value);
  if (value && isa<Constant>(value)) // once, not beside each store
    constant = launder(make.builder, make.builder.CreateZExt(value, make.builder.getInt64Ty()));
}

void UserAccesses::beforeWords() {
  if (!apart && fixup.apart != NoExpr)
    apart = make.integer(fixup.apart);
}

/// The pointers themselves take the place of addresses that would be computed again, and need the
/// arguments.
void UserAccesses::came(ExprId end, Value *to, Value *from) {
  IRBuilder<> &b = make.builder;
  Value *address = b.CreatePtrToInt(to, b.getInt64Ty());
  make.set(end, address);
  if (!from || fixup.apart == NoExpr)
    return;
  Value *source = b.CreatePtrToInt(from, b.getInt64Ty());
  make.set(make.graph().binary(Op::Add, end, fixup.apart), source);
  if (!apart) {
    apart = b.CreateSub(source, address);
    make.set(fixup.apart, apart);
  }
}

Value *UserAccesses::filled(IRBuilder<> &b, unsigned bits) {
  return constant ? b.CreateTrunc(constant, b.getIntNTy(bits)) : nullptr;
}

void UserAccesses::resume(Instruction *at, Value *&to, Value *&from) {
  BasicBlock *before = at->getParent();
  BasicBlock *block = SplitBlock(before, at, &env.dt, &env.li, nullptr, "memlift.resume");
  auto merged = [&](Value *v) {
    PHINode *phi = PHINode::Create(v->getType(), 2, "", block->begin());
    phi->addIncoming(v, before);
    return phi;
  };
  to = resumedTo = merged(to);
  if (from)
    from = resumedFrom = merged(from);
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
  accesses.push_back({call, reached, single});
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

/// Gives the accesses of the loops their edges: to `out`, where `left` is the address that a loop
/// over bytes had come to, or to where the last loop begins.
void UserAccesses::land(BasicBlock *out, PHINode *left) {
  LLVMContext &c = env.f.getContext();
  BasicBlock *fixup = BasicBlock::Create(c, "memlift.fixup", &env.f, out);
  IRBuilder<> b(fixup);
  b.SetCurrentDebugLocation(make.builder.getCurrentDebugLocation());
  PHINode *at = b.CreatePHI(left->getType(), 4);
  std::map<Value *, BasicBlock *> landings;
  for (const Access &a : std::exchange(accesses, {})) {
    if (a.exact) {
      left->addIncoming(a.reached, a.call->getParent());
      divide(a.call, out);
      continue;
    }
    BasicBlock *&landing = landings[a.reached];
    if (!landing) {
      landing = BasicBlock::Create(c, "memlift.landing", &env.f, fixup);
      BranchInst::Create(fixup, landing)->setDebugLoc(make.builder.getCurrentDebugLocation());
      at->addIncoming(a.reached, landing);
    }
    divide(a.call, landing);
  }
  if (landings.empty()) {
    fixup->eraseFromParent();
    return;
  }
  resumedTo->addIncoming(at, fixup);
  if (resumedFrom)
    resumedFrom->addIncoming(b.CreateGEP(b.getInt8Ty(), at, apart), fixup);
  b.CreateBr(resumedTo->getParent());
  if (llvm::Loop *around = env.li.getLoopFor(resumedTo->getParent())) {
    around->addBasicBlockToLoop(fixup, env.li);
    for (auto &[address, landing] : landings)
      around->addBasicBlockToLoop(landing, env.li);
  }
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
  atEnd = switchesAtEnd(env.f);
  BasicBlock *out = BasicBlock::Create(env.f.getContext(), "memlift.out", &env.f);
  IRBuilder<> b(out);
  b.SetCurrentDebugLocation(make.builder.getCurrentDebugLocation());
  PHINode *left = b.CreatePHI(PointerType::get(env.f.getContext(), 0), 4);
  land(out, left);
  leave(b, left);
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
