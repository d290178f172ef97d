// host.c - ten tasks that meet at a barrier, in three rounds; the form of PSL1GHT
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mars/task.h>
#include <stdio.h>
#include <sys/spu.h>
#include <libspe2.h>

#define TASKS 10
#define ROUNDS 3

extern spe_program_handle_t mpu_prog;

// The number that each task has written in each round.
static u32 table[ROUNDS][TASKS] __attribute__((aligned(128)));

int main(void) {
  struct mars_context *mars_ctx;
  struct mars_task_id id[TASKS];
  struct mars_task_args args;
  u64 barrier_ea;
  s32 early = 0;

  sysSpuInitialize(6, 0);
  sysSpuPrintfInitialize(200, NULL);
  if (mars_context_create(&mars_ctx, 6, 200, 100) != MARS_SUCCESS ||
      mars_task_barrier_create(mars_ctx, &barrier_ea, TASKS) != MARS_SUCCESS)
    return 1;
  printf("%u MPUs\n", mars_context_get_num_mpus(mars_ctx));
  for (u32 i = 0; i < TASKS; i++) {
    char name[16];
    sprintf(name, "Task %u", i);
    if (mars_task_create(mars_ctx, &id[i], name, mpu_prog.elf_image,
                         MARS_TASK_CONTEXT_SAVE_SIZE_MAX) != MARS_SUCCESS)
      return 1;
    args.type.u64[0] = barrier_ea;
    args.type.u64[1] = mars_ptr_to_ea(table);
    args.type.u32[4] = i;
    mars_task_schedule(&id[i], &args, 0);
  }
  for (u32 i = 0; i < TASKS; i++) {
    s32 code;
    mars_task_wait(&id[i], &code);
    early += code;
    mars_task_destroy(&id[i]);
  }
  for (u32 round = 0; round < ROUNDS; round++) {
    u32 sum = 0;
    for (u32 i = 0; i < TASKS; i++)
      sum += table[round][i];
    printf("round %u: %u\n", round, sum);
  }
  printf("%d numbers were missing after a barrier\n", early);
  mars_task_barrier_destroy(barrier_ea);
  mars_context_destroy(mars_ctx);
  return 0;
}
