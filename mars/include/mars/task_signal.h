/* mars/task_signal.h - one signal for each task
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef MARS_TASK_SIGNAL_H
#define MARS_TASK_SIGNAL_H

#include <mars/error.h>
#include <mars/task_types.h>

#if defined(__cplusplus)
extern "C" {
#endif

/* Ends mars_task_signal_wait of the task, or its next one, and no other wait.
 * MARS_ERROR_STATE: the task is not scheduled, or has ended. */
int mars_task_signal_send(const struct mars_task_id *id);

#if defined(MEMLIFT_MPU)
int mars_task_signal_wait(void);
int mars_task_signal_try_wait(void);
#endif

#if defined(__cplusplus)
}
#endif

#endif
