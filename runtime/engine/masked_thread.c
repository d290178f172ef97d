/* masked_thread.c - the library's own threads, which run with all signals blocked
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#define _GNU_SOURCE
#include "../config.h"

#if MEMLIFT_HAVE_ENGINES
#include "masked_thread.h"
#include "registry.h"

#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* These threads need a few KiB; sanitizers and the program's TLS take the rest of the stack. */
#define STACK ((size_t)512 << 10)

/* The process these threads are in, and below that their number: a child after fork has none of
 * them. In one word, as engines and contexts of tasks start threads at the same time. */
static uint64_t counted;
static sigset_t of_the_program; /* mask of the thread that created the first of them */

static uint32_t count_of(uint64_t word) { return (uint32_t)word; }

static void count_one(const sigset_t *before) {
  uint64_t here = (uint64_t)(uint32_t)getpid() << 32,
           now = __atomic_load_n(&counted, __ATOMIC_RELAXED);
  uint64_t next;
  do
    next = now >> 32 == here >> 32 ? now + 1 : here + 1;
  while (!__atomic_compare_exchange_n(&counted, &now, next, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
  if (count_of(next) == 1)
    of_the_program = *before;
}

int memlift_masked_thread_create(pthread_t *thread, void *(*body)(void *), void *state) {
  pthread_attr_t attributes;
  sigset_t all, before;
  int error = pthread_attr_init(&attributes);
  if (error)
    return error;
  pthread_attr_setstacksize(&attributes, STACK); /* too small for this system: its default */
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  count_one(&before);
  error = pthread_create(thread, &attributes, body, state);
  if (error)
    __atomic_fetch_sub(&counted, 1, __ATOMIC_RELAXED);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  pthread_attr_destroy(&attributes);
  return error;
}

void memlift_masked_thread_join(pthread_t thread) {
  pthread_join(thread, NULL);
  __atomic_fetch_sub(&counted, 1, __ATOMIC_RELAXED);
}

/* ---- The last ones -------------------------------------------------------------------------- */

/* Number of threads once main has ended, the remains of main's among them. 0: main still runs, or
 * the system does not tell. */
static unsigned long threads_after_main(void) {
  char text[1024];
  int fd = open("/proc/self/stat", O_RDONLY | O_CLOEXEC);
  ssize_t size = fd < 0 ? -1 : read(fd, text, sizeof text - 1);
  if (fd >= 0)
    close(fd);
  if (size <= 0)
    return 0;
  text[size] = 0;
  const char *field = strrchr(text, ')'); /* the name before it may hold anything */
  if (!field || field[1] != ' ' || field[2] != 'Z')
    return 0;
  field += 2;
  for (int number = 3; field && number < 20; number++) { /* proc(5): state is 3, num_threads 20 */
    field = strchr(field, ' ');
    field = field ? field + 1 : NULL;
  }
  return field ? strtoul(field, NULL, 10) : 0;
}

void memlift_masked_thread_exit_if_alone(void) {
  static uint32_t leaving;
  if (threads_after_main() !=
          1 + (unsigned long)count_of(__atomic_load_n(&counted, __ATOMIC_RELAXED)) ||
      __atomic_exchange_n(&leaving, 1, __ATOMIC_RELAXED))
    return;
  memlift_engine_forget(); /* handlers at exit copy by the CPU: this is the engine's thread */
  pthread_sigmask(SIG_SETMASK, &of_the_program, NULL);
  exit(0);
}
#else
typedef int memlift_no_engines; /* a translation unit must not be empty */
#endif
