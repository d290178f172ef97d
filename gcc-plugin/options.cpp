// options.cpp - the plugin's arguments, checked against the table that the wrappers use too
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compat.h"
#include "options.h"
#include "targetfacts.h"
#include "../idioms/streamsize.h"

namespace memlift {

PluginOptions pluginOptions;

namespace {

enum class Kind { Enum, String, Map, Flag };
enum class OptionId {
  Runtime,
  Core,
  TrustTypes,
  TrustNames,
  PrintLoops,
  PrintAlignment,
  CountCalls,
  Searches,
  Verify,
  Remarks,
  Keep,
  Shape,
  Map,
  Async,
  Stream,
  StreamStore,
  Require,
  Spread,
  Off,
  Help
};

struct OptionRecord {
  const char *name;
  Kind kind;
  const char *values, *help;
  OptionId id;
  const char *meta;
  bool keptApart;
};

const OptionRecord records[] = {
#define MEMLIFT_OPTION(NAME, KIND, VALUES, HELP, ENUM, DEFAULT, META, APART)                       \
  {NAME, Kind::KIND, VALUES, HELP, OptionId::ENUM, META, APART != 0},
#include "../intrinsics/generated/Options.inc"
#undef MEMLIFT_OPTION
};

const OptionRecord *findOption(const char *name) {
  for (const OptionRecord &r : records)
    if (strcmp(r.name, name) == 0)
      return &r;
  return nullptr;
}

/// Returns whether a link has to know the option's value. The other options control output, or are
/// done once the file has been read.
bool isCarried(OptionId id) {
  switch (id) {
  case OptionId::PrintLoops:
  case OptionId::PrintAlignment:
  case OptionId::CountCalls:
  case OptionId::Shape:
  case OptionId::Help: return false;
  default: return true;
  }
}

bool isOneOf(const std::string &value, const std::string &list) {
  return !value.empty() && ("|" + list + "|").find("|" + value + "|") != std::string::npos &&
         value.find('|') == std::string::npos;
}

std::string expectation(const OptionRecord &r) {
  if (r.kind == Kind::Flag)
    return "no value";
  return r.kind == Kind::Enum ? std::string(r.values) : std::string("a ") + r.meta;
}

void refuse(Diag code, const std::string &message) {
  error("memlift: %s [%s]", message.c_str(), codeOf(code).c_str());
}

/// Returns the argument as it was written: if the value has more equals signs, GCC 12 drops as many
/// characters at its end.
std::string asWritten(const std::string &plugin, const std::string &key) {
  std::string start = plugin + "-" + key + "=", last;
  for (unsigned i = 0; i < save_decoded_options_count; ++i) {
    const cl_decoded_option &o = save_decoded_options[i];
    if (o.opt_index == OPT_fplugin_arg_ && o.arg && startswith(o.arg, start.c_str()))
      last = o.arg + start.size();
  }
  return last;
}

bool parseMap(const std::string &value) {
  Diag code;
  std::string message, note;
  if (pluginOptions.judge.map.parse(value, code, message, note))
    return true;
  refuse(code, message);
  inform(UNKNOWN_LOCATION, "%s", note.c_str());
  return false;
}

bool checkValue(const OptionRecord &r, const char *value, const char *plugin) {
  bool good = r.kind == Kind::Flag   ? !value
              : r.kind == Kind::Enum ? value && isOneOf(value, r.values)
                                     : value && *value;
  uint64_t bytes;
  if (r.id == OptionId::StreamStore)
    good = value && parseStoreSize(value, bytes);
  if (good)
    return r.kind != Kind::Map || parseMap(asWritten(plugin, r.name));
  if (r.id == OptionId::Core && value && *value) {
    refuse(Diag::UnknownCore, toolMessage(Diag::UnknownCore, {{"core", value}}));
    inform(UNKNOWN_LOCATION, "known cores: %s", coreNames().c_str());
    return false;
  }
  refuse(Diag::BadValue, toolMessage(Diag::BadValue, {{"value", value ? value : ""},
                                                      {"option", r.name},
                                                      {"expected", expectation(r)}}));
  return false;
}

void apply(OptionId id, const char *value) {
  PluginOptions &o = pluginOptions;
  switch (id) {
  case OptionId::Runtime:
    o.judge.runtimeGiven = true;
    o.judge.runtime = !strcmp(value, "libc")   ? RuntimeMode::Libc
                      : !strcmp(value, "none") ? RuntimeMode::None
                                               : RuntimeMode::Memlift;
    break;
  case OptionId::Core: o.judge.core = findCore(value); break;
  case OptionId::TrustTypes: o.trustTypes = true; break;
  case OptionId::TrustNames: o.trustNames = true; break;
  case OptionId::Async: o.async = true; break;
  case OptionId::PrintLoops: o.printLoops = true; break;
  case OptionId::PrintAlignment: o.printAlignment = true; break;
  case OptionId::CountCalls: break; // no such call is left by the time that a plugin could look
  case OptionId::Searches: o.judge.searches = true; break;
  case OptionId::Verify: o.judge.verifyTrials = verifyTrialsAsked; break;
  case OptionId::Remarks: o.remarks = value; break;
  case OptionId::Keep: o.keep = value; break;
  case OptionId::Shape: o.shape = value; break;
  case OptionId::Stream: o.stream = value; break;
  case OptionId::StreamStore: parseStoreSize(value, o.streamStore); break;
  case OptionId::Require: o.require = value; break;
  case OptionId::Spread: o.spread = value; break;
  case OptionId::Map: break; // checkValue has read it
  case OptionId::Off: o.off = true; break;
  case OptionId::Help: o.help = true; break;
  }
}

/// The link may run in another directory.
std::string lineOf(const OptionRecord &r, const char *value, const char *plugin) {
  if (r.kind == Kind::Flag)
    return r.name;
  std::string text = r.kind == Kind::Map ? asWritten(plugin, r.name) : value;
  if (r.id == OptionId::Remarks && text[0] != '/')
    text = std::string(getpwd()) + "/" + text;
  return std::string(r.name) + "=" + text;
}

/// Allows nothing unaligned where the target traps on it, whatever the core.
void useCore(Options &judge, const Core *core) {
  judge.core = STRICT_ALIGNMENT ? &alignedOnly(*core) : core;
}

} // namespace

std::string givenOptions() {
  std::string text;
  bool core = false;
  for (const std::string &line : pluginOptions.given) {
    text += line + "\n";
    core |= startswith(line.c_str(), "core=");
  }
  if (!core && pluginOptions.judge.coreNamed)
    text += std::string("core=") + pluginOptions.judge.core->name + "\n";
  return text;
}

bool isKeptApart(const std::string &name) {
  const OptionRecord *r = findOption(name.c_str());
  return r && r->keptApart;
}

void applyCarried(const std::string &name, const std::string &value) {
  const OptionRecord *r = findOption(name.c_str());
  if (!r)
    return;
  if (r->kind == Kind::Map)
    parseMap(value);
  else
    apply(r->id, value.c_str());
  if (r->id == OptionId::Core && pluginOptions.judge.core) {
    pluginOptions.judge.coreNamed = true;
    useCore(pluginOptions.judge, pluginOptions.judge.core);
  }
}

bool parseOptions(const plugin_name_args &info) {
  bool good = true;
  for (int i = 0; i < info.argc; ++i) {
    const char *key = info.argv[i].key, *value = info.argv[i].value;
    const OptionRecord *r = findOption(key);
    if (!r) {
      refuse(Diag::UnknownOption, toolMessage(Diag::UnknownOption, {{"option", key}}));
      std::string all;
      for (const OptionRecord &known : records)
        all += (all.empty() ? "" : ", ") + std::string(known.name);
      inform(UNKNOWN_LOCATION, "known options: %s", all.c_str());
      good = false;
    } else if (!checkValue(*r, value, info.base_name)) {
      good = false;
    } else {
      apply(r->id, value);
      if (isCarried(r->id))
        pluginOptions.given.push_back(lineOf(*r, value, info.base_name));
    }
  }
  return good;
}

/// Returns true under -m32 or -mx32 of a 64-bit compiler: its target's libmemlift.a has no objects
/// for that ABI, and such a library is rarely built.
static bool isOtherAbi() { return strstr(MEMLIFT_TARGET, "64") && POINTER_SIZE < 64; }

void completeOptions() {
  Options &judge = pluginOptions.judge;
  if (!judge.runtimeGiven && isOtherAbi())
    judge.runtime = RuntimeMode::Libc;
  judge.target = targetOfFunction;
  judge.compiler = compilerFacts();
  const char *tune = tuneName();
  if (!judge.core && tune)
    judge.core = findCore(tune);
  judge.coreNamed = judge.core;
  useCore(judge, judge.core ? judge.core : &defaultCore(MEMLIFT_TARGET));
}

void printHelp(const char *pluginName) {
  printf("memlift finds loops that fill, copy or move memory. Options of this plugin:\n");
  for (const OptionRecord &r : records) {
    std::string spelling = std::string("-fplugin-arg-") + pluginName + "-" + r.name;
    if (r.kind != Kind::Flag)
      spelling += std::string("=") + (r.id == OptionId::Runtime ? r.values : r.meta);
    printf("  %s\n      %s\n", spelling.c_str(), r.help);
  }
  fflush(stdout);
}

} // namespace memlift
