// builtin.h - __builtin_memlift_aligned(p, n) in GIMPLE
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MEMLIFT_GCC_ALIGN_BUILTIN_H
#define MEMLIFT_GCC_ALIGN_BUILTIN_H

namespace memlift {

/// Declares the builtin, at the start of a unit.
void declareAligned();

/// Does the unit call it at all?
bool asksAligned();

/// Is the argument one whose alignment matters: the builtin's, the pointers of
/// memset, memcpy and memmove?
bool asksAlignmentOf(gcall *call, unsigned argument);

/// Whether the unit has such calls.
bool asksAlignment();

/// Proves what arguments, returned pointers and variables hold, after inlining.
void proveEverywhere();

/// Folds its calls in the current function: those that are decided, or with `last`
/// all, what is not decided being 0. Returns a pass's TODOs.
unsigned foldAligned(bool last);

} // namespace memlift

#endif
