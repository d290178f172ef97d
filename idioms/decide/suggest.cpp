// suggest.cpp - advice that is tried before it is given
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A failed fact says what is missing, but not whether supplying it would help: the
// next step may fail as well. Since the loop model is data, the question can be asked
// directly. The model is changed as if the programmer had followed the advice, and is
// recognised and decided on again. Advice is given only if the decision gets better.
//
// The limits: changes that can be modelled (flip()); one at a time, or all together.
#include "suggest.h"
#include "group.h"
#include "stream.h"

#include <algorithm>

namespace memlift {

/// Models a loop whose trip count is known.
static void knowTrip(Loop &loop) {
  for (Dim &d : loop.dims)
    if (d.trip == NoExpr) {
      loop.syms.push_back({"trip", loop.ptrBits});
      d.trip = loop.exprs.leaf(Op::Sym, loop.syms.size() - 1, loop.ptrBits);
    }
}

/// Models `restrict` on all pointers.
static void noOverlap(Loop &loop) {
  loop.aliases.clear();
  for (uint32_t a = 0; a < loop.accesses.size(); ++a)
    for (uint32_t b = a + 1; b < loop.accesses.size(); ++b)
      if (loop.accesses[a].store || loop.accesses[b].store)
        loop.aliases.push_back({a, b, AliasKind::None, "restrict"});
}

/// Changes the loop model or the options as the code's advice would; false if no
/// change of the source can be modelled.
static bool flip(Loop &loop, Options &options, Diag code) {
  FunctionFacts &f = loop.function;
  switch (code) {
  case Diag::SwitchedOff: f.off = false; return true;
  case Diag::Sanitizer: f.properties.clear(Property::Instrumented); return true;
  case Diag::NoBuiltin:
  case Diag::NoRuntime:
  case Diag::RuntimeLibc:
    options.runtime = RuntimeMode::Memlift;
    options.runtimeGiven = true;
    return true;
  case Diag::GuardTooCostly:
  case Diag::Overlap: noOverlap(loop); return true;
  case Diag::ReadAgain:
  case Diag::ReadAgainWritten:
    for (Access &a : loop.accesses)
      a.fixed = false;
    return true;
  case Diag::NarrowCounter:
  case Diag::RingWraps: loop.assumptions.clear(); return true;
  case Diag::VolatileAccess:
    for (Access &a : loop.accesses)
      a.isVolatile = false;
    return true;
  case Diag::AtomicAccess:
    for (Access &a : loop.accesses)
      a.atomic = false;
    return true;
  case Diag::ConditionalAccess:
    for (Access &a : loop.accesses)
      a.conditional = false;
    return true;
  case Diag::LiveOut:
    for (LiveOut &l : loop.liveOuts)
      l.rebuilt = true;
    break;
  case Diag::TripCountUnknown:
  case Diag::IndexMayWrap:
  case Diag::SeveralExits: knowTrip(loop); break;
  case Diag::SideEffects: break;
  default: return false;
  }
  auto &obstacles = loop.obstacles;
  obstacles.erase(std::remove_if(obstacles.begin(), obstacles.end(),
                                 [&](const Obstacle &o) { return o.code == code; }),
                  obstacles.end());
  return true;
}

/// Recognises and decides again. Advice that leads from one kept decision to another
/// is no advice.
static bool improved(Loop &loop, const Options &options, DecisionKind before, Gain &gain) {
  Match m = recognize(loop);
  Decision d = decide(loop, m, options);
  if (d.kind == DecisionKind::Kept && loop.function.stream)
    d = streamLoop(loop, options).decision;
  if (d.kind == DecisionKind::Kept && wantsGroups(loop, options)) {
    Grouped grouped = groupLoads(loop, options);
    m = grouped.match;
    d = grouped.decision;
  }
  gain = gainOf(loop, m, d, options);
  return d.kind != before && d.kind != DecisionKind::Kept;
}

/// Takes a gain over, if the outcome has none.
static void take(Gain gain, Outcome &outcome) {
  if (outcome.decision.kind != DecisionKind::Kept || !outcome.gain.model.empty() ||
      gain.model.empty())
    return;
  outcome.gain = gain;
  outcome.gain.model += ", with the first suggestion";
}

/// The naive way is to print the advice of each failed fact. It is often wrong: with
/// two reasons, removing one changes nothing. So each is tried alone, then all
/// together.
void suggest(const Loop &loop, const Options &options, Outcome &outcome) {
  const Match &match = outcome.match;
  const Decision &decision = outcome.decision;
  std::vector<Diag> codes = failedCodes(match.facts);
  for (Diag c : failedCodes(decision.facts))
    codes.push_back(c);
  for (const std::vector<Fact> *facts : {&match.facts, &decision.facts})
    for (const Fact &f : *facts)
      if (f.verdict == Verdict::Guarded && decision.kind == DecisionKind::Guarded)
        codes.push_back(f.code);
  std::vector<std::string> advice;
  Loop all = loop;
  Options allOptions = options;
  Gain gain;
  bool modelled = codes.size() > 1;
  for (Diag code : codes) {
    Loop one = loop;
    Options oneOptions = options;
    if (flip(one, oneOptions, code) && improved(one, oneOptions, decision.kind, gain) &&
        std::find(advice.begin(), advice.end(), adviceOf(code)) == advice.end()) {
      advice.push_back(adviceOf(code));
      take(gain, outcome);
    }
    modelled = modelled && flip(all, allOptions, code);
  }
  if (advice.empty() && modelled && improved(all, allOptions, decision.kind, gain)) {
    for (Diag code : codes)
      advice.push_back(adviceOf(code));
    take(gain, outcome);
  }
  outcome.suggestions = advice;
}

} // namespace memlift
