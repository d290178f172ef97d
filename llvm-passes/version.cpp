// version.cpp - the plugin interface version of the headers we are built with
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A file of its own, because entry.cpp must not see the header's declaration.
#if __has_include("llvm/Plugins/PassPlugin.h")
#include "llvm/Plugins/PassPlugin.h" // 22
#else
#include "llvm/Passes/PassPlugin.h"
#endif

namespace memlift {
extern const unsigned pluginApiVersion;
const unsigned pluginApiVersion = LLVM_PLUGIN_API_VERSION;
} // namespace memlift
