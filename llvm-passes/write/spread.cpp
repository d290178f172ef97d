// spread.cpp - makes a function of a nest's iterations, which memlift_spread calls
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   asking:  br memlift_spread_units != 0, check, kept
//   check:   the guard, and all that run needs; br guard, run, kept
//   run:     the environment: a structure of the values that the loop uses
//            memlift_spread(plan, body, environment, iterations, values); br exit
//   kept:    the loop as it was
//
// The body is a copy of the loop in a function of (environment, first, end, values). A phi of the
// header that counts begins at start + first * step; one that is joined begins with the value that
// changes nothing, and in the end is joined with values[k].
#include "write/spread.h"
#include "read/spread.h"
#include "write/region.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/DomTreeUpdater.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;

namespace memlift {
namespace {

class SpreadWriter {
public:
  SpreadWriter(Env &env, LoopBinding &binding, const Decision &decision)
      : env(env), binding(binding), plan(decision.spread), guard(decision.guard),
        loop(*binding.nest.front()), c(env.f.getContext()), word(Type::getInt64Ty(c)),
        pointer(PointerType::get(c, 0)), make(env, binding), b(c), carried(carriedPhis(env, loop)) {
  }
  void run();

private:
  Env &env;
  LoopBinding &binding;
  const SpreadPlan &plan;
  ExprId guard;
  llvm::Loop &loop;
  LLVMContext &c;
  Type *word;
  PointerType *pointer;
  Materialiser make;
  IRBuilder<> b;
  std::vector<CarriedPhi> carried; // as plan.values
  struct Counter {
    PHINode *phi;
    Value *start, *step;
  };
  std::vector<Counter> counters;
  SmallSetVector<Value *, 16> inputs; // of the body
  StructType *environmentType = nullptr;
  std::map<PHINode *, Value *> finals; // known before the loop
  Value *iterations = nullptr, *cycles = nullptr, *holds = nullptr;
  BasicBlock *asking = nullptr, *check = nullptr, *keptEntry = nullptr, *runs = nullptr;
  Function *body = nullptr;
  ValueToValueMapTy map;
  SmallVector<BasicBlock *, 8> copied;

  void ask();
  void compute();
  void collect();
  void copyLoop();
  Value *inBody(Value *v);
  void begin(BasicBlock *entry, Value *first);
  void count(BasicBlock *entry, Value *first, Value *end, BasicBlock *done);
  Value *widened(const CarriedPhi &k, Value *v);
  void join(BasicBlock *done, Value *values);
  void tellApart();
  void writeBody();
  AllocaInst *onStack(Type *type, const char *name);
  Value *planVariable();
  void writeRun();
  void finish(const std::map<PHINode *, Value *> &results);
};

/// Asks first whether there are units: without any, nothing else is to be computed.
void SpreadWriter::ask() {
  asking = loop.getLoopPreheader();
  check = SplitBlock(asking, asking->getTerminator(), &env.dt, &env.li, nullptr, "memlift.check");
  make.builder.SetInsertPoint(check->getTerminator());
  b.SetCurrentDebugLocation(make.builder.getCurrentDebugLocation());
}

/// Computes all that the call and the guard need, before the loop.
void SpreadWriter::compute() {
  iterations = make.integer(plan.iterations);
  cycles = make.integer(plan.cycles16);
  holds = guard == NoExpr ? nullptr : make.integer(guard);
  SCEVExpander expander(compat::expanderOf<SCEVExpander>(env.se, env.dl));
  for (PHINode &phi : loop.getHeader()->phis())
    if (const SCEVAddRecExpr *rec = counterOf(env, loop, phi)) {
      const SCEV *step = rec->getStepRecurrence(env.se);
      counters.push_back({&phi, phi.getIncomingValueForBlock(check),
                          expander.expandCodeFor(step, step->getType(), check->getTerminator())});
    }
  for (LiveOutSource &out : binding.liveOuts)
    if (out.value || out.known != NoExpr)
      finals[out.phi] = make.final(out);
}

/// Collects the values that the loop uses and does not compute.
void SpreadWriter::collect() {
  auto add = [&](Value *v) {
    auto *i = dyn_cast<Instruction>(v);
    if ((i && !loop.contains(i)) || isa<Argument>(v))
      inputs.insert(v);
  };
  for (BasicBlock *block : loop.blocks())
    for (Instruction &i : *block) {
      if (i.isDebugOrPseudoInst() || (isa<PHINode>(i) && block == loop.getHeader()))
        continue;
      for (Value *v : i.operand_values())
        add(v);
    }
  for (const Counter &k : counters) {
    add(k.start);
    add(k.step);
  }
  // A phi of the header may take an invariant value from the latch.
  for (PHINode &phi : loop.getHeader()->phis())
    add(phi.getIncomingValueForBlock(loop.getLoopLatch()));
  SmallVector<Type *, 16> types;
  for (Value *v : inputs)
    types.push_back(v->getType());
  environmentType = StructType::get(c, types);
}

Value *SpreadWriter::inBody(Value *v) {
  Value *there = map.lookup(v);
  return there ? there : v;
}

/// Copies the loop's blocks into the body. The copy has no debug information: that belongs to the
/// function.
void SpreadWriter::copyLoop() {
  for (BasicBlock *block : loop.blocks()) {
    BasicBlock *copy = CloneBasicBlock(block, map, "", body);
    map[block] = copy;
    copied.push_back(copy);
  }
  for (BasicBlock *block : copied)
    dropDebugInformation(*block);
  remapInstructionsInBlocks(copied, map);
}

bool hasSign(const CarriedPhi &k) { return k.kind == Carry::SMin || k.kind == Carry::SMax; }

/// Returns the value that changes none when it is joined.
APInt neutral(const CarriedPhi &k) {
  unsigned bits = k.phi->getType()->getIntegerBitWidth();
  switch (k.kind) {
  case Carry::And:
  case Carry::UMin: return APInt::getMaxValue(bits);
  case Carry::SMin: return APInt::getSignedMaxValue(bits);
  case Carry::SMax: return APInt::getSignedMinValue(bits);
  default: return APInt::getMinValue(bits);
  }
}

/// Returns a joined value as memlift_spread wants it.
Value *SpreadWriter::widened(const CarriedPhi &k, Value *v) {
  return hasSign(k) ? b.CreateSExt(v, word) : b.CreateZExt(v, word);
}

/// Sets where the phis of the header begin.
void SpreadWriter::begin(BasicBlock *entry, Value *first) {
  auto start = [&](PHINode &phi, Value *value) {
    auto *copy = cast<PHINode>(inBody(&phi));
    copy->replaceIncomingBlockWith(check, entry);
    copy->setIncomingValueForBlock(entry, value);
  };
  for (const Counter &k : counters) {
    Value *step = inBody(k.step), *from = inBody(k.start);
    Value *way = b.CreateMul(b.CreateZExtOrTrunc(first, step->getType()), step);
    start(*k.phi, from->getType()->isPointerTy() ? b.CreateGEP(b.getInt8Ty(), from, way)
                                                 : b.CreateAdd(from, way));
  }
  for (const CarriedPhi &k : carried) {
    start(*k.phi, ConstantInt::get(k.phi->getType(), neutral(k)));
    for (Instruction *i : k.joins) { // blocks may overflow where the whole does not
      auto *copy = cast<Instruction>(inBody(i));
      copy->dropPoisonGeneratingFlags();
      if (auto *call = dyn_cast<CallBase>(copy)) // ranges are those of the whole
        call->setAttributes(AttributeList());
    }
  }
}

/// Replaces the loop's test by one of the block's iterations.
void SpreadWriter::count(BasicBlock *entry, Value *first, Value *end, BasicBlock *done) {
  auto *header = cast<BasicBlock>(inBody(loop.getHeader()));
  auto *latch = cast<BasicBlock>(inBody(loop.getLoopLatch()));
  PHINode *j = PHINode::Create(word, 2, "memlift.iteration");
  j->insertBefore(header->begin());
  auto *old = cast<BranchInst>(latch->getTerminator());
  b.SetInsertPoint(old);
  Value *next = b.CreateNUWAdd(j, ConstantInt::get(word, 1));
  j->addIncoming(first, entry);
  j->addIncoming(next, latch);
  BranchInst *test = b.CreateCondBr(b.CreateICmpEQ(next, end), done, header);
  test->setMetadata(LLVMContext::MD_loop, old->getMetadata(LLVMContext::MD_loop));
  Value *condition = old->getCondition();
  old->eraseFromParent();
  RecursivelyDeleteTriviallyDeadInstructions(condition);
}

/// Joins what the block gives.
void SpreadWriter::join(BasicBlock *done, Value *values) {
  b.SetInsertPoint(done);
  for (size_t k = 0; k < carried.size(); ++k) {
    Value *mine = inBody(carried[k].phi->getIncomingValueForBlock(loop.getLoopLatch()));
    mine = widened(carried[k], mine);
    Value *at = b.CreateConstInBoundsGEP1_64(word, values, k);
    Value *all = b.CreateLoad(word, at);
    switch (carried[k].kind) {
    case Carry::Xor: all = b.CreateXor(all, mine); break;
    case Carry::And: all = b.CreateAnd(all, mine); break;
    case Carry::Or: all = b.CreateOr(all, mine); break;
    case Carry::UMin: all = b.CreateBinaryIntrinsic(Intrinsic::umin, all, mine); break;
    case Carry::UMax: all = b.CreateBinaryIntrinsic(Intrinsic::umax, all, mine); break;
    case Carry::SMin: all = b.CreateBinaryIntrinsic(Intrinsic::smin, all, mine); break;
    case Carry::SMax: all = b.CreateBinaryIntrinsic(Intrinsic::smax, all, mine); break;
    default: all = b.CreateAdd(all, mine); break;
    }
    b.CreateStore(all, at);
  }
  b.CreateRetVoid();
}

/// Gives the arrays that are apart scopes of their own, as the pointers say nothing any more.
void SpreadWriter::tellApart() {
  MDBuilder md(c);
  MDNode *domain = md.createAnonymousAliasScopeDomain("memlift.spread");
  size_t n = plan.apart.size();
  std::vector<size_t> streamOf(binding.accesses.size(), n);
  for (size_t k = 0; k < n; ++k)
    for (uint32_t index : plan.apart[k])
      streamOf[index] = k;
  std::vector<Metadata *> scopes;
  for (size_t k = 0; k <= n; ++k)
    scopes.push_back(md.createAnonymousAliasScope(domain));
  for (size_t i = 0; i < binding.accesses.size(); ++i) {
    auto *access = cast<Instruction>(inBody(binding.accesses[i]));
    if (!isa<LoadInst>(access) && !isa<StoreInst>(access))
      continue;
    std::vector<Metadata *> others;
    for (size_t k = 0; k <= n; ++k)
      if (k != streamOf[i])
        others.push_back(scopes[k]);
    auto add = [&](unsigned kind, ArrayRef<Metadata *> list) {
      access->setMetadata(kind,
                          MDNode::concatenate(access->getMetadata(kind), MDNode::get(c, list)));
    };
    add(LLVMContext::MD_alias_scope, {scopes[streamOf[i]]});
    add(LLVMContext::MD_noalias, others);
  }
}

void SpreadWriter::writeBody() {
  auto *type = FunctionType::get(Type::getVoidTy(c), {pointer, word, word, pointer}, false);
  body = declareBeside(env.f, type, ".spread");
  body->addFnAttr(OutlinedAttribute);
  if (plan.local)
    body->addFnAttr(StreamAttribute, std::to_string(plan.store));
  BasicBlock *entry = BasicBlock::Create(c, "entry", body);
  IRBuilder<> own(entry);
  Argument *environment = body->getArg(0), *first = body->getArg(1), *end = body->getArg(2);
  for (unsigned k = 0; k < inputs.size(); ++k)
    map[inputs[k]] =
        own.CreateLoad(inputs[k]->getType(), own.CreateStructGEP(environmentType, environment, k));
  copyLoop();
  BasicBlock *done = BasicBlock::Create(c, "memlift.done", body);
  DebugLoc at = b.getCurrentDebugLocation();
  b.SetCurrentDebugLocation(DebugLoc());
  b.SetInsertPoint(entry);
  begin(entry, first);
  b.CreateBr(cast<BasicBlock>(inBody(loop.getHeader())));
  tellApart();
  count(entry, first, end, done);
  join(done, body->getArg(3));
  b.SetCurrentDebugLocation(at);
}

/// Makes a variable in the function's entry block, so that an outer loop does not make it again.
AllocaInst *SpreadWriter::onStack(Type *type, const char *name) {
  BasicBlock &entry = env.f.getEntryBlock();
  IRBuilder<> first(&entry, entry.begin());
  return first.CreateAlloca(type, nullptr, name);
}

/// Makes a struct memlift_spread_plan: a constant, if it is one.
Value *SpreadWriter::planVariable() {
  Type *half = Type::getInt32Ty(c), *byte = Type::getInt8Ty(c);
  SmallVector<Constant *, 8> joins;
  for (size_t k = 0; k < SpreadAbi::mostValues; ++k)
    joins.push_back(ConstantInt::get(byte, k < carried.size() ? unsigned(carried[k].kind) : 0));
  auto *joinType = ArrayType::get(byte, SpreadAbi::mostValues);
  auto *known = dyn_cast<ConstantInt>(cycles);
  Constant *fields[] = {ConstantInt::get(half, known ? known->getZExtValue() : 0),
                        ConstantInt::get(half, carried.size()), ConstantArray::get(joinType, joins),
                        ConstantInt::get(word, plan.unit)};
  if (known) {
    Constant *value = ConstantStruct::getAnon(fields);
    auto *variable = new GlobalVariable(*env.f.getParent(), value->getType(), /*isConstant=*/true,
                                        GlobalValue::PrivateLinkage, value, "memlift.spread");
    variable->setUnnamedAddr(GlobalValue::UnnamedAddr::Global);
    return variable;
  }
  StructType *type = StructType::get(half, half, joinType, word);
  Value *variable = onStack(type, "memlift.plan");
  b.CreateStore(b.CreateTrunc(cycles, half), b.CreateStructGEP(type, variable, 0));
  for (unsigned i = 1; i < 4; ++i)
    b.CreateStore(fields[i], b.CreateStructGEP(type, variable, i));
  return variable;
}

/// Emits the call, and what is before and after it.
void SpreadWriter::writeRun() {
  runs = BasicBlock::Create(c, "memlift.run", &env.f, keptEntry);
  b.SetInsertPoint(runs);
  Value *environment = onStack(environmentType, "memlift.environment");
  for (unsigned k = 0; k < inputs.size(); ++k)
    b.CreateStore(inputs[k], b.CreateStructGEP(environmentType, environment, k));
  auto *valuesType = ArrayType::get(word, std::max<size_t>(carried.size(), 1));
  Value *values = onStack(valuesType, "memlift.values");
  for (size_t k = 0; k < carried.size(); ++k)
    b.CreateStore(widened(carried[k], carried[k].phi->getIncomingValueForBlock(keptEntry)),
                  b.CreateConstInBoundsGEP2_64(valuesType, values, 0, k));
  Value *args[] = {planVariable(), body, environment, iterations, values};
  SmallVector<Type *, 5> types;
  for (Value *v : args)
    types.push_back(v->getType());
  FunctionCallee f = env.f.getParent()->getOrInsertFunction(
      SpreadAbi::call, FunctionType::get(Type::getVoidTy(c), types, /*isVarArg=*/false));
  b.CreateCall(f, args)->setDoesNotThrow();
  std::map<PHINode *, Value *> results = finals;
  for (size_t k = 0; k < carried.size(); ++k) {
    Value *all = b.CreateLoad(word, b.CreateConstInBoundsGEP2_64(valuesType, values, 0, k));
    Value *last = carried[k].phi->getIncomingValueForBlock(loop.getLoopLatch());
    all = b.CreateTrunc(all, carried[k].phi->getType());
    for (PHINode &phi : loop.getExitBlock()->phis())
      if (phi.getIncomingValueForBlock(loop.getLoopLatch()) == last)
        results[&phi] = all;
  }
  finish(results);
}

/// Connects the blocks, and gives phis after the loop their values.
void SpreadWriter::finish(const std::map<PHINode *, Value *> &results) {
  BasicBlock *exit = loop.getExitBlock(), *latch = loop.getLoopLatch();
  b.CreateBr(exit);
  for (PHINode &phi : exit->phis()) {
    auto known = results.find(&phi);
    phi.addIncoming(known != results.end() ? known->second : phi.getIncomingValueForBlock(latch),
                    runs);
    env.se.forgetValue(&phi);
  }
  if (llvm::Loop *parent = loop.getParentLoop())
    parent->addBasicBlockToLoop(runs, env.li);
  MDBuilder md(c);
  Type *half = Type::getInt32Ty(c);
  Constant *variable = env.f.getParent()->getOrInsertGlobal(SpreadAbi::units, half);
  auto *end = cast<BranchInst>(asking->getTerminator());
  b.SetInsertPoint(end);
  LoadInst *units = b.CreateAlignedLoad(half, variable, Align(4), "memlift.units");
  units->setAtomic(AtomicOrdering::Monotonic);
  b.CreateCondBr(b.CreateICmpNE(units, ConstantInt::get(half, 0)), check, keptEntry,
                 md.createBranchWeights(1, 9));
  end->eraseFromParent();
  end = cast<BranchInst>(check->getTerminator());
  b.SetInsertPoint(end);
  if (holds)
    b.CreateCondBr(holds, runs, keptEntry, md.createBranchWeights(9, 1));
  else
    b.CreateBr(runs);
  end->eraseFromParent();
  env.dt.recalculate(env.f);
  SplitEdge(latch, exit, &env.dt, &env.li, nullptr, "memlift.kept");
}

/// The function's own facts about memory no longer hold: the runtime has a state and waits.
void SpreadWriter::run() {
  auto setDone = [&] {
    for (llvm::Loop *l : binding.nest)
      addStringMetadataToLoop(l, DoneTag, 1);
  };
  if (!plan.local) // the copies in the body, too
    setDone();
  ask();
  compute();
  collect();
  writeBody();
  if (plan.local)
    setDone();
  keptEntry = SplitBlock(check, check->getTerminator(), &env.dt, &env.li, nullptr, "memlift.plain");
  writeRun();
  env.f.setMemoryEffects(MemoryEffects::unknown());
  env.f.removeFnAttr(Attribute::NoSync);
  env.se.forgetAllLoops();
  if (llvm::Loop *parent = loop.getParentLoop())
    formLCSSARecursively(*parent, env.dt, &env.li, &env.se);
}

} // namespace

void spreadLoop(Env &env, LoopBinding &binding, const Decision &decision) {
  SpreadWriter(env, binding, decision).run();
}

} // namespace memlift
