// remark.h - a verdict as a remark: one line for people, one YAML record for tools
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The record is LLVM remark YAML with fixed keys: Idiom, Decision, Code, LoopId,
// then Fact, Verdict, Need, Have, Evidence per fact, then Suggestion.
#ifndef MEMLIFT_IDIOMS_REMARK_H
#define MEMLIFT_IDIOMS_REMARK_H

#include "decide/decide.h"

namespace memlift {

enum class RemarkKind : uint8_t { Passed, Missed, Analysis };

struct RemarkArg {
  std::string key, value;
};

struct Remark {
  RemarkKind kind = RemarkKind::Missed;
  std::string name;    // the code's short name: LLVM's RemarkName
  std::string message; // one line, no newline, starts lower-case
  SourceLoc loc;
  std::string function;
  std::vector<RemarkArg> args; // fixed keys, in order
};

/// Builds the remark. Kept candidates without any nominated idiom, and work that the compiler had
/// done already, are Analysis; other kept ones Missed; the rest Passed.
Remark makeRemark(const Loop &loop, const Match &match, const Decision &d);

/// Returns one YAML document, from "--- !Passed" to "...\n".
std::string toYaml(const Remark &remark);

/// Appends `text` to the file in one write (O_APPEND, created if absent), so that compilers
/// running at the same time do not mix their records. Returns "" or a message that names the file
/// and the reason.
std::string appendToFile(const std::string &path, const std::string &text);

/// The result of recognize + decide + makeRemark, all that a plugin needs. With
/// options.verifyTrials, refuteClaim is run as well. With options.quiet the remark stays empty,
/// and of a hopeless loop only the decision to keep it is known.
struct Outcome {
  Match match;
  Decision decision;
  Remark remark;
};
Outcome judge(Loop &loop, const Options &options);

/// Second chance for a loop that judge() kept: unrolls it and groups its loads if the core
/// profits. On success replaces `kept` and returns true; else appends the reasons. `judged` is
/// the loop that `kept` refers to, perhaps another reading of it.
bool judgeGroups(Loop &loop, const Options &options, const Loop &judged, Outcome &kept);

/// Returns true if a kept loop deserves a remark: it `stores`, is an operation, or computes a
/// number from what it reads.
bool isWorthTelling(const Loop &loop, const Outcome &outcome, bool stores);

/// Turns the outcome into that of a loop that the compiler itself unrolls completely: the code is
/// straight already.
void makeStraight(const Loop &loop, Outcome &outcome);

/// Runs the decision against the loop model. A difference is a bug of memlift: the outcome
/// becomes a loop kept for MLF3020, whose fact says what differed and whose evidence is the loop
/// model. Returns true in that case.
bool refuteClaim(const Loop &loop, Outcome &outcome, unsigned trials);

} // namespace memlift

#endif
