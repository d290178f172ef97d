/* mover_cpu.c - the CPU as a mover: a transfer is complete when it has been started
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Of the two movers here memlift_mover_cpu copies as memlift_copy does, and a bad address raises
 * its signal. memlift_mover_checked has the system copy, which costs a system call a row and tells
 * how far it came instead.
 */
#include "../config.h"
#include "../kernels/dispatch.h"
#include "mover.h"
#include "task_copy.h"

#if MEMLIFT_HAVE_ENGINES
#include "../engine/remote.h"
#include "../queue/wait.h"

#include <errno.h>
#endif

#if MEMLIFT_SMALL
void memlift_task_copy(void *to, const void *from, size_t size) {
  typedef uint64_t __attribute__((may_alias)) word;
  unsigned char *t = (unsigned char *)to;
  const unsigned char *f = (const unsigned char *)from;
  if ((((uintptr_t)t | (uintptr_t)f) & 7) == 0)
    for (; size >= 8; size -= 8, t += 8, f += 8)
      *(word *)(void *)t = *(const word *)(const void *)f;
  while (size--)
    *t++ = *f++;
}

static void copy_part(void *to, const void *from, size_t size) {
  memlift_task_copy(to, from, size);
}
#else
static void copy_part(void *to, const void *from, size_t size) { memlift_cpu_copy(to, from, size); }
#endif

/* ---- Rows ------------------------------------------------------------------------------------ */

/* A part of a row. */
struct part {
  unsigned char *to;
  const unsigned char *from;
  size_t bytes;
};

/* Returns the rest of row number `row` from byte `at` on. */
static struct part part_of(const struct memlift_transfer *t, size_t row, size_t at) {
  unsigned char *local = t->local + (ptrdiff_t)row * t->local_pitch + at;
  unsigned char *address = t->address + (ptrdiff_t)row * t->pitch + at;
  if (t->direction == MEMLIFT_GET)
    return (struct part){local, address, t->bytes - at};
  return (struct part){address, local, t->bytes - at};
}

void memlift_transfer_rest(const struct memlift_transfer *t, size_t moved) {
  size_t at = moved % t->bytes;
  for (size_t row = moved / t->bytes; row < t->rows; row++, at = 0) {
    struct part p = part_of(t, row, at);
    copy_part(p.to, p.from, p.bytes);
  }
}

unsigned char *memlift_transfer_address(const struct memlift_transfer *t, size_t byte) {
  return t->address + (ptrdiff_t)(byte / t->bytes) * t->pitch + byte % t->bytes;
}

/* ---- Movers ---------------------------------------------------------------------------------- */

static memlift_status start(struct memlift_mover *mover, const struct memlift_transfer *transfer,
                            uint64_t *ticket, size_t *moved) {
  (void)mover, (void)ticket;
  memlift_transfer_rest(transfer, 0);
  *moved = transfer->bytes * transfer->rows;
  return MEMLIFT_OK;
}

/* No ticket is ever given out. */
static memlift_status wait_for(struct memlift_mover *mover, uint64_t ticket, uint64_t nanoseconds,
                               size_t *moved) {
  (void)mover, (void)ticket, (void)nanoseconds, (void)moved;
  return MEMLIFT_OK;
}

static void give_up(struct memlift_mover *mover, uint64_t ticket) { (void)mover, (void)ticket; }

static uint64_t now(struct memlift_mover *mover) {
  (void)mover;
#if MEMLIFT_HAVE_ENGINES
  return memlift_now();
#else
  return 0;
#endif
}

static size_t nothing_is_worth(struct memlift_mover *mover) {
  (void)mover;
  return SIZE_MAX;
}

struct memlift_mover memlift_mover_cpu = {
    "cpu", start, wait_for, give_up, now, nothing_is_worth, UINT64_MAX, 1, 0, {0}};

#if MEMLIFT_HAVE_ENGINES
/* Copies a part by the system. It takes 2 GiB at once, less a page: so it is asked again until it
 * comes no further. */
static size_t copy_checked(const struct part *p) {
  size_t done = 0, more;
  while (done < p->bytes &&
         (more = memlift_remote_copy(p->to + done, p->from + done, p->bytes - done)) != 0)
    done += more;
  return done;
}

static memlift_status start_checked(struct memlift_mover *mover,
                                    const struct memlift_transfer *transfer, uint64_t *ticket,
                                    size_t *moved) {
  (void)mover, (void)ticket;
  int saved_errno = errno;
  size_t row = 0;
  *moved = 0;
  for (; row < transfer->rows && *moved == row * transfer->bytes; row++) {
    struct part p = part_of(transfer, row, 0);
    *moved += copy_checked(&p);
  }
  errno = saved_errno;
  return *moved == transfer->rows * transfer->bytes ? MEMLIFT_OK : MEMLIFT_FAULT;
}

struct memlift_mover memlift_mover_checked = {
    "checked", start_checked, wait_for, give_up, now, nothing_is_worth, UINT64_MAX, 0, 0, {0}};

int memlift_mover_checked_works(void) {
  const char *reason;
  return memlift_remote_is_available(&reason);
}
#else
struct memlift_mover memlift_mover_checked = {"checked",        start,      wait_for, give_up, now,
                                              nothing_is_worth, UINT64_MAX, 0,        0,       {0}};

int memlift_mover_checked_works(void) { return 0; }
#endif
