// decide.cpp - idiom + facts + core + mode -> inline | call | guarded call | keep
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The order of the rules is the policy:
//
// - A failed proof keeps the loop.
// - A call or an assignment becomes a call of the runtime if that is wanted and the
//   size is not small; it becomes words if the compiler would not make those itself.
// - A small constant size stays inline, as words.
// - An unknown overlap is left to a routine that copies in the loop's own steps. Else
//   it needs a guard and a second version of the loop, which -Os does not pay for.
// - The rest becomes a call, if the mode has a routine for it; else a loop in place.
#include "decider.h"
#include "expand.h"
#include "worth.h"

#include <algorithm>
#include <cstring>

namespace memlift {

/// Below this size a call cannot be faster than the loop: three words' worth of work.
constexpr uint64_t shortestCall = 16;

/// Up to this bound of a size that is not constant, a compiler's code and the C library's routine
/// stay: whether another routine is faster depends on more than the size.
constexpr uint64_t shortMost = 64;

/// A map without routines: nothing is called where loops are only shaped.
const SymbolMap Decider::noMap;

/// Decides on a memset, a memcpy or an assignment. Words or a runtime call may be
/// better than what the compiler makes of it.
void Decider::existing() {
  if (expandCall(loop, match, core, d))
    return;
  d.kind = DecisionKind::Already;
  d.code = Diag::Already;
  d.compilersWords =
      constant && compilerMakesWords(size, alignKnown(loop), unsigned(loop.ptrBits), core);
  if (small()) {
    fact("size", Verdict::Proved, Diag::InlineSmall,
         "at most " + std::to_string(core.inlineMaxBytes) + " bytes stay inline",
         std::to_string(size) + " bytes");
    return;
  }
  if (!constant && mostBytes() <= shortMost) {
    fact("size", Verdict::Proved, Diag::TooShort,
         "more than " + std::to_string(shortMost) + " bytes for another routine",
         "at most " + std::to_string(mostBytes()) + " bytes");
    return;
  }
  if (constant && core.unaligned != Unaligned::Trap && !core.inOrder &&
      map.find(Routine::Copy) == nullptr && map.find(Routine::Fill8) == nullptr &&
      size <= vectorsMost(/*called=*/true)) {
    fact("size", Verdict::Proved, Diag::TooShort,
         "more than " + std::to_string(vectorsMost(true)) + " bytes for another routine",
         std::to_string(size) + " bytes");
    return;
  }
  if (waitsBesideCall()) {
    fact("size", Verdict::Proved, Diag::TooShort, "no access to the same bytes beside the call",
         "one, which would wait for masked vectors");
    return;
  }
  match.idiom == Idiom::Fill ? fill() : copy();
  const char *own = map.find(d.routine);
  // The user's routine may be the very function that is called.
  bool itself = own && !std::strncmp(own, "mem", 3); // copy=memcpy
  if (!mayCall(d.routine) || itself) {
    d.routine = Routine::None;
    d.args.clear();
    if (itself)
      return;
    fact("runtime", Verdict::Proved, Diag::None, "runtime=memlift",
         noCallsBecause("another runtime was chosen"));
    return;
  }
  if (call()) {
    d.kind = DecisionKind::Lowered;
    d.code = Diag::CallLowered;
  }
}

/// Returns the greatest number of bytes, of a row if there are rows; 2^64 - 1 if it is unknown.
uint64_t Decider::mostBytes() const {
  uint64_t most = constant ? size : mostOf(loop, match.bytes), each = 0, product = 0;
  if (!constant && loop.origin == Origin::Loop && loop.dims.size() == 1) {
    bool stores = match.dst != NoExpr;
    for (const Access &a : loop.accesses)
      each += a.store == stores && g.isConst(a.bytes) ? g[a.bytes].value : 0;
    if (each && !__builtin_mul_overflow(mostIterations(loop, loop.dims[0]), each, &product))
      most = std::min(most, product);
  }
  return match.rows == NoExpr && match.maxBytes ? std::min(most, match.maxBytes) : most;
}

/// Copies 4 or 8 bytes in reverse order as one word with its bytes swapped. Two bytes are moved as
/// fast one by one, and so are those that take shifts and masks to swap.
bool Decider::reversedWord() {
  bool aligned = match.dstAlign % size == 0 && match.srcAlign % size == 0;
  if ((size != 4 && size != 8) || loop.function.noSwap || match.reverse() != 1 ||
      size > loop.ptrBits / 8 || (core.unaligned == Unaligned::Trap && !aligned))
    return false;
  ExprId word = g.memory(match.src, unsigned(8 * size), std::min(match.srcAlign, size));
  d.words = {{0, unsigned(size), match.dstAlign, 1, g.cast(Op::BSwap, word, unsigned(8 * size))}};
  return true;
}

/// Cuts the constant size into words that the core may access; false if there would
/// be too many of them.
bool Decider::inlineWords() {
  if (!small() || size == 0 || match.swap() || match.rows != NoExpr)
    return false;
  if (match.reverse())
    return reversedWord();
  unsigned word = unsigned(loop.ptrBits / 8);
  uint64_t common =
      match.idiom == Idiom::Fill ? match.dstAlign : std::min(match.dstAlign, match.srcAlign);
  if (core.unaligned == Unaligned::Trap)
    word = unsigned(std::min<uint64_t>(word, common));
  // A word of the pattern must be the same wherever it is stored.
  const FillForm *fill = match.fill();
  if (fill && (!fill->native || word < fill->period))
    return false;
  size_t limit = loop.function.optSize ? maxInlineWordsSize : maxInlineWords;
  d.words = cutWords(0, size, word, match);
  for (InlineWord &w : d.words)
    if (fill) {
      if (w.bytes < fill->period)
        return false;
      w.value = g.splat(fill->pattern, 8 * w.bytes);
    }
  return d.words.size() <= limit;
}

/// Returns true if a routine has the loop's result for any overlap. The user's own
/// routines for copies and moves take precedence.
bool Decider::forwards() const {
  return mayOverlap() && match.copy()->step && match.overlap() == Overlap::GuardAscending &&
         match.reductions.empty() && mayCall(Routine::CopyForward) && !map.find(Routine::Copy) &&
         !map.find(Routine::Move);
}

/// Combines the match's condition with those of the overlap and of loops in place.
ExprId Decider::guard() {
  ExprId all = match.condition;
  auto also = [&](ExprId one) { all = all == NoExpr ? one : g.binary(Op::And, all, one); };
  if (mayOverlap())
    also(overlapGuard());
  if (shapeGuard != NoExpr)
    also(shapeGuard);
  return all;
}

/// Adds a fill for regions that overlap by exactly one element less than their
/// length: the loop repeats its first element.
void Decider::repeat() {
  int64_t known;
  ExprId repeated = match.copy() ? match.copy()->repeated : NoExpr;
  if (!mayOverlap() || repeated == NoExpr || !match.reductions.empty() || !d.words.empty() ||
      g.constantDifference(match.dst, match.src, known))
    return;
  unsigned period = g.width(repeated) / 8;
  Routine routine = routineFor(OpKind::Fill, 8 * period);
  if (mode == RuntimeMode::Libc && !map.find(routine))
    routine = period == 1 ? Routine::Memset : Routine::None;
  if (routine == Routine::None || (mode == RuntimeMode::None && !map.find(routine)))
    return;
  ExprId apart = g.sub(match.dst, match.src);
  d.repeat.guard = g.binary(Op::Eq, apart, loop.word(period));
  if (match.condition != NoExpr)
    d.repeat.guard = g.binary(Op::And, match.condition, d.repeat.guard);
  d.repeat.routine = routine;
  if (const char *own = map.find(routine))
    d.repeat.symbol = own;
  ExprId value = d.repeat.routine == Routine::Memset ? g.cast(Op::ZExt, repeated, 32) : repeated;
  d.repeat.args = {match.dst, value, match.bytes};
  fact("distance", Verdict::Guarded, Diag::Repeats, "one element above the source: a fill",
       "tested at run time");
}

/// Returns the condition under which one operation has the loop's result; see
/// recognize/copy.cpp.
ExprId Decider::overlapGuard() {
  auto distance = [&](ExprId from, ExprId to) {
    return g.fromPoly(g.poly(g.sub(to, from)), loop.ptrBits);
  };
  ExprId above = distance(match.src, match.dst);
  ExprId below = distance(match.dst, match.src);
  ExprId up = g.binary(Op::ULe, match.bytes, above);
  ExprId down = g.binary(Op::ULe, match.bytes, below);
  ExprId apart = match.overlap() == Overlap::GuardAscending    ? up
                 : match.overlap() == Overlap::GuardDescending ? down
                                                               : g.binary(Op::And, up, down);
  // Words are often byte-swapped in place.
  bool inPlace = match.swap() && match.overlap() != Overlap::GuardDisjoint;
  return inPlace ? g.binary(Op::Or, apart, g.binary(Op::Eq, above, loop.word(0))) : apart;
}

/// Returns true if an assumption compares with a place within few bytes, as that in a ring is. The
/// bound of a narrow counter is a constant, and a loop beyond it would not end.
bool Decider::cutsIndex() const {
  constexpr uint64_t mostOfRing = 1 << 16;
  auto isPlace = [&](ExprId id) { return !g.isConst(id) && upperBound(loop, id) < mostOfRing; };
  return std::any_of(loop.assumptions.begin(), loop.assumptions.end(), [&](const Assumption &a) {
    const Expr &e = g[a.condition];
    bool compares = e.op == Op::ULe || e.op == Op::ULt;
    return a.code == Diag::RingWraps || (compares && (isPlace(e.a) || isPlace(e.b)));
  });
}

/// Reads the words that a loop of few iterations puts together from bytes.
void Decider::wordsRead() {
  for (const WordRead &w : match.wordsRead) {
    if (core.unaligned == Unaligned::Trap && w.align < w.bytes) {
      d.results.clear();
      keep("alignment", Diag::TooShort,
           "an address that is a multiple of " + std::to_string(w.bytes),
           "of " + std::to_string(w.align));
      return;
    }
    d.results.push_back({w.liveOut, w.value});
  }
  fact("size", Verdict::Proved, Diag::InlineSmall,
       "at most " + std::to_string(core.inlineMaxBytes) + " bytes stay inline",
       std::to_string(size) + " bytes");
  d.kind = DecisionKind::Inlined;
  d.code = Diag::Inlined;
}

/// Decides on a loop of the source: words, a call, or a call under a guard.
void Decider::fresh() {
  if (loop.function.user)
    return user();
  bool inlined = match.reductions.empty() && inlineWords() && !vectorFill();
  if (inlined && compilerVersions()) {
    d.words.clear();
    keep("vectors", Diag::AsVectorised, "fewer accesses than the compiler's",
         std::to_string(size) + " bytes as vectors, under the compiler's own test for overlap");
    return;
  }
  if (inlined && compilerUnrolls()) {
    std::string accesses = std::to_string(d.words.size());
    d.words.clear();
    keep("size", Diag::TooShort,
         match.copy() ? "fewer words than iterations, beside a test for overlap"
                      : "fewer words than iterations, beside the value's repetition",
         accesses + " words");
    return;
  }
  if (inlined && wordsWait()) {
    d.words.clear();
    keep("size", Diag::TooShort, "no access to the same bytes beside the loop",
         "one, for which its words would wait");
    return;
  }
  if (!inlined) {
    d.words.clear();
    uint64_t most = constant ? size : match.maxBytes;
    if (match.rows != NoExpr && (small() || (!constant && mostBytes() <= shortMost))) {
      uint64_t least = constant ? core.inlineMaxBytes : shortMost;
      keep("size", Diag::TooShort, "rows of more than " + std::to_string(least) + " bytes",
           (constant ? "rows of " : "rows of at most ") + std::to_string(mostBytes()) + " bytes");
      return;
    }
    if (constant ? size < shortestCall : most && most < shortestCall) {
      keep("size", Diag::TooShort, "at least " + std::to_string(shortestCall) + " bytes for a call",
           "at most " + std::to_string(most) + " bytes");
      return;
    }
  }
  forward = !inlined && forwards();
  // A guard keeps the loop as a second version.
  auto tooLarge = [&] {
    if (!needsGuard() || !loop.function.optSize)
      return false;
    d.loops.clear();
    keep("code size", Diag::GuardTooCostly, "no second version with -Os",
         mayOverlap() ? "overlap must be tested at run time"
                      : "an assumption must be tested at run time");
    return true;
  };
  bool mayBeWhole = loop.function.shape && !inlined;
  if (!mayBeWhole && tooLarge())
    return;
  if (!inlined && (!call() || !longEnough()))
    return;
  if (mayBeWhole && tooLarge())
    return;
  if (!inlined && leftToVectors())
    return;
  if (inlined)
    fact("size", Verdict::Proved, Diag::InlineSmall,
         "at most " + std::to_string(core.inlineMaxBytes) + " bytes stay inline",
         std::to_string(size) + " bytes");
  d.kind = inlined || !d.loops.empty() ? DecisionKind::Inlined : DecisionKind::Lowered;
  d.code = !d.loops.empty() ? Diag::InlineLoop : inlined ? Diag::Inlined : Diag::Lowered;
  d.finals = match.finals;
  if (needsGuard()) {
    d.keptAlone = cutsIndex();
    d.guard = guard();
    repeat();
    d.kind = DecisionKind::Guarded;
    d.code = d.loops.empty() ? Diag::Guarded : Diag::InlineLoopGuarded;
  }
  if (sizeGuard != NoExpr) {
    d.longOnly = d.guard == NoExpr;
    // Unrolled or in vectors, few additions take half the time; few stores take more.
    d.keptAlone |= shortAsStock || (d.longOnly && match.dst == NoExpr);
    // The size is tested first, as a select: a short loop has no time for the other tests.
    d.guard = d.longOnly ? sizeGuard : g.select(sizeGuard, d.guard, g.constant(0, 1));
  }
}

/// With groups, the loads of all groups up to that of store `i` come before it.
size_t loadsBefore(const InlineLoop &l, size_t i) {
  if (!l.group)
    return l.loads.size();
  size_t stores = l.groupStores ? l.groupStores : l.group;
  return std::min(l.loads.size(), (i / stores + 1) * l.group);
}

static void findLoads(const ExprGraph &g, ExprId id, std::vector<bool> &seen,
                      std::vector<size_t> &found) {
  if (id == NoExpr || seen[id])
    return;
  seen[id] = true;
  const Expr &e = g[id];
  if (e.op == Op::Load)
    found.push_back(size_t(e.value));
  for (ExprId operand : {e.a, e.b, e.c})
    findLoads(g, operand, seen, found);
}

/// All values up to store `i` share one set of visited nodes, so a load that an
/// earlier value uses is not found again.
std::vector<size_t> firstUsed(const ExprGraph &g, const InlineLoop &l, size_t i) {
  std::vector<bool> seen(g.size());
  std::vector<size_t> found;
  for (size_t k = 0; k <= i; ++k) {
    found.clear();
    findLoads(g, l.stores[k].value, seen, found);
  }
  return found;
}

std::vector<ExprId> conjuncts(const ExprGraph &g, ExprId condition) {
  const Expr &e = g[condition];
  bool both = e.width == 1 && (e.op == Op::And || (e.op == Op::Select && g.isConst(e.c, 0)));
  if (!both)
    return {condition};
  std::vector<ExprId> all = conjuncts(g, e.a), more = conjuncts(g, e.b);
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

/// Matches a conjunct `constant <= value` whose value is 0 if `count` is.
bool failsWithout(const ExprGraph &g, ExprId condition, ExprId count) {
  std::vector<ExprId> all = conjuncts(g, condition);
  return std::any_of(all.begin(), all.end(), [&](ExprId one) {
    const Expr &e = g[one];
    return e.op == Op::ULe && g.isConst(e.a) && !g.isConst(e.a, 0) && g.vanishesWith(e.b, count);
  });
}

unsigned runWeight(const Loop &loop, const InlineLoop &l) {
  uint64_t most = upperBound(loop, l.trip);
  return most <= 1 ? 6 : most < 16 ? 4 : 9;
}

/// An extension: (v & 56) >> 3 is 0 exactly if v & 56 is.
ExprId runsAtAll(const Loop &loop, const InlineLoop &l) {
  const ExprGraph &g = loop.exprs;
  const Expr &trip = g[l.trip];
  if (trip.op != Op::LShr || !g.isConst(trip.b) || g[trip.a].op != Op::And ||
      !g.isConst(g[trip.a].b) || g[trip.b].value >= trip.width)
    return l.trip;
  bool lost = g[g[trip.a].b].value & maskOf(unsigned(g[trip.b].value));
  return lost ? l.trip : trip.a;
}

/// (n >> k) * 2^k is n with its low bits cleared: one mask in place of two shifts.
ExprId extentOf(Loop &loop, const InlineLoop &l) {
  ExprGraph &g = loop.exprs;
  const Expr trip = g[l.trip]; // a copy, since the graph may grow
  bool down = int64_t(l.step) < 0;
  uint64_t each = down ? 0 - l.step : l.step;
  if (trip.op != Op::LShr || !g.isConst(trip.b) || g[trip.b].value >= trip.width ||
      uint64_t(1) << g[trip.b].value != each)
    return g.mul(l.trip, loop.word(l.step));
  ExprId all = g.binary(Op::And, trip.a, loop.word(0 - each));
  return down ? g.sub(loop.word(0), all) : all;
}

Decision Decider::run() {
  if (match.registers)
    registers();
  else if (!match.wordsRead.empty())
    wordsRead();
  else if (match.linear)
    linearTable();
  else if (match.search)
    search();
  else if (loop.origin == Origin::Loop)
    fresh();
  else
    existing();
  return std::move(d);
}

Decision decide(Loop &loop, const Match &match, const Options &options) {
  if (match.ok)
    return match.sequence().empty() ? Decider(loop, match, options).run()
                                    : decideSequence(loop, match, options);
  Decision d;
  std::vector<Diag> codes = failedCodes(match.facts);
  // A call that may not be replaced is still the compiler's own operation.
  d.kind = DecisionKind::Kept;
  d.code = codes.empty() ? Diag::NotInnermostForm : codes.front();
  return d;
}

} // namespace memlift
