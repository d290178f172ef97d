/* mars/task_semaphore.h - semaphores of tasks
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef MARS_TASK_SEMAPHORE_H
#define MARS_TASK_SEMAPHORE_H

#include <stdint.h>
#include <mars/error.h>
#include <mars/task_semaphore_types.h>

struct mars_context;

#if defined(__cplusplus)
extern "C" {
#endif

#if !defined(MEMLIFT_MPU)
/* count: 0 or more. */
int mars_task_semaphore_create(struct mars_context *context, uint64_t *semaphore_ea, int32_t count);
int mars_task_semaphore_destroy(uint64_t semaphore_ea); /* MARS_ERROR_STATE: somebody waits */
#endif

/* First come, first served. The host may call them, too, which MARS has not. */
int mars_task_semaphore_acquire(uint64_t semaphore_ea);
int mars_task_semaphore_release(uint64_t semaphore_ea);

#if defined(__cplusplus)
}
#endif

#endif
