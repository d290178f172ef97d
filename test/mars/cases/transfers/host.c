// host.c - memory for transfers and atomic lines of tasks, and what has become of it
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../../check.h"
#include <libspe2.h>

#define TASKS 6

extern spe_program_handle_t mpu_prog;

static uint8_t bytes[65536] __attribute__((aligned(128)));
static uint64_t line[16] __attribute__((aligned(128)));

int main(void) {
  struct mars_context *mars;
  struct mars_task_id id[TASKS];
  uint64_t low_ea = mars_ea_memalign(128, 4096); // for lists, whose addresses have 32 bits
  EQUAL(mars_context_create(&mars, 3, 0), MARS_SUCCESS);
  for (uint32_t i = 0; i < sizeof bytes; i++)
    bytes[i] = (uint8_t)(i ^ i >> 8);
  memset(mars_ea_to_ptr(low_ea), 0, 4096);
  id[0] = make_task(mars, "alone", mpu_prog.elf_image, 4096);
  id[1] = make_task(mars, "stores", mpu_prog.elf_image, 0);
  struct mars_task_args args = {
      .type.u64 = {mars_ptr_to_ea(bytes), low_ea, 0, mars_ptr_to_ea(&id[1])}};
  EQUAL(mars_task_schedule(&id[0], &args, 0), MARS_SUCCESS);
  EQUAL(code_of(&id[0]), 0);
  for (uint32_t i = 0; i < 1000; i++)
    EQUAL(bytes[40000 + i], (uint8_t)~((20001 + i) ^ (20001 + i) >> 8));
  EQUAL(mars_task_destroy(&id[0]), MARS_SUCCESS);
  EQUAL(mars_task_destroy(&id[1]), MARS_SUCCESS);

  // All count up words of one line, and the host counts one with them by other means.
  for (int i = 0; i < TASKS; i++) {
    id[i] = make_task(mars, "counts", mpu_prog.elf_image, 4096);
    struct mars_task_args share = {.type.u64 = {mars_ptr_to_ea(line), 0, 1, (uint64_t)i}};
    EQUAL(mars_task_schedule(&id[i], &share, 0), MARS_SUCCESS);
  }
  uint64_t added = 0;
  for (int i = 0; i < TASKS; i++) {
    while (mars_task_try_wait(&id[i], NULL) == MARS_ERROR_BUSY)
      for (int j = 0; j < 500; j++, added++)
        __atomic_fetch_add(&line[15], 1, __ATOMIC_SEQ_CST);
    EQUAL(code_of(&id[i]), 0);
    EQUAL(mars_task_destroy(&id[i]), MARS_SUCCESS);
    EQUAL(line[i], 500);
  }
  EQUAL(line[14], TASKS * 500);
  EQUAL(line[15], TASKS * 500 + added);
  mars_ea_free(low_ea);
  EQUAL(mars_context_destroy(mars), MARS_SUCCESS);
  printf("done\n");
  return 0;
}
