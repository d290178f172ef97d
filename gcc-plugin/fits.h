// fits.h - whether the running GCC is one that this plugin can work in
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MEMLIFT_GCC_FITS_H
#define MEMLIFT_GCC_FITS_H

struct plugin_name_args;
struct plugin_gcc_version;

namespace memlift {

enum class Fit {
  Yes,
  OtherBuild, // the same major version and target, but perhaps other headers: a note was printed
  No          // an error was printed
};

/// Compares the running GCC with the one that the plugin was compiled for. Calls nothing of GCC but
/// its messages, so that it works in a GCC whose headers differ.
Fit compilerFits(const plugin_name_args &info, plugin_gcc_version &running);

} // namespace memlift

#endif
