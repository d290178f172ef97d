// carried.h - scalars that a nest carries from one iteration to the next
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MEMLIFT_LLVM_READ_CARRIED_H
#define MEMLIFT_LLVM_READ_CARRIED_H

#include "read/binding.h"

namespace memlift {

/// On which side of a loop's exit test its work stands: see loop.cpp.
enum class Side { None, UpToExit, AfterExit, Mixed };

/// One scalar: a header phi for each loop of the nest, outermost first. The
/// outer ones only hand the value through.
struct Carried {
  std::vector<llvm::PHINode *> phis;
  llvm::Value *init = nullptr;  // before the nest
  llvm::Value *next = nullptr;  // after an iteration of the innermost body
  llvm::Value *after = nullptr; // what code behind the nest finds it as
};

/// All of the nest's but what counts linearly; `sides` as the nest.
std::vector<Carried> carriedScalars(Env &env, llvm::ArrayRef<llvm::Loop *> nest,
                                    llvm::ArrayRef<Side> sides);

/// A cheap look: might a scalar be carried that takes part in what is loaded?
bool mayCarryLoads(Env &env, const llvm::Loop &loop);

} // namespace memlift

#endif
