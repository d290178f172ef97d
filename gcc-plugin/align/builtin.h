// builtin.h - __builtin_memlift_aligned(p, n) in GIMPLE
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MEMLIFT_GCC_ALIGN_BUILTIN_H
#define MEMLIFT_GCC_ALIGN_BUILTIN_H

namespace memlift {

/// Declares the builtin at the start of a translation unit.
void declareAligned();

/// Returns whether the unit calls the builtin.
bool asksAligned();

/// Returns whether the argument's alignment matters: that of the builtin, and the pointers of
/// memset, memcpy and memmove.
bool asksAlignmentOf(gcall *call, unsigned argument);

/// Returns whether the unit has calls with such arguments.
bool asksAlignment();

/// Proves the alignment of arguments, returned pointers and variables of the whole unit, after
/// inlining.
void proveEverywhere();

/// Folds calls of the builtin in the current function: the decided ones, or with `last` all, the
/// undecided to 0. Returns the TODO_ flags for the pass manager of GCC.
unsigned foldAligned(bool last);

} // namespace memlift

#endif
