// unrolled.h - judges loops that GCC unrolls completely while they are loops
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MEMLIFT_GCC_UNROLLED_H
#define MEMLIFT_GCC_UNROLLED_H

namespace memlift {

/// Notes loops before GCC's early complete unroller, if remarks are enabled. Keeps those from it
/// that become look-ups.
unsigned noteLoops();
/// Gives the loops that were kept back to the unrollers.
void releaseRolled();
/// Reports noted loops that are gone after the unroller.
unsigned emitUnrolledRemarks();
/// Reports the loops of functions over which GCC runs no pass for loops, while all functions are
/// still as written.
unsigned emitUnseenRemarks();

} // namespace memlift

#endif
