// async.h - operations of a function that may run overlapped with it
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs last in the pipeline. Before it, the calls are routines with exact attributes, which the
// optimiser sees through. As far as LLVM knows, an operation begun here may touch all memory that
// escapes.
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

/// A call of the runtime that may become memlift_begin_copy or memlift_begin_fill.
struct AsyncCall {
  llvm::CallInst *call = nullptr;
  llvm::Value *dst = nullptr, *src = nullptr;        // src is null for a fill
  llvm::Value *pattern = nullptr, *period = nullptr; // for a fill
  bool isValue = false; // whether the pattern is a value as wide as the period
  llvm::Value *bytes = nullptr;
};

/// Returns true for a call of a routine that can be begun asynchronously, unless its size is known
/// to be small.
bool isAsyncCall(llvm::Instruction &i, AsyncCall &found);

/// Returns whether a value is available before `at`, or computable there from a few values that
/// are.
bool isComputable(const llvm::Value &v, const llvm::Instruction &at, const llvm::DominatorTree &dt,
                  unsigned depth = asyncSteps);

/// Finds calls and functions that always return, unless they unwind.
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

/// The function as a graph, with the effect of its statements on the operations.
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
  std::vector<FlowPoint> places; // of the operations

private:
  bool isThere(const llvm::Value *v, FlowPoint at) const;
  bool overlaps(const llvm::Instruction &i, llvm::Value *pointer, llvm::Value *bytes,
                llvm::ModRefInfo how);
  Stop stopOfAny(const llvm::Instruction &i);
  Stop stopOfCall(const llvm::CallBase &call);
  void readBlocks(llvm::Function &f, llvm::LoopInfo &li, llvm::ScalarEvolution &se);

  std::vector<std::vector<llvm::Instruction *>> blocks;
  llvm::DominatorTree &dt;
  llvm::AAResults &aa;
  Returning returning;
};

/// Rewrites the function according to the plans. The facts are dead afterwards.
void writeAsync(llvm::Function &f, llvm::DominatorTree &dt, llvm::LoopInfo &li,
                const AsyncFacts &facts, const std::vector<AsyncPlan> &plans);

class AsyncPass : public llvm::PassInfoMixin<AsyncPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &f, llvm::FunctionAnalysisManager &fam);
};

void registerAsync(llvm::PassBuilder &builder);

} // namespace memlift

#endif
