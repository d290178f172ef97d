// routine.cpp - chooses the routine that replaces a loop, and its arguments
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The library has one routine for each kind of operation and several variants of the
// common ones. The choice goes from general to special: first the operation that the
// match needs (fill(), copy(), callReductions()), then whether it may be called at
// all, else the C library or a loop in place, and last a variant for aligned
// addresses or the user's own routine. A step that finds nothing keeps the loop and
// says why.
//
// Example: a loop that copies 4-byte elements upwards, at addresses that are multiples
// of 8. The match is a copy whose regions may overlap in the way of the loop's steps,
// so copy() gives memlift_copy_forward with the step 4. Under runtime=libc there is no
// such routine: memmove does it where a run-time test excludes the overlap, and the
// source's loop stays for the rest. Under runtime=none it becomes a loop in place if
// one is known to be faster on the core.
#include "budget.h"
#include "decider.h"
#include "inplace.h"
#include "reductions.h"
#include "shape.h"

#include <algorithm>

namespace memlift {

/// Keeps loops that the C library has no routine for.
bool Decider::libcHas() {
  const char *name = "routine";
  Diag code = Diag::RuntimeLibc;
  if (!match.reductions.empty())
    keep(name, code, "a routine of the C library", "it has none for sums");
  else if (match.search)
    keep(name, code, "a routine of the C library", "none that may be told any size");
  else if (match.rows != NoExpr)
    keep(name, code, "a routine of the C library", "it has none for rows");
  else if (match.reverse())
    keep(name, code, "a routine of the C library", "it has none that reverses words");
  else if (match.swap())
    keep(name, code, "a routine of the C library", "it has none that swaps bytes");
  else if (match.fill() && match.fill()->period != 1)
    keep(name, code, "one byte repeated, for memset",
         std::to_string(match.fill()->period) + " bytes repeated");
  else
    return true;
  return false;
}

/// Picks the fill by its pattern: rows, more than 8 bytes, numbered bytes, a native
/// value.
void Decider::fill() {
  const FillForm &form = *match.fill();
  if (match.rows != NoExpr) {
    d.routine = Routine::Fill2d;
    d.args = {match.dst,   match.dstPitch, form.pattern, loop.word(form.period),
              match.bytes, match.rows};
    return;
  }
  if (form.period > 8) {
    d.routine = Routine::FillPattern16;
    d.args = {match.dst, form.pattern, form.patternHigh, loop.word(form.period), match.bytes};
    return;
  }
  if (!form.native) {
    d.routine = Routine::FillPattern;
    d.args = {match.dst, form.pattern, loop.word(form.period), match.bytes};
    return;
  }
  // Periods are powers of two here; others have a pattern that is not native.
  d.routine = routineFor(OpKind::Fill, 8 * form.period);
  d.args = {match.dst, form.pattern, match.bytes};
}

/// Picks the copy by what is known of the overlap. `copy` is the cheapest and needs
/// disjoint regions; `move` tests the direction at run time; `copy_forward` needs no
/// guard.
void Decider::copy() {
  if (match.rows != NoExpr) {
    d.routine = match.overlap() == Overlap::Disjoint ? Routine::Copy2d : Routine::Move2d;
    d.args = {match.dst, match.dstPitch, match.src, match.srcPitch, match.bytes, match.rows};
    return;
  }
  if (forward) {
    d.routine = Routine::CopyForward;
    d.args = {match.dst, match.src, loop.word(match.copy()->step), match.bytes};
    fact("overlap", Verdict::Proved, Diag::None, "the loop's bytes where the regions overlap",
         "the routine goes upwards in steps of " + std::to_string(match.copy()->step) +
             " bytes, as the loop does");
    return;
  }
  bool disjoint = match.overlap() == Overlap::Disjoint || match.overlap() == Overlap::GuardDisjoint;
  if (match.reverse())
    d.routine = routineFor(OpKind::ReverseCopy, 8 * match.reverse());
  else if (match.swap())
    d.routine = routineFor(OpKind::SwapCopy, 8 * match.swap(), false, true);
  else
    d.routine = disjoint ? Routine::Copy : Routine::Move;
  // A routine that moves can also copy.
  if (d.routine == Routine::Copy && !mayCall(Routine::Copy) && map.find(Routine::Move))
    d.routine = Routine::Move;
  d.args = {match.dst, match.src, match.bytes};
}

/// If unaligned words trap, calls the routine that need not look for the first
/// aligned one.
void Decider::useAlignment() {
  bool copies = d.routine == Routine::Copy;
  const FillForm *form = match.fill();
  bool fills = form && match.rows == NoExpr && form->native && form->period <= 8;
  if (core.unaligned != Unaligned::Trap || mode != RuntimeMode::Memlift || map.find(d.routine) ||
      !(copies || fills) || match.dstTouched % 8 || (copies && match.srcTouched % 8))
    return;
  bool lines = match.dstTouched % 64 == 0 && (fills || match.srcTouched % 64 == 0);
  d.routine = copies ? (lines ? Routine::CopyA64 : Routine::CopyA8)
                     : (lines ? Routine::Fill64A64 : Routine::Fill64A8);
  if (fills) {
    ExprId one = g.zextOrTrunc(form->pattern, 64);
    uint64_t all = form->period == 1   ? 0x0101010101010101
                   : form->period == 2 ? 0x0001000100010001
                   : form->period == 4 ? 0x0000000100000001
                                       : 1;
    d.args[1] = g.mul(one, g.constant(all, 64));
  }
  fact("alignment", Verdict::Proved, Diag::None,
       std::string("multiples of ") + (lines ? "64" : "8") + ", for a routine that need not align",
       copies ? "both are, if there are bytes" : "the destination is, if there are bytes");
}

/// Replaces the library's routine by one of the C library, if it has one.
bool Decider::callLibc() {
  if (!libcHas())
    return false;
  if (match.idiom != Idiom::Fill) {
    d.routine = d.routine == Routine::Copy ? Routine::Memcpy : Routine::Memmove;
    return true;
  }
  d.routine = Routine::Memset;
  d.args[1] = g.cast(Op::ZExt, match.fill()->pattern, 32);
  return true;
}

/// Widens the value: a live-out may be wider than its recurrence, see cutTo.
ExprId Decider::wide(const Reduction &r, ExprId value) {
  const Recurrence &rec = loop.recs[size_t(loop.liveOuts[r.liveOut].rec)];
  value = g.zextOrTrunc(value, rec.width);
  ExprId none = g.binary(Op::Eq, match.bytes, loop.word(0));
  return r.wideStart ? g.select(none, rec.init, value) : value;
}

/// Stores the final value as one word.
void Decider::store(ExprId value) {
  for (const Access &a : loop.accesses)
    if (a.store)
      d.words = {{0, unsigned(g[a.bytes].value), match.dstAlign, 1,
                  g.zextOrTrunc(value, g.width(a.value))}};
}

/// Keeps a CRC by an unknown table, or in registers side by side, where the routine would only do
/// what the loop does.
bool Decider::gainsByCrc() {
  const Reduction::Crc *slow = nullptr;
  for (const Reduction &r : match.reductions)
    if (auto *crc = r.as<Reduction::Crc>(); crc && (crc->table != NoExpr || crc->lanes))
      if (!map.find(crc->lanes ? Routine::CrcLanes : routineFor(tableKind(*crc), crc->entryBits)))
        slow = crc;
  if (mode != RuntimeMode::Memlift || !slow || (target && target().checksTables))
    return true;
  keep("routine", slow->lanes ? Diag::CrcLanesKept : Diag::CrcTableUntested,
       slow->lanes ? "a routine that folds the registers" : "a routine that tests the table",
       "none for this processor");
  return false;
}

/// Turns all reductions into calls. If one of them may not be called, all become
/// loops in place, or the loop is kept: its other values would need the loop anyway.
bool Decider::callReductions() {
  if (!gainsByCrc())
    return false;
  bool own = map.find(Routine::SumU8) || map.find(Routine::WsumU8);
  bool ownWords = map.find(Routine::SumU32) && !map.find(Routine::SumLowU32);
  ReductionWriter writer(loop, match, mode == RuntimeMode::Memlift && !own,
                         mode == RuntimeMode::Memlift && !ownWords);
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
  // Loops in place are for sums alone; beside a copy the loop would stay anyway.
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
    noLoop("the code would have a second version of the loop and the copy");
  return !only && !large && noRoutine();
}

/// Computes sums before the copy, which may overwrite its source; or both in one
/// routine.
void Decider::copyBesides() {
  bool disjoint = match.overlap() == Overlap::Disjoint || match.overlap() == Overlap::GuardDisjoint;
  Routine both = disjoint && d.calls.size() == 1 ? withCopy(d.calls[0].routine) : Routine::None;
  if (both == Routine::None || !mayCall(both))
    return copy();
  d.calls[0].routine = both;
  d.calls[0].args.insert(d.calls[0].args.begin(), match.dst);
}

/// Keeps the loop and says why no loop in place is better.
bool Decider::noLoop(const std::string &why) {
  d.loops.clear();
  d.tables.clear();
  if (mode == RuntimeMode::None)
    noRoutine();
  else
    keep("code size", Diag::CrcTablesLarge, "no 16 kB of tables with -Os",
         "the routine for CRCs has them");
  fact("loop in place", Verdict::Failed, Diag::NoFasterLoop, "a loop that is faster than this one",
       why);
  return false;
}

/// Returns true if the function may have another loop in place; else enters the
/// reason.
bool Decider::withinBudget() {
  if (!loop.function.budgetSpent)
    return true;
  d.routine = Routine::None;
  d.args.clear();
  keep("code size", Diag::BudgetSpent, budgetNeed(), budgetHave);
  return false;
}

/// Writes faster loops instead of calls that may not be made.
bool Decider::inPlace() {
  if (!withinBudget())
    return false;
  InPlaceWriter writer(loop, match, core, target, d);
  if (needsGuard())
    return noLoop("a test at run time would need both versions of the loop");
  for (size_t i = 0; i < d.calls.size(); ++i)
    if ((!mayCall(d.calls[i].routine) || tooLarge(d.calls[i].routine)) && !writer.expand(i))
      return noLoop(writer.why);
  d.shape = writer.shape;
  return true;
}

/// Writes the loop over words that an expert on the core would write.
bool Decider::shaped() {
  if (inSequence || !core.inOrder)
    return noRoutine();
  if (!withinBudget())
    return false;
  ShapeWriter writer(loop, match, core, target, d);
  if (!writer.write()) {
    noRoutine();
    fact("loop in place", Verdict::Failed, Diag::NoFasterLoop,
         "a loop that is faster than this one", writer.why);
    return false;
  }
  d.routine = Routine::None;
  d.args.clear();
  d.shape = writer.shape;
  shapeGuard = writer.guard;
  shapesWhole = writer.whole;
  if (shapeGuard != NoExpr)
    fact("size", Verdict::Guarded, Diag::None, "enough bytes for the loops in place",
         "tested at run time");
  if (writer.clears)
    fact("blocks", Verdict::Guarded, Diag::None,
         "an instruction that clears " + std::to_string(writer.clears) + " bytes",
         "tested at run time");
  if (writer.choosesAlike)
    fact("alignment", Verdict::Guarded, Diag::None,
         "source and destination at the same byte of a word, or words are shifted",
         "tested at run time");
  return true;
}

/// Covers each access by an entry for faults, or keeps the loop, which its compiler then refuses.
void Decider::user() {
  ShapeWriter writer(loop, match, core, target, d);
  if (inSequence || !writer.writeUser()) {
    d.loops.clear();
    keep("faults", Diag::UserLoop, "a copy or a fill of bytes whose accesses may fault",
         inSequence ? "it is one of several operations" : writer.why);
    return;
  }
  d.kind = DecisionKind::Inlined;
  d.code = Diag::UserCovered;
  d.shape = writer.shape;
}

std::string Decider::noCallsBecause(const char *otherwise) const {
  return ruledOut              ? loop.function.properties.haveOf(*ruledOut)
         : noBuiltin           ? "built-ins are off and no runtime was named"
         : loop.function.shape ? "loops of the function are only shaped"
                               : otherwise;
}

/// Keeps the loop for lack of a routine, with the reason why none may be called.
bool Decider::noRoutine() {
  d.routine = Routine::None;
  d.args.clear();
  Diag code = ruledOut ? Diag::CallsRuledOut : noBuiltin ? Diag::NoBuiltin : Diag::NoRuntime;
  keep("routine", code, ruledOut ? ruledOut->need : "a routine to call, or a small constant size",
       noCallsBecause("runtime=none"));
  return false;
}

/// Replaces the library's routines by the user's.
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
    fact("routine", Verdict::Proved, Diag::Mapped,
         "a routine for " + std::string(nameOf(match.idiom)), names + ", of the map");
}

/// Chooses the routine; else loops in place. Alignment and the user's map come last,
/// as they only change which variant is called.
bool Decider::call() {
  if (!match.reductions.empty()) {
    if (!callReductions())
      return false;
  } else {
    match.idiom == Idiom::Fill ? fill() : copy();
    if (!mayCall(d.routine) && !(mode == RuntimeMode::Libc ? callLibc() : shaped()))
      return false;
    useAlignment();
  }
  nameMapped();
  return true;
}

} // namespace memlift
