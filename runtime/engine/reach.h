/* reach.h - memory reached through the system, never by a pointer
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * For threads that are not the program's: a bad address is a short count, and no signal that would
 * be the program's own thread's to take.
 */
#ifndef MEMLIFT_REACH_H
#define MEMLIFT_REACH_H

#include <stddef.h>

#pragma GCC visibility push(hidden)
#if defined(__cplusplus)
extern "C" {
#endif

/* Copies; returns the bytes from the front that are certainly right, size if nothing was in the
 * way. Async-signal-safe, no cancellation point; may change errno. */
size_t memlift_reach(void *to, const void *from, size_t size);

/* 1 when this system allows it, else *reason says why not. errno is kept. */
int memlift_reaches(const char **reason);

#if defined(__cplusplus)
}
#endif
#pragma GCC visibility pop

#endif
