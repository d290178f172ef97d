// mpu.c - the MPU's program on MARS's slide: a shared counter goes up by one
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From "Lesson learned on Cell/B.E. for Hetero Programming Model" (A. Tsukamoto, HPC Asia 2024),
// "MARS programing style (5/6)". MARS's samples define get and put for themselves, here a
// header does.
// options: -include mars/sample.h
#include <mars/task.h>

int mars_task_main(const struct mars_task_args *task_args) {
  uint64_t semaphore_ea = task_args->type.u64[0];
  uint64_t shared_resource_ea = task_args->type.u64[1];
  uint32_t shared_resource __attribute__((aligned(16)));

  mars_task_semaphore_acquire(semaphore_ea);

  get(&shared_resource, shared_resource_ea, sizeof(uint32_t));

  shared_resource++;

  put(&shared_resource, shared_resource_ea, sizeof(uint32_t));

  mars_task_semaphore_release(semaphore_ea);

  return 0;
}
