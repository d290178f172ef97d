// bounds.h - rewrites exit tests into forms that scalar evolution reads
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MEMLIFT_LLVM_READ_BOUNDS_H
#define MEMLIFT_LLVM_READ_BOUNDS_H

#include "llvm/Analysis/LoopInfo.h"

namespace memlift {

/// Rewrites the exit tests of a simplified loop. Returns true if one has changed.
bool compareWithPowers(const llvm::Loop &loop);

} // namespace memlift

#endif
