/* mars/callback_types.h - functions that a task has the host run
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef MARS_CALLBACK_TYPES_H
#define MARS_CALLBACK_TYPES_H

#include <stdint.h>

#define MARS_CALLBACK_ARGS_SIZE 48
#define MARS_CALLBACK_ARGS_ALIGN 16

struct mars_callback_args {
  union {
    uint8_t u8[48];
    uint16_t u16[24];
    uint32_t u32[12];
    uint64_t u64[6];
  } type;
} __attribute__((aligned(MARS_CALLBACK_ARGS_ALIGN)));

/* Its result is that of mars_task_call_host. */
typedef int (*mars_callback)(const struct mars_callback_args *in, struct mars_callback_args *out);

#endif
