// stream.h - cuts a nest into blocks that memlift_stream_next moves
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MEMLIFT_GCC_WRITE_STREAM_H
#define MEMLIFT_GCC_WRITE_STREAM_H

#include "../../idioms/decide/decide.h"
#include "../read/binding.h"

namespace memlift {

/// Returns whether the nest may be left where its test leaves it, after any iteration, and entered
/// again at its header.
bool isResumable(const Nest &nest, const LoopBinding &binding);

/// Carries out a decision with a StreamPlan.
void streamNest(const Nest &nest, LoopBinding &binding, const Decision &decision);

/// Has a loop use copies of the values that are defined before it. They are made before the
/// statement `before`.
void separateValues(class loop *loop, gimple *before, location_t where);

/// Keeps the declarations of the runtime's functions from the garbage collector.
void keepStreamDeclarations(const char *pluginName);

} // namespace memlift

#endif
