// row.h - writes what was decided about a row of loops
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MEMLIFT_GCC_WRITE_ROW_H
#define MEMLIFT_GCC_WRITE_ROW_H

#include "../../idioms/decide/row.h"
#include "routine.h"

namespace memlift {

/// Puts the decision beside the row; `binding` is the last unit's loop model with the
/// joined loop in it.
void writeRow(Row &row, LoopBinding &binding, const Joined &joined);

} // namespace memlift

#endif
