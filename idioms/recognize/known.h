// known.h - which bits of a value are known to be 0
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MEMLIFT_IDIOMS_KNOWN_H
#define MEMLIFT_IDIOMS_KNOWN_H

#include "../expr.h"

namespace memlift {

/// Bits of an expression of at most 64 bits that are 0 whatever its operands are.
uint64_t knownZero(const ExprGraph &g, ExprId id, unsigned depth = 8);

} // namespace memlift

#endif
