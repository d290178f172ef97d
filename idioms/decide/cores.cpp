// cores.cpp - looks up the records of Cores.td by name or target
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A core is a record of figures, not a set of special cases in code: issue width, load distance,
// time between stores, latency of products. Adding a core means adding a record. A core that is
// not named is chosen, cautiously, by the architecture.
#include "decide.h"

#include <cstring>

namespace memlift {

namespace table {
using enum Unaligned;
const Core cores[] = {
#define MEMLIFT_CORE(ENUM, NAME, ...) {.name = NAME, __VA_ARGS__},
#include "../../intrinsics/generated/Cores.inc"
};
} // namespace table

/// Returns true if the name is an element of a comma-separated list.
static bool listed(const char *list, const std::string &name) {
  size_t n = name.size();
  for (const char *at = list; n && (at = std::strstr(at, name.c_str())); ++at)
    if ((at == list || at[-1] == ',') && (at[n] == ',' || at[n] == '\0'))
      return true;
  return false;
}

/// Returns the first record whose name or alias matches.
const Core *findCore(const std::string &name) {
  for (const Core &c : table::cores)
    if (name == c.name || listed(c.aliases, name))
      return &c;
  return nullptr;
}

/// The copies are made once, since they are returned by reference.
const Core &alignedOnly(const Core &core) {
  static const std::vector<Core> all = [] {
    std::vector<Core> copies(std::begin(table::cores), std::end(table::cores));
    for (Core &c : copies)
      c.unaligned = Unaligned::Trap;
    return copies;
  }();
  for (size_t i = 0; i < all.size(); ++i)
    if (&table::cores[i] == &core)
      return all[i];
  return core;
}

/// Picks a core for a target. If the architecture leaves unaligned accesses to a trap handler,
/// they are assumed to trap; of ARC there is one core; any other target gets the cautious
/// out-of-order core.
const Core &defaultCore(const std::string &triple) {
  if (triple.compare(0, 3, "arc") == 0)
    return *findCore("arc700");
  for (const char *strict : {"riscv", "sparc", "armv6", "mips"})
    if (triple.compare(0, std::strlen(strict), strict) == 0)
      return *findCore("generic-inorder");
  return *findCore("generic");
}

std::string coreNames() {
  std::string names;
  for (const Core &c : table::cores)
    names += (names.empty() ? "" : ", ") + std::string(c.name);
  return names;
}

RuntimeMode runtimeOf(const FunctionFacts &function, const Options &options) {
  bool noBuiltin = function.noBuiltin && !options.runtimeGiven;
  bool ruledOut = function.properties.first(PropertyEffect::NoCalls);
  return noBuiltin || ruledOut || function.shape ? RuntimeMode::None : options.runtime;
}

const Core &coreOf(const Options &options) {
  return options.core ? *options.core : *findCore("generic");
}

} // namespace memlift
