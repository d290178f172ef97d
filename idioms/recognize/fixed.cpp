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
#include "prover.h"

#include <algorithm>

namespace memlift {

/// A place this near above the destination would soon be reached; no test is made for
/// it.
constexpr int64_t leastApart = 64;

/// Returns true if every store writes what the load reads, and meets it as a whole if
/// at all.
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

/// Judges one load from [at, at + size) against the region [dst, dst + bytes).
bool Prover::fixedApart(uint32_t index) {
  const char *name = "read again", *need = "not written by the loop";
  const Access &load = loop.accesses[index];
  std::string evidence, have = describe(load);
  bool none = true;
  for (uint32_t s : stores)
    none &= loop.alias(index, s, &evidence) == AliasKind::None;
  ExprId at = g.add(g.leaf(Op::BaseAddr, load.base, loop.ptrBits), load.offset);
  int64_t above; // distance of the load above the destination
  bool known = g.constantDifference(at, match.dst, above);
  uint64_t size = g[load.bytes].value;
  if (!none && writesItself(load)) {
    prove(name, need, have + ", written with what it holds");
    return true;
  }
  if (!none && match.rows != NoExpr)
    return false; // the rest handles one region only
  // No region wraps around the end of memory, so bytes below it are not reached.
  if (none || (known && above < 0 && uint64_t(-above) >= size)) {
    prove(name, need, none ? have : have + ", below the destination", evidence);
    return true;
  }
  ExprId up = known ? loop.word(uint64_t(above)) : g.sub(at, match.dst);
  ExprId apart = g.binary(Op::ULe, match.bytes, up);
  // A test that mostly fails is not worth a second version of the loop.
  if ((known && above < leastApart) || g.isConst(apart, 0))
    return false;
  require(apart);
  if (!known)
    // The load may also be below the destination, by at least its own size.
    require(g.binary(Op::ULe, loop.word(size), g.sub(match.dst, at)));
  match.facts.push_back({name, Verdict::Guarded, Diag::ReadAgain, need,
                         have + ": tested at run time", "the compiler cannot tell"});
  return true;
}

/// Returns true if the load always gives the value that the loop model has for it.
bool Prover::staysFixed(uint32_t index) {
  const Access &a = loop.accesses[index];
  if (a.value != NoExpr && !g.isConst(a.bytes, g.width(a.value) / 8))
    return false;
  if (isCounted(a))
    return true;
  return (a.value == NoExpr || g.isInvariant(a.value)) && fixedApart(index);
}

/// Judges all loads that the loop model takes to be fixed.
void Prover::fixedLoads() {
  for (uint32_t i = 0; i < loop.accesses.size(); ++i) {
    const Access &a = loop.accesses[i];
    if (a.fixed && !a.store && !staysFixed(i))
      fail("read again", match.rows == NoExpr ? Diag::ReadAgainWritten : Diag::RowsNotContiguous,
           "not written by the loop", describe(a), where(a.loc));
  }
}

} // namespace memlift
