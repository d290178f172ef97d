/* mars/task_event_flag.h - 32 flags to wait for
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef MARS_TASK_EVENT_FLAG_H
#define MARS_TASK_EVENT_FLAG_H

#include <stdint.h>
#include <mars/error.h>
#include <mars/task_event_flag_types.h>

struct mars_context;

#if defined(__cplusplus)
extern "C" {
#endif

#if !defined(MEMLIFT_MPU)
int mars_task_event_flag_create(struct mars_context *context, uint64_t *event_flag_ea,
                                uint8_t direction, uint8_t clear_mode);
int mars_task_event_flag_destroy(uint64_t event_flag_ea); /* MARS_ERROR_STATE: somebody waits */
#endif

int mars_task_event_flag_clear(uint64_t event_flag_ea, uint32_t bits);

/* MARS_ERROR_STATE: the flag's direction has the caller on the other side. */
int mars_task_event_flag_set(uint64_t event_flag_ea, uint32_t bits);

/* *bits, unless that is NULL, are the bits of mask that were set; those outside of it are 0, where
 * MARS gives them, too. */
int mars_task_event_flag_wait(uint64_t event_flag_ea, uint32_t mask, uint8_t mask_mode,
                              uint32_t *bits);
int mars_task_event_flag_try_wait(uint64_t event_flag_ea, uint32_t mask, uint8_t mask_mode,
                                  uint32_t *bits);

#if defined(__cplusplus)
}
#endif

#endif
