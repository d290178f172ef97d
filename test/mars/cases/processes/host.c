// host.c - MPUs that are processes reach all memory of the host, and cost it nothing when they end
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../../check.h"

#include <libspe2.h>
#include <mars/task.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "work.h"

#define SIZE 40000 // more than a request has room for

extern spe_program_handle_t mpu_prog;

static unsigned char in_data[SIZE] = {1};
static const unsigned char constant[64] __attribute__((aligned(4096))) = {1};
static uint64_t line[16] __attribute__((aligned(128)));

static struct mars_context *mars;
static struct mars_task_id id, killer;

// Returns the exit code of the task, or minus the error of the wait.
static int32_t run(enum work what, const void *memory, uint32_t size) {
  struct mars_task_args args;
  int32_t code = 0;
  args.type.u64[0] = mars_ptr_to_ea(memory);
  args.type.u32[2] = size;
  args.type.u32[3] = what;
  args.type.u32[4] = (uint32_t)getpid();
  CHECK(mars_task_schedule(&id, &args, 0) == MARS_SUCCESS);
  int error = mars_task_wait(&id, &code);
  return error == MARS_SUCCESS ? code : -error;
}

static void reaches(unsigned char *p, const char *what) {
  for (int i = 0; i < SIZE; i++)
    p[i] = (unsigned char)i;
  int32_t code = run(ADDS, p, SIZE);
  int wrong = 0;
  for (int i = 0; i < SIZE; i++)
    wrong += p[i] != (unsigned char)(i + 1);
  printf("%s: %d, %d bytes wrong\n", what, code, wrong);
}

// A unit is killed at any point of its transfers: each byte is as before or as after, and the next
// unit's transfers are its own.
static void is_killed(int times) {
  volatile int *where = mars_malloc(sizeof *where);
  struct mars_task_args args;
  int lost = 0, wrong = 0;
  memset(in_data, 0, SIZE);
  for (int round = 0; round < times; round++) {
    *where = 0;
    args.type.u64[0] = mars_ptr_to_ea(in_data);
    args.type.u32[2] = SIZE;
    args.type.u32[3] = LOOPS;
    args.type.u64[3] = mars_ptr_to_ea((void *)(uintptr_t)where);
    CHECK(mars_task_schedule(&id, &args, 0) == MARS_SUCCESS);
    args.type.u32[2] = (uint32_t)round;
    args.type.u32[3] = KILLS;
    CHECK(mars_task_schedule(&killer, &args, 0) == MARS_SUCCESS);
    lost += mars_task_wait(&id, NULL) != MARS_SUCCESS;
    CHECK(code_of(&killer) == 0);
    for (int i = 1; i < SIZE; i++)
      wrong += (unsigned char)(in_data[0] - in_data[i]) > 1;
    memset(in_data, round, SIZE);
    wrong += run(ADDS, in_data, SIZE) != 0;
    for (int i = 0; i < SIZE; i++)
      wrong += in_data[i] != (unsigned char)(round + 1);
  }
  printf("killed: %d of %d, %d wrong\n", lost, times, wrong);
  mars_free((void *)(uintptr_t)where);
}

int main(void) {
  unsigned char on_stack[SIZE], *on_heap = malloc(SIZE), *low;
  CHECK(freopen("/dev/null", "w", stderr) != NULL); // messages have addresses
  CHECK(mars_context_create(&mars, 2, 0) == MARS_SUCCESS);
  id = make_task(mars, "worker", mpu_prog.elf_image, 0);
  killer = make_task(mars, "killer", mpu_prog.elf_image, 0);
  unsigned char *later = malloc((size_t)1 << 20); // mapped when the processes were there already
  low = mars_malloc(SIZE);
  CHECK(on_heap && later && low);
  printf("%s process\n", run(WHERE, NULL, 0) ? "another" : "the host's");
  reaches(in_data, "data");
  reaches(on_stack, "stack");
  reaches(on_heap, "heap");
  reaches(later, "later heap");
  reaches(low, "mars_malloc");
  int hundred = run(COUNTS, line, 100), more = run(COUNTS, line, 50);
  printf("line: %d, %d, and is %d\n", hundred, more, (int)line[3]);
  int first = run(RUNS, NULL, 0), second = run(RUNS, NULL, 0);
  printf("runs: %d, %d: data are as new\n", first, second);
  printf("bad pointer: %d\n", run(DIES, NULL, 0));
  printf("get of a bad address: %d\n", run(ADDS, (void *)64, 16));
  printf("put to a constant: %d\n", run(ADDS, constant, 64));
  printf("bad line: %d\n", run(COUNTS, (void *)128, 1));
  reaches(in_data, "and goes on");
  is_killed(30);
  printf("%d\n", constant[0]);
  CHECK(mars_task_destroy(&id) == MARS_SUCCESS);
  CHECK(mars_task_destroy(&killer) == MARS_SUCCESS);
  CHECK(mars_context_destroy(mars) == MARS_SUCCESS);
  mars_free(low);
  free(on_heap);
  free(later);
  return 0;
}
