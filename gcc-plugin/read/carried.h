// carried.h - scalars that a nest carries from one iteration to the next
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MEMLIFT_GCC_READ_CARRIED_H
#define MEMLIFT_GCC_READ_CARRIED_H

#include "translate.h"

namespace memlift {

/// A cheap look: might a scalar be carried that takes part in what is loaded?
bool mayCarryLoads(class loop *loop);

/// One recurrence and the GIMPLE that it is made of.
struct Carried {
  tree init = NULL_TREE;  // before the nest
  tree phi = NULL_TREE;   // in the innermost header
  tree next = NULL_TREE;  // after an iteration of the innermost body
  tree after = NULL_TREE; // what code behind the nest finds
};

/// Names the nest's recurrences, so that the body's values can be told in them.
/// `bodyFirst` as in countNest.
std::vector<Carried> declareCarried(Translator &t, LoopBinding &binding, const Nest &nest,
                                    const std::vector<bool> &bodyFirst);
/// Fills in what they start with and become, once every load has its number.
void readCarried(Translator &t, LoopBinding &binding, const Nest &nest,
                 const std::vector<Carried> &carried);

/// The bits of a value that its users look at, as far as that is followed.
uint64_t usedBits(tree name, unsigned depth = 0);
/// The recurrence whose last value `name` is behind the nest, or -1.
int carriedAs(const LoopBinding &binding, tree name);
/// The same for the value that a recurrence takes before it is cut to its width:
/// a recurrence of its own, which nothing in the body depends on. -1 if `name` is
/// none, or if no iteration may have run.
int carriedWide(Translator &t, LoopBinding &binding, const Nest &nest, tree name);

} // namespace memlift

#endif
