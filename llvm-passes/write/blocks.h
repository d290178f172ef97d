// blocks.h - clears blocks of memory by one instruction
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MEMLIFT_LLVM_BLOCKS_H
#define MEMLIFT_LLVM_BLOCKS_H

#include "llvm/IR/IRBuilder.h"

namespace memlift {

/// Emits Op::ClearsBlocks: whether the instruction clears `bytes` bytes here, and the program may
/// use it.
llvm::Value *clearsBlocks(llvm::IRBuilder<> &b, uint64_t bytes);

/// Clears the block that `at` points to.
void clearBlock(llvm::IRBuilder<> &b, llvm::Value *at);

} // namespace memlift

#endif
