// mpu_one.c - counts in data of all kinds, which are as the program has them in each run
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../../check.h"
#include <spu_mfcio.h>

#if !defined(FIRST)
#define FIRST 1000
#endif
int counter = FIRST;
static int in_bss[3000], *const to_counter = &counter;
static int (*volatile function)(void);
static int from_constructor;

__attribute__((constructor)) static void construct(void) { from_constructor += 100; }

static int one(void) {
  static int calls;
  return ++calls;
}

int mars_task_main(const struct mars_task_args *args) {
  for (int i = 0; i < 3000; i++)
    CHECK(in_bss[i]++ == 0);
  CHECK(!function && mfc_read_tag_mask() == 0);
  mfc_write_tag_mask(5);
  function = one;
  *to_counter += function() + from_constructor + 10000 * (int)args->type.u32[0];
  from_constructor++;
  return counter;
}
