// suggest.h - advice that is tried before it is given
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MEMLIFT_IDIOMS_SUGGEST_H
#define MEMLIFT_IDIOMS_SUGGEST_H

#include "decide.h"

namespace memlift {

/// Adds to the outcome what the programmer can change so that a kept loop is lowered, or a
/// guarded one loses its guard. Each failed fact is flipped in a copy of the loop
/// model, and the decision is made again; advice is given only if that changes it. If
/// no single change helps but all together do, all are listed. A kept loop's gain becomes that of
/// the first advice.
void suggest(const Loop &loop, const Options &options, Outcome &outcome);

} // namespace memlift

#endif
