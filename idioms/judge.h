// judge.h - the verdict on a loop: recognition, decision, check and advice in one call
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MEMLIFT_IDIOMS_JUDGE_H
#define MEMLIFT_IDIOMS_JUDGE_H

#include "decide/decide.h"

namespace memlift {

/// Judges a loop: recognises, decides, verifies the decision (options.verifyTrials, see
/// refuteClaim) and collects suggestions. With options.quiet there are no suggestions, and of a
/// hopeless loop only the decision to keep it is known.
Outcome judge(Loop &loop, const Options &options);

/// Second chance for a loop that judge() kept: unrolls it and groups its loads if the core
/// profits. On success replaces `kept` and returns true; else appends the reasons. `judged` is
/// the loop that `kept` refers to, perhaps another reading of it.
bool judgeGroups(Loop &loop, const Options &options, const Loop &judged, Outcome &kept);

/// Second chance of a loop that memlift("stream") is asked for and that is no single operation:
/// cuts it into blocks. On success replaces `kept` and returns true; else, if `last`, appends the
/// reasons. `judged` is as above.
bool judgeStream(Loop &loop, const Options &options, const Loop &judged, Outcome &kept, bool last);

/// Adds to the outcome of a loop that a routine does that memlift("stream") was not needed.
void noteRoutine(Outcome &outcome);

/// Returns true if a kept loop deserves a remark: it `stores`, is an operation, or computes a
/// number from what it reads.
bool deservesRemark(const Loop &loop, const Outcome &outcome, bool stores);

/// Turns the outcome into that of a loop that the compiler itself unrolls completely: the code is
/// straight already.
void makeStraight(Outcome &outcome);

/// Runs the decision against the loop model. A difference is a bug of memlift: the outcome
/// becomes a loop kept for MLF3020, whose fact says what differed and whose evidence is the loop
/// model. Returns true in that case.
bool refuteClaim(const Loop &loop, Outcome &outcome, unsigned trials);

} // namespace memlift

#endif
