// map.cpp - the user's own routines: their prototypes, and the functions that implement them
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A front end reports each declaration and definition once it is read. The link of LTO has no front
// end: the symbol table is searched there.
#include "map.h"
#include "options.h"
#include "read/binding.h"

#include <set>

namespace memlift {
namespace {

CType typeOfTree(tree type) {
  if (VOID_TYPE_P(type))
    return {CType::Void, 0, false};
  if (TREE_CODE(type) == POINTER_TYPE)
    return {CType::Pointer, 0, false};
  if (INTEGRAL_TYPE_P(type))
    return {CType::Int, unsigned(tree_to_uhwi(TYPE_SIZE(type))), !TYPE_UNSIGNED(type)};
  return {};
}

CFunction functionOfTree(tree type) {
  CFunction f;
  f.result = typeOfTree(TREE_TYPE(type));
  f.known = prototype_p(type);
  f.variadic = f.known && stdarg_p(type);
  for (tree arg = TYPE_ARG_TYPES(type); arg && arg != void_list_node; arg = TREE_CHAIN(arg))
    f.params.push_back(typeOfTree(TREE_VALUE(arg)));
  return f;
}

/// Returns the map's item that names `decl`, or null.
const SymbolMap::Item *itemOf(tree decl) {
  if (!DECL_NAME(decl))
    return nullptr;
  const char *plain = IDENTIFIER_POINTER(DECL_NAME(decl));
  bool named = DECL_ASSEMBLER_NAME_SET_P(decl);
  for (const SymbolMap::Item &item : pluginOptions.judge.map.items) {
    // Asking for the assembler name fixes it, so that is done only for symbols of the map.
    if (!named && item.symbol != plain)
      continue;
    if (!TREE_PUBLIC(decl) ? item.symbol == plain : item.symbol == assemblerName(decl))
      return &item;
  }
  return nullptr;
}

void check(tree decl) {
  if (!decl || !VAR_OR_FUNCTION_DECL_P(decl) || (VAR_P(decl) && !DECL_FILE_SCOPE_P(decl)))
    return;
  const SymbolMap::Item *item = itemOf(decl);
  if (!item)
    return;
  location_t where = DECL_SOURCE_LOCATION(decl);
  if (VAR_P(decl) || !TREE_PUBLIC(decl)) {
    error_at(where, "memlift: %qs of the map is static, or no function [%s]", item->symbol.c_str(),
             codeOf(Diag::MapLinkage).c_str());
    inform(where, "%s", adviceOf(Diag::MapLinkage));
    return;
  }
  CFunction have = functionOfTree(TREE_TYPE(decl));
  if (!fits(typeOf(item->routine, POINTER_SIZE), have, /*signs=*/true)) {
    error_at(where, "memlift: %qs is to be %s of the map, which needs %qs, but is %qT [%s]",
             item->symbol.c_str(), item->key.c_str(),
             prototypeOf(item->routine, item->symbol).c_str(), TREE_TYPE(decl),
             codeOf(Diag::MapPrototype).c_str());
    inform(where, "%s", adviceOf(Diag::MapPrototype));
    return;
  }
}

void onDeclaration(void *decl, void *) { check(static_cast<tree>(decl)); }

/// No call of the routine may exist until loops become calls at the link. Once inlined, its loops
/// would not be protected, and become calls of it.
void onDefinition(void *decl, void *) {
  tree fndecl = static_cast<tree>(decl);
  check(fndecl);
  if (!itemOf(fndecl))
    return;
  DECL_PRESERVE_P(fndecl) = 1;
  if (!lookup_attribute("always_inline", DECL_ATTRIBUTES(fndecl)))
    DECL_UNINLINABLE(fndecl) = 1;
}

constexpr char Serves[] = "memlift_serves";

bool isRoot(const symtab_node *node) {
  std::string name = assemblerName(node->decl);
  return pluginOptions.judge.map.isTarget(name) || implementsIdiom(name, "");
}

/// Adds the functions that `node` calls, or whose address it takes.
void addReferenced(cgraph_node *node, std::vector<cgraph_node *> &list) {
  for (cgraph_edge *e = node->callees; e; e = e->next_callee)
    list.push_back(e->callee->ultimate_alias_target());
  ipa_ref *ref = nullptr;
  for (unsigned i = 0; node->iterate_reference(i, ref); ++i)
    if (cgraph_node *function = dyn_cast<cgraph_node *>(ref->referred))
      list.push_back(function->ultimate_alias_target());
}

} // namespace

void markServants() {
  std::vector<cgraph_node *> list;
  cgraph_node *node;
  FOR_EACH_FUNCTION(node)
  if ((node->definition || node->alias) && isRoot(node))
    list.push_back(node->ultimate_alias_target());
  std::set<cgraph_node *> seen;
  for (size_t i = 0; i < list.size(); ++i) {
    node = list[i];
    if (!node->definition || !seen.insert(node).second)
      continue;
    if (!servesIdiom(node->decl))
      DECL_ATTRIBUTES(node->decl) =
          tree_cons(get_identifier(Serves), NULL_TREE, DECL_ATTRIBUTES(node->decl));
    addReferenced(node, list);
  }
}

namespace {

void onFirstPass(void *, void *) {
  symtab_node *node;
  if (in_lto_p)
    FOR_EACH_SYMBOL(node)
  check(node->decl);
  markServants();
}

} // namespace

void watchMapped(const char *pluginName) {
  register_callback(pluginName, PLUGIN_ALL_IPA_PASSES_START, onFirstPass, nullptr);
  if (pluginOptions.judge.map.empty())
    return;
  register_callback(pluginName, PLUGIN_FINISH_DECL, onDeclaration, nullptr);
  register_callback(pluginName, PLUGIN_FINISH_PARSE_FUNCTION, onDefinition, nullptr);
}

tree mappedFunction(const std::string &symbol) {
  symtab_node *node = symtab_node::get_for_asmname(get_identifier(symbol.c_str()));
  return node && TREE_CODE(node->decl) == FUNCTION_DECL ? node->decl : NULL_TREE;
}

bool servesIdiom(tree fndecl) {
  return lookup_attribute(Serves, DECL_ATTRIBUTES(fndecl)) != NULL_TREE;
}

} // namespace memlift
