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
#include "ring.h"
#include "steps.h"

#include <algorithm>

namespace memlift {

static constexpr char name[] = "counter in memory";
static constexpr char need[] = "disjoint from all that is read and written";

/// Returns true for a store that always goes to one place, of a value not loaded.
static bool countsInPlace(const Proof &p, const Access &a) {
  return isStill(p.g, a) && p.loop.origin == Origin::Loop && !p.loop.dims.empty() && !p.isBulk(a) &&
         p.g[a.bytes].value <= 8 &&
         (a.fixed || p.g.isInvariant(a.value) || countsIterations(p.g, a.value));
}

/// Before its store, the load finds what the iteration before has stored. An index of a ring is one
/// more there where it does not start again at the ring's beginning.
bool isCounted(Proof &p, const Access &load) {
  ExprGraph &g = p.g;
  if (load.value == NoExpr || p.loop.dims.size() != 1)
    return false;
  ExprId iv = g.leaf(Op::Iv, 0, p.loop.ptrBits);
  std::map<ExprId, ExprId> onward = {{iv, g.add(iv, p.loop.word(1))}};
  for (unsigned bits : {8u, 16u, 32u})
    if (bits < p.loop.ptrBits) {
      ExprId narrow = g.cast(Op::Trunc, iv, bits);
      onward[narrow] = g.add(narrow, g.constant(1, bits));
    }
  ExprId next = g.substitute(load.value, onward);
  return std::any_of(p.counters.begin(), p.counters.end(), [&](uint32_t s) {
    const Access &a = p.loop.accesses[s];
    return a.fixed && &a > &load && a.base == load.base && g.equal(a.offset, load.offset) &&
           g.equal(a.bytes, load.bytes) &&
           (g.equal(a.value, next) || stepsInside(p.loop, load.value, a.value));
  });
}

void setCountersDisjoint(Proof &p) {
  std::vector<uint32_t> walking;
  for (uint32_t s : p.stores)
    (countsInPlace(p, p.loop.accesses[s]) ? p.counters : walking).push_back(s);
  bool beside = !walking.empty();
  for (uint32_t s : p.counters)
    beside |= p.loop.accesses[s].fixed;
  if (beside)
    p.stores = walking;
  else
    p.counters.clear();
}

/// Proves that [at, at + size) and [start, start + bytes) are disjoint, or has it
/// tested at run time.
static bool keepDisjoint(Proof &p, ExprId at, uint64_t size, ExprId start, ExprId bytes) {
  ExprId disjoint = p.disjoint(at, p.loop.word(size), start, bytes);
  if (p.g.isConst(disjoint, 0))
    return false;
  p.require(disjoint);
  return true;
}

/// Judges one other access, which is neither a store of the region nor of the
/// counter.
static bool counterDisjoint(Proof &p, uint32_t counter, uint32_t other) {
  ExprGraph &g = p.g;
  const Access &a = p.loop.accesses[counter], &b = p.loop.accesses[other];
  std::string evidence;
  if (p.loop.alias(counter, other, &evidence) == AliasKind::None)
    return true;
  ExprId at = p.address(a.base, a.offset);
  uint64_t size = g[a.bytes].value;
  if (!b.fixed)
    return p.match.src != NoExpr && keepDisjoint(p, at, size, p.match.src, p.match.bytes);
  ExprId place = p.address(b.base, b.offset);
  int64_t above;
  if (g.constantDifference(place, at, above))
    return above >= int64_t(size) || -above >= int64_t(g[b.bytes].value);
  return keepDisjoint(p, at, size, place, b.bytes);
}

/// Returns the value that the last iteration stores; NoExpr if that is not known.
static ExprId lastStored(Proof &p, const Access &counter) {
  if (p.loop.dims.size() != 1 || p.loop.dims[0].trip == NoExpr)
    return NoExpr;
  ExprId last = p.g.sub(p.loop.dims[0].trip, p.loop.word(1));
  std::map<ExprId, ExprId> with = {{p.g.leaf(Op::Iv, 0, p.loop.ptrBits), last}};
  ExprId value = p.g.substitute(counter.value, with);
  return p.g.isInvariant(value) ? p.tidy(value) : NoExpr;
}

/// Proves that one counter may be stored once after the operation: its last value is
/// known, no other access overlaps it, and it is stored only if the loop runs. If the
/// value is an address, its object is noted, so that the writer keeps the pointer's
/// provenance.
static void counterKept(Proof &p, uint32_t index) {
  Loop &loop = p.loop;
  ExprGraph &g = p.g;
  const Access &a = loop.accesses[index];
  ExprId value = lastStored(p, a);
  bool disjoint = value != NoExpr && p.match.bytes != NoExpr && p.match.dst != NoExpr &&
                  p.match.rows == NoExpr && p.match.reductions.empty() && fixedDisjoint(p, index);
  for (uint32_t i = 0; i < loop.accesses.size() && disjoint; ++i) {
    const Access &other = loop.accesses[i];
    bool own = a.fixed && other.fixed && other.base == a.base && g.equal(other.offset, a.offset) &&
               g.equal(other.bytes, a.bytes);
    if (i != index && own)
      disjoint = !other.store; // the only store to its place
    else if (i != index && (other.fixed || !other.store))
      disjoint = counterDisjoint(p, index, i);
  }
  if (!disjoint) {
    p.fail(name, Diag::CounterInMemory, need, p.describe(a), p.where(a.loc));
    return;
  }
  if (!loop.dims[0].nonzero)
    p.require(g.binary(Op::Ne, p.match.bytes, loop.word(0)));
  FinalStore f{p.tidy(p.address(a.base, a.offset)), a.base, unsigned(g[a.bytes].value), a.align,
               value};
  if (g.width(value) == loop.ptrBits)
    for (const auto &[atoms, factor] : g.poly(value))
      if (atoms.size() == 1 && factor == 1 && g[atoms[0]].op == Op::BaseAddr)
        f.pointsInto = int(g[atoms[0]].value);
  p.match.finals.push_back(f);
  p.prove(name, need, p.describe(a) + ": stored once, " + p.text(value), p.where(a.loc));
}

void countersInMemory(Proof &p) {
  for (uint32_t counter : p.counters)
    counterKept(p, counter);
}

} // namespace memlift
