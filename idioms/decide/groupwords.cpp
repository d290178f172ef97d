// groupwords.cpp - does elements that are lanes of a word a word at a time
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   d[i] = s[i] ^ 0x5a, of bytes         load words of s; xor with 0x5a5a..5a; store words
//
// And, Or and Xor act on each bit alone, so a word of elements needs no care. A sum does: a carry
// would leave its lane. Without the highest bit of each lane no carry does, and the highest bits'
// own sum is their Xor.
//
// All regions have to begin with a whole word. That is tested before the loop, unless it is known
// or the core may load words anywhere.
//
// The limits: 4 lanes for sums; operations on words must pay for the lanes they do.
//
// Example: bytes 0x80 + 0x80 in one lane. The low bits are 0 + 0, the highest bits' sum is their
// exclusive-or, 0: the carry out of the lane is dropped, as in a byte of its own.
#include "../knownzero.h"
#include "group.h"
#include "worth.h"

#include <algorithm>

namespace memlift {

constexpr unsigned leastLanes = 4; // with fewer lanes the masks of a sum cost more than it gains
/// Operations that a sum of words takes.
constexpr unsigned operationsOfSum = 6;

/// Fewer iterations are no slower one by one than by words, with the tests before them.
constexpr uint64_t leastInWords = 16;

/// Returns true if the loop has few iterations wherever its assumptions hold: that the index of a
/// key of 4 bytes does not wrap, say.
static bool isCutShort(const Loop &loop) {
  constexpr uint64_t few = 8 * leastInWords;
  return std::any_of(loop.assumptions.begin(), loop.assumptions.end(), [&](const Assumption &a) {
    const Expr &e = loop.exprs[a.condition];
    if (a.code == Diag::RingWraps && loop.dims[0].maxTrip && loop.dims[0].maxTrip < few)
      return true;
    return (e.op == Op::ULe || e.op == Op::ULt) &&
           std::min(upperBound(loop, e.a), upperBound(loop, e.b)) < few;
  });
}

/// Returns true if the number of iterations fills whole vectors, as n & ~15 does: GCC makes them at
/// -O2, too.
static bool fillsVectors(const Loop &loop) {
  uint64_t widest = 1, lanes = 0;
  for (const Access &a : loop.accesses)
    widest = std::max(widest, loop.exprs[a.bytes].value);
  lanes = loop.function.wholeVectorBits / 8 / widest;
  const Poly trip = loop.exprs.poly(loop.dims[0].trip); // without the - 1 + 1 of a do loop
  return lanes && std::all_of(trip.begin(), trip.end(), [&](const auto &term) {
           uint64_t odd = term.first.empty() ? 1 : ~knownZero(loop.exprs, term.first.front());
           return (odd * term.second & (lanes - 1)) == 0;
         });
}

/// Returns true for one store of what is computed of loads, all of elements smaller than a word.
static bool computesElements(const Loop &loop) {
  unsigned stores = 0, loads = 0;
  for (const Access &a : loop.accesses) {
    if (a.fixed && !a.store)
      continue;
    if (!a.affine || a.fixed || a.isVolatile || !loop.exprs.isConst(a.bytes) ||
        loop.exprs[a.bytes].value > 4)
      return false;
    ++(a.store ? stores : loads);
  }
  return stores == 1 && loads;
}

bool wantsWords(const Loop &loop, const Options &options) {
  const Core &core = coreOf(options);
  const FunctionFacts &f = loop.function;
  return loop.origin == Origin::Loop && !f.user && !f.optSize && !core.inOrder &&
         core.unaligned != Unaligned::Trap && loop.ptrBits == 64 &&
         (!f.vectorBits || rereads(loop)) && loop.dims.size() == 1 && loop.dims[0].trip != NoExpr &&
         !loop.exprs.isConst(loop.dims[0].trip) && computesElements(loop) && !isCutShort(loop) &&
         !fillsVectors(loop);
}

bool wantsGroups(const Loop &loop, const Options &options) {
  if (wantsWords(loop, options))
    return true;
  return loop.origin == Origin::Loop && !loop.function.user && coreOf(options).inOrder &&
         runtimeOf(loop.function, options) == RuntimeMode::None;
}

void leaveFew(Loop &loop, Decision &d) {
  ExprGraph &g = loop.exprs;
  ExprId longer = enough(g, loop.dims[0].trip, leastInWords);
  d.longOnly = d.guard == NoExpr;
  d.sizeFirst = !d.longOnly;
  d.keptAlone = true;
  d.guard = d.longOnly ? longer : g.select(longer, d.guard, g.constant(0, 1));
  d.facts.push_back({"size", Verdict::Guarded, Diag::None,
                     "at least " + std::to_string(leastInWords) + " iterations",
                     "tested at run time", ""});
}

bool mayBeFixed(const Loop &loop) {
  const ExprGraph &g = loop.exprs;
  return std::all_of(loop.accesses.begin(), loop.accesses.end(), [&](const Access &a) {
    ExprId v = a.value;
    bool known = v == NoExpr || (g.isInvariant(v) && g.isConst(a.bytes, g.width(v) / 8));
    return !a.fixed ||
           (!a.store && a.affine && g.isConst(a.bytes) && g.poly(a.step[0]).empty() && known);
  });
}

ExprId distanceTo(Loop &loop, ExprId at, ExprId from) {
  return loop.exprs.fromPoly(loop.exprs.poly(loop.exprs.sub(at, from)), loop.ptrBits);
}

/// Then the stores are where they are said to be, by induction over the iterations. Places side by
/// side, as those of a vector, share a test.
void testFixed(Loop &loop, const Streams &streams, ExprId to, ExprId written, Decision &d,
               std::vector<ExprId> &tests) {
  struct Place {
    ExprId at;
    int64_t low, high;
  };
  ExprGraph &g = loop.exprs;
  std::vector<Place> places;
  for (uint32_t i = 0; i < loop.accesses.size(); ++i) {
    const Access &a = loop.accesses[i];
    auto isApart = [&](const Placed &s) { return loop.alias(s.access, i) == AliasKind::None; };
    if (!a.fixed || std::all_of(streams.stores.begin(), streams.stores.end(), isApart))
      continue;
    ExprId at = g.add(g.leaf(Op::BaseAddr, a.base, loop.ptrBits), a.offset);
    int64_t from = 0, bytes = int64_t(g[a.bytes].value);
    auto isNear = [&](const Place &p) { return g.constantDifference(at, p.at, from); };
    auto known = std::find_if(places.begin(), places.end(), isNear);
    if (known == places.end()) {
      places.push_back({at, 0, bytes});
      continue;
    }
    known->low = std::min(known->low, from);
    known->high = std::max(known->high, from + bytes);
  }
  for (const Place &p : places) {
    ExprId low = g.add(p.at, loop.word(uint64_t(p.low)));
    ExprId size = loop.word(uint64_t(p.high - p.low));
    tests.push_back(g.binary(Op::ULe, written, distanceTo(loop, low, to)));
    tests.push_back(g.binary(Op::ULe, size, distanceTo(loop, to, low)));
    d.facts.push_back({"read again", Verdict::Guarded, Diag::ReadAgain, "not written by the loop",
                       "tested at run time", "the compiler cannot tell"});
  }
}

/// Returns true if the value is computed in lanes; `cost` counts operations on words.
bool GroupWriter::inLanes(ExprId id, unsigned &cost) const {
  const Expr &e = g[id];
  if (e.width != 8 * elementBytes)
    return false;
  if (g.isInvariant(id) || e.op == Op::Load)
    return true;
  bool sum = e.op == Op::Add || e.op == Op::Sub;
  if (e.op != Op::And && e.op != Op::Or && e.op != Op::Xor && !sum)
    return false;
  cost += sum ? operationsOfSum : 1;
  if (sum && loop.ptrBits < leastLanes * e.width)
    return false;
  return inLanes(e.a, cost) && inLanes(e.b, cost);
}

/// Returns the lanes of a word: for one store of an element an iteration, upwards, of loads of
/// the same size and step.
unsigned GroupWriter::lanes() {
  if (streams.stores.size() != 1)
    return 1;
  elementBytes = streams.stores[0].bytes;
  unsigned cost = 0, lanes = loop.ptrBits / 8 / elementBytes;
  for (const Placed &p : streams.loads)
    if (p.bytes != elementBytes || p.offset || streams.all[p.stream].step != int64_t(p.bytes))
      return 1;
  if (lanes < 2 || streams.stores[0].offset || stored().step != int64_t(elementBytes) ||
      !inLanes(loop.accesses[streams.stores[0].access].value, cost))
    return 1;
  return cost <= operationsOfSum * lanes / leastLanes ? lanes : 1;
}

/// Adds or subtracts lane by lane; H has the highest bit of each lane.
///   a + b: ((a & ~H) + (b & ~H)) ^ ((a ^ b) & H)
///   a - b: ((a | H) - (b & ~H)) ^ ((a ^ ~b) & H)
ExprId GroupWriter::sums(Op op, ExprId a, ExprId b) {
  unsigned bits = 8 * elementBytes;
  ExprId high = g.splat(g.constant(uint64_t(1) << (bits - 1), bits), loop.ptrBits);
  ExprId all = loop.word(~uint64_t(0)), low = g.binary(Op::Xor, high, all);
  ExprId masked = g.binary(Op::And, b, low), differ = g.binary(Op::Xor, a, b);
  if (op == Op::Sub)
    differ = g.binary(Op::Xor, differ, all);
  ExprId sum = op == Op::Add ? g.add(g.binary(Op::And, a, low), masked)
                             : g.sub(g.binary(Op::Or, a, high), masked);
  return g.binary(Op::Xor, sum, g.binary(Op::And, differ, high));
}

/// Rewrites an element's value for a whole word: invariants are repeated in each lane, loads
/// become loads of words, and sums keep their carries in the lanes.
ExprId GroupWriter::lane(ExprId id, const std::map<uint32_t, ExprId> &words) {
  const Expr e = g[id];
  if (g.isInvariant(id))
    return g.splat(id, loop.ptrBits);
  if (e.op == Op::Load)
    return words.at(uint32_t(e.value));
  ExprId a = lane(e.a, words), b = lane(e.b, words);
  return e.op == Op::Add || e.op == Op::Sub ? sums(e.op, a, b) : g.binary(e.op, a, b);
}

/// Returns whether all regions begin with a whole word; constant 1 if that is known.
ExprId GroupWriter::aligned() {
  uint64_t word = loop.ptrBits / 8;
  ExprId bits = loop.word(0);
  for (const Stream &s : streams.all) {
    int64_t offset;
    ExprId base = g.leaf(Op::BaseAddr, s.base, loop.ptrBits);
    if (anywhere || (loop.bases[s.base].align % word == 0 &&
                     g.constantDifference(s.at, base, offset) && offset % int64_t(word) == 0))
      continue;
    // One test of all addresses: their low bits are or-ed.
    bits = g.binary(Op::Or, bits, s.at);
  }
  return g.binary(Op::Eq, g.binary(Op::And, bits, loop.word(word - 1)), loop.word(0));
}

/// Writes a loop over `count` words at a time.
InlineLoop GroupWriter::wordLoop(ExprId trip, unsigned count) {
  unsigned word = loop.ptrBits / 8;
  InlineLoop l = frame(trip, count * (word / elementBytes));
  for (unsigned u = 0; u < count; ++u) {
    std::map<uint32_t, ExprId> loaded;
    for (const Placed &p : streams.loads) {
      Placed whole = {p.access, p.stream, int64_t(u) * word, word};
      loaded[p.access] = g.leaf(Op::Load, load(l, whole, 0), loop.ptrBits);
    }
    ExprId value = lane(loop.accesses[streams.stores[0].access].value, loaded);
    l.stores.push_back({uint64_t(u) * word, word, word, value});
  }
  uint64_t known = word; // words if aligned(); else elements, whose alignment packed ones lack
  for (const Access &a : loop.accesses)
    if (anywhere)
      known = std::min(known, a.align);
  for (InlineLoad &one : l.loads)
    one.align = known;
  for (InlineStore &one : l.stores)
    one.align = known;
  inGroups(l, count);
  return l;
}

/// Writes groups of words, single words and the last few elements; or all as elements, if the
/// regions do not begin with words.
void GroupWriter::words(ExprId trip) {
  unsigned word = loop.ptrBits / 8, lanes = word / elementBytes, log = 0, most = 0;
  while (1u << log < lanes)
    ++log;
  while (1u << most < unroll)
    ++most;
  ExprId where = aligned();
  bool known = g.isConst(where, 1);
  d.loops.push_back(wordLoop(g.binary(Op::LShr, trip, loop.word(log + most)), unroll));
  ExprId words = g.binary(Op::LShr, trip, loop.word(log));
  ExprId single = g.binary(Op::And, words, loop.word(unroll - 1));
  done = g.binary(Op::And, trip, loop.word(0 - uint64_t(unroll * lanes)));
  d.loops.push_back(wordLoop(single, 1));
  d.loops.back().toFollows = true;
  rest(trip, lanes, true);
  if (!known) {
    size_t inWords = d.loops.size();
    elements(trip);
    d.loops[0].branches.push_back({where, inWords, d.loops.size() - inWords, Mostly, {}});
  }
  shape = std::to_string(group) + " words of " + std::to_string(word) +
          " bytes are loaded, then stored" + (known ? "" : ", or elements");
}

} // namespace memlift
