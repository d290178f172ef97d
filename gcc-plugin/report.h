// report.h - a verdict, wherever the user asked for it
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MEMLIFT_GCC_REPORT_H
#define MEMLIFT_GCC_REPORT_H

#include "../idioms/remark.h"
#include "read/binding.h"

namespace memlift {

/// True if anybody gets to see remarks of the current function.
bool isHeard();
/// Prints the loop model under print-loops: `verdict` follows as a comment.
void printModel(const LoopBinding &binding, const Outcome &outcome);
/// A remark of the current function, to the same places.
void report(const Remark &remark, location_t where);
/// The remark, to -fopt-info and its relatives, and to the remarks file.
void report(const LoopBinding &binding, const Outcome &outcome);

} // namespace memlift

#endif
