// search.h - loops that end at what they read
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MEMLIFT_GCC_READ_SEARCH_H
#define MEMLIFT_GCC_READ_SEARCH_H

#include "translate.h"

namespace memlift {

/// Returns whether the loop may end at what it reads, and does nothing else; a cheap test.
bool maySearch(class loop *loop);
/// Reads such a loop (see Loop::dataExits). Returns false if it cannot be entered at any iteration.
bool readSearch(const Nest &nest, LoopBinding &binding);
/// Reads the accesses of the nest's body, on whatever side of an exit they are (read/body.cpp).
void readBody(Translator &t, LoopBinding &binding, const Nest &nest);

} // namespace memlift

#endif
