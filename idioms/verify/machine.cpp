// machine.cpp - an interpreter of loop models
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "machine.h"

namespace memlift {

/// Returns the place of a node's value.
Machine::Value &Machine::valueAt(ExprId id) {
  if (known.size() < g.size())
    known.resize(g.size());
  return known.data()[id];
}

/// True for what is made of bytes, whatever their number.
static bool isOfBytes(const Expr &e) {
  return e.width > 64 || e.op == Op::Load || e.op == Op::Memory || e.op == Op::Splat;
}

/// The result is valid until the next node is added to the graph.
const Bytes &Machine::eval(ExprId id) {
  Value *value = &valueAt(id); // stays: no node is new while values are computed
  if (value->bytesAt != moment) {
    value->bytes = isOfBytes(g[id]) ? compute(g[id]) : fromWord(word(id), g[id].width);
    value->bytesAt = moment;
  }
  return value->bytes;
}

uint64_t Machine::word(ExprId id) {
  const Expr &e = g[id];
  if (e.op == Op::Load && !loop.bigEndian)
    return toWord(loaded[e.value]);
  if (isOfBytes(e))
    return toWord(eval(id));
  Value *value = &valueAt(id); // stays: no node is new while values are computed
  if (value->wordAt != moment) {
    value->word = computeWord(e) & maskOf(e.width);
    value->wordAt = moment;
  }
  return value->word;
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

/// Returns an entry of a constant array, or of a table in memory.
uint64_t Machine::entryOf(const Expr &e) {
  const Table &table = (tables ? *tables : loop.tables)[e.value];
  const uint64_t i = word(e.a), bytes = table.entryBits / 8;
  if (table.address != NoExpr)
    return entryAt(word(table.address) + i * bytes, unsigned(bytes));
  ok &= i < table.entries.size();
  return i < table.entries.size() ? table.entries[i] : 0;
}

/// Returns a CRC register after some bytes.
uint64_t Machine::crcOf(const Expr &e) {
  const CrcPoly crc{32, true, e.op == Op::Crc32 ? crc32Poly : crc32cPoly};
  uint64_t state = word(e.a);
  for (uint8_t byte : Bytes(eval(e.b)))
    state = crcStep(crc, state, byte);
  return state;
}

/// Returns a value of up to 64 bits; what is above its width does not count.
uint64_t Machine::computeWord(const Expr &e) {
  switch (e.op) {
  case Op::Const: return e.value;
  case Op::Sym: return toWord(syms[e.value]);
  case Op::BaseAddr: return bases[e.value];
  case Op::Iv: return iv[e.value];
  case Op::Rec: return toWord(carried[e.value]);
  case Op::Table: return entryOf(e);
  case Op::Result:
    return e.value >= FinalResult ? toWord(finals[e.value - FinalResult]) : results[e.value];
  case Op::ClearsBlocks: return clears;
  case Op::Opaque: ok = false; return 0;
  case Op::ZExt:
  case Op::Trunc: return word(e.a);
  case Op::SExt: return uint64_t(signExtend(word(e.a), g.width(e.a)));
  case Op::BSwap: {
    uint64_t v = word(e.a), r = 0;
    for (unsigned i = 0; i < e.width / 8u; ++i, v >>= 8)
      r = r << 8 | (v & 0xff);
    return r;
  }
  case Op::Select: return word(e.a) ? word(e.b) : word(e.c);
  case Op::Crc32:
  case Op::Crc32c: return crcOf(e);
  default:
    if (g.width(e.a) > 64)
      return wideCompare(e);
    return foldBinary(e.op, word(e.a), word(e.b), g.width(e.a));
  }
}

/// Returns a value that is made of bytes, or is wider than a word.
Bytes Machine::compute(const Expr &e) {
  Bytes r;
  switch (e.op) {
  case Op::Const:
  case Op::BaseAddr:
  case Op::Iv: return fromWord(computeWord(e), e.width);
  case Op::Sym: return syms[e.value];
  case Op::Load: return byAddress(loaded[e.value]);
  case Op::Rec: return carried[e.value];
  case Op::Table: return fromWord(entryOf(e), e.width);
  case Op::Result:
    return e.value >= FinalResult ? finals[e.value - FinalResult]
                                  : fromWord(results[e.value], e.width);
  case Op::Memory: {
    uint64_t at = word(e.a), n = e.width / 8u;
    if (!inArena(at, n) || at % std::max<uint64_t>(e.value, 1)) {
      ok = false;
      return Bytes(n);
    }
    r.assign(memory.begin() + long(at - arenaBase), memory.begin() + long(at - arenaBase + n));
    return byAddress(std::move(r));
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
    r = fromWord(computeWord(e), 64);
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
  default: return wide(e);
  }
}

/// Stores a value as `n` bytes: its own number, or a bulk fill.
void Machine::store(ExprId value, uint8_t *to, uint64_t n) {
  const Expr &e = g[value];
  if (!isOfBytes(e) && n == (e.width + 7u) / 8) {
    const uint64_t v = word(value);
    for (uint64_t i = 0; i < n; ++i)
      to[loop.bigEndian ? n - 1 - i : i] = uint8_t(v >> (8 * i));
    return;
  }
  Bytes v = eval(value);
  if (v.size() != n)
    v.assign(n, uint8_t(v[0]));
  else if (loop.bigEndian)
    std::reverse(v.begin(), v.end());
  std::copy(v.begin(), v.end(), to);
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
  std::fill_n(touched[index].begin() + long(at - arenaBase), n, true);
  if (!a.store) {
    loaded[index].assign(bytes, bytes + n);
    ++moment;
    if (a.fixed && a.value != NoExpr)
      fixedChanged |= loaded[index] != byAddress(eval(a.value));
    return true;
  }
  const Expr &value = g[a.value];
  if (value.op == Op::Load && loaded[value.value].size() == n) {
    std::copy(loaded[value.value].begin(), loaded[value.value].end(), bytes);
    return ok;
  }
  if (isOfBytes(value) && eval(a.value).empty())
    return false; // loaded by a call of no bytes
  store(a.value, bytes, n);
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
