// report.h - a verdict in the compiler's own channels and in the remarks file
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MEMLIFT_LLVM_REPORT_H
#define MEMLIFT_LLVM_REPORT_H

#include "read/picture.h"
#include "remark.h"

namespace memlift {

/// Emits the remark: -Rpass*=memlift, -fsave-optimization-record, remarks=FILE.
/// Call it while the IR is as the picture shows it.
void report(Env &env, const Picture &picture, const Outcome &outcome);

/// The picture, then the decision as a comment, to stderr.
void printPicture(const Picture &picture, const Outcome &outcome);

} // namespace memlift

#endif
