/* mover_engine.c - the engine in use as a mover, through the operations of async/
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Each row is an operation of its own, since engines copy what is contiguous. async/ looks after
 * all that an engine may do wrong, so no transfer is ever lost, and its bytes are right.
 *
 * Bad addresses. A get comes before the program needs its bytes, and may ask for some that it never
 * needs: it must not raise a signal. async/ would, as it meets each page in the program's thread.
 * So the system is asked first, which costs about 100 ns a page, little beside the smallest
 * transfer that is worth an engine. Where it cannot be asked, there is nothing that an engine could
 * do here. A page that goes between the question and the transfer raises its signal, as it would
 * from async.h.
 */
#define _GNU_SOURCE
#include "../config.h"
#include "mover_engine.h"

#if MEMLIFT_HAVE_ENGINES
#include "../async/beside.h"
#include "../engine/populate.h"
#include "../entry/operations.h"
#include "../queue/wait.h"

#include <errno.h>
#include <unistd.h>

#define ALL_FREE (~(uint64_t)0)

/* ---- Bad addresses --------------------------------------------------------------------------- */

static int can_access(const struct memlift_transfer *t, unsigned char *p, size_t bytes) {
  return t->direction == MEMLIFT_GET ? memlift_populate_read(p, bytes)
                                     : memlift_populate_write(p, bytes);
}

/* Returns how many bytes of a row at p can be accessed, page by page where that is needed. */
static size_t accessible(const struct memlift_transfer *t, unsigned char *p) {
  if (can_access(t, p, t->bytes))
    return t->bytes;
  size_t page = (size_t)sysconf(_SC_PAGESIZE), at = 0;
  while (at < t->bytes) {
    size_t most = page - ((uintptr_t)(p + at) & (page - 1));
    size_t here = most < t->bytes - at ? most : t->bytes - at;
    if (!can_access(t, p + at, here))
      break;
    at += here;
  }
  return at;
}

/* Returns how many bytes of a transfer can be accessed, through the rows from the first on. */
static size_t accessible_bytes(const struct memlift_transfer *t) {
  for (size_t row = 0; row < t->rows; row++) {
    size_t here = accessible(t, t->address + (ptrdiff_t)row * t->pitch);
    if (here < t->bytes)
      return row * t->bytes + here;
  }
  return t->rows * t->bytes;
}

/* ---- The mover ------------------------------------------------------------------------------- */

static struct memlift_mover_engine *engine_of(struct memlift_mover *mover) {
  return (struct memlift_mover_engine *)(void *)mover;
}

/* Begins a row; 0: it could not be. */
static uint64_t begin_row(const struct memlift_transfer *t, size_t row) {
  unsigned char *local = t->local + (ptrdiff_t)row * t->local_pitch;
  unsigned char *address = t->address + (ptrdiff_t)row * t->pitch;
  return t->direction == MEMLIFT_GET ? memlift_begin_beside(local, address, t->bytes)
                                     : memlift_begin_beside(address, local, t->bytes);
}

/* Waits for the rows of a ticket one by one. The next row moves to the place of the first, so that
 * the ticket goes on to name what is left. */
static memlift_status wait_for(struct memlift_mover *mover, uint64_t ticket, uint64_t nanoseconds,
                               size_t *moved) {
  struct memlift_mover_engine *e = engine_of(mover);
  unsigned first = (unsigned)ticket - 1;
  (void)moved;
  uint64_t start = nanoseconds && nanoseconds != UINT64_MAX ? memlift_now() : 0;
  for (;;) {
    uint64_t left = nanoseconds;
    if (start) {
      uint64_t waited = memlift_now() - start;
      left = waited < nanoseconds ? nanoseconds - waited : 0;
    }
    if (memlift_wait((memlift_token){e->token[first]}, left) == MEMLIFT_PENDING)
      return MEMLIFT_PENDING;
    unsigned next = e->next[first];
    if (!next) {
      e->free |= (uint64_t)1 << first;
      return MEMLIFT_OK;
    }
    e->token[first] = e->token[next - 1];
    e->next[first] = e->next[next - 1];
    e->free |= (uint64_t)1 << (next - 1);
  }
}

static void give_up(struct memlift_mover *mover, uint64_t ticket) {
  struct memlift_mover_engine *e = engine_of(mover);
  while (ticket) {
    unsigned n = (unsigned)ticket - 1;
    memlift_cancel((memlift_token){e->token[n]});
    e->free |= (uint64_t)1 << n;
    ticket = e->next[n];
  }
}

/* Begins the rows from the last to the first, so that each knows its next one. */
static memlift_status start(struct memlift_mover *mover, const struct memlift_transfer *t,
                            uint64_t *ticket, size_t *moved) {
  struct memlift_mover_engine *e = engine_of(mover);
  int saved_errno = errno;
  *moved = accessible_bytes(t);
  *ticket = 0;
  memlift_status status = *moved < t->bytes * t->rows ? MEMLIFT_FAULT : MEMLIFT_PENDING;
  if (t->rows > (unsigned)__builtin_popcountll(e->free))
    status = MEMLIFT_BUSY;
  for (size_t row = t->rows; status == MEMLIFT_PENDING && row-- > 0;) {
    uint64_t token = begin_row(t, row);
    if (!token) {
      give_up(mover, *ticket);
      status = MEMLIFT_BUSY;
      break;
    }
    unsigned n = memlift_lowest_bit(e->free);
    e->free &= ~((uint64_t)1 << n);
    e->token[n] = token;
    e->next[n] = (unsigned char)*ticket;
    *ticket = n + 1;
  }
  errno = saved_errno;
  return status;
}

static uint64_t now(struct memlift_mover *mover) {
  (void)mover;
  return memlift_now();
}

/* The size from which on the engine in use pays, which is SIZE_MAX without one. */
static size_t worth(struct memlift_mover *mover) {
  (void)mover;
  return __atomic_load_n(&memlift_engine_min, __ATOMIC_RELAXED);
}

static size_t nothing_is_worth(struct memlift_mover *mover) {
  (void)mover;
  return SIZE_MAX;
}

void memlift_mover_engine_init(struct memlift_mover_engine *e) {
  int saved_errno = errno;
  char byte = 0;
  int can_ask = memlift_populate_read(&byte, 1) && memlift_populate_write(&byte, 1);
  e->mover =
      (struct memlift_mover){"engine", start, wait_for, give_up, now, worth, UINT64_MAX, 0, 0, {0}};
  if (!can_ask)
    e->mover.worth = nothing_is_worth;
  e->free = ALL_FREE;
  errno = saved_errno;
}
#else
/* No engines in this build. */
void memlift_mover_engine_init(struct memlift_mover_engine *e) { e->mover = memlift_mover_cpu; }
#endif
