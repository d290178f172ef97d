// fork.h - the ways of a choice between loops in place
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MEMLIFT_GCC_WRITE_FORK_H
#define MEMLIFT_GCC_WRITE_FORK_H

#include "routine.h"

namespace memlift {

/// Inserts what the emitter has collected at the end of `bb`.
void flush(Emitter &e, basic_block bb);

class Fork {
public:
  /// Two ways behind `at`, the second of which may be empty.
  Fork(Emitter &e, basic_block at, const Choice &c);
  basic_block first, second = nullptr, behind;
};

/// What does not vary, whether it is stored or not, is computed in front: of loops `first` to
/// `end`.
void prepareStores(Emitter &e, const LoopBinding &binding, const Decision &d, size_t first,
                   size_t end);

/// What a choice merges, as it is here, at the end of a way.
std::vector<tree> mergedOf(Emitter &e, const Choice &c, bool first);

/// How a way comes to the block behind the choice, and with what.
struct Way {
  edge from;
  std::vector<tree> values;
};
/// In `behind`, where both have come together.
void merge(Emitter &e, basic_block behind, const Way &one, const Way &other, location_t where);

} // namespace memlift

#endif
