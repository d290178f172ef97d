// pass.h - memlift's passes
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MEMLIFT_LLVM_PASS_H
#define MEMLIFT_LLVM_PASS_H

#include "llvm/IR/PassManager.h"

namespace llvm {
class OptimizationRemarkEmitter;
class PassBuilder;
class TargetTransformInfo;
} // namespace llvm

namespace memlift {

struct Config;
struct Env;
struct LoopBinding;

/// Reads, judges and rewrites the loops of a function, then its mem* calls. Running it again
/// changes nothing.
class MemliftPass : public llvm::PassInfoMixin<MemliftPass> {
public:
  /// `level` is that of the pipeline, 0 if it is not known.
  explicit MemliftPass(bool printOnly = false, unsigned level = 0)
      : printOnly(printOnly), level(level) {}
  llvm::PreservedAnalyses run(llvm::Function &f, llvm::FunctionAnalysisManager &fam);

private:
  bool printOnly; // print the loop models, change nothing
  unsigned level;

  llvm::PreservedAnalyses change(llvm::Function &f, llvm::FunctionAnalysisManager &fam);
  llvm::PreservedAnalyses prepare(llvm::Function &f, llvm::FunctionAnalysisManager &fam,
                                  const Config &config);
  llvm::PreservedAnalyses judgeAll(llvm::Function &f, llvm::FunctionAnalysisManager &fam,
                                   const Config &config);
};

/// Answers guards of an earlier stage (write/settle.cpp), and deletes the loops that they guard. It
/// runs last at the link of full LTO, where LLVM 19 runs no other pass of ours.
class SettlePass : public llvm::PassInfoMixin<SettlePass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &f, llvm::FunctionAnalysisManager &fam);
};

/// Reports the mem* calls that LLVM turns into accesses long before MemliftPass, and aligns
/// variables that they are given.
class EarlyCallsPass : public llvm::PassInfoMixin<EarlyCallsPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &f, llvm::FunctionAnalysisManager &fam);
};

/// Turns the assumptions of trust-types about a call's argument into attributes of that argument.
class TrustedCallsPass : public llvm::PassInfoMixin<TrustedCallsPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &f, llvm::FunctionAnalysisManager &fam);
};

/// Checks the options, carries them into attributes, and turns clang's annotation of memlift("off")
/// into the function attribute; first in a pipeline.
class CarryPass : public llvm::PassInfoMixin<CarryPass> {
public:
  explicit CarryPass(bool optimising = true, bool fast = false)
      : optimising(optimising), fast(fast) {}
  llvm::PreservedAnalyses run(llvm::Module &m, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }

private:
  bool optimising; // not -O0: loops are marked
  bool fast;       // -O3
};

/// Reports loops in functions that are not optimised, which no other pass sees; first in a
/// pipeline.
class UnoptimisedPass : public llvm::PassInfoMixin<UnoptimisedPass> {
public:
  explicit UnoptimisedPass(bool optimising) : optimising(optimising) {}
  llvm::PreservedAnalyses run(llvm::Module &m, llvm::ModuleAnalysisManager &mam);
  static bool isRequired() { return true; }

private:
  bool optimising; // not -O0
};

/// Keeps functions of different options apart, and marks the implementations of memcpy and its
/// like; before any inlining across files.
class JoinedPass : public llvm::PassInfoMixin<JoinedPass> {
public:
  llvm::PreservedAnalyses run(llvm::Module &m, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }
};

/// Returns false where no loop is read: foreign targets, coroutines, funclets. Removes routines
/// from `config` that the module cannot declare.
bool canBeJudged(const llvm::Function &f, Config &config);
/// Returns the reason why the loops of `f` are not read, in words; empty if they are.
std::string whyUnseen(const llvm::Function &f);
/// Returns whether the loop stores to more than local variables, where each of these is still in
/// memory.
bool storesBeyondLocals(const llvm::Loop &loop);
/// Describes a loop that is not read, for its remark.
LoopBinding unreadLoop(llvm::Function &f, const llvm::Loop &loop, const Config &config,
                       const std::string &why);
/// Reports the storing loops of such a function, if remarks are enabled.
void emitUnseenRemarks(llvm::Function &f, llvm::FunctionAnalysisManager &fam, const Config &config);
/// Returns whether remarks are enabled.
bool remarksEnabled(const Config &config, const llvm::OptimizationRemarkEmitter &ore);
/// Collects the facts about the function that readers and writers need.
/// Returns the bits of the target's vectors; 0: it has none.
unsigned vectorBitsOf(const llvm::TargetTransformInfo &target);
/// Sets what the vectoriser and the unroller will do at a level of 2 or 3; below, they do nothing.
void setLevel(Env &env, const llvm::TargetTransformInfo &target, unsigned level);
Env envOf(llvm::Function &f, llvm::FunctionAnalysisManager &fam, const Config &config);

void registerPasses(llvm::PassBuilder &builder);

/// Registers __attribute__((memlift("..."))) with clang, if the host is clang.
void registerAttribute();

/// Registers an action that makes clang assume aligned pointers under trust-types, where memory is
/// set or copied; if the host is clang.
void registerTrust();

/// Registers an action that compares clang's declarations with the map's prototypes; if the host is
/// clang.
void registerMapCheck();

/// Registers the pragma "memlift require" and an action that marks the loops that must be lowered;
/// if the host is clang.
void registerRequire();

/// Registers an action that detects -fsanitize=dataflow, once per process.
void registerDataflow();
/// Returns whether -fsanitize=dataflow was detected in this compilation.
bool isDataflowSanitized();

} // namespace memlift

#endif
