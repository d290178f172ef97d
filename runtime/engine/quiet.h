/* quiet.h - threads of the library's own
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef MEMLIFT_QUIET_H
#define MEMLIFT_QUIET_H

#include <pthread.h>

#pragma GCC visibility push(hidden)

/* A thread with all signals blocked: a program's handlers never run on one that it did not make.
 * The stack is a small one. 0, or an error number. Threads are made and joined by whoever starts
 * and stops an engine, which is one thread at a time. */
int memlift_quiet_thread(pthread_t *thread, void *(*body)(void *), void *state);
void memlift_quiet_join(pthread_t thread);

/* Ends the process, as its last thread does, where main and all other threads of the program have
 * ended by pthread_exit: the system counts ours, too, and would keep the process for ever. For a
 * thread of ours that has slept for a long time and has nothing to do. Returns where the program
 * goes on. */
void memlift_quiet_leave_if_alone(void);

#pragma GCC visibility pop

#endif
