// attributes.h - __attribute__((memlift("..."))), and [[memlift::off]] and its like
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MEMLIFT_GCC_ATTRIBUTES_H
#define MEMLIFT_GCC_ATTRIBUTES_H

#include "compat.h"

namespace memlift {

/// Registers the attributes. Call from PLUGIN_ATTRIBUTES.
void registerAttributes();
/// Returns true if another copy of this plugin has been loaded before.
bool attributesRegistered();
/// Returns true if the function has memlift("VALUE").
/// Returns whether memlift("stream") or the option stream asks for the function's loops to be cut
/// into blocks, and the bytes of local store for them, 0 for all that there is.
bool asksForBlocks(tree fndecl, uint64_t &store);
bool hasValue(tree fndecl, const char *value);
/// Marks the functions that the attribute or the option asks to be shaped. Call from plugin_init.
void watchShaped(const char *pluginName);

} // namespace memlift

#endif
