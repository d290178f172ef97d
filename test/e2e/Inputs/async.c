/* async.c - operations with and without company; with MAIN a program that runs those of another build
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define BYTES ((size_t)1 << 20)

#ifndef MAIN
#define ASYNC __attribute__((memlift("async")))
#define HELPER static __attribute__((noinline))
#define SPIN(x) for (size_t i = 0; i < m; i++) (x) = (x)*31 + a[i] % 7
#define WITH char *restrict d, const char *restrict s, size_t n, const uint32_t *restrict a, size_t m

void outside(void);
uint64_t folded(const uint32_t *a, uint64_t sum) __attribute__((pure));
extern volatile int seen;
extern _Atomic int flag;

ASYNC uint64_t keep(WITH) {
  uint64_t sum = 0;
  memcpy(d, s, n);
  SPIN(sum);
  return sum + (unsigned char)d[0];
}

ASYNC uint64_t hoisted(WITH) {
  uint64_t sum = 0;
  SPIN(sum);
  memcpy(d, s, n);
  return sum;
}

ASYNC uint64_t two(char *restrict e, WITH) {
  uint64_t sum = 0;
  memset(e, 3, n);
  memcpy(d, s, n);
  SPIN(sum);
  return sum;
}

ASYNC uint64_t some_ways(WITH) {
  uint64_t sum = 0;
  if (m & 1)
    memset(d, 1, n);
  SPIN(sum);
  if (m & 2)
    return sum;
  return sum + (unsigned char)d[m % n];
}

ASYNC uint64_t each_round(WITH) {
  uint64_t sum = 0;
  for (size_t j = 0; j < 3; j++) {
    memcpy(d, s + j, n - j);
    SPIN(sum);
    sum += (unsigned char)d[j];
  }
  return sum;
}

/* Both end on the way back to the loop's head. */
ASYNC uint64_t two_each_round(char *restrict e, WITH) {
  uint64_t sum = 0;
  for (size_t j = 0; j < m / 1000; j++) {
    memset(e, (int)j, n);
    memcpy(d, s + j, n - j);
    SPIN(sum);
  }
  return sum;
}

/* And these only wait: what they read is computed from what is written. */
ASYNC uint64_t either_each_round(WITH) {
  uint64_t sum = 0;
  for (size_t j = 0; j < m / 1000; j++) {
    const uint32_t *from = j & 1 ? (const uint32_t *)d : a;
    memcpy(d, s + j, n - j);
    for (size_t i = 0; i < m; i++)
      sum = sum * 31 + from[i] % 7;
  }
  return sum;
}

ASYNC uint64_t distance_each_round(WITH) {
  uint64_t sum = 0;
  uintptr_t distance = (uintptr_t)d - (uintptr_t)a;
  for (size_t j = 0; j < m / 1000; j++) {
    memcpy(d, s + j, n - j);
    for (size_t i = 0; i < m; i++)
      sum = sum * 31 + *(const uint32_t *)((uintptr_t)(a + i) + distance) % 7;
  }
  return sum;
}

ASYNC uint64_t words(uint32_t *restrict e, WITH) {
  uint64_t sum = 0;
  (void)d, (void)s;
  for (size_t i = 0; i < n / 4; i++)
    e[i] = 0x01020304;
  SPIN(sum);
  return sum + e[1];
}

/* A cycle with two ways in: where it begins is come to again, and from two blocks. */
ASYNC uint64_t two_ways_in(WITH) {
  uint64_t sum = m;
  size_t k = 0;
  if (m & 1)
    goto second;
first:
  SPIN(sum);
  if (sum % 3 == 0 || k > 4)
    memcpy(d, s + k, n - k);
second:
  SPIN(sum);
  if (++k < 8)
    goto first;
  return sum;
}

/* The operation ends before the jump into another function. */
ASYNC uint64_t tail_call(WITH) {
  uint64_t sum = 0;
  memcpy(d, s, n);
  SPIN(sum);
  return folded(a, sum);
}

/* These functions call one that reaches its arguments only, and returns. */
HELPER uint64_t mixed(uint32_t *restrict q, const uint32_t *restrict a, size_t m) {
  uint64_t sum = 0;
  for (size_t i = 0; i < m; i++)
    sum = sum * 31 + (q[i % 8] += a[i] % 7);
  return sum;
}

ASYNC uint64_t calls_beside(uint32_t *restrict e, WITH) {
  uint64_t sum;
  memcpy(d, s, n);
  sum = mixed(e, a, m);
  return sum + (unsigned char)d[0];
}

ASYNC uint64_t called_before(uint32_t *restrict e, WITH) {
  uint64_t sum = mixed(e, a, m);
  memcpy(d, s, n);
  return sum;
}

/* And these not. */
HELPER uint64_t counted(uint32_t *restrict q, const uint32_t *restrict a, size_t m) {
  flag++;
  return mixed(q, a, m);
}

ASYNC uint64_t calls_atomic(uint32_t *restrict e, WITH) {
  uint64_t sum = counted(e, a, m);
  memcpy(d, s, n);
  return sum + counted(e, a, m);
}

HELPER uint64_t watched(uint32_t *restrict q, const uint32_t *restrict a, size_t m) {
  while (seen == 77)
    ;
  return mixed(q, a, m);
}

ASYNC uint64_t calls_volatile(uint32_t *restrict e, WITH) {
  uint64_t sum = watched(e, a, m);
  memcpy(d, s, n);
  return sum + watched(e, a, m);
}

HELPER uint64_t searched(uint32_t *restrict q, const uint32_t *restrict a, size_t m) {
  uint64_t sum = m;
  for (size_t i = 0;; i++) { /* nobody counts it */
    sum = sum * 31 + (q[i % 8] += a[i % 16] % 7);
    if (i * i > m + sum % 2)
      return sum;
  }
}

ASYNC uint64_t calls_endless(uint32_t *restrict e, WITH) {
  uint64_t sum = searched(e, a, m);
  memcpy(d, s, n);
  return sum + searched(e, a, m);
}

ASYNC uint64_t calls_on_it(uint32_t *restrict e, WITH) {
  uint64_t sum;
  memset(e, 3, n);
  sum = mixed(e, a, m);
  (void)d, (void)s;
  return sum;
}

/* Nothing may run beside these. */
ASYNC uint64_t pointers_that_meet(char *d, const char *s, size_t n, const char *a, size_t m) {
  uint64_t sum = 0;
  memcpy(d, s, n);
  SPIN(sum);
  return sum;
}

ASYNC uint64_t source_written(WITH) {
  uint64_t sum = 0;
  char *from = (char *)s;
  memcpy(d, s, n);
  from[n - 1]++;
  SPIN(sum);
  return sum;
}

ASYNC uint64_t volatile_access(WITH) {
  uint64_t sum = 0;
  seen = 1;
  memcpy(d, s, n);
  seen = 2;
  SPIN(sum);
  return sum;
}

ASYNC uint64_t atomic_access(WITH) {
  uint64_t sum = 0;
  flag = 1;
  memcpy(d, s, n);
  flag = 2;
  SPIN(sum);
  return sum;
}

ASYNC uint64_t fenced(WITH) {
  uint64_t sum = 0;
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  memcpy(d, s, n);
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  SPIN(sum);
  return sum;
}

ASYNC uint64_t assembler(WITH) {
  uint64_t sum = 0;
  __asm__ volatile("" ::: "memory");
  memcpy(d, s, n);
  __asm__ volatile("" ::: "memory");
  SPIN(sum);
  return sum;
}

ASYNC uint64_t unknown_call(WITH) {
  uint64_t sum = 0;
  outside();
  memcpy(d, s, n);
  outside();
  SPIN(sum);
  return sum;
}

ASYNC int set_jump(WITH) {
  jmp_buf where;
  (void)a, (void)m;
  if (setjmp(where))
    return 1;
  memcpy(d, s, n);
  return setjmp(where);
}

ASYNC uint64_t small(WITH) {
  uint64_t sum = 0;
  (void)n;
  memcpy(d, s, 2048);
  SPIN(sum);
  return sum;
}

uint64_t not_asked(WITH) {
  uint64_t sum = 0;
  memcpy(d, s, n);
  SPIN(sum);
  return sum;
}

ASYNC __attribute__((memlift("off"))) uint64_t off(WITH) {
  uint64_t sum = 0;
  memcpy(d, s, n);
  SPIN(sum);
  return sum;
}
#else
#include <stdio.h>
#include <stdlib.h>

#include <memlift/memlift.h>

#define WITH char *restrict, const char *restrict, size_t, const uint32_t *restrict, size_t
uint64_t keep(WITH), hoisted(WITH), some_ways(WITH), each_round(WITH), source_written(WITH),
    two_ways_in(WITH), tail_call(WITH), either_each_round(WITH), distance_each_round(WITH);
uint64_t two(char *restrict, WITH), two_each_round(char *restrict, WITH);
uint64_t words(uint32_t *restrict, WITH), calls_beside(uint32_t *restrict, WITH),
    called_before(uint32_t *restrict, WITH), calls_atomic(uint32_t *restrict, WITH),
    calls_volatile(uint32_t *restrict, WITH), calls_endless(uint32_t *restrict, WITH), calls_on_it(uint32_t *restrict, WITH);
void outside(void) {}
uint64_t folded(const uint32_t *of, uint64_t sum) { return sum ^ of[3]; }
volatile int seen;
_Atomic int flag;

static char d[BYTES], s[BYTES], e[BYTES];
static uint32_t a[5000];

static void show(const char *name, uint64_t result) {
  for (size_t i = 0; i < BYTES; i++)
    result = (result ^ (unsigned char)d[i]) * 1099511628211u + (unsigned char)e[i];
  printf("%s %llx\n", name, (unsigned long long)result);
}

int main(int argc, char **argv) {
  struct memlift_engine_counters counters;
  for (size_t i = 0; i < BYTES; i++)
    s[i] = (char)(i * i >> 3), d[i] = e[i] = 0;
  for (size_t i = 0; i < 5000; i++)
    a[i] = (uint32_t)(i * 77);
  for (size_t m = 4990; m < 5000; m++) {
    show("keep", keep(d, s, BYTES - m, a, m));
    show("hoisted", hoisted(d, s + 3, BYTES - m, a, m));
    show("two", two(e, d, s + m, BYTES / 2, a, m));
    show("two_each_round", two_each_round(e, d, s, BYTES, a, m));
    show("some_ways", some_ways(d, s, BYTES / 2 + m, a, m));
    show("each_round", each_round(d, s, BYTES, a, m));
    show("words", words((uint32_t *)e, d, s, BYTES, a, m));
    show("two_ways_in", two_ways_in(d, s, BYTES - 9, a, m));
    show("tail_call", tail_call(d, s + 1, BYTES - m, a, m));
    show("calls_beside", calls_beside((uint32_t *)e, d, s + 2, BYTES - m, a, m));
    show("called_before", called_before((uint32_t *)e, d, s + 3, BYTES - m, a, m));
    show("calls_atomic", calls_atomic((uint32_t *)e, d, s + 5, BYTES - m, a, m));
    show("calls_volatile", calls_volatile((uint32_t *)e, d, s + 7, BYTES - m, a, m));
    show("calls_endless", calls_endless((uint32_t *)e, d, s, BYTES - m, a, m));
    show("calls_on_it", calls_on_it((uint32_t *)e, d, s, BYTES - m, a, m));
    show("either_each_round", either_each_round(d, s, BYTES, a, m));
    show("distance_each_round", distance_each_round(d, s + 1, BYTES - m, a, m));
    show("source_written", source_written(d, s, BYTES - m, a, m));
  }
  memlift_engine_count(&counters, sizeof counters);
  if (argc > 1 && (!counters.submitted || counters.submitted != counters.collected))
    fprintf(stderr, "%s: submitted %llu, collected %llu\n", argv[0],
            (unsigned long long)counters.submitted, (unsigned long long)counters.collected);
  return 0;
}
#endif
