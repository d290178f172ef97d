// passes.h - the passes: loops after ldist, calls and assignments before veclower2, the builtin
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MEMLIFT_GCC_PASSES_H
#define MEMLIFT_GCC_PASSES_H

namespace memlift {

/// Registers the passes. Returns false if another copy of the plugin has done so.
bool registerPasses(const char *pluginName);

/// Do the work of the passes on the current function. Return the TODO_ flags for the pass manager.
unsigned runLoops();
unsigned runCalls();

} // namespace memlift

#endif
