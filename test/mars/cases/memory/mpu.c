// mpu.c - a task allocates shared memory, too
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../../check.h"

int mars_task_main(const struct mars_task_args *args) {
  (void)args;
  uint64_t ea = mars_ea_memalign(256, 300);
  CHECK(ea && ea % 256 == 0 && ea >> 32 == 0);
  mars_ea_put_uint64(ea, 9);
  EQUAL(mars_ea_get_uint64(ea), 9);
  mars_ea_free(ea);
  char *p = mars_malloc(10);
  p = mars_realloc(p, 100000);
  CHECK(p && mars_ptr_to_ea(p) >> 32 == 0);
  mars_free(p);
  return 0;
}
