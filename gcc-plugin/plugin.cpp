// plugin.cpp - GCC's entry point: checks the compiler, reads the options, registers the passes
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compat.h"
#include "align/builtin.h"
#include "async/async.h"
#include "attributes.h"
#include "carry.h"
#include "map.h"
#include "options.h"
#include "passes.h"
#include "require/require.h"
#include "write/routine.h"

// The licence (Apache-2.0 with LLVM exception) is compatible with GPL-3.0.
__attribute__((visibility("default"))) int plugin_is_GPL_compatible;

namespace memlift {
namespace {

/// Returns the value of --target= in GCC's configure arguments, else of --host, else "?".
std::string targetOf(const char *configuration) {
  for (const char *key : {"--target=", "--host=", "--build="})
    if (const char *at = strstr(configuration, key)) {
      at += strlen(key);
      return std::string(at, strcspn(at, " '"));
    }
  return "?";
}

std::string describe(const plugin_gcc_version &v) {
  return std::string("GCC ") + v.basever + " (" + v.datestamp + ", target " +
         targetOf(v.configuration_arguments) + ")";
}

/// Returns whether the running GCC is the one that the plugin was built for. A plugin relies on the
/// layouts of GCC's headers, which another build, even of the same version, may not share.
bool compilerFits(const char *plugin, plugin_gcc_version *running) {
  if (plugin_default_version_check(running, &gcc_version))
    return true;
  std::string built = targetOf(gcc_version.configuration_arguments);
  std::string here = targetOf(running->configuration_arguments);
  bool target = built != here && strcmp(running->basever, gcc_version.basever) == 0;
  Diag code = target ? Diag::WrongTarget : Diag::WrongCompilerVersion;
  std::string text = toolMessage(code, {{"plugin", plugin},
                                        {"built", target ? built : describe(gcc_version)},
                                        {"running", target ? here : describe(*running)}});
  error("memlift: %s [%s]", text.c_str(), codeOf(code).c_str());
  inform(UNKNOWN_LOCATION, "built for: %s configured with %s", describe(gcc_version).c_str(),
         gcc_version.configuration_arguments);
  inform(UNKNOWN_LOCATION, "running: %s configured with %s", describe(*running).c_str(),
         running->configuration_arguments);
  return false;
}

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
  if (!compilerFits(info->base_name, version))
    return 1;
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
