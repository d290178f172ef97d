// gain.h - estimates the cycles that a decision saves each time the loop runs
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reports rank loops by it. It is no measurement and decides nothing.
#ifndef MEMLIFT_IDIOMS_DECIDE_GAIN_H
#define MEMLIFT_IDIOMS_DECIDE_GAIN_H

#include <cstdint>
#include <string>

namespace memlift {

struct Loop;
struct Match;
struct Decision;
struct Options;

/// Cycles that are saved, and how they are computed or why they are not known.
struct Gain {
  uint64_t cycles = 0;     // 0: unknown
  uint64_t iterations = 0; // of the whole nest; 0: unknown
  std::string model;       // empty: nothing is done, so there is nothing to gain
};

Gain gainOf(const Loop &loop, const Match &match, const Decision &d, const Options &options);

} // namespace memlift

#endif
