// hash.cpp - names hashes and rotating sums, and says why there is no routine for them
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   for (i..n) h = (h ^ p[i]) * 16777619;                        FNV
//   for (i..n) { h += p[i]; h += h << 10; h ^= h >> 6; }         Jenkins, ELF
//   for (i..n) { h = h * a + p[i]; a *= b; }                     RS
//   for (i..n) s = rotate(s, 1) + p[i];                          BSD sum
//   for (i..n) s = rotate(s + p[i], 1);
//
// A product or a carry moves bits upwards in the ring of integers. An exclusive-or, a
// right shift or a rotation moves bits in the vector space over GF(2). A step that
// does both is linear in neither. So the effect of one byte depends on all others,
// and no routine can take many bytes at a time. Such loops are recognised by the
// operations of a step, since a remark that names the reason is better than "not a
// sum".
#include "families.h"
#include "walk.h"

#include <algorithm>

namespace memlift {

namespace {

/// The kinds of operations that the new value is made of.
struct OperationKinds {
  bool own = false, loads = false, plain = true; // plain: no other operations than these
  bool multiplies = false;
  bool grows = false; // bits of the recurrence are added further up
  bool mixes = false; // exclusive-or, or a shift to the right
};

bool dependsOn(const ExprGraph &g, ExprId id, uint32_t rec) {
  return anyNode(g, id, [&](const Expr &e) { return e.op == Op::Rec && e.value == rec; });
}

/// Returns true for a left shift or a constant multiple of the recurrence.
bool isShifted(const ExprGraph &g, ExprId id, uint32_t rec) {
  const Expr &e = g[id];
  return (e.op == Op::Shl || e.op == Op::Mul) && g.isConst(e.b) && dependsOn(g, e.a, rec);
}

/// Returns true for a value loaded in the iteration before: while (*s) h = h * 31 +
/// *s++;
bool isLoadedAhead(const Loop &loop, uint64_t rec) {
  bool loads = false;
  return !anyNode(loop.exprs, loop.recs[rec].next, [&](const Expr &e) {
    loads |= e.op == Op::Load;
    return e.op == Op::Rec;
  }) && loads;
}

/// Collects the operations of a step.
OperationKinds kindsOf(const Loop &loop, uint32_t rec) {
  const ExprGraph &g = loop.exprs;
  OperationKinds p;
  anyNode(g, loop.recs[rec].next, [&](const Expr &e) {
    bool ahead = e.op == Op::Rec && e.value != rec && isLoadedAhead(loop, e.value);
    switch (e.op) {
    case Op::Rec:
      p.own |= e.value == rec;
      p.loads |= ahead;
      p.plain &= ahead || e.value == rec;
      break;
    case Op::Load: p.loads = true; break;
    case Op::Mul: p.multiplies |= g.isConst(e.b) && dependsOn(g, e.a, rec); break;
    case Op::Add:
    case Op::Sub: p.grows |= isShifted(g, e.a, rec) || isShifted(g, e.b, rec); break;
    case Op::LShr:
    case Op::AShr: p.mixes |= dependsOn(g, e.a, rec); break;
    case Op::Xor: p.mixes |= dependsOn(g, e.a, rec) || dependsOn(g, e.b, rec); break;
    case Op::Const:
    case Op::Sym:
    case Op::And:
    case Op::Or:
    case Op::Shl:
    case Op::ZExt:
    case Op::SExt:
    case Op::Trunc:
    case Op::BSwap:
    case Op::Select:
    case Op::Eq:
    case Op::Ne: break;
    default: p.plain = false;
    }
    return false;
  });
  return p;
}

/// Strips masks and casts from a shift's operand.
ExprId bare(const ExprGraph &g, ExprId id) {
  while (g[id].op == Op::And || g[id].op == Op::ZExt || g[id].op == Op::Trunc ||
         g[id].op == Op::SExt)
    id = g[id].a;
  return id;
}

/// Matches x << k and x >> (width - k), where width may be less than the
/// recurrence's.
bool isRotated(const ExprGraph &g, ExprId next, uint32_t rec) {
  std::vector<std::pair<ExprId, uint64_t>> left, right;
  anyNode(g, next, [&](const Expr &e) {
    bool down = e.op == Op::LShr || e.op == Op::AShr;
    if ((down || e.op == Op::Shl) && g.isConst(e.b) && dependsOn(g, e.a, rec))
      (down ? right : left).push_back({bare(g, e.a), g[e.b].value});
    return false;
  });
  for (auto [x, up] : left)
    for (auto [y, down] : right)
      for (unsigned width : {8u, 16u, 32u, 64u})
        if (x == y && up && down && up + down == width)
          return true;
  return false;
}

/// Returns true if another carried value multiplies it and a byte is added.
bool hasVaryingFactor(const ExprGraph &g, ExprId next, uint32_t rec) {
  auto reads = [&](ExprId id) {
    return anyNode(g, id, [](const Expr &e) { return e.op == Op::Load; });
  };
  auto isProduct = [&](ExprId id) {
    const Expr &e = g[id];
    return e.op == Op::Mul && !g.isInvariant(e.a) && !g.isInvariant(e.b) &&
           dependsOn(g, e.a, rec) != dependsOn(g, e.b, rec) && !reads(id);
  };
  const Expr &sum = g[next];
  bool mixes = sum.op == Op::Add || sum.op == Op::Xor;
  return mixes && ((isProduct(sum.a) && reads(sum.b)) || (isProduct(sum.b) && reads(sum.a)));
}

} // namespace

/// Reports the kind of hash as a failed fact.
Answer hashOf(Proof &p, Reduction &r) {
  uint32_t index = r.rec;
  const Recurrence &rec = p.loop.recs[index];
  OperationKinds kinds = kindsOf(p.loop, index);
  const char *name = "recurrence", *need = "a step that is linear in one ring";
  if (hasVaryingFactor(p.g, rec.next, index)) {
    p.name(Idiom::Hash);
    return p.fail(name, Diag::FactorVaries, "one factor in all iterations",
                  rec.name + " is multiplied by a value that the loop changes");
  }
  if (rec.width < 16 || !kinds.own || !kinds.loads || !kinds.plain || !kinds.mixes)
    return Answer::NotMine;
  auto loads = [&](ExprId id) {
    return anyNode(p.g, id, [&](const Expr &e) {
      return e.op == Op::Load ||
             (e.op == Op::Rec && e.value != index && isLoadedAhead(p.loop, e.value));
    });
  };
  bool adds = anyNode(p.g, rec.next,
                      [&](const Expr &e) { return e.op == Op::Add && loads(e.a) != loads(e.b); });
  if (isRotated(p.g, rec.next, index) && adds && !kinds.multiplies) {
    p.name(Idiom::Sum);
    return p.fail(name, Diag::RotatingSum, need, rec.name + " is rotated in each iteration");
  }
  if (!kinds.grows && !kinds.multiplies)
    return Answer::NotMine;
  p.name(Idiom::Hash);
  return p.fail(name, Diag::MixedHash, need,
                rec.name + " is multiplied or added to, and exclusive-ored or shifted down");
}

} // namespace memlift
