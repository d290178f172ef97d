// fixed.cpp - bounds and pointers that are read again in each iteration
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   for (i = 0; i < b->used; i++)     a store of bytes may change b->used and
//     b->data[i] = s[i];              b->data, so they are loaded every time
//
// The reader describes the loop as if these values stayed as they are before the
// loop. That is right if the loop does not write the bytes that hold them: proved, or
// tested before the loop. It is also right if the loop fills with that very value,
// since writing it changes nothing:
//
//   while (n--) *d++ = *s;            should d reach s, then with *s
//
// The limits: one region; loads of a constant size.
#include "steps.h"

#include <algorithm>

namespace memlift {

/// A place this near above the destination would soon be reached; no test is made for
/// it.
constexpr int64_t leastApart = 64;

/// Returns true if every store writes what the load reads, and meets it as a whole if
/// at all.
static bool writesItself(const Proof &p, const Access &load) {
  uint64_t size = p.g[load.bytes].value;
  if (load.value == NoExpr || !p.g.isInvariant(load.value) || load.align < size)
    return false;
  return std::all_of(p.stores.begin(), p.stores.end(), [&](uint32_t s) {
    const Access &a = p.loop.accesses[s];
    return !p.isBulk(a) && p.g.isConst(a.bytes, size) && a.align >= size &&
           p.g.equal(a.value, load.value);
  });
}

bool fixedDisjoint(Proof &p, uint32_t index) {
  ExprGraph &g = p.g;
  const char *name = "read again", *need = "not written by the loop";
  const Access &load = p.loop.accesses[index];
  std::string evidence, have = p.describe(load);
  bool none = true;
  for (uint32_t s : p.stores)
    none &= p.loop.alias(index, s, &evidence) == AliasKind::None;
  ExprId at = p.address(load.base, load.offset);
  int64_t above; // distance of the load above the destination
  bool known = g.constantDifference(at, p.match.dst, above);
  uint64_t size = g[load.bytes].value;
  if (!none && writesItself(p, load)) {
    p.prove(name, need, have + ", written with its own value");
    return true;
  }
  if (!none && p.match.rows != NoExpr)
    return false; // the rest handles one region only
  // No region wraps around the end of memory, so bytes below it are not reached.
  if (none || (known && above < 0 && uint64_t(-above) >= size)) {
    p.prove(name, need, none ? have : have + ", below the destination", evidence);
    return true;
  }
  ExprId up = known ? p.loop.word(uint64_t(above)) : g.sub(at, p.match.dst);
  ExprId disjoint = g.binary(Op::ULe, p.match.bytes, up);
  // A test that mostly fails is not worth a second version of the loop.
  if ((known && above < leastApart) || g.isConst(disjoint, 0))
    return false;
  p.require(disjoint);
  if (!known)
    // The load may also be below the destination, by at least its own size.
    p.require(g.binary(Op::ULe, p.loop.word(size), g.sub(p.match.dst, at)));
  p.guard(name, Diag::ReadAgain, need, have + ": tested at run time", "the compiler cannot tell");
  return true;
}

/// Returns true if the load always gives the value that the loop model has for it.
static bool staysFixed(Proof &p, uint32_t index) {
  const Access &a = p.loop.accesses[index];
  if (a.value != NoExpr && !p.g.isConst(a.bytes, p.g.width(a.value) / 8))
    return false;
  if (isCounted(p, a))
    return true;
  return (a.value == NoExpr || p.g.isInvariant(a.value)) && fixedDisjoint(p, index);
}

void fixedLoads(Proof &p) {
  for (uint32_t i = 0; i < p.loop.accesses.size(); ++i) {
    const Access &a = p.loop.accesses[i];
    if (a.fixed && !a.store && !staysFixed(p, i))
      p.fail("read again",
             p.match.rows == NoExpr ? Diag::ReadAgainWritten : Diag::RowsNotContiguous,
             "not written by the loop", p.describe(a), p.where(a.loc));
  }
}

} // namespace memlift
