// suggest.h - advice that is tried before it is given
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MEMLIFT_IDIOMS_SUGGEST_H
#define MEMLIFT_IDIOMS_SUGGEST_H

#include "decide.h"

namespace memlift {

/// Returns what the programmer can change so that a kept loop is lowered, or a
/// guarded one loses its guard. Each failed fact is flipped in a copy of the loop
/// model, and the decision is made again; advice is given only if that changes it. If
/// no single change helps but all together do, all are listed.
std::vector<std::string> suggestions(const Loop &loop, const Match &match, const Decision &decision,
                                     const Options &options);

} // namespace memlift

#endif
