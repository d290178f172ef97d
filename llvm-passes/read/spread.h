// spread.h - what iterations of a loop hand on, and what binds its code to its function
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MEMLIFT_LLVM_READ_SPREAD_H
#define MEMLIFT_LLVM_READ_SPREAD_H

#include "read/binding.h"

namespace memlift {

/// A phi of the header that is no counter.
struct CarriedPhi {
  llvm::PHINode *phi;
  Carry::Kind kind;
  std::vector<llvm::Instruction *> joins; // operations on the way from the phi to its next value
};

/// Lists them, in the order of the phis.
std::vector<CarriedPhi> carriedPhis(Env &env, llvm::Loop &loop);

/// Returns the recurrence of a phi whose value before each iteration can be computed from the
/// number of that iteration, or null.
const llvm::SCEVAddRecExpr *counterOf(Env &env, llvm::Loop &loop, llvm::PHINode &phi);

/// Adds to the loop model what decisions about threads need.
void readSpread(Env &env, LoopBinding &binding);

} // namespace memlift

#endif
