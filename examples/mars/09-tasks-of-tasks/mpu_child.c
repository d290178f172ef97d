// mpu_child.c - the square of a number
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mars/task.h>

static uint32_t sum; // another one than the parent's

int mars_task_main(const struct mars_task_args *args) {
  for (uint32_t i = 0; i < args->type.u32[0]; i++)
    sum += args->type.u32[0];
  return (int)sum;
}
