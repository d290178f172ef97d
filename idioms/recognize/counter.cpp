// counter.cpp - counters that a copy or a fill keeps in memory
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   while (n--) b->data[b->used++] = *p++;      bytes may be written to b->used
//
// The reader describes the loop as if the counter were in a register: read before the
// loop, stored in each iteration. That is right if neither what the loop writes nor
// what it reads overlaps the counter. Then only the last of these stores matters, and
// it is done once after the operation. That they do not overlap is proved, or tested
// at run time.
//
// The limits: one loop, not a nest; the counter's value is known for each iteration.
#include "prover.h"

#include <algorithm>

namespace memlift {

static constexpr char name[] = "counter in memory";
static constexpr char need[] = "apart from what is read and written";

/// Returns true for a store that always goes to one place, of a value not loaded.
bool Prover::countsInPlace(const Access &a) const {
  bool still =
      a.affine && loop.origin == Origin::Loop && !loop.dims.empty() && !isBulk(a) &&
      g[a.bytes].value <= 8 &&
      std::all_of(a.step.begin(), a.step.end(), [&](ExprId step) { return g.isConst(step, 0); });
  return still && (a.fixed || g.isInvariant(a.value) || counts(a.value));
}

/// Returns true for a load of a counter in memory. Before its store, it finds what
/// the iteration before has stored.
bool Prover::isCounted(const Access &load) {
  if (load.value == NoExpr || loop.dims.size() != 1)
    return false;
  ExprId iv = g.leaf(Op::Iv, 0, loop.ptrBits);
  std::map<ExprId, ExprId> onward = {{iv, g.add(iv, loop.word(1))}};
  for (unsigned bits : {8u, 16u, 32u})
    if (bits < loop.ptrBits) {
      ExprId narrow = g.cast(Op::Trunc, iv, bits);
      onward[narrow] = g.add(narrow, g.constant(1, bits));
    }
  ExprId next = g.substitute(load.value, onward);
  return std::any_of(counters.begin(), counters.end(), [&](uint32_t s) {
    const Access &a = loop.accesses[s];
    return a.fixed && &a > &load && a.base == load.base && g.equal(a.offset, load.offset) &&
           g.equal(a.bytes, load.bytes) && g.equal(a.value, next);
  });
}

/// Separates stores to counters from stores that move, if there are both.
void Prover::setCountersApart() {
  std::vector<uint32_t> walking;
  for (uint32_t s : stores)
    (countsInPlace(loop.accesses[s]) ? counters : walking).push_back(s);
  bool beside = !walking.empty();
  for (uint32_t s : counters)
    beside |= loop.accesses[s].fixed;
  if (beside)
    stores = walking;
  else
    counters.clear();
}

/// Proves that [at, at + size) and [start, start + bytes) are disjoint, or has it
/// tested at run time.
bool Prover::keepApart(ExprId at, uint64_t size, ExprId start, ExprId bytes) {
  ExprId above = tidy(g.sub(at, start)), below = tidy(g.sub(start, at));
  ExprId apart =
      g.binary(Op::And, g.binary(Op::ULe, bytes, above), g.binary(Op::ULe, loop.word(size), below));
  if (g.isConst(apart, 0))
    return false;
  require(apart);
  return true;
}

/// Judges one other access, which is neither a store of the region nor of the
/// counter.
bool Prover::counterApart(uint32_t counter, uint32_t other) {
  const Access &a = loop.accesses[counter], &b = loop.accesses[other];
  std::string evidence;
  if (loop.alias(counter, other, &evidence) == AliasKind::None)
    return true;
  ExprId at = g.add(g.leaf(Op::BaseAddr, a.base, loop.ptrBits), a.offset);
  uint64_t size = g[a.bytes].value;
  if (!b.fixed)
    return match.src != NoExpr && keepApart(at, size, match.src, match.bytes);
  ExprId place = g.add(g.leaf(Op::BaseAddr, b.base, loop.ptrBits), b.offset);
  int64_t above;
  if (g.constantDifference(place, at, above))
    return above >= int64_t(size) || -above >= int64_t(g[b.bytes].value);
  return keepApart(at, size, place, b.bytes);
}

/// Returns the value that the last iteration stores; NoExpr if that is not known.
ExprId Prover::lastStored(const Access &counter) {
  if (loop.dims.size() != 1 || loop.dims[0].trip == NoExpr)
    return NoExpr;
  ExprId last = g.sub(loop.dims[0].trip, loop.word(1));
  std::map<ExprId, ExprId> with = {{g.leaf(Op::Iv, 0, loop.ptrBits), last}};
  ExprId value = g.substitute(counter.value, with);
  return g.isInvariant(value) ? tidy(value) : NoExpr;
}

/// Proves that one counter may be stored once after the operation: its last value is
/// known, no other access overlaps it, and it is stored only if the loop runs. If the
/// value is an address, its object is noted, so that the writer keeps the pointer's
/// provenance.
void Prover::counterKept(uint32_t index) {
  const Access &a = loop.accesses[index];
  ExprId value = lastStored(a);
  bool apart = value != NoExpr && match.bytes != NoExpr && match.dst != NoExpr &&
               match.rows == NoExpr && match.reductions.empty() && fixedApart(index);
  for (uint32_t i = 0; i < loop.accesses.size() && apart; ++i) {
    const Access &other = loop.accesses[i];
    bool own = a.fixed && other.fixed && other.base == a.base && g.equal(other.offset, a.offset) &&
               g.equal(other.bytes, a.bytes);
    if (i != index && own)
      apart = !other.store; // the only store to its place
    else if (i != index && (other.fixed || !other.store))
      apart = counterApart(index, i);
  }
  if (!apart) {
    fail(name, Diag::CounterInMemory, need, describe(a), where(a.loc));
    return;
  }
  if (!loop.dims[0].nonzero)
    require(g.binary(Op::Ne, match.bytes, loop.word(0)));
  FinalStore f{tidy(g.add(g.leaf(Op::BaseAddr, a.base, loop.ptrBits), a.offset)), a.base,
               unsigned(g[a.bytes].value), a.align, value};
  if (g.width(value) == loop.ptrBits)
    for (const auto &[atoms, factor] : g.poly(value))
      if (atoms.size() == 1 && factor == 1 && g[atoms[0]].op == Op::BaseAddr)
        f.pointsInto = int(g[atoms[0]].value);
  match.finals.push_back(f);
  prove(name, need, describe(a) + ": stored once, " + text(value), where(a.loc));
}

/// Judges every counter; each one that fails has its own fact.
void Prover::countersInMemory() {
  for (uint32_t counter : counters)
    counterKept(counter);
}

} // namespace memlift
