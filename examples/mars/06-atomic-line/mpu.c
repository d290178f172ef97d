// mpu.c - takes a batch of items at a time, until there are none
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <dma/spu_dma.h>
#include <mars/task.h>

#include "line.h"

static struct line line;
static uint16_t items[16] __attribute__((aligned(16)));

// Locks: waits until nobody has the lock, and stores it only if nobody else has stored.
static void lock(uint64_t ea) {
  do {
    do
      mfc_getllar(&line, ea, 0, 0), mfc_read_atomic_status();
    while (line.lock);
    line.lock = 1;
    mfc_putllc(&line, ea, 0, 0);
  } while (mfc_read_atomic_status() & MFC_PUTLLC_STATUS);
}

static void unlock(uint64_t ea) {
  line.lock = 0;
  mfc_putlluc(&line, ea, 0, 0);
  mfc_read_atomic_status();
}

int mars_task_main(const struct mars_task_args *args) {
  uint64_t line_ea = args->type.u64[0], done_ea = args->type.u64[1];
  for (;;) {
    lock(line_ea);
    uint32_t first = line.next, left = line.total - first;
    uint32_t count = left < line.batch ? left : line.batch;
    line.next += count;
    if (count)
      line.batches[args->type.u32[4]]++;
    unlock(line_ea);
    if (!count)
      return 0;
    for (uint32_t i = 0; i < count; i++)
      items[i] = (uint16_t)((first + i) * (first + i) + 1);
    spu_dma_put(items, done_ea + first * sizeof *items, count * sizeof *items, 5, 0, 0);
    spu_dma_wait_tag_status_all(1 << 5);
  }
}
