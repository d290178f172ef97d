// pass.h - memlift's passes
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MEMLIFT_LLVM_PASS_H
#define MEMLIFT_LLVM_PASS_H

#include "llvm/IR/PassManager.h"

namespace llvm {
class OptimizationRemarkEmitter;
class PassBuilder;
} // namespace llvm

namespace memlift {

struct Config;
struct Env;

/// Reads, judges and rewrites the loops of a function, then its mem* calls.
/// Running it again changes nothing.
class MemliftPass : public llvm::PassInfoMixin<MemliftPass> {
public:
  explicit MemliftPass(bool printOnly = false) : printOnly(printOnly) {}
  llvm::PreservedAnalyses run(llvm::Function &f, llvm::FunctionAnalysisManager &fam);

private:
  bool printOnly; // print the loop models, change nothing

  llvm::PreservedAnalyses prepare(llvm::Function &f, llvm::FunctionAnalysisManager &fam,
                                  const Config &config);
  llvm::PreservedAnalyses judgeAll(llvm::Function &f, llvm::FunctionAnalysisManager &fam,
                                   const Config &config);
};

/// Answers guards of an earlier stage (write/settle.cpp), and deletes the loops
/// behind them: the last at the link of full LTO, where LLVM 19 runs no other
/// pass of ours.
class SettlePass : public llvm::PassInfoMixin<SettlePass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &f, llvm::FunctionAnalysisManager &fam);
};

/// Reports the mem* calls that LLVM makes accesses of long before MemliftPass, and aligns variables
/// that they are given.
class EarlyCallsPass : public llvm::PassInfoMixin<EarlyCallsPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &f, llvm::FunctionAnalysisManager &fam);
};

/// What trust-types alone has assumed of an argument becomes a property of the argument.
class TrustedCallsPass : public llvm::PassInfoMixin<TrustedCallsPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &f, llvm::FunctionAnalysisManager &fam);
};

/// First in a pipeline: checks the options, carries them into attributes, and
/// turns clang's annotation of memlift("off") into the function attribute.
class CarryPass : public llvm::PassInfoMixin<CarryPass> {
public:
  explicit CarryPass(bool optimising = true, bool fast = false)
      : optimising(optimising), fast(fast) {}
  llvm::PreservedAnalyses run(llvm::Module &m, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }

private:
  bool optimising; // not -O0: loops are worth marking
  bool fast;       // -O3
};

/// First in a pipeline: tells of loops in functions that are not optimised, which no other pass
/// sees.
class UnoptimisedPass : public llvm::PassInfoMixin<UnoptimisedPass> {
public:
  explicit UnoptimisedPass(bool optimising) : optimising(optimising) {}
  llvm::PreservedAnalyses run(llvm::Module &m, llvm::ModuleAnalysisManager &mam);
  static bool isRequired() { return true; }

private:
  bool optimising; // not -O0
};

/// Before anything is inlined across files: keeps functions of different options apart, and marks
/// what memcpy and its like are made of.
class JoinedPass : public llvm::PassInfoMixin<JoinedPass> {
public:
  llvm::PreservedAnalyses run(llvm::Module &m, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }
};

/// False where nothing is looked at: foreign targets, coroutines, funclets. Takes
/// the routines away that the module cannot declare.
bool canBeJudged(const llvm::Function &f, Config &config);
/// Why the loops of `f` are not read, in words; empty if they are.
std::string whyUnseen(const llvm::Function &f);
/// Reports the loops of such a function that store, if anybody listens.
void tellUnseen(llvm::Function &f, llvm::FunctionAnalysisManager &fam, const Config &config);
/// True if anybody gets to see remarks.
bool isHeard(const Config &config, const llvm::OptimizationRemarkEmitter &ore);
/// What readers and writers need to know of the function.
Env envOf(llvm::Function &f, llvm::FunctionAnalysisManager &fam, const Config &config);

void registerPasses(llvm::PassBuilder &builder);

/// Tells clang about __attribute__((memlift("..."))), if the host is clang.
void registerAttribute();

/// Has clang's pointers taken for aligned under trust-types, where memory is set or copied.
void registerTrust();

/// Has clang's declarations compared with the map's prototypes, likewise.
void registerMapCheck();

/// Lets clang tell of -fsanitize=dataflow, once per process.
void registerDataflow();
/// Whether it has told of it in this compilation.
bool isDataflowSanitized();

} // namespace memlift

#endif
