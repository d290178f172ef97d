// unrolled.h - loops that LLVM unrolls completely, judged while they are loops
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MEMLIFT_LLVM_UNROLLED_H
#define MEMLIFT_LLVM_UNROLLED_H

#include "read/binding.h"
#include "remark.h"

namespace llvm {
class PassBuilder;
} // namespace llvm

namespace memlift {

/// Notes each loop of a constant number of rounds before LLVM's complete unroller,
/// and tells behind it what was found out about those that are gone. A copy or fill
/// that wants a run-time check is kept a loop until memlift's pass proper.
void registerUnrolled(llvm::PassBuilder &builder);

/// Lets LLVM's later unroller have what was kept a loop; true if it was.
bool releaseRolled(llvm::Loop &loop);

} // namespace memlift

#endif
