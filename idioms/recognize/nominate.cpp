// nominate.cpp - decides by the stored bytes whether a loop may be a copy or a fill
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every stored byte is traced to its source (bytes.h). If all are loaded, it is a copy; if all
// are invariant, a fill. A byte loaded from an address that does not move counts as invariant if
// no store reaches it. If a store may reach it, the value may be overwritten during the loop: the
// loop is named a fill, and kept.
#include "prover.h"
#include "walk.h"

#include <algorithm>

namespace memlift {

/// Collects the stores, without those of counters in memory; a store of carried state makes the
/// loop a reduction.
Prover::Prover(Loop &loop, Match &match)
    : loop(loop), match(match), g(loop.exprs), readRecs(uint32_t(loop.recs.size())) {
  for (uint32_t i = 0; i < loop.accesses.size(); ++i)
    if (loop.accesses[i].store)
      stores.push_back(i);
  setCountersApart();
  stored = storedState();
}

Prover::Prover(Loop &loop, Match &match, const std::vector<uint32_t> &stores)
    : loop(loop), match(match), g(loop.exprs), readRecs(uint32_t(loop.recs.size())),
      stores(stores) {}

/// Returns true for a byte that each iteration loads from the same place.
bool Prover::reloaded(const ByteSource &b) const {
  const Access &a = loop.accesses[b.access];
  if (b.kind != ByteSource::Loaded || !a.affine || loop.dims.empty())
    return false;
  return std::all_of(a.step.begin(), a.step.end(), [&](ExprId step) { return g.isConst(step, 0); });
}

/// Returns true if a load reads in all iterations what it reads in the first.
bool Prover::readsOnce(uint32_t load) const {
  const Access &a = loop.accesses[load];
  if (a.isVolatile || a.atomic || a.conditional || a.fixed || a.lookUp || !g.isConst(a.bytes) ||
      !std::all_of(loop.dims.begin(), loop.dims.end(), [](const Dim &d) { return d.nonzero; }))
    return false;
  for (uint32_t s = 0; s < loop.accesses.size(); ++s)
    if (loop.accesses[s].store && loop.alias(load, s) != AliasKind::None)
      return false;
  return true;
}

/// Returns the source of byte k of a stored value. A byte that is read again from a place that
/// nothing writes is invariant: it becomes a read before the loop, by the widest words that fit.
ByteSource Prover::sourceOf(const Access &store, unsigned k) {
  ByteSource b = storedByte(loop, store.value, k);
  if (!reloaded(b) || !readsOnce(b.access))
    return b;
  const Access &a = loop.accesses[b.access];
  if (b.index >= g[a.bytes].value)
    return b; // the value is wider than the load, which only a text form can say
  // Find the word that holds the byte, of those that the place is read in.
  uint64_t at = 0, size = 8;
  for (uint64_t left = g[a.bytes].value;; at += size, left -= size) {
    while (size > left)
      size /= 2;
    if (b.index < at + size)
      break;
  }
  ExprId address =
      g.add(g.leaf(Op::BaseAddr, a.base, loop.ptrBits), g.add(a.offset, loop.word(at)));
  uint64_t align = at ? std::min<uint64_t>(a.align, at & -at) : a.align;
  unsigned index = unsigned(b.index - at);
  ByteSource once;
  once.kind = ByteSource::Invariant;
  once.expr = g.memory(address, unsigned(8 * size), align);
  once.index = loop.bigEndian ? unsigned(size) - 1 - index : index;
  return once;
}

/// Returns true if some store moves from one iteration to the next.
bool Prover::walks() const {
  return loop.dims.empty() || std::any_of(stores.begin(), stores.end(), [&](uint32_t s) {
           const Access &a = loop.accesses[s];
           return a.affine ? std::any_of(a.step.begin(), a.step.end(),
                                         [&](ExprId step) { return !g.isConst(step, 0); })
                           : a.mayWrap;
         });
}

/// Returns true if the value depends on the iteration and on nothing loaded.
bool Prover::counts(ExprId id) const {
  bool moves = false;
  bool loads = anyNode(g, id, [&](const Expr &e) {
    moves |= e.op == Op::Iv || e.op == Op::Rec;
    return e.op == Op::Load || e.op == Op::Opaque || e.op == Op::Table;
  });
  return moves && !loads;
}

/// Reports what kind of value it is, if it is neither loaded bytes nor invariant ones.
void Prover::nameValue(const Access &store, bool mixed) {
  const char *name = "stored value", *need = "invariant, or loaded bytes unchanged";
  const Expr &e = g[store.value];
  bool wider = e.op == Op::ZExt || e.op == Op::SExt;
  if (wider && g[e.a].op == Op::Load && g.width(e.a) % 8 == 0) {
    match.idiom = Idiom::Copy;
    fail(name, Diag::Widening, need,
         std::to_string(g.width(e.a)) + " bits widened to " + std::to_string(e.width) +
             (e.op == Op::SExt ? " by the sign" : ""),
         where(store.loc));
  } else if (counts(store.value)) {
    fail(name, Diag::Counting, need, text(store.value), where(store.loc));
  } else {
    fail(name, Diag::ValueVaries, need,
         mixed ? "loaded bytes mixed with invariant ones" : text(store.value), where(store.loc));
  }
}

/// Counts the sources of all stored bytes. Of a large store 256 bytes are traced. A mixture of
/// loaded and invariant bytes is neither a copy nor a fill.
bool Prover::nominate() {
  const char *name = "stored value";
  if (stores.empty()) {
    fail("destination", Diag::NoStore, "one region", "the loop writes no memory");
    return false;
  }
  bool loaded = false, fixed = false, varies = false, again = false;
  auto count = [&](const ByteSource &b) {
    bool same = reloaded(b);
    again |= same;
    loaded |= b.kind == ByteSource::Loaded && !same;
    varies |= b.kind == ByteSource::Varies;
    fixed |= b.kind == ByteSource::Constant || b.kind == ByteSource::Invariant;
  };
  for (uint32_t s : stores) {
    const Access &a = loop.accesses[s];
    uint64_t size = isBulk(a) ? 1 : std::min<uint64_t>(g[a.bytes].value, 256);
    for (unsigned k = 0; k < size; ++k)
      count(sourceOf(a, k));
  }
  const Access &first = loop.accesses[stores[0]];
  if (!varies && !loaded && again) {
    match.idiom = Idiom::Fill;
    fail(name, Diag::ValueReloaded, "read once, before the loop",
         text(first.value) + " is read again in each iteration", where(first.loc));
  } else if (!varies && !again && loaded != fixed) {
    match.idiom = loaded ? Idiom::Copy : Idiom::Fill;
    prove(name, loaded ? "bytes loaded in the same iteration" : "invariant", text(first.value),
          where(first.loc));
    return true;
  } else {
    nameValue(first, loaded && fixed && !varies);
  }
  return false;
}

} // namespace memlift
