// gain.cpp - estimates the cycles that a decision saves each time the loop runs
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   gain = iterations * cycles of one, as worth.h has them, less what takes their place:
//     a call: its cycles for a few bytes, and those of the portable kernels for all of its bytes
//     loops and words in place: what the core's record says of their stores and instructions
//
// A report must not promise too much. So each doubt goes against the gain: the source's loop waits
// for nothing but its carried scalars, routines have no vectors, the trip counts of loops in place
// are their upper bounds. The gain is unknown where a compiler would do better than the source's
// loop, and where no figure was measured. Compared with measurements: bench/README.md.
#include "gain.h"
#include "spread.h"
#include "stream.h"
#include "worth.h"

#include <algorithm>

namespace memlift {
namespace {

/// Trip counts up to which a bound counts as one. A type's own bound says nothing.
constexpr uint64_t mostBound = 1 << 15;
/// Cycles for a byte of a CRC by a look-up, an exclusive or and another one, which is what a
/// compiler may make of eight steps.
constexpr uint64_t cyclesOfLookUp = 7;
constexpr unsigned step = 2; // instructions that step a loop and end it

/// Cycles of the portable kernel for 64 bytes, of the slowest routine of that kind; 0: unknown.
/// They are those of bench/slow/rates.c on a Zen 5, rounded up.
unsigned cyclesOf64(Routine routine) {
  const Operation &o = operationOf(routine);
  unsigned copied = o.copies() && o.kind != OpKind::Copy && o.kind != OpKind::Move ? 4 : 0;
  switch (o.kind) {
  case OpKind::Fill:
  case OpKind::Copy:
  case OpKind::Move:
  case OpKind::StepCopy: return 4;
  case OpKind::PatternFill: return 19;
  case OpKind::SwapCopy: return 10;
  case OpKind::ReverseCopy: return 17;
  case OpKind::Sum: return (o.swapped ? 19 : 9) + copied;
  case OpKind::LowSum:
  case OpKind::Count: return 8;
  case OpKind::WeightedSum: return 37;
  case OpKind::XorFold: return 7;
  case OpKind::ModularSum: return 44;
  case OpKind::Polyhash: return 38;
  case OpKind::OnesSum: return 6 + copied;
  // Tables of any polynomial are made in each call, in cycles that depend on the size.
  case OpKind::Crc: return routine == Routine::CrcAny ? 0 : 127;
  case OpKind::TableCrc:
  case OpKind::SliceCrc:
  case OpKind::LaneCrc:
  case OpKind::Search:
  case OpKind::Compare: return 0;
  }
  return 0;
}

/// Returns true for 31, 33 and the like, of which compilers make a shift and an addition.
bool isShiftAndAdd(uint64_t factor) {
  return (factor & (factor + 1)) == 0 || ((factor - 1) & (factor - 2)) == 0;
}

class Estimate {
public:
  Estimate(const Loop &loop, const Match &match, const Decision &d, const Options &options)
      : loop(loop), g(loop.exprs), match(match), d(d), core(coreOf(options)) {}
  Gain run();

private:
  const Loop &loop;
  const ExprGraph &g;
  const Match &match;
  const Decision &d;
  const Core &core;
  Gain gain;
  const char *from = ""; // what the number of iterations is, if not exact

  bool unknown(const std::string &why) {
    gain.model = "unknown: " + why;
    return false;
  }
  bool inPlace() const { return !d.loops.empty() || !d.words.empty(); }
  bool isPlain();
  bool isScalar();
  bool trips();
  uint64_t each() const;
  bool calls(uint64_t &cycles);
  bool loops(uint64_t &cycles);
  uint64_t issued(uint64_t loads, uint64_t stores, uint64_t others) const;
};

/// Requires a decision whose parts are those that this file knows.
bool Estimate::isPlain() {
  if (loop.origin != Origin::Loop)
    return unknown("costs of a call in the source are not modelled");
  if (isStreamed(d) || isSpread(d))
    return unknown("it depends on the engines or processors of the machine");
  if (!d.sequence.empty() || match.search || d.skip.skips() || !match.wordsRead.empty() ||
      match.registers || match.linear)
    return unknown("costs of this form are not modelled");
  if (!d.symbol.empty())
    return unknown("the cost of '" + d.symbol + "' is not known");
  for (const ReturningCall &c : d.calls)
    if (!c.symbol.empty())
      return unknown("the cost of '" + c.symbol + "' is not known");
  return true;
}

/// Requires that the compiler makes no better code of the source's loop than one iteration after
/// the other.
bool Estimate::isScalar() {
  auto inOrder = [](const Reduction &r) {
    return r.is<Reduction::Crc>() || r.is<Reduction::Polyhash>() || r.is<Reduction::ModularSum>() ||
           r.is<Reduction::ModularWeightedSum>();
  };
  if (formsCall(loop, match))
    return unknown("the compiler makes a call of the loop by itself");
  bool all = !match.reductions.empty() && match.dst == NoExpr &&
             std::all_of(match.reductions.begin(), match.reductions.end(), inOrder);
  if (!all && (loop.function.vectorBits || loop.function.wholeVectorBits || loop.vectorBits))
    return unknown("the compiler makes vectors of the loop by itself");
  return true;
}

bool Estimate::trips() {
  uint64_t product = 1;
  if (loop.profiled && std::any_of(loop.dims.begin(), loop.dims.end(), [&](const Dim &dim) {
        return dim.trip == NoExpr || !g.isConst(dim.trip);
      })) {
    from = "by the profile ";
    gain.iterations = loop.profiled;
    return true;
  }
  for (const Dim &dim : loop.dims) {
    bool constant = dim.trip != NoExpr && g.isConst(dim.trip);
    uint64_t most = constant ? g[dim.trip].value : mostIterations(loop, dim);
    if ((!constant && most > mostBound) || __builtin_mul_overflow(product, most, &product)) {
      std::string call;
      if (!inPlace() && loop.dims.size() == 1 && !core.inOrder)
        if (uint64_t least = leastIterations(loop, match, d); least > 1)
          call = "; the call is faster from about " + std::to_string(least) + " iterations on";
      return unknown("the trip count is known only at run time" + call);
    }
    from = constant ? from : "at most ";
  }
  gain.iterations = product;
  return product || unknown("the loop does not run");
}

/// Returns the cycles of an iteration of the source's loop. An in-order core has to issue all of
/// it; what steps and ends the loop is left out, as compilers unroll.
uint64_t Estimate::each() const {
  uint64_t chain = cyclesOfIteration(loop), bytes = 0;
  for (const Reduction &r : match.reductions) {
    if (r.is<Reduction::Crc>())
      bytes = std::max<uint64_t>(bytes, uint64_t(r.elementBytes) * r.elementsPerIteration);
    auto *hash = r.as<Reduction::Polyhash>();
    if (hash && isShiftAndAdd(hash->factor))
      chain = std::min<uint64_t>(chain, 2 * r.elementsPerIteration);
  }
  uint64_t work = loop.accesses.size();
  for (const Recurrence &r : loop.recs)
    work += operationsIn(g, r.next);
  for (const Access &a : loop.accesses)
    work += a.store ? operationsIn(g, a.value) : 0;
  uint64_t all = core.inOrder ? std::max(chain, issued(work, 0, 0)) : chain;
  return bytes ? std::min(all, cyclesOfLookUp * bytes) : all;
}

/// Returns the cycles in which the core does so many instructions.
uint64_t Estimate::issued(uint64_t loads, uint64_t stores, uint64_t others) const {
  uint64_t all = (loads + stores + others + core.issueWidth - 1) / core.issueWidth;
  return std::max(all, (stores * core.storeTenths + 9) / 10);
}

/// Adds up the calls, of which none may be left out.
bool Estimate::calls(uint64_t &cycles) {
  std::vector<Routine> routines;
  if (d.routine != Routine::None)
    routines.push_back(d.routine);
  for (const ReturningCall &c : d.calls)
    if (c.inPlace == NoExpr)
      routines.push_back(c.routine);
  if (routines.empty())
    return true;
  if (core.inOrder)
    return unknown("routines were measured on an out-of-order core");
  uint64_t loaded = 0, stored = 0; // bytes of an iteration
  for (const Access &a : loop.accesses) {
    if (a.fixed || a.lookUp)
      continue;
    if (!g.isConst(a.bytes))
      return unknown("the number of bytes is known only at run time");
    (a.store ? stored : loaded) += g[a.bytes].value;
  }
  uint64_t bytes = gain.iterations * std::max(loaded, stored);
  cycles += cyclesOfCalls(d);
  for (Routine r : routines) {
    unsigned rate = operationOf(r).isLibc() ? 4 : cyclesOf64(r);
    if (!rate)
      return unknown("no figures of its routine were measured");
    cycles += (bytes * rate + 63) / 64;
  }
  return true;
}

/// Adds up words and loops in place. Loops in arms of a branch are all counted.
bool Estimate::loops(uint64_t &cycles) {
  const bool copies = match.src != NoExpr;
  if (!d.words.empty())
    cycles += core.loadUse + issued(copies ? d.words.size() : 0, d.words.size(), 0);
  for (const InlineLoop &l : d.loops) {
    uint64_t trip = g.isConst(l.trip) ? g[l.trip].value : mostOf(loop, l.trip);
    if (trip > uint64_t(1) << 32)
      return unknown("the trip count of a loop in its place has no bound");
    uint64_t work = core.countsLoops ? 0 : step, chain = 1;
    for (size_t i = 0; i < l.scalars.size(); ++i) {
      work += operationsIn(g, l.scalars[i].next);
      chain = std::max<uint64_t>(chain, cyclesBetween(g, i, l.scalars[i].next));
    }
    for (const InlineStore &s : l.stores)
      work += operationsIn(g, s.value);
    uint64_t wait = core.inOrder && !l.loads.empty() ? core.loadUse - 1 : 0;
    uint64_t one = issued(l.loads.size(), l.clears ? 1 : l.stores.size(), work) + wait;
    cycles += trip * std::max(one, chain);
  }
  return true;
}

Gain Estimate::run() {
  uint64_t after = 0, before = 0;
  if (!isPlain() || !isScalar() || !trips() || !loops(after) || !calls(after))
    return gain;
  if (!after)
    return unknown("costs of this form are not modelled"), gain;
  if (__builtin_mul_overflow(gain.iterations, each(), &before) || before <= after)
    return unknown("less than the model can tell"), gain;
  gain.cycles = before - after;
  auto times = [](uint64_t n, const char *what) {
    return std::to_string(n) + " " + what + (n == 1 ? "" : "s");
  };
  gain.model = from + times(gain.iterations, "iteration") + " of " + times(each(), "cycle") +
               ", less " + std::to_string(after) + (inPlace() ? " in its place" : " for the call") +
               (d.guard != NoExpr && !d.longOnly ? ", where the test holds" : "");
  return gain;
}

} // namespace

Gain gainOf(const Loop &loop, const Match &match, const Decision &d, const Options &options) {
  return isDone(d.kind) ? Estimate(loop, match, d, options).run() : Gain();
}

} // namespace memlift
