/* mars/task_barrier.h - barriers of tasks, in two steps
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef MARS_TASK_BARRIER_H
#define MARS_TASK_BARRIER_H

#include <stdint.h>
#include <mars/error.h>
#include <mars/task_barrier_types.h>

struct mars_context;

#if defined(__cplusplus)
extern "C" {
#endif

#if !defined(MEMLIFT_MPU)
/* total: 1 or more. */
int mars_task_barrier_create(struct mars_context *context, uint64_t *barrier_ea, uint32_t total);
int mars_task_barrier_destroy(uint64_t barrier_ea); /* MARS_ERROR_STATE: somebody waits */
#endif

/* A round has `total` notifications and as many waits. A notification of the next round waits until
 * all waits of this one are over; a wait waits for all notifications. */
int mars_task_barrier_notify(uint64_t barrier_ea);
int mars_task_barrier_try_notify(uint64_t barrier_ea);
int mars_task_barrier_wait(uint64_t barrier_ea);
int mars_task_barrier_try_wait(uint64_t barrier_ea);

#if defined(__cplusplus)
}
#endif

#endif
