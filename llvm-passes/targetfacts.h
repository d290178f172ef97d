// targetfacts.h - what the target of a function multiplies, steps CRCs and clears blocks by
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MEMLIFT_LLVM_TARGETFACTS_H
#define MEMLIFT_LLVM_TARGETFACTS_H

#include "decide/decide.h"

namespace llvm {
class Function;
} // namespace llvm

namespace memlift {

/// By the function's processor and features, as attributes of it.
TargetFacts targetOf(const llvm::Function &f);
/// Whether one instruction loads or stores a word at any address: not with -mstrict-align, whatever
/// the core. The compiler makes bytes of it there, each with an instruction of its own.
bool takesUnaligned(const llvm::Function &f);
/// Whether one instruction puts the bytes of a vector in any order.
bool shufflesBytes(const llvm::Function &f);

} // namespace memlift

#endif
