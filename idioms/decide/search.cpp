// search.cpp - searches and comparisons: a call that says at which iteration the loop ends
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Most searches end within the first bytes, where a call is slower than the loop. So the first
// iterations are tested in line, and a loop with a bound is searched only if it may be long.
#include "decider.h"
#include "reductions.h"
#include "worth.h"

namespace memlift {

/// Iterations that are tested in line.
constexpr unsigned earlyTests = 4;
/// Iterations before the last one for which an operation of their own is made, and those that are
/// tested in line first.
constexpr uint64_t leastWork = 16;
constexpr unsigned earlyWork = 8;
/// Iterations on average, by a profile, from which a call needs no option. It takes some 25 cycles
/// and a sixteenth of a cycle for each byte, the loop a cycle for each: so whatever lengths make up
/// that average, the calls take less in all.
constexpr uint64_t profiledSearch = 64;
/// Iterations of a loop with a bound that are faster than a call, the early ones included.
constexpr uint64_t leastSearch = 12;

/// Returns the routine, and what it gets besides regions and sizes.
static Routine routineOf(const SearchForm &form) {
  switch (form.kind) {
  case SearchForm::Any:
    return form.backwards         ? Routine::FindLastU8
           : form.set.size() == 1 ? Routine::FindU8
                                  : Routine::FindAnyU8;
  case SearchForm::Not: return Routine::FindNotU8;
  case SearchForm::Differs: return Routine::MismatchU8;
  case SearchForm::DiffersOr: return Routine::MismatchOrU8;
  }
  return Routine::None;
}

/// Adds tests of what ends the first iterations, each with its loads done before it.
void Decider::addEarly(unsigned iterations) {
  for (unsigned t = 0; t < iterations; ++t) {
    std::map<ExprId, ExprId> with;
    for (uint32_t i = 0; i < loop.accesses.size(); ++i) {
      const Access &a = loop.accesses[i];
      if (!a.affine || a.step.size() != 1 || !g.isConst(a.bytes) || g[a.bytes].value > 8)
        continue;
      ExprId at = g.add(g.leaf(Op::BaseAddr, a.base, loop.ptrBits),
                        g.add(a.offset, g.mul(a.step[0], loop.word(t))));
      unsigned bits = unsigned(8 * g[a.bytes].value);
      with[g.leaf(Op::Load, i, bits)] =
          g.memory(g.fromPoly(g.poly(at), loop.ptrBits), bits, a.align);
    }
    for (const DataExit &e : loop.dataExits)
      d.skip.early.push_back({g.substitute(e.leaves, with), t - (t && loop.carriesOver)});
  }
}

/// Returns the call that looks at all but the first `done` iterations.
ReturningCall Decider::searchCall(unsigned done) {
  const SearchForm &form = *match.search;
  ExprId skipped = loop.word(done * form.elementBytes);
  ExprId left = g.sub(match.iterations, loop.word(done));
  ReturningCall call = {routineOf(form), {}, {}};
  if (form.backwards) { // the region's lowest byte is that of the last iteration
    ExprId low = g.sub(match.src, g.sub(match.iterations, loop.word(1)));
    call.args = {g.fromPoly(g.poly(low), loop.ptrBits), left};
  } else {
    call.args = {g.add(match.src, skipped), g.mul(left, loop.word(form.elementBytes))};
  }
  if (form.other != NoExpr)
    call.args.insert(call.args.begin() + 1, g.add(form.other, skipped));
  if (call.routine != Routine::FindAnyU8) {
    call.args.insert(call.args.end(), form.set.begin(), form.set.end());
    return call;
  }
  ExprId set = g.constant(0, 32);
  for (unsigned i = 0; i < 4; ++i) { // fewer are repeated
    ExprId byte = g.cast(Op::ZExt, form.set[i % form.set.size()], 32);
    set = g.binary(Op::Or, set, g.binary(Op::Shl, byte, g.constant(8 * i, 32)));
  }
  call.args.push_back(set);
  return call;
}

/// Adds the operation for all iterations but the last, under what has to hold for it. Returns false
/// if the loop is kept.
bool Decider::workBefore(const Match &work) {
  ExprId all = g.binary(Op::ULe, loop.word(leastWork), d.skip.to);
  auto also = [&](ExprId one) { all = g.binary(Op::And, all, one); };
  if (work.condition != NoExpr)
    also(work.condition);
  if (work.copy()) {
    bool apart = work.overlap() == Overlap::Disjoint;
    d.routine = apart ? Routine::Copy : Routine::Move;
    d.args = {work.dst, work.src, work.bytes};
    ExprId ahead = loop.word(match.search->shift * match.search->elementBytes);
    if (!apart)
      also(g.binary(Op::ULe, g.add(work.bytes, ahead), g.sub(work.dst, work.src)));
  } else {
    ReductionWriter writer(loop, work, false, false);
    writer.calls = d.calls;
    for (const Reduction &r : work.reductions)
      d.results.push_back({r.liveOut, wide(r, writer.value(r))});
    d.calls = writer.calls;
  }
  bool may = d.routine == Routine::None || mayCall(d.routine);
  for (const ReturningCall &c : d.calls)
    may &= mayCall(c.routine) && !tooLarge(c.routine);
  if (!may) {
    d.calls.clear();
    d.results.clear();
    d.skip = SkipPlan();
    return mode == RuntimeMode::Libc ? libcHas() : noRoutine();
  }
  d.skip.work = all;
  fact("length", Verdict::Guarded, Diag::None,
       "at least " + std::to_string(leastWork) + " iterations before the last",
       "tested at run time, as calls for fewer are slower than the loop");
  return true;
}

void Decider::search() {
  const SearchForm &form = *match.search;
  if (!asksSearches && loop.profiled < profiledSearch)
    return keep("length", Diag::SearchMayBeShort,
                "--memlift-searches, as most searches are short, or a profile of long ones",
                loop.profiled ? std::to_string(loop.profiled) + " iterations on average"
                              : "there is neither");
  uint64_t most = mostOf(loop, match.iterations);
  if (loop.dims[0].maxTrip)
    most = std::min(most, loop.dims[0].maxTrip);
  if (form.bounded && most <= 2 * leastSearch)
    return keep("size", Diag::TooShort,
                "more than " + std::to_string(2 * leastSearch) + " iterations for a call",
                "at most " + std::to_string(most));
  if (loop.function.optSize)
    return keep("code size", Diag::GuardTooCostly, "no code beside the loop with -Os",
                "the loop stays, for its last iteration");
  if (!mayCall(routineOf(form))) {
    mode == RuntimeMode::Libc ? (void)libcHas() : (void)noRoutine();
    return;
  }
  const bool works = !match.work.empty();
  const unsigned early = works ? 0 : earlyTests;
  addEarly(works ? earlyWork : earlyTests);
  for (SkipPlan::Early &e : d.skip.early)
    e.iteration *= !works; // nothing has been done then
  d.calls = {searchCall(early)};
  d.skip.to = g.add(entryOf(loop, form), loop.word(early - loop.carriesOver));
  if (works && !workBefore(match.work[0]))
    return;
  d.skip.guard = match.condition;
  if (form.bounded && !g.isConst(match.iterations)) {
    ExprId enough = g.binary(Op::ULe, loop.word(leastSearch), match.iterations);
    d.skip.guard = d.skip.guard == NoExpr ? enough : g.binary(Op::And, enough, d.skip.guard);
    fact("size", Verdict::Guarded, Diag::None,
         "at least " + std::to_string(leastSearch) + " iterations",
         "tested at run time, as a call for fewer is slower than the loop");
  }
  d.kind = DecisionKind::Lowered;
  d.code = Diag::Skipped;
  nameMapped();
}

} // namespace memlift
