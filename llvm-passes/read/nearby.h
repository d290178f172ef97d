// nearby.h - accesses beside a loop to the bytes that it reads or writes
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MEMLIFT_LLVM_READ_NEARBY_H
#define MEMLIFT_LLVM_READ_NEARBY_H

#include "read/binding.h"

namespace memlift {

/// Says of a loop or call whether bytes that it stores are loaded soon after it, or bytes that it
/// loads are stored soon before it, if the target has routines that wait for that.
void addNeighbours(Env &env, LoopBinding &binding);

} // namespace memlift

#endif
