// known.h - alignment that is proved of arguments, returned pointers and variables
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where every use of a function or of a variable is in sight, what it holds is
// what somebody put there. Taken for aligned to a page at first, everything is
// asked again and again whether that can be, and aligned to less where not: what
// is left is true, by induction over what was put where first.
#ifndef MEMLIFT_LLVM_ALIGN_KNOWN_H
#define MEMLIFT_LLVM_ALIGN_KNOWN_H

#include "align/lowbits.h"

#include "llvm/IR/PassManager.h"

namespace memlift {

class KnownEverywhere {
public:
  KnownEverywhere(llvm::Module &m, llvm::FunctionAnalysisManager &fam)
      : m(m), fam(fam) {}
  /// Writes what it finds of arguments into the IR as attributes; true if anything.
  bool find();
  LowBits &bitsOf(llvm::Function &f);

private:
  /// Something that holds pointers, and all that is put there.
  struct Put {
    llvm::Value *value;
    llvm::Instruction *at;
  };
  struct Holder {
    std::vector<Put> puts;
    unsigned bits = 0;
  };
  llvm::Module &m;
  llvm::FunctionAnalysisManager &fam;
  std::map<const llvm::Function *, std::unique_ptr<LowBits>> bits;
  std::map<const llvm::Argument *, Holder> arguments;
  std::map<const llvm::Function *, Holder> returns;
  std::map<std::pair<const llvm::GlobalVariable *, int64_t>, Holder> variables;

  unsigned knownOf(const llvm::Value &v) const;
  void collectFunction(llvm::Function &f);
  void collectVariable(llvm::GlobalVariable &v);
  bool collectUses(llvm::GlobalVariable &v, llvm::Value &pointer, int64_t offset);
  bool weaken(Holder &h);
  bool write();
};

} // namespace memlift

#endif
