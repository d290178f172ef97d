// cycles.h - finds loops that no compiler's loop analysis sees: entered in several places
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MEMLIFT_IDIOMS_CYCLES_H
#define MEMLIFT_IDIOMS_CYCLES_H

#include <vector>

namespace memlift {

/// Reason for keeping a loop that several edges enter; also used for those that a
/// compiler's own analysis finds.
inline constexpr const char *EnteredInSeveralPlaces = "the loop can be entered in several places";

/// A control-flow graph: the successors of each block. Block 0 is the entry.
using FlowGraph = std::vector<std::vector<unsigned>>;

/// Returns the cycles that can be entered at more than one block and contain no other
/// cycle: Duff's device, and gotos into a loop. Blocks are in rising order.
std::vector<std::vector<unsigned>> multiEntryCycles(const FlowGraph &graph);

} // namespace memlift

#endif
