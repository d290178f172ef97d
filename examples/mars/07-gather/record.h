// record.h - what lies in main memory, and how many
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <stdint.h>

#define RECORDS 4096
#define PICKS 1024

struct record {
  float x, y, z, weight;
  uint32_t number, spare[3];
} __attribute__((aligned(16)));
