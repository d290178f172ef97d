/* search_impl.h - the searches of one vector width
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * STOPS marks each byte of a vector that is looked for.
 */
#define FIND NAME(memlift_find)
#define PREPARE const VECTOR first = SPLAT8(what)
#define STOPS(v) EQUAL8(v, first)
#include "find_impl.h"
#define FIND_LAST NAME(memlift_find_last)
#include "find_last_impl.h"
#undef FIND_LAST
#undef FIND
#undef PREPARE
#undef STOPS

#define FIND NAME(memlift_find_not)
#define PREPARE const VECTOR first = SPLAT8(what), ones = SPLAT8(0xff)
#define STOPS(v) UNEQUAL8(v, first, ones)
#include "find_impl.h"
#undef FIND
#undef PREPARE
#undef STOPS

#define FIND NAME(memlift_find_any)
#define PREPARE                                                                                    \
  const VECTOR first = SPLAT8(what), second = SPLAT8(what >> 8), third = SPLAT8(what >> 16),       \
               fourth = SPLAT8(what >> 24)
#define STOPS(v)                                                                                   \
  MARKS_OR(MARKS_OR(EQUAL8(v, first), EQUAL8(v, second)),                                          \
           MARKS_OR(EQUAL8(v, third), EQUAL8(v, fourth)))
#include "find_impl.h"
#undef FIND
#undef PREPARE
#undef STOPS
