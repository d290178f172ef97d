// searches.cpp - an interpreter of loops that end at what they read, and of entering them later
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "machine.h"

namespace memlift {

bool Machine::runSearch() {
  for (iv[0] = 0; iv[0] < trips[0]; ++iv[0]) {
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
  }
  leftAt = trips[0];
  return ok;
}

/// The routine may read what the loop reads, and no byte of the other regions behind that: the
/// arena's end stands for a page that may not be read.
std::string Machine::runSkip(const Decision &d, const Machine &source, bool &fast) {
  fast = takesGuard(d.skip.guard);
  if (!fast)
    return "";
  uint64_t to = 0;
  for (const SkipPlan::Early &e : d.skip.early) {
    bool ends = word(e.ends) & 1;
    if (!ok)
      return "an early test reads memory that the loop does not";
    if (ends)
      return e.iteration + (source.leftAt && loop.carriesOver) == source.leftAt
                 ? ""
                 : "an early test ends another iteration";
  }
  for (const ReturningCall &c : d.calls)
    if (ok)
      results.push_back(call(c));
  ++moment;
  if (!ok)
    return "reads memory that the loop does not";
  to = word(d.skip.to);
  // A routine may stop at more bytes than the loop, which then goes on.
  return to + loop.carriesOver <= source.leftAt ? "" : "enters the loop behind its end";
}

} // namespace memlift
