// likely.h - estimates how large a value may be
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MEMLIFT_LLVM_READ_LIKELY_H
#define MEMLIFT_LLVM_READ_LIKELY_H

#include <cstdint>

namespace llvm {
class SCEV;
class ScalarEvolution;
} // namespace llvm

namespace memlift {

/// Returns an upper bound of an unsigned value if no subtraction wraps below zero; 0 if it has
/// none below 2^31 - 1. No proof may rely on it.
uint64_t likelyMost(llvm::ScalarEvolution &se, const llvm::SCEV *s);

} // namespace memlift

#endif
