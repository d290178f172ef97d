// blocks.h - blocks of memory that one instruction clears
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MEMLIFT_LLVM_BLOCKS_H
#define MEMLIFT_LLVM_BLOCKS_H

#include "llvm/IR/IRBuilder.h"

namespace memlift {

/// Op::ClearsBlocks: does the instruction clear `bytes` bytes here, and may the program use it?
llvm::Value *clearsBlocks(llvm::IRBuilder<> &b, uint64_t bytes);

/// Clears the block that `at` points to.
void clearBlock(llvm::IRBuilder<> &b, llvm::Value *at);

} // namespace memlift

#endif
