// verify.cpp - runs a loop model and its decision on many random memories
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "verify.h"
#include "verify/machine.h"

namespace memlift {

/// Limit on bytes and iterations: enough for 200 usual trials and a few large ones.
constexpr uint64_t mostWork = uint64_t(1) << 23;

VerifyResult verify(const Loop &loop, const Match &match, const Decision &d, unsigned trials,
                    uint64_t seed) {
  VerifyResult result;
  uint64_t work = 0;
  for (unsigned t = 0; t < trials && work < mostWork; ++t) {
    Machine source(loop, seed + t);
    bool possible = source.choose();
    Machine target = source;
    if (!possible) {
      ++result.skipped;
      continue;
    }
    if (!source.assumptionsHold()) {
      ++result.skipped;
      if (target.takesGuard(d.guard) || (d.repeat.exists() && target.takesGuard(d.repeat.guard))) {
        result.mismatch = "takes for granted what was only assumed (seed " +
                          std::to_string(seed + t) + ":" + source.describe() + ")";
        return result;
      }
      continue;
    }
    if (!(loop.dataExits.empty() ? source.runLoop() : source.runSearch())) {
      ++result.skipped;
      continue;
    }
    work += source.work();
    bool fast = true;
    std::string wrong = d.skip.skips() ? target.runSkip(d, source, fast)
                        : d.calls.empty() && d.results.empty()
                            ? target.runDecision(match, d, fast)
                            : target.runCalls(match, d, source.carried, fast);
    if (wrong.empty() && source.memory != target.memory)
      wrong = "memory differs afterwards";
    if (wrong.empty() && fast && isStreamed(d) && source.carried != target.carried)
      wrong = "a carried value differs afterwards";
    if (wrong.empty() && fast && source.fixedWritten())
      wrong = "overwrites what it takes to be fixed";
    ++result.runs;
    result.fast += fast;
    if (!wrong.empty()) {
      result.mismatch =
          wrong + " (seed " + std::to_string(seed + t) + ":" + source.describe() + ")";
      return result;
    }
  }
  return result;
}

} // namespace memlift
