/* async-guards.c - operations behind tests; with MAIN a program that runs those of another build
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifndef MAIN
#define ASYNC __attribute__((memlift("async")))
#define SPIN(x) for (size_t i = 0; i < m; i++) (x) = (x)*31 + a[i] % 7
#define WITH char *restrict d, const char *restrict s, int n, const uint32_t *restrict a, size_t m

/* The loop's own test is one: below 1 nothing is copied. */
ASYNC uint64_t loop(WITH) {
  uint64_t sum = 0;
  SPIN(sum);
  for (int i = 0; i < n; i++)
    d[i] = s[i];
  return sum;
}

ASYNC uint64_t asked_for(WITH) {
  uint64_t sum = 0;
  SPIN(sum);
  if (m & 1)
    memcpy(d, s, (size_t)n);
  return sum;
}

/* Where there is no memory nothing is touched. */
ASYNC uint64_t if_there(WITH) {
  uint64_t sum = 0;
  SPIN(sum);
  if (d)
    memset(d, 3, (size_t)n);
  return sum;
}

ASYNC uint64_t two_tests(WITH) {
  uint64_t sum = 0;
  SPIN(sum);
  if (d) {
    sum ^= 5;
    if (n > 70000)
      memcpy(d, s, (size_t)n);
    sum += a[2];
  }
  return sum;
}

/* On the other way its memory is read at once: there is nothing under way there. */
ASYNC uint64_t either(WITH) {
  uint64_t sum = 0;
  SPIN(sum);
  if (m & 1)
    memcpy(d, s, (size_t)n);
  else
    sum += (unsigned char)d[5];
  return sum;
}

ASYNC uint64_t both_ways(WITH) {
  uint64_t sum = 0;
  SPIN(sum);
  if (m & 1)
    memset(d, 1, (size_t)n);
  else
    memset(d, 2, (size_t)n);
  return sum;
}

/* The condition of the copy is known at the end of the work only. */
ASYNC uint64_t by_result(WITH) {
  uint64_t sum = 0;
  SPIN(sum);
  if (sum & 1)
    memcpy(d, s, (size_t)n);
  return sum;
}

/* So is how much of it. */
ASYNC uint64_t size_of_result(WITH) {
  uint64_t sum = 0;
  (void)n;
  SPIN(sum);
  if (m & 1)
    memcpy(d, s, 65536 + (sum & 7));
  return sum;
}

/* The work writes the place that is tested. */
ASYNC uint64_t by_memory(uint32_t *b, WITH) {
  uint64_t sum = 0;
  for (size_t i = 0; i < m; i++)
    b[i % 16] += a[i];
  if (b[3] & 1)
    memcpy(d, s, (size_t)n);
  return sum;
}

/* Its source is written by the work. */
ASYNC uint64_t source_written(uint32_t *b, char *restrict d, int n, const uint32_t *restrict a, size_t m) {
  for (size_t i = 0; i < m; i++)
    b[i % 16] += a[i];
  if (m & 1)
    memcpy(d, b, (size_t)n);
  return m;
}
#else
#include <stdio.h>

#include <memlift/memlift.h>

#define BYTES 100000
#define WITH char *restrict, const char *restrict, int, const uint32_t *restrict, size_t
typedef uint64_t function(WITH);
function loop, asked_for, if_there, two_tests, either, both_ways, by_result, size_of_result;
uint64_t by_memory(uint32_t *, WITH);
uint64_t source_written(uint32_t *, char *restrict, int, const uint32_t *restrict, size_t);

static char d[BYTES], s[BYTES];
static uint32_t a[5000], b[BYTES / 4];

static void show(uint64_t result) {
  for (size_t i = 0; i < BYTES; i++)
    result = (result ^ (unsigned char)d[i]) * 1099511628211u;
  printf("%llx\n", (unsigned long long)result);
}

int main(int argc, char **argv) {
  function *const all[] = {loop, asked_for, if_there, two_tests, either, both_ways, by_result, size_of_result};
  const int sizes[] = {0, 1, 4096, 65536, 70000, 70001, BYTES};
  struct memlift_engine_counters counters;
  for (size_t i = 0; i < BYTES; i++)
    s[i] = (char)(i * i >> 3);
  for (size_t i = 0; i < 5000; i++)
    a[i] = (uint32_t)(i * 77);
  for (size_t m = 4996; m < 5000; m++)
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
      for (size_t f = 0; f < sizeof all / sizeof *all; f++) {
        memset(d, (int)(f + k), BYTES);
        show(all[f](d, s, sizes[k], a, m));
      }
      show(by_memory(b, d, s, sizes[k], a, m));
      show(source_written(b, d, sizes[k], a, m));
    }
  show(loop(d, s, -1, a, 4999));
  show(loop(NULL, NULL, -2147483647 - 1, a, 4999));
  show(if_there(NULL, s, BYTES, a, 4999));
  show(two_tests(NULL, NULL, BYTES, a, 4999));
  show(asked_for(NULL, NULL, -5, a, 4998));
  memlift_engine_count(&counters, sizeof counters);
  if (argc > 1 && (!counters.submitted || counters.submitted != counters.collected))
    fprintf(stderr, "%s: submitted %llu, collected %llu\n", argv[0],
            (unsigned long long)counters.submitted, (unsigned long long)counters.collected);
  return 0;
}
#endif
