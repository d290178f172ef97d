// chain.cpp - runs a chain of loops and the decision about it on the same memory
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../decide/chain.h"
#include "machine.h"

namespace memlift {

bool Machine::takeOver(const Machine &other) {
  syms.assign(other.syms.begin(),
              other.syms.begin() + long(std::min(other.syms.size(), loop.syms.size())));
  syms.resize(loop.syms.size());
  bases.assign(other.bases.begin(),
               other.bases.begin() + long(std::min(other.bases.size(), loop.bases.size())));
  bases.resize(loop.bases.size());
  memory = other.memory;
  maxIterations = other.maxIterations;
  ++moment;
  iv.assign(loop.dims.size(), 0);
  loaded.resize(loop.accesses.size());
  touched.assign(loop.accesses.size(), std::vector<bool>(memory.size()));
  for (const Assumption &a : loop.assumptions)
    assumed &= word(a.condition) != 0;
  return chooseTrips();
}

std::vector<bool> Machine::reached(bool stores) const {
  std::vector<bool> all(memory.size());
  for (size_t a = 0; a < loop.accesses.size(); ++a)
    for (size_t i = 0; loop.accesses[a].store == stores && i < all.size(); ++i)
      all[i] = all[i] || touched[a][i];
  return all;
}

namespace {

enum class Ran { Yes, Skipped, Unassumed };

/// The bytes that the loops so far have read and written.
struct Reached {
  std::vector<bool> read, written;
  /// Adds a loop; false if it overlapped another loop's memory though it is marked
  /// apart.
  bool add(const Machine &stage, bool disjoint) {
    std::vector<bool> r = stage.reached(false), w = stage.reached(true);
    read.resize(r.size());
    written.resize(r.size());
    bool met = false;
    for (size_t i = 0; i < r.size(); ++i) {
      met |= (r[i] && written[i]) || (w[i] && read[i]);
      read[i] = read[i] || r[i];
      written[i] = written[i] || w[i];
    }
    return !(met && disjoint);
  }
};

/// Runs the loops in order; each live-out becomes a symbol of the later loops.
Ran runChain(const std::vector<Loop> &chain, Machine &last, Machine &all) {
  Reached reached;
  for (size_t k = 0; k < chain.size(); ++k) {
    Machine stage(chain[k], 0);
    if (!stage.takeOver(all))
      return Ran::Skipped;
    if (!stage.assumptionsHold())
      return Ran::Unassumed;
    if (!stage.runLoop() || !reached.add(stage, chain[k].disjoint))
      return Ran::Skipped;
    all.memory = stage.memory;
    for (size_t i = 0; i < chain.back().syms.size(); ++i) {
      const Symbol &s = chain.back().syms[i];
      if (s.stage != int(k) || s.liveOut >= chain[k].liveOuts.size())
        continue;
      int rec = chain[k].liveOuts[s.liveOut].rec;
      if (rec < 0)
        continue;
      all.setSymbol(i, stage.carried[size_t(rec)]);
      last.setSymbol(i, stage.carried[size_t(rec)]);
    }
  }
  last.memory = all.memory;
  return Ran::Yes;
}

} // namespace

std::string differsFromChain(const std::vector<Loop> &chain, const Joined &joined, unsigned trials,
                             uint64_t seed, unsigned &runs) {
  const Decision &d = joined.outcome.decision;
  runs = 0;
  for (unsigned t = 0; t < trials; ++t) {
    Machine last(chain.back(), seed + t);
    if (!last.choose())
      continue;
    Machine all = last, target(joined.loop, seed + t);
    target.takeOver(last);
    Ran ran = runChain(chain, last, all);
    std::string where = " (seed " + std::to_string(seed + t) + ":" + last.describe() + ")";
    if (ran == Ran::Unassumed && target.takesGuard(d.guard))
      return "takes for granted what was only assumed" + where;
    if (ran != Ran::Yes)
      continue;
    ++runs;
    if (!target.takesGuard(d.guard))
      continue;
    std::string wrong = target.runAlone(joined.outcome.match, d);
    if (wrong.empty() && target.memory != last.memory)
      wrong = "memory differs afterwards";
    for (size_t i = 0; i < joined.finals.size() && wrong.empty(); ++i)
      if (target.valueOf(joined.finals[i]) != last.valueOf(chain.back().finals[i].value))
        wrong = chain.back().finals[i].name + " differs afterwards";
    if (!wrong.empty())
      return wrong + where;
  }
  return "";
}

} // namespace memlift
