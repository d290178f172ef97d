// ones.cpp - ones' complement: sums modulo 2^16 - 1 that are folded as they go
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ones.h"

#include <map>
#include <vector>

namespace memlift {

/// More values of t than this are not tried: 32 words of 16 bits.
constexpr uint64_t maxValues = uint64_t(1) << 21;

uint64_t onesRepresentative(uint64_t t) {
  return t ? (t - 1) % 65535 + 1 : 0;
}

bool fitsSixteenBits(const Loop &loop, ExprId id) {
  const ExprGraph &g = loop.exprs;
  const Expr &e = g[id];
  if (e.width <= 16)
    return true;
  switch (e.op) {
  case Op::Const: return e.value <= 65535;
  case Op::ZExt: return fitsSixteenBits(loop, e.a);
  case Op::And: return fitsSixteenBits(loop, e.a) || fitsSixteenBits(loop, e.b);
  case Op::LShr: return g.isConst(e.b) && e.width - g[e.b].value <= 16;
  case Op::Select:
    return fitsSixteenBits(loop, e.b) && fitsSixteenBits(loop, e.c);
  default: return false;
  }
}

namespace {

/// A sum t of one representative and words: what an unfolded value is.
struct Unfolded {
  bool ok = false, hasState = false;
  Linear words;
  uint64_t most = 0;
};

/// An expression as straight-line code, to be run many times.
struct Step {
  Op op;           // Sym: the value of t
  unsigned width, from;
  uint64_t constant;
  unsigned a, b, c; // earlier steps
};
struct Plan {
  std::vector<Step> steps;
  std::map<ExprId, unsigned> place;
};

class OnesEvaluator {
public:
  OnesEvaluator(Loop &loop, uint32_t rec) : loop(loop), g(loop.exprs), rec(rec) {}
  OnesForm run(ExprId id);

private:
  OnesForm of(ExprId id);
  Loop &loop;
  ExprGraph &g;
  uint32_t rec;
  int budget = 2000;
  std::map<ExprId, OnesForm> known;

  Unfolded unfold(ExprId id);
  ExprId carries(ExprId id, std::map<ExprId, ExprId> &done);
  ExprId carryOf(const Expr &less);
  void candidates(ExprId id, std::vector<ExprId> &found, std::map<ExprId, bool> &seen);
  bool plan(ExprId id, ExprId t, Plan &p);
  bool folds(ExprId id, ExprId t);
  Unfolded unfolded; // by folds(): what t is
};

ExprId strip(const ExprGraph &g, ExprId id) {
  while (g[id].op == Op::ZExt)
    id = g[id].a;
  return id;
}

/// (x + y) mod 2^16 < y, or < x, is the carry out of 16 bits.
ExprId OnesEvaluator::carryOf(const Expr &less) {
  ExprId low = strip(g, less.a), than = strip(g, less.b);
  if (g.width(low) != 16 || g.width(than) > 16)
    return NoExpr;
  ExprId sum = g[low].op == Op::Trunc ? g[low].a : low;
  const Expr add = g[sum];
  if (add.op != Op::Add)
    return NoExpr;
  ExprId x = strip(g, add.a), y = strip(g, add.b);
  if ((x != than && y != than) || g.width(x) > 16 || g.width(y) > 16)
    return NoExpr;
  ExprId wide = g.add(g.zextOrTrunc(x, 32), g.zextOrTrunc(y, 32));
  return g.cast(Op::Trunc, g.binary(Op::LShr, wide, g.constant(16, 32)), 1);
}

/// The same value with carries out of 16-bit sums made explicit, so that all of
/// it hangs on the sum in 32 bits.
ExprId OnesEvaluator::carries(ExprId id, std::map<ExprId, ExprId> &done) {
  auto it = done.find(id);
  if (it != done.end())
    return it->second;
  const Expr e = g[id];
  ExprId r = id;
  if (--budget < 0 || g.isInvariant(id)) {
    r = id;
  } else if (e.op == Op::ULt && carryOf(e) != NoExpr) {
    r = carries(carryOf(e), done);
  } else if (e.op == Op::Add && e.width == 16) {
    ExprId a = g.zextOrTrunc(carries(e.a, done), 32);
    ExprId b = g.zextOrTrunc(carries(e.b, done), 32);
    r = g.cast(Op::Trunc, g.add(a, b), 16);
  } else if (e.op == Op::Select) {
    ExprId c = carries(e.a, done), x = carries(e.b, done);
    r = g.select(c, x, carries(e.c, done));
  } else if (e.op == Op::ZExt || e.op == Op::SExt || e.op == Op::Trunc) {
    ExprId a = carries(e.a, done);
    r = g.cast(e.op, a, e.width);
  } else if (e.b != NoExpr && e.c == NoExpr) {
    ExprId a = carries(e.a, done);
    r = g.binary(e.op, a, carries(e.b, done));
  }
  return done[id] = r;
}

Unfolded OnesEvaluator::unfold(ExprId id) {
  Unfolded u;
  const Expr e = g[id];
  if (--budget < 0)
    return u;
  OnesForm state = of(id);
  if (state.ok) {
    u.ok = u.hasState = true;
    u.words = state.words;
    u.most = 65535;
    return u;
  }
  Linear word = linearOf(loop, id);
  if (word.ok && word.bounded && word.constant == 0) {
    u.ok = word.high < __int128(maxValues);
    for (auto &[unit, factor] : word.terms)
      u.ok &= unit.kind == Unit::Byte;
    u.words = word;
    u.most = u.ok ? uint64_t(word.high) : 0;
    if (u.ok)
      return u;
  }
  if (e.op == Op::ZExt)
    return unfold(e.a);
  if (e.op != Op::Add)
    return Unfolded();
  Unfolded x = unfold(e.a), y = unfold(e.b);
  u.ok = x.ok && y.ok && !(x.hasState && y.hasState) &&
         x.most + y.most <= maxValues && x.most + y.most <= maskOf(e.width);
  u.hasState = x.hasState || y.hasState;
  u.most = x.most + y.most;
  u.words = x.words;
  for (auto &[unit, factor] : y.words.terms)
    u.words.terms[unit] += factor;
  return u;
}

/// Sums on which the value may hang, the widest ones first.
void OnesEvaluator::candidates(ExprId id, std::vector<ExprId> &found,
                               std::map<ExprId, bool> &seen) {
  if (id == NoExpr || seen[id] || --budget < 0)
    return;
  seen[id] = true;
  const Expr e = g[id];
  if (e.op == Op::Add)
    found.push_back(id);
  for (ExprId operand : {e.a, e.b, e.c})
    candidates(operand, found, seen);
}

/// Appends what `id` needs, operands first; false if it hangs on more than `t`.
bool OnesEvaluator::plan(ExprId id, ExprId t, Plan &p) {
  if (p.place.count(id))
    return true;
  const Expr e = g[id];
  Step s{e.op, e.width, 0, e.value, 0, 0, 0};
  if (id == t) {
    s.op = Op::Sym;
  } else if (e.op != Op::Const) {
    bool cast = e.op == Op::ZExt || e.op == Op::Trunc || e.op == Op::SExt;
    bool binary = e.b != NoExpr && e.c == NoExpr;
    if ((!cast && !binary && e.op != Op::Select) || --budget < 0)
      return false;
    for (ExprId operand : {e.a, e.b, e.c})
      if (operand != NoExpr && !plan(operand, t, p))
        return false;
    s.from = g.width(e.a);
    s.a = p.place[e.a];
    s.b = e.b == NoExpr ? 0 : p.place[e.b];
    s.c = e.c == NoExpr ? 0 : p.place[e.c];
  }
  p.place[id] = unsigned(p.steps.size());
  p.steps.push_back(s);
  return true;
}

/// The planned value where `t` is v.
static uint64_t evaluate(const std::vector<Step> &steps,
                         std::vector<uint64_t> &values, uint64_t v) {
  for (size_t i = 0; i < steps.size(); ++i) {
    const Step &s = steps[i];
    uint64_t r;
    switch (s.op) {
    case Op::Sym: r = v; break;
    case Op::Const: r = s.constant; break;
    case Op::Select: r = values[values[s.a] ? s.b : s.c]; break;
    case Op::ZExt: case Op::Trunc: r = values[s.a]; break;
    case Op::SExt: r = uint64_t(signExtend(values[s.a], s.from)); break;
    default: r = foldBinary(s.op, values[s.a], values[s.b], s.from); break;
    }
    values[i] = r & maskOf(s.width);
  }
  return values.back();
}

/// Does `id` fold every value that `t` can have?
bool OnesEvaluator::folds(ExprId id, ExprId t) {
  Plan p;
  if (!plan(id, t, p))
    return false;
  std::vector<uint64_t> values(p.steps.size());
  // Cheap first: nearly everything that does not fold fails at 65536.
  if (evaluate(p.steps, values, 65536 & maskOf(g.width(t))) != 1)
    return false;
  unfolded = unfold(t);
  if (!unfolded.ok || !unfolded.hasState)
    return false;
  Unfolded sum = unfolded;
  for (uint64_t v = 0; v <= sum.most; ++v)
    if (evaluate(p.steps, values, v) != onesRepresentative(v))
      return false;
  unfolded = sum;
  return true;
}

OnesForm OnesEvaluator::of(ExprId id) {
  id = strip(g, id);
  auto it = known.find(id);
  if (it != known.end())
    return it->second;
  OnesForm form;
  known[id] = form; // what refers to itself is none
  if (--budget < 0 || g.width(id) > 64)
    return form;
  const Expr e = g[id];
  if (e.op == Op::Rec && e.value == rec) {
    form.ok = true;
    return known[id] = form;
  }
  if (e.op == Op::Trunc && e.width >= 16) {
    form = of(e.a); // a representative has 16 bits
    if (form.ok)
      return known[id] = form;
  }
  std::vector<ExprId> sums;
  std::map<ExprId, bool> seen;
  candidates(id, sums, seen);
  for (ExprId t : sums) {
    if (!folds(id, t))
      continue;
    form.ok = true;
    form.words = unfolded.words;
    break;
  }
  return known[id] = form;
}

OnesForm OnesEvaluator::run(ExprId id) {
  std::map<ExprId, ExprId> done;
  OnesForm form = of(carries(id, done));
  form.ok &= !form.words.terms.empty();
  return form;
}

} // namespace

OnesForm onesOf(Loop &loop, ExprId id, uint32_t rec) {
  return OnesEvaluator(loop, rec).run(id);
}

} // namespace memlift
