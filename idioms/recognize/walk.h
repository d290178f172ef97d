// walk.h - a search through the nodes that a value is made of
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Expressions are graphs in which subexpressions are shared. A recursive walk visits a
// shared one once for each use, which is exponential for a CRC unrolled over eight bits.
#pragma once
#include "../expr.h"

#include <set>
#include <vector>

namespace memlift {

/// Returns true if `wanted` is true of `id` or of a node below it. Each node is asked
/// once, however many share it; the search ends with the first yes.
template <typename Wanted> bool anyNode(const ExprGraph &g, ExprId id, Wanted wanted) {
  std::vector<ExprId> open = {id};
  std::vector<bool> seen(g.size());
  while (!open.empty()) {
    ExprId at = open.back();
    open.pop_back();
    if (at == NoExpr || seen[at])
      continue;
    seen[at] = true;
    const Expr &e = g[at];
    if (wanted(e))
      return true;
    open.insert(open.end(), {e.a, e.b, e.c});
  }
  return false;
}

/// Returns the invariant conditions of all selects in the value.
inline std::set<ExprId> choicesIn(const ExprGraph &g, ExprId id) {
  std::set<ExprId> choices;
  anyNode(g, id, [&](const Expr &e) {
    if (e.op == Op::Select && g.isInvariant(e.a))
      choices.insert(e.a);
    return false;
  });
  return choices;
}

} // namespace memlift
