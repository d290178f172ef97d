/* mars/task_types.h - what stands for a task, and what a task gets
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef MARS_TASK_TYPES_H
#define MARS_TASK_TYPES_H

#include <stdint.h>
#include <mars/callback_types.h>

/* Programs pass this as the size of the save area. On Cell it is the local store that the kernel
 * leaves to a task, and the largest of the versions of MARS stands here. */
#define MARS_TASK_BASE_ADDR 0x3a00
#define MARS_TASK_CONTEXT_SAVE_SIZE_MAX 0x3c600
#define MARS_TASK_NAME_LEN_MAX 21

struct mars_task_id {
  uint64_t mars_context_ea;
  uint16_t workload_id;
  uint8_t name[MARS_TASK_NAME_LEN_MAX + 1];
};

struct mars_task_args {
  union {
    uint8_t u8[32];
    uint16_t u16[16];
    uint32_t u32[8];
    uint64_t u64[4];
  } type;
};

#endif
