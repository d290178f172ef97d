// remark.h - a verdict as a remark: one line for people, one YAML record for tools
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The record is LLVM remark YAML with fixed keys: Idiom, Decision, Code, LoopId,
// then Fact, Verdict, Need, Have, Evidence per fact, then Suggestion, GainCycles, Iterations and
// GainModel.
#ifndef MEMLIFT_IDIOMS_REMARK_H
#define MEMLIFT_IDIOMS_REMARK_H

#include "judge.h"

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
  int64_t hotness = -1;        // how often the profile saw the loop's body; -1: no profile
  std::vector<RemarkArg> args; // fixed keys, in order
};

/// Builds the remark. Kept candidates without any nominated idiom, and work that the compiler had
/// done already, are Analysis; other kept ones Missed; the rest Passed.
Remark makeRemark(const Loop &loop, const Outcome &outcome);

/// Gives the loop of a remark another name.
void renameLoop(Remark &remark, const std::string &id);

/// Returns one YAML document, from "--- !Passed" to "...\n".
std::string toYaml(const Remark &remark);

/// Appends `text` to the file in one write (O_APPEND, created if absent), so that compilers
/// running at the same time do not mix their records. Returns "" or a message that names the file
/// and the reason.
std::string appendToFile(const std::string &path, const std::string &text);

} // namespace memlift

#endif
