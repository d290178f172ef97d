// candidate.cpp - reads a nest with and without fixed values, and writes the operation
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "candidate.h"

#include "narrow.h"

#include "read/carried.h"
#include "read/nearby.h"
#include "read/search.h"
#include "read/spread.h"
#include "write/spread.h"
#include "write/stream.h"
#include "write/write.h"

#include "llvm/Analysis/BlockFrequencyInfo.h"
#include "llvm/Analysis/BranchProbabilityInfo.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;

namespace memlift {

CandidateNest::CandidateNest(Env &env, llvm::Loop &innermost, CodeState &code)
    : env(env), innermost(innermost), code(code), nest(widestNest(env, innermost)),
      off(findOptionMDForLoop(&innermost, OffTag) != nullptr) {
  while (hasNarrowOffsets(env.dl) && nest.size() > 1 && !onlyFills(*nest.front()))
    nest.erase(nest.begin());
}

bool CandidateNest::hasStore() { return memlift::hasStore(innermost); }

bool CandidateNest::mayCarryLoads() { return memlift::mayCarryLoads(env, innermost); }

/// Returns the iterations that the profile has for each time that the loop runs, on average.
static uint64_t profiledIterations(const Env &env, const LoopBinding &binding) {
  if (!env.profile || binding.nest.size() != 1)
    return 0;
  return llvm::getLoopEstimatedTripCount(binding.nest.front()).value_or(0);
}

/// Returns how often the header of the loop runs each time that it is entered, by the profile. Its
/// branch weights tell how often the latch leaves it, and a search is left elsewhere.
static uint64_t headersPerEntry(const Env &env, const llvm::Loop &loop) {
  const BasicBlock *header = loop.getHeader(), *latch = loop.getLoopLatch();
  if (!env.profile || !latch || !env.profile->getBPI())
    return 0;
  uint64_t all = env.profile->getBlockFreq(header).getFrequency();
  BlockFrequency back = env.profile->getBlockFreq(latch);
  back *= env.profile->getBPI()->getEdgeProbability(latch, header);
  return back.getFrequency() < all ? all / (all - back.getFrequency()) : 0;
}

void CandidateNest::addFacts(LoopBinding &binding) const {
  addFunction(env, binding);
  binding.loop.profiled = profiledIterations(env, binding);
  binding.loop.function.off |= off;
  addNeighbours(env, binding);
  binding.loop.enclosed = binding.nest.front()->getParentLoop();
  binding.loop.resumable = binding.loop.function.stream && isResumable(*binding.nest.front());
}

std::unique_ptr<BoundLoop> CandidateNest::read(size_t depth) {
  auto binding = std::make_unique<LoopBinding>();
  readNest(env, ArrayRef(nest).take_back(depth), *binding);
  addFacts(*binding);
  Loop &model = binding->loop;
  if (model.function.user && binding->nest.front()->getParentLoop())
    model.obstacles.push_back({Diag::UserLoop, "the loop is in another loop", model.loc});
  if (model.function.spread)
    readSpread(env, *binding);
  return binding;
}

std::unique_ptr<BoundLoop> CandidateNest::readSearch() {
  auto binding = std::make_unique<LoopBinding>();
  if (!memlift::readSearch(env, innermost, *binding))
    return nullptr;
  addFacts(*binding);
  binding->loop.profiled = headersPerEntry(env, innermost);
  return binding;
}

std::unique_ptr<BoundLoop> CandidateNest::readFixed() {
  reloads.emplace(env, innermost);
  bool any = reloads->hoist();
  code.changed |= reloads->moved;
  code.stale |= any;
  if (!any)
    return nullptr;
  auto binding = std::make_unique<LoopBinding>();
  binding->fixedLoads = reloads->loads();
  binding->fixedStores = reloads->stores();
  readNest(env, &innermost, *binding);
  addFacts(*binding);
  return binding;
}

void CandidateNest::restore(bool) {
  if (!gone)
    reloads->restore();
}

void CandidateNest::write(BoundLoop &bound, const Outcome &outcome) {
  code.changed = code.stale = true;
  if (isSpread(outcome.decision)) {
    spreadLoop(env, static_cast<LoopBinding &>(bound), outcome.decision);
    return;
  }
  if (isStreamed(outcome.decision)) {
    streamLoop(env, static_cast<LoopBinding &>(bound), outcome.decision);
    return;
  }
  if (outcome.decision.skip.skips()) {
    skipAhead(env, static_cast<LoopBinding &>(bound), outcome.match, outcome.decision);
    return;
  }
  rewriteLoop(env, static_cast<LoopBinding &>(bound), outcome.match, outcome.decision);
  gone = outcome.decision.guard == NoExpr;
}

} // namespace memlift
