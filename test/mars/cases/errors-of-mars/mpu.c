// mpu.c - what tasks of the test do
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../../check.h"

enum { HOLDS_OPEN, PUSHES, TWO_QUEUES, ACQUIRES, PUSHES_FULL, ENDS_OPEN };

static uint32_t data[6][4] __attribute__((aligned(16)));

static void hold_open(uint64_t queue_ea, uint64_t flag_ea) {
  data[0][0] = 100;
  EQUAL(mars_task_queue_push_begin(queue_ea, data[0], 3), MARS_SUCCESS);
  EQUAL(mars_task_event_flag_wait(flag_ea, 1, MARS_TASK_EVENT_FLAG_MASK_OR, NULL), MARS_SUCCESS);
  EQUAL(mars_task_queue_push_end(queue_ea, 2), MARS_ERROR_STATE); // another tag
  EQUAL(mars_task_queue_push_end(queue_ea, 3), MARS_SUCCESS);
  EQUAL(mars_task_queue_push_end(queue_ea, 3), MARS_ERROR_STATE);
}

// With one tag for all: an end is of the oldest begin.
static void use_two_queues(uint64_t a, uint64_t b) {
  for (uint32_t i = 0; i < 3; i++) {
    data[i][0] = 1000 + i, data[3 + i][0] = 2000 + i;
    EQUAL(mars_task_queue_push_begin(a, data[i], 1), MARS_SUCCESS);
    EQUAL(mars_task_queue_push_begin(b, data[3 + i], 1), MARS_SUCCESS);
  }
  for (uint32_t i = 0; i < 3; i++) {
    EQUAL(mars_task_queue_push_end(a, 1), MARS_SUCCESS);
    EQUAL(mars_task_queue_push_end(b, 1), MARS_SUCCESS);
  }
}

int mars_task_main(const struct mars_task_args *args) {
  uint64_t first = args->type.u64[0], second = args->type.u64[1];
  switch (args->type.u64[2]) {
  case HOLDS_OPEN: hold_open(first, second); break;
  case TWO_QUEUES: use_two_queues(first, second); break;
  case ACQUIRES:
    EQUAL(mars_task_semaphore_acquire(first), MARS_SUCCESS);
    EQUAL(mars_task_signal_wait(), MARS_SUCCESS);
    mars_ea_put_uint32(second, 1);
    break;
  case ENDS_OPEN:
    EQUAL(mars_task_queue_push_begin(first, data[0], 0), MARS_SUCCESS);
    mars_task_exit(0);
  default: // PUSHES, PUSHES_FULL
    data[0][0] = (uint32_t)second;
    EQUAL(mars_task_queue_push(first, data[0]), MARS_SUCCESS);
  }
  return 0;
}
