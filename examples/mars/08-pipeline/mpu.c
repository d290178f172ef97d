// mpu.c - a stage: pops four entries by begin and end, computes, and pushes them so
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mars/task.h>

#define OPEN 4

struct entry {
  uint32_t word[16];
} __attribute__((aligned(16)));

static struct entry in[OPEN], out[OPEN];

int mars_task_main(const struct mars_task_args *args) {
  uint64_t from_ea = args->type.u64[0], to_ea = args->type.u64[1];
  for (uint32_t done = 0; done < args->type.u32[4]; done += OPEN) {
    for (uint32_t i = 0; i < OPEN; i++)
      if (mars_task_queue_pop_begin(from_ea, &in[i], i) != MARS_SUCCESS)
        return 1;
    for (uint32_t i = OPEN; i-- > 0;) // in another order than they began
      if (mars_task_queue_pop_end(from_ea, i) != MARS_SUCCESS)
        return 2;
    for (uint32_t i = 0; i < OPEN; i++) {
      out[i] = in[i];
      out[i].word[1] *= 2;
      out[i].word[2]++;
      if (mars_task_queue_push_begin(to_ea, &out[i], i) != MARS_SUCCESS)
        return 3;
    }
    for (uint32_t i = 0; i < OPEN; i++)
      if (mars_task_queue_push_end(to_ea, i ^ 1) != MARS_SUCCESS)
        return 4;
  }
  return 0;
}
