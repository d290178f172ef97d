// report.h - sends a verdict to each place that the user asked for
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MEMLIFT_GCC_REPORT_H
#define MEMLIFT_GCC_REPORT_H

#include "../idioms/remark.h"
#include "read/binding.h"

namespace memlift {

/// Returns whether remarks of the current function are enabled.
bool remarksEnabled();
/// Prints the loop model under print-loops, with the verdict as a comment.
void printModel(const LoopBinding &binding, const Outcome &outcome);
/// Returns the count of the current function's remarks, which its passes share, as it names the
/// next loop. Any of them may be the only one to run, so the count is kept with the function.
unsigned &remarkCount();
/// Emits a remark of the current function, to the same places.
void report(const Remark &remark, location_t where);
/// Emits the remark, to -fopt-info and its relatives, and to the remarks file.
void report(const LoopBinding &binding, const Outcome &outcome);

} // namespace memlift

#endif
