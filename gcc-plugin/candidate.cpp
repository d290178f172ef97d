// candidate.cpp - reads a nest with and without fixed values, and writes the operation
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "candidate.h"

#include "read/carried.h"
#include "read/search.h"
#include "read/spread.h"
#include "write/routine.h"
#include "write/skip.h"
#include "write/spread.h"
#include "write/stream.h"

namespace memlift {
namespace {

/// Loops nested deeper than this are judged without the outer ones.
constexpr unsigned maxNest = 3;

/// A reading and the loops that it was read from.
struct NestBinding : LoopBinding {
  explicit NestBinding(Nest nest) : nest(std::move(nest)) {}
  Nest nest;
};

} // namespace

size_t CandidateNest::depth() { return nestAround(inner, maxNest).loops.size(); }

bool CandidateNest::mayCarryLoads() { return memlift::mayCarryLoads(inner); }

std::unique_ptr<BoundLoop> CandidateNest::read(size_t depth) {
  auto binding = std::make_unique<NestBinding>(nestAround(inner, unsigned(depth)));
  readNest(binding->nest, *binding);
  Loop &model = binding->loop;
  if (model.function.user && loop_depth(binding->nest.outer()) > 1)
    model.obstacles.push_back({Diag::UserLoop, "the loop is in another loop", model.loc});
  model.resumable = model.function.stream && isResumable(binding->nest, *binding);
  if (model.function.spread)
    readSpread(binding->nest, *binding);
  return binding;
}

std::unique_ptr<BoundLoop> CandidateNest::readSearch() {
  if (!maySearch(inner))
    return nullptr;
  auto binding = std::make_unique<NestBinding>(nestAround(inner, 1));
  binding->nest.exits.clear(); // some have no count
  return memlift::readSearch(binding->nest, *binding) ? std::move(binding) : nullptr;
}

std::unique_ptr<BoundLoop> CandidateNest::readFixed() {
  Nest nest = nestAround(inner, 1);
  reloads.emplace(nest);
  if (!reloads->hoist())
    return nullptr;
  auto binding = std::make_unique<NestBinding>(nest);
  binding->fixedLoads = reloads->loads();
  binding->fixedStores = reloads->stores();
  readNest(nest, *binding);
  return binding;
}

void CandidateNest::write(BoundLoop &bound, const Outcome &outcome) {
  auto &binding = static_cast<NestBinding &>(bound);
  if (isSpread(outcome.decision)) {
    spreadNest(binding.nest, binding, outcome.decision);
    return;
  }
  if (isStreamed(outcome.decision)) {
    streamNest(binding.nest, binding, outcome.decision);
    return;
  }
  done = true;
  if (outcome.decision.skip.skips())
    return skipAhead(inner, binding, outcome.decision);
  writeNest(binding.nest, binding, outcome);
}

} // namespace memlift
