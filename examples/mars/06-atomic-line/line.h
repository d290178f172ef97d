// line.h - the line that tasks share: which items nobody has yet
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <stdint.h>

struct line {
  uint32_t lock, next, batch, total;
  uint32_t batches[28]; // taken, by each task
} __attribute__((aligned(128)));
