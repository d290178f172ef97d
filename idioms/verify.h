// verify.h - checks every match a second time: runs the claim against the loop model
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs the loop model iteration by iteration on a small memory with random
// symbols, base addresses (overlapping on purpose) and contents, then runs the
// decision (guard, then routine or words, else the loop) on a copy, and
// compares every byte. A mismatch is a bug of the recogniser; tests always
// check, and a plugin built with assertions refuses the transformation.
#ifndef MEMLIFT_IDIOMS_VERIFY_H
#define MEMLIFT_IDIOMS_VERIFY_H

#include "decide/decide.h"

namespace memlift {

struct VerifyResult {
  unsigned runs = 0;    // trials in which the loop ran and was compared
  unsigned fast = 0;    // of these, trials in which the routine or the words ran
  unsigned skipped = 0; // trials ruled out by the loop model's facts
  std::string mismatch; // empty, or a minimal description of the first one
};

/// Runs `trials` random trials from `seed`; deterministic.
VerifyResult verify(const Loop &loop, const Match &match, const Decision &d, unsigned trials,
                    uint64_t seed);

} // namespace memlift

#endif
