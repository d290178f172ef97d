// async.h - operations of a function that are to run beside it
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Last in the pipeline: before, the calls are routines with exact attributes, which the optimiser
// sees through. What is begun here may touch, as far as LLVM knows, all memory that is known
// outside.
#ifndef MEMLIFT_LLVM_ASYNC_H
#define MEMLIFT_LLVM_ASYNC_H

#include "decide/async.h"
#include "options.h"

#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/PassManager.h"

#include <map>

namespace llvm {
class PassBuilder;
} // namespace llvm

namespace memlift {

/// A call of the runtime that may become one of memlift_begin_copy or memlift_begin_fill.
struct AsyncCall {
  llvm::CallInst *call = nullptr;
  llvm::Value *dst = nullptr, *src = nullptr;        // no src: a fill
  llvm::Value *pattern = nullptr, *period = nullptr; // of a fill
  bool isValue = false; // the pattern is a value, as wide as the period
  llvm::Value *bytes = nullptr;
};

/// True for calls of routines that can be begun, if the size is not known to be small.
bool isAsyncCall(llvm::Instruction &i, AsyncCall &found);

/// Whether a value is there in front of `at`, or can be made of a few values that are.
bool isComputable(const llvm::Value &v, const llvm::Instruction &at, const llvm::DominatorTree &dt,
                  unsigned depth = asyncSteps);

/// Calls and functions that come back in every case, unless they unwind.
class Returning {
public:
  bool call(const llvm::CallBase &call);

private:
  bool function(const llvm::Function &f);
  bool statementsEnd(const llvm::Function &f);
  bool loopsEnd(const llvm::Function &f);

  std::map<const llvm::Function *, bool> known;
  unsigned depth = 0;
};

/// The function as a graph, and what its statements do to the operations.
class AsyncFacts : public FlowFacts {
public:
  AsyncFacts(llvm::Function &f, llvm::LoopInfo &li, llvm::DominatorTree &dt,
             llvm::ScalarEvolution &se, llvm::AAResults &aa);
  Stop stop(size_t operation, FlowPoint at) override;
  bool available(size_t operation, FlowPoint at) override;
  bool decides(uint32_t block, FlowPoint at) override;
  uint64_t work(FlowPoint at) override;
  llvm::Instruction *statement(FlowPoint at) const { return blocks[at.block][at.statement]; }

  Flow flow;
  std::vector<AsyncCall> operations;
  std::vector<FlowPoint> places; // of them

private:
  bool isThere(const llvm::Value *v, FlowPoint at) const;
  bool meets(const llvm::Instruction &i, llvm::Value *pointer, llvm::Value *bytes,
             llvm::ModRefInfo how);
  Stop stopOfAny(const llvm::Instruction &i);
  Stop stopOfCall(const llvm::CallBase &call);
  void readBlocks(llvm::Function &f, llvm::LoopInfo &li, llvm::ScalarEvolution &se);

  std::vector<std::vector<llvm::Instruction *>> blocks;
  llvm::DominatorTree &dt;
  llvm::AAResults &aa;
  Returning returning;
};

/// Carries the plans out. The facts are dead afterwards.
void writeAsync(llvm::Function &f, llvm::DominatorTree &dt, llvm::LoopInfo &li,
                const AsyncFacts &facts, const std::vector<AsyncPlan> &plans);

class AsyncPass : public llvm::PassInfoMixin<AsyncPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &f, llvm::FunctionAnalysisManager &fam);
};

void registerAsync(llvm::PassBuilder &builder);

} // namespace memlift

#endif
