// stored.cpp - sums and checksums that each iteration stores
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   for (i..n) c->crc = table[(c->crc ^ p[i]) & 255] ^ c->crc >> 8;
//   while (n--) *sum += *p++;
//
// The compiler carries the value in a register, but p may point to where it is kept,
// so it stores each one. If p does not, only the last store matters: the value is
// computed as if it were a live-out, and stored once. That the two places are
// disjoint is proved, or tested before the loop. An iteration may store the value
// several times and read its bytes again after each store, as for the two halves of a
// byte.
//
// The limit: at most 8 bytes, always at the same place.
#include "../align/align.h"
#include "steps.h"

#include <algorithm>

namespace memlift {

static bool alike(const ExprGraph &g, const Access &a, const Access &b) {
  return a.affine && b.affine && a.base == b.base && a.offset == b.offset && a.step == b.step &&
         a.bytes == b.bytes && !a.conditional && !b.conditional && !a.isVolatile && !b.isVolatile &&
         !a.atomic && !b.atomic && g.isConst(a.bytes);
}

/// Replaces a load that repeats an earlier one of the same iteration. No store in
/// between can change its value: stateDisjoint() requires that the loop reads nothing it
/// stores to.
static void readOnce(Proof &p) {
  std::map<ExprId, ExprId> first;
  for (uint32_t i = 0; i < p.loop.accesses.size(); ++i)
    for (uint32_t k = 0; k < i; ++k) {
      const Access &again = p.loop.accesses[i], &before = p.loop.accesses[k];
      if (again.store || before.store || !alike(p.g, again, before))
        continue;
      unsigned width = unsigned(8 * p.g[again.bytes].value);
      first[p.g.leaf(Op::Load, i, width)] = p.g.leaf(Op::Load, k, width);
      break;
    }
  for (Recurrence &r : p.loop.recs)
    r.next = r.next == NoExpr ? r.next : p.g.substitute(r.next, first);
  for (uint32_t i : p.stores)
    p.loop.accesses[i].value = p.g.substitute(p.loop.accesses[i].value, first);
}

int storedState(Proof &p) {
  Loop &loop = p.loop;
  if (p.stores.empty() || loop.origin != Origin::Loop || loop.dims.empty())
    return -1;
  const Access &a = loop.accesses[p.stores.back()];
  bool still = isStill(p.g, a) && !p.isBulk(a) && p.g[a.bytes].value <= 8;
  for (uint32_t i : p.stores)
    still = still && (i == p.stores.back() || alike(p.g, loop.accesses[i], a));
  // A value that a store may change is not taken for fixed here.
  for (const Access &other : loop.accesses)
    still &= !other.fixed && !other.lookUp;
  if (!still)
    return -1;
  unsigned width = p.g.width(a.value);
  for (uint32_t k = 0; k < loop.recs.size(); ++k) {
    const Recurrence &r = loop.recs[k];
    if (r.width >= width && !p.g.isInvariant(r.next) && p.g.zextOrTrunc(r.next, width) == a.value) {
      if (p.stores.size() > 1)
        readOnce(p);
      return int(k);
    }
  }
  return -1;
}

void stateDisjoint(Proof &p) {
  Match &match = p.match;
  Loop &loop = p.loop;
  ExprGraph &g = p.g;
  const char *name = "state in memory", *need = "disjoint from all that is read";
  const Access &a = loop.accesses[p.stores[0]];
  uint64_t size = g[a.bytes].value;
  std::string evidence;
  bool none = true;
  for (uint32_t i = 0; i < loop.accesses.size(); ++i)
    none &= loop.accesses[i].store || loop.alias(i, p.stores[0], &evidence) == AliasKind::None;
  match.stored = true;
  match.dstBase = a.base;
  match.dst = p.tidy(p.address(a.base, a.offset));
  match.dstAlign = std::max(a.align, alignmentOf(loop, a.base, a.offset));
  // A loop of no iterations stores nothing.
  bool runs =
      std::all_of(loop.dims.begin(), loop.dims.end(), [](const Dim &d) { return d.nonzero; });
  if (!runs)
    p.require(g.binary(Op::Ne, match.bytes, loop.word(0)));
  ExprId disjoint = p.disjoint(match.dst, loop.word(size), match.src, match.bytes);
  if (none || g.isConst(disjoint, 1)) {
    p.prove(name, need, p.describe(a), none ? evidence : "both in one object");
    return;
  }
  if (g.isConst(disjoint, 0)) {
    p.fail(name, Diag::StateInMemory, need, p.describe(a) + ", among what is read", p.where(a.loc));
    return;
  }
  p.require(disjoint);
  p.guard(name, Diag::StateInMemory, need, p.describe(a) + ": tested at run time", p.where(a.loc));
}

} // namespace memlift
