// carry.h - the decisions of a compilation travel with its functions to the link of LTO
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MEMLIFT_GCC_CARRY_H
#define MEMLIFT_GCC_CARRY_H

#include "../idioms/function.h"
#include "compat.h"

namespace memlift {

/// Registers the callback that writes the options into functions, for the link.
void watchCarried(const char *pluginName);

/// Keeps functions of different options from being inlined into one another. To be called at the
/// link, before the inliner.
void keepOptionsApart();

/// Makes `pluginOptions` those of the current function: at a link, the ones it was compiled with
/// win over those of the link. To be called before a pass asks for any.
void useOptionsOfFunction();

/// Whether `fndecl` was compiled without built-ins, as far as only its compilation knew.
bool carriedNoBuiltin(tree fndecl);

/// Adds the properties that only the compilation of `fndecl` knew.
void carriedProperties(tree fndecl, Properties &found);

} // namespace memlift

#endif
