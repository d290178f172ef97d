// options.h - the plugin's arguments, checked, as one struct
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MEMLIFT_GCC_OPTIONS_H
#define MEMLIFT_GCC_OPTIONS_H

#include "../idioms/decide/decide.h"

#include <string>
#include <vector>

struct plugin_name_args;

namespace memlift {

/// Set once by plugin_init, read by the passes. GCC compiles in one thread.
struct PluginOptions {
  PluginOptions() { judge.searches = false; }
  Options judge; // runtime, core
  bool trustTypes = false;
  bool trustNames = false; // memset is memset without built-ins, too
  bool async = false;      // operations overlap every function
  bool printLoops = false;
  bool printAlignment = false;
  bool off = false;
  bool help = false;
  std::string remarks;           // file to append records to, or empty
  std::string require = "error"; // what to do where a requirement is not met
  std::string keep;              // comma-separated function names
  std::string shape;             // comma-separated function names
  std::string stream;            // comma-separated function names, or "all"
  uint64_t streamStore = 0;
  std::string spread; // as stream
  /// Given options that a link has to know, each as "name" or "name=value".
  std::vector<std::string> given;
};

extern PluginOptions pluginOptions;

/// Fills `pluginOptions` from -fplugin-arg-NAME-OPTION[=VALUE]. Returns false after an error
/// message (MLF0001, MLF0002, MLF0003) that names the valid spellings.
bool parseOptions(const plugin_name_args &info);
/// Fills in options that depend on the compiler's own, which are complete only after plugin_init:
/// the core named by -mtune, or the target's usual one.
void completeOptions();
/// Returns lines for the link: `given`, and the core that -mtune or the like named.
std::string givenOptions();
/// Returns whether a link must not inline functions compiled with different values of the option
/// into one another.
bool isKeptApart(const std::string &name);
/// Applies one of these lines to `pluginOptions`. It was checked when it was written.
void applyCarried(const std::string &name, const std::string &value);
void printHelp(const char *pluginName);

} // namespace memlift

#endif
