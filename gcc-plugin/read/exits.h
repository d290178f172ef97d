// exits.h - loops that end at the first of several exits, each of them counted
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MEMLIFT_GCC_READ_EXITS_H
#define MEMLIFT_GCC_READ_EXITS_H

#include "carried.h"
#include "trip.h"

namespace memlift {

/// Sets nest.exits and nest.into if the loop has several exits that are tested in each iteration
/// that reaches them. Leaves them empty if an exit evidently has no count.
void findExits(Nest &nest);

/// Returns whether only code after the tests before the accesses uses what is loaded before
/// them. The load might as well run there: where the loop is left, nobody sees it.
bool mayLoadLater(const Nest &nest, gimple *load);

/// Returns whether all of the loop's several exits are counted.
bool isCounted(const LoopBinding &binding, const Nest &nest);
/// Returns for each exit for how many consecutive iterations the loop is not left there, at pointer
/// width; empty if one exit has no count. Adds the places that indices of rings have to reach for
/// that to `ends`.
std::vector<ExprId> countExits(Translator &t, LoopBinding &binding, const Nest &nest,
                               std::vector<RingEnd> *ends = nullptr);

/// Returns one count for the loop: `plusOne` is how often a block runs that comes after nest.place
/// exit tests.
Count countSeveral(Translator &t, LoopBinding &binding, const Nest &nest);

/// Describes the values of the nest that are used after it.
void readLiveOutsOfSeveral(Translator &t, LoopBinding &binding, const Nest &nest,
                           const std::vector<Carried> &carried);

} // namespace memlift

#endif
