// spread.h - makes a function of a nest's iterations, which memlift_spread calls
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MEMLIFT_LLVM_WRITE_SPREAD_H
#define MEMLIFT_LLVM_WRITE_SPREAD_H

#include "write/write.h"

namespace memlift {

/// Carries out a decision with a SpreadPlan. The binding's IR pointers stay valid.
void spreadLoop(Env &env, LoopBinding &binding, const Decision &decision);

} // namespace memlift

#endif
