// source.cpp - finds the loops that must be lowered in GCC's syntax tree
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pragma's handler notes where it stands. Once a function is parsed, and its loops still are
// statements of the language, the loop is found that follows. Instantiations of templates are
// functions of their own by then. lto1 has no pragmas: its symbols are weak here.
#include "../compat.h"

#include "cpplib.h"

#include "../attributes.h"
#include "../options.h"
#include "require.h"

// c-family/c-pragma.h has them, too, but has to come before headers that compat.h holds.
extern void c_register_pragma(const char *, const char *, void (*)(cpp_reader *))
    __attribute__((weak));
extern enum cpp_ttype pragma_lex(tree *, location_t *) __attribute__((weak));

namespace memlift {
namespace {

constexpr char RequiredAttribute[] = "memlift_required";

struct Pragma {
  location_t at;
  std::string idiom;
  bool settled = false; // stands before a loop, or was refused
};

std::vector<Pragma> pragmas;
std::vector<RequiredLoop> loopsOfUnit;

void refusePragma(location_t at, const std::string &reason) {
  error_at(at, "%s [%s]", toolMessage(Diag::BadRequirePragma, {{"reason", reason}}).c_str(),
           codeOf(Diag::BadRequirePragma).c_str());
  inform(at, "%s", adviceOf(Diag::BadRequirePragma));
}

void onPragma(cpp_reader *) {
  std::vector<std::string> words = {"require"};
  location_t at = input_location, where = UNKNOWN_LOCATION, first = UNKNOWN_LOCATION;
  tree token;
  for (enum cpp_ttype t; (t = pragma_lex(&token, &where)) != CPP_EOF;) {
    if (first == UNKNOWN_LOCATION)
      first = where;
    words.push_back(t == CPP_NAME ? IDENTIFIER_POINTER(token) : "?");
  }
  // The parser of C++ has read on, and input_location is of a token before; the end of the line
  // has a location of its own there.
  if (lang_GNU_CXX())
    at = first != UNKNOWN_LOCATION ? first : where;
  if (pluginOptions.off)
    return;
  std::string why = whyBadPragma(words);
  if (why.empty() && !current_function_decl)
    why = "it stands in no function";
  if (!why.empty())
    refusePragma(first == UNKNOWN_LOCATION ? at : first, why);
  else
    pragmas.push_back({at, words.size() > 1 ? words[1] : ""});
}

void onPragmas(void *, void *) {
  // GCC has each pragma once. An identifier tells that another copy of the plugin registered it.
  constexpr char mark[] = "memlift's pragmas";
  if (maybe_get_identifier(mark))
    return;
  get_identifier(mark);
  if (c_register_pragma)
    c_register_pragma("memlift", "require", onPragma);
}

bool isLoopStmt(const_tree t) {
  switch (int(TREE_CODE(t))) {
  case FOR_STMT:
  case WHILE_STMT:
  case DO_STMT: return true;
  default: return false;
  }
}

Position positionOf(location_t at) {
  expanded_location x = expand_location(at);
  return {unsigned(x.line), unsigned(x.column)};
}

/// A loop statement and its locations.
struct LoopStatement {
  location_t at;
  Position first, last;
};

struct LoopWalk {
  std::string file;
  std::vector<LoopStatement> loops;
  std::vector<Position> all; // of everything that has a location
};

tree findLastPlace(tree *t, int *, void *data) {
  auto *s = static_cast<std::pair<std::string, Position> *>(data);
  location_t at = EXPR_LOCATION(*t);
  if (at > BUILTINS_LOCATION && s->first == LOCATION_FILE(at) && s->second < positionOf(at))
    s->second = positionOf(at);
  return NULL_TREE;
}

tree visitPlace(tree *t, int *, void *data) {
  auto *walk = static_cast<LoopWalk *>(data);
  location_t at = EXPR_LOCATION(*t);
  // With -g each statement has a marker, which stands before a while's own location.
  if (TREE_CODE(*t) == DEBUG_BEGIN_STMT)
    return NULL_TREE;
  if (at <= BUILTINS_LOCATION || !LOCATION_FILE(at) || walk->file != LOCATION_FILE(at))
    return NULL_TREE;
  walk->all.push_back(positionOf(at));
  if (isLoopStmt(*t)) {
    std::pair<std::string, Position> last = {walk->file, positionOf(at)};
    walk_tree_without_duplicates(t, findLastPlace, &last);
    walk->loops.push_back({at, positionOf(at), last.second});
  }
  return NULL_TREE;
}

/// Returns the loop that stands just after the pragma; null if something else does.
const LoopStatement *loopAfter(const LoopWalk &walk, Position pragma) {
  const LoopStatement *best = nullptr;
  for (const LoopStatement &s : walk.loops)
    if (!(s.first < pragma) && (!best || s.first < best->first))
      best = &s;
  for (Position p : walk.all)
    if (best && pragma < p && p < best->first)
      return nullptr;
  return best;
}

void keepRequired(tree fndecl, const std::string &file, const LoopStatement &s,
                  const std::string *idiom) {
  RequiredLoop loop;
  loop.requirement = {file,
                      s.first.line,
                      s.first.col,
                      assemblerName(fndecl),
                      idiom ? *idiom : "",
                      idiom != nullptr};
  loop.last = s.last;
  loop.at = s.at;
  std::string text = encode(loop.requirement) + "\n" + std::to_string(s.last.line) + "\n" +
                     std::to_string(s.last.col);
  DECL_ATTRIBUTES(fndecl) =
      tree_cons(get_identifier(RequiredAttribute),
                build_tree_list(NULL_TREE, build_string(int(text.size() + 1), text.c_str())),
                DECL_ATTRIBUTES(fndecl));
  loopsOfUnit.push_back(loop);
}

/// Looks for required loops in a function that was parsed, or instantiated.
void onFunction(void *given, void *) {
  auto fndecl = static_cast<tree>(given);
  bool whole = hasValue(fndecl, "require");
  if ((!whole && pragmas.empty()) || !DECL_SAVED_TREE(fndecl))
    return;
  LoopWalk walk;
  walk.file = LOCATION_FILE(DECL_SOURCE_LOCATION(fndecl));
  walk_tree_without_duplicates(&DECL_SAVED_TREE(fndecl), visitPlace, &walk);
  Position first = positionOf(DECL_SOURCE_LOCATION(fndecl));
  // The front end of C++ sets the end later.
  Position end = positionOf(DECL_STRUCT_FUNCTION(fndecl)->function_end_locus);
  for (Position p : walk.all)
    end = std::max(end, p);
  std::set<const LoopStatement *> done;
  for (Pragma &p : pragmas) {
    Position at = positionOf(p.at);
    if (walk.file != LOCATION_FILE(p.at) || at < first || !(at < end))
      continue;
    const LoopStatement *loop = loopAfter(walk, at);
    if (loop && done.insert(loop).second) {
      keepRequired(fndecl, walk.file, *loop, &p.idiom);
      p.settled = true;
    } else if (!loop && !p.settled) { // a lambda is finished before the function around it
      p.settled = true;
      refusePragma(p.at, "no loop follows");
    }
  }
  if (whole)
    for (const LoopStatement &s : walk.loops)
      if (!done.count(&s))
        keepRequired(fndecl, walk.file, s, nullptr);
}

/// Reads the attributes that keepRequired() wrote, at the link.
void readAttributes() {
  cgraph_node *node;
  FOR_EACH_FUNCTION(node) {
    tree a = lookup_attribute(RequiredAttribute, DECL_ATTRIBUTES(node->decl));
    for (; a; a = lookup_attribute(RequiredAttribute, TREE_CHAIN(a))) {
      std::string text = TREE_STRING_POINTER(TREE_VALUE(TREE_VALUE(a)));
      size_t line = text.find('\n'), col = text.rfind('\n');
      RequiredLoop loop;
      if (line == col || !decodeRequirement(text.substr(0, line), loop.requirement))
        continue;
      loop.last.line = unsigned(strtoul(text.c_str() + line + 1, nullptr, 10));
      loop.last.col = unsigned(strtoul(text.c_str() + col + 1, nullptr, 10));
      auto same = [&](const RequiredLoop &l) { return l.requirement == loop.requirement; };
      if (std::none_of(loopsOfUnit.begin(), loopsOfUnit.end(), same))
        loopsOfUnit.push_back(loop);
    }
  }
}

} // namespace

const std::vector<RequiredLoop> &requiredLoops() {
  static bool read = false;
  if (in_lto_p && !read) {
    read = true;
    readAttributes();
  }
  return loopsOfUnit;
}

bool anyRequired() {
  return !requiredLoops().empty() || hasValue(current_function_decl, "require");
}

void watchRequired(const char *pluginName) {
  register_callback(pluginName, PLUGIN_PRAGMAS, onPragmas, nullptr);
  if (!pluginOptions.off)
    register_callback(pluginName, PLUGIN_PRE_GENERICIZE, onFunction, nullptr);
}

} // namespace memlift
