// parts.h - loops that write several regions: one operation after the other
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MEMLIFT_IDIOMS_RECOGNIZE_PARTS_H
#define MEMLIFT_IDIOMS_RECOGNIZE_PARTS_H

#include "recognize.h"

namespace memlift {

/// Judges a loop that is no one operation. `common` is what holds for every idiom, none
/// of it failed; false and `match` as it was if the loop is no row of operations.
bool recognizeParts(Loop &loop, const Match &common, Match &match);

} // namespace memlift

#endif
