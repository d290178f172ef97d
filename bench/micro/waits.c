/* waits.c - the cost of an operation that is independent of those of other threads
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * usage: bench-waits
 * On the soft device, or the one that MEMLIFT_ENGINE names:
 *   beside a hog    submitted and waited for, 512 KiB, while another thread has 16 operations of
 *                   4 MiB in the engine or before it; and alone
 *   beside held     submitted and waited for, 64 bytes, while so many operations come after one
 *                   that a device does not answer
 */
#include <memlift/async.h>

#include "engine/soft/soft.h"
#include "queue/wait.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MIB ((size_t)1 << 20)
#define OPERATIONS 400u
#define HOGS 16u
#define HELD 1000u
#define PAIRS 200000u

static const memlift_token none;
static int stop;
static uint64_t hogged; /* operations that the hog has collected */

static unsigned char *memory(size_t size) {
  unsigned char *p = malloc(size);
  if (!p)
    exit(1);
  memset(p, 1, size);
  return p;
}

static void *hog(void *unused) {
  unsigned char *to = memory(HOGS * 4 * MIB), *from = memory(HOGS * 4 * MIB);
  memlift_token tokens[HOGS] = {{0}};
  for (unsigned k = 0; !__atomic_load_n(&stop, __ATOMIC_RELAXED); k = (k + 1) % HOGS) {
    if (tokens[k].id && memlift_wait(tokens[k], UINT64_MAX) == MEMLIFT_OK)
      __atomic_fetch_add(&hogged, 1, __ATOMIC_RELAXED);
    memlift_submit_copy(to + k * 4 * MIB, from + k * 4 * MIB, 4 * MIB, none, &tokens[k]);
  }
  for (unsigned k = 0; k < HOGS; k++)
    if (tokens[k].id)
      memlift_wait(tokens[k], UINT64_MAX);
  return unused;
}

static int by_value(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return x < y ? -1 : x > y;
}

static void measure(const char *name) {
  static double us[OPERATIONS];
  static unsigned char *to, *from;
  to = to ? to : memory(MIB), from = from ? from : memory(MIB);
  for (unsigned i = 0; i < OPERATIONS; i++) {
    memlift_token token;
    uint64_t begin = memlift_now();
    memlift_submit_copy(to, from, MIB / 2, none, &token);
    memlift_wait(token, UINT64_MAX);
    us[i] = (double)(memlift_now() - begin) * 1e-3;
  }
  qsort(us, OPERATIONS, sizeof *us, by_value);
  printf("%-18s median %8.1f us   nine in ten %8.1f us   all %8.1f us\n", name, us[OPERATIONS / 2],
         us[OPERATIONS * 9 / 10], us[OPERATIONS - 1]);
}

static void beside_held(unsigned held) {
  struct soft_faults faults = {.late_at = 1, .late_ns = 900000000};
  static memlift_token tokens[HELD], first;
  unsigned char *to = memory(2 * MIB), *from = to + MIB;
  memlift_engine_stop();
  memlift_soft_inject(&faults);
  if (memlift_engine_start("soft") != MEMLIFT_OK)
    return;
  memlift_submit_copy(to, from, MIB, none, &first);
  for (unsigned i = 0; i < held; i++)
    memlift_submit_copy(to, from, 64, first, &tokens[i]);
  uint64_t begin = memlift_now();
  for (unsigned i = 0; i < PAIRS; i++) {
    memlift_token token;
    memlift_submit_copy(to, from, 64, none, &token);
    memlift_wait(token, UINT64_MAX);
  }
  printf("beside %4u held   %6.3f us for one submitted and waited for\n", held,
         (double)(memlift_now() - begin) * 1e-3 / PAIRS);
  memlift_cancel(first);
  for (unsigned i = 0; i < held; i++)
    memlift_wait(tokens[i], UINT64_MAX);
  memlift_soft_inject(NULL);
}

int main(void) {
  pthread_t thread;
  const char *name = getenv("MEMLIFT_ENGINE");
  memlift_status status = memlift_engine_start(name ? name : "soft");
  if (status != MEMLIFT_OK) {
    fprintf(stderr, "bench-waits: %s\n", memlift_strerror(status));
    return 1;
  }
  measure("alone");
  if (pthread_create(&thread, NULL, hog, NULL) != 0)
    return 1;
  while (__atomic_load_n(&hogged, __ATOMIC_RELAXED) < 2 * HOGS)
    memlift_now();
  measure("beside a hog");
  stop = 1;
  pthread_join(thread, NULL);
  beside_held(0);
  beside_held(HELD);
  return 0;
}
