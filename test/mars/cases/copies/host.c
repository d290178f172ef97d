// host.c - each task has data of its own, as new in each run; two programs have the same names
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../../check.h"
#include <libspe2.h>

#if defined(__SANITIZE_THREAD__) // for which each program that is mapped takes longer
#define TASKS 64
#else
#define TASKS 1024 // as many as a context has
#endif

extern spe_program_handle_t mpu_one, mpu_two;

static struct mars_task_id id[TASKS];

// A name that the programs have, too.
int counter = 5;

int main(void) {
  struct mars_context *mars;
  struct mars_task_id more;
  EQUAL(mars_context_create(&mars, 2, 0), MARS_SUCCESS);
  // Programs that were created and destroyed before leave nothing to the next ones.
  for (int i = 0; i < 40; i++) {
    more = make_task(mars, "t", i % 2 ? mpu_two.elf_image : mpu_one.elf_image, 0);
    EQUAL(mars_task_schedule(&more, NULL, 0), MARS_SUCCESS);
    EQUAL(code_of(&more), i % 2 ? 2101 : 1101);
    EQUAL(mars_task_destroy(&more), MARS_SUCCESS);
  }
  for (int i = 0; i < TASKS; i++)
    id[i] = make_task(mars, "t", i % 2 ? mpu_two.elf_image : mpu_one.elf_image, i % 3 * 1000);
  if (TASKS == 1024)
    EQUAL(mars_task_create(mars, &more, "t", mpu_one.elf_image, 0), MARS_ERROR_LIMIT);
  for (int run = 0; run < 3; run++) {
    for (uint32_t i = 0; i < TASKS; i++) {
      struct mars_task_args args = {.type.u32 = {i}};
      EQUAL(mars_task_schedule(&id[i], &args, (uint8_t)i), MARS_SUCCESS);
    }
    for (int i = 0; i < TASKS; i++)
      EQUAL(code_of(&id[i]), (i % 2 ? 2101 : 1101) + 10000 * i);
  }
  // Some are left to the context's end.
  for (int i = 0; i < TASKS; i += 2)
    EQUAL(mars_task_destroy(&id[i]), MARS_SUCCESS);
  EQUAL(mars_context_destroy(mars), MARS_SUCCESS);
  EQUAL(counter, 5);
  printf("done\n");
  return 0;
}
