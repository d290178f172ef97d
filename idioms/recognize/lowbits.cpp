// lowbits.cpp - recurrences of which only the low bits exist, or are used
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   int s = 0;
//   for (i..n) s = (s + p[i]) & 0xffff;
//   for (i..n) h = (h * 31 + p[i]) & 0x7fffffff;
//
// A value that is cut to k bits in every iteration is one of k bits, and its sum is
// one modulo 2^k. Only its start value may have more bits, which are seen if no
// iteration runs.
//
//   uint8_t a, b;
//   for (i..n) { a = (a + p[i]) % 255; b = (b + a) % 255; }
//
// A compiler may carry b in 16 bits, cut it to 8 where it is added, and leave in the
// upper ones what a remainder without a division leaves there. If neither the loop
// nor later code uses the upper bits, the low bits are a recurrence of their own.
//
// In both cases a second, narrow recurrence is added beside the one that the loop
// carries, and is judged in its place.
#include "families.h"

namespace memlift {

/// Returns the bits of recurrence `rec` that next values or live-outs use.
static uint64_t bitsSeen(const Loop &loop, uint32_t rec) {
  const ExprGraph &g = loop.exprs;
  uint64_t bits = 0;
  auto isRec = [&](ExprId id) { return id != NoExpr && g[id].op == Op::Rec && g[id].value == rec; };
  std::vector<ExprId> open;
  std::vector<bool> met(g.size());
  for (const Recurrence &r : loop.recs)
    open.push_back(r.next);
  for (size_t i = 0; i < open.size(); ++i)
    if (isRec(open[i]))
      return ~uint64_t(0);
  while (!open.empty()) {
    ExprId id = open.back();
    open.pop_back();
    if (id == NoExpr || met[id])
      continue;
    met[id] = true;
    const Expr &e = g[id];
    if (!isRec(e.a) && !isRec(e.b) && !isRec(e.c))
      open.insert(open.end(), {e.a, e.b, e.c});
    else if (e.op == Op::Trunc)
      bits |= maskOf(e.width);
    else if (e.op == Op::And && g.isConst(e.b))
      bits |= g[e.b].value;
    else
      return ~uint64_t(0);
  }
  for (const LiveOut &l : loop.liveOuts)
    if (l.rec == int(rec))
      bits |= l.used;
  return bits;
}

/// Returns the width of the used bits, in whole bytes; 0 if it is no less than the
/// type's.
static unsigned seenWidth(const Loop &loop, uint32_t rec) {
  unsigned from = loop.recs[rec].width, to = 8;
  uint64_t bits = bitsSeen(loop, rec);
  while (to < from && bits & ~maskOf(to))
    to *= 2;
  return to < from ? to : 0;
}

/// Returns the width of all that an iteration may leave; 0 if it is no less than the
/// type's.
static unsigned leftWidth(const Loop &loop, uint32_t rec) {
  uint64_t most = upperBound(loop, loop.recs[rec].next);
  unsigned to = 1;
  while (to < 64 && most > maskOf(to))
    ++to;
  return to < loop.recs[rec].width ? to : 0;
}

/// Returns true for operations whose low bits depend on the low bits of their
/// operands alone.
static bool keepsLow(const ExprGraph &g, const Expr &e) {
  switch (e.op) {
  case Op::Add:
  case Op::Sub:
  case Op::Mul:
  case Op::And:
  case Op::Or:
  case Op::Xor: return true;
  default: return e.op == Op::Shl && g.isConst(e.b);
  }
}

/// Computes the low `to` bits of an expression from the low bits of its operands, as
/// far as they determine them; else truncates it.
static ExprId lowPart(Proof &p, ExprId id, unsigned to, std::map<ExprId, ExprId> &known) {
  ExprGraph &g = p.g;
  auto old = known.find(id);
  if (old != known.end())
    return old->second;
  const Expr e = g[id];
  uint64_t b = e.b != NoExpr && g.isConst(e.b) ? g[e.b].value : 0;
  // A remainder by a larger power of two keeps the low bits.
  bool power = b && !(b & (b - 1)) && b > maskOf(to);
  auto low = [&](ExprId operand) { return lowPart(p, operand, to, known); };
  ExprId r;
  if (e.width == to)
    r = id;
  else if (e.op == Op::And && (b & maskOf(to)) == maskOf(to))
    r = low(e.a);
  else if ((e.op == Op::URem || e.op == Op::SRem) && power)
    r = low(e.a);
  else if (e.op == Op::Shl && keepsLow(g, e))
    r = b >= to ? g.constant(0, to) : g.binary(Op::Shl, low(e.a), g.constant(b, to));
  else if (keepsLow(g, e))
    r = g.binary(e.op, low(e.a), low(e.b));
  else if (e.op == Op::Select)
    r = g.select(e.a, low(e.b), low(e.c));
  else if (e.op == Op::Trunc || ((e.op == Op::ZExt || e.op == Op::SExt) && g.width(e.a) > to))
    r = low(e.a);
  else if (e.op == Op::ZExt || e.op == Op::SExt)
    r = g.width(e.a) == to ? e.a : g.cast(e.op, e.a, to);
  else
    r = g.cast(Op::Trunc, id, to);
  return known[id] = r;
}

/// Adds a narrow recurrence for each one that has fewer bits than its type.
static void narrowRecurrences(Proof &p) {
  Loop &loop = p.loop;
  ExprGraph &g = p.g;
  uint32_t count = uint32_t(loop.recs.size()), added = count;
  std::map<ExprId, ExprId> with; // all of them, in each other's next values
  std::vector<unsigned> widths;
  for (uint32_t k = 0; k < count; ++k) {
    const Recurrence &r = loop.recs[k];
    bool known = r.width > 8 && r.width <= 64 && r.next != NoExpr;
    unsigned to = known ? leftWidth(loop, k) : 0;
    bool starts = to && (!g.isConst(r.init) || g[r.init].value <= maskOf(to));
    if (starts && upperBound(loop, r.init) > maskOf(to))
      p.wideStarts.insert(k);
    if (!starts)
      to = known ? seenWidth(loop, k) : 0;
    widths.push_back(to);
    if (!to)
      continue;
    // Replace the recurrence by its low bits everywhere, also in other recurrences.
    ExprId own = g.leaf(Op::Rec, added, to);
    with[g.leaf(Op::Rec, k, r.width)] = g.cast(Op::ZExt, own, r.width);
    p.narrowed[k] = added++;
  }
  for (auto &[k, low] : p.narrowed) {
    Recurrence r = loop.recs[k];
    r.name += ".low";
    r.width = widths[k];
    r.init = g.cast(Op::Trunc, r.init, r.width);
    r.next = g.cast(Op::Trunc, g.substitute(r.next, with), r.width);
    loop.recs.push_back(r);
  }
  for (auto &[k, low] : p.narrowed) {
    std::map<ExprId, ExprId> known;
    ExprId next = g.substitute(loop.recs[k].next, with);
    ExprId cut = lowPart(p, next, widths[k], known);
    // Use the low part only if it is linear; else the truncated value stays.
    if (linearOf(loop, cut).ok)
      loop.recs[low].next = cut;
  }
}

/// Recognises the low bits as a sum or a hash.
Answer narrowSum(Proof &p, Reduction &r) {
  if (!p.lookedNarrow)
    narrowRecurrences(p);
  p.lookedNarrow = true;
  auto low = p.narrowed.find(r.rec);
  if (low == p.narrowed.end() || !linearOf(p.loop, p.loop.recs[low->second].next).ok)
    return Answer::NotMine;
  std::vector<Fact> facts = p.match.facts;
  Idiom named = p.match.idiom;
  // A form that is linear in the low bits depends on those of the start value alone.
  r.wideStart = p.wideStarts.count(r.rec);
  r.rec = low->second;
  if (integerSum(p, r) == Answer::Refused || p.match.idiom == Idiom::None) {
    p.match.facts = facts;
    p.match.idiom = named;
    return Answer::NotMine;
  }
  return Answer::Proved;
}

/// Recognises the low bits as a sum that is reduced in the loop.
Answer narrowLiveOut(Proof &p, Reduction &r) {
  auto low = p.narrowed.find(r.rec);
  if (low == p.narrowed.end() || !p.wideStarts.empty())
    return Answer::NotMine;
  r.rec = low->second;
  return modularOf(p, r);
}

} // namespace memlift
