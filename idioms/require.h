// require.h - loops that the source says must be lowered: memlift("require"), #pragma memlift
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A requirement belongs to a loop of the source. Every copy of the loop has to meet it: in the
// function itself, in those that it was inlined into, in clones and in instantiations of templates.
// Each plugin finds the requirement of a loop by its own means and asks here what a verdict means.
#ifndef MEMLIFT_IDIOMS_REQUIRE_H
#define MEMLIFT_IDIOMS_REQUIRE_H

#include "judge.h"

namespace memlift {

struct Requirement {
  std::string file; // of the loop's first word
  unsigned line = 0, col = 0;
  std::string function; // where the loop is written, as the linker knows it
  std::string idiom;    // the operation asked for; empty: any
  bool pragma = false;  // else an attribute of the function

  bool operator==(const Requirement &o) const {
    return file == o.file && line == o.line && col == o.col && function == o.function;
  }
};

/// A broken requirement: the message of an error, and the chain of reasons, one line each.
struct Complaint {
  Diag code = Diag::None;
  std::string message; // without the code
  std::vector<std::string> notes;
};

/// Returns one line that decodeRequirement() reads.
std::string encode(const Requirement &r);
/// Returns false if `text` was not written by encode().
bool decodeRequirement(const std::string &text, Requirement &r);

/// Lists the operations that a pragma may ask for.
std::vector<std::string> requirableNames();
/// Returns what is wrong with the words of "#pragma memlift WORDS"; empty if nothing is.
std::string whyBadPragma(const std::vector<std::string> &words);

/// Returns whether the verdict breaks the requirement, and says why. `copy`: the loop was inlined
/// into another function, or its function was cloned. Such a copy may know its trip count, and may
/// stay as written because it is too short.
bool breaks(const Requirement &r, const Loop &loop, const Outcome &outcome, bool copy,
            Complaint &complaint);
/// Returns the complaint about a loop without a verdict. `present`: the loop is still there.
Complaint withoutVerdict(const Requirement &r, bool present);
/// Returns the complaint about a function with the attribute and without a candidate.
Complaint withoutCandidate(const std::string &function);

} // namespace memlift

#endif
