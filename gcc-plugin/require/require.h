// require.h - loops that must be lowered: where the source says so, and what breaks it
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// GCC keeps the source locations of statements through inlining, cloning and unrolling, and needs
// no -g for that. So a loop of the source is known by the range of its locations: source.cpp finds
// the ranges in the syntax tree, and a loop or call of GIMPLE belongs to those that it lies in. The
// ranges are an attribute of the function, too, as the link of LTO has no syntax trees.
#ifndef MEMLIFT_GCC_REQUIRE_H
#define MEMLIFT_GCC_REQUIRE_H

#include "../compat.h"

#include "../../idioms/require.h"
#include "../read/binding.h"

namespace memlift {

struct Position {
  unsigned line = 0, col = 0;
  bool operator<(const Position &o) const { return line != o.line ? line < o.line : col < o.col; }
};

/// A requirement and the locations of its loop, from the loop's first word on.
struct RequiredLoop {
  Requirement requirement;
  Position last;
  location_t at = UNKNOWN_LOCATION; // where to complain, if this is no link
};

/// Registers the callbacks that read pragmas and syntax trees. Call from plugin_init.
void watchRequired(const char *pluginName);

/// Returns all required loops of the file, or of the files that are linked.
const std::vector<RequiredLoop> &requiredLoops();

/// Returns whether the file has a requirement at all, which costs nothing to ask.
bool anyRequired();

/// Notes which required loops are in the control flow graph of the current function, as soon as
/// there is one. A link of LTO does not know, and misses no loop that was deleted.
void noteReached();

/// Notes which loops of the current function are there, before GCC unrolls some completely; with
/// `after`, that those which are gone are done.
void noteRequired(bool after);

/// Notes which required loops are there when the loops are judged.
void notePresent();
/// Notes that these loops, of those that were there, were joined into one operation.
void settleJoined(const std::set<class loop *> &joined);
/// Makes the loop the one that the next verdicts are about; null: calls.
void requireFor(class loop *loop);
/// Takes a verdict into account.
void requireJudged(const LoopBinding &binding, const Outcome &outcome);
/// Complains about requirements of the current function that got no verdict; at its last pass.
void finishRequired();

} // namespace memlift

#endif
