/* search_impl.h - the searches and comparisons of one vector width
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * STOPS gives 0xff in each byte of a vector that is looked for.
 */
#define FIND NAME(memlift_find)
#define PREPARE const VECTOR first = SPLAT_BYTE(what)
#define STOPS(v) EQUAL8(v, first)
#include "find_impl.h"
#define FIND_LAST NAME(memlift_find_last)
#include "find_last_impl.h"
#undef FIND_LAST
#undef FIND
#undef PREPARE
#undef STOPS

#define FIND NAME(memlift_find_not)
#define PREPARE const VECTOR first = SPLAT_BYTE(what), ones = SPLAT_BYTE(0xff)
#define STOPS(v) XOR(EQUAL8(v, first), ones)
#include "find_impl.h"
#undef FIND
#undef PREPARE
#undef STOPS

#define FIND NAME(memlift_find_any)
#define PREPARE                                                                                    \
  const VECTOR first = SPLAT_BYTE(what), second = SPLAT_BYTE(what >> 8),                           \
               third = SPLAT_BYTE(what >> 16), fourth = SPLAT_BYTE(what >> 24)
#define STOPS(v)                                                                                   \
  OR(OR(EQUAL8(v, first), EQUAL8(v, second)), OR(EQUAL8(v, third), EQUAL8(v, fourth)))
#include "find_impl.h"
#undef FIND
#undef PREPARE
#undef STOPS

#define MISMATCH NAME(memlift_mismatch)
#define SCALAR NAME(mismatch_bytes)
#define TURN NAME(mismatch_turn)
#define PREPARE (void)what
#define KEEPS(a, equal) (equal)
#include "compare_impl.h"
#undef MISMATCH
#undef SCALAR
#undef TURN
#undef PREPARE
#undef KEEPS

#define MISMATCH NAME(memlift_mismatch_or)
#define SCALAR NAME(mismatch_or_bytes)
#define TURN NAME(mismatch_or_turn)
#define PREPARE const VECTOR first = SPLAT_BYTE(what)
#define KEEPS(a, equal) AND_NOT(EQUAL8(a, first), equal)
#define ENDS_EARLY 1
#include "compare_impl.h"
#undef MISMATCH
#undef SCALAR
#undef TURN
#undef PREPARE
#undef KEEPS
