// decide.cpp - idiom + facts + core + mode -> inline | call | guarded call | keep
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In order: a failed proof keeps the loop. What was a call or an assignment
// already becomes a call of the runtime where that is wanted and the size is
// not small, else it stays. A small constant size stays inline, as words. An
// unknown overlap is left to a routine that goes the loop's way, or needs a guard,
// which -Os does not pay for. The rest becomes a call, if the mode has a routine
// for it.
#include "decide.h"
#include "expand.h"
#include "inplace.h"
#include "reductions.h"

#include <algorithm>
#include <cstring>

namespace memlift {

/// Below this a call cannot beat the loop: three words' worth of work.
constexpr uint64_t shortestCall = 16;
namespace {

class Decider {
public:
  Decider(Loop &loop, const Match &match, const Options &options)
      : loop(loop), match(match), g(loop.exprs),
        core(coreOf(options)),
        mode(options.runtime), map(options.map), target(options.target) {
    noBuiltin = loop.function.noBuiltin && !options.runtimeGiven;
    if (noBuiltin)
      mode = RuntimeMode::None;
    constant = g.isConst(match.bytes);
    size = constant ? g[match.bytes].value : 0;
  }
  Decision run();

private:
  Loop &loop;
  const Match &match;
  ExprGraph &g;
  const Core &core;
  RuntimeMode mode;
  const SymbolMap &map;
  const std::function<TargetFacts()> &target;
  bool noBuiltin, constant;
  bool forward = false;      // overlap is left to the routine
  uint64_t size;
  Decision d;

  void fact(const char *name, Verdict v, Diag code, std::string need,
            std::string have) {
    d.facts.push_back({name, v, code, std::move(need), std::move(have), ""});
  }
  void keep(const char *name, Diag code, std::string need, std::string have) {
    fact(name, Verdict::Failed, code, std::move(need), std::move(have));
    d.kind = DecisionKind::Kept;
    if (d.code == Diag::None)
      d.code = code;
  }
  void existing();
  void fresh();
  bool small() const { return constant && size <= core.inlineMaxBytes; }
  bool inlineWords();
  ExprId wide(const Reduction &r, ExprId value);
  bool forwards() const;
  /// Is there a copy that may not run as one operation, whatever the addresses?
  bool mayOverlap() const {
    return !forward && match.dst != NoExpr && match.idiom != Idiom::Fill &&
           match.overlap != Overlap::Disjoint &&
           match.overlap != Overlap::MoveSafe;
  }
  bool needsGuard() const {
    return mayOverlap() || match.condition != NoExpr;
  }
  ExprId guard();
  ExprId overlapGuard();
  Routine fillRoutine(unsigned period) const;
  void repeat();
  bool mayCall(Routine r) const {
    return mode == RuntimeMode::Memlift || map.find(r);
  }
  bool call();
  bool libcHas();
  bool noRoutine();
  void nameMapped();
  void fill();
  void copy();
  void useAlignment();
  bool callLibc();
  /// Its 16 kB of tables are no way to make code small.
  bool tooLarge(Routine r) const {
    return r == Routine::Crc && loop.function.optSize && !map.find(r) &&
           mode == RuntimeMode::Memlift;
  }
  bool callReductions();
  bool copies() const { return match.dst != NoExpr && !match.stored; }
  void store(ExprId value);
  void copyBesides();
  bool inPlace();
  bool noLoop(const std::string &why);
};

/// A memset, memcpy or assignment: better than itself as words, where the compiler
/// would not make those, or as a runtime call.
void Decider::existing() {
  if (expandCall(loop, match, core, d))
    return;
  d.kind = DecisionKind::Already;
  d.code = Diag::Already;
  d.compilersWords = constant && compilerMakesWords(size, alignKnown(loop),
                                                    unsigned(loop.ptrBits), core);
  if (small()) {
    fact("size", Verdict::Proved, Diag::InlineSmall,
         "at most " + std::to_string(core.inlineMaxBytes) + " bytes stay inline",
         std::to_string(size) + " bytes");
    return;
  }
  match.idiom == Idiom::Fill ? fill() : copy();
  const char *own = map.find(d.routine);
  bool itself = own && !std::strncmp(own, "mem", 3); // copy=memcpy
  if (!mayCall(d.routine) || itself) {
    d.routine = Routine::None;
    d.args.clear();
    if (itself)
      return;
    fact("runtime", Verdict::Proved, Diag::None, "runtime=memlift",
         noBuiltin ? "built-ins are off" : "another runtime was chosen");
    return;
  }
  if (call()) {
    d.kind = DecisionKind::Lowered;
    d.code = Diag::CallLowered;
  }
}

/// Cuts the constant size into words that the core may access; false if that
/// would be too many.
bool Decider::inlineWords() {
  if (!small() || size == 0 || match.swap || match.rows != NoExpr)
    return false;
  unsigned word = unsigned(loop.ptrBits / 8);
  uint64_t common = match.idiom == Idiom::Fill
                        ? match.dstAlign
                        : std::min(match.dstAlign, match.srcAlign);
  if (core.unaligned == Unaligned::Trap)
    word = unsigned(std::min<uint64_t>(word, common));
  // A word of the pattern must look the same wherever it lands.
  if (match.idiom == Idiom::Fill) {
    if (!match.nativePattern)
      return false;
    if (word < match.period)
      return false;
  }
  size_t limit = loop.function.optSize ? maxInlineWordsSize : maxInlineWords;
  d.words = cutWords(0, size, word, match);
  for (InlineWord &w : d.words)
    if (match.idiom == Idiom::Fill) {
      if (w.bytes < match.period)
        return false;
      w.value = g.splat(match.pattern, 8 * w.bytes);
    }
  return d.words.size() <= limit;
}

/// Is there a routine that does what the loop does wherever its regions lie? One of
/// the user's own that copies or moves comes first.
bool Decider::forwards() const {
  return match.step && mayOverlap() && match.overlap == Overlap::GuardAscending &&
         match.reductions.empty() && mayCall(Routine::CopyForward) &&
         !map.find(Routine::Copy) && !map.find(Routine::Move);
}

ExprId Decider::guard() {
  if (!mayOverlap())
    return match.condition;
  return match.condition == NoExpr
             ? overlapGuard()
             : g.binary(Op::And, match.condition, overlapGuard());
}

/// Below the length of a copy but exactly one element apart: a fill.
void Decider::repeat() {
  int64_t known;
  if (!mayOverlap() || match.repeated == NoExpr || !match.reductions.empty() || !d.words.empty() ||
      g.constantDifference(match.dst, match.src, known))
    return;
  unsigned period = g.width(match.repeated) / 8;
  Routine routine = fillRoutine(period);
  if (mode == RuntimeMode::Libc && !map.find(routine))
    routine = period == 1 ? Routine::Memset : Routine::None;
  if (routine == Routine::None ||
      (mode == RuntimeMode::None && !map.find(routine)))
    return;
  ExprId apart = g.sub(match.dst, match.src);
  d.repeat.guard = g.binary(Op::Eq, apart, loop.word(period));
  if (match.condition != NoExpr)
    d.repeat.guard = g.binary(Op::And, match.condition, d.repeat.guard);
  d.repeat.routine = routine;
  if (const char *own = map.find(routine))
    d.repeat.symbol = own;
  ExprId value = d.repeat.routine == Routine::Memset
                     ? g.cast(Op::ZExt, match.repeated, 32)
                     : match.repeated;
  d.repeat.args = {match.dst, value, match.bytes};
  fact("distance", Verdict::Guarded, Diag::Repeats,
       "one element above the source: a fill", "tested at run time");
}

/// True where one operation gives the loop's result; see recognize/copy.cpp.
ExprId Decider::overlapGuard() {
  auto distance = [&](ExprId from, ExprId to) {
    return g.fromPoly(g.poly(g.sub(to, from)), loop.ptrBits);
  };
  ExprId above = distance(match.src, match.dst);
  ExprId below = distance(match.dst, match.src);
  ExprId up = g.binary(Op::ULe, match.bytes, above);
  ExprId down = g.binary(Op::ULe, match.bytes, below);
  ExprId apart = match.overlap == Overlap::GuardAscending    ? up
                 : match.overlap == Overlap::GuardDescending ? down
                                                 : g.binary(Op::And, up, down);
  // Words are often turned where they stand.
  bool inPlace = match.swap && match.overlap != Overlap::GuardDisjoint;
  return inPlace ? g.binary(Op::Or, apart, g.binary(Op::Eq, above, loop.word(0)))
                 : apart;
}

/// Keeps what the C library has no routine for.
bool Decider::libcHas() {
  const char *name = "routine";
  Diag code = Diag::RuntimeLibc;
  if (!match.reductions.empty())
    keep(name, code, "a routine of the C library", "it has none for sums");
  else if (match.rows != NoExpr)
    keep(name, code, "a routine of the C library", "it has none for rows");
  else if (match.swap)
    keep(name, code, "a routine of the C library", "it has none that turns bytes");
  else if (match.idiom == Idiom::Fill && match.period != 1)
    keep(name, code, "one byte repeated, for memset",
         std::to_string(match.period) + " bytes repeated");
  else
    return true;
  return false;
}

Routine Decider::fillRoutine(unsigned period) const {
  return period == 1   ? Routine::Fill8
         : period == 2 ? Routine::Fill16
         : period == 4 ? Routine::Fill32
                       : Routine::Fill64;
}

void Decider::fill() {
  if (match.rows != NoExpr) {
    d.routine = Routine::Fill2d;
    d.args = {match.dst, match.dstPitch, match.pattern,
              loop.word(match.period), match.bytes, match.rows};
    return;
  }
  if (match.period > 8) {
    d.routine = Routine::FillPattern16;
    d.args = {match.dst, match.pattern, match.patternHigh,
              loop.word(match.period), match.bytes};
    return;
  }
  if (!match.nativePattern) {
    d.routine = Routine::FillPattern;
    d.args = {match.dst, match.pattern, loop.word(match.period), match.bytes};
    return;
  }
  d.routine = fillRoutine(match.period);
  d.args = {match.dst, match.pattern, match.bytes};
}

void Decider::copy() {
  if (match.rows != NoExpr) {
    d.routine = match.overlap == Overlap::Disjoint ? Routine::Copy2d
                                                   : Routine::Move2d;
    d.args = {match.dst,      match.dstPitch, match.src,
              match.srcPitch, match.bytes,    match.rows};
    return;
  }
  if (forward) {
    d.routine = Routine::CopyForward;
    d.args = {match.dst, match.src, loop.word(match.step), match.bytes};
    fact("overlap", Verdict::Proved, Diag::None, "the loop's bytes where the regions overlap",
         "the routine goes upwards in steps of " + std::to_string(match.step) +
             " bytes, as the loop does");
    return;
  }
  bool apart = match.overlap == Overlap::Disjoint ||
               match.overlap == Overlap::GuardDisjoint;
  if (match.swap)
    d.routine = match.swap == 2   ? Routine::CopySwap16
                : match.swap == 4 ? Routine::CopySwap32
                                  : Routine::CopySwap64;
  else
    d.routine = apart ? Routine::Copy : Routine::Move;
  // What moves can copy.
  if (d.routine == Routine::Copy && !mayCall(Routine::Copy) &&
      map.find(Routine::Move))
    d.routine = Routine::Move;
  d.args = {match.dst, match.src, match.bytes};
}

/// Where unaligned words trap, the routine that need not look for the first aligned one.
void Decider::useAlignment() {
  bool copies = d.routine == Routine::Copy;
  bool fills = match.idiom == Idiom::Fill && match.rows == NoExpr && match.nativePattern &&
               match.period <= 8;
  if (core.unaligned != Unaligned::Trap || mode != RuntimeMode::Memlift || map.find(d.routine) ||
      !(copies || fills) || match.dstTouched % 8 || (copies && match.srcTouched % 8))
    return;
  d.routine = copies ? Routine::CopyA8 : Routine::Fill64A8;
  if (fills) {
    ExprId one = g.zextOrTrunc(match.pattern, 64);
    uint64_t all = match.period == 1 ? 0x0101010101010101 : match.period == 2 ? 0x0001000100010001
                   : match.period == 4 ? 0x0000000100000001 : 1;
    d.args[1] = g.mul(one, g.constant(all, 64));
  }
  fact("alignment", Verdict::Proved, Diag::None, "multiples of 8, for a routine that need not align",
       copies ? "both are, if there are bytes" : "the destination is, if there are bytes");
}

/// A live-out may be wider than the recurrence that it is: see cutTo.
ExprId Decider::wide(const Reduction &r, ExprId value) {
  const Recurrence &rec = loop.recs[size_t(loop.liveOuts[r.liveOut].rec)];
  value = g.zextOrTrunc(value, rec.width);
  ExprId none = g.binary(Op::Eq, match.bytes, loop.word(0));
  return r.wideStart ? g.select(none, rec.init, value) : value;
}

/// The C library's routine instead of ours, where it has one.
bool Decider::callLibc() {
  if (!libcHas())
    return false;
  if (match.idiom != Idiom::Fill) {
    d.routine = d.routine == Routine::Copy ? Routine::Memcpy : Routine::Memmove;
    return true;
  }
  d.routine = Routine::Memset;
  d.args[1] = g.cast(Op::ZExt, match.pattern, 32);
  return true;
}

/// What the loop's last iteration stores, in one word.
void Decider::store(ExprId value) {
  for (const Access &a : loop.accesses)
    if (a.store)
      d.words = {{0, unsigned(g[a.bytes].value), match.dstAlign, 1,
                  g.zextOrTrunc(value, g.width(a.value))}};
}

bool Decider::callReductions() {
  ReductionWriter writer(loop, match);
  for (const Reduction &r : match.reductions)
    if (r.stored)
      store(writer.value(r));
    else
      d.results.push_back({r.liveOut, wide(r, writer.value(r))});
  d.calls = writer.calls;
  if (copies())
    copyBesides();
  bool all = d.routine == Routine::None || mayCall(d.routine);
  bool large = false;
  for (const ReturningCall &c : d.calls) {
    all &= mayCall(c.routine) && !tooLarge(c.routine);
    large |= tooLarge(c.routine);
  }
  bool only = (mode == RuntimeMode::None || large) && !copies();
  if (all || (only && inPlace()))
    return true;
  d.calls.clear();
  d.results.clear();
  d.words.clear();
  d.routine = Routine::None;
  d.args.clear();
  if (mode == RuntimeMode::Libc)
    return libcHas();
  if (large && copies())
    noLoop("a second version of the loop would stand beside the copy");
  return !only && !large && noRoutine();
}

/// Sums first, as the copy may overwrite its source; or both in one go.
void Decider::copyBesides() {
  bool apart = match.overlap == Overlap::Disjoint ||
               match.overlap == Overlap::GuardDisjoint;
  Routine both = apart && d.calls.size() == 1 ? withCopy(d.calls[0].routine)
                                              : Routine::None;
  if (both == Routine::None || !mayCall(both))
    return copy();
  d.calls[0].routine = both;
  d.calls[0].args.insert(d.calls[0].args.begin(), match.dst);
}

bool Decider::noLoop(const std::string &why) {
  d.loops.clear();
  d.tables.clear();
  if (mode == RuntimeMode::None)
    noRoutine();
  else
    keep("code size", Diag::CrcTablesLarge, "no 16 kB of tables under -Os",
         "the routine for CRCs has them");
  fact("loop in place", Verdict::Failed, Diag::NoFasterLoop,
       "a loop that is faster than this one", why);
  return false;
}

/// Faster loops instead of the calls that may not be made.
bool Decider::inPlace() {
  InPlaceWriter writer(loop, match, core, target, d);
  if (needsGuard())
    return noLoop("behind a test at run time both loops would stand");
  for (size_t i = 0; i < d.calls.size(); ++i)
    if ((!mayCall(d.calls[i].routine) || tooLarge(d.calls[i].routine)) &&
        !writer.expand(i))
      return noLoop(writer.why);
  d.shape = writer.shape;
  return true;
}

bool Decider::noRoutine() {
  d.routine = Routine::None;
  d.args.clear();
  Diag code = noBuiltin ? Diag::NoBuiltin : Diag::NoRuntime;
  keep("routine", code, "a routine to call, or a small constant size",
       noBuiltin ? "built-ins are off and no runtime was named"
                 : "runtime=none");
  return false;
}

/// Puts the user's routines in the place of ours.
void Decider::nameMapped() {
  std::string names;
  auto name = [&](Routine r, std::string &symbol) {
    if (const char *own = map.find(r)) {
      symbol = own;
      names += (names.empty() ? "" : ", ") + symbol;
    }
  };
  name(d.routine, d.symbol);
  for (ReturningCall &c : d.calls)
    name(c.routine, c.symbol);
  if (!names.empty())
    fact("routine", Verdict::Proved, Diag::Mapped, "a routine for " +
         std::string(nameOf(match.idiom)), names + ", of the map");
}

bool Decider::call() {
  if (!match.reductions.empty()) {
    if (!callReductions())
      return false;
  } else {
    match.idiom == Idiom::Fill ? fill() : copy();
    if (!mayCall(d.routine) &&
        !(mode == RuntimeMode::Libc ? callLibc() : noRoutine()))
      return false;
    useAlignment();
  }
  nameMapped();
  return true;
}

/// A loop in the source: words, a call, or a call behind a guard.
void Decider::fresh() {
  bool inlined = match.reductions.empty() && inlineWords();
  if (!inlined) {
    d.words.clear();
    uint64_t most = constant ? size : match.maxBytes;
    if (match.rows != NoExpr && small()) {
      keep("size", Diag::TooShort,
           "rows of more than " + std::to_string(core.inlineMaxBytes) + " bytes",
           "rows of " + std::to_string(size) + " bytes");
      return;
    }
    if (constant ? size < shortestCall : most && most < shortestCall) {
      keep("size", Diag::TooShort,
           "at least " + std::to_string(shortestCall) + " bytes for a call",
           "at most " + std::to_string(most) + " bytes");
      return;
    }
  }
  forward = !inlined && forwards();
  if (needsGuard() && loop.function.optSize) {
    keep("code size", Diag::GuardTooCostly, "no second version under -Os",
         mayOverlap() ? "overlap must be tested at run time"
                      : "an assumption must be tested at run time");
    return;
  }
  if (!inlined && !call())
    return;
  if (inlined)
    fact("size", Verdict::Proved, Diag::InlineSmall,
         "at most " + std::to_string(core.inlineMaxBytes) + " bytes stay inline",
         std::to_string(size) + " bytes");
  d.kind = inlined || !d.loops.empty() ? DecisionKind::Inlined
                                        : DecisionKind::Lowered;
  d.code = !d.loops.empty() ? Diag::InlineLoop
           : inlined        ? Diag::Inlined
                            : Diag::Lowered;
  d.finals = match.finals;
  if (needsGuard()) {
    d.guard = guard();
    repeat();
    d.kind = DecisionKind::Guarded;
    d.code = Diag::Guarded;
  }
}

Decision Decider::run() {
  if (loop.origin == Origin::Loop)
    fresh();
  else
    existing();
  return std::move(d);
}

} // namespace

Decision decide(Loop &loop, const Match &match, const Options &options) {
  if (match.ok)
    return match.parts.empty() ? Decider(loop, match, options).run()
                               : decideParts(loop, match, options);
  Decision d;
  std::vector<Diag> codes = failedCodes(match.facts);
  // A call that may not be touched is still what the compiler made of it.
  d.kind = DecisionKind::Kept;
  d.code = codes.empty() ? Diag::NotInnermostForm : codes.front();
  return d;
}

} // namespace memlift
