// targetfacts.h - the instructions of a function's target, and LLVM's habits
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MEMLIFT_LLVM_TARGETFACTS_H
#define MEMLIFT_LLVM_TARGETFACTS_H

#include "decide/decide.h"

namespace llvm {
class Function;
} // namespace llvm

namespace memlift {

/// Returns the target's facts, by the processor and features in the function's attributes.
TargetFacts targetOf(const llvm::Function &f);
/// Habits of LLVM's passes and code generators. Its scheduler puts all loads of an iteration first;
/// its RISC-V back end makes mul of mulw where only 32 bits are used; its strength reduction takes
/// back the steps of descending pointers.
constexpr CompilerFacts compilerFacts = [] {
  CompilerFacts facts;
  facts.hoistsLoads = facts.widensProducts = facts.countsDescents = true;
  return facts;
}();
/// Returns whether one instruction loads or stores a word at any address. Not with -mstrict-align,
/// whatever the core: the compiler then splits the word into bytes, each with an instruction of its
/// own.
bool takesUnaligned(const llvm::Function &f);
/// Returns whether one instruction permutes the bytes of a vector freely.
bool shufflesBytes(const llvm::Function &f);

} // namespace memlift

#endif
