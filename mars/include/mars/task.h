/* mars/task.h - tasks of MARS, for the host and for the programs that memlift-mpu-cc compiles
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * MARS ran tasks on the SPEs of the Cell processor; here units of libmemlift run them (memlift's
 * tasks.h). The names, constants and structures are those of MARS, so that its programs compile.
 * Where both sides have a function, it is the same one. docs/user/mars.md is about porting.
 *
 *   results   MARS_SUCCESS or an error of mars/error.h
 *   threads   any number of callers; destroying is for the last user
 *   MPU       With MEMLIFT_MPU, which memlift-mpu-cc defines, the headers declare what tasks may
 *             call, else what the host may call.
 *   strict    With MEMLIFT_MARS=strict in its environment the program is held to the alignments of
 *             Cell: functions give MARS_ERROR_ALIGN, a bad transfer of spu_mfcio.h ends the program
 *             with a message. Without it any alignment is right.
 *   explain   MEMLIFT_MARS=explain tells on standard error why an image was refused.
 */
#ifndef MARS_TASK_H
#define MARS_TASK_H

#include <stdint.h>
#include <mars/base.h>
#include <mars/context.h>
#include <mars/error.h>
#include <mars/task_barrier.h>
#include <mars/task_event_flag.h>
#include <mars/task_queue.h>
#include <mars/task_semaphore.h>
#include <mars/task_signal.h>
#include <mars/task_types.h>

#if defined(__cplusplus)
extern "C" {
#endif

#if !defined(MEMLIFT_MPU)
/* elf_image: a program of memlift-mpu-cc. Each task has data of its own, which is as new in each
 * run. name: at most 21 bytes, or NULL. context_save_size: 0 to MARS_TASK_CONTEXT_SAVE_SIZE_MAX; a
 * task with 0 must not wait, one with more has a stack of 256 KiB.
 *   MARS_ERROR_FORMAT  this is no such image, or one for another machine or version
 *   MARS_ERROR_LIMIT   the context has 1024 tasks */
int mars_task_create(struct mars_context *context, struct mars_task_id *id, const char *name,
                     const void *elf_image, uint32_t context_save_size);

/* MARS_ERROR_STATE: it is scheduled and has not ended. */
int mars_task_destroy(struct mars_task_id *id);
#else
/* The program of a task. Its result is the task's exit code. */
int mars_task_main(const struct mars_task_args *args);

void mars_task_exit(int32_t exit_code) __attribute__((noreturn));

/* Lets the ready tasks of this MPU go first that are as urgent. MARS_ERROR_FORMAT: no save area. */
int mars_task_yield(void);

/* Has a host thread run *callback, and waits for it. Calls of a context run one after the other. */
int mars_task_call_host(uint64_t callback_ea, const struct mars_callback_args *in,
                        struct mars_callback_args *out);

uint16_t mars_task_get_kernel_id(void); /* number of the MPU, from 0 */
const struct mars_task_id *mars_task_get_id(void);
const char *mars_task_get_name(void); /* NULL: it has none */
#endif

/* args may be NULL, for zeros. priority: 255 is the most urgent.
 * MARS_ERROR_STATE: it is scheduled and has not ended. */
int mars_task_schedule(const struct mars_task_id *id, const struct mars_task_args *args,
                       uint8_t priority);

/* Takes back a task that has not begun. MARS_ERROR_STATE: it has, or is not scheduled. */
int mars_task_unschedule(const struct mars_task_id *id, int32_t exit_code);

/* exit_code may be NULL. MARS_ERROR_STATE: it was never scheduled, or is the caller. */
int mars_task_wait(const struct mars_task_id *id, int32_t *exit_code);
int mars_task_try_wait(const struct mars_task_id *id, int32_t *exit_code);

/* As mars_get_ticks of mars/base.h. */
uint32_t mars_task_get_ticks(void);

#if defined(__cplusplus)
}
#endif

#endif
