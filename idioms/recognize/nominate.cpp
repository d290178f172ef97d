// nominate.cpp - decides by the stored bytes whether a loop may be a copy or a fill
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every stored byte is traced to its source (bytes.h). If all are loaded, it is a copy; if all
// are invariant, a fill. A byte loaded from an address that does not move counts as invariant if
// no store reaches it. If a store may reach it, the value may be overwritten during the loop: the
// loop is named a fill, and kept.
#include "steps.h"
#include "walk.h"

#include <algorithm>

namespace memlift {

/// Returns true for a byte that each iteration loads from the same place.
static bool reloaded(const Proof &p, const ByteSource &b) {
  return b.kind == ByteSource::Loaded && !p.loop.dims.empty() &&
         isStill(p.g, p.loop.accesses[b.access]);
}

/// Returns true if a load reads in all iterations what it reads in the first.
static bool readsOnce(const Proof &p, uint32_t load) {
  const Access &a = p.loop.accesses[load];
  if (a.isVolatile || a.atomic || a.conditional || a.fixed || a.lookUp || !p.g.isConst(a.bytes) ||
      !std::all_of(p.loop.dims.begin(), p.loop.dims.end(), [](const Dim &d) { return d.nonzero; }))
    return false;
  for (uint32_t s = 0; s < p.loop.accesses.size(); ++s)
    if (p.loop.accesses[s].store && p.loop.alias(load, s) != AliasKind::None)
      return false;
  return true;
}

/// A byte that is read again from a place that nothing writes is invariant: it becomes a read
/// before the loop, by the widest words that fit.
ByteSource sourceOf(Proof &p, const Access &store, unsigned k) {
  ByteSource b = storedByte(p.loop, store.value, k);
  if (!reloaded(p, b) || !readsOnce(p, b.access))
    return b;
  const Access &a = p.loop.accesses[b.access];
  if (b.index >= p.g[a.bytes].value)
    return b; // the value is wider than the load, which only a text form can say
  // Find the word that holds the byte, of those that the place is read in.
  uint64_t at = 0, size = 8;
  for (uint64_t left = p.g[a.bytes].value;; at += size, left -= size) {
    while (size > left)
      size /= 2;
    if (b.index < at + size)
      break;
  }
  ExprId address =
      p.g.add(p.g.leaf(Op::BaseAddr, a.base, p.loop.ptrBits), p.g.add(a.offset, p.loop.word(at)));
  uint64_t align = at ? std::min<uint64_t>(a.align, at & -at) : a.align;
  unsigned index = unsigned(b.index - at);
  ByteSource once;
  once.kind = ByteSource::Invariant;
  once.expr = p.g.memory(address, unsigned(8 * size), align);
  once.index = p.loop.bigEndian ? unsigned(size) - 1 - index : index;
  return once;
}

bool walks(const Proof &p) {
  return p.loop.dims.empty() || std::any_of(p.stores.begin(), p.stores.end(), [&](uint32_t s) {
           const Access &a = p.loop.accesses[s];
           return a.affine ? !isStill(p.g, a) : a.mayWrap;
         });
}

bool countsIterations(const ExprGraph &g, ExprId id) {
  bool moves = false;
  bool loads = anyNode(g, id, [&](const Expr &e) {
    moves |= e.op == Op::Iv || e.op == Op::Rec;
    return e.op == Op::Load || e.op == Op::Opaque || e.op == Op::Table;
  });
  return moves && !loads;
}

/// Reports what kind of value it is, if it is neither loaded bytes nor invariant ones.
static void nameValue(Proof &p, const Access &store, bool mixed) {
  const char *name = "stored value", *need = "invariant, or loaded bytes unchanged";
  const Expr &e = p.g[store.value];
  bool wider = e.op == Op::ZExt || e.op == Op::SExt;
  if (wider && p.g[e.a].op == Op::Load && p.g.width(e.a) % 8 == 0) {
    p.match.idiom = Idiom::Copy;
    p.fail(name, Diag::Widening, need,
           std::to_string(p.g.width(e.a)) + " bits widened to " + std::to_string(e.width) +
               (e.op == Op::SExt ? " by the sign" : ""),
           p.where(store.loc));
  } else if (countsIterations(p.g, store.value)) {
    p.fail(name, Diag::Counting, need, p.text(store.value), p.where(store.loc));
  } else {
    p.fail(name, Diag::ValueVaries, need,
           mixed ? "loaded bytes mixed with invariant ones" : p.text(store.value),
           p.where(store.loc));
  }
}

/// Counts the sources of all stored bytes. Of a large store 256 bytes are traced. A mixture of
/// loaded and invariant bytes is neither a copy nor a fill.
bool nominate(Proof &p) {
  const char *name = "stored value";
  if (p.stores.empty())
    return p.fail("destination", Diag::NoStore, "one region", "the loop writes no memory");
  bool loaded = false, fixed = false, varies = false, again = false;
  auto count = [&](const ByteSource &b) {
    bool same = reloaded(p, b);
    again |= same;
    loaded |= b.kind == ByteSource::Loaded && !same;
    varies |= b.kind == ByteSource::Varies;
    fixed |= b.kind == ByteSource::Constant || b.kind == ByteSource::Invariant;
  };
  for (uint32_t s : p.stores) {
    const Access &a = p.loop.accesses[s];
    uint64_t size = p.isBulk(a) ? 1 : std::min<uint64_t>(p.g[a.bytes].value, 256);
    for (unsigned k = 0; k < size; ++k)
      count(sourceOf(p, a, k));
  }
  const Access &first = p.loop.accesses[p.stores[0]];
  if (!varies && !loaded && again) {
    p.match.idiom = Idiom::Fill;
    p.fail(name, Diag::ValueReloaded, "read once, before the loop",
           p.text(first.value) + " is read again in each iteration", p.where(first.loc));
  } else if (!varies && !again && loaded != fixed) {
    p.match.idiom = loaded ? Idiom::Copy : Idiom::Fill;
    p.prove(name, loaded ? "bytes loaded in the same iteration" : "invariant", p.text(first.value),
            p.where(first.loc));
    return true;
  } else {
    nameValue(p, first, loaded && fixed && !varies);
  }
  return false;
}

} // namespace memlift
