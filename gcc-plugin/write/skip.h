// skip.h - enters a loop at the iteration that it ends in
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MEMLIFT_GCC_WRITE_SKIP_H
#define MEMLIFT_GCC_WRITE_SKIP_H

#include "../../idioms/decide/decide.h"
#include "../read/binding.h"

namespace memlift {

/// Enters a loop that ends at what it reads where the decision finds that it ends.
void skipAhead(class loop *loop, LoopBinding &binding, const Decision &decision);

} // namespace memlift

#endif
