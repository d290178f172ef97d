/* mainends.c - a program whose main ends by pthread_exit: engines work on in its other threads
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The first thread is where the system looks for a process's memory, if asked by the process's number.
 * Exit codes: 0 all is as it should be, 1 not; the program says what.
 */
#include <memlift/async.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SIZE ((size_t)1 << 20)

static unsigned char from[SIZE], to[SIZE];
static pthread_t first;

static void expect(int good, const char *what) {
  if (good)
    return;
  printf("mainends: %s\n", what);
  exit(1);
}

static void *rest(void *unused) {
  struct memlift_engine_counters count;
  memlift_token token;
  pthread_join(first, NULL);
  for (size_t i = 0; i < SIZE; i++)
    from[i] = (unsigned char)(i * 7 >> 3);
  memlift_copy(to, from, SIZE);
  expect(memcmp(to, from, SIZE) == 0, "a copy is wrong");
  memset(to, 0, SIZE);
  expect(memlift_submit_copy(to, from, SIZE, (memlift_token){0}, &token) == MEMLIFT_OK &&
             memlift_wait(token, UINT64_MAX) == MEMLIFT_OK && memcmp(to, from, SIZE) == 0,
         "a submitted copy is wrong");
  memlift_engine_count(&count, sizeof count);
  expect(count.faults == 0 && count.engine_bytes == 2 * SIZE, "the engine does not reach the memory");
  exit(0);
  return unused;
}

int main(void) {
  pthread_t thread;
  if (memlift_engine_start("soft") != MEMLIFT_OK) {
    puts("mainends: skipped: this system refuses the soft engine");
    return 77;
  }
  first = pthread_self();
  expect(pthread_create(&thread, NULL, rest, NULL) == 0, "no thread");
  pthread_exit(NULL);
}
