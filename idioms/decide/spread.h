// spread.h - has several threads compute a loop, or a sum in its place
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// memlift("spread") asks for it. A loop that is no single operation is proved and planned by
// streamLoop() (stream.h), as the rules about memory are much the same. Sums and checksums have
// routines of their own.
#ifndef MEMLIFT_IDIOMS_SPREAD_H
#define MEMLIFT_IDIOMS_SPREAD_H

#include "stream.h"

namespace memlift {

/// Replaces the decision's calls by those that several threads compute, in functions that ask for
/// it, and enters a fact that says which.
void spreadCalls(const Loop &loop, const Options &options, Decision &decision);

/// Has the blocks of a loop that threads compute go through their local stores, if it could be cut
/// into blocks alone; enters a fact that says so, or why not.
void addLocalStores(const Loop &loop, const Streamed &alone, Decision &spread);

} // namespace memlift

#endif
