// host.c - an event goes from the host by two tasks back to the host
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <libspe2.h>
#include <mars/task.h>
#include <stdio.h>

#define ROUNDS 5

extern spe_program_handle_t mpu_prog;

int main(void) {
  static const uint8_t direction[3] = {MARS_TASK_EVENT_FLAG_HOST_TO_MPU,
                                       MARS_TASK_EVENT_FLAG_MPU_TO_MPU,
                                       MARS_TASK_EVENT_FLAG_MPU_TO_HOST};
  struct mars_context *mars;
  struct mars_task_id id[2];
  struct mars_task_args args;
  uint64_t flag_ea[3];
  uint32_t bits = 0;
  if (mars_context_create(&mars, 2, 0) != MARS_SUCCESS)
    return 1;
  for (int i = 0; i < 3; i++)
    if (mars_task_event_flag_create(mars, &flag_ea[i], direction[i],
                                    MARS_TASK_EVENT_FLAG_CLEAR_AUTO) != MARS_SUCCESS)
      return 1;
  for (int i = 0; i < 2; i++) {
    args.type.u64[0] = flag_ea[i];
    args.type.u64[1] = flag_ea[i + 1];
    args.type.u32[4] = ROUNDS;
    if (mars_task_create(mars, &id[i], i ? "second" : "first", mpu_prog.elf_image,
                         MARS_TASK_CONTEXT_SAVE_SIZE_MAX) != MARS_SUCCESS)
      return 1;
    mars_task_schedule(&id[i], &args, 0);
  }
  printf("the host may not set the last flag: %d\n", mars_task_event_flag_set(flag_ea[2], 1));
  printf("nor wait for the first one: %d\n",
         mars_task_event_flag_try_wait(flag_ea[0], 1, MARS_TASK_EVENT_FLAG_MASK_OR, &bits));
  for (uint32_t round = 0; round < ROUNDS; round++) {
    // A task waits for both halves: the first one alone does not wake it.
    mars_task_event_flag_set(flag_ea[0], 0x1u << round);
    mars_task_event_flag_set(flag_ea[0], 0x10000u << round);
    mars_task_event_flag_wait(flag_ea[2], 0xffffffff, MARS_TASK_EVENT_FLAG_MASK_OR, &bits);
    printf("round %u: %08x\n", round, bits);
  }
  for (int i = 0; i < 2; i++) {
    mars_task_wait(&id[i], NULL);
    mars_task_destroy(&id[i]);
  }
  for (int i = 0; i < 3; i++)
    mars_task_event_flag_destroy(flag_ea[i]);
  return mars_context_destroy(mars);
}
