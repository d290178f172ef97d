// passes.h - loops after ldist, calls and assignments before veclower2, and the builtin
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MEMLIFT_GCC_PASSES_H
#define MEMLIFT_GCC_PASSES_H

namespace memlift {

/// Registers the passes; false if another copy of the plugin has done so.
bool registerPasses(const char *pluginName);

/// The passes' work on the current function; GCC's TODO flags.
unsigned runLoops();
unsigned runCalls();

} // namespace memlift

#endif
