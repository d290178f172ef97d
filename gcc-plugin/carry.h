// carry.h - carries the options of a compilation with its functions to the link of LTO
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MEMLIFT_GCC_CARRY_H
#define MEMLIFT_GCC_CARRY_H

#include "../idioms/function.h"
#include "compat.h"

namespace memlift {

/// Registers the callback that writes the options into functions, for the link.
void watchCarried(const char *pluginName);

/// Keeps functions of different options from being inlined into one another. Call at the link,
/// before the inliner.
void keepOptionsApart();

/// Sets `pluginOptions` to those of the current function: at a link, the options that it was
/// compiled with win over those of the link. Call before a pass reads any.
void useOptionsOfFunction();

/// Returns whether `fndecl` was compiled without built-ins, as far as only its compilation knew.
bool carriedNoBuiltin(tree fndecl);

/// Adds the properties that only the compilation of `fndecl` knew.
void carriedProperties(tree fndecl, Properties &found);

} // namespace memlift

#endif
