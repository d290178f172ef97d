// host.c - tasks that count up a shared number, one at a time
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <libspe2.h>
#include <mars/task.h>
#include <stdio.h>

#define TASKS 16
#define RUNS 4

extern spe_program_handle_t mpu_prog;

static uint32_t shared_resource __attribute__((aligned(16)));

int main(void) {
  struct mars_context *context;
  struct mars_task_id id[TASKS];
  struct mars_task_args args;
  uint64_t semaphore_ea;
  int error = mars_context_create(&context, 0, 0);
  if (error != MARS_SUCCESS)
    return error;
  error = mars_task_semaphore_create(context, &semaphore_ea, 1);
  if (error != MARS_SUCCESS)
    return error;

  args.type.u64[0] = semaphore_ea;
  args.type.u64[1] = mars_ptr_to_ea(&shared_resource);
  for (int i = 0; i < TASKS; i++) {
    char name[16];
    snprintf(name, sizeof name, "Task %d", i);
    error = mars_task_create(context, &id[i], name, mpu_prog.elf_image,
                             MARS_TASK_CONTEXT_SAVE_SIZE_MAX);
    if (error != MARS_SUCCESS)
      return error;
  }
  for (int run = 0; run < RUNS; run++) {
    for (int i = 0; i < TASKS; i++)
      mars_task_schedule(&id[i], &args, 0);
    for (int i = 0; i < TASKS; i++)
      mars_task_wait(&id[i], NULL);
    printf("after run %d: %u\n", run, shared_resource);
  }
  for (int i = 0; i < TASKS; i++)
    mars_task_destroy(&id[i]);
  mars_task_semaphore_destroy(semaphore_ea);
  return mars_context_destroy(context);
}
