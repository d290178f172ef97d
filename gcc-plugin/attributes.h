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
/// Returns whether memlift("stream") or the option stream asks for the function's loops to be cut
/// into blocks, and the bytes of local store for them, 0 for all that there is.
bool asksForBlocks(tree fndecl, uint64_t &store);
/// Returns the same, where it is not for threads alone.
bool namesBlocks(tree fndecl, uint64_t &store);

/// Returns whether memlift("spread") or the option spread asks for the function's loops to be
/// computed by several threads. Those are then read as for blocks, too.
bool asksForThreads(tree fndecl);
/// Value of the attribute on functions that memlift makes of loops: those are as they should be. No
/// source may have it.
constexpr char OutlinedValue[] = "outlined";
/// Adds memlift("VALUE") to a function.
void addValue(tree fndecl, const char *value);
/// Returns true if the function has memlift("VALUE").
bool hasValue(tree fndecl, const char *value);
/// Refuses a function whose accesses may fault and are not covered (MLF0012).
void refuseUncovered(tree fndecl, const char *reason);
/// Marks a function as covered: its attribute has the value "covered", too.
void markCovered(tree fndecl);
/// Marks the functions that the attribute or the option asks to be shaped, and refuses those whose
/// accesses may fault if memlift is off. Call from plugin_init.
void watchShaped(const char *pluginName);

} // namespace memlift

#endif
