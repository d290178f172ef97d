// chain.h - writes the decision about a chain of loops
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MEMLIFT_GCC_WRITE_CHAIN_H
#define MEMLIFT_GCC_WRITE_CHAIN_H

#include "../../idioms/decide/chain.h"
#include "routine.h"

namespace memlift {

/// Puts the decision beside the chain; `binding` is the last link's loop model with the joined loop
/// in it.
void writeChain(LoopChain &chain, LoopBinding &binding, const Joined &joined);

} // namespace memlift

#endif
