// spread.h - what iterations of a nest hand on, and what binds its code to its function
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MEMLIFT_GCC_READ_SPREAD_H
#define MEMLIFT_GCC_READ_SPREAD_H

#include "binding.h"

namespace memlift {

/// A PHI of the outermost loop's header that is no counter.
struct CarriedPhi {
  gphi *phi;
  Carry::Kind kind;
  std::vector<tree> members; // its values in the loop
};

/// Lists them, in the order of the PHIs.
std::vector<CarriedPhi> carriedPhis(class loop *loop);

/// Returns whether the value of a PHI before each iteration can be computed from the number of that
/// iteration: it begins at its value before the loop, and grows by iv.step.
bool isCounter(class loop *loop, gphi *phi, affine_iv &iv);

/// Adds to the loop model what decisions about threads need.
void readSpread(const Nest &nest, LoopBinding &binding);

} // namespace memlift

#endif
