/* limits.h - sizes from which large copies and fills change their method, and who sets them
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Any value of any limit is right: the bytes are the same, only the time is not. They start as
 * what was measured where the kernels were written (x86/limits.h); MEMLIFT_LIMITS, which
 * memlift-info --calibrate prints, sets them for a machine. Sizes of caches are not asked for:
 * virtual machines report wrong ones.
 */
#ifndef MEMLIFT_LIMITS_H
#define MEMLIFT_LIMITS_H

#include <stddef.h>

#pragma GCC visibility push(hidden)
#if defined(__cplusplus)
extern "C" {
#endif

/* Bytes; SIZE_MAX: never. The string instructions are used from *_string to *_stream. */
struct memlift_limits {
  size_t copy_string; /* copies: string instructions from here on */
  size_t copy_stream; /* copies: stores that bypass the caches from here on */
  size_t fill_string; /* fills: string instructions from here on */
  /* fills of more than a byte: moved on from their own beginning from here on */
  size_t fill_repeat;
  /* copies and fills go to the engine in use from here on; 0: its own min_bytes */
  size_t engine;
};

/* Read and written member by member, relaxed. */
extern struct memlift_limits memlift_limits;

/* The text of MEMLIFT_LIMITS ("" when unset) and why it was not used, NULL when it was. */
extern char memlift_limits_requested[128];
extern const char *memlift_limits_refused;

/* Reads "copy-string=24K,fill-string=never" into *limits; what is not named stays.
 * NULL, or what is wrong with it, in which case *limits is unchanged. Never NULL for text of
 * sizeof memlift_limits_requested - 1 characters or more: that may have been cut. */
const char *memlift_read_limits(const char *text, struct memlift_limits *limits);

/* Sets all limits. */
void memlift_set_limits(const struct memlift_limits *limits);

/* The limits to start with on this machine. Defined once per architecture that has any. */
struct memlift_limits memlift_first_limits(void);

#if defined(__cplusplus)
}
#endif
#pragma GCC visibility pop

#endif
