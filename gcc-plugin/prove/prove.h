// prove.h - GCC's facts about pointers: objects, alignment, overlap
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MEMLIFT_GCC_PROVE_H
#define MEMLIFT_GCC_PROVE_H

#include "../read/binding.h"

namespace memlift {

/// Describes an invariant pointer: name, kind, alignment and object size.
Base describeBase(tree pointer);
/// Returns the proved alignment in bytes of every address that the reference takes.
uint64_t alignOf(tree ref);
/// Returns the address space of the object referred to; 0 is the ordinary one.
unsigned addressSpaceOf(tree ref);
/// Returns true if pointers derived from `a` never reach memory that those from `b` do.
bool basesDisjoint(tree a, tree b);
/// Returns true if no root of address `a` leads to memory of a root of `b`, by restrict alone.
bool rootsDisjoint(const std::vector<tree> &a, const std::vector<tree> &b);
/// Adds to the loop model which pairs of a store and another access never overlap, in any two
/// iterations of the nest.
void proveAliases(const Nest &nest, LoopBinding &binding);

} // namespace memlift

#endif
