// reasons.h - the facts of an alignment proof as things of the source
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MEMLIFT_LLVM_ALIGN_REASONS_H
#define MEMLIFT_LLVM_ALIGN_REASONS_H

#include "align/known.h"
#include "align/explain.h"

namespace memlift {

/// Explains a proof, like "test at f.c:12": why the pointer has its alignment, or why no more.
/// `known` may be null where only the function was analysed.
std::string reasonOf(const AlignProof &how, const KnownEverywhere *known);

/// Returns "f.c:12", or "" without debug information.
std::string sourcePlace(const llvm::Instruction &i);

} // namespace memlift

#endif
