/* comparisons_impl.h - the comparisons of one vector width
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * KEEPS marks each byte at which a comparison goes on.
 */
#define MISMATCH NAME(memlift_mismatch)
#define SCALAR NAME(mismatch_bytes)
#define TURN NAME(mismatch_turn)
#define PREPARE (void)what
#define KEEPS(a, b) EQUAL8(a, b)
#include "compare_impl.h"
#undef MISMATCH
#undef SCALAR
#undef TURN
#undef PREPARE
#undef KEEPS

#define MISMATCH NAME(memlift_mismatch_or)
#define SCALAR NAME(mismatch_or_bytes)
#define TURN NAME(mismatch_or_turn)
#define PREPARE const VECTOR first = SPLAT8(what)
#define KEEPS(a, b) EQUAL8_UNLESS(a, b, first)
#define ENDS_EARLY 1
#include "compare_impl.h"
#undef MISMATCH
#undef SCALAR
#undef TURN
#undef PREPARE
#undef KEEPS
