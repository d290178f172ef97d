// fixed.cpp - bounds and pointers that are read again in each iteration
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   for (i = 0; i < b->used; i++)     a store of bytes may change b->used and
//     b->data[i] = s[i];              b->data, so they are loaded every time
//
// The reader describes the loop as if they stayed what they are before it. That
// is so if the bytes they lie in are not among those that the loop writes,
// which is proved, or tested in front of it. Or the loop fills with the very
// value:
//
//   while (n--) *d++ = *s;            should d reach s, then with *s
#include "prover.h"

#include <algorithm>

namespace memlift {

/// What lies so near above the destination would soon be reached.
constexpr int64_t leastApart = 64;

/// Every store is of what the load reads, and meets it whole if at all.
bool Prover::writesItself(const Access &load) const {
  uint64_t size = g[load.bytes].value;
  if (load.value == NoExpr || !g.isInvariant(load.value) || load.align < size)
    return false;
  return std::all_of(stores.begin(), stores.end(), [&](uint32_t s) {
    const Access &a = loop.accesses[s];
    return !isBulk(a) && g.isConst(a.bytes, size) && a.align >= size &&
           g.equal(a.value, load.value);
  });
}

/// One load from [at, at + size) and the region [dst, dst + bytes).
bool Prover::fixedApart(uint32_t index) {
  const char *name = "read again", *need = "not written by the loop";
  const Access &load = loop.accesses[index];
  std::string evidence, have = describe(load);
  bool none = true;
  for (uint32_t s : stores)
    none &= loop.alias(index, s, &evidence) == AliasKind::None;
  ExprId at = g.add(g.leaf(Op::BaseAddr, load.base, loop.ptrBits), load.offset);
  int64_t above; // of the load over the destination
  bool known = g.constantDifference(at, match.dst, above);
  uint64_t size = g[load.bytes].value;
  if (!none && writesItself(load)) {
    prove(name, need, have + ", written with what it holds");
    return true;
  }
  if (!none && match.rows != NoExpr)
    return false; // what follows knows of one region only
  // No region goes around the end of memory, so what lies below is not reached.
  if (none || (known && above < 0 && uint64_t(-above) >= size)) {
    prove(name, need, none ? have : have + ", below the destination", evidence);
    return true;
  }
  ExprId up = known ? loop.word(uint64_t(above)) : g.sub(at, match.dst);
  ExprId apart = g.binary(Op::ULe, match.bytes, up);
  if ((known && above < leastApart) || g.isConst(apart, 0))
    return false;
  require(apart);
  if (!known)
    require(g.binary(Op::ULe, loop.word(size), g.sub(match.dst, at)));
  match.facts.push_back({name, Verdict::Guarded, Diag::ReadAgain, need,
                         have + ": tested at run time", "the compiler cannot tell"});
  return true;
}

/// Does the load always give what the loop model says that it does?
bool Prover::staysFixed(uint32_t index) {
  const Access &a = loop.accesses[index];
  if (a.value != NoExpr && !g.isConst(a.bytes, g.width(a.value) / 8))
    return false;
  if (isCounted(a))
    return true;
  return (a.value == NoExpr || g.isInvariant(a.value)) && fixedApart(index);
}

void Prover::fixedLoads() {
  for (uint32_t i = 0; i < loop.accesses.size(); ++i) {
    const Access &a = loop.accesses[i];
    if (a.fixed && !a.store && !staysFixed(i))
      fail("read again", match.rows == NoExpr ? Diag::ReadAgainWritten : Diag::RowsNotContiguous,
           "not written by the loop", describe(a), where(a.loc));
  }
}

} // namespace memlift
