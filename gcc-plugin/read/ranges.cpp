// ranges.cpp - GCC's value ranges, computed once for all loop models of a function
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ranges.h"

namespace memlift {

/// The ranger of the current function, null between passes.
static gimple_ranger *kept;

gimple_ranger *useRanges() {
  if (kept)
    rangesOf(cfun) = kept;
  else
    kept = enable_ranger(cfun);
  return kept;
}

void putRangesAside() {
  if (kept)
    rangesOf(cfun) = nullptr;
}

void forgetRanges() {
  if (!kept)
    return;
  rangesOf(cfun) = kept;
  disable_ranger(cfun);
  kept = nullptr;
}

} // namespace memlift
