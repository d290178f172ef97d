// stream.h - cuts a loop into blocks whose arrays are moved to and from a local store
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// memlift("stream") asks for it. The loop's body stays as it is, so any value may be computed and
// carried, and the order of iterations is kept. What has to be proved is about memory only: which
// bytes each iteration touches, and that no iteration needs bytes too early or too late.
#ifndef MEMLIFT_IDIOMS_STREAM_H
#define MEMLIFT_IDIOMS_STREAM_H

#include "decide.h"

namespace memlift {

/// The result for a loop that is no single operation.
struct Streamed {
  Match match;       // all facts, and the condition for the guard; no idiom
  Decision decision; // kept, or with a plan
};
/// Adds expressions to loop.exprs only.
Streamed streamLoop(Loop &loop, const Options &options);

} // namespace memlift

#endif
