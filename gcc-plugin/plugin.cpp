// plugin.cpp - GCC's entry point: checks the compiler, reads the options, registers the passes
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compat.h"
#include "align/builtin.h"
#include "async/async.h"
#include "attributes.h"
#include "carry.h"
#include "fits.h"
#include "map.h"
#include "options.h"
#include "passes.h"
#include "require/require.h"
#include "write/routine.h"

// The licence (Apache-2.0 with LLVM exception) is compatible with GPL-3.0.
__attribute__((visibility("default"))) int plugin_is_GPL_compatible;

namespace memlift {
namespace {

void onAttributes(void *, void *) {
  if (!attributesRegistered())
    registerAttributes();
}

void onStartUnit(void *, void *) { completeOptions(); }

void onStartUnitWithPasses(void *, void *) { declareAligned(); }

/// Gives the options to the copy of this plugin that registered the passes. Returns false after an
/// error message.
bool handOver(const plugin_name_args *info) {
  using Adopt = bool (*)(const plugin_name_args *);
  auto adopt = reinterpret_cast<Adopt>(dlsym(RTLD_DEFAULT, "memlift_adopt_options"));
  return !adopt || adopt(info);
}

} // namespace
} // namespace memlift

/// Takes over the options of a copy of this plugin that GCC initialised later. GCC goes through the
/// plugins in the order of a hash of their names, so the copy that was named with options may come
/// second. All copies export this; a search in load order finds the one that came first.
extern "C" __attribute__((visibility("default"))) bool
memlift_adopt_options(const plugin_name_args *info) {
  return memlift::parseOptions(*info);
}

/// Entry point. Returns non-zero when the compiler may not go on: GCC then stops with a message of
/// its own after ours.
__attribute__((visibility("default"))) int plugin_init(plugin_name_args *info,
                                                       plugin_gcc_version *version) {
  using namespace memlift;
  static plugin_info about = {MEMLIFT_VERSION, "finds loops that fill, copy or move memory"};
  switch (compilerFits(*info, *version)) {
  case Fit::No: return 1;
  case Fit::OtherBuild: return 0; // nothing is registered: the file is compiled as without a plugin
  case Fit::Yes: break;
  }
  if (!parseOptions(*info))
    return 1;
  register_callback(info->base_name, PLUGIN_INFO, nullptr, &about);
  if (pluginOptions.help)
    printHelp(info->base_name);
  register_callback(info->base_name, PLUGIN_ATTRIBUTES, onAttributes, nullptr);
  register_callback(info->base_name, PLUGIN_START_UNIT, onStartUnit, nullptr);
  watchCarried(info->base_name);
  watchShaped(info->base_name);
  if (pluginOptions.off)
    watchRequired(info->base_name);
  else {
    keepDeclarations(info->base_name);
    keepAsyncDeclarations(info->base_name);
    watchMapped(info->base_name);
    if (registerPasses(info->base_name)) { // another copy of this plugin may have registered them
      register_callback(info->base_name, PLUGIN_START_UNIT, onStartUnitWithPasses, nullptr);
      watchRequired(info->base_name);
    } else if (!handOver(info))
      return 1;
  }
  return 0;
}
