// mpu.c - gathers 16 records by each list, four lists at a time: waits for one while three arrive
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mars/task.h>
#include <spu_mfcio.h>

#include "record.h"

#define EACH 16
#define DEEP 4

static uint32_t picks[PICKS] __attribute__((aligned(128)));
static struct record records[DEEP][EACH] __attribute__((aligned(128)));
static mfc_list_element_t list[DEEP][EACH] __attribute__((aligned(8)));

static void begin(uint64_t records_ea, uint32_t block) {
  uint32_t slot = block % DEEP;
  for (uint32_t i = 0; i < EACH; i++) {
    uint64_t ea = records_ea + picks[block * EACH + i] * sizeof(struct record);
    list[slot][i] = (mfc_list_element_t){.size = sizeof(struct record), .eal = mfc_ea2l(ea)};
  }
  mfc_getl(records[slot], records_ea, list[slot], sizeof list[slot], slot, 0, 0);
}

int mars_task_main(const struct mars_task_args *args) {
  uint64_t records_ea = args->type.u64[0];
  uint32_t blocks = PICKS / EACH, numbers = 0;
  mfc_get(picks, args->type.u64[1], sizeof picks, DEEP, 0, 0);
  mfc_write_tag_mask(1u << DEEP);
  mfc_read_tag_status_all();
  for (uint32_t block = 0; block < DEEP - 1; block++)
    begin(records_ea, block);
  for (uint32_t block = 0; block < blocks; block++) {
    if (block + DEEP - 1 < blocks)
      begin(records_ea, block + DEEP - 1);
    mfc_write_tag_mask(1u << block % DEEP);
    mfc_read_tag_status_all();
    for (uint32_t i = 0; i < EACH; i++)
      numbers += records[block % DEEP][i].number;
  }
  return (int)numbers;
}
