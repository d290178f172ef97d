// host.c - two tasks that wake each other by signals, and a number that goes back and forth
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <libspe2.h>
#include <mars/task.h>
#include <stdio.h>

#define ROUNDS 100

extern spe_program_handle_t mpu_prog;

static struct mars_task_id id[2] __attribute__((aligned(16)));
static uint32_t number __attribute__((aligned(128)));

int main(void) {
  struct mars_context *mars;
  struct mars_task_args args;
  int32_t code[2];
  if (mars_context_create(&mars, 2, 0) != MARS_SUCCESS)
    return 1;
  for (int i = 0; i < 2; i++)
    if (mars_task_create(mars, &id[i], i ? "pong" : "ping", mpu_prog.elf_image,
                         MARS_TASK_CONTEXT_SAVE_SIZE_MAX) != MARS_SUCCESS)
      return 1;
  for (int i = 0; i < 2; i++) {
    args.type.u64[0] = mars_ptr_to_ea(&id[1 - i]);
    args.type.u64[1] = mars_ptr_to_ea(&number);
    args.type.u32[4] = ROUNDS;
    mars_task_schedule(&id[i], &args, 0);
  }
  mars_task_signal_send(&id[0]);
  for (int i = 0; i < 2; i++)
    mars_task_wait(&id[i], &code[i]);
  printf("%u turns, the last ones %d and %d\n", number, code[0], code[1]);
  printf("a signal to a task that has ended: %d\n", mars_task_signal_send(&id[0]));
  for (int i = 0; i < 2; i++)
    mars_task_destroy(&id[i]);
  printf("and to one that is no more: %d\n", mars_task_signal_send(&id[0]));
  return mars_context_destroy(mars);
}
