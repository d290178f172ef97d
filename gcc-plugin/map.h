// map.h - the user's own routines among the functions that GCC knows
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MEMLIFT_GCC_MAP_H
#define MEMLIFT_GCC_MAP_H

#include "compat.h"

namespace memlift {

/// Call once, from plugin_init: from then on each declaration and definition is
/// compared with the map.
void watchMapped(const char *pluginName);

/// The function that the linker will know by that name, or null.
tree mappedFunction(const std::string &symbol);

/// True of a routine of the map and of what such a routine calls: no loop of it
/// may become a call of what it serves.
bool servesMapped(tree fndecl);

} // namespace memlift

#endif
