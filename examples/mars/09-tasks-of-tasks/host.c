// host.c - a task that schedules other tasks, of another program, and waits for them
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <libspe2.h>
#include <mars/task.h>
#include <stdio.h>

#define CHILDREN 6

extern spe_program_handle_t mpu_parent, mpu_child;

static struct mars_task_id child[CHILDREN] __attribute__((aligned(16)));

int main(void) {
  struct mars_context *mars;
  struct mars_task_id parent;
  struct mars_task_args args;
  int32_t code;
  if (mars_context_create(&mars, 2, 0) != MARS_SUCCESS ||
      mars_task_create(mars, &parent, "parent", mpu_parent.elf_image,
                       MARS_TASK_CONTEXT_SAVE_SIZE_MAX) != MARS_SUCCESS)
    return 1;
  for (int i = 0; i < CHILDREN; i++)
    if (mars_task_create(mars, &child[i], "child", mpu_child.elf_image, 0) != MARS_SUCCESS)
      return 1;
  args.type.u64[0] = mars_ptr_to_ea(child);
  args.type.u32[2] = CHILDREN;
  for (uint32_t from = 1; from <= 3; from++) {
    args.type.u32[3] = 10 * from;
    mars_task_schedule(&parent, &args, 200);
    mars_task_wait(&parent, &code);
    printf("from %u: %d\n", 10 * from, code);
  }
  mars_task_destroy(&parent);
  for (int i = 0; i < CHILDREN; i++)
    mars_task_destroy(&child[i]);
  return mars_context_destroy(mars);
}
