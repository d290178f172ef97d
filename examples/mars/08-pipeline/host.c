// host.c - three tasks in a row, each of which has several entries of a queue open
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <libspe2.h>
#include <mars/task.h>
#include <stdio.h>

#define STAGES 3
#define ENTRIES 500

extern spe_program_handle_t mpu_prog;

struct entry {
  uint32_t word[16];
} __attribute__((aligned(16)));

int main(void) {
  struct mars_context *mars;
  struct mars_task_id id[STAGES];
  struct mars_task_args args;
  uint64_t queue_ea[STAGES + 1];
  uint32_t wrong = 0, popped = 0, left;
  if (mars_context_create(&mars, 3, 0) != MARS_SUCCESS)
    return 1;
  for (int i = 0; i <= STAGES; i++) {
    uint8_t direction = i == 0        ? MARS_TASK_QUEUE_HOST_TO_MPU
                        : i == STAGES ? MARS_TASK_QUEUE_MPU_TO_HOST
                                      : MARS_TASK_QUEUE_MPU_TO_MPU;
    if (mars_task_queue_create(mars, &queue_ea[i], sizeof(struct entry), 12, direction))
      return 1;
  }
  for (int i = 0; i < STAGES; i++) {
    char name[16];
    sprintf(name, "stage %d", i);
    args.type.u64[0] = queue_ea[i];
    args.type.u64[1] = queue_ea[i + 1];
    args.type.u32[4] = ENTRIES;
    args.type.u32[5] = (uint32_t)i;
    if (mars_task_create(mars, &id[i], name, mpu_prog.elf_image, MARS_TASK_CONTEXT_SAVE_SIZE_MAX))
      return 1;
    mars_task_schedule(&id[i], &args, (uint8_t)i);
  }
  for (uint32_t pushed = 0; popped < ENTRIES;) {
    struct entry e = {{pushed, pushed}};
    if (pushed < ENTRIES && mars_task_queue_try_push(queue_ea[0], &e) == MARS_SUCCESS) {
      pushed++;
      continue;
    }
    mars_task_queue_pop(queue_ea[STAGES], &e);
    // In order; each stage has doubled the second word and counted the third up.
    wrong += e.word[0] != popped || e.word[1] != 8 * popped || e.word[2] != STAGES;
    popped++;
  }
  for (int i = 0; i < STAGES; i++) {
    mars_task_wait(&id[i], NULL);
    mars_task_destroy(&id[i]);
  }
  for (int i = 0; i <= STAGES; i++) {
    mars_task_queue_count(queue_ea[i], &left);
    wrong += left;
    mars_task_queue_destroy(queue_ea[i]);
  }
  printf("%u entries, %u wrong\n", popped, wrong);
  return mars_context_destroy(mars);
}
