/* wait.c - waiting: for a message, for an acknowledgement, for any of several things
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Problem: a message comes within a microsecond or within an hour, and a wait should see the first
 * at once and cost nothing for the second.
 *
 * Idea: look without a pause for as long as a system call and a wake-up would cost; then offer the
 * processor to others between looks, since the other end may be waiting for it; then sleep. A
 * mailbox sleeps until its transport wakes it; nothing wakes a sender, so it sleeps for ever
 * longer, up to SLEEP_MOST_NS. Several things are waited for by turns, as no one event of the
 * system stands for all of them.
 */
#define _GNU_SOURCE
#include "../config.h"

#if MEMLIFT_HAVE_ENGINES
#include "../queue/watch.h"
#include "transport.h"

#include <errno.h>
#include <sched.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* Looks without a pause, for some tens of microseconds; then with a sched_yield between. */
#define EAGER 1000u
#define POLITE 200u

/* A message that finds a mailbox asleep wakes it. This limit is for a sender that has died between
 * its doorbell and the wake-up. */
#define MAILBOX_SLEEP_NS 10000000u

#define SLEEP_NS 20000u
#define SLEEP_MOST_NS 100000u

/* The time that is left of a wait; 0: none. */
static uint64_t time_left(struct memlift_ni_patience *p) {
  if (p->nanoseconds == UINT64_MAX)
    return UINT64_MAX;
  if (p->start == 0)
    p->start = memlift_now();
  uint64_t waited = memlift_now() - p->start;
  return waited < p->nanoseconds ? p->nanoseconds - waited : 0;
}

/* Sleeps; a signal may end it early. By system call: libc's is a cancellation point, and a thread
 * that is cancelled in the middle of a wait would leave a page that nobody may use. */
static void sleep_for(uint64_t nanoseconds) {
  struct timespec t = {(time_t)(nanoseconds / 1000000000u), (long)(nanoseconds % 1000000000u)};
  syscall(SYS_nanosleep, &t, NULL);
}

int memlift_ni_be_patient(struct memlift_ni_patience *p, struct memlift_ni_page *page) {
  unsigned look = p->looks;
  p->looks += look < UINT32_MAX;
  if (p->nanoseconds == 0)
    return 0;
  if (look < EAGER) {
    memlift_barrier_relax();
    return look % 64 || time_left(p);
  }
  uint64_t left = time_left(p);
  if (left == 0)
    return 0;
  int saved_errno = errno;
  if (look < EAGER + POLITE) {
    sched_yield();
  } else if (page && page->ni->transport->sleep) {
    page->ni->transport->sleep(page, left < MAILBOX_SLEEP_NS ? left : MAILBOX_SLEEP_NS);
  } else {
    uint64_t longer = (uint64_t)SLEEP_NS * (look - EAGER - POLITE + 1);
    uint64_t most = longer < SLEEP_MOST_NS ? longer : SLEEP_MOST_NS;
    sleep_for(left < most ? left : most);
  }
  errno = saved_errno;
  return 1;
}

/* ---- Several things ------------------------------------------------------------------------ */

/* Element i of a list whose elements have the size that the caller was compiled with. */
static struct memlift_waitable element(const void *list, size_t size, unsigned i) {
  struct memlift_waitable w;
  memset(&w, 0, sizeof w);
  memcpy(&w, (const unsigned char *)list + i * size, size < sizeof w ? size : sizeof w);
  return w;
}

/* MEMLIFT_PENDING: not yet; another status ends the wait. */
static memlift_status look_at(const struct memlift_waitable *w) {
  size_t size;
  if (w->kind == MEMLIFT_WAIT_TOKEN)
    return memlift_try_wait(w->token);
  if (w->kind == MEMLIFT_WAIT_MESSAGE)
    return memlift_ni_status(w->ni, w->ticket);
  if (w->kind != MEMLIFT_WAIT_MAILBOX)
    return MEMLIFT_INVALID_ARGUMENT;
  memlift_status status = memlift_ni_peek(w->ni, w->page, &size);
  if (status != MEMLIFT_OK || size)
    return status;
  memlift_ni_drive(&w->ni->page[w->page]);
  return MEMLIFT_PENDING;
}

/* Looks at each of the list. *things is how many there are. */
static memlift_status look_at_all(const void *list, size_t size, unsigned count, unsigned *which,
                                  unsigned *things) {
  *things = 0;
  for (unsigned i = 0; i < count; i++) {
    struct memlift_waitable w = element(list, size, i);
    if (w.kind == MEMLIFT_WAIT_NOTHING || (w.kind == MEMLIFT_WAIT_TOKEN && w.token.id == 0))
      continue;
    ++*things;
    memlift_status status = look_at(&w);
    if (status != MEMLIFT_PENDING) {
      *which = i;
      return status;
    }
  }
  return *things ? MEMLIFT_PENDING : MEMLIFT_COLLECTED;
}

/* The page to sleep for where there is one thing, and it is a mailbox. */
static struct memlift_ni_page *only_mailbox(const void *list, size_t size, unsigned count,
                                            unsigned things) {
  for (unsigned i = 0; things == 1 && i < count; i++) {
    struct memlift_waitable w = element(list, size, i);
    if (w.kind == MEMLIFT_WAIT_MAILBOX)
      return &w.ni->page[w.page];
  }
  return NULL;
}

memlift_status memlift_wait_first(const struct memlift_waitable *list, size_t size, unsigned count,
                                  uint64_t nanoseconds, unsigned *which) {
  struct memlift_ni_patience patience = {nanoseconds, 0, 0};
  if (!list || !which || size == 0 || count == 0)
    return MEMLIFT_INVALID_ARGUMENT;
  for (;;) {
    unsigned things;
    memlift_status status = look_at_all(list, size, count, which, &things);
    if (status != MEMLIFT_PENDING)
      return status;
    if (!memlift_ni_be_patient(&patience, only_mailbox(list, size, count, things)))
      return MEMLIFT_PENDING;
  }
}

/* ---- Descriptors --------------------------------------------------------------------------- */

memlift_status memlift_ni_descriptor(memlift_ni *ni, unsigned index, int *fd) {
  struct memlift_ni_page *page;
  memlift_status status = memlift_ni_page_of(ni, index, &page);
  if (status != MEMLIFT_OK)
    return status;
  if (!fd)
    return MEMLIFT_INVALID_ARGUMENT;
  if (!ni->transport->descriptor)
    return MEMLIFT_NOT_PRESENT;
  int saved_errno = errno;
  *fd = ni->transport->descriptor(page);
  errno = saved_errno;
  return *fd >= 0 ? MEMLIFT_OK : MEMLIFT_NO_RESOURCES;
}

/* Armed before the look: a message that comes in between makes the descriptor readable. */
memlift_status memlift_ni_arm(memlift_ni *ni, unsigned index) {
  struct memlift_ni_page *page;
  memlift_status status = memlift_ni_page_of(ni, index, &page);
  if (status != MEMLIFT_OK)
    return status;
  if (!ni->transport->arm)
    return MEMLIFT_NOT_PRESENT;
  int saved_errno = errno;
  ni->transport->arm(page);
  status = memlift_ni_settle(page);
  errno = saved_errno;
  return status == MEMLIFT_OK && page->head ? MEMLIFT_BUSY : status;
}
#else
typedef int memlift_no_engines; /* a translation unit must not be empty */
#endif
