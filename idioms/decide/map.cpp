// map.cpp - reads the option for the user's own routines, and compares their types
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A user's function is compared with the operation's type before a call is made: a wrong
// prototype would be a silent bug at run time.
//
// The comparison follows the calling conventions, not the language. Pointers are alike, whatever
// they point to. Integers need the same width. Up to 32 bits they need the same sign as well, since
// either the caller or the callee extends them to a register, by the sign of its own prototype. A
// compiler's middle end has no signs, so the plugin for LLVM has clang compare the declarations.
// The result is compared only if the operation returns one; else it may be anything.
#include "map.h"

#include <algorithm>
#include <cstring>

namespace memlift {

namespace {

/// The key that names an operation alone: its symbol without "memlift_".
const char *keyOf(const Operation &o) { return o.symbol + sizeof "memlift_" - 1; }

/// Returns the operations that `key` may mean: one by its own name, else the idiom's.
std::vector<const Operation *> mappablesOf(const std::string &key) {
  std::vector<const Operation *> found;
  for (const Operation &o : LibraryOperations())
    if (key == keyOf(o))
      return {&o};
  for (const Operation &o : LibraryOperations())
    if (key == o.idiom)
      found.push_back(&o);
  return found;
}

/// Returns true for a name that assemblers accept, without a comma or an equals sign.
bool isSymbol(const std::string &s) {
  auto good = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '.' || c == '$';
  };
  return !s.empty() && !(s[0] >= '0' && s[0] <= '9') && std::all_of(s.begin(), s.end(), good);
}

std::string listed(const std::vector<const Operation *> &some) {
  std::string text;
  for (const Operation *o : some)
    text += (text.empty() ? "" : ", ") + std::string(keyOf(*o));
  return text;
}

CType typeOf(ParamKind k, unsigned ptrBits) {
  if (k <= ParamKind::Poly)
    return {CType::Pointer, 0, false};
  unsigned bits = bitsOf(k);
  return {CType::Int, bits ? bits : ptrBits, k == ParamKind::Offset};
}

std::string textOf(const CType &t) {
  switch (t.kind) {
  case CType::Void: return "void";
  case CType::Pointer: return "void *";
  case CType::Int: return (t.isSigned ? "int" : "uint") + std::to_string(t.bits) + "_t";
  case CType::Other: break;
  }
  return "(another type)";
}

/// Any two pointers fit. Integers need the same width, and up to 32 bits the same
/// sign.
bool fitsType(const CType &want, const CType &have, bool signs) {
  if (want.kind != have.kind || want.kind == CType::Other)
    return false;
  // Whoever extends a value of up to 32 bits to a register has to know its sign.
  bool signMatters = signs && want.kind == CType::Int && want.bits <= 32;
  return want.bits == have.bits && (!signMatters || want.isSigned == have.isSigned);
}

} // namespace

/// Parses item by item. The first error ends it, as later ones may follow from it.
bool SymbolMap::parse(const std::string &text, Diag &code, std::string &message,
                      std::string &note) {
  items.clear();
  for (size_t at = 0; at <= text.size();) {
    size_t end = std::min(text.find(',', at), text.size());
    std::string item = text.substr(at, end - at);
    at = end + 1;
    size_t eq = item.find('=');
    std::string key = item.substr(0, eq);
    std::string symbol = eq == std::string::npos ? "" : item.substr(eq + 1);
    if (key.empty() || !isSymbol(symbol)) {
      code = Diag::BadMapItem;
      message = "'" + item + "' in map is not of the form KEY=SYMBOL";
      note = adviceOf(code);
      return false;
    }
    std::vector<const Operation *> found = mappablesOf(key);
    if (found.size() != 1) {
      code = Diag::UnknownMapKey;
      message = found.empty() ? "map knows no operation '" + key + "'"
                              : "'" + key + "' in map is more than one operation";
      note = "name one of: " + (found.empty() ? mapKeys() : listed(found));
      return false;
    }
    for (const Item &old : items)
      if (old.routine == found[0]->routine) {
        code = Diag::MapKeyTwice;
        message = "map names '" + key + "' twice: " + old.symbol + " and " + symbol;
        note = adviceOf(code);
        return false;
      }
    items.push_back({found[0]->routine, key, symbol});
  }
  return true;
}

/// The map is short, so it is searched linearly.
const char *SymbolMap::find(Routine r) const {
  for (const Item &i : items)
    if (i.routine == r)
      return i.symbol.c_str();
  return nullptr;
}

/// A clone (my_copy.constprop.0) has the name of its function before a dot.
bool SymbolMap::isTarget(const std::string &function) const {
  for (const Item &i : items)
    if (function.compare(0, i.symbol.size(), i.symbol) == 0 &&
        (function.size() == i.symbol.size() || function[i.symbol.size()] == '.'))
      return true;
  return false;
}

std::string mapKeys() {
  std::vector<const Operation *> all;
  for (const Operation &o : LibraryOperations())
    all.push_back(&o);
  std::string text = listed(all);
  for (const Operation *o : all)
    if (mappablesOf(o->idiom).size() == 1 && std::strcmp(o->idiom, keyOf(*o)) != 0)
      text += ", " + std::string(o->idiom);
  return text;
}

std::string prototypeOf(Routine r, const std::string &symbol) {
  const Operation &o = operationOf(r);
  std::string text = o.prototype;
  return text.replace(text.find(o.symbol), std::strlen(o.symbol), symbol);
}

CFunction typeOf(Routine r, unsigned ptrBits) {
  const Operation &o = operationOf(r);
  CFunction f;
  f.result = {o.resultBits ? CType::Int : CType::Void, o.resultBits, false};
  for (unsigned i = 0; i < o.paramCount; ++i)
    f.params.push_back(typeOf(o.params[i], ptrBits));
  return f;
}

/// A routine that returns nothing may be replaced by one that returns a scalar. A
/// function without a prototype is refused, since its parameters are not known.
bool fits(const CFunction &want, const CFunction &have, bool signs) {
  if (!have.known || have.variadic || want.params.size() != have.params.size())
    return false;
  bool scalar = have.result.kind != CType::Other;
  if (want.result.kind == CType::Void ? !scalar : !fitsType(want.result, have.result, signs))
    return false;
  for (size_t i = 0; i < want.params.size(); ++i)
    if (!fitsType(want.params[i], have.params[i], signs))
      return false;
  return true;
}

/// Writes the type as the programmer would declare it, for messages about a mismatch.
std::string describe(const CFunction &f, const std::string &symbol) {
  std::string text = textOf(f.result);
  if (text.back() != '*')
    text += ' ';
  text += symbol + "(";
  for (size_t i = 0; i < f.params.size(); ++i)
    text += (i ? ", " : "") + textOf(f.params[i]);
  if (f.variadic)
    text += f.params.empty() ? "..." : ", ...";
  return text + ")";
}

} // namespace memlift
