/* mars/task_event_flag_types.h - constants of event flags
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef MARS_TASK_EVENT_FLAG_TYPES_H
#define MARS_TASK_EVENT_FLAG_TYPES_H

/* Who sets, and who waits. */
#define MARS_TASK_EVENT_FLAG_HOST_TO_MPU 0x10
#define MARS_TASK_EVENT_FLAG_MPU_TO_HOST 0x11
#define MARS_TASK_EVENT_FLAG_MPU_TO_MPU 0x12

#define MARS_TASK_EVENT_FLAG_CLEAR_AUTO 0x20   /* a wait clears the bits that it waited for */
#define MARS_TASK_EVENT_FLAG_CLEAR_MANUAL 0x21 /* bits stay */

#define MARS_TASK_EVENT_FLAG_MASK_OR 0x30  /* any bit of the mask ends a wait */
#define MARS_TASK_EVENT_FLAG_MASK_AND 0x31 /* all of them together do */

#define MARS_TASK_EVENT_FLAG_WAIT_MAX 15 /* of MARS; here any number may wait */

struct mars_task_event_flag;

#endif
