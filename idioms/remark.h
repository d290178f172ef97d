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

/// Kept candidates without any nominated idiom, and work the compiler had
/// already done, are Analysis; other kept ones Missed; the rest Passed.
Remark makeRemark(const Loop &loop, const Match &match, const Decision &d);

/// One YAML document, from "--- !Passed" to "...\n".
std::string toYaml(const Remark &remark);

/// Appends `text` to the file in one write (O_APPEND, created if absent), so
/// that compilers running side by side do not tear each other's records.
/// Returns "" or a message that names the file and the reason.
std::string appendToFile(const std::string &path, const std::string &text);

/// recognize + decide + makeRemark in one go: all that a plugin needs. With
/// options.verifyTrials, refuteClaim as well. With options.quiet the remark stays
/// empty, and of a hopeless loop nothing is known but that it is kept.
struct Outcome {
  Match match;
  Decision decision;
  Remark remark;
};
Outcome judge(Loop &loop, const Options &options);

/// Of a loop that stays what it is for all of judge(): its loads in groups, where the core wants
/// that. `kept` becomes that, and it is true, or gets the reasons against it. It is of `judged`,
/// which may be another reading of the loop.
bool judgeGroups(Loop &loop, const Options &options, const Loop &judged, Outcome &kept);

/// Whether anybody wants to hear of a loop that stays: one that `stores`; one that
/// is an operation; one that makes a number of what it reads.
bool isWorthTelling(const Loop &loop, const Outcome &outcome, bool stores);

/// Makes of the outcome that of a loop that the compiler itself unrolls completely:
/// what would have been done stands in place already.
void makeStraight(const Loop &loop, Outcome &outcome);

/// Runs the decision against the loop model. One that differs is a bug of ours:
/// the outcome becomes a loop kept for MLF3020, whose fact says what differed
/// and whose evidence is the loop model. True if so.
bool refuteClaim(const Loop &loop, Outcome &outcome, unsigned trials);

} // namespace memlift

#endif
