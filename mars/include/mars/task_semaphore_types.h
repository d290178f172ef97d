/* mars/task_semaphore_types.h - constants of semaphores
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef MARS_TASK_SEMAPHORE_TYPES_H
#define MARS_TASK_SEMAPHORE_TYPES_H

#define MARS_TASK_SEMAPHORE_WAIT_MAX 55 /* of MARS; here any number may wait */

struct mars_task_semaphore;

#endif
