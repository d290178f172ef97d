// report.h - sends a verdict to the compiler's own channels and to the remarks file
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MEMLIFT_LLVM_REPORT_H
#define MEMLIFT_LLVM_REPORT_H

#include "read/binding.h"
#include "remark.h"

namespace memlift {

/// Emits a remark of function `f`, at `loc` in `block`, to the channels below.
void report(llvm::OptimizationRemarkEmitter &ore, llvm::Function &f, const Config &config,
            const Remark &remark, const llvm::DebugLoc &loc, const llvm::BasicBlock *block);

/// Emits the remark: -Rpass*=memlift, -fsave-optimization-record, remarks=FILE.
/// Call it while the IR is as the loop model shows it.
void report(Env &env, const LoopBinding &binding, const Outcome &outcome);

/// Prints the loop model, then the decision as a comment, to stderr.
void printModel(const LoopBinding &binding, const Outcome &outcome);

} // namespace memlift

#endif
