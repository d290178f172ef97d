// mpu.c - answers requests until one says that it is the last
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mars/task.h>

#include "message.h"

static struct message message; // a local copy, which each task has for itself

int mars_task_main(const struct mars_task_args *args) {
  uint64_t requests_ea = args->type.u64[0], answers_ea = args->type.u64[1];
  int served = 0;
  for (;;) {
    if (mars_task_queue_pop(requests_ea, &message) != MARS_SUCCESS)
      return -1;
    switch (message.operation) {
    case 0: mars_task_exit(served);
    case 1: message.result = message.a + message.b; break;
    case 2: message.result = message.a * message.b; break;
    default: message.result = message.a ^ message.b;
    }
    if (mars_task_queue_push(answers_ea, &message) != MARS_SUCCESS)
      return -2;
    served++;
  }
}
