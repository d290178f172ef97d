// known.h - alignment that is proved of arguments, returned pointers and variables
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the functions and variables whose every use is visible, and the values assigned to them;
// idioms/align/slots.h proves alignment from those.
#ifndef MEMLIFT_LLVM_ALIGN_KNOWN_H
#define MEMLIFT_LLVM_ALIGN_KNOWN_H

#include "align/slots.h"
#include "align/lowbits.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/PassManager.h"

namespace memlift {

/// Calls `each` for each pointer operand of the builtin, and with `calls` of mem* calls: with the
/// operand's role, its argument number and the pointer.
void eachPointer(llvm::Instruction &i, bool calls,
                 llvm::function_ref<void(llvm::StringRef, unsigned, llvm::Value &)> each);

class KnownEverywhere {
public:
  /// A pointer that is assigned to a slot.
  struct Assignment {
    llvm::Value *value;
    llvm::Instruction *at;
  };
  KnownEverywhere(llvm::Module &m, llvm::FunctionAnalysisManager &fam) : m(m), fam(fam) {}
  /// Finds the alignment of all slots that pointers of interest depend on: those of the builtin, of
  /// narrow accesses that could be wide, and with `calls` of memset, memcpy and memmove.
  void find(bool calls);
  /// Writes the result into the IR, as attributes and metadata. Returns true if anything changed.
  bool write();
  LowBits &bitsOf(llvm::Function &f);
  /// Returns whether the value is the value of a slot. `worst` becomes the assignment that limits
  /// its alignment, if there is one.
  bool holds(const llvm::Value &v, const Assignment *&worst) const;

private:
  using Place = std::pair<const llvm::GlobalVariable *, int64_t>;
  /// Uses of a variable, by byte offset.
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

  /// Finds the slot that the value comes from. Returns false if there is none.
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
