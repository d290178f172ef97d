// diag.h - diagnostic codes (MLF####) as an enum, from intrinsics/Diagnostics.td
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MEMLIFT_IDIOMS_DIAG_H
#define MEMLIFT_IDIOMS_DIAG_H

#include <cstdint>
#include <initializer_list>
#include <string>
#include <utility>

namespace memlift {

enum class Diag : uint16_t {
  None = 0,
#define MEMLIFT_DIAG(CODE, ENUM, NAME, SEVERITY, TEXT, ADVICE, LONG) ENUM = CODE,
#include "../intrinsics/generated/Diagnostics.inc"
#undef MEMLIFT_DIAG
};

std::string codeOf(Diag d);   // "MLF2010"
const char *nameOf(Diag d);   // "TripCountUnknown"
const char *textOf(Diag d);   // one line
const char *adviceOf(Diag d); // advice to the programmer, or ""
/// Returns the text of a tool message, its {words} replaced by pairs of word and
/// value.
std::string toolMessage(Diag code,
                        std::initializer_list<std::pair<const char *, std::string>> words);
bool diagFromCode(unsigned code, Diag &d);

} // namespace memlift

#endif
