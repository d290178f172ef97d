// exits.h - loops that end at the first of several exits, each of them counted
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MEMLIFT_GCC_READ_EXITS_H
#define MEMLIFT_GCC_READ_EXITS_H

#include "carried.h"
#include "trip.h"

namespace memlift {

/// Sets nest.exits and nest.into if the loop has several exits that are tested in each
/// iteration that comes so far; not if a look at one of them says that it has no count.
void findExits(Nest &nest);

/// How often in a row the loop of the nest is not left at each exit, of pointer width;
/// empty if one of them has no count.
std::vector<ExprId> countExits(Translator &t, LoopBinding &binding, const Nest &nest);

/// The same as one count: `plusOne` is how often a block runs that nest.place exits
/// are tested in front of.
Count countSeveral(Translator &t, LoopBinding &binding, const Nest &nest);

/// Describes the values of the nest that are used behind it.
void readLiveOutsOfSeveral(Translator &t, LoopBinding &binding, const Nest &nest,
                           const std::vector<Carried> &carried);

} // namespace memlift

#endif
