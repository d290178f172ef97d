// attributes.h - __attribute__((memlift("..."))) and [[memlift::off]]
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MEMLIFT_GCC_ATTRIBUTES_H
#define MEMLIFT_GCC_ATTRIBUTES_H

namespace memlift {

/// Call from PLUGIN_ATTRIBUTES.
void registerAttributes();
/// True if this plugin (another copy of it) has been loaded before.
bool attributesRegistered();

} // namespace memlift

#endif
