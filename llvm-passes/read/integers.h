// integers.h - pointers that a loop steps as integers, as the integers they are
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MEMLIFT_LLVM_READ_INTEGERS_H
#define MEMLIFT_LLVM_READ_INTEGERS_H

#include "llvm/Analysis/LoopInfo.h"

namespace memlift {

/// Rewrites the innermost loop; true if it did. Scalar evolution has to forget
/// what it knew of it then.
bool stepIntegers(const llvm::Loop &loop);

} // namespace memlift

#endif
