// carried.h - scalars that a nest carries from one iteration to the next
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MEMLIFT_GCC_READ_CARRIED_H
#define MEMLIFT_GCC_READ_CARRIED_H

#include "translate.h"

namespace memlift {

/// Returns whether the loop might carry a scalar that depends on its loads; a cheap test.
bool mayCarryLoads(class loop *loop);

/// One recurrence and the GIMPLE that it is made of.
struct Carried {
  tree init = NULL_TREE;  // before the nest
  tree phi = NULL_TREE;   // in the innermost header
  tree next = NULL_TREE;  // after an iteration of the innermost body
  tree after = NULL_TREE; // its name after the nest
};

/// Names the nest's recurrences, so that the body's values can refer to them. `bodyFirst` as in
/// countNest.
std::vector<Carried> declareCarried(Translator &t, LoopBinding &binding, const Nest &nest,
                                    const std::vector<bool> &bodyFirst);
/// Fills in the recurrences' initial values and steps, once every load has its number.
void readCarried(Translator &t, LoopBinding &binding, const Nest &nest,
                 const std::vector<Carried> &carried);

/// Returns the bits of a value that its users look at, as far as they are followed.
uint64_t usedBits(tree name, unsigned depth = 0);
/// Returns the recurrence whose last value `name` is after the nest, or -1.
int carriedAs(const LoopBinding &binding, tree name);
/// Returns the recurrence of the value that another recurrence takes before it is cut to its width,
/// or extended to it; nothing else in the body depends on it. Returns -1 if `name` is no such
/// value, or if there may have been no iteration.
int carriedInOtherWidth(Translator &t, LoopBinding &binding, const Nest &nest, tree name);

} // namespace memlift

#endif
