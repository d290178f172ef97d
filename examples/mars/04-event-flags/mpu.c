// mpu.c - waits for two bits of a flag, and sets them in the next one, moved by one
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mars/task.h>

int mars_task_main(const struct mars_task_args *args) {
  uint64_t from_ea = args->type.u64[0], to_ea = args->type.u64[1];
  uint32_t rounds = args->type.u32[4], first = 0x00010001, bits;
  if (mars_task_get_name()[0] == 's') // "second": what "first" has moved
    first <<= 1;
  for (uint32_t round = 0; round < rounds; round++) {
    mars_task_event_flag_wait(from_ea, first << round, MARS_TASK_EVENT_FLAG_MASK_AND, &bits);
    // Both at once: who waits for any bit would else see one of them.
    mars_task_event_flag_set(to_ea, bits << 1);
  }
  return 0;
}
