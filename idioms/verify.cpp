// verify.cpp - an interpreter of loop pictures, and of decisions about them
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "verify.h"
#include "algebra/ones.h"

#include <algorithm>

namespace memlift {

namespace {

using Bytes = std::vector<uint8_t>; // least significant byte first

/// splitmix64: small, seedable, the same on every host.
class Random {
public:
  explicit Random(uint64_t seed) : state(seed) {}
  uint64_t next() {
    uint64_t z = (state += 0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }
  uint64_t below(uint64_t n) { return next() % n; }

private:
  uint64_t state;
};

constexpr uint64_t arenaBytes = 8192, arenaBase = 0x2000;
constexpr uint64_t maxIterations = 2048;

class Machine {
public:
  Machine(const Loop &loop, uint64_t seed) : loop(loop), g(loop.exprs),
                                             random(seed) {}
  /// Fills in symbols, bases and memory; false if the facts rule them out.
  bool choose();
  /// Runs the picture; false if it leaves the arena or breaks a stated fact.
  bool runLoop();
  /// Runs the decision; "" or what is wrong with it.
  std::string runDecision(const Match &match, const Decision &d, bool &fast);
  Bytes memory;
  std::string describe() const;
  /// After runLoop: the values of the recurrences.
  std::vector<Bytes> carried;
  /// Runs the decision's calls; "" or which live-out is not `expected`.
  std::string runCalls(const Decision &d, const std::vector<Bytes> &expected);

private:
  const Loop &loop;
  const ExprGraph &g;
  Random random;
  std::vector<Bytes> syms;
  std::vector<uint64_t> bases, trips;
  std::vector<uint64_t> iv, results;
  std::vector<Bytes> loaded;            // per access, by address
  std::vector<std::vector<bool>> touched; // per access, per arena byte
  bool ok = true;

  uint64_t word(ExprId id) { return toWord(eval(id)); }
  static uint64_t toWord(const Bytes &b) {
    uint64_t v = 0;
    for (size_t i = std::min<size_t>(b.size(), 8); i-- > 0;)
      v = v << 8 | b[i];
    return v;
  }
  static Bytes fromWord(uint64_t v, unsigned width) {
    Bytes b((width + 7) / 8);
    v &= maskOf(width);
    for (size_t i = 0; i < b.size() && i < 8; ++i)
      b[i] = uint8_t(v >> (8 * i));
    return b;
  }
  Bytes eval(ExprId id);
  bool inArena(uint64_t at, uint64_t n) const {
    return at >= arenaBase && n <= arenaBytes &&
           at - arenaBase <= arenaBytes - n;
  }
  bool iterate(size_t dim, uint64_t &budget);
  bool body();
  uint64_t call(const ReturningCall &c);
  uint64_t callCrc(const ReturningCall &c);
  uint64_t element(Routine r, uint64_t at);
  bool access(uint32_t index);
  bool aliasFactsHold() const;
  std::string fill(const Decision &d, uint64_t dst, uint64_t n);
  std::string transfer(Routine r, uint64_t dst, uint64_t src, uint64_t n);
  std::string words(const Match &match, const Decision &d);
};

Bytes Machine::eval(ExprId id) {
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
  case Op::Opaque: ok = false; return Bytes((e.width + 7) / 8);
  case Op::Splat: {
    Bytes a = eval(e.a);
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
    bases.push_back(at & ~(std::min<uint64_t>(b.align, 1024) - 1));
    if (b.align > 1024 && bases.back() % b.align)
      return false;
  }
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
    return true;
  }
  Bytes v;
  if (g[a.value].op == Op::Load && loaded[g[a.value].value].size() == n) {
    v = loaded[g[a.value].value];
  } else {
    v = eval(a.value);
    if (v.size() != n)
      v.assign(n, v[0]); // a bulk fill
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
  return ok;
}

bool Machine::iterate(size_t dim, uint64_t &budget) {
  if (dim == loop.dims.size())
    return budget-- > 0 && body();
  for (iv[dim] = 0; iv[dim] < trips[dim]; ++iv[dim])
    if (!iterate(dim + 1, budget))
      return false;
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
  return iterate(0, budget) && aliasFactsHold();
}

std::string Machine::fill(const Decision &d, uint64_t dst, uint64_t n) {
  uint64_t period = d.routine == Routine::FillPattern ? word(d.args[2])
                    : d.routine == Routine::Memset
                        ? 1 : g.width(d.args[1]) / 8;
  Bytes pattern = eval(d.args[1]);
  if (!period || period > pattern.size())
    return "the pattern has no valid period";
  bool reversed = loop.bigEndian && d.routine != Routine::FillPattern &&
                  d.routine != Routine::Memset;
  for (uint64_t i = 0; i < n; ++i) {
    uint64_t k = i % period;
    memory[dst - arenaBase + i] = pattern[reversed ? period - 1 - k : k];
  }
  return "";
}

std::string Machine::transfer(Routine r, uint64_t dst, uint64_t src, uint64_t n) {
  if (!inArena(src, n))
    return "reads memory that the loop does not";
  bool copy = r == Routine::Copy || r == Routine::Memcpy;
  uint64_t apart = dst > src ? dst - src : src - dst;
  if (copy && apart && apart < n)
    return "copies between regions that overlap";
  Bytes all(memory.begin() + long(src - arenaBase),
            memory.begin() + long(src - arenaBase + n));
  std::copy(all.begin(), all.end(), memory.begin() + long(dst - arenaBase));
  return "";
}

std::string Machine::words(const Match &match, const Decision &d) {
  uint64_t dst = word(match.dst);
  uint64_t src = match.idiom == Idiom::Fill ? dst : word(match.src);
  std::vector<Bytes> values;
  for (const InlineWord &w : d.words) {
    uint64_t from = src + w.offset;
    if (!inArena(from, w.bytes) || !inArena(dst + w.offset, w.bytes))
      return "a word lies outside the loop's memory";
    if ((dst + w.offset) % w.dstAlign || from % (match.idiom == Idiom::Fill
                                                     ? 1 : w.srcAlign))
      return "a word's alignment is not what was claimed";
    Bytes v(memory.begin() + long(from - arenaBase),
            memory.begin() + long(from - arenaBase + w.bytes));
    if (w.value != NoExpr) {
      v = eval(w.value);
      if (loop.bigEndian)
        std::reverse(v.begin(), v.end());
    }
    values.push_back(v);
  }
  for (size_t i = 0; i < d.words.size(); ++i)
    std::copy(values[i].begin(), values[i].end(),
              memory.begin() + long(dst + d.words[i].offset - arenaBase));
  return "";
}

std::string Machine::runDecision(const Match &match, const Decision &d,
                                 bool &fast) {
  fast = d.guard == NoExpr || word(d.guard);
  if (!fast) {
    runLoop();
    return "";
  }
  if (!d.words.empty())
    return words(match, d);
  uint64_t dst = word(d.args[0]), n = word(d.args.back());
  if (n && dst % match.dstAlign)
    return "the destination's alignment is not what was claimed";
  if (n && !inArena(dst, n))
    return "writes memory that the loop does not";
  if (n == 0)
    return "";
  switch (d.routine) {
  case Routine::None: return "no routine and no words";
  case Routine::Copy: case Routine::Move:
  case Routine::Memcpy: case Routine::Memmove:
    return transfer(d.routine, dst, word(d.args[1]), n);
  default: return fill(d, dst, n);
  }
}

/// One element of a sum's region, as the routine reads it.
uint64_t Machine::element(Routine r, uint64_t at) {
  auto read = [&](unsigned size, bool swapped) {
    uint64_t v = 0;
    for (unsigned i = 0; i < size; ++i)
      v = v << 8 |
          memory[at - arenaBase + (loop.bigEndian != swapped ? i : size - 1 - i)];
    return v;
  };
  switch (r) {
  case Routine::SumS8: return uint64_t(signExtend(read(1, false), 8));
  case Routine::SumU16: case Routine::WsumU16: case Routine::InetSum:
    return read(2, false);
  case Routine::SumS16: return uint64_t(signExtend(read(2, false), 16));
  case Routine::SumSwapU16: return read(2, true);
  case Routine::SumU32: case Routine::WsumU32: return read(4, false);
  case Routine::SumS32: return uint64_t(signExtend(read(4, false), 32));
  case Routine::SumSwapU32: return read(4, true);
  case Routine::SumU64: return read(8, false);
  default: return read(1, false);
  }
}

static unsigned elementSize(Routine r) {
  switch (r) {
  case Routine::SumU16: case Routine::SumS16: case Routine::SumSwapU16:
  case Routine::WsumU16: case Routine::InetSum:
    return 2;
  case Routine::SumU32: case Routine::SumS32: case Routine::SumSwapU32:
  case Routine::WsumU32:
    return 4;
  case Routine::SumU64: return 8;
  default: return 1;
  }
}

uint64_t Machine::callCrc(const ReturningCall &c) {
  uint64_t state = word(c.args[0]), at = word(c.args[1]), n = word(c.args[2]);
  if (n && !inArena(at, n)) {
    ok = false;
    return 0;
  }
  for (uint64_t i = 0; i < n; ++i)
    state = crcStep(c.crc, state, memory[at - arenaBase + i]);
  return state;
}

uint64_t Machine::call(const ReturningCall &c) {
  if (c.routine == Routine::Crc)
    return callCrc(c);
  uint64_t at = word(c.args[0]), n = word(c.args[1]);
  unsigned size = elementSize(c.routine);
  bool inet = c.routine == Routine::InetSum;
  bool hash = c.routine == Routine::PolyhashU8;
  bool weighted = c.routine == Routine::WsumU8 ||
                  c.routine == Routine::WsumU16 || c.routine == Routine::WsumU32;
  uint64_t sum = hash || inet ? word(c.args[2]) : 0, k = hash ? word(c.args[3]) : 1;
  if (n && !inArena(at, n)) {
    ok = false;
    return 0;
  }
  for (uint64_t i = 0; i < n / size; ++i)
    sum = sum * k + element(c.routine, at + i * size) *
                        (weighted ? n / size - i : 1);
  return inet ? onesRepresentative(sum) : sum;
}

std::string Machine::runCalls(const Decision &d,
                              const std::vector<Bytes> &expected) {
  for (const ReturningCall &c : d.calls)
    results.push_back(call(c));
  if (!ok)
    return "reads memory that the loop does not";
  for (const LiveOutResult &r : d.results)
    if (eval(r.value) != expected[size_t(loop.liveOuts[r.index].rec)])
      return loop.liveOuts[r.index].name + " differs afterwards";
  return "";
}

std::string Machine::describe() const {
  std::string r;
  for (size_t i = 0; i < syms.size(); ++i)
    r += " " + loop.syms[i].name + "=" + std::to_string(toWord(syms[i]));
  for (size_t i = 0; i < bases.size(); ++i)
    r += " &" + loop.bases[i].name + "=" + std::to_string(bases[i]);
  return r;
}

} // namespace

VerifyResult verify(const Loop &loop, const Match &match, const Decision &d,
                    unsigned trials, uint64_t seed) {
  VerifyResult result;
  for (unsigned t = 0; t < trials; ++t) {
    Machine source(loop, seed + t), target(loop, seed + t);
    if (!source.choose() || !target.choose() || !source.runLoop()) {
      ++result.skipped;
      continue;
    }
    bool fast = true;
    std::string wrong = d.calls.empty()
                            ? target.runDecision(match, d, fast)
                            : target.runCalls(d, source.carried);
    if (wrong.empty() && source.memory != target.memory)
      wrong = "memory differs afterwards";
    ++result.runs;
    result.fast += fast;
    if (!wrong.empty()) {
      result.mismatch = wrong + " (seed " + std::to_string(seed + t) + ":" +
                        source.describe() + ")";
      return result;
    }
  }
  return result;
}

} // namespace memlift
