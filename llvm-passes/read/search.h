// search.h - loops that end at what they read
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MEMLIFT_LLVM_READ_SEARCH_H
#define MEMLIFT_LLVM_READ_SEARCH_H

#include "read/binding.h"

namespace memlift {

/// Returns whether the loop may end at what it reads, and does nothing else; a cheap test.
bool maySearch(const llvm::Loop &loop);
/// Reads such a loop (see Loop::dataExits). Returns false if it cannot be entered at any iteration.
bool readSearch(Env &env, llvm::Loop &loop, LoopBinding &binding);

} // namespace memlift

#endif
