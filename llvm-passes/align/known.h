// known.h - alignment that is proved of arguments, returned pointers and variables
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the functions and variables whose every use is in sight, and what is put
// there; idioms/align/slots.h proves from that.
#ifndef MEMLIFT_LLVM_ALIGN_KNOWN_H
#define MEMLIFT_LLVM_ALIGN_KNOWN_H

#include "align/slots.h"
#include "align/lowbits.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/PassManager.h"

namespace memlift {

/// Calls `each` with what a pointer is to the operation (its name, its place among the
/// arguments) and the pointer: those of the builtin, and if `calls` of mem* calls.
void eachPointer(llvm::Instruction &i, bool calls,
                 llvm::function_ref<void(llvm::StringRef, unsigned, llvm::Value &)> each);

class KnownEverywhere {
public:
  /// A pointer that is put somewhere.
  struct Assignment {
    llvm::Value *value;
    llvm::Instruction *at;
  };
  KnownEverywhere(llvm::Module &m, llvm::FunctionAnalysisManager &fam) : m(m), fam(fam) {}
  /// What the alignment of the pointers hangs on that the builtin and, if `calls`,
  /// memset, memcpy and memmove are given, and narrow accesses that could be wide.
  void find(bool calls);
  /// Writes what was found into the IR, as attributes and metadata; true if anything.
  bool write();
  LowBits &bitsOf(llvm::Function &f);
  /// Whether the value is what such a thing holds; then `worst` is what makes it no
  /// more aligned, if anything that is put there does.
  bool holds(const llvm::Value &v, const Assignment *&worst) const;

private:
  using Place = std::pair<const llvm::GlobalVariable *, int64_t>;
  /// How a variable is used.
  struct Uses {
    std::map<int64_t, std::vector<Assignment>> pointers; // by offset; loaded or stored
    std::vector<std::pair<int64_t, int64_t>> others;     // bytes stored to, from and up to
  };
  llvm::Module &m;
  llvm::FunctionAnalysisManager &fam;
  std::map<const llvm::Function *, std::unique_ptr<LowBits>> bits;
  AlignSlots slots;
  std::vector<Assignment> assignments; // as Slots numbers them
  std::vector<Assignment> queries;
  std::map<const llvm::Argument *, AlignSlots::AlignSlot> arguments;
  std::map<const llvm::Function *, AlignSlots::AlignSlot> returns;
  std::map<Place, AlignSlots::AlignSlot> variables;

  /// The slot that the value comes from; false if from none.
  bool slotOf(const llvm::Value &v, AlignSlots::AlignSlot &h) const;
  void assign(AlignSlots::AlignSlot h, llvm::Value &value, llvm::Instruction &at);
  void collectQueries(llvm::Instruction &i, bool calls);
  bool writeReturn(llvm::Instruction &i);
  bool writeLoad(llvm::Instruction &i);
  void collectReturns(llvm::Function &f);
  void collectArguments(llvm::Function &f);
  void collectVariable(llvm::GlobalVariable &v);
  bool collectUses(llvm::Value &pointer, int64_t offset, Uses &uses);
  bool collectStore(llvm::StoreInst &store, int64_t offset, Uses &uses);
};

} // namespace memlift

#endif
