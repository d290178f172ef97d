// map.cpp - reads the option for the user's own routines, and their prototypes
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The generated table has the prototype of each operation as C text. It is parsed for
// the pointer width of the target, so that a user's function can be compared with it
// before a call is made: a wrong prototype would be a silent bug at run time.
#include "map.h"
#include "decide.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace memlift {

namespace {

struct Mappable {
  Routine routine;
  const char *key; // the symbol without "memlift_"
  const char *symbol, *prototype, *idiom;
};

constexpr size_t prefixLength = sizeof "memlift_" - 1;

const Mappable mappables[] = {
#define MEMLIFT_OP(ENUM, SYMBOL, PROTOTYPE, IDIOM, VALUE, LIBC, MEANING)                           \
  {Routine::ENUM, &SYMBOL[prefixLength], SYMBOL, PROTOTYPE, IDIOM},
#include "../../intrinsics/generated/BulkOps.inc"
#undef MEMLIFT_OP
};

const Mappable *mappableOf(Routine r) {
  for (const Mappable &row : mappables)
    if (row.routine == r)
      return &row;
  return nullptr;
}

/// Returns the operations that `key` may mean: one by its own name, else the idiom's.
std::vector<const Mappable *> mappablesOf(const std::string &key) {
  std::vector<const Mappable *> found;
  for (const Mappable &row : mappables)
    if (key == row.key)
      return {&row};
  for (const Mappable &row : mappables)
    if (key == row.idiom)
      found.push_back(&row);
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

std::string listed(const std::vector<const Mappable *> &some) {
  std::string text;
  for (const Mappable *row : some)
    text += (text.empty() ? "" : ", ") + std::string(row->key);
  return text;
}

/// Parses a type of the generated prototypes.
CType typeOfText(std::string text, unsigned ptrBits) {
  if (text.find('*') != std::string::npos)
    return {CType::Pointer, 0, false};
  if (text.compare(0, 4, "void") == 0)
    return {CType::Void, 0, false};
  if (text.compare(0, 6, "size_t") == 0)
    return {CType::Int, ptrBits, false};
  if (text.compare(0, 9, "ptrdiff_t") == 0)
    return {CType::Int, ptrBits, true};
  size_t u = text.compare(0, 4, "uint") == 0 ? 4 : 0;
  unsigned bits = u ? unsigned(std::strtoul(&text[u], nullptr, 10)) : 0;
  return {bits ? CType::Int : CType::Other, bits, false};
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
    std::vector<const Mappable *> found = mappablesOf(key);
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
  std::vector<const Mappable *> all;
  for (const Mappable &row : mappables)
    all.push_back(&row);
  std::string text = listed(all);
  for (const Mappable &row : mappables)
    if (mappablesOf(row.idiom).size() == 1 && std::strcmp(row.idiom, row.key) != 0)
      text += ", " + std::string(row.idiom);
  return text;
}

std::string prototypeOf(Routine r, const std::string &symbol) {
  const Mappable *row = mappableOf(r);
  if (!row)
    return "";
  std::string text = row->prototype, old = row->symbol;
  return text.replace(text.find(old), old.size(), symbol);
}

/// Parses the prototype of the table, parameter by parameter.
CFunction typeOf(Routine r, unsigned ptrBits) {
  CFunction f;
  const Mappable *row = mappableOf(r);
  if (!row)
    return f;
  std::string text = row->prototype;
  size_t open = text.find('('), name = text.find(row->symbol);
  f.result = typeOfText(text.substr(0, name), ptrBits);
  for (size_t at = open + 1; at < text.size();) {
    size_t end = std::min(text.find(',', at), text.find(')', at));
    at = text.find_first_not_of(' ', at);
    f.params.push_back(typeOfText(text.substr(at, end - at), ptrBits));
    at = end + 1;
  }
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
