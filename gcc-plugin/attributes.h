// attributes.h - __attribute__((memlift("..."))), and [[memlift::off]] and its like
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MEMLIFT_GCC_ATTRIBUTES_H
#define MEMLIFT_GCC_ATTRIBUTES_H

#include "compat.h"

namespace memlift {

/// Call from PLUGIN_ATTRIBUTES.
void registerAttributes();
/// True if this plugin (another copy of it) has been loaded before.
bool attributesRegistered();
/// True if the function has memlift("VALUE").
bool hasValue(tree fndecl, const char *value);
/// Has functions shaped that the attribute or the option asks for; call from plugin_init.
void watchShaped(const char *pluginName);

} // namespace memlift

#endif
