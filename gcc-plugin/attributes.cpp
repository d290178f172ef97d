// attributes.cpp - __attribute__((memlift("..."))), and [[memlift::off]] and its like
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions to be shaped are marked once the file has been read: by then templates are functions,
// and all attributes and assembler names are known. GCC's loop distribution is told to leave the
// patterns of such a function alone. Otherwise a memset loop would be a call of memset before this
// plugin sees it.
#include "compat.h"
#include "attributes.h"
#include "options.h"
#include "read/binding.h"
#include "write/user.h"
#include "../idioms/streamsize.h"

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

/// Keeps a marked function from being inlined: an inlined copy has no attributes of its own.
void keepApart(tree fndecl) {
  if (!lookup_attribute("always_inline", DECL_ATTRIBUTES(fndecl)))
    DECL_UNINLINABLE(fndecl) = 1;
}

tree refuse(tree name, const std::string &value, bool *noAdd) {
  error("%qE: %s [%s]", name, toolMessage(Diag::BadAttributeValue, {{"value", value}}).c_str(),
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
  uint64_t store;
  const std::string meant = parseStreamValue(value, store) ? "stream" : value;
  for (const Value &v : values)
    if (meant == v.name && v.implemented) {
      if (TREE_CODE(*node) == FUNCTION_DECL) {
        // Where accesses may fault, it is kept to be refused.
        *noAdd = pluginOptions.off &&
                 value != "user"; // functions that differ by it alone still have the same type
        if (!pluginOptions.off && meant != "require") // copies of its loops are known: require.h
          keepApart(*node);
        return NULL_TREE;
      }
      error("%qE attribute is for functions", name);
      *noAdd = true;
      return NULL_TREE;
    }
  return refuse(name, value, noAdd);
}

/// Keeps [[memlift::off]] as the GNU spelling, the one that readers look up.
tree handleScoped(tree *node, tree name, tree, int, bool *noAdd) {
  *noAdd = true;
  if (TREE_CODE(*node) != FUNCTION_DECL) {
    error("%qE attribute is for functions", name);
    return NULL_TREE;
  }
  if (pluginOptions.off && strcmp(IDENTIFIER_POINTER(name), "user") != 0)
    return NULL_TREE;
  addValue(*node, IDENTIFIER_POINTER(name));
  if (strcmp(IDENTIFIER_POINTER(name), "require") != 0)
    keepApart(*node);
  return NULL_TREE;
}

/// Switches loop distribution's patterns off.
/// __attribute__((optimize("no-tree-loop-distribute-patterns"))) would also make the function one
/// without built-ins.
void leavePatterns(tree fndecl) {
  cl_optimization now;
  cl_optimization_save(&now, &global_options, &global_options_set);
  if (tree own = DECL_FUNCTION_SPECIFIC_OPTIMIZATION(fndecl))
    cl_optimization_restore(&global_options, &global_options_set, TREE_OPTIMIZATION(own));
  flag_tree_loop_distribute_patterns = 0;
  bool least = optimize_size && !pluginOptions.off, user = hasValue(fndecl, "user");
  // A pointer that reached the end of a loop would become that end, in another register.
  flag_tree_dom &= !user && !least;
  if (least && user) {
    // Edges of faults end blocks, and -Os would put the second block of a loop elsewhere, for a
    // jump. Placed for speed, the code is smaller, too. A value keeps that less code is wanted.
    addValue(fndecl, "least");
    optimize_size = 0;
    flag_reorder_blocks_algorithm = REORDER_BLOCKS_ALGORITHM_STC;
  } else if (least) {
    // The test before a loop would take the place of the one at its end, for a jump each time.
    flag_crossjumping = 0;
  }
  DECL_FUNCTION_SPECIFIC_OPTIMIZATION(fndecl) =
      build_optimization_node(&global_options, &global_options_set);
  cl_optimization_restore(&global_options, &global_options_set, &now);
}

/// Has a function's loops left whole for blocks. One that is named is not inlined.
void markStreamed(tree fndecl) {
  uint64_t store;
  if (!asksForBlocks(fndecl, store))
    return;
  leavePatterns(fndecl);
  if (pluginOptions.stream != "all" && pluginOptions.spread != "all")
    keepApart(fndecl);
}

void refuseUser(tree fndecl, Diag code, const char *reason) {
  location_t where = DECL_SOURCE_LOCATION(fndecl);
  error_at(where, "memlift: %s [%s]",
           toolMessage(code, {{"function", assemblerName(fndecl)}, {"reason", reason}}).c_str(),
           codeOf(code).c_str());
  inform(where, "%s", adviceOf(code));
}

/// Prepares a function whose accesses may fault. Callers must not know from its source that it
/// returns 0.
void markUser(tree fndecl) {
  tree type = TREE_TYPE(TREE_TYPE(fndecl));
  if (!INTEGRAL_TYPE_P(type) || TYPE_PRECISION(type) != POINTER_SIZE)
    return refuseUser(fndecl, Diag::UserReturns, "");
  if (!userTarget())
    return refuseUser(fndecl, Diag::UserUncovered, "the target has none");
  if (pluginOptions.off || !opt_for_fn(fndecl, optimize) || opt_for_fn(fndecl, optimize_debug))
    return refuseUser(fndecl, Diag::UserUncovered, "its loops are not optimised by memlift");
  DECL_ATTRIBUTES(fndecl) = tree_cons(get_identifier("noipa"), NULL_TREE, DECL_ATTRIBUTES(fndecl));
  addValue(fndecl, "shape");
}

void markShaped(tree fndecl) {
  if (hasValue(fndecl, "user"))
    markUser(fndecl);
  if (pluginOptions.off || hasValue(fndecl, "off"))
    return;
  markStreamed(fndecl);
  if (!hasValue(fndecl, "shape")) {
    if (pluginOptions.shape.empty() || !inList(assemblerName(fndecl), pluginOptions.shape))
      return;
    addValue(fndecl, "shape");
  }
  if (lookup_attribute("always_inline", DECL_ATTRIBUTES(fndecl))) {
    location_t where = DECL_SOURCE_LOCATION(fndecl);
    error_at(where, "memlift: %s [%s]",
             toolMessage(Diag::ShapeInlined, {{"function", assemblerName(fndecl)}}).c_str(),
             codeOf(Diag::ShapeInlined).c_str());
    inform(where, "%s", adviceOf(Diag::ShapeInlined));
    return;
  }
  keepApart(fndecl);
  leavePatterns(fndecl);
}

/// At the link of LTO the functions are marked already, and their bodies are not read yet.
void onFileRead(void *, void *) {
  if (in_lto_p)
    return;
  cgraph_node *node;
  FOR_EACH_FUNCTION_WITH_GIMPLE_BODY(node)
  markShaped(node->decl);
}

const attribute_spec gnuSpec = {"memlift", 1, 1, true, false, false, false, handleMemlift, nullptr};
const attribute_spec scopedSpecs[] = {
    {"off", 0, 0, true, false, false, false, handleScoped, nullptr},
    {"require", 0, 0, true, false, false, false, handleScoped, nullptr},
    {"shape", 0, 0, true, false, false, false, handleScoped, nullptr},
    {"user", 0, 0, true, false, false, false, handleScoped, nullptr},
    {"async", 0, 0, true, false, false, false, handleScoped, nullptr},
    {"stream", 0, 0, true, false, false, false, handleScoped, nullptr},
    {"spread", 0, 0, true, false, false, false, handleScoped, nullptr},
    {nullptr, 0, 0, false, false, false, false, nullptr, nullptr}};

} // namespace

bool hasValue(tree fndecl, const char *value) {
  tree a = lookup_attribute("memlift", DECL_ATTRIBUTES(fndecl));
  for (; a; a = lookup_attribute("memlift", TREE_CHAIN(a)))
    if (strcmp(TREE_STRING_POINTER(TREE_VALUE(TREE_VALUE(a))), value) == 0)
      return true;
  return false;
}

void addValue(tree fndecl, const char *value) {
  tree args = tree_cons(NULL_TREE, build_string(int(strlen(value) + 1), value), NULL_TREE);
  DECL_ATTRIBUTES(fndecl) = tree_cons(get_identifier("memlift"), args, DECL_ATTRIBUTES(fndecl));
}

bool asksForThreads(tree fndecl) {
  if (hasValue(fndecl, OutlinedValue))
    return false;
  return hasValue(fndecl, "spread") || pluginOptions.spread == "all" ||
         inList(assemblerName(fndecl), pluginOptions.spread);
}

bool namesBlocks(tree fndecl, uint64_t &store) {
  tree a = lookup_attribute("memlift", DECL_ATTRIBUTES(fndecl));
  for (; a; a = lookup_attribute("memlift", TREE_CHAIN(a)))
    if (parseStreamValue(TREE_STRING_POINTER(TREE_VALUE(TREE_VALUE(a))), store))
      return true;
  store = pluginOptions.streamStore;
  return !hasValue(fndecl, OutlinedValue) &&
         (pluginOptions.stream == "all" || inList(assemblerName(fndecl), pluginOptions.stream));
}

bool asksForBlocks(tree fndecl, uint64_t &store) {
  return namesBlocks(fndecl, store) || asksForThreads(fndecl);
}

void watchShaped(const char *pluginName) {
  register_callback(pluginName, PLUGIN_ALL_IPA_PASSES_START, onFileRead, nullptr);
}

void refuseUncovered(tree fndecl, const char *reason) {
  refuseUser(fndecl, Diag::UserUncovered, reason);
}

void markCovered(tree fndecl) { addValue(fndecl, "covered"); }

bool attributesRegistered() { return lookup_attribute_spec(get_identifier("memlift")) != nullptr; }

void registerAttributes() {
  register_attribute(&gnuSpec);
  registerScoped(scopedSpecs, "memlift");
}

} // namespace memlift
