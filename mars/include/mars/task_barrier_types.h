/* mars/task_barrier_types.h - constants of barriers
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef MARS_TASK_BARRIER_TYPES_H
#define MARS_TASK_BARRIER_TYPES_H

#define MARS_TASK_BARRIER_WAIT_MAX 25 /* of MARS; here a barrier may be of more tasks */

struct mars_task_barrier;

#endif
