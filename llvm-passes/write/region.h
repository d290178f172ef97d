// region.h - functions for code that is moved out of another one
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MEMLIFT_LLVM_REGION_H
#define MEMLIFT_LLVM_REGION_H

#include "read/binding.h"

namespace memlift {

/// Attribute of functions that were judged before, by an earlier stage of LTO or another copy of
/// this plugin.
constexpr char JudgedAttribute[] = "memlift-judged";

/// Makes an internal function with those attributes of `f` that hold for its loops elsewhere, too.
/// Its loops are those of `f`, so they count as judged.
llvm::Function *declareBeside(llvm::Function &f, llvm::FunctionType *type,
                              const llvm::Twine &suffix);

/// Removes debug information, which belongs to a function, also from the loops that end here.
void dropDebugInformation(llvm::BasicBlock &block);

/// Moves blocks into a function that is not inlined, and calls it. The first one is where they are
/// entered, from one block; the last one ends with the branch to where they are left.
void moveOut(Env &env, llvm::ArrayRef<llvm::BasicBlock *> blocks, const llvm::Twine &suffix,
             llvm::DebugLoc at);

} // namespace memlift

#endif
