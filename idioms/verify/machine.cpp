// machine.cpp - an interpreter of loop models
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "machine.h"

namespace memlift {

/// The result is valid until the next node is added to the graph.
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

/// Operations on values of more than 64 bits: bit by bit, and shifts by bytes.
Bytes Machine::wide(const Expr &e) {
  Bytes a = eval(e.a), r(a.size());
  if (e.op == Op::Shl || e.op == Op::LShr) {
    uint64_t bits = word(e.b), by = bits / 8;
    ok &= bits % 8 == 0;
    for (size_t i = 0; i < r.size(); ++i) {
      bool left = e.op == Op::Shl;
      bool inside = left ? i >= by : by < r.size() - i;
      r[i] = inside ? a[left ? i - by : i + by] : 0;
    }
    return r;
  }
  Bytes b = eval(e.b);
  unsigned carry = e.op == Op::Sub;
  for (size_t i = 0; i < r.size() && (e.op == Op::Add || e.op == Op::Sub); ++i) {
    carry += a[i] + (e.op == Op::Add ? b[i] : 0xff - b[i]);
    r[i] = uint8_t(carry);
    carry >>= 8;
  }
  if (e.op == Op::Add || e.op == Op::Sub)
    return r;
  ok &= e.op == Op::And || e.op == Op::Or || e.op == Op::Xor;
  for (size_t i = 0; i < r.size(); ++i)
    r[i] = uint8_t(e.op == Op::And ? a[i] & b[i] : e.op == Op::Or ? a[i] | b[i] : a[i] ^ b[i]);
  return r;
}

bool Machine::wideCompare(const Expr &e) {
  Bytes a = eval(e.a), b = eval(e.b);
  std::reverse(a.begin(), a.end()), std::reverse(b.begin(), b.end());
  switch (e.op) {
  case Op::Eq: return a == b;
  case Op::Ne: return a != b;
  case Op::ULt: return a < b;
  default: return a <= b;
  }
}

/// Returns an entry of a table in memory.
uint64_t Machine::entryAt(uint64_t at, unsigned bytes) {
  at &= maskOf(loop.ptrBits);
  ok &= inArena(at, bytes);
  uint64_t v = 0;
  for (unsigned i = 0; ok && i < bytes; ++i)
    v = v << 8 | memory[at - arenaBase + (loop.bigEndian ? i : bytes - 1 - i)];
  return v;
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
    const Table &table = (tables ? *tables : loop.tables)[e.value];
    const std::vector<uint64_t> &entries = table.entries;
    uint64_t i = word(e.a);
    if (table.address != NoExpr)
      return fromWord(entryAt(word(table.address) + i * (table.entryBits / 8), table.entryBits / 8),
                      e.width);
    ok &= i < entries.size();
    return fromWord(i < entries.size() ? entries[i] : 0, e.width);
  }
  case Op::Result:
    if (e.value >= FinalResult)
      return finals[e.value - FinalResult];
    return fromWord(results[e.value], e.width);
  case Op::Memory: {
    uint64_t at = word(e.a), n = e.width / 8u;
    if (!inArena(at, n) || at % std::max<uint64_t>(e.value, 1)) {
      ok = false;
      return Bytes(n);
    }
    r.assign(memory.begin() + long(at - arenaBase), memory.begin() + long(at - arenaBase + n));
    if (loop.bigEndian)
      std::reverse(r.begin(), r.end());
    return r;
  }
  case Op::ClearsBlocks: return fromWord(clears, 1);
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
    r = fromWord(uint64_t(signExtend(word(e.a), g.width(e.a))), std::min<unsigned>(e.width, 64));
    r.resize((e.width + 7) / 8, r.back() & 0x80 ? 0xff : 0);
    return r;
  case Op::BSwap:
    r = eval(e.a);
    std::reverse(r.begin(), r.end());
    return r;
  case Op::Select: return word(e.a) ? eval(e.b) : eval(e.c);
  case Op::Pair: return pairOf(word(e.a), word(e.b));
  case Op::ClMul: {
    uint64_t low, high;
    clMul(word(e.a), word(e.b), low, high);
    return pairOf(low, high);
  }
  case Op::Crc32:
  case Op::Crc32c: {
    CrcPoly crc{32, true, e.op == Op::Crc32 ? crc32Poly : crc32cPoly};
    uint64_t state = word(e.a);
    for (uint8_t byte : Bytes(eval(e.b)))
      state = crcStep(crc, state, byte);
    return fromWord(state, 32);
  }
  default:
    if (e.width > 64)
      return wide(e);
    if (g.width(e.a) > 64)
      return fromWord(wideCompare(e), 1);
    return fromWord(foldBinary(e.op, word(e.a), word(e.b), g.width(e.a)), e.width);
  }
}

bool Machine::access(uint32_t index) {
  const Access &a = loop.accesses[index];
  if (a.lookUp && std::any_of(loop.tables.begin(), loop.tables.end(),
                              [](const Table &t) { return t.address != NoExpr; }))
    return true; // the entry is read where it is used
  if (!a.affine)
    return false;
  uint64_t at = bases[a.base] + word(a.offset), n = word(a.bytes);
  for (size_t k = 0; k < iv.size(); ++k)
    at += iv[k] * word(a.step[k]);
  at &= maskOf(loop.ptrBits);
  // A memset in a loop states the alignment of its pointer like any access; with no
  // bytes it states nothing.
  if (!inArena(at, n) || ((n || loop.origin == Origin::Loop) && at % a.align) || at % a.proved)
    return false;
  uint8_t *const bytes = place(index, at, n);
  if (!bytes)
    return false;
  for (uint64_t i = 0; i < n; ++i)
    touched[index][at - arenaBase + i] = true;
  if (!a.store) {
    loaded[index].assign(bytes, bytes + n);
    ++moment;
    if (a.fixed && a.value != NoExpr)
      fixedChanged |= loaded[index] != byAddress(eval(a.value));
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
  std::copy(v.begin(), v.end(), bytes);
  return ok;
}

/// Gives all recurrences their next values.
void Machine::step() {
  std::vector<Bytes> next;
  for (const Recurrence &r : loop.recs)
    next.push_back(eval(r.next));
  carried = std::move(next);
  ++moment;
}

bool Machine::body() {
  for (uint32_t i = 0; i < loop.accesses.size(); ++i)
    if (!access(i))
      return false;
  step();
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

/// A place that is written with the value it holds is not changed.
bool Machine::fixedWritten() const {
  for (size_t l = 0; l < loop.accesses.size(); ++l) {
    const Access &a = loop.accesses[l];
    for (size_t s = 0; a.fixed && a.value == NoExpr && s < loop.accesses.size(); ++s)
      for (uint64_t i = 0; loop.accesses[s].store && i < memory.size(); ++i)
        if (touched[l][i] && touched[s][i])
          return true;
  }
  return fixedChanged;
}

bool Machine::aliasFactsHold() const {
  for (const Alias &f : loop.aliases)
    if (f.kind == AliasKind::None)
      for (uint64_t i = 0; i < memory.size(); ++i)
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
