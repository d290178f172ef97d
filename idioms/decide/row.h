// row.h - loops that continue one another, as one operation
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   while (n >= 8) { *(u64 *)d = *(u64 *)s; d += 8; s += 8; n -= 8; }
//   while (n--) *d++ = *s++;
//
// Each loop is recognised by itself, and if they do the same to regions of which
// one begins where the one before ends, on every way through the code between
// them, the whole row is that operation on both regions. What has to be tested at
// run time is tested for the whole, in front of the first loop; the other branch
// is all of the row as it was.
#ifndef MEMLIFT_IDIOMS_DECIDE_ROW_H
#define MEMLIFT_IDIOMS_DECIDE_ROW_H

#include "../remark.h"

namespace memlift {

struct Joined {
  bool ok = false;           // the decision is to be carried out
  Loop loop;                 // what the outcome's expressions are of
  Outcome outcome;
  std::vector<ExprId> finals;// as Loop::finals of the last loop
};

/// Judges pictures of a row (see Loop::follows). With verifyTrials the decision
/// is run against the pictures, one after the other, before it is believed.
Joined judgeRow(std::vector<Loop> &row, const Options &options);

/// Runs the decision against the row; empty, or what differs.
std::string differsFromRow(const std::vector<Loop> &row, const Joined &joined,
                           unsigned trials, uint64_t seed, unsigned &runs);

} // namespace memlift

#endif
