// spread.cpp - proves that several threads may compute a loop's blocks, in any order
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   for (i = 0; i < n; i++)             body(environment, first, end, values):
//     d[i] = a[i] * k, s += a[i];  ->     for (i = first, s = 0; i < end; i++)
//                                           d[i] = a[i] * k, s += a[i];
//                                         values[0] += s;
//
// Beside the rules of stream.cpp about windows and regions:
//
// - What an iteration writes lies in a window of its own. There may be holes, and conditions.
// - Nothing else is written.
// - What an iteration hands to the next one is a counter, or is joined: any order gives the same.
// - What is used after the loop is known before it, or joined.
// - The code means the same in another function and another thread.
#include "spread.h"
#include "streamer.h"

#include <algorithm>
#include <set>

namespace memlift {
namespace {

constexpr uint64_t line = 64; // bytes that two threads should not both write

struct SpreadRoutine {
  Routine routine;
  const char *symbol;
};

/// The routines of memlift/spread.h.
const SpreadRoutine routines[] = {{Routine::SumU8, "memlift_spread_sum_u8"},
                                  {Routine::SumS8, "memlift_spread_sum_s8"},
                                  {Routine::SumU16, "memlift_spread_sum_u16"},
                                  {Routine::SumS16, "memlift_spread_sum_s16"},
                                  {Routine::SumU32, "memlift_spread_sum_u32"},
                                  {Routine::SumS32, "memlift_spread_sum_s32"},
                                  {Routine::SumU64, "memlift_spread_sum_u64"},
                                  {Routine::SumSwapU16, "memlift_spread_sum_swap_u16"},
                                  {Routine::SumSwapS16, "memlift_spread_sum_swap_s16"},
                                  {Routine::SumSwapU32, "memlift_spread_sum_swap_u32"},
                                  {Routine::SumSwapS32, "memlift_spread_sum_swap_s32"},
                                  {Routine::SumSwapU64, "memlift_spread_sum_swap_u64"},
                                  {Routine::SumLowU32, "memlift_spread_sum_low_u32"},
                                  {Routine::XorU8, "memlift_spread_xor_u8"},
                                  {Routine::XorU16, "memlift_spread_xor_u16"},
                                  {Routine::XorU32, "memlift_spread_xor_u32"},
                                  {Routine::XorU64, "memlift_spread_xor_u64"},
                                  {Routine::InetSum, "memlift_spread_inet_sum"},
                                  {Routine::OnesSumU32, "memlift_spread_ones_sum_u32"},
                                  {Routine::OnesSumU64, "memlift_spread_ones_sum_u64"},
                                  {Routine::ModsumU8, "memlift_spread_modsum_u8"},
                                  {Routine::ModsumU16, "memlift_spread_modsum_u16"},
                                  {Routine::ModsumU32, "memlift_spread_modsum_u32"},
                                  {Routine::ModsumSwapU16, "memlift_spread_modsum_swap_u16"},
                                  {Routine::ModsumSwapU32, "memlift_spread_modsum_swap_u32"},
                                  {Routine::Crc, "memlift_spread_crc"}};

Op opOf(Carry::Kind kind) {
  switch (kind) {
  case Carry::Add: return Op::Add;
  case Carry::Xor: return Op::Xor;
  case Carry::And: return Op::And;
  case Carry::Or: return Op::Or;
  default: break;
  }
  return Op::Opaque;
}

/// Returns whether a value depends on what an iteration before has left.
bool usesRecs(const ExprGraph &g, ExprId id) {
  std::vector<ExprId> todo = {id};
  std::set<ExprId> seen;
  while (!todo.empty()) {
    ExprId at = todo.back();
    todo.pop_back();
    if (at == NoExpr || !seen.insert(at).second)
      continue;
    const Expr &e = g[at];
    if (e.op == Op::Rec)
      return true;
    todo.insert(todo.end(), {e.a, e.b, e.c});
  }
  return false;
}

} // namespace

void spreadCalls(const Loop &loop, const Options &options, Decision &d) {
  if (!loop.function.spread || !isDone(d.kind) ||
      runtimeOf(loop.function, options) != RuntimeMode::Memlift)
    return;
  bool any = false;
  for (ReturningCall &c : d.calls)
    for (const SpreadRoutine &r : routines)
      if (r.routine == c.routine && c.symbol.empty() && c.inPlace == NoExpr) {
        c.symbol = r.symbol;
        any = true;
      }
  d.facts.push_back({"spread", Verdict::Proved, any ? Diag::SpreadRoutine : Diag::SpreadOneThread,
                     "a routine that several threads compute",
                     any ? "blocks of it are combined" : "a routine of one thread", ""});
}

void addLocalStores(const Loop &loop, const Streamed &alone, Decision &d) {
  const char *name = "spread: local stores", *need = "blocks that go through local stores";
  if (isStreamed(alone.decision)) {
    d.spread.local = true;
    d.spread.store = loop.function.store;
    d.shape += "; each by way of a local store: " + alone.decision.shape;
    d.facts.push_back({name, Verdict::Proved, Diag::SpreadLocal, need, "holds", ""});
    return;
  }
  const auto &facts = alone.match.facts;
  auto bad = std::find_if(facts.begin(), facts.end(),
                          [](const Fact &f) { return f.verdict == Verdict::Failed; });
  std::string why = bad == facts.end() ? "" : bad->have + ", where needed: " + bad->need;
  d.facts.push_back({name, Verdict::Proved, Diag::SpreadNotLocal, need,
                     bad == facts.end() ? "no plan" : why,
                     bad == facts.end() ? "" : bad->evidence});
}

/// Requires that what an iteration writes, and reads beside it, is no other iteration's.
bool Streamer::ownWindows() {
  const char *name = "spread: own windows", *need = "bytes of one iteration each";
  bool all = true;
  for (const Walk &s : streams) {
    if (!s.written || s.step.size() > 1) // of a nest: rowsFit()
      continue;
    int64_t step = std::abs(constant(s.step[0]));
    if (s.high - s.low > step)
      all = p.fail(name, Diag::SpreadShared, need,
                   std::to_string(s.high - s.low) + " bytes of " + nameOf(s) + ", in steps of " +
                       std::to_string(step));
  }
  if (all)
    p.prove(name, need, "holds");
  return all;
}

/// Requires that what is not walked is not written.
bool Streamer::onlyReads() {
  const char *name = "spread: own windows", *need = "bytes of one iteration each";
  bool all = true;
  for (uint32_t other : others)
    if (loop.accesses[other].store)
      all = p.fail(name, Diag::SpreadShared, need, p.describe(loop.accesses[other]),
                   p.where(loop.accesses[other].loc));
  return all;
}

/// Returns whether `e` is the less or the greater one of its two values, as the kind says.
bool Streamer::isExtremum(const Expr &e, Carry::Kind kind) {
  if (kind < Carry::UMin || kind > Carry::SMax || (g[e.a].op != Op::ULt && g[e.a].op != Op::ULe))
    return false;
  unsigned bits = e.width;
  if (bits > 64)
    return false;
  bool hasSign = kind == Carry::SMin || kind == Carry::SMax;
  ExprId sign = g.constant(hasSign ? uint64_t(1) << (bits - 1) : 0, bits);
  ExprId b = g.binary(Op::Xor, e.b, sign), c = g.binary(Op::Xor, e.c, sign);
  bool least = kind == Carry::UMin || kind == Carry::SMin;
  return g[e.a].a == (least ? b : c) && g[e.a].b == (least ? c : b);
}

/// Returns whether the value after an iteration is the one before, joined with what does not depend
/// on any.
bool Streamer::joins(ExprId next, uint32_t rec, Carry::Kind kind, unsigned depth) {
  if (next == NoExpr) // the reader could not describe it
    return false;
  const Expr e = g[next]; // a copy: the graph may grow
  if (e.op == Op::Rec || !depth)
    return e.op == Op::Rec && e.value == rec;
  auto joined = [&](ExprId id) { return joins(id, rec, kind, depth - 1); };
  if (e.op == Op::Select && isExtremum(e, kind))
    return usesRecs(g, e.b) ? !usesRecs(g, e.c) && joined(e.b) : joined(e.c);
  if (e.op == Op::Select)
    return !usesRecs(g, e.a) && joined(e.b) && joined(e.c);
  if (e.op == Op::Sub && kind == Carry::Add)
    return !usesRecs(g, e.b) && joined(e.a);
  if (e.op != opOf(kind))
    return false;
  return usesRecs(g, e.a) ? !usesRecs(g, e.b) && joined(e.a) : joined(e.b);
}

/// Requires that values of iterations are joined, in whatever order.
bool Streamer::independent() {
  const char *name = "spread: independent",
             *need = "nothing of another iteration, but sums, minima and the like";
  bool all = true;
  for (const Carry &c : loop.carries)
    if (c.kind == Carry::Other)
      all = p.fail(name, Diag::SpreadCarried, need, c.name, p.where(c.loc));
  for (uint32_t r = 0; r < loop.recs.size(); ++r) {
    bool joined = std::any_of(loop.carries.begin(), loop.carries.end(), [&](const Carry &c) {
      return joins(loop.recs[r].next, r, c.kind, 16);
    });
    if (!joined && all)
      all = p.fail(name, Diag::SpreadCarried, need, loop.recs[r].name);
  }
  for (const Access &a : loop.accesses)
    if (all && a.store && a.value != NoExpr && usesRecs(g, a.value))
      all = p.fail(name, Diag::SpreadCarried, need, p.describe(a), p.where(a.loc));
  for (const LiveOut &out : loop.liveOuts)
    if (!out.rebuilt && out.rec < 0)
      all = p.fail(name, Diag::SpreadLast, "a value that is known before the loop, or joined",
                   out.name);
  if (loop.carries.size() > SpreadAbi::mostValues)
    all = p.fail(name, Diag::SpreadCarried,
                 "at most " + std::to_string(SpreadAbi::mostValues) + " values that are joined",
                 std::to_string(loop.carries.size()));
  if (all)
    p.prove(name, need, "holds");
  return all;
}

/// Requires code that means the same elsewhere.
bool Streamer::movable() {
  const char *name = "spread: code", *need = "the same in another function and thread";
  bool all = true;
  for (const Obstacle &o : loop.bound)
    all = p.fail(name, Diag::SpreadBound, need, o.what, p.where(o.loc));
  for (const Access &a : loop.accesses)
    if (loop.bases[a.base].kind == BaseKind::Local)
      all = p.fail(name, Diag::SpreadBound, need, loop.bases[a.base].name + " is local",
                   p.where(a.loc));
  if (all)
    p.prove(name, need, "holds");
  return all;
}

/// Returns the iterations after which all that is written has moved by whole lines; at most 64.
uint64_t Streamer::unitOfBlocks() const {
  uint64_t unit = 1;
  for (const Walk &s : streams) {
    if (!s.written || !g.isConst(s.pitch) || !constant(s.pitch))
      continue;
    uint64_t step = uint64_t(constant(s.pitch)), even = step & (0 - step);
    unit = std::max(unit, even >= line ? 1 : line / even);
  }
  return unit;
}

/// Describes the plan: what is written, what is joined, and from which length on.
std::string Streamer::shapeSpread() const {
  static const char *const kinds[] = {"sum",     "exclusive or", "and",     "or",
                                      "minimum", "maximum",      "minimum", "maximum"};
  std::string text,
      cycles = g.isConst(d.spread.cycles16)
                   ? std::to_string(std::max<uint64_t>(g[d.spread.cycles16].value / 16, 1))
                   : "a variable number of";
  text = "blocks of a multiple of " + std::to_string(d.spread.unit) + " iterations of about " +
         cycles + " cycles, 8 for each thread";
  for (const SpreadValue &v : d.spread.values)
    text += std::string("; joined: ") + kinds[v.kind] + " " + loop.carries[v.carry].name;
  return text + "; in one piece below 65536 cycles, or 100 microseconds by the clock";
}

/// Enters the plan.
void Streamer::planSpread() {
  if (!loop.dims[0].nonzero)
    p.require(g.binary(Op::Ne, loop.dims[0].trip, loop.word(0)));
  d.spread.iterations = loop.dims[0].trip;
  d.spread.cycles16 = cyclesOfOuterIteration();
  d.spread.unit = unitOfBlocks();
  for (uint32_t k = 0; k < loop.carries.size(); ++k)
    d.spread.values.push_back({k, loop.carries[k].kind});
  for (const Walk &s : streams) {
    d.spread.apart.emplace_back();
    for (const Part &part : s.parts)
      d.spread.apart.back().push_back(part.access);
  }
  d.shape = shapeSpread();
  d.guard = p.match.condition;
  d.kind = d.guard == NoExpr ? DecisionKind::Inlined : DecisionKind::Guarded;
  d.code = d.guard == NoExpr ? Diag::Spread : Diag::SpreadGuarded;
}

} // namespace memlift
