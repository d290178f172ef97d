// oneinput.cpp - compiles an expression of one value to straight-line code, and runs it
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "oneinput.h"

namespace memlift {

OneInput::OneInput(const ExprGraph &g, ExprId id, ExprId t, unsigned limit, const Loop *tables)
    : tables(tables), limit(limit) {
  usable = plan(g, id, t);
  values.resize(steps.size());
}

static bool isCast(Op op) { return op == Op::ZExt || op == Op::Trunc || op == Op::SExt; }

/// Plans the operands of a node and looks up their steps.
bool OneInput::planOperands(const ExprGraph &g, const Expr &e, ExprId t, Step &s) {
  bool binary = e.b != NoExpr && e.c == NoExpr;
  bool known = e.op == Op::Table && tables && !tables->tables[e.value].unknown;
  if (!isCast(e.op) && !binary && e.op != Op::Select && !known)
    return false;
  for (ExprId operand : {e.a, e.b, e.c})
    if (operand != NoExpr && !plan(g, operand, t))
      return false;
  s.from = g.width(e.a);
  s.a = place[e.a];
  s.b = e.b == NoExpr ? 0 : place[e.b];
  s.c = e.c == NoExpr ? 0 : place[e.c];
  return true;
}

/// Appends the steps that `id` needs, operands first; false if it depends on anything
/// but `t`. If `id` is t plus a constant in disguise (t is s + x, `id` is (s + 1) +
/// x), it is planned as that sum.
bool OneInput::plan(const ExprGraph &g, ExprId id, ExprId t) {
  if (place.count(id))
    return true;
  const Expr &e = g[id];
  if (e.width > 64 || steps.size() >= limit)
    return false;
  Step s{e.op, e.width, 0, e.value, 0, 0, 0};
  int64_t more = 0;
  if (id == t || (e.op != Op::Const && !planOperands(g, e, t, s))) {
    bool sum = e.op == Op::Add || e.op == Op::Sub;
    if (id != t && (!sum || e.width != g.width(t) || !g.constantDifference(id, t, more)))
      return false;
    s.op = Op::Sym;
    s.constant = uint64_t(more);
  }
  place[id] = unsigned(steps.size());
  steps.push_back(s);
  return true;
}

uint64_t OneInput::lookUp(const Step &s) {
  const std::vector<uint64_t> &entries = tables->tables[s.constant].entries;
  usable = usable && values[s.a] < entries.size();
  return usable ? entries[values[s.a]] : 0;
}

/// Runs the steps in order; the last one is the expression itself.
uint64_t OneInput::at(uint64_t v) {
  for (size_t i = 0; i < steps.size(); ++i) {
    const Step &s = steps[i];
    uint64_t r;
    switch (s.op) {
    case Op::Sym: r = v + s.constant; break;
    case Op::Const: r = s.constant; break;
    case Op::Select: r = values[values[s.a] ? s.b : s.c]; break;
    case Op::ZExt:
    case Op::Trunc: r = values[s.a]; break;
    case Op::Table: r = lookUp(s); break;
    case Op::SExt: r = uint64_t(signExtend(values[s.a], s.from)); break;
    default: r = foldBinary(s.op, values[s.a], values[s.b], s.from); break;
    }
    values[i] = r & maskOf(s.width);
  }
  return values.back();
}

} // namespace memlift
