// stream.h - cuts a nest into blocks that memlift_stream_next moves
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MEMLIFT_LLVM_WRITE_STREAM_H
#define MEMLIFT_LLVM_WRITE_STREAM_H

#include "write/write.h"

namespace memlift {

/// Returns whether the loop may be left where its test leaves it, after any iteration, and entered
/// again at its header.
bool isResumable(const llvm::Loop &loop);

/// Carries out a decision with a StreamPlan. The binding's IR pointers stay valid.
void streamLoop(Env &env, LoopBinding &binding, const Decision &decision);

} // namespace memlift

#endif
