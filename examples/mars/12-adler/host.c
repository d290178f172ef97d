// host.c - the Adler-32 of a file, by blocks that tasks compute; usage: host [FILE]
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <libspe2.h>
#include <mars/task.h>
#include <stdio.h>

#define TASKS 4
#define BLOCK 16384
#define MOST (1 << 20)
#define MODULUS 65521

extern spe_program_handle_t mpu_prog;

static uint8_t data[MOST] __attribute__((aligned(128)));
static uint32_t sums[MOST / BLOCK + 1][4] __attribute__((aligned(128)));

// Returns the checksum of two pieces, one after the other, the second of so many bytes.
static uint32_t combine(uint32_t a, const uint32_t b[2], uint64_t size) {
  uint64_t low = a & 0xffff, high = a >> 16, before = low + MODULUS - 1;
  high = (high + b[1] + before % MODULUS * (size % MODULUS)) % MODULUS;
  low = (low + b[0] + MODULUS - 1) % MODULUS;
  return (uint32_t)(high << 16 | low);
}

static uint32_t plain(const uint8_t *p, size_t size) {
  uint32_t low = 1, high = 0;
  for (size_t i = 0; i < size; i++)
    low = (low + p[i]) % MODULUS, high = (high + low) % MODULUS;
  return high << 16 | low;
}

static size_t read_data(const char *name) {
  FILE *f = name ? fopen(name, "rb") : NULL;
  size_t size = f ? fread(data, 1, MOST, f) : 0;
  if (f)
    fclose(f);
  if (name)
    return size;
  for (uint32_t i = 0, seed = 7; i < MOST - 12345; i++)
    seed = seed * 1103515245 + 12345, data[i] = (uint8_t)(seed >> 16);
  return MOST - 12345;
}

int main(int count, char **words) {
  struct mars_context *mars;
  struct mars_task_id id[TASKS];
  struct mars_task_args args;
  size_t size = read_data(count > 1 ? words[1] : NULL);
  uint32_t blocks = (uint32_t)((size + BLOCK - 1) / BLOCK), adler = 1;
  if (mars_context_create(&mars, 0, 0) != MARS_SUCCESS)
    return 1;
  for (uint32_t i = 0; i < TASKS; i++)
    if (mars_task_create(mars, &id[i], "adler", mpu_prog.elf_image, 0) != MARS_SUCCESS)
      return 1;
  for (uint32_t i = 0; i < blocks; i += TASKS) { // a round: a block for each task
    for (uint32_t j = 0; j < TASKS && i + j < blocks; j++) {
      size_t start = (size_t)(i + j) * BLOCK;
      args.type.u64[0] = mars_ptr_to_ea(data + start);
      args.type.u64[1] = mars_ptr_to_ea(sums[i + j]);
      args.type.u32[4] = (uint32_t)(size - start < BLOCK ? size - start : BLOCK);
      mars_task_schedule(&id[j], &args, 0);
    }
    for (uint32_t j = 0; j < TASKS && i + j < blocks; j++)
      mars_task_wait(&id[j], NULL);
  }
  for (uint32_t i = 0; i < blocks; i++) {
    size_t start = (size_t)i * BLOCK;
    adler = combine(adler, sums[i], size - start < BLOCK ? size - start : BLOCK);
  }
  printf("%zu bytes, Adler-32 %08x, plain %08x\n", size, adler, plain(data, size));
  for (int i = 0; i < TASKS; i++)
    mars_task_destroy(&id[i]);
  return mars_context_destroy(mars);
}
