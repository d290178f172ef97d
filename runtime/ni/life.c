/* life.c - the attachments of this process, and a child after fork, which has none of them
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Problem: a page belongs to one process. A child has a copy of the parent's memory and
 * descriptors. If it had the pages too, two processes would store into one channel, and the page of
 * a parent that has died would stay taken for as long as a child lives.
 *
 * Idea: transports map pages with MADV_DONTFORK, so they are not in a child at all. A handler of
 * pthread_atfork closes the descriptors there and marks each attachment as gone, which every call
 * tests before it touches a page. The list is locked over a fork, lest the child finds an attach in
 * the middle; a signal handler that forks in the thread that attaches goes on in the child without
 * waiting for itself, and what it has interrupted there is left as it is.
 */
#define _GNU_SOURCE
#include "../config.h"

#if MEMLIFT_HAVE_ENGINES
#include "transport.h"

#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uintptr_t owner; /* the thread that holds it, 0: none; in one word, lest it is torn itself */
static int torn, watching;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static struct memlift_ni *list;
static struct memlift_ni_counters of_the_gone;

static uintptr_t self(void) { return (uintptr_t)pthread_self(); }

void memlift_ni_lock(void) {
  pthread_mutex_lock(&lock);
  __atomic_store_n(&owner, self(), __ATOMIC_RELAXED);
}

void memlift_ni_unlock(void) {
  __atomic_store_n(&owner, 0, __ATOMIC_RELAXED);
  pthread_mutex_unlock(&lock);
}

static int is_mine(void) { return __atomic_load_n(&owner, __ATOMIC_RELAXED) == self(); }

/* `torn` is changed with the lock alone, as another thread may be in its own fork. */
static void before_fork(void) {
  if (is_mine())
    torn = 1;
  else
    memlift_ni_lock();
}

static void in_parent(void) {
  if (!torn)
    memlift_ni_unlock();
  else
    torn = 0;
}

static void in_child(void) {
  for (struct memlift_ni *ni = list; ni; ni = ni->next) {
    if (!ni->gone)
      ni->transport->forget(ni);
    ni->gone = 1;
  }
  if (!torn) { /* the lock's owner is this thread, under another number */
    owner = 0;
    pthread_mutex_init(&lock, NULL);
  }
  torn = 0;
}

static void watch(void) { watching = pthread_atfork(before_fork, in_parent, in_child) == 0; }

/* Before the lock is taken for the first time: a fork that does not know of it would leave it
 * locked in the child. */
int memlift_ni_watch_forks(void) {
  pthread_once(&once, watch);
  return watching;
}

void memlift_ni_enlist(struct memlift_ni *ni) { ni->next = list, list = ni; }

/* Adds all members, which are counters and nothing else. */
static void add(struct memlift_ni_counters *sum, const struct memlift_ni_counters *counters) {
  uint64_t *to = (uint64_t *)sum;
  const uint64_t *from = (const uint64_t *)counters;
  for (unsigned i = 0; i < sizeof *sum / sizeof *to; i++)
    to[i] += __atomic_load_n(&from[i], __ATOMIC_RELAXED);
}

void memlift_ni_add_counters(struct memlift_ni_counters *sum, const struct memlift_ni *ni) {
  for (unsigned i = 0; i < ni->pages; i++) {
    add(sum, &ni->page[i].sent);
    add(sum, &ni->page[i].got);
  }
}

void memlift_ni_delist(struct memlift_ni *ni) {
  for (struct memlift_ni **at = &list; *at; at = &(*at)->next)
    if (*at == ni) {
      *at = ni->next;
      memlift_ni_add_counters(&of_the_gone, ni);
      return;
    }
}

/* Also called by a handler of pthread_atfork, while this file's handler before it has the lock. */
void memlift_ni_count_all(struct memlift_ni_counters *sum) {
  int held = is_mine();
  if (!held)
    memlift_ni_lock();
  add(sum, &of_the_gone);
  for (const struct memlift_ni *ni = list; ni; ni = ni->next)
    memlift_ni_add_counters(sum, ni);
  if (!held)
    memlift_ni_unlock();
}
#else
typedef int memlift_no_engines; /* a translation unit must not be empty */
#endif
