// map.cpp - the user's own routines: their prototypes, and what they are made of
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A front end tells of each declaration and definition as it has read it. At the
// link of LTO there is no front end: the symbol table is looked through there.
#include "map.h"
#include "options.h"
#include "read/picture.h"

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

/// The map's item that names `decl`, or null.
const SymbolMap::Item *itemOf(tree decl) {
  if (!DECL_NAME(decl))
    return nullptr;
  const char *plain = IDENTIFIER_POINTER(DECL_NAME(decl));
  bool named = DECL_ASSEMBLER_NAME_SET_P(decl);
  for (const SymbolMap::Item &item : pluginOptions.judge.map.items) {
    // Asking for the assembler's name settles it: not of what is nothing to us.
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
    error_at(where, "memlift: %qs of the map is static, or no function [%s]",
             item->symbol.c_str(), codeOf(Diag::MapLinkage).c_str());
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

/// Nothing may call the routine until loops become calls at the link. Inlined, its
/// loops would be nobody's and become calls of it.
void onDefinition(void *decl, void *) {
  tree fndecl = static_cast<tree>(decl);
  check(fndecl);
  if (!itemOf(fndecl))
    return;
  DECL_PRESERVE_P(fndecl) = 1;
  if (!lookup_attribute("always_inline", DECL_ATTRIBUTES(fndecl)))
    DECL_UNINLINABLE(fndecl) = 1;
}

/// DECL_UIDs of the map's routines and of all that they call. Collected when the
/// first function is compiled: later, edges of those that are done are gone.
const std::set<unsigned> &implementers() {
  static std::set<unsigned> found;
  static bool done = false;
  if (done)
    return found;
  done = true;
  std::vector<cgraph_node *> list;
  cgraph_node *node;
  FOR_EACH_DEFINED_FUNCTION(node)
    if (pluginOptions.judge.map.isTarget(assemblerName(node->decl)))
      list.push_back(node);
  for (size_t i = 0; i < list.size(); ++i) {
    found.insert(DECL_UID(list[i]->decl));
    for (cgraph_edge *e = list[i]->callees; e; e = e->next_callee)
      if (e->callee->definition && !found.count(DECL_UID(e->callee->decl)))
        list.push_back(e->callee);
  }
  return found;
}

void onFirstPass(void *, void *) {
  symtab_node *node;
  if (in_lto_p)
    FOR_EACH_SYMBOL(node)
      check(node->decl);
  implementers();
}

} // namespace

void watchMapped(const char *pluginName) {
  if (pluginOptions.judge.map.empty())
    return;
  register_callback(pluginName, PLUGIN_FINISH_DECL, onDeclaration, nullptr);
  register_callback(pluginName, PLUGIN_FINISH_PARSE_FUNCTION, onDefinition, nullptr);
  register_callback(pluginName, PLUGIN_ALL_IPA_PASSES_END, onFirstPass, nullptr);
}

tree mappedFunction(const std::string &symbol) {
  symtab_node *node = symtab_node::get_for_asmname(get_identifier(symbol.c_str()));
  return node && TREE_CODE(node->decl) == FUNCTION_DECL ? node->decl : NULL_TREE;
}

bool servesMapped(tree fndecl) {
  if (pluginOptions.judge.map.empty())
    return false;
  return implementers().count(DECL_UID(fndecl)) != 0;
}

} // namespace memlift
