// cycles.h - loops that no compiler's loop analysis sees: entered in several places
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MEMLIFT_IDIOMS_CYCLES_H
#define MEMLIFT_IDIOMS_CYCLES_H

#include <vector>

namespace memlift {

/// What keeps a loop that several edges enter; said of those that a compiler's own
/// analysis finds, too.
inline constexpr const char *EnteredInSeveralPlaces = "the loop can be entered in several places";

/// A control-flow graph: the successors of each block. Control comes in at block 0.
using FlowGraph = std::vector<std::vector<unsigned>>;

/// The cycles that can be entered at more than one of their blocks and hold no
/// other cycle: Duff's device, and gotos into a loop. Blocks in rising order.
std::vector<std::vector<unsigned>> multiEntryCycles(const FlowGraph &graph);

} // namespace memlift

#endif
