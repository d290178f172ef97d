// prove.h - what GCC knows of pointers: objects, alignment, overlap
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MEMLIFT_GCC_PROVE_H
#define MEMLIFT_GCC_PROVE_H

#include "../read/binding.h"

namespace memlift {

/// Name, kind, alignment and object size of an invariant pointer.
Base describeBase(tree pointer);
/// Proved alignment in bytes of every address that the reference takes.
uint64_t alignOf(tree ref);
/// The address space of the object referred to; 0 is the ordinary one.
unsigned addressSpaceOf(tree ref);
/// True if pointers made from one never reach what those from the other do.
bool basesApart(tree a, tree b);
/// The same of addresses that are sums: each of one is no part of the others. By restrict alone.
bool rootsApart(const std::vector<tree> &a, const std::vector<tree> &b);
/// Adds to the loop model which pairs of a store and another access never overlap,
/// in any two iterations of the nest.
void proveAliases(const Nest &nest, LoopBinding &binding);

} // namespace memlift

#endif
