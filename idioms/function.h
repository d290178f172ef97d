// function.h - properties of a function that keep its loops, or rule out calls from it
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The list is intrinsics/Functions.td. A reader sets the properties that its compiler gives to
// the function around a loop; recognition and decision ask for them here.
#ifndef MEMLIFT_IDIOMS_FUNCTION_H
#define MEMLIFT_IDIOMS_FUNCTION_H

#include "diag.h"

#include <map>
#include <string>

namespace memlift {

enum class Property : uint8_t {
#define MEMLIFT_PROPERTY(ENUM, WORD, CODE, EFFECT, NEED, HAVE, GCC, GCC_OPTIONS, LLVM) ENUM,
#include "../intrinsics/generated/Functions.inc"
};

enum class PropertyEffect : uint8_t { Kept, NoCalls };

/// One record of Functions.td. Lists are separated by bars.
struct PropertyRecord {
  Property property;
  const char *word; // in the text form of a loop
  Diag code;
  PropertyEffect effect;
  const char *need, *have; // for the fact that fails
  const char *gccAttributes, *gccOptions, *llvmAttributes;
};

/// All records, ended by one without a word.
extern const PropertyRecord propertyRecords[];

/// Calls `use` with each name of a list that is separated by bars.
template <typename Use> void forEachName(const char *list, Use use) {
  for (std::string rest = list; !rest.empty();) {
    size_t bar = rest.find('|');
    use(rest.substr(0, bar));
    rest = bar == std::string::npos ? "" : rest.substr(bar + 1);
  }
}

/// Returns the first half of the name of a function's loops, "path:symbol". Compilers spell a path
/// differently ("./a.c", "a.c"); the name has its shortest form.
std::string functionId(const std::string &path, const std::string &symbol);

/// The properties of one function, each with its origin ("attribute naked").
class Properties {
public:
  void set(Property p, const std::string &from = "") { found.emplace(p, from); }
  void clear(Property p) { found.erase(p); }
  bool has(Property p) const { return found.count(p) != 0; }
  bool any() const { return !found.empty(); }
  /// Returns the first property with that effect, or null.
  const PropertyRecord *first(PropertyEffect effect) const;
  /// Says what gave the function the property: "compiled with -fsplit-stack".
  std::string haveOf(const PropertyRecord &record) const;

private:
  std::map<Property, std::string> found;
};

} // namespace memlift

#endif
