// stream.cpp - cuts a nest into blocks that memlift_stream_next moves
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   preheader: begin; m0 = next(shifts)
//   block:     m = phi [m0, preheader], [m1, next]     each phi of the header has one here, too
//              q = shifts[k].delta, as a pointer
//   header:    j = phi [0, block], [j + 1, latch]
//              the body; an access of stream k through q + p, in place of p
//   latch:     br j + 1 == m, next, header             in place of the loop's own test
//   next:      m1 = next(shifts); br m1, block, done
//   done:      end; br exit
//
// The iterations of all blocks together are the loop's trip count, so its own test is not needed.
// The pointer q + p has no object that alias analysis knows: the bytes are those of the local store
// in some blocks, and of the program's array in others. Scopes tell the streams apart.
//
// A copy of the loop runs where the guard fails, and while no thread has a local store. Then the
// blocks are a function of their own, so that the copy's function saves no registers for them.
#include "write/stream.h"
#include "write/region.h"

#include "llvm/Analysis/DomTreeUpdater.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;

namespace memlift {
namespace {

class StreamWriter {
public:
  StreamWriter(Env &env, LoopBinding &binding, const Decision &decision)
      : env(env), binding(binding), plan(decision.stream), guard(decision.guard),
        loop(*binding.nest.front()), c(env.f.getContext()), word(Type::getInt64Ty(c)),
        pointer(PointerType::get(c, 0)), make(env, binding), b(c) {
    Type *half = Type::getInt32Ty(c);
    accessType = StructType::get(pointer, word, word, half, half);
    shiftType = StructType::get(word, word);
  }
  void run();

private:
  Env &env;
  LoopBinding &binding;
  const StreamPlan &plan;
  ExprId guard;
  llvm::Loop &loop;
  LLVMContext &c;
  Type *word;
  PointerType *pointer;
  Materialiser make;
  IRBuilder<> b;
  StructType *accessType, *shiftType;
  Value *state = nullptr, *accesses = nullptr, *shifts = nullptr;
  std::vector<Value *> bases, steps, sizes; // as plan.accesses
  Value *iterations = nullptr, *cycles = nullptr, *isBound = nullptr;
  BasicBlock *asking = nullptr; // ends with the test for local stores
  BasicBlock *own = nullptr;    // the first of the blocks' alone, if there is a copy
  BasicBlock *before = nullptr, *block = nullptr, *next = nullptr, *done = nullptr;
  std::vector<Value *> moved; // by stream: what is added to an address, as a pointer

  void ask();
  void compute();
  void fork(BasicBlock *from, Value *holds, BasicBlock *kept, uint32_t likely, uint32_t unlikely);
  void keepCopy();
  AllocaInst *onStack(Type *type, const char *name);
  Value *planVariable();
  CallInst *call(const char *symbol, Type *result, ArrayRef<Value *> args);
  Value *begin();
  void cut(Value *first);
  void addOuterLoop();
  void carry();
  void count(Value *first, Value *again);
  void shift();
  Value *shiftOf(size_t stream);
  void retarget(Instruction &access, Value *by, bool store);
  void tellApart();
  void moveBlocks();
};

/// Computes all that the calls and the guard need, before the loop.
void StreamWriter::compute() {
  for (const StreamAccess &a : plan.accesses) {
    uint32_t base = binding.loop.accesses[a.accesses.front()].base;
    bases.push_back(make.pointer(a.base, base));
    steps.push_back(make.integer(a.step));
    sizes.push_back(make.integer(a.bytes));
  }
  iterations = make.integer(plan.iterations);
  cycles = make.integer(plan.cycles16);
  b.SetCurrentDebugLocation(make.builder.getCurrentDebugLocation());
}

/// Asks first whether any thread has a local store: most programs have none, and then nothing else
/// is to be computed.
void StreamWriter::ask() {
  if (!plan.whereBound)
    return;
  asking = loop.getLoopPreheader();
  Type *count = Type::getInt32Ty(c);
  Constant *bound = env.f.getParent()->getOrInsertGlobal(StreamAbi::bound, count);
  b.SetInsertPoint(asking->getTerminator());
  b.SetCurrentDebugLocation(make.builder.getCurrentDebugLocation());
  LoadInst *threads = b.CreateAlignedLoad(count, bound, Align(4), "memlift.bound");
  threads->setAtomic(AtomicOrdering::Monotonic);
  isBound = b.CreateICmpNE(threads, ConstantInt::get(count, 0));
  BasicBlock *check =
      SplitBlock(asking, asking->getTerminator(), &env.dt, &env.li, nullptr, "memlift.check");
  make.builder.SetInsertPoint(check->getTerminator());
}

/// Ends a block with a test for whether to go on to the blocks or to the loop as it was.
void StreamWriter::fork(BasicBlock *from, Value *holds, BasicBlock *kept, uint32_t likely,
                        uint32_t unlikely) {
  auto *old = cast<BranchInst>(from->getTerminator());
  BasicBlock *on = old->getSuccessor(0);
  b.SetInsertPoint(old);
  b.CreateCondBr(holds, on, kept, MDBuilder(c).createBranchWeights(likely, unlikely));
  old->eraseFromParent();
}

/// Puts a copy of the loop on the other branch of the guard and of the test for local stores. Where
/// addresses overlap, the vectoriser would test for that once more. Where there is no store, the
/// copy is the loop as the compiler would have it.
void StreamWriter::keepCopy() {
  if (guard == NoExpr && !asking)
    return;
  Value *holds = guard == NoExpr ? nullptr : make.integer(guard);
  BasicBlock *check = loop.getLoopPreheader(), *exit = loop.getExitBlock();
  BasicBlock *first = asking ? asking : check;
  own = SplitBlock(check, check->getTerminator(), &env.dt, &env.li, nullptr, "memlift.blocks");
  ValueToValueMapTy map;
  SmallVector<BasicBlock *, 8> copied;
  llvm::Loop *copy =
      cloneLoopWithPreheader(own, first, &loop, map, ".memlift.kept", &env.li, &env.dt, copied);
  remapInstructionsInBlocks(copied, map);
  if (asking) // most programs have no store, and are not to lose: the rest is to be out of the way
    fork(asking, isBound, copy->getLoopPreheader(), 1, 1999);
  if (holds)
    fork(check, holds, copy->getLoopPreheader(), 9, 1);
  BasicBlock *latch = loop.getLoopLatch(), *copyLatch = copy->getLoopLatch();
  for (PHINode &phi : exit->phis()) {
    Value *v = phi.getIncomingValueForBlock(latch);
    Value *other = map.lookup(v);
    phi.addIncoming(other ? other : v, copyLatch);
  }
  env.dt.changeImmediateDominator(exit, first);
  SplitEdge(copyLatch, exit, &env.dt, &env.li, nullptr, "memlift.kept");
  for (llvm::Loop *l : copy->getLoopsInPreorder())
    plan.whereBound ? addStringMetadataToLoop(l, DoneTag, 1) : markKept(*l);
}

/// Makes a variable in the function's entry block, so that an outer loop does not make it again.
AllocaInst *StreamWriter::onStack(Type *type, const char *name) {
  BasicBlock &entry = env.f.getEntryBlock();
  IRBuilder<> first(&entry, entry.begin());
  return first.CreateAlloca(type, nullptr, name);
}

/// Makes a struct memlift_stream_plan: a constant, if it is one.
Value *StreamWriter::planVariable() {
  Type *half = Type::getInt32Ty(c);
  auto *known = dyn_cast<ConstantInt>(cycles);
  Constant *fields[] = {ConstantInt::get(half, plan.accesses.size()),
                        ConstantInt::get(half, known ? known->getZExtValue() : 0),
                        ConstantInt::get(word, plan.store)};
  if (!known) {
    StructType *type = StructType::get(half, half, word);
    Value *variable = onStack(type, "memlift.plan");
    Value *values[] = {fields[0], b.CreateTrunc(cycles, half), fields[2]};
    for (unsigned i = 0; i < 3; ++i)
      b.CreateStore(values[i], b.CreateStructGEP(type, variable, i));
    return variable;
  }
  Constant *value = ConstantStruct::getAnon(fields);
  auto *variable = new GlobalVariable(*env.f.getParent(), value->getType(), /*isConstant=*/true,
                                      GlobalValue::PrivateLinkage, value, "memlift.plan");
  variable->setUnnamedAddr(GlobalValue::UnnamedAddr::Global);
  return variable;
}

/// Calls a routine of memlift/stream.h. It may touch all memory whose address is in its arguments,
/// so nothing is said of that.
CallInst *StreamWriter::call(const char *symbol, Type *result, ArrayRef<Value *> args) {
  SmallVector<Type *, 4> types;
  for (Value *v : args)
    types.push_back(v->getType());
  FunctionCallee f = env.f.getParent()->getOrInsertFunction(
      symbol, FunctionType::get(result, types, /*isVarArg=*/false));
  CallInst *made = b.CreateCall(f, args);
  made->setDoesNotThrow();
  return made;
}

/// Emits the calls before the first block. Returns the number of its iterations.
Value *StreamWriter::begin() {
  size_t n = plan.accesses.size();
  state = onStack(ArrayType::get(word, StreamAbi::stateBytes / 8), "memlift.stream");
  accesses = onStack(ArrayType::get(accessType, n), "memlift.accesses");
  shifts = onStack(ArrayType::get(shiftType, n), "memlift.shifts");
  b.SetInsertPoint(loop.getLoopPreheader()->getTerminator());
  Type *half = Type::getInt32Ty(c);
  for (size_t k = 0; k < n; ++k) {
    Value *at = b.CreateConstInBoundsGEP1_64(accessType, accesses, k);
    Value *fields[] = {bases[k], steps[k], sizes[k], ConstantInt::get(half, plan.accesses[k].how),
                       ConstantInt::get(half, 0)};
    for (unsigned i = 0; i < 5; ++i)
      b.CreateStore(fields[i], b.CreateStructGEP(accessType, at, i));
  }
  call(StreamAbi::begin, Type::getVoidTy(c), {state, planVariable(), accesses, iterations});
  return call(StreamAbi::next, word, {state, shifts});
}

/// Makes the loop around the loop known.
void StreamWriter::addOuterLoop() {
  llvm::Loop *parent = loop.getParentLoop(), *outer = env.li.AllocateLoop();
  if (parent)
    parent->replaceChildLoopWith(&loop, outer);
  else
    env.li.changeTopLevelLoop(&loop, outer);
  outer->addChildLoop(&loop);
  for (BasicBlock *own : {block, next}) {
    env.li.changeLoopFor(own, outer);
    outer->addBlockEntry(own);
    for (BasicBlock *inner : loop.blocks())
      if (own == block)
        outer->addBlockEntry(inner);
  }
}

/// Gives every phi of the header one in the block's header, so that values go on from block to
/// block.
void StreamWriter::carry() {
  BasicBlock *latch = loop.getLoopLatch();
  for (PHINode &phi : loop.getHeader()->phis()) {
    PHINode *outer = PHINode::Create(phi.getType(), 2, phi.getName() + ".block");
    outer->insertBefore(block->begin());
    outer->setDebugLoc(phi.getDebugLoc());
    outer->addIncoming(phi.getIncomingValueForBlock(block), before);
    outer->addIncoming(phi.getIncomingValueForBlock(latch), next);
    phi.setIncomingValueForBlock(block, outer);
  }
}

/// Replaces the loop's test by one of the block's iterations.
void StreamWriter::count(Value *first, Value *again) {
  BasicBlock *latch = loop.getLoopLatch(), *header = loop.getHeader();
  PHINode *m = PHINode::Create(word, 2, "memlift.iterations");
  m->insertBefore(block->begin());
  m->addIncoming(first, before);
  m->addIncoming(again, next);
  PHINode *j = PHINode::Create(word, 2, "memlift.iteration");
  j->insertBefore(header->begin());
  auto *old = cast<BranchInst>(latch->getTerminator());
  b.SetInsertPoint(old);
  Value *one = b.CreateNUWAdd(j, ConstantInt::get(word, 1));
  j->addIncoming(ConstantInt::get(word, 0), block);
  j->addIncoming(one, latch);
  BranchInst *test = b.CreateCondBr(b.CreateICmpEQ(one, m), next, header);
  test->setMetadata(LLVMContext::MD_loop, old->getMetadata(LLVMContext::MD_loop));
  test->setDebugLoc(old->getDebugLoc());
  Value *condition = old->getCondition();
  old->eraseFromParent();
  RecursivelyDeleteTriviallyDeadInstructions(condition);
}

/// Builds the loop around the loop.
void StreamWriter::cut(Value *first) {
  before = loop.getLoopPreheader();
  block = SplitBlock(before, before->getTerminator(), &env.dt, &env.li, nullptr, "memlift.block");
  next = SplitEdge(loop.getLoopLatch(), loop.getExitBlock(), &env.dt, &env.li, nullptr,
                   "memlift.next");
  done = SplitBlock(next, next->getTerminator(), &env.dt, &env.li, nullptr, "memlift.done");
  b.SetInsertPoint(done->getTerminator());
  call(StreamAbi::end, Type::getVoidTy(c), {state});
  Instruction *old = next->getTerminator();
  b.SetInsertPoint(old);
  Value *again = call(StreamAbi::next, word, {state, shifts});
  carry();
  b.CreateCondBr(b.CreateICmpNE(again, ConstantInt::get(word, 0)), block, done);
  old->eraseFromParent();
  env.dt.applyUpdates({{DominatorTree::Insert, next, block}});
  addOuterLoop();
  count(first, again);
}

/// Returns what is added to addresses of a stream: constant in a block, or one more slope in each
/// iteration.
Value *StreamWriter::shiftOf(size_t stream) {
  b.SetInsertPoint(block->getTerminator());
  Value *at = b.CreateConstInBoundsGEP1_64(shiftType, shifts, stream);
  Value *delta = b.CreateLoad(word, b.CreateStructGEP(shiftType, at, 0));
  if (!(plan.accesses[stream].how & StreamAccess::Rows))
    return b.CreateIntToPtr(delta, pointer);
  Value *slope = b.CreateLoad(word, b.CreateStructGEP(shiftType, at, 1));
  BasicBlock *header = loop.getHeader(), *latch = loop.getLoopLatch();
  PHINode *by = PHINode::Create(word, 2, "memlift.shift");
  by->insertBefore(header->begin());
  b.SetInsertPoint(latch->getTerminator());
  by->addIncoming(delta, block);
  by->addIncoming(b.CreateAdd(by, slope), latch);
  b.SetInsertPoint(header, header->getFirstInsertionPt());
  return b.CreateIntToPtr(by, pointer);
}

/// Replaces the address that an access uses.
void StreamWriter::retarget(Instruction &access, Value *by, bool store) {
  unsigned operand = isa<StoreInst>(access)  ? StoreInst::getPointerOperandIndex()
                     : isa<LoadInst>(access) ? LoadInst::getPointerOperandIndex()
                     : store                 ? 0
                                             : 1; // of a memory transfer
  b.SetInsertPoint(&access);
  b.SetCurrentDebugLocation(access.getDebugLoc());
  Value *there = b.CreatePtrToInt(access.getOperand(operand), word);
  access.setOperand(operand, b.CreateGEP(b.getInt8Ty(), by, there, "memlift.at"));
}

void StreamWriter::shift() {
  for (size_t k = 0; k < plan.accesses.size(); ++k) {
    Value *by = shiftOf(k);
    for (uint32_t index : plan.accesses[k].accesses)
      retarget(*binding.accesses[index], by, binding.loop.accesses[index].store);
  }
}

/// Gives each stream a scope, and one to the accesses that are not moved.
void StreamWriter::tellApart() {
  MDBuilder md(c);
  MDNode *domain = md.createAnonymousAliasScopeDomain("memlift.streams");
  size_t n = plan.accesses.size();
  std::vector<size_t> streamOf(binding.accesses.size(), n);
  for (size_t k = 0; k < n; ++k)
    for (uint32_t index : plan.accesses[k].accesses)
      streamOf[index] = k;
  std::vector<Metadata *> scopes;
  for (size_t k = 0; k <= n; ++k)
    scopes.push_back(md.createAnonymousAliasScope(domain));
  for (size_t i = 0; i < binding.accesses.size(); ++i) {
    Instruction &access = *binding.accesses[i];
    if (!isa<LoadInst>(access) && !isa<StoreInst>(access))
      continue;
    std::vector<Metadata *> others;
    for (size_t k = 0; k <= n; ++k)
      if (k != streamOf[i])
        others.push_back(scopes[k]);
    auto add = [&](unsigned kind, ArrayRef<Metadata *> list) {
      access.setMetadata(kind, MDNode::concatenate(access.getMetadata(kind), MDNode::get(c, list)));
    };
    add(LLVMContext::MD_alias_scope, {scopes[streamOf[i]]});
    add(LLVMContext::MD_noalias, others);
  }
}

void StreamWriter::moveBlocks() {
  SmallVector<BasicBlock *, 16> all{own, block};
  all.append(loop.block_begin(), loop.block_end());
  all.append({next, done});
  moveOut(env, all, ".stream", b.getCurrentDebugLocation());
}

/// The function's own facts about memory no longer hold: the runtime has a state and may wait.
void StreamWriter::run() {
  ask();
  compute();
  keepCopy();
  Value *first = begin();
  cut(first);
  shift();
  tellApart();
  for (llvm::Loop *l : binding.nest)
    addStringMetadataToLoop(l, DoneTag, 1);
  env.f.setMemoryEffects(MemoryEffects::unknown());
  env.f.removeFnAttr(Attribute::NoSync);
  env.se.forgetAllLoops();
  llvm::Loop *around = loop.getParentLoop();
  if (asking) {
    around = around->getParentLoop();
    moveBlocks();
  }
  if (around)
    formLCSSARecursively(*around, env.dt, &env.li, &env.se);
}

} // namespace

bool isResumable(const llvm::Loop &loop) {
  const BasicBlock *latch = loop.getLoopLatch();
  const auto *test = latch ? dyn_cast<BranchInst>(latch->getTerminator()) : nullptr;
  return test && test->isConditional() && loop.getExitingBlock() == latch && loop.getExitBlock() &&
         loop.isLoopSimplifyForm() && loop.isSafeToClone();
}

void streamLoop(Env &env, LoopBinding &binding, const Decision &decision) {
  StreamWriter(env, binding, decision).run();
}

} // namespace memlift
