// unrolled.h - loops that GCC unrolls completely, judged while they are loops
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MEMLIFT_GCC_UNROLLED_H
#define MEMLIFT_GCC_UNROLLED_H

namespace memlift {

/// Before GCC's early complete unroller, if anybody listens.
unsigned noteLoops();
/// Behind it: tells of those that are gone.
unsigned tellUnrolled();
/// While all functions are still as written: tells of the loops of those over which GCC runs no
/// pass for loops.
unsigned tellUnseen();

} // namespace memlift

#endif
