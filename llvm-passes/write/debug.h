// debug.h - debug information of variables whose loops were replaced
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MEMLIFT_LLVM_WRITE_DEBUG_H
#define MEMLIFT_LLVM_WRITE_DEBUG_H

#include "compat.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"

#include <vector>

namespace memlift {

/// The user's variables that records in a region give a value. With the region, its
/// records go: without new ones, the last record before it would be believed.
class BoundVariables {
public:
  /// Collects the records before the control flow changes. The region is left at the end of `last`;
  /// null: in several places, and no variable's value there is known.
  BoundVariables(llvm::ArrayRef<llvm::BasicBlock *> region, const llvm::BasicBlock *last,
                 const llvm::DominatorTree &dt);
  BoundVariables(const BoundVariables &) = delete;
  ~BoundVariables();
  /// Makes the variables' values unknown from the start of `arm` on, which replaces the region.
  void forget(llvm::BasicBlock &arm) const;
  /// Binds to `phi`, at its place, the variables that were `old` at the region's end.
  void bind(llvm::PHINode &phi, const llvm::Value *old) const;

private:
  struct Variable {
    llvm::DebugVariable id;
    compat::DebugRecord *last;  // a copy of the last record, owned
    const llvm::BasicBlock *at; // block of the last record
    bool certain;               // it reaches the region's end
  };
  std::vector<Variable> variables;

  void note(const compat::DebugRecord &record, const llvm::BasicBlock *at,
            const llvm::BasicBlock *end, const llvm::DominatorTree &dt);
};

} // namespace memlift

#endif
