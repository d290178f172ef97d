// reasons.h - the facts of an alignment proof as things of the source
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MEMLIFT_LLVM_ALIGN_REASONS_H
#define MEMLIFT_LLVM_ALIGN_REASONS_H

#include "align/known.h"
#include "align/explain.h"

namespace memlift {

/// "test at f.c:12": why it is as aligned as it is, or why not more. `known` may be
/// null where only the function was looked at.
std::string reasonOf(const AlignProof &how, const KnownEverywhere *known);

/// "f.c:12", or "" without debug information.
std::string sourcePlace(const llvm::Instruction &i);

} // namespace memlift

#endif
