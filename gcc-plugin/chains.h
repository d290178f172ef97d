// chains.h - finds chains of loops that are one operation
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MEMLIFT_GCC_CHAINS_H
#define MEMLIFT_GCC_CHAINS_H

#include "../idioms/drive/chains.h"
#include "read/chain.h"

namespace memlift {

/// Rewrites the chains of the current function. Returns true if it changed. `handled` gets their
/// loops. `settle` brings GCC's analyses up to date after each chain.
bool runChains(Driver &driver, const std::function<void()> &settle,
               std::set<class loop *> &handled);

} // namespace memlift

#endif
