// alias.h - proves which accesses of a loop model touch different memory
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MEMLIFT_LLVM_PROVE_ALIAS_H
#define MEMLIFT_LLVM_PROVE_ALIAS_H

#include "read/binding.h"

namespace memlift {

/// Returns true if pointers derived from `a` never reach memory that those from `b` do.
bool basesDisjoint(Env &env, llvm::Value *a, llvm::Value *b);
/// Adds to the loop model which pairs of a store and another access never overlap, in any two
/// iterations of the nest.
void proveAliases(Env &env, LoopBinding &binding);

} // namespace memlift

#endif
