// attributes.cpp - __attribute__((memlift("..."))) and [[memlift::off]]
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compat.h"
#include "attributes.h"
#include "options.h"

namespace memlift {
namespace {

struct Value {
  const char *name;
  bool implemented;
};

const Value values[] = {
#define MEMLIFT_ATTRIBUTE(ENUM, NAME, IMPLEMENTED, ON, HELP) {NAME, IMPLEMENTED != 0},
#include "../intrinsics/generated/Builtins.inc"
#undef MEMLIFT_ATTRIBUTE
};

/// An inlined copy of a function has no attributes of its own, so a function
/// that is to be left alone stays a function.
void keepApart(tree fndecl) {
  if (!lookup_attribute("always_inline", DECL_ATTRIBUTES(fndecl)))
    DECL_UNINLINABLE(fndecl) = 1;
}

tree refuse(tree name, const std::string &value, bool *noAdd) {
  error("%qE: %s [%s]", name,
        toolMessage(Diag::BadAttributeValue, {{"value", value}}).c_str(),
        codeOf(Diag::BadAttributeValue).c_str());
  std::string known;
  for (const Value &v : values)
    if (v.implemented)
      known += (known.empty() ? "\"" : ", \"") + std::string(v.name) + "\"";
  inform(input_location, "values that have a meaning here: %s", known.c_str());
  *noAdd = true;
  return NULL_TREE;
}

tree handleMemlift(tree *node, tree name, tree args, int, bool *noAdd) {
  tree arg = TREE_VALUE(args);
  if (TREE_CODE(arg) != STRING_CST)
    return refuse(name, "?", noAdd);
  std::string value = TREE_STRING_POINTER(arg);
  for (const Value &v : values)
    if (value == v.name && v.implemented) {
      if (TREE_CODE(*node) == FUNCTION_DECL) {
        keepApart(*node);
        return NULL_TREE;
      }
      error("%qE attribute is for functions", name);
      *noAdd = true;
      return NULL_TREE;
    }
  return refuse(name, value, noAdd);
}

/// [[memlift::off]] is kept as the GNU spelling, the one that readers look up.
tree handleScopedOff(tree *node, tree name, tree, int, bool *noAdd) {
  *noAdd = true;
  if (TREE_CODE(*node) != FUNCTION_DECL) {
    error("%qE attribute is for functions", name);
    return NULL_TREE;
  }
  tree args = tree_cons(NULL_TREE, build_string(sizeof "off", "off"), NULL_TREE);
  DECL_ATTRIBUTES(*node) =
      tree_cons(get_identifier("memlift"), args, DECL_ATTRIBUTES(*node));
  keepApart(*node);
  return NULL_TREE;
}

const attribute_spec gnuSpec = {"memlift", 1, 1, true, false, false, false, handleMemlift,
                                nullptr};
const attribute_spec scopedSpecs[] = {
    {"off", 0, 0, true, false, false, false, handleScopedOff, nullptr},
    {nullptr, 0, 0, false, false, false, false, nullptr, nullptr}};

} // namespace

bool attributesRegistered() {
  return lookup_attribute_spec(get_identifier("memlift")) != nullptr;
}

void registerAttributes() {
  register_attribute(&gnuSpec);
  register_scoped_attributes(scopedSpecs, "memlift");
}

} // namespace memlift
