// host.c - makes an image grey, by rows that tasks share
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <libspe2.h>
#include <mars/task.h>
#include <stdio.h>

#define TASKS 4
#define WIDTH 640
#define HEIGHT 240

extern spe_program_handle_t mpu_prog;

static uint8_t color[HEIGHT][WIDTH][4] __attribute__((aligned(128)));
static uint8_t grey[HEIGHT][WIDTH] __attribute__((aligned(128)));

int main(void) {
  struct mars_context *mars;
  struct mars_task_id id[TASKS];
  struct mars_task_args args;
  uint32_t wrong = 0, sum = 0;
  for (uint32_t y = 0; y < HEIGHT; y++)
    for (uint32_t x = 0; x < WIDTH; x++)
      for (uint32_t c = 0; c < 4; c++)
        color[y][x][c] = (uint8_t)(x * (c + 1) + y * (4 - c));
  if (mars_context_create(&mars, 0, 0) != MARS_SUCCESS)
    return 1;
  for (uint32_t i = 0; i < TASKS; i++) {
    args.type.u64[0] = mars_ptr_to_ea(color);
    args.type.u64[1] = mars_ptr_to_ea(grey);
    args.type.u32[4] = WIDTH;
    args.type.u32[5] = i * HEIGHT / TASKS;
    args.type.u32[6] = (i + 1) * HEIGHT / TASKS;
    if (mars_task_create(mars, &id[i], "grayscale", mpu_prog.elf_image, 0) != MARS_SUCCESS)
      return 1;
    mars_task_schedule(&id[i], &args, 0);
  }
  for (int i = 0; i < TASKS; i++) {
    mars_task_wait(&id[i], NULL);
    mars_task_destroy(&id[i]);
  }
  for (uint32_t y = 0; y < HEIGHT; y++)
    for (uint32_t x = 0; x < WIDTH; x++) {
      const uint8_t *c = color[y][x];
      uint8_t right = (uint8_t)((77 * c[0] + 150 * c[1] + 29 * c[2]) >> 8);
      wrong += grey[y][x] != right;
      sum += right;
    }
  printf("%u pixels, %u wrong, sum %u\n", WIDTH * HEIGHT, wrong, sum);
  return mars_context_destroy(mars);
}
