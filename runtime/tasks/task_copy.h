/* task_copy.h - copies of a task's data by the CPU
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A small unit has a loop for them: memlift_copy would bring the kernels of all operations, and the
 * engines, which are larger than all that runs tasks.
 */
#ifndef MEMLIFT_TASK_COPY_H
#define MEMLIFT_TASK_COPY_H

#include "../config.h"
#include "../include/memlift/memlift.h"

#if MEMLIFT_SMALL
/* mover_cpu.c */
__attribute__((visibility("hidden"))) void memlift_task_copy(void *to, const void *from,
                                                             size_t size);
#else
static inline void memlift_task_copy(void *to, const void *from, size_t size) {
  memlift_copy(to, from, size);
}
#endif

#endif
