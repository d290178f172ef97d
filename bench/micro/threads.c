/* threads.c - copies and fills by the CPU, through the system, and by helper threads
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * usage: bench-threads
 * For each size: the kernels alone; one thread that accesses memory as a helper does, in bursts of
 * 256 KiB; the threads engine with 1, 2, 4, ... helpers, as many as MEMLIFT_THREADS may ask for
 * here. GB/s, the best of seven rounds that are taken in turn. Pages are there before.
 *
 * Exit codes: 0 measured, 1 there is no such engine here.
 */
#include "engine/engine.h"
#include "engine/remote.h"
#include "engine/threads/threads.h"
#include "kernels/dispatch.h"

#include <stdio.h>
#include <sys/mman.h>

#define LARGEST ((size_t)64 << 20)
#define ROUNDS 7
#define BURST ((size_t)256 << 10)
#define PATTERN 0x0123456789abcdefu

static unsigned char *to, *from;

static void through_system(int copy, size_t size) {
  for (size_t at = 0; at < size; at += BURST)
    memlift_remote_copy(to + at, copy ? from + at : from, size - at < BURST ? size - at : BURST);
}

/* helpers: -1 the kernels, 0 through the system, else so many. */
static void once(int helpers, int copy, size_t size) {
  struct memlift_request whole = {copy ? MEMLIFT_OPERATION_COPY : MEMLIFT_OPERATION_FILL, to, from,
                                  PATTERN, size};
  if (helpers > 0)
    memlift_offload(&memlift_engine_threads, &whole);
  else if (helpers == 0)
    through_system(copy, size);
  else if (copy)
    memlift_cpu_copy(to, from, size);
  else
    memlift_cpu_fill(to, PATTERN, size);
}

static double speed(int helpers, int copy, size_t size) {
  unsigned times = (unsigned)(LARGEST / size);
  uint64_t begin = memlift_now();
  for (unsigned i = 0; i < times; i++)
    once(helpers, copy, size);
  return (double)size * times / (double)(memlift_now() - begin);
}

/* Starts the engine of a column with so many helpers; 0 when this machine has too few CPUs. */
static int prepare(int helpers) {
  char setting[16];
  if (helpers <= 0)
    return 1;
  snprintf(setting, sizeof setting, "%d", helpers);
  memlift_engine_stop();
  memlift_threads_use(setting, NULL);
  return memlift_engine_start("threads") == MEMLIFT_OK;
}

int main(void) {
  static const int columns[] = {-1, 0, 1, 2, 4, 8, 16, 32, 64};
  enum { COLUMNS = sizeof columns / sizeof columns[0] };
  const char *reason;
  if (memlift_engine_threads.probe(&reason) != MEMLIFT_OK) {
    fprintf(stderr, "bench-threads: %s\n", reason);
    return 1;
  }
  to = (unsigned char *)mmap(NULL, 2 * LARGEST, PROT_READ | PROT_WRITE,
                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
  if (to == MAP_FAILED)
    return 1;
  from = to + LARGEST;
  printf("%-5s %9s %8s %8s  helpers: 1, 2, 4 ...\n", "", "KiB", "kernels", "system");
  for (int copy = 1; copy >= 0; copy--)
    for (size_t size = (size_t)256 << 10; size <= LARGEST; size *= 4) {
      double best[COLUMNS] = {0};
      for (int round = 0; round < ROUNDS; round++)
        for (int c = 0; c < COLUMNS && prepare(columns[c]); c++) {
          double now = speed(columns[c], copy, size);
          best[c] = now > best[c] ? now : best[c];
        }
      printf("%-5s %9zu", copy ? "copy" : "fill", size >> 10);
      for (int c = 0; c < COLUMNS && best[c] > 0; c++)
        printf(" %8.2f", best[c]);
      printf("\n");
    }
  memlift_engine_stop();
  return 0;
}
