/* quiet.c - threads of the library's own
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#define _GNU_SOURCE
#include "../config.h"

#if MEMLIFT_HAVE_ENGINES
#include "quiet.h"

#include <signal.h>

/* What ours need is a few KiB; the rest is for what sanitizers and a program's TLS take of it. */
#define STACK ((size_t)512 << 10)

int memlift_quiet_thread(pthread_t *thread, void *(*body)(void *), void *state) {
  pthread_attr_t attributes;
  sigset_t all, before;
  int error = pthread_attr_init(&attributes);
  if (error)
    return error;
  pthread_attr_setstacksize(&attributes, STACK); /* where it is too small: as large as all are */
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  error = pthread_create(thread, &attributes, body, state);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  pthread_attr_destroy(&attributes);
  return error;
}
#else
typedef int memlift_no_engines; /* a translation unit must not be empty */
#endif
