// names.cpp - callees of decisions, and words for decisions
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "decide.h"

namespace memlift {

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
