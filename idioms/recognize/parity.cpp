// parity.cpp - sums of bytes that count differently in even and odd iterations
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   for (i..n) sum += i & 1 ? p[i] : p[i] << 8;
//   for (i..n) { v = p[i]; if (odd) v <<= 8; odd = !odd; sum += v; ... fold ... }
//
// The body is judged twice, with the parity of an even and of an odd iteration put in
// its place. If a byte counts 1 in one of them and 256 in the other, two bytes are a
// 16-bit word, in one order or the other. An odd last byte then has a zero byte after
// it.
//
// The limit: one byte an iteration, upwards.
#include "families.h"

#include <algorithm>

namespace memlift {

namespace {

/// Rewrites expressions for one kind of iteration: 0 is the first, 1 the second.
class Phase {
public:
  Phase(Loop &loop, unsigned phase) : loop(loop), g(loop.exprs), phase(phase) {}
  ExprId of(ExprId id);

private:
  Loop &loop;
  ExprGraph &g;
  unsigned phase;
  std::map<ExprId, ExprId> done;
  int budget = 2000;

  bool lowBit(ExprId id, unsigned &bit, unsigned depth);
  bool toggle(uint32_t rec, uint64_t &value);
};

/// Finds the lowest bit of a value that counts along with the loop.
bool Phase::lowBit(ExprId id, unsigned &bit, unsigned depth) {
  const Expr e = g[id];
  unsigned x = 0, y = 0;
  if (!depth)
    return false;
  switch (e.op) {
  case Op::Const: bit = unsigned(e.value & 1); return true;
  case Op::Iv: bit = phase; return loop.dims.size() == 1;
  case Op::Trunc:
  case Op::ZExt:
  case Op::SExt: return lowBit(e.a, bit, depth - 1);
  case Op::Add:
  case Op::Sub:
  case Op::Xor:
    if (!lowBit(e.a, x, depth - 1) || !lowBit(e.b, y, depth - 1))
      return false;
    bit = x ^ y;
    return true;
  case Op::Mul:
  case Op::And:
    if (!lowBit(e.a, x, depth - 1) || !lowBit(e.b, y, depth - 1))
      return false;
    bit = x & y;
    return true;
  default: return false;
  }
}

/// Matches a variable that has one value in even iterations and another in odd ones.
bool Phase::toggle(uint32_t rec, uint64_t &value) {
  const Recurrence &r = loop.recs[rec];
  if (!g.isConst(r.init) || loop.dims.size() != 1)
    return false;
  ExprId leaf = g.leaf(Op::Rec, rec, r.width);
  std::map<ExprId, ExprId> first = {{leaf, r.init}};
  ExprId second = g.substitute(r.next, first);
  std::map<ExprId, ExprId> again = {{leaf, second}};
  if (!g.isConst(second) || g.substitute(r.next, again) != r.init)
    return false;
  value = g[phase ? second : r.init].value;
  return true;
}

/// Replaces everything that depends on the parity by its value in this kind of
/// iteration: the low bit of a counter, a flag that toggles, a shift amount made of
/// either.
ExprId Phase::of(ExprId id) {
  auto known = done.find(id);
  if (id == NoExpr || known != done.end() || --budget < 0)
    return id == NoExpr || known == done.end() ? id : known->second;
  const Expr e = g[id];
  unsigned bit = 0;
  uint64_t value = 0;
  bool one = e.op == Op::And && g.isConst(e.b, 1);
  // (i << 3) & 8: a shift amount computed from the parity
  bool scaled = e.op == Op::And && g.isConst(e.b) && g[e.a].op == Op::Shl && g.isConst(g[e.a].b) &&
                g[g[e.a].b].value < 64 && g[e.b].value == uint64_t(1) << g[g[e.a].b].value;
  ExprId r;
  if (one && lowBit(e.a, bit, 16)) {
    r = g.constant(bit, e.width);
  } else if (scaled && lowBit(g[e.a].a, bit, 16)) {
    r = g.constant(bit * g[e.b].value, e.width);
  } else if (e.op == Op::Trunc && e.width == 1 && lowBit(e.a, bit, 16)) {
    r = g.constant(bit, 1);
  } else if (e.op == Op::Rec && toggle(uint32_t(e.value), value)) {
    r = g.constant(value, e.width);
  } else {
    std::map<ExprId, ExprId> operands;
    for (ExprId operand : {e.a, e.b, e.c})
      if (operand != NoExpr)
        operands[operand] = of(operand);
    r = g.substitute(id, operands);
  }
  return done[id] = r;
}

/// Finds the one byte that is added, and its factor.
bool oneByte(const Linear &form, Unit &unit, uint64_t &weight) {
  unsigned bytes = 0;
  for (auto &[u, factor] : form.terms)
    if (u.kind == Unit::Byte) {
      ++bytes;
      unit = u;
      weight = factor;
    } else if (u.kind != Unit::Rec) {
      return false;
    }
  return bytes == 1 && form.constant == 0;
}

/// Computes what an iteration of each kind adds to a plain sum or a folded one.
bool alternatingForms(Proof &p, Reduction &r, Linear forms[2], OnesForm &ones) {
  Loop &loop = p.loop;
  ExprId next[2];
  for (unsigned phase : {0u, 1u})
    next[phase] = Phase(loop, phase).of(loop.recs[r.rec].next);
  if (next[0] == next[1])
    return false;
  for (unsigned phase : {0u, 1u}) {
    forms[phase] = linearOf(loop, next[phase]);
    auto own = forms[phase].terms.find({Unit::Rec, r.rec, 0});
    if (!forms[phase].ok || own == forms[phase].terms.end() || own->second != 1 ||
        forms[phase].terms.size() != 2)
      break;
    if (phase == 1)
      return true;
  }
  ExprId written = loop.recs[r.rec].next;
  for (unsigned phase : {0u, 1u}) {
    loop.recs[r.rec].next = next[phase];
    OnesForm form = onesOf(loop, r.rec);
    loop.recs[r.rec].next = written;
    if (!form.ok || form.width != 16 || !form.direct || (phase && form.state != ones.state))
      return false;
    ones = form;
    forms[phase] = form.words;
  }
  return true;
}

} // namespace

/// Recognises an alternating sum: the same byte in both kinds of iteration, with weights
/// that differ by a factor of 256.
Answer alternatingSum(Proof &p, Reduction &r) {
  const Recurrence &rec = p.loop.recs[r.rec];
  Linear forms[2];
  OnesForm ones;
  Unit unit[2];
  uint64_t weight[2];
  if (!alternatingForms(p, r, forms, ones))
    return Answer::NotMine;
  for (unsigned phase : {0u, 1u})
    if (!oneByte(forms[phase], unit[phase], weight[phase]))
      return Answer::NotMine;
  bool first = weight[0] > weight[1];
  if (unit[0] < unit[1] || unit[1] < unit[0] ||
      weight[first ? 0 : 1] != (weight[first ? 1 : 0] << 8))
    return Answer::NotMine;
  Linear place;
  place.terms[unit[0]] = 1;
  Weights w;
  w.width = 64;
  p.match.idiom = ones.ok ? Idiom::InetChecksum : std::max(p.match.idiom, Idiom::Sum);
  if (Answer read = weightsOf(p, place, w); read != Answer::Proved)
    return read;
  r.elementBytes = 2;
  r.swapped = first != p.loop.bigEndian;
  p.prove("recurrence", "a sum of values read and carried",
          rec.name + ": bytes that count 256 and 1 alternately");
  Reduction::Ones start;
  if ((ones.ok && !onesStart(p, ones, start.state)) || sourceRegion(p, w) != Answer::Proved)
    return Answer::Refused;
  if (ones.ok)
    r.kind = start;
  else
    r.kind = Reduction::Sum{weight[0], NoExpr, true, weight[1]};
  return forwards(p);
}

} // namespace memlift
