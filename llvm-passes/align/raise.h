// raise.h - accesses that are better aligned than they say, objects that could be
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MEMLIFT_LLVM_ALIGN_RAISE_H
#define MEMLIFT_LLVM_ALIGN_RAISE_H

#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"

namespace memlift {

/// The bits of an access's address that it matters to prove; 0: none.
unsigned bitsToRaise(llvm::Instruction &i, const llvm::DataLayout &dl);
/// True if there is an access in `f` of less alignment than its width, neither volatile
/// nor atomic.
bool hasAccessToRaise(llvm::Function &f);
/// Raises the alignment of such accesses to what is proved; true if any was raised.
bool raiseAccesses(llvm::Function &f, const llvm::DominatorTree &dt, const llvm::LoopInfo &li,
                   llvm::AssumptionCache &ac);

/// Raises local and defined variables that memset, memcpy or memmove of a small
/// constant size is given, where that makes words of it; true if any was raised.
bool raiseObjects(llvm::Function &f, uint64_t mostBytes, const llvm::DominatorTree &dt,
                  const llvm::LoopInfo &li, llvm::AssumptionCache &ac);

} // namespace memlift

#endif
