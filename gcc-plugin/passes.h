// passes.h - the two passes: loops after ldist, calls and assignments before veclower2
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MEMLIFT_GCC_PASSES_H
#define MEMLIFT_GCC_PASSES_H

namespace memlift {

/// Registers both passes, unless another copy of the plugin has done so.
void registerPasses(const char *pluginName);

/// The passes' work on the current function; GCC's TODO flags.
unsigned runLoops();
unsigned runCalls();

} // namespace memlift

#endif
