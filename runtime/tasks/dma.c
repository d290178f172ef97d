/* dma.c - transfers between a local store and memory: memlift_get, memlift_put, tags
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Each transfer under way has a slot of its store. A slot is free again when a wait has found that
 * its transfer has ended; a fault is then kept for the tag until the program is told. A transfer
 * that does not end in its mover's patience, which begins with the first wait for any, is lost: it
 * is aborted, and the CPU does it.
 *
 * Limits: MEMLIFT_SLOTS transfers under way; one more waits until some other has ended. A fence
 * waits when the next transfer of its tag begins, not beside the thread.
 */
#include "store.h"

/* Longest sleep while several transfers are waited for, of which any may end first. */
#define SLICE_NS 20000u

/* ---- Slots ----------------------------------------------------------------------------------- */

/* Notes what a start took, which is all of a transfer that moved at once. */
static void trace_start(struct memlift_store *store, const struct memlift_transfer *t,
                        memlift_status status, uint64_t since) {
  int put = t->direction == MEMLIFT_PUT;
  if (status == MEMLIFT_PENDING)
    memlift_store_trace(store, MEMLIFT_SPAN_SETUP, since, t->bytes * t->rows);
  else if (status == MEMLIFT_OK)
    memlift_store_trace(store, put ? MEMLIFT_SPAN_PUT : MEMLIFT_SPAN_GET, since,
                        t->bytes * t->rows);
}

static void note_begun(const struct memlift_store *store, struct memlift_store_slot *s,
                       uint64_t since) {
#if MEMLIFT_HAVE_ENGINES
  if (store->track)
    s->begun = since;
#else
  (void)store, (void)s, (void)since;
#endif
}

/* Notes a wait, and the transfer if that has ended with it. */
static void trace_wait(struct memlift_store *store, const struct memlift_store_slot *s,
                       memlift_status status, uint64_t since) {
#if MEMLIFT_HAVE_ENGINES
  int put = s->transfer.direction == MEMLIFT_PUT;
  if (since != memlift_store_time(store))
    memlift_store_trace(store, MEMLIFT_SPAN_WAIT, since, 0);
  if (status == MEMLIFT_OK)
    memlift_store_trace(store, put ? MEMLIFT_SPAN_PUT_MOVES : MEMLIFT_SPAN_GET_MOVES, s->begun,
                        s->transfer.bytes * s->transfer.rows);
#else
  (void)store, (void)s, (void)status, (void)since;
#endif
}

/* Starts the transfer of the lowest free slot. */
MEMLIFT_OFTEN memlift_status start_slot(struct memlift_store *store, struct memlift_store_slot *s,
                                        size_t *moved) {
  uint64_t since = memlift_store_time(store);
  s->deadline = 0, s->user = store->user->number;
  memlift_status status = store->mover->start(store->mover, &s->transfer, &s->ticket, moved);
  trace_start(store, &s->transfer, status, since);
  if (status == MEMLIFT_OK || status == MEMLIFT_PENDING)
    memlift_count_move(store, &s->transfer);
  if (status == MEMLIFT_PENDING) {
    store->free &= store->free - 1, store->user->left = 1;
    note_begun(store, s, since);
  }
  return status;
}

memlift_status memlift_slot_begin(struct memlift_store *store, const struct memlift_transfer *t,
                                  uint32_t tag, unsigned *slot, size_t *moved) {
  if (!store->free)
    return MEMLIFT_BUSY;
  *slot = memlift_lowest_bit(store->free);
  struct memlift_store_slot *s = &store->slot[*slot];
  s->transfer = *t, s->tag = tag;
  return start_slot(store, s, moved);
}

static void free_slot(struct memlift_store *store, unsigned slot) {
  store->free |= (uint64_t)1 << slot;
}

/* Gives a deadline to all transfers that have none. They began before: so several that are lost are
 * waited for together. No clock has to be read where a transfer begins. */
static MEMLIFT_SELDOM void set_deadlines(struct memlift_store *store, uint64_t deadline) {
  for (uint64_t busy = ~store->free; busy; busy &= busy - 1) {
    struct memlift_store_slot *s = &store->slot[memlift_lowest_bit(busy)];
    s->deadline = s->deadline ? s->deadline : deadline;
  }
}

memlift_status memlift_slot_end(struct memlift_store *store, unsigned slot, uint64_t nanoseconds,
                                size_t *moved) {
  struct memlift_mover *mover = store->mover;
  struct memlift_store_slot *s = &store->slot[slot];
  uint64_t since = memlift_store_time(store);
  if (nanoseconds)
    memlift_count_wait(store);
  memlift_status status = memlift_mover_poll(mover, s->ticket, moved);
  if (status != MEMLIFT_PENDING) {
    trace_wait(store, s, status, since);
    free_slot(store, slot);
    return status;
  }
  uint64_t patience = UINT64_MAX;
  if (mover->patience != UINT64_MAX) {
    uint64_t now = mover->now(mover);
    if (!s->deadline)
      set_deadlines(store, now + mover->patience);
    patience = s->deadline > now ? s->deadline - now : 0;
  }
  if (nanoseconds && patience)
    status = mover->wait(mover, s->ticket, nanoseconds < patience ? nanoseconds : patience, moved);
  trace_wait(store, s, status, since);
  if (status == MEMLIFT_PENDING && nanoseconds < patience)
    return status;
  if (status == MEMLIFT_PENDING) {
    mover->abort(mover, s->ticket);
    *moved = 0;
    status = MEMLIFT_TIMED_OUT;
  }
  free_slot(store, slot);
  return status;
}

void memlift_slots_abort(struct memlift_store *store) {
  for (unsigned slot = 0; slot < MEMLIFT_SLOTS; slot++) {
    if (store->free >> slot & 1 || store->slot[slot].user != store->user->number)
      continue;
    store->mover->abort(store->mover, store->slot[slot].ticket);
    free_slot(store, slot);
  }
}

/* ---- Tags ------------------------------------------------------------------------------------ */

/* Keeps the first fault of a tag. */
static void note_fault(struct memlift_store *store, const struct memlift_transfer *t, uint32_t tag,
                       size_t moved) {
  uint32_t bit = (uint32_t)1 << tag;
  struct memlift_store_user *user = store->user;
  if (user->faulty & bit)
    return;
  user->faulty |= bit, user->left = 1;
  user->fault[tag] = (struct memlift_dma_fault){memlift_transfer_address(t, moved), moved, tag,
                                                t->direction == MEMLIFT_PUT};
}

/* Has the CPU do a whole transfer. It may raise a signal, whose handler may leave: so the thread is
 * not in the store meanwhile. */
static void do_now(struct memlift_store *store, const struct memlift_transfer *t, uint32_t tag) {
  uint64_t ticket;
  size_t moved = 0;
  memlift_store_exit(store);
  uint64_t since = memlift_store_time(store);
  memlift_status status = store->cpu->start(store->cpu, t, &ticket, &moved);
  memlift_store_enter(store);
  trace_start(store, t, status, since);
  if (status == MEMLIFT_FAULT)
    note_fault(store, t, tag, moved);
}

/* Waits for a slot of a tag, and sees to it that its transfer is done; 0: it is under way still. */
static int settle(struct memlift_store *store, unsigned slot, uint64_t nanoseconds) {
  const struct memlift_store_slot *s = &store->slot[slot];
  size_t moved = 0;
  memlift_status status = memlift_slot_end(store, slot, nanoseconds, &moved);
  if (status == MEMLIFT_FAULT) {
    note_fault(store, &s->transfer, s->tag, moved);
  } else if (status == MEMLIFT_TIMED_OUT) {
    struct memlift_store_slot copy = *s; /* do_now lets a handler have the slot */
    do_now(store, &copy.transfer, copy.tag);
  }
  return status != MEMLIFT_PENDING;
}

/* Returns the bit of a slot's tag, 0 for another user's, and those of a loop over blocks. The slot
 * is not free. */
static uint32_t tag_of(const struct memlift_store *store, unsigned slot) {
  uint32_t tag = store->slot[slot].tag;
  return store->slot[slot].user != store->user->number || tag >= MEMLIFT_TAGS ? 0
                                                                              : (uint32_t)1 << tag;
}

/* Looks after all slots of the tags, without waiting. Returns the tags that are not done, and in
 * *first a slot of them. */
static uint32_t look(struct memlift_store *store, uint32_t mask, unsigned *first) {
  uint32_t pending = 0;
  for (uint64_t busy = ~store->free; busy; busy &= busy - 1) {
    unsigned slot = memlift_lowest_bit(busy);
    uint32_t tag = tag_of(store, slot) & mask;
    if (!tag || settle(store, slot, 0))
      continue;
    *first = pending ? *first : slot;
    pending |= tag;
  }
  return pending;
}

/* Waits for all transfers of the tags. */
static void wait_for_all(struct memlift_store *store, uint32_t mask) {
  for (uint64_t busy = ~store->free; busy; busy &= busy - 1) {
    unsigned slot = memlift_lowest_bit(busy);
    if (tag_of(store, slot) & mask)
      settle(store, slot, UINT64_MAX);
  }
}

void memlift_slots_drain(struct memlift_store *store, struct memlift_store_user *user) {
  struct memlift_store_user *current = store->user;
  store->user = user;
  for (unsigned slot = 0; slot < MEMLIFT_SLOTS; slot++) {
    const struct memlift_store_slot *s = &store->slot[slot];
    size_t moved;
    if (store->free >> slot & 1 || s->user != user->number)
      continue;
    if (s->tag < MEMLIFT_TAGS && s->transfer.direction == MEMLIFT_PUT)
      settle(store, slot, UINT64_MAX);
    else
      memlift_slot_end(store, slot, UINT64_MAX, &moved);
  }
  store->user = current;
}

/* ---- Beginning ------------------------------------------------------------------------------- */

/* Waits until a slot is free, if the user has one that it can wait for. Those of a loop over blocks
 * are not looked at, nor are those of other users, who look at what became of theirs. */
static void make_room(struct memlift_store *store) {
  unsigned slot = MEMLIFT_SLOTS;
  if (store->free)
    return;
  look(store, ~(uint32_t)0, &slot);
  if (!store->free && slot < MEMLIFT_SLOTS)
    settle(store, slot, UINT64_MAX);
}

/* Returns 1 when a transfer is large enough for the mover beside the thread. */
static int is_worth(const struct memlift_store *store, const struct memlift_transfer *t) {
  struct memlift_mover *mover = store->mover;
  size_t bytes = mover->strided ? t->bytes * t->rows : t->bytes;
  return bytes >= (mover->least ? mover->least : mover->worth(mover));
}

/* Begins a transfer that is not empty. */
static void begin(struct memlift_store *store, const struct memlift_transfer *t, unsigned tag) {
  unsigned slot;
  size_t moved = 0;
  memlift_status status = MEMLIFT_BUSY;
  if (store->user->fenced & (uint32_t)1 << tag) {
    store->user->fenced &= ~((uint32_t)1 << tag);
    wait_for_all(store, (uint32_t)1 << tag);
  }
  if (is_worth(store, t)) {
    make_room(store);
    status = memlift_slot_begin(store, t, tag, &slot, &moved);
  }
  if (status == MEMLIFT_BUSY) {
    memlift_count_move(store, t);
    do_now(store, t, tag);
  } else if (status == MEMLIFT_FAULT) {
    note_fault(store, t, tag, moved);
  }
}

/* Checks what all functions have in common, and begins the transfer. */
static memlift_status transfer(void *local, void *address, size_t width, size_t rows,
                               ptrdiff_t local_pitch, ptrdiff_t pitch, unsigned tag,
                               enum memlift_direction direction) {
  struct memlift_store *store = memlift_store_mine();
  if (!store)
    return MEMLIFT_NOT_PRESENT;
  if (tag >= MEMLIFT_TAGS || (width && rows && (!local || !address)) ||
      (width && rows > SIZE_MAX / width))
    return MEMLIFT_INVALID_ARGUMENT;
  struct memlift_transfer t = {local, address, width, rows, local_pitch, pitch, direction};
  if (rows > 1 && (size_t)local_pitch == width && (size_t)pitch == width) {
    t.bytes = width * rows;
    t.rows = 1;
  }
  if (!memlift_store_enter(store))
    return MEMLIFT_BUSY;
  if (width && rows)
    begin(store, &t, tag);
  memlift_store_exit(store);
  return MEMLIFT_OK;
}

#if !MEMLIFT_SMALL
/* Does what is left to do for a transfer of the lowest free slot that is not under way. */
static MEMLIFT_SELDOM memlift_status end_at_once(struct memlift_store *store, unsigned tag,
                                                 memlift_status status, size_t moved) {
  struct memlift_transfer t = store->slot[memlift_lowest_bit(store->free)].transfer;
  if (status == MEMLIFT_BUSY)
    do_now(store, &t, tag);
  else if (status == MEMLIFT_FAULT)
    note_fault(store, &t, tag, moved);
  memlift_store_exit(store);
  return MEMLIFT_OK;
}

/* Does all of it for one piece, where nothing is in the way: the piece is large enough for the
 * mover, a slot is free, the tag has no fence, and the mover takes it. */
MEMLIFT_OFTEN memlift_status transfer_piece(void *local, void *address, size_t size, unsigned tag,
                                            enum memlift_direction direction) {
  struct memlift_store *store = memlift_store_mine();
  if (!store)
    return MEMLIFT_NOT_PRESENT;
  /* A `least` of 0 may change: minus 1 it is the largest size, so no size is above it. */
  if (tag >= MEMLIFT_TAGS || !local || !address || size <= (size_t)store->mover->least - 1 ||
      !store->free || (store->user->fenced >> tag & 1) || !memlift_store_enter(store))
    return transfer(local, address, size, 1, 0, 0, tag, direction);
  struct memlift_store_slot *s = &store->slot[memlift_lowest_bit(store->free)];
  size_t moved;
  s->transfer.local = local, s->transfer.address = address;
  s->transfer.bytes = size, s->transfer.rows = 1;
  s->transfer.local_pitch = s->transfer.pitch = 0;
  s->transfer.direction = direction;
  s->tag = tag;
  memlift_status status = start_slot(store, s, &moved);
  if (status == MEMLIFT_PENDING) {
    memlift_store_exit(store);
    return MEMLIFT_OK;
  }
  return end_at_once(store, tag, status, moved);
}
#else
static memlift_status transfer_piece(void *local, void *address, size_t size, unsigned tag,
                                     enum memlift_direction direction) {
  return transfer(local, address, size, 1, 0, 0, tag, direction);
}
#endif

memlift_status memlift_get(void *local, const void *from, size_t size, unsigned tag) {
  return transfer_piece(local, (void *)from, size, tag, MEMLIFT_GET);
}

memlift_status memlift_put(void *to, const void *local, size_t size, unsigned tag) {
  return transfer_piece((void *)local, to, size, tag, MEMLIFT_PUT);
}

memlift_status memlift_get_2d(void *local, ptrdiff_t pitch, const void *from, ptrdiff_t from_pitch,
                              size_t width, size_t rows, unsigned tag) {
  return transfer(local, (void *)from, width, rows, pitch, from_pitch, tag, MEMLIFT_GET);
}

memlift_status memlift_put_2d(void *to, ptrdiff_t to_pitch, const void *local, ptrdiff_t pitch,
                              size_t width, size_t rows, unsigned tag) {
  return transfer((void *)local, to, width, rows, pitch, to_pitch, tag, MEMLIFT_PUT);
}

/* Checks a whole list before it begins anything of it. */
static memlift_status transfer_list(const struct memlift_piece *pieces, unsigned count, void *local,
                                    unsigned tag, enum memlift_direction direction) {
  memlift_status status = count && !pieces ? MEMLIFT_INVALID_ARGUMENT : MEMLIFT_OK;
  for (unsigned i = 0; i < count && status == MEMLIFT_OK; i++)
    if (pieces[i].size && (!pieces[i].address || !local))
      status = MEMLIFT_INVALID_ARGUMENT;
  if (status == MEMLIFT_OK) /* whether there is a store, and such a tag */
    status = transfer(NULL, NULL, 0, 0, 0, 0, tag, direction);
  unsigned char *at = local;
  for (unsigned i = 0; i < count && status == MEMLIFT_OK; at += pieces[i++].size)
    status = transfer(at, pieces[i].address, pieces[i].size, 1, 0, 0, tag, direction);
  return status;
}

memlift_status memlift_get_list(void *local, const struct memlift_piece *pieces, unsigned count,
                                unsigned tag) {
  return transfer_list(pieces, count, local, tag, MEMLIFT_GET);
}

memlift_status memlift_put_list(const struct memlift_piece *pieces, unsigned count,
                                const void *local, unsigned tag) {
  return transfer_list(pieces, count, (void *)local, tag, MEMLIFT_PUT);
}

memlift_status memlift_tag_fence(unsigned tag) {
  struct memlift_store *store = memlift_store_mine();
  if (!store)
    return MEMLIFT_NOT_PRESENT;
  if (tag >= MEMLIFT_TAGS)
    return MEMLIFT_INVALID_ARGUMENT;
  store->user->fenced |= (uint32_t)1 << tag;
  store->user->left = 1;
  return MEMLIFT_OK;
}

/* ---- Waiting --------------------------------------------------------------------------------- */

/* Waits until the tags are as `how` says, or the time is over. Returns those that are not done. */
static uint32_t wait_until(struct memlift_store *store, uint32_t mask, uint32_t how, uint64_t ns) {
  struct memlift_mover *mover = store->mover;
  uint64_t start = ns && ns != UINT64_MAX ? mover->now(mover) : 0, left = ns;
  for (;;) {
    unsigned slot = 0;
    uint32_t pending = look(store, mask, &slot);
    if (!pending || (how == MEMLIFT_TAGS_ANY && pending != mask))
      return pending;
    if (ns && ns != UINT64_MAX) {
      uint64_t waited = mover->now(mover) - start;
      left = waited < ns ? ns - waited : 0;
    }
    if (!left)
      return pending;
    settle(store, slot, how == MEMLIFT_TAGS_ANY && left > SLICE_NS ? SLICE_NS : left);
  }
}

memlift_status memlift_tags_wait(uint32_t mask, uint32_t how, uint64_t ns, uint32_t *done,
                                 struct memlift_dma_fault *fault) {
  struct memlift_store *store = memlift_store_mine();
  if (!store)
    return MEMLIFT_NOT_PRESENT;
  if (!mask || how > MEMLIFT_TAGS_ANY)
    return MEMLIFT_INVALID_ARGUMENT;
  if (!memlift_store_enter(store))
    return MEMLIFT_BUSY;
  uint32_t pending = wait_until(store, mask, how, ns);
  uint32_t over = mask & ~pending, faulty = store->user->faulty & over;
  if (done)
    *done = over;
  memlift_store_exit(store);
  if (how == MEMLIFT_TAGS_ANY ? !over : pending)
    return ns ? MEMLIFT_PENDING : MEMLIFT_BUSY;
  if (!faulty)
    return MEMLIFT_OK;
  unsigned tag = memlift_lowest_bit(faulty);
  store->user->faulty &= ~((uint32_t)1 << tag);
  if (fault)
    *fault = store->user->fault[tag];
  return MEMLIFT_FAULT;
}
