// host.c - tasks have the host run a function for them, one at a time
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <libspe2.h>
#include <mars/task.h>
#include <pthread.h>
#include <stdio.h>

#define TASKS 5
#define CALLS 20

extern spe_program_handle_t mpu_prog;

static pthread_t first, in_main;
static int inside, overlaps, calls, elsewhere;

// Only the host may do what this stands for, such as opening a file.
static int look_up(const struct mars_callback_args *in, struct mars_callback_args *out) {
  if (__atomic_add_fetch(&inside, 1, __ATOMIC_SEQ_CST) != 1)
    overlaps++;
  if (!calls)
    first = pthread_self();
  if (!pthread_equal(first, pthread_self()) || pthread_equal(in_main, pthread_self()))
    elsewhere++;
  out->type.u32[0] = in->type.u32[0] * 3 + 1;
  out->type.u64[5] = in->type.u64[5] + 1;
  calls++;
  __atomic_sub_fetch(&inside, 1, __ATOMIC_SEQ_CST);
  return (int)in->type.u32[1];
}

int main(void) {
  struct mars_context *mars;
  struct mars_task_id id[TASKS];
  struct mars_task_args args;
  int32_t code, wrong = 0;
  in_main = pthread_self();
  if (mars_context_create(&mars, 2, 0) != MARS_SUCCESS)
    return 1;
  args.type.u64[0] = mars_ptr_to_ea((void *)(uintptr_t)look_up);
  args.type.u32[2] = CALLS;
  for (int i = 0; i < TASKS; i++) {
    if (mars_task_create(mars, &id[i], NULL, mpu_prog.elf_image, MARS_TASK_CONTEXT_SAVE_SIZE_MAX))
      return 1;
    mars_task_schedule(&id[i], &args, 0);
  }
  for (int i = 0; i < TASKS; i++) {
    mars_task_wait(&id[i], &code);
    wrong += code;
    mars_task_destroy(&id[i]);
  }
  printf("%d calls, %d wrong, %d at a time with another, %d in another thread\n", calls, wrong,
         overlaps, elsewhere);
  return mars_context_destroy(mars);
}
