// bounds.h - rewrites exit tests into forms that scalar evolution reads
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MEMLIFT_LLVM_READ_BOUNDS_H
#define MEMLIFT_LLVM_READ_BOUNDS_H

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"

namespace memlift {

/// Rewrites the exit tests of a simplified loop. Returns true if one has changed.
bool compareWithPowers(const llvm::Loop &loop);

/// Rewrites counters of the loop that are subtracted by an exclusive or. Returns true if one was.
bool subtractCounters(const llvm::Loop &loop, llvm::ScalarEvolution &se);

/// Returns how often the back edge is taken at most, by the tests on the way to the loop; 0 if
/// they do not say.
uint64_t mostTaken(llvm::ScalarEvolution &se, const llvm::Loop &loop, const llvm::SCEV *taken);

} // namespace memlift

#endif
