// integers.h - rewrites pointers that a loop steps as integers into those integers
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MEMLIFT_LLVM_READ_INTEGERS_H
#define MEMLIFT_LLVM_READ_INTEGERS_H

#include "llvm/Analysis/LoopInfo.h"

namespace memlift {

/// Rewrites the innermost loop. Returns true if it did; scalar evolution must then forget the loop.
bool stepIntegers(const llvm::Loop &loop);

} // namespace memlift

#endif
