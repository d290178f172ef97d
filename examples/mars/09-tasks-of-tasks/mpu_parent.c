// mpu_parent.c - schedules a task for each number, and adds up their exit codes
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mars/task.h>
#include <spu_mfcio.h>

static struct mars_task_id child[8] __attribute__((aligned(16)));
static int sum; // is 0 at the beginning of each run

int mars_task_main(const struct mars_task_args *args) {
  uint32_t children = args->type.u32[2];
  struct mars_task_args numbers;
  int32_t code;
  mfc_get(child, args->type.u64[0], children * sizeof *child, 0, 0, 0);
  mfc_write_tag_mask(1);
  mfc_read_tag_status_all();
  for (uint32_t i = 0; i < children; i++) {
    numbers.type.u32[0] = args->type.u32[3] + i;
    if (mars_task_schedule(&child[i], &numbers, 100) != MARS_SUCCESS)
      return -1;
  }
  for (uint32_t i = 0; i < children; i++) {
    if (mars_task_wait(&child[i], &code) != MARS_SUCCESS)
      return -2;
    sum += code;
  }
  return sum;
}
