// host.c - records that lie anywhere are gathered by a task, by lists of transfers
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <libspe2.h>
#include <mars/task.h>
#include <stdio.h>

#include "record.h"

extern spe_program_handle_t mpu_prog;

int main(void) {
  struct mars_context *mars;
  struct mars_task_id id;
  struct mars_task_args args;
  // Lists have the low halves of addresses: so the records lie below 4 GiB.
  uint64_t records_ea = mars_ea_memalign(128, RECORDS * sizeof(struct record));
  uint64_t picks_ea = mars_ea_memalign(128, PICKS * sizeof(uint32_t));
  struct record *records = mars_ea_to_ptr(records_ea);
  uint32_t *picks = mars_ea_to_ptr(picks_ea), seed = 1;
  uint32_t numbers = 0;
  float sum = 0;
  int32_t code;
  if (!records_ea || !picks_ea || records_ea >> 32 || picks_ea >> 32)
    return 1;
  for (uint32_t i = 0; i < RECORDS; i++)
    records[i] = (struct record){(float)i, 0, 0, (float)(i % 7), i, {0, 0, 0}};
  for (uint32_t i = 0; i < PICKS; i++) {
    seed = seed * 1664525 + 1013904223;
    picks[i] = seed >> 20;
    numbers += records[picks[i]].number;
    sum += records[picks[i]].weight;
  }
  if (mars_context_create(&mars, 1, 0) != MARS_SUCCESS ||
      mars_task_create(mars, &id, "gather", mpu_prog.elf_image, 0) != MARS_SUCCESS)
    return 1;
  args.type.u64[0] = records_ea;
  args.type.u64[1] = picks_ea;
  mars_task_schedule(&id, &args, 0);
  mars_task_wait(&id, &code);
  printf("task: %d, host: %u; weights %.0f\n", code, numbers, sum);
  mars_ea_free(records_ea);
  mars_ea_free(picks_ea);
  mars_task_destroy(&id);
  return mars_context_destroy(mars);
}
