// names.cpp - symbols of routines, and words for decisions
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The symbols come from the records of the operations (intrinsics/BulkOps.td).
#include "decide.h"

namespace memlift {

const char *symbolOf(Routine r) {
  switch (r) {
  case Routine::None: return "";
#define MEMLIFT_OP(ENUM, SYMBOL, PROTOTYPE, IDIOM, VALUE, LIBC, MEANING)                           \
  case Routine::ENUM: return SYMBOL;
#include "../../intrinsics/generated/BulkOps.inc"
#undef MEMLIFT_OP
  case Routine::Memset: return "memset";
  case Routine::Memcpy: return "memcpy";
  case Routine::Memmove: return "memmove";
  }
  return "";
}

bool isRoutine(const std::string &symbol) {
  for (unsigned r = 1; r < unsigned(Routine::Memset); ++r)
    if (symbol == symbolOf(Routine(r)))
      return true;
  return false;
}

bool returnsPointer(Routine r) {
  return r == Routine::Memset || r == Routine::Memcpy || r == Routine::Memmove;
}

Routine withCopy(Routine sum) {
  return sum == Routine::InetSum  ? Routine::CopyInetSum
         : sum == Routine::SumU16 ? Routine::CopySumU16
                                  : Routine::None;
}

std::string calleeOf(const ReturningCall &c) {
  return c.symbol.empty() ? symbolOf(c.routine) : c.symbol;
}

std::string calleeOf(const Decision &d) {
  return d.symbol.empty() ? symbolOf(d.routine) : d.symbol;
}

const char *nameOf(DecisionKind k) {
  switch (k) {
  case DecisionKind::Lowered: return "lowered";
  case DecisionKind::Inlined: return "inlined";
  case DecisionKind::Guarded: return "guarded";
  case DecisionKind::Kept: return "kept";
  case DecisionKind::Already: return "already";
  }
  return "kept";
}

bool isDone(DecisionKind k) {
  return k == DecisionKind::Lowered || k == DecisionKind::Inlined || k == DecisionKind::Guarded;
}

} // namespace memlift
