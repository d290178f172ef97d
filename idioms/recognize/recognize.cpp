// recognize.cpp - runs the proof steps in order; names of idioms and verdicts
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "recognize.h"
#include "sequence.h"
#include "steps.h"

#include <algorithm>

namespace memlift {

/// A code that only the plain reading has was resolved by taking the values as fixed,
/// so the other reasons are closer to the cause.
bool saysMore(const Match &asFixed, const Match &plain) {
  std::vector<Diag> left = failedCodes(asFixed.facts);
  for (Diag code : failedCodes(plain.facts))
    if (std::find(left.begin(), left.end(), code) == left.end())
      return true;
  return false;
}

/// Obstacles are never resolved later, so one is enough.
bool isHopeless(const Loop &loop) { return !loop.obstacles.empty(); }

/// A loop that is not nominated is still judged for its region, so that the programmer
/// sees all reasons.
bool bulk(Proof &p) {
  bool named = nominate(p);
  if (!contiguous(p))
    return false;
  fixedLoads(p);
  if (named && p.match.idiom == Idiom::Fill)
    fill(p);
  else if (named)
    copy(p);
  return named;
}

/// The order of the steps is the order of the facts in a remark. Steps that hold for
/// every idiom come first. Then a loop is either a reduction, or stores: as one
/// operation, else as a sequence of several.
Match recognize(Loop &loop, bool quiet) {
  Match match;
  Proof proof(loop, match);
  wholeLoop(proof);
  // If no reader can describe the loop, only its obstacles are known.
  if (loop.origin == Origin::Loop && loop.dims.empty() && isHopeless(loop))
    return match;
  accessesAndValues(proof);
  if (quiet && proof.failed())
    return match;
  if (!loop.dataExits.empty()) {
    match.ok = (worksUpTo(loop) ? upTo(proof) : search(proof)) && !proof.failed();
    return match;
  }
  if (isRegister(proof)) {
    match.ok = registerSteps(proof) && !proof.failed();
    return match;
  }
  if (numberStored(proof) || numberRead(proof) || tableGenerated(proof)) {
    match.ok = !proof.failed();
    return match;
  }
  bool reduces = isReduction(proof), maybeSequence = !proof.failed() && proof.stores.size() > 1;
  Match common = maybeSequence ? match : Match();
  if (reduces) {
    reduce(proof);
  } else {
    bulk(proof);
    sumsBeside(proof);
  }
  countersInMemory(proof);
  if (reduces)
    lookUps(proof);
  match.ok = match.idiom != Idiom::None && !proof.failed();
  if (match.ok || reduces || (maybeSequence && recognizeSequence(loop, common, match)))
    return match;
  if (!walks(proof))
    match.idiom = Idiom::None;
  return match;
}

const char *nameOf(Idiom i) {
  switch (i) {
  case Idiom::None: return "none";
  case Idiom::Fill: return "fill";
  case Idiom::Copy: return "copy";
  case Idiom::Move: return "move";
  case Idiom::CopySwap: return "copy_swap";
  case Idiom::CopyReverse: return "copy_reverse";
  case Idiom::Sum: return "sum";
  case Idiom::WeightedSum: return "weighted_sum";
  case Idiom::Hash: return "hash";
  case Idiom::Polyhash: return "polyhash";
  case Idiom::Crc: return "crc";
  case Idiom::InetChecksum: return "inet_checksum";
  case Idiom::CopySum: return "copy_sum";
  case Idiom::CopyInetChecksum: return "copy_inet_checksum";
  case Idiom::ModularSum: return "modular_sum";
  case Idiom::XorFold: return "xor_fold";
  case Idiom::Search: return "search";
  case Idiom::Compare: return "compare";
  }
  return "none";
}

const char *nameOf(Verdict v) {
  switch (v) {
  case Verdict::Proved: return "proved";
  case Verdict::Guarded: return "guarded";
  case Verdict::Assumed: return "assumed";
  case Verdict::Failed: return "failed";
  case Verdict::Unchecked: return "unchecked";
  }
  return "unchecked";
}

/// Several facts may have one code; the first of them is the reason that is reported.
std::vector<Diag> failedCodes(const std::vector<Fact> &facts) {
  std::vector<Diag> codes;
  for (const Fact &f : facts)
    if (f.verdict == Verdict::Failed &&
        std::find(codes.begin(), codes.end(), f.code) == codes.end())
      codes.push_back(f.code);
  return codes;
}

} // namespace memlift
