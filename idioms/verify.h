// verify.h - every match is checked twice: the claim, run against the loop model
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
  unsigned fast = 0;    // of these, how many took the routine or the words
  unsigned skipped = 0; // trials that the loop model's facts rule out
  std::string mismatch; // empty, or a minimal account of the first one
};

/// `trials` random trials from `seed`; deterministic.
VerifyResult verify(const Loop &loop, const Match &match, const Decision &d, unsigned trials,
                    uint64_t seed);

} // namespace memlift

#endif
