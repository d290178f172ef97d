/* mars/task_queue_types.h - constants of queues
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef MARS_TASK_QUEUE_TYPES_H
#define MARS_TASK_QUEUE_TYPES_H

/* Who pushes, and who pops. */
#define MARS_TASK_QUEUE_HOST_TO_MPU 0x10
#define MARS_TASK_QUEUE_MPU_TO_HOST 0x11
#define MARS_TASK_QUEUE_MPU_TO_MPU 0x12

#define MARS_TASK_QUEUE_WAIT_MAX 18          /* of MARS; here any number may wait */
#define MARS_TASK_QUEUE_ENTRY_SIZE_MAX 16384 /* bytes */

struct mars_task_queue;

#endif
