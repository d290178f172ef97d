// map.h - the user's own routines: which symbol replaces which operation
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// map=KEY=SYMBOL[,KEY=SYMBOL...]. A KEY is an operation's symbol without
// "memlift_" (fill32, sum_u8, crc), or an idiom's name where the idiom has one
// operation (inet_checksum). SYMBOL is what the linker sees. It has to have the
// operation's prototype; where the operation returns nothing it may return
// anything, which is not looked at.
#ifndef MEMLIFT_IDIOMS_MAP_H
#define MEMLIFT_IDIOMS_MAP_H

#include "../diag.h"
#include "operations.h"

#include <cstdint>
#include <string>
#include <vector>

namespace memlift {

/// A C type as far as calls depend on it.
struct CType {
  enum Kind : uint8_t { Void, Pointer, Int, Other } kind = Other;
  unsigned bits = 0;     // Int
  bool isSigned = false; // Int; meaningless if the front end has no signs
};

/// A function's type. `known` is false for one without a prototype: f().
struct CFunction {
  CType result;
  std::vector<CType> params;
  bool variadic = false, known = true;
};

/// The routines that the user has named, by operation.
class SymbolMap {
public:
  /// Reads the option's value. Returns false, with a code, a message and a note, if
  /// an item is malformed, names no operation, or names one twice.
  bool parse(const std::string &text, Diag &code, std::string &message, std::string &note);
  bool empty() const { return items.empty(); }
  /// Returns the user's symbol for `r`, or null.
  const char *find(Routine r) const;
  /// Returns true if `function`, or the function that it is a clone of, is one of the
  /// user's routines.
  bool isTarget(const std::string &function) const;

  struct Item {
    Routine routine;
    std::string key, symbol;
  };
  std::vector<Item> items;
};

/// Lists all keys that a map may have: "copy, move, fill8, ...".
std::string mapKeys();
/// Returns the operation's prototype as C text, with `symbol` for its name.
std::string prototypeOf(Routine r, const std::string &symbol);
/// Returns the operation's type for pointers and size_t of that width.
CFunction typeOf(Routine r, unsigned ptrBits);
/// Returns true if a call of `want` may go to a function of type `have`. Without
/// `signs`, only the widths of types are compared.
bool fits(const CFunction &want, const CFunction &have, bool signs);
/// Describes the type as C text, for messages: "uint16_t my_sum(void *, uint64_t)".
std::string describe(const CFunction &f, const std::string &symbol);

} // namespace memlift

#endif
