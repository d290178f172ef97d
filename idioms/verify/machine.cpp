// machine.cpp - an interpreter of loop pictures
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "machine.h"

namespace memlift {

/// Valid until the next node is added to the graph.
const Bytes &Machine::eval(ExprId id) {
  if (knownAt.size() < g.size()) {
    known.resize(g.size());
    knownAt.resize(g.size());
  }
  if (knownAt[id] != moment) {
    Bytes value = compute(id);
    known[id] = std::move(value);
    knownAt[id] = moment;
  }
  return known[id];
}

Bytes Machine::compute(ExprId id) {
  const Expr &e = g[id];
  Bytes r;
  switch (e.op) {
  case Op::Const: return fromWord(e.value, e.width);
  case Op::Sym: return syms[e.value];
  case Op::BaseAddr: return fromWord(bases[e.value], e.width);
  case Op::Iv: return fromWord(iv[e.value], e.width);
  case Op::Load:
    r = loaded[e.value];
    if (loop.bigEndian)
      std::reverse(r.begin(), r.end());
    return r;
  case Op::Rec: return carried[e.value];
  case Op::Table: {
    const std::vector<uint64_t> &entries = loop.tables[e.value].entries;
    uint64_t i = word(e.a);
    ok &= i < entries.size();
    return fromWord(i < entries.size() ? entries[i] : 0, e.width);
  }
  case Op::Result: return fromWord(results[e.value], e.width);
  case Op::Memory: {
    uint64_t at = word(e.a), n = e.width / 8u;
    if (!inArena(at, n) || at % std::max<uint64_t>(e.value, 1)) {
      ok = false;
      return Bytes(n);
    }
    r.assign(memory.begin() + long(at - arenaBase),
             memory.begin() + long(at - arenaBase + n));
    if (loop.bigEndian)
      std::reverse(r.begin(), r.end());
    return r;
  }
  case Op::Opaque: ok = false; return Bytes((e.width + 7) / 8);
  case Op::Splat: {
    const Bytes &a = eval(e.a);
    for (unsigned i = 0; i < e.width / 8u; ++i)
      r.push_back(a[i % a.size()]);
    return r;
  }
  case Op::ZExt:
    r = eval(e.a);
    r.resize((e.width + 7) / 8);
    return r;
  case Op::Trunc:
    r = eval(e.a);
    r.resize((e.width + 7) / 8);
    if (e.width % 8)
      r.back() &= uint8_t(maskOf(e.width % 8));
    return r;
  case Op::SExt:
    return fromWord(uint64_t(signExtend(word(e.a), g.width(e.a))), e.width);
  case Op::BSwap:
    r = eval(e.a);
    std::reverse(r.begin(), r.end());
    return r;
  case Op::Select: return word(e.a) ? eval(e.b) : eval(e.c);
  default:
    return fromWord(foldBinary(e.op, word(e.a), word(e.b), g.width(e.a)),
                    e.width);
  }
}

bool Machine::choose() {
  memory.resize(arenaBytes);
  for (uint8_t &b : memory)
    b = uint8_t(random.next());
  for (const Symbol &s : loop.syms) {
    // Mostly small, so that sizes fit the arena; sometimes anything at all.
    Bytes v = fromWord(random.below(24), s.width);
    if (random.below(4) == 0)
      for (uint8_t &b : v)
        b = uint8_t(random.next());
    if (s.width % 8)
      v.back() &= uint8_t(maskOf(s.width % 8));
    syms.push_back(v);
  }
  uint64_t centre = 1024 + random.below(arenaBytes - 2048);
  for (const Base &b : loop.bases) {
    uint64_t spread = random.below(2) ? 64 : 1024;
    uint64_t at = arenaBase + centre + random.below(spread) - spread / 2;
    // One element apart is a case of its own, and rare by chance.
    if (!bases.empty() && random.below(4) == 0)
      at = bases.back() + (uint64_t(1) << random.below(4));
    bases.push_back(at & ~(std::min<uint64_t>(b.align, 1024) - 1));
    if (b.align > 1024 && bases.back() % b.align)
      return false;
  }
  for (const Assumption &a : loop.assumptions)
    assumed &= word(a.condition) != 0;
  if (!assumed)
    return ok; // the picture may be of another loop: its counts mean nothing
  uint64_t total = 1;
  for (const Dim &d : loop.dims) {
    trips.push_back(word(d.trip));
    total = trips.back() > maxIterations ? maxIterations + 1
                                         : total * trips.back();
    if (total > maxIterations || (d.nonzero && !trips.back()) ||
        (d.maxTrip && trips.back() > d.maxTrip))
      return false;
  }
  iv.assign(loop.dims.size(), 0);
  loaded.resize(loop.accesses.size());
  touched.assign(loop.accesses.size(), std::vector<bool>(arenaBytes));
  return ok;
}

bool Machine::access(uint32_t index) {
  const Access &a = loop.accesses[index];
  uint64_t at = bases[a.base] + word(a.offset), n = word(a.bytes);
  for (size_t k = 0; k < iv.size(); ++k)
    at += iv[k] * word(a.step[k]);
  at &= maskOf(loop.ptrBits);
  bool bulk = loop.origin != Origin::Loop || !g.isConst(a.bytes);
  if (!inArena(at, n) || (!bulk && at % a.align))
    return false;
  auto place = memory.begin() + long(at - arenaBase);
  for (uint64_t i = 0; i < n; ++i)
    touched[index][at - arenaBase + i] = true;
  if (!a.store) {
    loaded[index].assign(place, place + long(n));
    ++moment;
    return true;
  }
  Bytes v;
  if (g[a.value].op == Op::Load && loaded[g[a.value].value].size() == n) {
    v = loaded[g[a.value].value];
  } else {
    v = eval(a.value);
    if (v.empty())
      return false; // loaded by a call of no bytes
    if (v.size() != n)
      v.assign(n, uint8_t(v[0])); // a bulk fill
    else if (loop.bigEndian)
      std::reverse(v.begin(), v.end());
  }
  std::copy(v.begin(), v.end(), place);
  return ok;
}

bool Machine::body() {
  for (uint32_t i = 0; i < loop.accesses.size(); ++i)
    if (!access(i))
      return false;
  std::vector<Bytes> next;
  for (const Recurrence &r : loop.recs)
    next.push_back(eval(r.next));
  carried = std::move(next);
  ++moment;
  return ok;
}

bool Machine::iterate(size_t dim, uint64_t &budget) {
  if (dim == loop.dims.size())
    return budget-- > 0 && body();
  for (iv[dim] = 0; iv[dim] < trips[dim]; ++iv[dim]) {
    ++moment;
    if (!iterate(dim + 1, budget))
      return false;
  }
  return true;
}

bool Machine::aliasFactsHold() const {
  for (const Alias &f : loop.aliases)
    if (f.kind == AliasKind::None)
      for (uint64_t i = 0; i < arenaBytes; ++i)
        if (touched[f.a][i] && touched[f.b][i])
          return false;
  return true;
}

bool Machine::runLoop() {
  uint64_t budget = maxIterations;
  carried.clear();
  for (const Recurrence &r : loop.recs)
    carried.push_back(eval(r.init));
  ++moment;
  return iterate(0, budget) && aliasFactsHold();
}

std::string Machine::describe() const {
  std::string r;
  for (size_t i = 0; i < syms.size(); ++i)
    r += " " + loop.syms[i].name + "=" + std::to_string(toWord(syms[i]));
  for (size_t i = 0; i < bases.size(); ++i)
    r += " &" + loop.bases[i].name + "=" + std::to_string(bases[i]);
  return r;
}

} // namespace memlift
