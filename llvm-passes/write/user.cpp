// user.cpp - accesses that may fault, and where a fault leads
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   body:    ...; callbr access, next, landing       each access ends a block
//   next:    ...
//   landing: br fixup                                one for each loop over words
//   fixup:   p = phi [where stores had come to, landing]...
//   resume:  q = phi [to, before], [p, fixup]        then the last loop, which goes by bytes
//   out:     q = phi [to, after], [where a loop over bytes had come to, its access]...
//            br the code after the source's loop, which returns end - q in place of 0
//
// Values that `resume` uses are computed before the first loop. If the source does more after its
// loop than asm statements that forbid accesses to a program's memory again, `out` is for faults
// alone: it repeats these, and returns.
//
// Accesses side by side are one statement: each that loads needs a block of its own after a fault,
// which is a jump.
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
      begin(make.builder.GetInsertBlock()), end(launder(make.builder, make.integer(fixup.end))) {
  assert((target || !fixup.faults) && "not a target of the decision");
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

/// Makes a phi at the beginning of a block. LLVM 18 cannot create it at an iterator.
static PHINode *phiAt(BasicBlock *block, Type *type, unsigned incoming) {
  PHINode *phi = PHINode::Create(type, incoming);
  phi->insertInto(block, block->begin());
  return phi;
}

void UserAccesses::resume(Instruction *at, Value *&to, Value *&from) {
  BasicBlock *before = at->getParent();
  BasicBlock *block = SplitBlock(before, at, &env.dt, &env.li, nullptr, "memlift.resume");
  auto merged = [&](Value *v) {
    PHINode *phi = phiAt(block, v->getType(), 2);
    phi->addIncoming(v, before);
    return phi;
  };
  to = resumedTo = merged(to);
  if (from)
    from = resumedFrom = merged(from);
}

/// Emits accesses without their edge for faults. They are replaced before the function is complete.
CallInst *UserAccesses::emit(const std::string &text, size_t results, ArrayRef<Value *> args) {
  IRBuilder<> &b = make.builder;
  SmallVector<Type *, 8> types, given(results, b.getInt64Ty());
  std::string constraints;
  for (size_t i = 0; i < results; ++i) // a later load still needs the address
    constraints += results > 1 ? "=&r," : "=r,";
  for (Value *v : args) {
    types.push_back(v->getType());
    constraints += "r,";
  }
  Type *result = !results       ? b.getVoidTy()
                 : results == 1 ? given[0]
                                : StructType::get(b.getContext(), given);
  FunctionType *type = FunctionType::get(result, types, false);
  auto *code = InlineAsm::get(type, text, constraints + "~{memory}", /*hasSideEffects=*/true);
  CallInst *call = b.CreateCall(type, code, args);
  call->setDoesNotThrow();
  accesses.push_back({call, reached, single});
  return call;
}

/// Returns how operands are written: that of the value, that of the address, and the label.
static UserOperands operandsOf(size_t value, size_t address, size_t label) {
  return {"${",
          ":",
          "}",
          /*modifierFirst=*/false,
          "${" + std::to_string(label) + ":l}",
          unsigned(value),
          unsigned(address)};
}

/// Loads so many bytes at each offset, by one statement.
void UserAccesses::loadSome(Value *from, ArrayRef<uint64_t> offsets, unsigned bytes,
                            std::vector<Value *> &loaded) {
  IRBuilder<> &b = make.builder;
  size_t count = offsets.size();
  std::string text;
  for (size_t i = 0; i < count; ++i)
    text += (i ? "\n" : "") +
            userAccess(*target, false, bytes, int64_t(offsets[i]), operandsOf(i, count, count + 1));
  Value *all = emit(text, count, {from});
  for (size_t i = 0; i < count; ++i) {
    Value *one = count > 1 ? b.CreateExtractValue(all, unsigned(i)) : all;
    loaded.push_back(b.CreateTrunc(one, b.getIntNTy(8 * bytes)));
  }
}

/// Stores values of one width, by one statement.
void UserAccesses::storeSome(Value *to, ArrayRef<uint64_t> offsets, ArrayRef<Value *> values) {
  IRBuilder<> &b = make.builder;
  unsigned bytes = values[0]->getType()->getIntegerBitWidth() / 8;
  SmallVector<Value *, 9> args;
  SmallVector<size_t, 8> numbers; // of operands; a fill has one
  for (Value *stored : values) {
    // The instruction ignores the other bits of a register, so those of a load need not be cleared.
    auto *loaded = dyn_cast<TruncInst>(stored);
    Value *whole = b.CreateZExtOrTrunc(loaded ? loaded->getOperand(0) : stored, b.getInt64Ty());
    numbers.push_back(size_t(llvm::find(args, whole) - args.begin()));
    if (numbers.back() == args.size())
      args.push_back(whole);
  }
  size_t address = args.size();
  std::string text;
  for (size_t i = 0; i < values.size(); ++i)
    text += (i ? "\n" : "") + userAccess(*target, true, bytes, int64_t(offsets[i]),
                                         operandsOf(numbers[i], address, address + 1));
  args.push_back(to);
  emit(text, 0, args);
}

constexpr size_t MostAtOnce = 8; // accesses of a statement

void UserAccesses::load(const InlineLoop &l, size_t end,
                        function_ref<Value *(const InlineLoad &)> from, uint64_t ahead,
                        std::vector<Value *> &loaded) {
  while (loaded.size() < end) {
    const InlineLoad &first = l.loads[loaded.size()];
    SmallVector<uint64_t, 8> offsets;
    for (size_t i = loaded.size(); i < end && offsets.size() < MostAtOnce; ++i) {
      if (l.loads[i].from != first.from || l.loads[i].bytes != first.bytes)
        break;
      offsets.push_back(l.loads[i].offset - ahead);
    }
    loadSome(from(first), offsets, first.bytes, loaded);
  }
}

void UserAccesses::store(const InlineLoop &l, size_t at, size_t end, Value *to, uint64_t ahead) {
  while (at < end) {
    SmallVector<uint64_t, 8> offsets;
    SmallVector<Value *, 8> values;
    for (unsigned bytes = l.stores[at].bytes;
         at < end && l.stores[at].bytes == bytes && values.size() < MostAtOnce; ++at) {
      offsets.push_back(l.stores[at].offset - ahead);
      values.push_back(make.integer(l.stores[at].value));
    }
    storeSome(to, offsets, values);
  }
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

/// Returns whether the operands of a statement are known before the first loop.
static bool isKnownAt(const BasicBlock *begin, const CallInst &call, const DominatorTree &dt) {
  return llvm::all_of(call.args(), [&](const Use &v) {
    auto *computed = dyn_cast<Instruction>(v);
    return isa<Constant>(v) || isa<Argument>(v) ||
           (computed && !isa<PHINode>(v) && dt.dominates(computed->getParent(), begin));
  });
}

/// Repeats the statements at the end of the function.
void UserAccesses::repeatSwitches(IRBuilder<> &b) {
  bool good = allAtEnds(env.f, atEnd);
  for (CallInst *call : atEnd) {
    good &= isKnownAt(begin, *call, env.dt);
    Instruction *again = call->clone();
    b.Insert(again);
  }
  if (!good)
    env.f.addFnAttr(MisplacedAttribute);
}

/// Returns the number of bytes from `left` to the end.
Value *UserAccesses::leftFrom(IRBuilder<> &b, Value *left) {
  return b.CreateSub(end, b.CreatePtrToInt(left, end->getType()));
}

/// Returns from the function with the number of bytes from `left` to the end.
void UserAccesses::leave(IRBuilder<> &b, Value *left) {
  repeatSwitches(b);
  Type *type = env.f.getReturnType(); // void where no caller uses the result
  type->isVoidTy() ? b.CreateRetVoid() : b.CreateRet(b.CreateZExtOrTrunc(leftFrom(b, left), type));
}

/// Returns whether a value is 0, which may be laundered.
static bool isZero(const Value *v) {
  auto *call = dyn_cast<CallInst>(v);
  if (call && call->isInlineAsm() && call->arg_size() == 1 && !call->mayReadOrWriteMemory())
    v = call->getArgOperand(0);
  auto *number = dyn_cast<ConstantInt>(v);
  return number && number->isZero();
}

/// Returns the blocks from `block` to a return of 0 if nothing is done there but to switch
/// something; else none.
static SmallVector<BasicBlock *, 4> straightToZero(BasicBlock *block, BasicBlock *begin,
                                                   const DominatorTree &dt) {
  SmallVector<BasicBlock *, 4> path;
  for (; block && !is_contained(path, block); block = block->getUniqueSuccessor()) {
    path.push_back(block);
    for (Instruction &i : *block)
      if (i.isTerminator() || isa<PHINode>(i) || i.isDebugOrPseudoInst())
        continue;
      else if (switches(i) ? !isKnownAt(begin, cast<CallInst>(i), dt)
                           : i.mayReadOrWriteMemory() || i.mayThrow())
        return {};
    if (auto *end = dyn_cast<ReturnInst>(block->getTerminator()))
      return end->getReturnValue() && isZero(end->getReturnValue())
                 ? path
                 : SmallVector<BasicBlock *, 4>();
  }
  return {};
}

/// Drops the source's test for no bytes, if both ways do the same then: `after` are the blocks
/// after its loop.
void UserAccesses::enterAlways(ArrayRef<BasicBlock *> after) {
  // Nothing may be done between the test and the loops.
  auto acts = [](const Instruction &i) {
    return i.mayReadOrWriteMemory() && !i.isDebugOrPseudoInst();
  };
  BasicBlock *to = begin, *from;
  while ((from = to->getUniquePredecessor()) && from->getUniqueSuccessor() &&
         llvm::none_of(*to, acts))
    to = from;
  if (llvm::any_of(*to, acts))
    return;
  auto *branch = from ? dyn_cast<BranchInst>(from->getTerminator()) : nullptr;
  auto *test = branch ? dyn_cast<ICmpInst>(branch->getCondition()) : nullptr;
  if (!test || !test->isEquality() || test->getOperand(0) != make.integer(fixup.bytes) ||
      !isZero(test->getOperand(1)))
    return;
  bool some = test->getPredicate() == ICmpInst::ICMP_NE; // the first successor is for some bytes
  BasicBlock *other = branch->getSuccessor(some ? 1 : 0);
  if (branch->getSuccessor(some ? 0 : 1) != to)
    return;
  for (BasicBlock *block : after) {
    if (block == other) {
      branch->setCondition(ConstantInt::getBool(env.f.getContext(), some));
      return;
    }
    if (llvm::any_of(*block, switches))
      return;
  }
}

/// Leaves the function as the source does after its loop, but with the number of bytes in place of
/// 0. Returns false if the source does anything else there.
bool UserAccesses::leaveAsSource(Value *to, BasicBlock *exit) {
  SmallVector<BasicBlock *, 4> path;
  if (to && exit)
    path = straightToZero(exit, begin, env.dt);
  if (path.empty())
    return false;
  Instruction *at = &*make.builder.GetInsertPoint();
  BasicBlock *before = at->getParent();
  BasicBlock *out = SplitBlock(before, at, &env.dt, &env.li, nullptr, "memlift.out");
  PHINode *left = phiAt(out, to->getType(), 4);
  left->addIncoming(to, before);
  make.builder.SetInsertPoint(at);
  Value *now = leftFrom(make.builder, left), *zero = ConstantInt::get(end->getType(), 0);
  for (size_t i = 0; i < path.size(); ++i) {
    if (i && path[i]->getUniquePredecessor())
      continue;
    PHINode *merged = phiAt(path[i], end->getType(), 2);
    for (BasicBlock *pred : predecessors(path[i]))
      merged->addIncoming(!i || pred == path[i - 1] ? now : zero, pred);
    now = merged;
  }
  path.back()->getTerminator()->setOperand(0, now);
  enterAlways(path);
  land(out, left);
  return true;
}

void UserAccesses::cover(Value *to, BasicBlock *exit) {
  if (!leaveAsSource(to, exit)) {
    atEnd = switchesAtEnd(env.f);
    BasicBlock *out = BasicBlock::Create(env.f.getContext(), "memlift.out", &env.f);
    IRBuilder<> b(out);
    b.SetCurrentDebugLocation(make.builder.getCurrentDebugLocation());
    PHINode *left = b.CreatePHI(PointerType::get(env.f.getContext(), 0), 4);
    land(out, left);
    leave(b, left);
  }
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
