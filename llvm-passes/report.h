// report.h - a verdict in the compiler's own channels and in the remarks file
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MEMLIFT_LLVM_REPORT_H
#define MEMLIFT_LLVM_REPORT_H

#include "read/picture.h"
#include "remark.h"

namespace memlift {

/// Emits a remark of function `f`, at `loc` in `block`, to the channels below.
void report(llvm::OptimizationRemarkEmitter &ore, llvm::Function &f, const Config &config,
            const Remark &remark, const llvm::DebugLoc &loc, const llvm::BasicBlock *block);

/// Emits the remark: -Rpass*=memlift, -fsave-optimization-record, remarks=FILE.
/// Call it while the IR is as the picture shows it.
void report(Env &env, const Picture &picture, const Outcome &outcome);

/// The picture, then the decision as a comment, to stderr.
void printPicture(const Picture &picture, const Outcome &outcome);

} // namespace memlift

#endif
