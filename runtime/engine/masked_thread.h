/* masked_thread.h - the library's own threads, which run with all signals blocked
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The system delivers a signal of the process to any thread that does not block it. A program's
 * handlers must not run on a thread that the program did not create, so these threads block all.
 */
#ifndef MEMLIFT_MASKED_THREAD_H
#define MEMLIFT_MASKED_THREAD_H

#include <pthread.h>

#pragma GCC visibility push(hidden)

/* Creates a thread with all signals blocked and a small stack. Returns 0 or an error number. */
int memlift_masked_thread_create(pthread_t *thread, void *(*body)(void *), void *state);

/* Joins a thread that was created above. */
void memlift_masked_thread_join(pthread_t thread);

/* Ends the process, as its last thread does, once main and all other threads of the program have
 * ended by pthread_exit: the system counts the library's threads as well and would keep the process
 * for ever. Called by a thread of the library that has slept for long and has nothing to do.
 * Returns when the program still runs. */
void memlift_masked_thread_exit_if_alone(void);

#pragma GCC visibility pop

#endif
