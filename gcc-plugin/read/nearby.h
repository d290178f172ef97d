// nearby.h - accesses beside a loop to the bytes that it reads or writes
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MEMLIFT_GCC_READ_NEARBY_H
#define MEMLIFT_GCC_READ_NEARBY_H

#include "binding.h"

namespace memlift {

/// Says whether bytes that the loop stores are loaded soon after it, or bytes that it loads are
/// stored soon before it, if the target has routines that wait for that.
void addNeighbours(const Nest &nest, Loop &model);
/// Says the same of a call.
void addNeighbours(gimple *call, Loop &model);

} // namespace memlift

#endif
