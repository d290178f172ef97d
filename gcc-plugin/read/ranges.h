// ranges.h - GCC's value ranges, made up once for all loop models of a function
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// To make them up, GCC looks at every block of the function, and again for each
// new ranger. What it has found holds until the code changes.
#ifndef MEMLIFT_GCC_READ_RANGES_H
#define MEMLIFT_GCC_READ_RANGES_H

#include "../compat.h"

namespace memlift {

/// The current function's ranges, which GCC's own analyses use as well until they
/// are put aside.
gimple_ranger *useRanges();
/// GCC's analyses are left with what holds everywhere in the function.
void putRangesAside();
/// Behind each change of the code, and when a pass ends.
void forgetRanges();

} // namespace memlift

#endif
