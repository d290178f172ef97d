/* mover_model.c - a mover in software, on a virtual clock
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "mover_model.h"

#include "memory.h"

#define SPOILED 0xa5
#define PATIENCE_NS 1000000u /* far more than any transfer here takes */

/* ---- Chance ---------------------------------------------------------------------------------- */

static uint64_t random_number(struct mover_model *m) { return memlift_model_random(&m->seed); }

static int by_chance(struct mover_model *m, uint32_t per_mille) {
  return per_mille && random_number(m) % 1000 < per_mille;
}

/* ---- Bytes ----------------------------------------------------------------------------------- */

static size_t bytes_of(const struct memlift_transfer *t) { return t->bytes * t->rows; }

/* Returns the number of bytes before the first that cannot be accessed. */
static size_t bytes_before_bad(const struct mover_model *m, const struct memlift_transfer *t) {
  size_t all = bytes_of(t);
  for (size_t i = 0; m->faults.bad != m->faults.bad_end && i < all; i++) {
    const unsigned char *p = memlift_transfer_address(t, i);
    if (p >= m->faults.bad && p < m->faults.bad_end)
      return i;
  }
  return all;
}

/* Moves the first bytes of a transfer; or makes them unusable where they will go. */
static void move(const struct memlift_transfer *t, size_t bytes, int spoils) {
  int get = t->direction == MEMLIFT_GET;
  for (size_t row = 0; row * t->bytes < bytes; row++) {
    size_t left = bytes - row * t->bytes, n = left < t->bytes ? left : t->bytes;
    unsigned char *local = t->local + (ptrdiff_t)row * t->local_pitch;
    unsigned char *address = t->address + (ptrdiff_t)row * t->pitch;
    unsigned char *to = get ? local : address, *from = get ? address : local;
    for (size_t i = 0; i < n; i++)
      to[i] = spoils ? SPOILED : from[i];
  }
}

/* ---- The checker ----------------------------------------------------------------------------- */

static void violate(struct mover_model *m, const char *what) {
  if (!m->violations++)
    m->violation = what;
}

/* Returns 1 when some row of `bytes` bytes at `rows` shares a byte with [p, p + size). */
static int meets(const unsigned char *first, size_t bytes, size_t rows, ptrdiff_t pitch,
                 const unsigned char *p, size_t size) {
  for (size_t row = 0; row < rows; row++) {
    uintptr_t at = (uintptr_t)(first + (ptrdiff_t)row * pitch), q = (uintptr_t)p;
    if (at < q + size && q < at + bytes)
      return 1;
  }
  return 0;
}

/* Compares an access of a row with the transfers under way: it must not meet what they write, nor,
 * if it writes, what they read. */
static void check(struct mover_model *m, const unsigned char *p, size_t size, int writes,
                  const char *of_local, const char *of_memory) {
  for (unsigned i = 0; i < MOVER_MODEL_TRANSFERS; i++) {
    const struct memlift_transfer *t = &m->pending[i].transfer;
    if (!m->pending[i].live || m->pending[i].over)
      continue;
    if ((writes || t->direction == MEMLIFT_GET) &&
        meets(t->local, t->bytes, t->rows, t->local_pitch, p, size))
      violate(m, of_local);
    if ((writes || t->direction == MEMLIFT_PUT) &&
        meets(t->address, t->bytes, t->rows, t->pitch, p, size))
      violate(m, of_memory);
  }
}

/* Compares a transfer that is about to start with those under way. */
static void check_start(struct mover_model *m, const struct memlift_transfer *t) {
  int get = t->direction == MEMLIFT_GET;
  for (size_t row = 0; row < t->rows; row++) {
    check(m, t->local + (ptrdiff_t)row * t->local_pitch, t->bytes, get,
          "a transfer meets local bytes of another one", "local bytes are another one's memory");
    check(m, t->address + (ptrdiff_t)row * t->pitch, t->bytes, !get,
          "memory is local bytes of another transfer", "a transfer meets memory of another one");
  }
}

void mover_model_use(struct mover_model *m, const void *p, size_t size, int writes) {
  check(m, p, size, writes, "local bytes are used while a transfer touches them",
        "memory is used while a transfer touches it");
}

/* ---- Time ------------------------------------------------------------------------------------ */

/* Ends the transfers whose time has come. */
static void end_those_due(struct mover_model *m) {
  for (unsigned i = 0; i < MOVER_MODEL_TRANSFERS; i++) {
    struct mover_pending *p = &m->pending[i];
    if (!p->live || p->over || p->lost || p->finish > m->now)
      continue;
    move(&p->transfer, p->fails, 0);
    m->moved[p->transfer.direction] += p->fails;
    p->over = 1;
    m->under_way--;
  }
}

void mover_model_compute(struct mover_model *m, uint64_t nanoseconds) {
  m->now += nanoseconds;
  end_those_due(m);
}

/* Returns when a transfer that starts now ends. */
static uint64_t time_of_end(struct mover_model *m, const struct memlift_transfer *t) {
  uint64_t takes = m->setup + bytes_of(t) * m->ns_per_kib / 1024;
  if (m->jitter)
    takes += random_number(m) % (m->jitter + 1);
  if (m->reorders)
    return m->now + takes;
  uint64_t *free = &m->channel_free[m->channels > 1 && t->direction == MEMLIFT_PUT];
  *free = (*free > m->now ? *free : m->now) + takes;
  return *free;
}

/* ---- The mover ------------------------------------------------------------------------------- */

static struct mover_model *model_of(struct memlift_mover *mover) {
  return (struct mover_model *)(void *)mover;
}

/* Chooses what goes wrong with a transfer. */
static void choose_fault(struct mover_model *m, struct mover_pending *p) {
  size_t all = bytes_of(&p->transfer);
  p->fails = bytes_before_bad(m, &p->transfer);
  if (m->started == m->faults.fail_at)
    p->fails = m->faults.fail_byte < all ? m->faults.fail_byte : all;
  else if (by_chance(m, m->faults.fail_per_mille))
    p->fails = random_number(m) % (all + 1);
  p->lost = m->started == m->faults.lose_at || by_chance(m, m->faults.lose_per_mille);
  m->failed += p->fails < all;
  m->lost += p->lost != 0;
}

static memlift_status start(struct memlift_mover *mover, const struct memlift_transfer *t,
                            uint64_t *ticket, size_t *moved) {
  struct mover_model *m = model_of(mover);
  unsigned n = 0;
  (void)moved;
  while (n < MOVER_MODEL_TRANSFERS && m->pending[n].live)
    n++;
  m->started++;
  if (n == MOVER_MODEL_TRANSFERS || m->started == m->faults.busy_at ||
      by_chance(m, m->faults.busy_per_mille)) {
    m->busy++;
    return MEMLIFT_BUSY;
  }
  check_start(m, t);
  struct mover_pending *p = &m->pending[n];
  *p = (struct mover_pending){.live = 1, .transfer = *t};
  choose_fault(m, p);
  p->finish = time_of_end(m, t);
  move(t, p->fails, 1);
  if (++m->under_way > m->most_under_way)
    m->most_under_way = m->under_way;
  *ticket = n + 1;
  return MEMLIFT_PENDING;
}

static memlift_status wait_for(struct memlift_mover *mover, uint64_t ticket, uint64_t nanoseconds,
                               size_t *moved) {
  struct mover_model *m = model_of(mover);
  struct mover_pending *p = &m->pending[ticket - 1];
  if (!p->live)
    violate(m, "a ticket is used after its end");
  uint64_t rest = p->lost ? UINT64_MAX : p->finish > m->now ? p->finish - m->now : 0;
  if (rest == UINT64_MAX && nanoseconds == UINT64_MAX)
    violate(m, "a lost transfer is waited for without a limit");
  mover_model_compute(m, rest < nanoseconds ? rest : nanoseconds);
  if (!p->over)
    return MEMLIFT_PENDING;
  p->live = 0;
  *moved = p->fails;
  return p->fails < bytes_of(&p->transfer) ? MEMLIFT_FAULT : MEMLIFT_OK;
}

static void give_up(struct memlift_mover *mover, uint64_t ticket) {
  struct mover_model *m = model_of(mover);
  struct mover_pending *p = &m->pending[ticket - 1];
  if (!p->over)
    m->under_way--;
  p->live = 0;
  m->aborted++;
}

static uint64_t now(struct memlift_mover *mover) { return model_of(mover)->now; }

/* The bytes that move in the time of a set-up. */
static size_t worth(struct memlift_mover *mover) {
  const struct mover_model *m = model_of(mover);
  return m->ns_per_kib ? (size_t)(m->setup * 1024 / m->ns_per_kib) : 0;
}

void mover_model_init(struct mover_model *m, uint64_t seed) {
  *m = (struct mover_model){
      .mover = {"model", start, wait_for, give_up, now, worth, PATIENCE_NS, 1, 0},
      .channels = 1,
      .seed = seed};
}
