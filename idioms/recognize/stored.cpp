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
#include "prover.h"

#include <algorithm>

namespace memlift {

static bool alike(const ExprGraph &g, const Access &a, const Access &b) {
  return a.affine && b.affine && a.base == b.base && a.offset == b.offset && a.step == b.step &&
         a.bytes == b.bytes && !a.conditional && !b.conditional && !a.isVolatile && !b.isVolatile &&
         !a.atomic && !b.atomic && g.isConst(a.bytes);
}

/// Replaces a load that repeats an earlier one of the same iteration. No store in
/// between can change its value: stateApart() requires that the loop reads nothing it
/// stores to.
void Prover::readOnce() {
  std::map<ExprId, ExprId> first;
  for (uint32_t i = 0; i < loop.accesses.size(); ++i)
    for (uint32_t k = 0; k < i; ++k) {
      const Access &again = loop.accesses[i], &before = loop.accesses[k];
      if (again.store || before.store || !alike(g, again, before))
        continue;
      unsigned width = unsigned(8 * g[again.bytes].value);
      first[g.leaf(Op::Load, i, width)] = g.leaf(Op::Load, k, width);
      break;
    }
  for (Recurrence &r : loop.recs)
    r.next = r.next == NoExpr ? r.next : g.substitute(r.next, first);
  for (uint32_t i : stores)
    loop.accesses[i].value = g.substitute(loop.accesses[i].value, first);
}

/// Returns the recurrence whose next value the loop stores last, always to the same
/// place; or -1.
int Prover::storedState() {
  if (stores.empty() || loop.origin != Origin::Loop || loop.dims.empty())
    return -1;
  const Access &a = loop.accesses[stores.back()];
  bool still =
      a.affine && !isBulk(a) && g[a.bytes].value <= 8 &&
      std::all_of(a.step.begin(), a.step.end(), [&](ExprId step) { return g.isConst(step, 0); });
  for (uint32_t i : stores)
    still = still && (i == stores.back() || alike(g, loop.accesses[i], a));
  // A value that a store may change is not taken for fixed here.
  for (const Access &other : loop.accesses)
    still &= !other.fixed && !other.lookUp;
  if (!still)
    return -1;
  unsigned width = g.width(a.value);
  for (uint32_t k = 0; k < loop.recs.size(); ++k) {
    const Recurrence &r = loop.recs[k];
    if (r.width >= width && !g.isInvariant(r.next) && g.zextOrTrunc(r.next, width) == a.value) {
      if (stores.size() > 1)
        readOnce();
      return int(k);
    }
  }
  return -1;
}

/// Requires that nothing the loop reads overlaps the stored state.
void Prover::stateApart() {
  const char *name = "state in memory", *need = "apart from what is read";
  const Access &a = loop.accesses[stores[0]];
  uint64_t size = g[a.bytes].value;
  std::string evidence;
  bool none = true;
  for (uint32_t i = 0; i < loop.accesses.size(); ++i)
    none &= loop.accesses[i].store || loop.alias(i, stores[0], &evidence) == AliasKind::None;
  match.stored = true;
  match.dstBase = a.base;
  match.dst = tidy(g.add(g.leaf(Op::BaseAddr, a.base, loop.ptrBits), a.offset));
  match.dstAlign = std::max(a.align, alignmentOf(loop, a.base, a.offset));
  // A loop of no iterations stores nothing.
  bool runs =
      std::all_of(loop.dims.begin(), loop.dims.end(), [](const Dim &d) { return d.nonzero; });
  if (!runs)
    require(g.binary(Op::Ne, match.bytes, loop.word(0)));
  ExprId above = tidy(g.sub(match.dst, match.src));
  ExprId below = tidy(g.sub(match.src, match.dst));
  ExprId apart = g.binary(Op::And, g.binary(Op::ULe, match.bytes, above),
                          g.binary(Op::ULe, loop.word(size), below));
  if (none || g.isConst(apart, 1)) {
    prove(name, need, describe(a), none ? evidence : "both in one object");
    return;
  }
  if (g.isConst(apart, 0)) {
    fail(name, Diag::StateInMemory, need, describe(a) + ", among what is read", where(a.loc));
    return;
  }
  require(apart);
  match.facts.push_back({name, Verdict::Guarded, Diag::StateInMemory, need,
                         describe(a) + ": tested at run time", where(a.loc)});
}

/// Judges the value like one that is used after the loop.
bool Prover::reduceStored() {
  uint32_t index = uint32_t(loop.liveOuts.size());
  unsigned bits = g.width(loop.accesses[stores[0]].value);
  // The live-out exists only while the value is judged.
  loop.liveOuts.push_back({"the stored value", false, stored, maskOf(bits)});
  bool all = reduceAll();
  loop.liveOuts.pop_back();
  if (!all)
    return false;
  for (Reduction &r : match.reductions)
    r.stored = r.liveOut == index;
  stateApart();
  return true;
}

} // namespace memlift
