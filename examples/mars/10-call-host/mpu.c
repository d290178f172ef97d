// mpu.c - calls a function of the host and checks what it gives
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mars/task.h>
#include <stddef.h>

int mars_task_main(const struct mars_task_args *args) {
  struct mars_callback_args in, out;
  int wrong = mars_task_get_name() != NULL; // the task has none
  for (uint32_t i = 0; i < args->type.u32[2]; i++) {
    in.type.u32[0] = i;
    in.type.u32[1] = 100 + i;
    in.type.u64[5] = (uint64_t)i << 40;
    int result = mars_task_call_host(args->type.u64[0], &in, &out);
    wrong += result != (int)(100 + i) || out.type.u32[0] != 3 * i + 1 ||
             out.type.u64[5] != ((uint64_t)i << 40) + 1;
  }
  return wrong;
}
