// ranges.h - GCC's value ranges, computed once for all loop models of a function
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A ranger looks at every block of the function, and each new one does so again. Its results hold
// until the code changes.
#ifndef MEMLIFT_GCC_READ_RANGES_H
#define MEMLIFT_GCC_READ_RANGES_H

#include "../compat.h"

namespace memlift {

/// Returns the current function's ranges, which GCC's own analyses use as well until
/// putRangesAside().
gimple_ranger *useRanges();
/// Leaves GCC's analyses with ranges that hold everywhere in the function.
void putRangesAside();
/// Drops the ranges; call it after each change of the code, and when a pass ends.
void forgetRanges();

} // namespace memlift

#endif
