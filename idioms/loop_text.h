// loop_text.h - words shared by the printer and the parser of loop models
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MEMLIFT_IDIOMS_LOOP_TEXT_H
#define MEMLIFT_IDIOMS_LOOP_TEXT_H

#include "expr.h"

#include <cctype>
#include <string>

namespace memlift {

struct OpName {
  Op op;
  const char *name;
};
extern const OpName opNames[];
extern const size_t opNameCount;
extern const char *const baseKindNames[]; // by BaseKind
inline constexpr const char *carryNames[] = {"add",  "xor",  "and",  "or",   "umin",
                                             "umax", "smin", "smax", "other"}; // by Carry::Kind

/// Returns true for operations written with their result width: (zext 64 x).
inline bool takesWidth(Op op) {
  return op == Op::ZExt || op == Op::SExt || op == Op::Trunc || op == Op::Splat || op == Op::Memory;
}

/// Quotes a string: \" and \\ are escaped, control characters become blanks.
std::string quote(const std::string &s);

} // namespace memlift

#endif
