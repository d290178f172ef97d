/* mars/task_queue.h - queues between host and tasks
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef MARS_TASK_QUEUE_H
#define MARS_TASK_QUEUE_H

#include <stdint.h>
#include <mars/error.h>
#include <mars/task_queue_types.h>

struct mars_context;

#if defined(__cplusplus)
extern "C" {
#endif

#if !defined(MEMLIFT_MPU)
/* size: of an entry, 1 to 16384 bytes, in strict mode a multiple of 16. depth: 1 to 2^20. */
int mars_task_queue_create(struct mars_context *context, uint64_t *queue_ea, uint32_t size,
                           uint32_t depth, uint8_t direction);
int mars_task_queue_destroy(uint64_t queue_ea); /* MARS_ERROR_STATE: somebody waits */
#endif

int mars_task_queue_count(uint64_t queue_ea, uint32_t *count);

/* Drops all entries, and wakes those who wait to push. */
int mars_task_queue_clear(uint64_t queue_ea);

/* MARS_ERROR_STATE: the queue's direction has the caller on the other side.
 * MARS_ERROR_ALIGN: in strict mode, a task's data is no multiple of 16. */
int mars_task_queue_push(uint64_t queue_ea, const void *data);
int mars_task_queue_try_push(uint64_t queue_ea, const void *data);
int mars_task_queue_pop(uint64_t queue_ea, void *data);
int mars_task_queue_try_pop(uint64_t queue_ea, void *data);
int mars_task_queue_peek(uint64_t queue_ea, void *data);
int mars_task_queue_try_peek(uint64_t queue_ea, void *data);

#if defined(MEMLIFT_MPU)
/* In two steps. Up to 32 may be under way in a task, in any order and of any queues; an end is of
 * the oldest begin with the same queue and tag, MARS_ERROR_STATE if there is none. tag: 0 to 31. */
int mars_task_queue_push_begin(uint64_t queue_ea, const void *data, uint32_t tag);
int mars_task_queue_try_push_begin(uint64_t queue_ea, const void *data, uint32_t tag);
int mars_task_queue_push_end(uint64_t queue_ea, uint32_t tag);
int mars_task_queue_pop_begin(uint64_t queue_ea, void *data, uint32_t tag);
int mars_task_queue_try_pop_begin(uint64_t queue_ea, void *data, uint32_t tag);
int mars_task_queue_pop_end(uint64_t queue_ea, uint32_t tag);
int mars_task_queue_peek_begin(uint64_t queue_ea, void *data, uint32_t tag);
int mars_task_queue_try_peek_begin(uint64_t queue_ea, void *data, uint32_t tag);
int mars_task_queue_peek_end(uint64_t queue_ea, uint32_t tag);
#endif

#if defined(__cplusplus)
}
#endif

#endif
