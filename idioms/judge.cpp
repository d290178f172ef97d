// judge.cpp - recognises and decides, then checks the decision and looks for advice
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "judge.h"
#include "decide/group.h"
#include "decide/spread.h"
#include "decide/stream.h"
#include "decide/suggest.h"
#include "verify.h"

#include <algorithm>

namespace memlift {

bool deservesRemark(const Loop &loop, const Outcome &outcome, bool stores) {
  return stores || outcome.match.idiom != Idiom::None || !loop.recs.empty();
}

void makeStraight(Outcome &outcome) {
  if (!isDone(outcome.decision.kind))
    return;
  Decision straight;
  straight.kind = DecisionKind::Already;
  straight.code = Diag::InlineSmall;
  outcome.decision = straight;
  outcome.suggestions.clear();
  outcome.gain = Gain();
}

bool refuteClaim(const Loop &loop, Outcome &outcome, unsigned trials) {
  if (!trials || !isDone(outcome.decision.kind))
    return false;
  VerifyResult v = verify(loop, outcome.match, outcome.decision, trials, 1);
  if (v.mismatch.empty())
    return false;
  Decision kept;
  kept.code = Diag::ClaimRefuted;
  kept.facts.push_back({"claim tried on random memory", Verdict::Failed, kept.code,
                        "memory and results as after the loop", v.mismatch, print(loop)});
  outcome.decision = kept;
  return true;
}

/// Schedules and verifies the decision, and collects the advice that would have changed it.
static void finish(const Loop &loop, Outcome &o, const Options &options) {
  schedule(loop, options, o.decision);
  if (refuteClaim(loop, o, options.verifyTrials) || options.quiet)
    return;
  o.gain = gainOf(loop, o.match, o.decision, options);
  if (o.decision.kind == DecisionKind::Kept || o.decision.kind == DecisionKind::Guarded)
    suggest(loop, options, o);
}

static void prepare(Loop &loop, const Options &options) {
  if (options.map.isTarget(loop.function.name))
    loop.function.implementsIdiom = true;
  relateOffsets(loop);
}

bool judgeGroups(Loop &loop, const Options &options, const Loop &judged, Outcome &kept) {
  // Several iterations at a time would load and store after the one that leaves the loop.
  if (isDone(kept.decision.kind) || !loop.dataExits.empty() || !wantsGroups(loop, options) ||
      (options.quiet && isHopeless(loop)))
    return false;
  // The reasons to keep an idiom are reasons against words, too.
  if (wantsWords(loop, options) && kept.match.ok)
    return false;
  prepare(loop, options);
  Grouped grouped = groupLoads(loop, options);
  bool done = isDone(grouped.decision.kind);
  if (done)
    kept = {grouped.match, grouped.decision, {}, {}};
  else
    for (const Fact &f : grouped.decision.facts)
      kept.decision.facts.push_back(f);
  finish(done ? loop : judged, kept, options);
  return isDone(kept.decision.kind);
}

/// Adds the reasons against blocks. They come first if the loop is no idiom, as nothing else was to
/// be expected then.
static void addReasons(const std::vector<Fact> &facts, Outcome &kept) {
  bool expected = kept.match.idiom != Idiom::None;
  std::vector<Fact> &list = expected ? kept.decision.facts : kept.match.facts;
  auto at = expected ? list.end() : list.begin();
  std::vector<Diag> known = failedCodes(kept.match.facts);
  std::vector<Fact> reasons;
  for (const Fact &f : facts)
    if (f.verdict == Verdict::Failed &&
        (!expected || std::find(known.begin(), known.end(), f.code) == known.end()))
      reasons.push_back(f);
  if (!expected && !reasons.empty())
    kept.decision.code = reasons.front().code;
  list.insert(at, reasons.begin(), reasons.end());
}

bool judgeStream(Loop &loop, const Options &options, const Loop &judged, Outcome &kept, bool last) {
  if (options.quiet && isHopeless(loop))
    return false;
  prepare(loop, options);
  Streamed streamed = streamLoop(loop, options);
  if (isDone(streamed.decision.kind)) {
    kept = {streamed.match, streamed.decision, {}, {}};
    finish(loop, kept, options);
    return isDone(kept.decision.kind);
  }
  if (last) {
    addReasons(streamed.match.facts, kept);
    finish(judged, kept, options);
  }
  return false;
}

void noteRoutine(Outcome &outcome) {
  outcome.decision.facts.push_back({"stream", Verdict::Proved, Diag::StreamRoutine,
                                    "blocks only where no routine does the loop", "a routine", ""});
}

Outcome judge(Loop &loop, const Options &options) {
  Outcome o;
  if (options.quiet && isHopeless(loop))
    return o;
  prepare(loop, options);
  o.match = recognize(loop, options.quiet);
  o.decision = decide(loop, o.match, options);
  spreadCalls(loop, options, o.decision);
  finish(loop, o, options);
  return o;
}

} // namespace memlift
