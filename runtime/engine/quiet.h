/* quiet.h - threads of the library's own
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef MEMLIFT_QUIET_H
#define MEMLIFT_QUIET_H

#include <pthread.h>

#pragma GCC visibility push(hidden)

/* A thread with all signals blocked: a program's handlers never run on one that it did not make. The
 * stack is a small one. 0, or an error number. */
int memlift_quiet_thread(pthread_t *thread, void *(*body)(void *), void *state);

#pragma GCC visibility pop

#endif
