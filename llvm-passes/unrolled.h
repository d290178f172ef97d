// unrolled.h - judges loops that LLVM unrolls completely while they are loops
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MEMLIFT_LLVM_UNROLLED_H
#define MEMLIFT_LLVM_UNROLLED_H

#include "read/binding.h"
#include "judge.h"

namespace llvm {
class PassBuilder;
} // namespace llvm

namespace memlift {

/// Registers passes that note each loop of a constant number of iterations before LLVM's complete
/// unroller, and report those that are gone after it. A copy or fill that needs a run-time check is
/// kept a loop until memlift's pass proper.
void registerUnrolled(llvm::PassBuilder &builder);

/// Returns how many loops of the function have a name already: those that were judged as steps of a
/// shift register before they could be unrolled, and those that were unrolled.
unsigned namedOf(const llvm::Function &f);

/// Lets LLVM's later unroller unroll a loop that was kept. Returns true if it was.
bool releaseRolled(llvm::Loop &loop);

} // namespace memlift

#endif
