// mpu.c - some rows of an image: the next one arrives while this one is computed
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mars/task.h>
#include <spu_mfcio.h>

#define WIDEST 1024

static uint8_t color[2][WIDEST * 4] __attribute__((aligned(128)));
static uint8_t grey[2][WIDEST] __attribute__((aligned(128)));

int mars_task_main(const struct mars_task_args *args) {
  uint64_t color_ea = args->type.u64[0], grey_ea = args->type.u64[1];
  uint32_t width = args->type.u32[4], first = args->type.u32[5], end = args->type.u32[6];
  if (width > WIDEST)
    return 1;
  mfc_get(color[first & 1], color_ea + first * width * 4, width * 4, first & 1, 0, 0);
  for (uint32_t y = first; y < end; y++) {
    uint32_t now = y & 1, then = now ^ 1;
    // The buffers of the other row are in use until its put is done.
    if (y + 1 < end)
      mfc_getb(color[then], color_ea + (y + 1) * width * 4, width * 4, then, 0, 0);
    mfc_write_tag_mask(1u << now);
    mfc_read_tag_status_all();
    for (uint32_t x = 0; x < width; x++) {
      const uint8_t *c = &color[now][4 * x];
      grey[now][x] = (uint8_t)((77 * c[0] + 150 * c[1] + 29 * c[2]) >> 8);
    }
    mfc_put(grey[now], grey_ea + y * width, width, now, 0, 0);
  }
  mfc_write_tag_mask(3);
  mfc_read_tag_status_all();
  return 0;
}
