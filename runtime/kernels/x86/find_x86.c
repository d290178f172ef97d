/* find_x86.c - searches for x86-64, one variant per vector width
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The methods are in find_impl.h and find_last_impl.h.
 */
#if defined(__x86_64__)
#include "../search.h"
#include "lanes.h"

#define MARKED_IMPL "search_impl.h"
#include "marks_levels.h"
#else
typedef int memlift_not_x86; /* a translation unit must not be empty */
#endif
