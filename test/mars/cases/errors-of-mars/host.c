// host.c - what the published MARS does wrong, as tests of ours: tasks.md, errors 1, 2, 3 and 6
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../../check.h"
#include <libspe2.h>
#include <pthread.h>
#include <unistd.h>

extern spe_program_handle_t mpu_prog;

enum { HOLDS_OPEN, PUSHES, TWO_QUEUES, ACQUIRES, PUSHES_FULL, ENDS_OPEN };

static struct mars_context *mars;

static struct mars_task_id start(uint32_t what, uint64_t first, uint64_t second) {
  struct mars_task_args args = {.type.u64 = {first, second, what}};
  struct mars_task_id id = make_task(mars, "t", mpu_prog.elf_image, 4096);
  EQUAL(mars_task_schedule(&id, &args, 0), MARS_SUCCESS);
  return id;
}

static void end(struct mars_task_id *id) {
  EQUAL(code_of(id), 0);
  EQUAL(mars_task_destroy(id), MARS_SUCCESS);
}

static uint64_t queue(uint32_t depth, uint8_t direction) {
  uint64_t ea = 0;
  EQUAL(mars_task_queue_create(mars, &ea, 16, depth, direction), MARS_SUCCESS);
  return ea;
}

// 1: between begin and end MARS holds the queue's lock; others, and the host, stop.
static void queues_are_in_use_between_begin_and_end(void) {
  uint64_t q = queue(8, MARS_TASK_QUEUE_MPU_TO_HOST), flag = 0;
  EQUAL(mars_task_event_flag_create(mars, &flag, MARS_TASK_EVENT_FLAG_HOST_TO_MPU,
                                    MARS_TASK_EVENT_FLAG_CLEAR_MANUAL),
        MARS_SUCCESS);
  uint32_t data[4], count = 0;
  struct mars_task_id holder = start(HOLDS_OPEN, q, flag);
  while (count < 1)
    mars_task_queue_count(q, &count);
  struct mars_task_id other = start(PUSHES, q, 7);
  end(&other); // though the place before its own is not filled
  EQUAL(mars_task_queue_try_pop(q, data), MARS_ERROR_BUSY);
  EQUAL(mars_task_event_flag_set(flag, 1), MARS_SUCCESS);
  EQUAL(mars_task_queue_pop(q, data), MARS_SUCCESS);
  EQUAL(data[0], 100); // in the order of the begins
  EQUAL(mars_task_queue_pop(q, data), MARS_SUCCESS);
  EQUAL(data[0], 7);
  end(&holder);

  // A task that ends with a push open stops MARS's queue for good.
  for (uint32_t depth = 3; depth <= 4; depth++) {
    uint64_t left = queue(depth, MARS_TASK_QUEUE_MPU_TO_HOST);
    for (uint32_t i = 0; i < 9; i++) {
      struct mars_task_id forgets = start(ENDS_OPEN, left, 0);
      end(&forgets);
      struct mars_task_id pushes = start(PUSHES, left, i);
      end(&pushes);
      EQUAL(mars_task_queue_pop(left, data), MARS_SUCCESS);
      EQUAL(data[0], i);
    }
    EQUAL(mars_task_queue_destroy(left), MARS_SUCCESS);
  }
  EQUAL(mars_task_queue_destroy(q), MARS_SUCCESS);
  EQUAL(mars_task_event_flag_destroy(flag), MARS_SUCCESS);
}

// 2: one static copy of the queue: two begins in flight write the one's state over the other's.
static void begins_on_two_queues_keep_apart(void) {
  uint64_t a = queue(4, MARS_TASK_QUEUE_MPU_TO_HOST), b = queue(4, MARS_TASK_QUEUE_MPU_TO_HOST);
  uint32_t data[4], count;
  struct mars_task_id task = start(TWO_QUEUES, a, b);
  end(&task);
  for (uint32_t i = 0; i < 3; i++) {
    EQUAL(mars_task_queue_pop(a, data), MARS_SUCCESS);
    EQUAL(data[0], 1000 + i);
    EQUAL(mars_task_queue_pop(b, data), MARS_SUCCESS);
    EQUAL(data[0], 2000 + i);
  }
  EQUAL(mars_task_queue_count(a, &count) || count, 0);
  EQUAL(mars_task_queue_count(b, &count) || count, 0);
  EQUAL(mars_task_queue_destroy(a), MARS_SUCCESS);
  EQUAL(mars_task_queue_destroy(b), MARS_SUCCESS);
}

// 3: a signal to a task that waits for a semaphore gives it the semaphore.
static void signals_grant_nothing(void) {
  uint64_t semaphore = 0, line = mars_ea_memalign(128, 128);
  EQUAL(mars_task_semaphore_create(mars, &semaphore, 0), MARS_SUCCESS);
  mars_ea_put_uint32(line, 0);
  struct mars_task_id task = start(ACQUIRES, semaphore, line);
  int32_t code;
  for (int i = 0; i < 20; i++) {
    EQUAL(mars_task_signal_send(&task), MARS_SUCCESS);
    usleep(500);
    EQUAL(mars_task_try_wait(&task, &code), MARS_ERROR_BUSY);
  }
  EQUAL(mars_task_semaphore_release(semaphore), MARS_SUCCESS);
  end(&task);
  EQUAL(mars_ea_get_uint32(line), 1); // the signal was kept for mars_task_signal_wait
  EQUAL(mars_task_semaphore_destroy(semaphore), MARS_SUCCESS);
  mars_ea_free(line);
}

// 6: a clear by the host wakes one and the same pusher again and again.
static void clear_wakes_all_pushers(void) {
  for (uint32_t depth = 2; depth <= 3; depth++) {
    uint64_t q = queue(depth, MARS_TASK_QUEUE_MPU_TO_HOST);
    struct mars_task_id task[6];
    uint32_t data[4], count = 0, popped = 0;
    for (int i = 0; i < 6; i++)
      task[i] = start(PUSHES_FULL, q, 0);
    while (count < depth)
      mars_task_queue_count(q, &count);
    usleep(2000); // the others wait by now; if not, the test asks for less
    EQUAL(mars_task_queue_clear(q), MARS_SUCCESS);
    while (popped < 6 - depth) {
      EQUAL(mars_task_queue_pop(q, data), MARS_SUCCESS);
      popped++;
    }
    for (int i = 0; i < 6; i++)
      end(&task[i]);
    EQUAL(mars_task_queue_destroy(q), MARS_SUCCESS);
  }
}

int main(void) {
  EQUAL(mars_context_create(&mars, 2, 0), MARS_SUCCESS);
  queues_are_in_use_between_begin_and_end();
  begins_on_two_queues_keep_apart();
  signals_grant_nothing();
  clear_wakes_all_pushers();
  EQUAL(mars_context_destroy(mars), MARS_SUCCESS);
  printf("done\n");
  return 0;
}
