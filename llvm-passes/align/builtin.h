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

/// Folds calls of the builtin in a function: those that are decided, or all.
class AlignedPass : public llvm::PassInfoMixin<AlignedPass> {
public:
  explicit AlignedPass(bool last) : last(last) {}
  llvm::PreservedAnalyses run(llvm::Function &f, llvm::FunctionAnalysisManager &fam);
  static bool isRequired() { return true; }

private:
  bool last; // what is not decided is 0 from here on
};

/// Decides what is left, of a whole module: from the arguments that all callers
/// pass, from what functions return, from what variables are ever set to. Leaves it
/// to the link where there is one.
class AlignedEverywherePass : public llvm::PassInfoMixin<AlignedEverywherePass> {
public:
  explicit AlignedEverywherePass(bool atLink) : atLink(atLink) {}
  llvm::PreservedAnalyses run(llvm::Module &m, llvm::ModuleAnalysisManager &mam);
  static bool isRequired() { return true; }

private:
  bool atLink;
};

/// Prints what is known of the alignment of each memory operation and why, or who
/// is at fault: opt -passes='print<memlift-alignment>', or in the pipelines where the
/// option print-alignment asks for it.
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

/// Whether it is a call of the builtin.
bool isAlignedCall(const llvm::Instruction &i);

/// Puts both where the pipelines have places for them.
void registerAligned(llvm::PassBuilder &builder);

} // namespace memlift

#endif
