// mpu.c - waits for the signal, counts the turn, and signals the other task
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mars/task.h>
#include <spu_mfcio.h>

static struct mars_task_id other __attribute__((aligned(16)));
static uint32_t number __attribute__((aligned(16)));

static void wait_for_transfer(void) {
  mfc_write_tag_mask(1 << 3);
  mfc_read_tag_status_all();
}

int mars_task_main(const struct mars_task_args *args) {
  uint64_t number_ea = args->type.u64[1];
  mfc_get(&other, args->type.u64[0], sizeof other, 3, 0, 0);
  wait_for_transfer();
  for (uint32_t i = 0; i < args->type.u32[4]; i++) {
    mars_task_signal_wait();
    mfc_get(&number, number_ea, sizeof number, 3, 0, 0);
    wait_for_transfer();
    number++;
    mfc_put(&number, number_ea, sizeof number, 3, 0, 0);
    wait_for_transfer();
    mars_task_signal_send(&other); // the last one may find a task that has ended
  }
  return (int)number;
}
