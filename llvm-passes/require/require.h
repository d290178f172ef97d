// require.h - loops that must be lowered: their marks in the IR, and what breaks a requirement
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// clang's side (source.cpp) numbers the loops of a file that have a requirement. A number travels
// on the loop as clang's own hint "pipeline_initiation_interval", the only one that holds any
// number, and becomes metadata of ours first in the pipeline (carryRequired). Metadata of a loop
// survive inlining, cloning, rotation and unswitching. The function that a loop is written in
// lists its requirements in an attribute, so a loop that was deleted is missed.
#ifndef MEMLIFT_LLVM_REQUIRE_H
#define MEMLIFT_LLVM_REQUIRE_H

#include "../idioms/require.h"
#include "read/binding.h"

#include <map>
#include <set>

namespace llvm {
class Loop;
} // namespace llvm

namespace memlift {

/// Attribute of functions written with memlift("require").
constexpr char RequireAttribute[] = "memlift-require-all";

/// Hints with numbers from here on are requirements. clang's hint is meant for small numbers.
constexpr unsigned firstHint = 0x4d4c0000;

/// Returns the requirement with this number of the file that clang compiles; null for a hint that
/// is none of ours.
const Requirement *requirementOf(uint64_t hint);

/// Turns clang's hints into metadata, or removes them if nothing is to be checked. Returns true if
/// the function changed.
bool carryRequired(llvm::Function &f, bool check);

/// Returns whether a loop of the function, or the function, has a requirement.
bool isRequired(const llvm::Function &f, const llvm::LoopInfo &li);
/// Returns the text of the loop's requirement; empty if there is none.
std::string requirementText(const llvm::Loop &loop);

/// Notes that the compiler itself did a loop of `f`: it unrolled the loop, or made a call of it.
void noteMet(llvm::Function &f, const std::string &text);
/// Returns whether LLVM has made a call of all that the loop does, so it is about to be deleted.
bool becameCall(const llvm::Loop &loop);

/// Follows the verdicts of one run over a function, and complains.
class RequireCheck {
public:
  explicit RequireCheck(Env &env);
  /// Takes a verdict into account, while the IR is as the loop model shows it.
  void judged(const LoopBinding &binding, const Outcome &outcome);
  /// Takes note that the loops of these requirements were joined into one operation.
  void joined(const std::string &text) { settled.insert(text); }
  /// Complains about the requirements that got no verdict.
  void finish();

private:
  Env &env;
  bool any = false;                // some verdict, of a loop or of a call
  std::set<std::string> settled;   // met, or complained about
  std::set<std::string> remaining; // of loops that were there at the start

  void complain(const Requirement *r, const llvm::DebugLoc &loc, const Complaint &complaint);
};

} // namespace memlift

#endif
