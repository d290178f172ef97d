// mpu.c - returns at once, acquires a semaphore, or looks at what calls of a task give
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../../check.h"
#include <mars/mutex.h>

static uint64_t entry[2] __attribute__((aligned(16)));

static void look(uint64_t queue_ea, uint64_t mutex_ea, int blocks) {
  int wrong = blocks ? MARS_SUCCESS : MARS_ERROR_FORMAT;
  const struct mars_task_id *self = mars_task_get_id();
  struct mars_callback_args in = {.type.u32 = {0}}, out;
  struct mars_mutex line;
  EQUAL(strcmp(mars_task_get_name(), "self"), 0);
  EQUAL(strcmp((const char *)self->name, "self"), 0);
  CHECK(mars_task_get_kernel_id() < 2);
  EQUAL(mars_task_wait(self, NULL), MARS_ERROR_STATE);
  EQUAL(mars_task_schedule(self, NULL, 0), MARS_ERROR_STATE);
  EQUAL(mars_task_signal_try_wait(), MARS_ERROR_BUSY);
  EQUAL(mars_task_signal_send(self), MARS_SUCCESS);
  EQUAL(mars_task_signal_wait(), MARS_SUCCESS);
  EQUAL(mars_task_yield(), wrong);
  EQUAL(mars_task_call_host(0, &in, &out), MARS_ERROR_NULL);
  if (!blocks)
    EQUAL(mars_task_call_host(1, &in, &out), MARS_ERROR_FORMAT);
  EQUAL(mars_task_queue_try_pop(queue_ea, entry), MARS_ERROR_STATE);
  EQUAL(mars_task_queue_try_push_begin(queue_ea, entry, 32), MARS_ERROR_PARAMS);
  EQUAL(mars_task_queue_push_end(queue_ea, 32), MARS_ERROR_PARAMS);
  EQUAL(mars_task_queue_push_end(queue_ea, 1), MARS_ERROR_STATE);
  EQUAL(mars_task_queue_pop_end(queue_ea, 1), MARS_ERROR_STATE);
  for (int i = 0; i < 1000; i++) {
    EQUAL(mars_mutex_lock_get(mutex_ea, &line), MARS_SUCCESS);
    uint32_t count;
    memcpy(&count, line.pad, sizeof count);
    count++;
    memcpy(line.pad, &count, sizeof count);
    EQUAL(mars_mutex_unlock_put(mutex_ea, &line), MARS_SUCCESS);
  }
}

int mars_task_main(const struct mars_task_args *args) {
  if (args->type.u64[2]) {
    look(args->type.u64[0], args->type.u64[1], (int)args->type.u64[3]);
    mars_task_exit(17);
  }
  if (!args->type.u64[0])
    return 0;
  EQUAL(mars_task_semaphore_acquire(args->type.u64[0]), MARS_SUCCESS);
  return 1;
}
