// knownzero.h - which bits of a value are known to be 0
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A conservative analysis of single bits, for three purposes: a state whose upper bits are 0 before
// the loop (crcforms.cpp), masks that need not be emitted (crcany.cpp, decide/crc.cpp), and numbers
// that are extended by a sign that they cannot have (expr.cpp).
#ifndef MEMLIFT_IDIOMS_KNOWNZERO_H
#define MEMLIFT_IDIOMS_KNOWNZERO_H

#include "expr.h"

namespace memlift {

/// Returns the bits of an expression of at most 64 bits that are 0 whatever its
/// operands are.
uint64_t knownZero(const ExprGraph &g, ExprId id, unsigned depth = 8);

} // namespace memlift

#endif
