// mpu.c - writes a number in each round, and looks at those of all others behind the barrier
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <dma/spu_dma.h>
#include <mars/task.h>

#define TASKS 10
#define ROUNDS 3

int mars_task_main(const struct mars_task_args *args) {
  uint64_t barrier_ea = args->type.u64[0], table_ea = args->type.u64[1];
  uint32_t self = args->type.u32[4], missing = 0;

  for (uint32_t round = 0; round < ROUNDS; round++) {
    uint64_t row_ea = table_ea + round * TASKS * sizeof(uint32_t);
    spu_dma_put_uint32((round + 1) * (self + 1), row_ea + self * sizeof(uint32_t), 0, 0, 0);
    mars_task_barrier_notify(barrier_ea);
    mars_task_barrier_wait(barrier_ea);
    for (uint32_t i = 0; i < TASKS; i++)
      missing +=
          spu_dma_get_uint32(row_ea + i * sizeof(uint32_t), 0, 0, 0) != (round + 1) * (i + 1);
  }
  return (int)missing;
}
