// alias.h - which accesses of a loop model touch different memory, and why
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MEMLIFT_LLVM_PROVE_ALIAS_H
#define MEMLIFT_LLVM_PROVE_ALIAS_H

#include "read/binding.h"

namespace memlift {

/// Fills loop model.loop.aliases. What it says holds over all iterations.
/// True if pointers made from one never reach what those from the other do.
bool basesApart(Env &env, llvm::Value *a, llvm::Value *b);
void proveAliases(Env &env, LoopBinding &binding);

} // namespace memlift

#endif
