// reasons.h - the facts of an alignment proof as things of the source
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MEMLIFT_GCC_ALIGN_REASONS_H
#define MEMLIFT_GCC_ALIGN_REASONS_H

#include "known.h"
#include "../../idioms/align/explain.h"

namespace memlift {

/// "test at f.c:12": why it is as aligned as it is, or why not more. `known` may be
/// null where only the function was looked at.
std::string reasonOf(const AlignProof &how, const KnownEverywhere *known);

/// For later passes, to which nothing is known but what is written to names.
void remember(tree name, const KnownEverywhere &known);

/// "f.c:12", or "".
std::string sourcePlace(gimple *stmt);

} // namespace memlift

#endif
