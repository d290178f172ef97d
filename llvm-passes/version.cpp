// version.cpp - the plugin interface version of the headers that the build uses
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This is a file of its own, because entry.cpp must not see the header's declaration.
#if __has_include("llvm/Plugins/PassPlugin.h")
#include "llvm/Plugins/PassPlugin.h" // LLVM 22
#else
#include "llvm/Passes/PassPlugin.h"
#endif

namespace memlift {
extern const unsigned pluginApiVersion;
const unsigned pluginApiVersion = LLVM_PLUGIN_API_VERSION;
} // namespace memlift
