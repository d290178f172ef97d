// map.h - the user's own routines among the functions that GCC knows
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MEMLIFT_GCC_MAP_H
#define MEMLIFT_GCC_MAP_H

#include "compat.h"

namespace memlift {

/// Registers the callbacks that compare declarations and definitions with the map, and that mark
/// the functions which implement memcpy and its like, or routines of the map.
void watchMapped(const char *pluginName);

/// Returns the function that the linker will know by that name, or null.
tree mappedFunction(const std::string &symbol);

/// Marks the functions that implement memcpy and its like, or routines of the map. Works on the
/// edges of the call graph, so it must run before any inlining. An alias of such a name makes its
/// target one of them.
void markServants();

/// Returns whether a routine of the map, or an implementation of memcpy or its like, calls `fndecl`
/// or takes its address. If a loop of `fndecl` became a call of that routine, it would never
/// return.
bool servesIdiom(tree fndecl);

} // namespace memlift

#endif
