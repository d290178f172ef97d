// carried.h - scalars that a nest carries from one iteration to the next
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MEMLIFT_LLVM_READ_CARRIED_H
#define MEMLIFT_LLVM_READ_CARRIED_H

#include "read/binding.h"

namespace memlift {

/// Side of a loop's exit test on which its work is: see loop.cpp.
enum class Side { None, UpToExit, AfterExit, Mixed };

/// One scalar: a header phi for each loop of the nest, outermost first. The outer ones only pass
/// the value through.
struct Carried {
  std::vector<llvm::PHINode *> phis;
  llvm::Value *init = nullptr;  // before the nest
  llvm::Value *next = nullptr;  // after an iteration of the innermost body
  llvm::Value *after = nullptr; // its name after the nest
};

/// Lists the nest's carried scalars except linear counters; `sides` as the nest.
std::vector<Carried> carriedScalars(Env &env, llvm::ArrayRef<llvm::Loop *> nest,
                                    llvm::ArrayRef<Side> sides);

/// Returns whether the loop might carry a scalar that depends on its loads; a cheap test.
bool mayCarryLoads(Env &env, const llvm::Loop &loop);

} // namespace memlift

#endif
