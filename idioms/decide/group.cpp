// group.cpp - does the loads of several iterations before their stores, in loops that are no idiom
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   for (i = 0; i < n; i++)              for (; i + 8 <= n; i += 8) {
//     d[i] += a * s[i];            ->      load s[i] .. s[i + 7], d[i] .. d[i + 7]
//                                          store d[i] .. d[i + 7]
//                                        }
//                                        for (; i < n; i++) d[i] += a * s[i];
//
// An in-order core waits in each iteration for the value that it has just loaded, unless other
// loads are in flight. A compiler that unrolls such a loop leaves each load after the store of
// the iteration before, since both may access the same place. So the order has to be proved here,
// or tested before the loop.
//
// Loads move before the stores of earlier iterations of the same group, and before earlier stores
// of their own iteration. Stores keep their order. So a store of iteration u and a load of
// iteration u + k must not overlap for any k below the size of the group: from k = 0 on if the
// store comes first in the body, else from k = 1.
//
// Naive: test that the regions are disjoint. That refuses the loop above, which loads and stores
// d[i]. Let both have step s, and let the store be D bytes above the load. They overlap in
// iteration k if k * s - (bytes stored) < D < k * s + (bytes loaded). For all k together, harmful
// D lie within two bounds. So one comparison modulo 2^w is enough; it needs no trip count, and a
// loop in place (D = 0) passes. If the steps differ, the regions have to be disjoint.
//
// A core that goes out of order gains nothing by groups, but by words that hold several elements
// (groupwords.cpp), where its compiler makes no vectors, as GCC at -O2: d[i] ^= s[i] of bytes.
//
// The limits: one dimension, constant steps, stores to one region, integer values that depend on
// nothing carried between iterations. Figures of real cores: bench/README.md.
#include "group.h"
#include "../recognize/steps.h"
#include "budget.h"
#include "worth.h"

#include <algorithm>

namespace memlift {
namespace {

constexpr int64_t mostStep = 4096;    // so that no region wraps around the address space
constexpr unsigned mostRegions = 4;   // pointers of one loop
constexpr unsigned mostTests = 4;     // comparisons before the loop
constexpr unsigned mostWithFixed = 6; // where pointers are read again: two for each vector
/// Limit on the operations of an iteration: above it, waiting for loads is a small part.
constexpr unsigned mostOperations = 32;
/// Limit on the operations of a group, whose values stay in registers throughout.
constexpr unsigned mostOfGroup = 40;
/// Limit on the nodes that are visited, since values are walked as trees.
constexpr unsigned mostVisits = 1000;
/// Loads that a group may have beside its words: of neighbours, and of one place.
constexpr unsigned shared = 2;
/// With fewer operations, several values at a time need few registers beside their loads.
constexpr unsigned manyOperations = 4;
/// Operations for each byte of a byte swap by shifts and masks.
constexpr unsigned operationsOfByte = 2;
/// Any compiler unrolls this many iterations completely.
constexpr uint64_t fewIterations = 16;

/// A tested distance: values strictly between the bounds are harmful.
struct Distance {
  ExprId apart;      // of the store above the load, without the constant part
  int64_t low, high; // the bounds themselves are harmless
};

/// Proves that the loads of a group may be done first, and has the loops written. The group's
/// size is reduced by each limit: the core's unrolling, its registers, known distances. Then
/// unknown distances become tests.
class Grouper {
public:
  Grouper(Loop &loop, const Options &options, Grouped &result)
      : loop(loop), g(loop.exprs), options(options), core(coreOf(options)), match(result.match),
        d(result.decision), wordsOnly(!core.inOrder) {}
  void run();

private:
  Loop &loop;
  ExprGraph &g;
  const Options &options;
  const Core &core;
  Match &match;
  Decision &d;
  Streams streams;
  bool wordsOnly;          // the core needs no groups, but gains by words
  unsigned operations = 0; // operations of an iteration
  unsigned visits = 0;     // nodes visited so far
  /// Iterations that are done at a time, in groups; or words of so many lanes each.
  unsigned unroll = 1, group = 1, lanes = 1;
  std::vector<Distance> distances;
  // Pairs of streams, stored and loaded, to be tested as regions.
  std::vector<std::pair<size_t, size_t>> apart;
  std::vector<ExprId> tests;

  bool fail(const char *name, Diag code, std::string need, std::string have);
  bool suits();
  bool carriesNothing();
  bool countOperations(ExprId value, unsigned &count, std::vector<bool> &used);
  bool values(std::vector<bool> &used);
  bool place(uint32_t index);
  bool places(const std::vector<bool> &used);
  ExprId address(uint32_t access) const;
  int64_t stepOf(const Placed &p) const { return streams.all[p.stream].step; }
  bool constantOrder();
  unsigned pinTogether() const { return group * lanes; }
  unsigned disjointFor(const Placed &store, const Placed &load) const;
  unsigned firstMeeting(const Placed &s, const Placed &l) const {
    return s.access < l.access ? 0 : 1;
  }
  void fitRegisters(GroupWriter &writer);
  void order(const Placed &store, const Placed &load);
  void addDistance(const Placed &store, const Placed &load);
  void testDistances();
  ExprId extent(size_t stream, const std::vector<Placed> &of, ExprId &low);
  void testRegions();
  bool overlap();
  bool worthIt();
  bool waits(ExprId value) const;
  bool valuesInTurn() const;
};

bool Grouper::fail(const char *name, Diag code, std::string need, std::string have) {
  d.facts.push_back({name, Verdict::Failed, code, std::move(need), std::move(have), ""});
  return false;
}

/// Decides whether grouping suits the options that the function is compiled with.
bool Grouper::suits() {
  if (wordsOnly)
    return !loop.function.budgetSpent;
  const char *name = "loads first", *need = "compiled for speed, without vectors";
  if (loop.function.optSize)
    return fail(name, Diag::NotGrouped, need,
                "it would be larger, and the code is optimised for size");
  if (loop.function.compact)
    return fail(name, Diag::NotGrouped, need,
                "it would be larger: below -O3 that needs a named core (core=NAME)");
  if (loop.function.budgetSpent)
    return fail(name, Diag::BudgetSpent, budgetNeed(), budgetHave);
  if (options.target && options.target().vectors)
    return fail(name, Diag::NotGrouped, need, "the target has vectors, for its compiler to use");
  return true;
}

/// Requires that the loop carries nothing: only the loop itself computes a recurrence. A place that
/// is read again is taken to be fixed in words alone, and has to be proved (testFixed).
bool Grouper::carriesNothing() {
  if (rereads(loop) && !(wordsOnly && mayBeFixed(loop)))
    return fail("streams", Diag::NotGrouped, "nothing that is taken to be fixed",
                "a place that is read again");
  for (const LiveOut &l : loop.liveOuts)
    if (!l.rebuilt)
      return fail("live-outs", Diag::LiveOut, "no value of the loop needed later",
                  (l.name.empty() ? "a value" : l.name) + " is used after the loop");
  return true;
}

/// Counts the operations of a value as a tree, at least as many as are computed. Returns false if
/// it contains anything but plain operations on this iteration's loads.
bool Grouper::countOperations(ExprId id, unsigned &count, std::vector<bool> &used) {
  if (id == NoExpr || g.isConst(id))
    return id == NoExpr || g.width(id) <= 64;
  const Expr &e = g[id];
  bool computes = !g.isInvariant(id) && e.op != Op::Load && e.op != Op::Iv;
  count += !computes ? 0 : e.op == Op::BSwap ? operationsOfByte * e.width / 8 : 1;
  if (e.width > 64 || count > mostOperations || ++visits > mostVisits)
    return false;
  switch (e.op) {
  case Op::Load: used[e.value] = true; return loop.accesses[e.value].affine;
  case Op::Sym:
  case Op::BaseAddr:
  case Op::Iv: return true;
  case Op::Select:
  case Op::Rec:
  case Op::Table:
  case Op::Result:
  case Op::Memory:
  case Op::Opaque:
  case Op::Pair:
  case Op::ClMul:
  case Op::Crc32:
  case Op::Crc32c:
  case Op::ClearsBlocks: return false;
  default:
    return countOperations(e.a, count, used) && countOperations(e.b, count, used) &&
           countOperations(e.c, count, used);
  }
}

/// Requires that each stored value is an integer expression of the iteration's loads.
bool Grouper::values(std::vector<bool> &used) {
  const char *name = "values stored", *need = "integers of what the iteration loads";
  for (const Access &a : loop.accesses) {
    if (!a.store)
      continue;
    unsigned count = 0;
    if (!g.isConst(a.bytes) || g.width(a.value) != 8 * g[a.bytes].value)
      return fail(name, Diag::ValueUnknown, need, "a call stores it");
    if (!countOperations(a.value, count, used) && count <= mostOperations)
      return fail(name, Diag::ValueUnknown, need, sourceText(loop, a.value));
    operations += count;
  }
  if (operations > mostOperations)
    return fail("loads first", Diag::NotGrouped,
                "at most " + std::to_string(mostOperations) + " operations",
                "an iteration computes more");
  return true;
}

ExprId Grouper::address(uint32_t index) const {
  const Access &a = loop.accesses[index];
  return g.add(g.leaf(Op::BaseAddr, a.base, loop.ptrBits), a.offset);
}

/// Places an access in an existing stream or a new one.
bool Grouper::place(uint32_t index) {
  const Access &a = loop.accesses[index];
  const char *name = "streams";
  ExprId step = g.fromPoly(g.poly(a.step[0]), loop.ptrBits);
  if (!g.isConst(step) || !g.isConst(a.bytes))
    return fail(name, Diag::NotGrouped, "constant steps and sizes", "a step that varies");
  int64_t by = signExtend(g[step].value, loop.ptrBits);
  uint64_t bytes = g[a.bytes].value;
  if (by > mostStep || by < -mostStep || (a.store && !by))
    return fail(name, Diag::NotGrouped, "steps of at most " + std::to_string(mostStep) + " bytes",
                std::to_string(by) + " bytes");
  if (bytes * 8 > loop.ptrBits || (bytes & (bytes - 1)) || !bytes)
    return fail(name, Diag::NotGrouped, "elements of at most a word",
                std::to_string(bytes) + " bytes");
  Placed p = {index, streams.all.size(), 0, unsigned(bytes)};
  ExprId at = address(index);
  for (size_t i = 0; i < streams.all.size(); ++i)
    if (streams.all[i].step == by && g.constantDifference(at, streams.all[i].at, p.offset)) {
      p.stream = i;
      break;
    }
  if (p.stream == streams.all.size()) {
    p.offset = 0;
    streams.all.push_back({a.base, at, by});
  }
  (a.store ? streams.stores : streams.loads).push_back(p);
  return true;
}

/// Requires loads, and stores to one region.
bool Grouper::places(const std::vector<bool> &used) {
  for (uint32_t i = 0; i < loop.accesses.size(); ++i)
    if ((loop.accesses[i].store || used[i]) && !place(i))
      return false;
  const char *name = "streams", *need = "loads, and stores to one region";
  if (streams.stores.empty() || streams.loads.empty())
    return fail(name, Diag::NotGrouped, need,
                streams.loads.empty() ? "nothing is loaded" : "nothing is stored");
  for (const Placed &p : streams.stores)
    if (p.stream != streams.stores.front().stream)
      return fail(name, Diag::NotGrouped, need, "stores to several regions");
  if (streams.all.size() > mostRegions)
    return fail(name, Diag::NotGrouped, "at most " + std::to_string(mostRegions) + " regions",
                std::to_string(streams.all.size()));
  return true;
}

/// Returns the number of iterations for which two accesses at a known distance do not overlap.
unsigned Grouper::disjointFor(const Placed &s, const Placed &l) const {
  int64_t apart, step = stepOf(s);
  if (step != stepOf(l) || loop.alias(s.access, l.access) == AliasKind::None ||
      !g.constantDifference(address(s.access), address(l.access), apart))
    return pinTogether();
  for (unsigned k = firstMeeting(s, l); k < pinTogether(); ++k) {
    // Distance of the store above the load k iterations later.
    int64_t then = apart - int64_t(k) * step;
    if (then > -int64_t(s.bytes) && then < int64_t(l.bytes))
      return k;
  }
  return pinTogether();
}

/// Reduces the group to the iterations that do not overlap for known distances.
bool Grouper::constantOrder() {
  unsigned most = pinTogether();
  for (const Placed &s : streams.stores)
    for (const Placed &l : streams.loads)
      most = std::min(most, disjointFor(s, l));
  if (most == pinTogether())
    return true;
  lanes = 1;
  while (group > most)
    group /= 2;
  if (group >= 2)
    return true;
  return fail("order", Diag::StoreFeedsLoad,
              "no load of bytes that a store shortly before it wrote",
              most ? "the iteration before stores it" : "the same iteration stores it");
}

/// Chooses the group by registers: loaded values wait there, so a group loads as many words as
/// that of a copy, and a few more.
void Grouper::fitRegisters(GroupWriter &writer) {
  while (2 * unroll <= core.unroll)
    unroll *= 2;
  group = unroll;
  while (group > 2 &&
         (writer.loadsOf(group) > core.groupWords + shared || group * operations > mostOfGroup))
    group /= 2;
}

/// Adds the harmful distances of two accesses with equal steps; pairs with the same symbolic
/// distance share one test.
void Grouper::addDistance(const Placed &s, const Placed &l) {
  int64_t step = stepOf(s), first = int64_t(firstMeeting(s, l)) * step;
  int64_t last = int64_t(pinTogether() - 1) * step, constant = 0;
  Poly distance = g.poly(g.sub(address(s.access), address(l.access)));
  auto fixed = distance.find(Monomial());
  if (fixed != distance.end()) {
    constant = signExtend(fixed->second, loop.ptrBits);
    distance.erase(Monomial());
  }
  Distance d = {g.fromPoly(distance, loop.ptrBits),
                std::min(first, last) - int64_t(s.bytes) - constant,
                std::max(first, last) + int64_t(l.bytes) - constant};
  for (Distance &known : distances)
    if (known.apart == d.apart) {
      known.low = std::min(known.low, d.low);
      known.high = std::max(known.high, d.high);
      return;
    }
  distances.push_back(d);
}

/// Chooses the test for a store and a load: of distance, of regions, or none.
void Grouper::order(const Placed &s, const Placed &l) {
  int64_t constant;
  if (loop.alias(s.access, l.access) == AliasKind::None)
    return;
  if (stepOf(s) != stepOf(l)) {
    std::pair<size_t, size_t> both = {s.stream, l.stream};
    if (std::find(apart.begin(), apart.end(), both) == apart.end())
      apart.push_back(both);
    return;
  }
  if (!g.constantDifference(address(s.access), address(l.access), constant))
    addDistance(s, l);
}

/// Turns the bounds into comparisons, counted from the first harmful distance, modulo 2^w.
void Grouper::testDistances() {
  for (const Distance &one : distances) {
    // No distance is strictly between the bounds.
    if (one.high - one.low < 2)
      continue;
    ExprId from = g.sub(one.apart, loop.word(uint64_t(one.low) + 1));
    tests.push_back(g.binary(Op::ULe, loop.word(uint64_t(one.high - one.low) - 1), from));
  }
}

/// Returns the bytes from the lowest to the highest that the stream's accesses reach, and the
/// lowest address. For a loop of no iterations both are meaningless, and unused.
ExprId Grouper::extent(size_t stream, const std::vector<Placed> &of, ExprId &low) {
  const Stream &s = streams.all[stream];
  int64_t from = 0, to = 0;
  bool any = false;
  for (const Placed &p : of) {
    if (p.stream != stream)
      continue;
    from = any ? std::min(from, p.offset) : p.offset;
    to = std::max(any ? to : p.offset, p.offset + int64_t(p.bytes));
    any = true;
  }
  ExprId last = g.sub(loop.dims[0].trip, loop.word(1));
  ExprId way = g.mul(last, loop.word(uint64_t(s.step < 0 ? -s.step : s.step)));
  low = g.add(s.at, loop.word(uint64_t(from)));
  if (s.step < 0)
    low = g.sub(low, way);
  return g.add(way, loop.word(uint64_t(to - from)));
}

/// Tests that a stored and a loaded region are disjoint.
void Grouper::testRegions() {
  for (auto [stored, loaded] : apart) {
    ExprId to, from;
    ExprId written = extent(stored, streams.stores, to), read = extent(loaded, streams.loads, from);
    tests.push_back(g.binary(Op::ULe, written, distanceTo(loop, from, to)));
    tests.push_back(g.binary(Op::ULe, read, distanceTo(loop, to, from)));
  }
}

/// Has tested at run time what cannot be decided; if a test fails, the source's loop runs.
bool Grouper::overlap() {
  for (const Placed &s : streams.stores)
    for (const Placed &l : streams.loads)
      order(s, l);
  testDistances();
  testRegions();
  if (rereads(loop)) {
    ExprId to, written = extent(streams.stores.front().stream, streams.stores, to);
    testFixed(loop, streams, to, written, d, tests);
  }
  const unsigned most = rereads(loop) ? mostWithFixed : mostTests;
  if (tests.size() > most)
    return fail("overlap", Diag::NotGrouped,
                "at most " + std::to_string(most) + " comparisons before the loop",
                std::to_string(tests.size()));
  for (ExprId test : tests)
    if (g.isConst(test, 0))
      return fail("overlap", Diag::StoreFeedsLoad,
                  "no load of bytes that a store shortly before it wrote", "it always is");
  bool tested = !tests.empty();
  d.facts.push_back({"order", tested ? Verdict::Guarded : Verdict::Proved,
                     tested ? Diag::Overlap : Diag::None,
                     "no load of bytes that a store of the same " + std::to_string(pinTogether()) +
                         " iterations wrote",
                     tested ? "tested at run time" : "no such load", ""});
  return true;
}

/// Requires more iterations than a compiler unrolls by itself.
bool Grouper::worthIt() {
  ExprId trip = loop.dims[0].trip;
  uint64_t most = loop.dims[0].maxTrip, bound = upperBound(loop, trip);
  most = most ? std::min(most, bound) : bound;
  if (most > fewIterations)
    return true;
  return fail("size", Diag::NotGrouped,
              "more than " + std::to_string(fewIterations) + " iterations",
              "at most " + std::to_string(most));
}

/// Returns true if the value contains an operation with a long latency.
bool Grouper::waits(ExprId id) const {
  if (id == NoExpr || g.isInvariant(id))
    return false;
  const Expr &e = g[id];
  return e.op == Op::Mul || e.op == Op::URem || e.op == Op::SRem || waits(e.a) || waits(e.b) ||
         waits(e.c);
}

/// Decides whether values are computed one by one. If the core issues one instruction a cycle and
/// may overwrite a register at once, only loads cause waits, and they come first. A loop that the
/// target counts in hardware must contain no empty asm.
bool Grouper::valuesInTurn() const {
  for (const Placed &p : streams.stores)
    if (waits(loop.accesses[p.access].value))
      return false;
  return options.compiler.overlapsValues && core.accumulators == 1 && !core.countsLoops &&
         lanes == 1 && operations >= manyOperations * streams.stores.size();
}

/// Runs the checks from cheap to expensive; each one that fails enters its reason.
void Grouper::run() {
  d.code = Diag::NotGrouped;
  std::vector<bool> used(loop.accesses.size());
  if (loop.dims.size() != 1 || !suits() || !worthIt() || !carriesNothing() || !values(used) ||
      !places(used))
    return;
  GroupWriter writer(loop, streams, core, d);
  fitRegisters(writer);
  lanes = writer.lanes();
  if (wordsOnly && (lanes == 1 || !operations))
    return;
  if (!constantOrder() || (wordsOnly && lanes == 1) || !overlap())
    return;
  if (writer.loadsOf(unroll) != unroll * streams.loads.size())
    unroll = group; // groups share loads, so the loop has one group only
  writer.write(unroll, group, lanes);
  for (InlineLoop &l : d.loops)
    l.inTurn = valuesInTurn();
  d.shape = writer.shape;
  d.guard = match.condition;
  for (ExprId test : tests)
    if (!g.isConst(test))
      d.guard = d.guard == NoExpr ? test : g.binary(Op::And, d.guard, test);
  if (wordsOnly)
    leaveFew(loop, d);
  d.kind = d.guard == NoExpr ? DecisionKind::Inlined : DecisionKind::Guarded;
  d.code = d.guard == NoExpr ? Diag::Grouped : Diag::GroupedGuarded;
  match.dstBase = streams.all[streams.stores.front().stream].base;
}

} // namespace

/// Runs the steps that hold for every loop first: the group moves loads, so all accesses must be
/// plain and all trip counts known.
Grouped groupLoads(Loop &loop, const Options &options) {
  Grouped result;
  Proof proof(loop, result.match);
  wholeLoop(proof);
  bool loads = std::any_of(loop.accesses.begin(), loop.accesses.end(),
                           [](const Access &a) { return !a.store; });
  if (loop.dims.empty() || !loads || !wantsGroups(loop, options))
    return result;
  accessesAndValues(proof);
  if (!proof.failed())
    Grouper(loop, options, result).run();
  // Out of order, a loop that stays is nothing to explain.
  if (!coreOf(options).inOrder && !isDone(result.decision.kind))
    result.decision.facts.clear();
  return result;
}

} // namespace memlift
