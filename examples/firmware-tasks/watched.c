/* watched.c - a unit's own channel of the PDMA, and a check of the order of its use
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "watched.h"

static struct watched *watched_of(struct memlift_mover *mover) {
  return (struct watched *)(void *)mover;
}

/* The place for a transfer whose ticket is the job that does it. */
static struct memlift_transfer *place_of(struct watched *w, uint64_t ticket) {
  return &w->under_way[(struct memlift_pdma_job *)(uintptr_t)ticket - w->pdma.job];
}

static int meets(const struct memlift_transfer *t, const void *p, size_t size) {
  uintptr_t first = (uintptr_t)t->local, from = (uintptr_t)p;
  return t->bytes && first < from + size && from < first + t->bytes;
}

void watched_use(struct watched *w, const void *p, size_t size) {
  for (unsigned i = 0; i < MEMLIFT_PDMA_JOBS; i++)
    w->too_early += (uint64_t)meets(&w->under_way[i], p, size);
}

int watched_gets(const struct watched *w, const void *p) {
  for (unsigned i = 0; i < MEMLIFT_PDMA_JOBS; i++)
    if (meets(&w->under_way[i], p, 1) && w->under_way[i].direction == MEMLIFT_GET)
      return 1;
  return 0;
}

static memlift_status start(struct memlift_mover *mover, const struct memlift_transfer *transfer,
                            uint64_t *ticket, size_t *moved) {
  struct watched *w = watched_of(mover);
  watched_use(w, transfer->local, transfer->bytes);
  memlift_status status = w->pdma.mover.start(&w->pdma.mover, transfer, ticket, moved);
  if (status == MEMLIFT_PENDING)
    *place_of(w, *ticket) = *transfer;
  return status;
}

static memlift_status wait_for(struct memlift_mover *mover, uint64_t ticket, uint64_t nanoseconds,
                               size_t *moved) {
  struct watched *w = watched_of(mover);
  memlift_status status = w->pdma.mover.wait(&w->pdma.mover, ticket, nanoseconds, moved);
  if (status == MEMLIFT_PENDING)
    return status;
  if (status == MEMLIFT_OK)
    w->transfers++, w->bytes += place_of(w, ticket)->bytes;
  place_of(w, ticket)->bytes = 0;
  return status;
}

static void give_up(struct memlift_mover *mover, uint64_t ticket) {
  struct watched *w = watched_of(mover);
  w->pdma.mover.abort(&w->pdma.mover, ticket);
  place_of(w, ticket)->bytes = 0;
}

static uint64_t now(struct memlift_mover *mover) {
  return watched_of(mover)->pdma.mover.now(&watched_of(mover)->pdma.mover);
}

/* Everything goes to the channel here, however small. */
static size_t worth(struct memlift_mover *mover) {
  (void)mover;
  return 0;
}

memlift_status watched_open(struct watched *w, unsigned channel) {
  memlift_status status = memlift_mover_pdma_open(&w->pdma, NULL, 0, 1u << channel);
  w->mover = (struct memlift_mover){
      "watched", start, wait_for, give_up, now, worth, w->pdma.mover.patience, 0, 0};
  return status;
}
