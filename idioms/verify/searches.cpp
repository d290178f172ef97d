// searches.cpp - an interpreter of loops that end at what they read, and of entering them later
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "machine.h"

namespace memlift {

bool Machine::runSearch() {
  carried.clear();
  for (const Recurrence &r : loop.recs)
    carried.push_back(eval(r.init));
  ++moment;
  return searchFrom(0) && aliasFactsHold();
}

bool Machine::searchFrom(uint64_t first) {
  for (iv[0] = first; iv[0] < trips[0]; ++iv[0]) {
    ++moment;
    if (iv[0] > maxIterations)
      return false;
    uint32_t done = 0;
    for (const DataExit &e : loop.dataExits) {
      for (; done < e.after; ++done)
        if (!access(done))
          return false;
      if (word(e.leaves) & 1) {
        leftAt = iv[0];
        return ok;
      }
    }
    for (; done < loop.accesses.size(); ++done)
      if (!access(done))
        return false;
    step();
  }
  leftAt = trips[0];
  return ok;
}

/// The routine may read what the loop reads, and no byte of the other regions after that: the
/// arena's end stands for a page that may not be read.
std::string Machine::runSkip(const Decision &d, const Machine &source, bool &fast) {
  fast = takesGuard(d.skip.guard);
  if (!fast && d.skip.work != NoExpr)
    return runSearch() ? "" : "the loop does not run";
  if (!fast)
    return "";
  uint64_t to = 0;
  for (const SkipPlan::Early &e : d.skip.early) {
    bool ends = word(e.ends) & 1;
    if (!ok)
      return "an early test reads memory that the loop does not";
    if (ends && d.skip.work != NoExpr) {
      fast = false;
      return runSearch() ? "" : "the loop does not run";
    }
    if (ends)
      return e.iteration + (source.leftAt && loop.carriesOver) == source.leftAt
                 ? ""
                 : "an early test ends another iteration";
  }
  const bool works = d.skip.work != NoExpr;
  for (const ReturningCall &c : d.calls)
    if (ok && (!works || results.empty()))
      results.push_back(call(c));
  ++moment;
  if (!ok)
    return "reads memory that the loop does not";
  to = word(d.skip.to);
  // A routine may stop at more bytes than the loop, which then goes on.
  if (to + loop.carriesOver > source.leftAt)
    return "enters the loop behind its end";
  return works ? runWork(d, to, source, fast) : "";
}

/// Does what the iterations before `to` do, and runs the loop from there.
std::string Machine::runWork(const Decision &d, uint64_t to, const Machine &source, bool &fast) {
  fast = takesGuard(d.skip.work);
  carried.clear();
  for (const Recurrence &r : loop.recs)
    carried.push_back(eval(r.init));
  if (fast) {
    for (size_t i = 1; i < d.calls.size() && ok; ++i) {
      results.push_back(call(d.calls[i]));
      ++moment;
    }
    if (d.routine != Routine::None) {
      const Operation &o = operationOf(d.routine);
      std::string wrong = transfer(o.disjoint, word(d.args[0]), word(d.args[1]), word(d.args[2]));
      if (!wrong.empty())
        return wrong;
    }
    for (const LiveOutResult &r : d.results)
      carried[size_t(loop.liveOuts[r.index].rec)] = eval(r.value);
  }
  ++moment;
  if (!ok || !searchFrom(fast ? to : 0))
    return "reads or writes memory that the loop does not";
  bool same = leftAt == source.leftAt;
  for (size_t i = 0; i < loop.liveOuts.size(); ++i) {
    auto rec = size_t(loop.liveOuts[i].rec);
    same &= carried[rec] == source.carried[rec];
  }
  return same ? "" : "leaves the loop elsewhere, or with another value";
}

} // namespace memlift
