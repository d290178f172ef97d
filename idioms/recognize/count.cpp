// count.cpp - decides whether a value counts how often a byte is one certain byte, or is not
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   for (i..n) if (p[i] == c) k++;             or k += p[i] != c, k += 3 * !p[i], k -= ...
//   for (i..n) if (p[i] == '\n' && ...)        if 255 of 256 bytes have one outcome
//
// The one condition in the next value is replaced by true and by false: both have to be the value
// before and a constant. A condition on the byte and constants is run for all 256 bytes.
#include "../algebra/oneinput.h"
#include "families.h"

namespace memlift {

/// Returns the condition that a value hangs on: its first node of width 1 on a load.
static ExprId conditionIn(const ExprGraph &g, ExprId id) {
  std::vector<ExprId> todo = {id};
  for (size_t i = 0; i < todo.size() && todo.size() < 64; ++i) {
    const Expr &e = g[todo[i]];
    if (e.width == 1)
      return g.isInvariant(todo[i]) ? NoExpr : todo[i];
    for (ExprId operand : {e.a, e.b, e.c})
      if (operand != NoExpr)
        todo.push_back(operand);
  }
  return NoExpr;
}

/// Returns the one load of a byte in a condition, or NoExpr.
static ExprId byteIn(const ExprGraph &g, ExprId id) {
  std::vector<ExprId> todo = {id};
  ExprId load = NoExpr;
  for (size_t i = 0; i < todo.size(); ++i) {
    const Expr &e = g[todo[i]];
    if (todo.size() > 64 || (e.op == Op::Load && load != NoExpr && load != todo[i]))
      return NoExpr;
    if (e.op == Op::Load)
      load = todo[i];
    for (ExprId operand : {e.a, e.b, e.c})
      if (operand != NoExpr)
        todo.push_back(operand);
  }
  return load != NoExpr && g.width(load) == 8 ? load : NoExpr;
}

/// The byte for which a condition has another outcome than for all others.
struct OneByte {
  ExprId byte = NoExpr; // 8 bits
  bool holds = false;   // the condition, for that byte
};

/// Runs a condition of one byte and constants for all bytes.
static OneByte amongAll(ExprGraph &g, ExprId condition, ExprId load) {
  OneInput run(g, condition, load);
  if (!run.ok())
    return {};
  unsigned yes = 0, last[2] = {0, 0};
  for (unsigned byte = 0; byte < 256; ++byte) {
    bool holds = run.at(byte) & 1;
    yes += holds;
    last[holds] = byte;
  }
  bool one = yes == 1;
  return one || yes == 255 ? OneByte{g.constant(last[one], 8), one} : OneByte();
}

/// Finds the byte in a comparison of the load with an invariant, which has to be a byte.
static OneByte compared(Proof &p, ExprId condition, ExprId load) {
  ExprGraph &g = p.g;
  const Expr e = g[condition];
  if (e.op == Op::Xor && g.isConst(e.b, 1)) {
    OneByte opposite = compared(p, e.a, load);
    return {opposite.byte, !opposite.holds};
  }
  if (e.op != Op::Eq && e.op != Op::Ne)
    return {};
  bool first = !g.isInvariant(e.a);
  ExprId side = first ? e.a : e.b, other = first ? e.b : e.a;
  Op how = g[side].op;
  if (how == Op::ZExt || how == Op::SExt)
    side = g[side].a;
  if (side != load || !g.isInvariant(other))
    return {};
  ExprId byte = g.width(other) == 8 ? other : g.cast(Op::Trunc, other, 8);
  if (g.width(other) > 8)
    p.require(g.binary(Op::Eq, other, g.cast(how, byte, g.width(other))), "byte", Diag::None,
              "a value that a byte can have", p.text(other));
  return {byte, e.op == Op::Eq};
}

Answer countOf(Proof &p, Reduction &r) {
  ExprGraph &g = p.g;
  const Recurrence &rec = p.loop.recs[r.rec];
  ExprId own = g.leaf(Op::Rec, r.rec, rec.width);
  ExprId condition = rec.width > 64 ? NoExpr : conditionIn(g, rec.next);
  ExprId load = condition == NoExpr ? NoExpr : byteIn(g, condition);
  if (load == NoExpr)
    return Answer::NotMine;
  int64_t added[2];
  for (unsigned holds : {0u, 1u}) {
    std::map<ExprId, ExprId> with = {{condition, g.constant(holds, 1)}};
    if (!g.constantDifference(g.substitute(rec.next, with), own, added[holds]))
      return Answer::NotMine;
  }
  OneByte one = amongAll(g, condition, load);
  if (one.byte == NoExpr)
    one = compared(p, condition, load);
  if (one.byte == NoExpr)
    return Answer::NotMine;
  Linear bytes;
  bytes.terms[{Unit::Byte, uint32_t(g[load].value), 0}] = 1;
  Weights w;
  w.width = 64;
  p.name(Idiom::Sum);
  if (Answer read = weightsOf(p, bytes, w); read != Answer::Proved)
    return read;
  r.kind = Reduction::Count{one.byte, uint64_t(added[one.holds]), uint64_t(added[!one.holds])};
  p.prove("recurrence", "a count of one byte", rec.name + ": " + p.text(rec.next));
  return sourceRegion(p, w);
}

} // namespace memlift
