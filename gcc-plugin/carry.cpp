// carry.cpp - carries the options of a compilation with its functions to the link of LTO
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The link knows neither -ffreestanding and -fno-builtin nor our options of a compilation, and one
// link joins objects compiled with different options. So with -flto each function gets the
// attribute memlift_carried("..."), with one line per item:
//
//   option[=value]    an option of ours that was given
//   :nobuiltin        no built-in functions (-ffreestanding, -fno-builtin)
//   :WORD             a property of Functions.td that comes from an option of the whole file
//
// The attribute is written before the first IPA pass. At the link, functions whose options give
// loops different meanings are not inlined into each other: the loops would be judged by another
// file's options.
#include "carry.h"
#include "options.h"
#include "read/binding.h"

namespace memlift {
namespace {

constexpr char CarriedAttribute[] = "memlift_carried";

/// Returns the text that `fndecl` carries, or null.
const char *carriedText(tree fndecl) {
  tree a = lookup_attribute(CarriedAttribute, DECL_ATTRIBUTES(fndecl));
  return a ? TREE_STRING_POINTER(TREE_VALUE(TREE_VALUE(a))) : nullptr;
}

/// Calls `use` with each line.
template <typename Use> void forEachLine(const char *text, Use use) {
  for (std::string rest = text; !rest.empty();) {
    size_t end = rest.find('\n');
    use(rest.substr(0, end));
    rest = end == std::string::npos ? "" : rest.substr(end + 1);
  }
}

bool carries(tree fndecl, const std::string &line) {
  bool found = false;
  if (const char *text = carriedText(fndecl))
    forEachLine(text, [&](const std::string &l) { found |= l == line; });
  return found;
}

/// Returns the properties from options that GCC does not keep per function.
std::string ofTheFile() {
  std::string text;
  if (flag_no_builtin)
    text += ":nobuiltin\n";
  Properties found = fileProperties();
  for (const PropertyRecord *r = propertyRecords; r->word; ++r)
    if (found.has(r->property))
      text += std::string(":") + r->word + "\n";
  return text;
}

void carry() {
  std::string text = givenOptions() + ofTheFile();
  if (text.empty())
    return;
  cgraph_node *node;
  FOR_EACH_FUNCTION_WITH_GIMPLE_BODY(node) {
    tree value = build_string(int(text.size() + 1), text.c_str());
    DECL_ATTRIBUTES(node->decl) =
        tree_cons(get_identifier(CarriedAttribute), build_tree_list(NULL_TREE, value),
                  DECL_ATTRIBUTES(node->decl));
  }
}

/// Returns the carried lines that change how a loop is judged. The records' file and the tuned core
/// are not among them.
std::string meaningOf(tree fndecl) {
  std::string lines;
  if (const char *text = carriedText(fndecl))
    forEachLine(text, [&](const std::string &line) {
      if (line[0] == ':' || isKeptApart(line.substr(0, line.find('='))))
        lines += line + "\n";
    });
  return lines;
}

void onIpaStart(void *, void *) {
  if (!in_lto_p && flag_generate_lto)
    carry();
}

} // namespace

void watchCarried(const char *pluginName) {
  register_callback(pluginName, PLUGIN_ALL_IPA_PASSES_START, onIpaStart, nullptr);
}

void keepOptionsApart() {
  cgraph_node *node;
  FOR_EACH_DEFINED_FUNCTION(node)
  for (cgraph_edge *e = node->callees; e; e = e->next_callee) {
    tree callee = e->callee->ultimate_alias_target()->decl;
    if (meaningOf(node->decl) != meaningOf(callee) &&
        !lookup_attribute("always_inline", DECL_ATTRIBUTES(callee)))
      e->inline_failed = CIF_OPTIMIZATION_MISMATCH;
  }
}

void useOptionsOfFunction() {
  if (!in_lto_p)
    return;
  static const PluginOptions ofTheLink = pluginOptions;
  pluginOptions = ofTheLink;
  const char *text = carriedText(current_function_decl);
  if (!text)
    return;
  forEachLine(text, [](const std::string &line) {
    size_t equals = line.find('=');
    if (line[0] != ':')
      applyCarried(line.substr(0, equals),
                   equals == std::string::npos ? "" : line.substr(equals + 1));
  });
}

bool carriedNoBuiltin(tree fndecl) { return carries(fndecl, ":nobuiltin"); }

void carriedProperties(tree fndecl, Properties &found) {
  if (!carriedText(fndecl))
    return;
  for (const PropertyRecord *r = propertyRecords; r->word; ++r)
    if (carries(fndecl, std::string(":") + r->word))
      found.set(r->property);
}

} // namespace memlift
