// bounds.h - exit tests that scalar evolution does not read, as ones that it does
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MEMLIFT_LLVM_READ_BOUNDS_H
#define MEMLIFT_LLVM_READ_BOUNDS_H

#include "llvm/Analysis/LoopInfo.h"

namespace memlift {

/// True if an exit test of the simplified loop has changed.
bool compareWithPowers(const llvm::Loop &loop);

} // namespace memlift

#endif
