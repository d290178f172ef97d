// raise.h - raises the proved alignment of accesses, and the alignment of objects
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MEMLIFT_LLVM_ALIGN_RAISE_H
#define MEMLIFT_LLVM_ALIGN_RAISE_H

#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"

namespace memlift {

/// Returns how many low bits of the access's address are worth proving; 0: none.
unsigned bitsToRaise(llvm::Instruction &i, const llvm::DataLayout &dl);
/// Returns true if `f` has an access of less alignment than its width that is neither volatile nor
/// atomic.
bool hasAccessToRaise(llvm::Function &f);
/// Raises the alignment of such accesses to the proved one. Returns true if any was raised.
bool raiseAccesses(llvm::Function &f, const llvm::DominatorTree &dt, const llvm::LoopInfo &li,
                   llvm::AssumptionCache &ac);

/// Raises the alignment of local and defined variables that are operands of small constant-size
/// memset, memcpy or memmove, where that allows words. Returns true if any was raised.
bool raiseObjects(llvm::Function &f, uint64_t mostBytes, const llvm::DominatorTree &dt,
                  const llvm::LoopInfo &li, llvm::AssumptionCache &ac);

} // namespace memlift

#endif
