/* mainends.c - a program whose main ends by pthread_exit: engines work on in its other threads
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The first thread is where the system looks for a process's memory, if asked by the process's
 * number. Given a second argument, the other thread ends by pthread_exit, too: the threads of the
 * engine must not keep the process then, and what runs at exit still copies.
 * Usage: mainends ENGINE [last]
 * Exit codes: 0 all is as it should be, 1 not; the program says what; 77 skipped.
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
static const char *name;
static int last;

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
  /* Helper threads take larger operations only, and leave some to the CPU. */
  uint64_t least = strcmp(name, "soft") == 0 ? 2 * SIZE : 0;
  expect(count.faults == 0 && count.engine_bytes >= least, "the engine does not reach the memory");
  if (last)
    pthread_exit(NULL);
  exit(0);
  return unused;
}

static void at_exit(void) {
  memset(to, 0, SIZE);
  memlift_copy(to, from, SIZE);
  if (memcmp(to, from, SIZE) != 0) {
    puts("mainends: a copy at exit is wrong");
    _exit(1);
  }
}

int main(int argc, char **argv) {
  pthread_t thread;
  name = argc > 1 ? argv[1] : "";
  last = argc > 2;
  if (memlift_engine_start(name) != MEMLIFT_OK) {
    puts("mainends: skipped: this system refuses the engine");
    return 77;
  }
  expect(!last || atexit(at_exit) == 0, "no exit handler");
  first = pthread_self();
  expect(pthread_create(&thread, NULL, rest, NULL) == 0, "no thread");
  pthread_exit(NULL);
}
