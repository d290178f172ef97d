// sequence.h - loops that write several regions: one operation after the other
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MEMLIFT_IDIOMS_RECOGNIZE_SEQUENCE_H
#define MEMLIFT_IDIOMS_RECOGNIZE_SEQUENCE_H

#include "recognize.h"

namespace memlift {

/// Judges a loop that is no single operation. `common` has the facts that hold for
/// every idiom, none of them failed. Returns false, with `match` unchanged, if the
/// loop is not a sequence of operations.
bool recognizeSequence(Loop &loop, const Match &common, Match &match);

} // namespace memlift

#endif
