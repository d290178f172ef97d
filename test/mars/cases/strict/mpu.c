// mpu.c - one transfer that Cell does not do, or all kinds that it does
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../../check.h"
#include <spu_mfcio.h>

static uint8_t local[32768] __attribute__((aligned(128)));
static mfc_list_element_t list[4] __attribute__((aligned(16)));

static void right(uint64_t ea, uint64_t queue_ea) {
  for (uint32_t size = 1; size <= 8; size *= 2)
    mfc_get(local + 8, ea + 24, size, 0, 0, 0);
  for (uint32_t size = 16; size <= 16384; size *= 2)
    mfc_get(local, ea, size, 0, 0, 0);
  mfc_get(local + 1, ea + 17, 1, 31, 0, 0);
  mfc_write_tag_mask(1 | 1u << 31);
  mfc_read_tag_status_all();
  EQUAL(mars_task_queue_push(queue_ea, local + 8), MARS_ERROR_ALIGN);
  EQUAL(mars_task_queue_push(queue_ea, local + 16), MARS_SUCCESS);
  EQUAL(mars_task_queue_pop_begin(queue_ea, local + 4, 0), MARS_ERROR_ALIGN);
  EQUAL(mars_task_queue_pop(queue_ea, local), MARS_SUCCESS);
}

int mars_task_main(const struct mars_task_args *args) {
  uint64_t ea = args->type.u64[0];
  switch (args->type.u64[2]) {
  case 1: mfc_get(local, ea, 24, 0, 0, 0); break;
  case 2: mfc_put(local, ea, 16400, 0, 0, 0); break;
  case 3: mfc_get(local + 8, ea, 8, 0, 0, 0); break;
  case 4: mfc_get(local + 2, ea + 18, 4, 0, 0, 0); break;
  case 5: mfc_get(local, ea, 16, 32, 0, 0); break;
  case 6: mfc_getl(local, ea, (mfc_list_element_t *)(void *)((char *)list + 4), 8, 0, 0, 0); break;
  case 7: mfc_getllar(local, ea + 64, 0, 0); break;
  case 8: spu_mfcdma64(local, 0, 0, 16, 0, 0x99); break;
  default: right(ea, args->type.u64[1]);
  }
  return 0;
}
