// builtin.h - __builtin_memlift_aligned(p, n) in IR
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MEMLIFT_LLVM_ALIGN_BUILTIN_H
#define MEMLIFT_LLVM_ALIGN_BUILTIN_H

#include "llvm/IR/PassManager.h"

namespace llvm {
class Instruction;
class PassBuilder;
class raw_ostream;
} // namespace llvm

namespace memlift {

/// Folds calls of the builtin in a function: the decided ones, or with `last` all of them.
class AlignedPass : public llvm::PassInfoMixin<AlignedPass> {
public:
  explicit AlignedPass(bool last) : last(last) {}
  llvm::PreservedAnalyses run(llvm::Function &f, llvm::FunctionAnalysisManager &fam);
  static bool isRequired() { return true; }

private:
  bool last; // folds undecided calls to 0
};

/// Decides the remaining calls of a whole module: from the arguments of all callers, the values
/// that functions return, and all values assigned to variables. Leaves them to the link where there
/// is one.
class AlignedEverywherePass : public llvm::PassInfoMixin<AlignedEverywherePass> {
public:
  explicit AlignedEverywherePass(bool atLink) : atLink(atLink) {}
  llvm::PreservedAnalyses run(llvm::Module &m, llvm::ModuleAnalysisManager &mam);
  static bool isRequired() { return true; }

private:
  bool atLink;
};

/// Prints the known alignment of each memory operation and its reason, or what limits it. Run by
/// opt -passes='print<memlift-alignment>', or in the pipelines under the option print-alignment.
class PrintAlignmentPass : public llvm::PassInfoMixin<PrintAlignmentPass> {
public:
  explicit PrintAlignmentPass(llvm::raw_ostream &out, bool ifAsked = false)
      : out(out), ifAsked(ifAsked) {}
  llvm::PreservedAnalyses run(llvm::Module &m, llvm::ModuleAnalysisManager &mam);
  static bool isRequired() { return true; }

private:
  llvm::raw_ostream &out;
  bool ifAsked;
};

/// Returns whether the instruction is a call of the builtin.
bool isAlignedCall(const llvm::Instruction &i);

/// Registers AlignedPass and AlignedEverywherePass at their places in the pipelines.
void registerAligned(llvm::PassBuilder &builder);

} // namespace memlift

#endif
