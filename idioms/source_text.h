// source_text.h - expressions of a loop model as a C programmer writes them, for messages
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MEMLIFT_IDIOMS_SOURCE_TEXT_H
#define MEMLIFT_IDIOMS_SOURCE_TEXT_H

#include "loop.h"

namespace memlift {

/// Returns the expression as C: "n - 1", "4 * n", "s[i] << 8", "min(n, 16)". NoExpr is "unknown".
/// The loops of a nest count with i, j, k. Parts that no C name or operator describes, and the
/// innermost parts of a long expression, are "...".
///
/// Numbers are shown as if they had no limit: conversions that keep the value are left out, and
/// sums are put in order. In a condition (width 1) a sum that may wrap has a cast, since tests for
/// overflow would look like truisms otherwise.
std::string sourceText(const Loop &loop, ExprId id);

} // namespace memlift

#endif
