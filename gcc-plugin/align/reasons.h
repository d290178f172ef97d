// reasons.h - the facts of an alignment proof as things of the source
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MEMLIFT_GCC_ALIGN_REASONS_H
#define MEMLIFT_GCC_ALIGN_REASONS_H

#include "known.h"
#include "../../idioms/align/explain.h"

namespace memlift {

/// Explains a proof, like "test at f.c:12": why the pointer has its alignment, or why no more.
/// `known` may be null where only the function was analysed.
std::string reasonOf(const AlignProof &how, const KnownEverywhere *known);

/// Remembers a name's reason for later passes, which see only what is written to names.
void remember(tree name, const KnownEverywhere &known);

/// Returns "f.c:12", or "".
std::string sourcePlace(gimple *stmt);

} // namespace memlift

#endif
