// fork.h - the arms of a branch between loops in place
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MEMLIFT_GCC_WRITE_FORK_H
#define MEMLIFT_GCC_WRITE_FORK_H

#include "routine.h"

namespace memlift {

/// Inserts the emitter's statements at the end of `bb`.
void flush(Emitter &e, basic_block bb);

class Fork {
public:
  /// Makes two arms after `at`, the second of which may be empty.
  Fork(Emitter &e, basic_block at, const Branch &c);
  basic_block first, second = nullptr, join;
};

/// Computes the invariant values of stores before the branch, whether the stores run or not: those
/// of loops `first` to `end`.
void prepareStores(Emitter &e, const LoopBinding &binding, const Decision &d, size_t first,
                   size_t end);

/// Returns the values of a branch's phis at the end of an arm. `user`: accesses may fault, and all
/// of them are addresses: as pointers, they share a register with those that the loops step.
std::vector<tree> phiValuesOf(Emitter &e, const Branch &c, bool first, bool user);

/// The edge from an arm to the block after the branch, and the values on it.
struct Arm {
  edge from;
  std::vector<tree> values;
};
/// Adds the phis in `join`, where both arms join.
void merge(Emitter &e, basic_block join, const Arm &one, const Arm &other, location_t where,
           bool user);

} // namespace memlift

#endif
