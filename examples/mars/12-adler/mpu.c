// mpu.c - the two sums of Adler-32 over one block
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mars/task.h>
#include <spu_mfcio.h>

#define BLOCK 16384
#define MODULUS 65521

static uint8_t block[BLOCK] __attribute__((aligned(128)));
static uint32_t sums[4] __attribute__((aligned(16)));

int mars_task_main(const struct mars_task_args *args) {
  uint32_t size = args->type.u32[4], tag = mfc_tag_reserve(), low = 1, high = 0;
  // Transfers are of multiples of 16: the last one gets some bytes more.
  mfc_get(block, args->type.u64[0], (size + 15) & ~15u, tag, 0, 0);
  mfc_write_tag_mask(1u << tag);
  mfc_read_tag_status_all();
  for (uint32_t i = 0; i < size; i++) {
    low += block[i];
    high += low;
    if (i % 4096 == 4095)
      low %= MODULUS, high %= MODULUS;
  }
  sums[0] = low % MODULUS;
  sums[1] = high % MODULUS;
  mfc_put(sums, args->type.u64[1], sizeof sums, tag, 0, 0);
  mfc_read_tag_status_all();
  mfc_tag_release(tag);
  return 0;
}
