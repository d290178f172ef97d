// map.h - the user's own routines among the functions that GCC knows
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MEMLIFT_GCC_MAP_H
#define MEMLIFT_GCC_MAP_H

#include "compat.h"

namespace memlift {

/// Registers the callbacks that compare declarations and definitions with the map, and that mark
/// the functions which memcpy and its like, or routines of the map, are made of.
void watchMapped(const char *pluginName);

/// The function that the linker will know by that name, or null.
tree mappedFunction(const std::string &symbol);

/// Marks the functions that memcpy and its like, or routines of the map, are made of: while calls
/// are edges of the call graph, so before anything is inlined. An alias of such a name makes its
/// target one.
void markServants();

/// Whether a routine of the map, or a function that is memcpy or its like, calls `fndecl` or takes
/// its address: a loop of it that became a call of that routine would never return.
bool servesIdiom(tree fndecl);

} // namespace memlift

#endif
