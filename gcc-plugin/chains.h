// chains.h - finds chains of loops that are one operation
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MEMLIFT_GCC_CHAINS_H
#define MEMLIFT_GCC_CHAINS_H

#include "read/chain.h"

namespace memlift {

/// Rewrites the chains of the current function; true if it changed. `handled` gets
/// their loops. The ordinal is that of the next remark; with true it is taken.
bool runChains(const std::function<unsigned(bool)> &nextOrdinal,
               const std::function<void()> &settle, std::set<class loop *> &handled);

} // namespace memlift

#endif
