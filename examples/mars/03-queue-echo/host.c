// host.c - sends requests to tasks by a queue, and gets the answers by another one
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <libspe2.h>
#include <mars/task.h>
#include <stdio.h>

#include "message.h"

#define TASKS 3
#define REQUESTS 200

extern spe_program_handle_t mpu_prog;

static uint64_t results[REQUESTS];

static void receive(uint64_t answers_ea) {
  struct message m;
  if (mars_task_queue_pop(answers_ea, &m) == MARS_SUCCESS)
    results[m.number] = m.result;
}

int main(void) {
  struct mars_context *mars;
  struct mars_task_id id[TASKS];
  struct mars_task_args args;
  uint64_t requests_ea, answers_ea, wrong = 0;
  int32_t code, served = 0;
  if (mars_context_create(&mars, 2, 1) != MARS_SUCCESS ||
      mars_task_queue_create(mars, &requests_ea, sizeof(struct message), 10,
                             MARS_TASK_QUEUE_HOST_TO_MPU) != MARS_SUCCESS ||
      mars_task_queue_create(mars, &answers_ea, sizeof(struct message), 10,
                             MARS_TASK_QUEUE_MPU_TO_HOST) != MARS_SUCCESS)
    return 1;
  args.type.u64[0] = requests_ea;
  args.type.u64[1] = answers_ea;
  for (int i = 0; i < TASKS; i++) {
    if (mars_task_create(mars, &id[i], "echo", mpu_prog.elf_image,
                         MARS_TASK_CONTEXT_SAVE_SIZE_MAX) != MARS_SUCCESS)
      return 1;
    mars_task_schedule(&id[i], &args, 10);
  }
  for (uint32_t i = 0; i < REQUESTS; i++) {
    struct message m = {i, 1 + i % 3, i, 7, 0};
    mars_task_queue_push(requests_ea, &m);
    if (i >= 5)
      receive(answers_ea);
  }
  for (int i = 0; i < 5; i++)
    receive(answers_ea);
  for (int i = 0; i < TASKS; i++) {
    struct message end = {0, 0, 0, 0, 0};
    mars_task_queue_push(requests_ea, &end);
  }
  for (int i = 0; i < TASKS; i++) {
    mars_task_wait(&id[i], &code);
    served += code;
    mars_task_destroy(&id[i]);
  }
  for (uint32_t i = 0; i < REQUESTS; i++)
    wrong += results[i] != (i % 3 == 0 ? i + 7 : i % 3 == 1 ? i * 7 : i ^ 7);
  printf("%d requests served, %d wrong\n", served, (int)wrong);
  int first = mars_task_queue_destroy(requests_ea), second = mars_task_queue_destroy(answers_ea);
  printf("destroy: %d %d %d\n", first, second, mars_context_destroy(mars));
  return 0;
}
