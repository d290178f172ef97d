// join.h - stores at the ends of all paths to one join
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MEMLIFT_GCC_READ_JOIN_H
#define MEMLIFT_GCC_READ_JOIN_H

#include "translate.h"

namespace memlift {

/// Makes the last accesses of the body one store of a selection, if they are stores to one place of
/// which each iteration runs exactly one. Returns false if they are not. The body has been read.
bool joinStores(Translator &t, LoopBinding &binding, const Nest &nest);

} // namespace memlift

#endif
