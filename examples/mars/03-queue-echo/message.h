// message.h - what host and MPU send each other
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <stdint.h>

struct message {
  uint32_t number, operation; // 0: end
  uint64_t a, b, result;
} __attribute__((aligned(16)));
