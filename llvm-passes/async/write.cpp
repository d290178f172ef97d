// write.cpp - begins operations in one place and ends them in others
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A token is 0 where no operation is in flight, and ending 0 does nothing. So paths with and
// without a begun operation may join.
#include "async/async.h"

#include "llvm/IR/Module.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/SSAUpdater.h"

#include <map>

using namespace llvm;

namespace memlift {
namespace {

CallInst *callRuntime(IRBuilder<> &builder, const char *name, Type *result,
                      ArrayRef<Value *> args) {
  SmallVector<Type *, 4> types;
  for (Value *a : args)
    types.push_back(a->getType());
  Module &m = *builder.GetInsertBlock()->getModule();
  CallInst *call = builder.CreateCall(
      m.getOrInsertFunction(name, FunctionType::get(result, types, false)), args);
  for (Attribute::AttrKind kind : {Attribute::NoUnwind, Attribute::WillReturn})
    call->addFnAttr(kind);
  return call;
}

/// A test that an operation is moved above: its condition, and the outcome that leads to the
/// operation.
struct BranchOutcome {
  Value *condition;
  bool wanted;
};

/// Collects the tests before edges are split, which changes their targets.
std::vector<BranchOutcome> outcomesOf(const AsyncPlan &plan, const AsyncFacts &facts) {
  std::vector<BranchOutcome> tests;
  for (const AsyncGuard &g : plan.guards) {
    uint32_t last = facts.flow.blocks[g.from].statements - 1;
    const auto *branch = cast<BranchInst>(facts.statement({g.from, last}));
    const BasicBlock *to = facts.statement({g.to, 0})->getParent();
    tests.push_back({branch->getCondition(), branch->getSuccessor(0) == to});
  }
  return tests;
}

/// Returns the value before `at`, recomputed if it is defined after it: isComputable() has returned
/// true.
Value *computed(IRBuilder<> &builder, Value *v, DominatorTree &dt, Instruction *at) {
  auto *def = dyn_cast_or_null<Instruction>(v);
  if (!def || dt.dominates(def, at))
    return v;
  Instruction *again = def->clone();
  for (Use &operand : again->operands())
    operand.set(computed(builder, operand, dt, at));
  return builder.Insert(again);
}

/// Returns the size, or 0 where a test would not lead to the operation. The outermost test is the
/// outermost select: where it fails, the inner conditions may be meaningless.
Value *guardedBytes(IRBuilder<> &builder, Value *bytes, const std::vector<BranchOutcome> &tests,
                    DominatorTree &dt, Instruction *at) {
  Value *none = ConstantInt::get(bytes->getType(), 0);
  for (const BranchOutcome &test : tests) {
    Value *condition = computed(builder, test.condition, dt, at);
    bytes = test.wanted ? builder.CreateSelect(condition, bytes, none)
                        : builder.CreateSelect(condition, none, bytes);
  }
  return bytes;
}

/// Emits the begin before `at`, and returns its token.
CallInst *emitBegin(AsyncCall op, Instruction *at, const std::vector<BranchOutcome> &tests,
                    DominatorTree &dt) {
  IRBuilder<> builder(at);
  builder.SetCurrentDebugLocation(op.call->getDebugLoc());
  for (Value **v : {&op.dst, &op.src, &op.pattern, &op.period, &op.bytes})
    *v = computed(builder, *v, dt, at);
  Type *i64 = builder.getInt64Ty();
  Value *bytes = guardedBytes(builder, op.bytes, tests, dt, at);
  if (op.src)
    return callRuntime(builder, asyncBeginCopy, i64, {op.dst, op.src, bytes});
  Value *pattern = op.pattern;
  // A value is repeated in the machine's byte order, a pattern lowest byte first.
  if (op.isValue && !pattern->getType()->isIntegerTy(8) &&
      at->getModule()->getDataLayout().isBigEndian())
    pattern = builder.CreateUnaryIntrinsic(Intrinsic::bswap, pattern);
  return callRuntime(builder, asyncBeginFill, i64,
                     {op.dst, builder.CreateZExt(pattern, i64), op.period, bytes});
}

/// The ends of blocks inserted on edges, by the two blocks that each edge joins.
using SplitEdges = std::map<std::pair<uint32_t, uint32_t>, Instruction *>;

/// Returns the place of a wait. A wait on an edge gets a new block, unless one of the edge's blocks
/// has no other neighbour on that side.
Instruction *placeOf(const AsyncWait &wait, const AsyncFacts &facts, DominatorTree &dt,
                     LoopInfo &li, SplitEdges &split) {
  Instruction *at = facts.statement(wait.at);
  if (wait.to == AsyncWait::NoBlock || at->getNumSuccessors() == 1)
    return at;
  Instruction *&place = split[{wait.at.block, wait.to}];
  if (place)
    return place;
  BasicBlock *to = facts.statement({wait.to, 0})->getParent();
  for (unsigned i = 0; i < at->getNumSuccessors(); ++i)
    if (at->getSuccessor(i) == to) {
      BasicBlock *between =
          SplitCriticalEdge(at, i, CriticalEdgeSplittingOptions(&dt, &li).setMergeIdenticalEdges());
      // A non-critical edge that was not split is the only edge into its target.
      return place = between ? between->getTerminator() : facts.statement({wait.to, 0});
    }
  llvm_unreachable("a wait on an edge that is not there");
}

/// Splits the edges that a plan needs split.
void placesOf(const AsyncPlan &plan, const AsyncFacts &facts, DominatorTree &dt, LoopInfo &li,
              SplitEdges &split, std::vector<std::pair<Instruction *, Instruction *>> &places) {
  for (const AsyncWait &wait : plan.waits)
    places.push_back({placeOf(wait, facts, dt, li, split), facts.statement(wait.cause)});
}

/// Emits a wait at each place; the token is 0 after it.
void emitWaits(CallInst *token, const std::vector<std::pair<Instruction *, Instruction *>> &places,
               const std::vector<Instruction *> &fronts) {
  Function &f = *token->getFunction();
  Type *i64 = token->getType();
  SSAUpdater updater;
  updater.Initialize(i64, "memlift.token");
  BasicBlock *entry = &f.getEntryBlock();
  Value *none = ConstantInt::get(i64, 0);
  std::map<BasicBlock *, Value *> atEnd{{entry, none}};
  for (auto &[at, cause] : places)
    atEnd[at->getParent()] = none;
  std::vector<bool> own; // waits after the begin, in its own block
  for (auto &[at, cause] : places)
    own.push_back(at->getParent() == token->getParent() && token->comesBefore(at));
  if (std::find(own.begin(), own.end(), true) == own.end())
    atEnd[token->getParent()] = token;
  for (auto &[block, value] : atEnd)
    updater.AddAvailableValue(block, value);
  for (size_t k = 0; k < places.size(); ++k) {
    BasicBlock *block = places[k].first->getParent();
    Value *value = own[k] ? token : block == entry ? none : updater.GetValueInMiddleOfBlock(block);
    IRBuilder<> builder(fronts[k]);
    builder.SetCurrentDebugLocation(
        places[k].second->getDebugLoc() ? places[k].second->getDebugLoc() : token->getDebugLoc());
    callRuntime(builder, asyncEnd, builder.getVoidTy(), {value});
  }
}

} // namespace

void writeAsync(Function &f, DominatorTree &dt, LoopInfo &li, const AsyncFacts &facts,
                const std::vector<AsyncPlan> &plans) {
  std::vector<std::vector<std::pair<Instruction *, Instruction *>>> places(plans.size());
  std::vector<CallInst *> tokens(plans.size());
  std::vector<std::vector<BranchOutcome>> tests;
  for (const AsyncPlan &plan : plans)
    tests.push_back(outcomesOf(plan, facts));
  // At the same statement, waits come before operations that begin.
  std::map<Instruction *, Instruction *> front;
  SplitEdges split;
  for (size_t k = 0; k < plans.size(); ++k) {
    if (!plans[k].worthIt)
      continue;
    placesOf(plans[k], facts, dt, li, split, places[k]);
    Instruction *at = facts.statement(plans[k].begin);
    tokens[k] = emitBegin(facts.operations[k], at, tests[k], dt);
    front.insert({at, tokens[k]});
  }
  for (size_t k = 0; k < plans.size(); ++k) {
    if (!tokens[k])
      continue;
    std::vector<Instruction *> fronts;
    for (auto &[at, cause] : places[k]) {
      auto begun = front.find(at);
      fronts.push_back(begun != front.end() && begun->second != tokens[k] ? begun->second : at);
    }
    emitWaits(tokens[k], places[k], fronts);
  }
  for (size_t k = 0; k < plans.size(); ++k)
    if (tokens[k])
      facts.operations[k].call->eraseFromParent();
}

} // namespace memlift
