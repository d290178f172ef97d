// align.cpp - the alignment that an address certainly has
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "align.h"

#include <algorithm>

namespace memlift {

uint64_t alignmentOf(const Poly &p, uint64_t limit) {
  uint64_t align = limit;
  for (auto &[monomial, coefficient] : p) {
    (void)monomial; // it can have any value, so only the coefficient divides
    align = std::min(align, coefficient & (0 - coefficient));
  }
  return align;
}

uint64_t alignmentOf(const Loop &loop, uint32_t base, ExprId offset) {
  return alignmentOf(loop.exprs.poly(offset), loop.bases[base].align);
}

} // namespace memlift
