// host.c - tasks share work by a line that is locked by getllar and putllc; none of them may wait
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <libspe2.h>
#include <mars/task.h>
#include <stdio.h>

#include "line.h"

#define TASKS 8
#define ITEMS 5000

extern spe_program_handle_t mpu_prog;

static struct line line = {.batch = 16, .total = ITEMS};
static uint16_t done[ITEMS] __attribute__((aligned(128)));

int main(void) {
  struct mars_context *mars;
  struct mars_task_id id[TASKS];
  struct mars_task_args args;
  uint32_t wrong = 0, batches = 0;
  if (mars_context_create(&mars, 4, 0) != MARS_SUCCESS)
    return 1;
  for (uint32_t i = 0; i < TASKS; i++) {
    // Save size 0: as the physics engine has it that this is the shape of.
    if (mars_task_create(mars, &id[i], "worker", mpu_prog.elf_image, 0) != MARS_SUCCESS)
      return 1;
    args.type.u64[0] = mars_ptr_to_ea(&line);
    args.type.u64[1] = mars_ptr_to_ea(done);
    args.type.u32[4] = i;
    mars_task_schedule(&id[i], &args, (uint8_t)i);
  }
  for (int i = 0; i < TASKS; i++) {
    mars_task_wait(&id[i], NULL);
    mars_task_destroy(&id[i]);
  }
  for (uint32_t i = 0; i < ITEMS; i++)
    wrong += done[i] != (uint16_t)(i * i + 1);
  for (int i = 0; i < TASKS; i++)
    batches += line.batches[i];
  printf("%u batches, %u items wrong\n", batches, wrong);
  return mars_context_destroy(mars);
}
