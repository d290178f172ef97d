// fits.cpp - a plugin works in the build of GCC that it was compiled for, and in its equals
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A plugin relies on the layouts of GCC's headers. Another revision of a distribution's package has
// another configure line, if only for its own number in it. Whether its headers are the same is
// found by memlift-gcc-rebuild, which compares all of them, and writes the configure lines of equal
// compilers to the file NAME.accepts beside the plugin.
#include "compat.h"
#include "fits.h"

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

/// Returns the path of a file that lies beside the plugin.
std::string besides(const plugin_name_args &info, const char *name) {
  std::string path = info.full_name ? info.full_name : "";
  size_t slash = path.rfind('/');
  return (slash == std::string::npos ? "" : path.substr(0, slash + 1)) + name;
}

/// Returns whether a line of the file is `text`.
bool hasLine(const std::string &file, const char *text) {
  FILE *stream = fopen(file.c_str(), "r");
  if (!stream)
    return false;
  std::string line;
  bool found = false;
  for (int c; !found && (c = fgetc(stream)) != EOF;)
    if (c != '\n') {
      line += char(c);
    } else {
      found = line == text;
      line.clear();
    }
  fclose(stream);
  return found;
}

/// Returns whether all that GCC says of its version is the same, but perhaps its configure line.
bool sameSources(const plugin_gcc_version &a, const plugin_gcc_version &b) {
  return !strcmp(a.basever, b.basever) && !strcmp(a.datestamp, b.datestamp) &&
         !strcmp(a.devphase, b.devphase) && !strcmp(a.revision, b.revision);
}

bool sameMajor(const plugin_gcc_version &a, const plugin_gcc_version &b) {
  return atoi(a.basever) == atoi(b.basever);
}

} // namespace

Fit compilerFits(const plugin_name_args &info, plugin_gcc_version &running) {
  if (plugin_default_version_check(&running, &gcc_version))
    return Fit::Yes;
  std::string built = targetOf(gcc_version.configuration_arguments);
  std::string here = targetOf(running.configuration_arguments);
  bool otherTarget = built != here;
  if (!otherTarget && sameSources(running, gcc_version) &&
      hasLine(besides(info, MEMLIFT_PLUGIN ".accepts"), running.configuration_arguments))
    return Fit::Yes;
  if (!otherTarget && sameMajor(running, gcc_version)) {
    std::string text = toolMessage(Diag::OtherBuild, {{"plugin", info.base_name},
                                                      {"built", describe(gcc_version)},
                                                      {"running", describe(running)}});
    inform(UNKNOWN_LOCATION, "memlift: %s [%s]", text.c_str(), codeOf(Diag::OtherBuild).c_str());
    return Fit::OtherBuild;
  }
  bool target = otherTarget && strcmp(running.basever, gcc_version.basever) == 0;
  Diag code = target ? Diag::WrongTarget : Diag::WrongCompilerVersion;
  std::string text = toolMessage(code, {{"plugin", info.base_name},
                                        {"built", target ? built : describe(gcc_version)},
                                        {"running", target ? here : describe(running)}});
  // In one call of what each GCC has by the same name: from GCC 15 on, locations have 64 bits.
  text += " [" + codeOf(code) + "]";
  text += "\nbuilt for: " + describe(gcc_version) + " configured with ";
  text += gcc_version.configuration_arguments;
  text += "\nrunning: " + describe(running) + " configured with ";
  text += running.configuration_arguments;
  error("memlift: %s", text.c_str());
  return Fit::No;
}

} // namespace memlift
