/* remote.h - remote access: memory copied by the system, never through a pointer of this thread
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * For the library's own threads. A bad address gives a short count. A load or store would raise a
 * signal there instead, which only the program's own thread may take.
 */
#ifndef MEMLIFT_REMOTE_H
#define MEMLIFT_REMOTE_H

#include <stddef.h>

#pragma GCC visibility push(hidden)
#if defined(__cplusplus)
extern "C" {
#endif

/* Copies size bytes; returns how many from the front are certainly right, size when no page was
 * missing or protected. Async-signal-safe, no cancellation point; may change errno. */
size_t memlift_remote_copy(void *to, const void *from, size_t size);

/* Returns 1 when this system allows remote access, else *reason says why not. errno is kept. */
int memlift_remote_is_available(const char **reason);

#if defined(__cplusplus)
}
#endif
#pragma GCC visibility pop

#endif
