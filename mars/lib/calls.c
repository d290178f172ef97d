/* calls.c - the table by which MPU programs reach this library
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "mars.h"

#include <stdio.h>

static int yield(void) { return memlift_mars_error(memlift_task_yield()); }

static int signal_wait(int try_only) {
  return memlift_mars_error(memlift_signal_wait(try_only ? 0 : MEMLIFT_FOR_EVER));
}

static const struct mars_task_id *get_id(const struct memlift_mars_task *task) { return &task->id; }

static uint16_t get_kernel_id(void) { return (uint16_t)memlift_task_unit(); }

static int print(const char *format, va_list args) {
  if (memlift_mars_is_unit())
    return memlift_mars_remote_print(format, args);
  int count = vprintf(format, args);
  fflush(stdout);
  return count;
}

const struct memlift_mpu_calls memlift_mars_calls = {
    .task_schedule = mars_task_schedule,
    .task_unschedule = mars_task_unschedule,
    .task_wait = mars_task_wait,
    .task_try_wait = mars_task_try_wait,
    .task_exit = memlift_mars_task_exit,
    .task_yield = yield,
    .call_host = memlift_mars_call_host,
    .get_id = get_id,
    .get_kernel_id = get_kernel_id,
    .get_ticks = mars_get_ticks,
    .print = print,
    .ea_memalign = mars_ea_memalign,
    .realloc = mars_realloc,
    .ea_free = mars_ea_free,
    .signal_send = mars_task_signal_send,
    .signal_wait = signal_wait,
    .semaphore_acquire = mars_task_semaphore_acquire,
    .semaphore_release = mars_task_semaphore_release,
    .barrier_notify = memlift_mars_barrier_notify,
    .barrier_wait = memlift_mars_barrier_wait,
    .event_flag_clear = mars_task_event_flag_clear,
    .event_flag_set = mars_task_event_flag_set,
    .event_flag_wait = memlift_mars_event_flag_wait,
    .queue_count = mars_task_queue_count,
    .queue_clear = mars_task_queue_clear,
    .queue_move = memlift_mars_queue_move,
    .queue_begin = memlift_mars_queue_begin,
    .queue_end = memlift_mars_queue_end,
    .mutex_lock = mars_mutex_lock,
    .mutex_unlock = mars_mutex_unlock,
    .mutex_lock_get = mars_mutex_lock_get,
    .mutex_unlock_put = mars_mutex_unlock_put,
    .move = memlift_mars_move,
    .fence = memlift_mars_fence,
    .tags_wait = memlift_mars_tags_wait,
    .line_get = memlift_mars_line_get,
    .line_put = memlift_mars_line_put,
    .is_strict = memlift_mars_strict,
    .refuse = memlift_mars_refuse,
    .ea_copy = memlift_mars_copy,
};
