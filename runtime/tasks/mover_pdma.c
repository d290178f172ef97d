/* mover_pdma.c - channels of a SiFive PDMA that are one thread's own, as a mover
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * engine/pdma claims a channel for each piece, as others may want it next. Here the thread keeps
 * its channels claimed, and their transactions configured: the start of a transfer is a size, two
 * addresses, a barrier, and the store that runs it.
 *
 * A channel does one piece at a time: a row, or as much of it as lies together for the device. A
 * transfer has a channel until its last row is done. What finds no channel free is queued. The next
 * row, and the next transfer of the queue, begin when the thread looks, which it does in start and
 * wait: so rows make little progress beside the thread, and `strided` is 0. For a loop by blocks a
 * channel for each of its arrays, in each direction, is best.
 *
 * A fault tells no byte count: what is right ends with the piece before. A running channel cannot
 * be stopped, so abort waits for it.
 */
#include "../config.h"

#if MEMLIFT_HAVE_OFFLOAD
#include "../engine/pdma/pdma_spec.h"
#include "../queue/barriers.h"
#include "mover_pdma.h"

#define PATIENCE_NS 1000000000u /* as engine/pdma has it */

enum { FREE, QUEUED, RUNNING, ENDED, FAULTY };

_Static_assert(MEMLIFT_PDMA_RUN_OFFSET == 0, "ring_here writes it first of all");

static uintptr_t reg(const struct memlift_mover_pdma *m, unsigned channel, unsigned offset) {
  return m->base + channel * PDMA_STRIDE + offset;
}

static size_t bytes_of(const struct memlift_transfer *t) { return t->bytes * t->rows; }

/* ---- A channel ------------------------------------------------------------------------------- */

/* Where the next piece of a job goes, and where it is. */
struct piece {
  unsigned char *to, *from;
};

static struct piece piece_of(const struct memlift_pdma_job *job) {
  const struct memlift_transfer *t = job->transfer;
  size_t row = 0, at = 0;
  if (job->moved)
    row = job->moved / t->bytes, at = job->moved % t->bytes;
  unsigned char *local = t->local + (ptrdiff_t)row * t->local_pitch + at;
  unsigned char *address = t->address + (ptrdiff_t)row * t->pitch + at;
  return t->direction == MEMLIFT_GET ? (struct piece){local, address}
                                     : (struct piece){address, local};
}

/* The doorbell path. */
static void ring(const struct memlift_mover_pdma *m, struct memlift_pdma_job *job) {
  const struct memlift_bus *bus = m->bus;
  struct piece p = piece_of(job);
  uint64_t to = (uintptr_t)p.to, from = (uintptr_t)p.from;
  size_t most = job->transfer->bytes - (job->moved ? job->moved % job->transfer->bytes : 0);
  job->piece = most < MEMLIFT_PDMA_MAX_BYTES ? most : MEMLIFT_PDMA_MAX_BYTES;
  if (bus->physical) {
    to = memlift_bus_place(bus, p.to, job->piece, &job->piece);
    from = memlift_bus_place(bus, p.from, job->piece, &job->piece);
  }
  bus->write_long(reg(m, job->channel, MEMLIFT_PDMA_NEXT_BYTES_OFFSET), job->piece);
  bus->write_long(reg(m, job->channel, MEMLIFT_PDMA_NEXT_DESTINATION_OFFSET), to);
  bus->write_long(reg(m, job->channel, MEMLIFT_PDMA_NEXT_SOURCE_OFFSET), from);
  bus->share(p.from, job->piece);
  bus->share(p.to, job->piece);
  memlift_barrier_to_device(); /* the source is in memory before it is read */
  bus->write(reg(m, job->channel, MEMLIFT_PDMA_RUN_OFFSET),
             MEMLIFT_PDMA_CLAIM_MASK | MEMLIFT_PDMA_RUN_MASK);
}

static uint32_t bit_of(const struct memlift_mover_pdma *m, const struct memlift_pdma_job *job) {
  return (uint32_t)1 << (job - m->job);
}

/* Looks at the piece of a job, if it has ended: rings the next one, or ends the job. */
static void look(struct memlift_mover_pdma *m, struct memlift_pdma_job *job) {
  uint32_t control = m->bus->read(reg(m, job->channel, MEMLIFT_PDMA_RUN_OFFSET));
  if ((control & (MEMLIFT_PDMA_RUN_MASK | MEMLIFT_PDMA_ERROR_MASK)) == MEMLIFT_PDMA_RUN_MASK)
    return;
  memlift_barrier_from_device(); /* the bytes are read after the register */
  uint64_t left = m->bus->read_long(reg(m, job->channel, MEMLIFT_PDMA_EXEC_BYTES_OFFSET));
  if ((control & MEMLIFT_PDMA_ERROR_MASK) || !(control & MEMLIFT_PDMA_DONE_MASK) || left) {
    /* RUN, which an error may have left, is cleared; the claim stays. */
    m->bus->write(reg(m, job->channel, MEMLIFT_PDMA_CLAIM_OFFSET), MEMLIFT_PDMA_CLAIM_MASK);
    job->state = FAULTY;
    m->running &= ~bit_of(m, job);
  } else {
    m->bus->refresh(piece_of(job).to, job->piece);
    job->moved += job->piece;
    if (!job->given_up && job->moved < bytes_of(job->transfer)) {
      ring(m, job);
      return;
    }
    job->state = ENDED;
    m->running &= ~bit_of(m, job);
  }
  m->idle |= (uint32_t)1 << job->channel;
}

/* ---- The queue ------------------------------------------------------------------------------- */

/* Returns the job that was queued first, NULL if none is. */
static struct memlift_pdma_job *first_queued(struct memlift_mover_pdma *m) {
  struct memlift_pdma_job *first = NULL;
  for (uint32_t queued = m->queued; queued; queued &= queued - 1) {
    struct memlift_pdma_job *job = &m->job[memlift_lowest_bit(queued)];
    if (!first || (int32_t)(job->number - first->number) < 0)
      first = job;
  }
  return first;
}

/* Gives a job the first idle channel, which there is. */
static void run(struct memlift_mover_pdma *m, struct memlift_pdma_job *job) {
  job->channel = (unsigned char)memlift_lowest_bit(m->idle);
  job->state = RUNNING;
  m->queued &= ~bit_of(m, job), m->running |= bit_of(m, job);
  m->idle &= m->idle - 1;
  ring(m, job);
}

static void progress(struct memlift_mover_pdma *m) {
  struct memlift_pdma_job *next;
  for (uint32_t running = m->running; running; running &= running - 1)
    look(m, &m->job[memlift_lowest_bit(running)]);
  while (m->idle && (next = first_queued(m)) != NULL)
    run(m, next);
}

/* ---- The mover ------------------------------------------------------------------------------- */

static struct memlift_mover_pdma *pdma_of(struct memlift_mover *mover) {
  return (struct memlift_mover_pdma *)(void *)mover;
}

static void free_job(struct memlift_mover_pdma *m, struct memlift_pdma_job *job) {
  job->state = FREE;
  m->free |= bit_of(m, job), m->queued &= ~bit_of(m, job);
}

/* Has a channel do the first piece of a job, or queues it. An idle channel means that nothing is
 * queued. */
static MEMLIFT_SELDOM void begin(struct memlift_mover_pdma *m, struct memlift_pdma_job *job) {
  job->number = m->started++;
  job->state = QUEUED;
  if (m->idle) {
    run(m, job);
  } else {
    m->queued |= bit_of(m, job);
    progress(m);
  }
}

/* The doorbell path where the registers are the chip's own and a whole transfer is one piece: a
 * channel is idle. Returns 0 elsewhere. */
MEMLIFT_OFTEN int ring_here(struct memlift_mover_pdma *m, struct memlift_pdma_job *job,
                            unsigned n) {
#if MEMLIFT_BARE && defined(__riscv)
  const struct memlift_transfer *t = job->transfer;
  unsigned channel = memlift_lowest_bit(m->idle);
  volatile uint64_t *own = (volatile uint64_t *)reg(m, channel, 0);
  if (m->bus != memlift_own_bus || t->rows != 1 || t->bytes > MEMLIFT_PDMA_MAX_BYTES)
    return 0;
  uintptr_t local = (uintptr_t)t->local, address = (uintptr_t)t->address;
  job->piece = t->bytes;
  job->state = RUNNING, job->channel = (unsigned char)channel;
  m->running |= (uint32_t)1 << n;
  m->idle &= m->idle - 1;
  own[MEMLIFT_PDMA_NEXT_BYTES_OFFSET / 8] = t->bytes;
  own[MEMLIFT_PDMA_NEXT_DESTINATION_OFFSET / 8] = t->direction == MEMLIFT_GET ? local : address;
  own[MEMLIFT_PDMA_NEXT_SOURCE_OFFSET / 8] = t->direction == MEMLIFT_GET ? address : local;
  memlift_barrier_to_device(); /* the source is in memory before it is read */
  *(volatile uint32_t *)own = MEMLIFT_PDMA_CLAIM_MASK | MEMLIFT_PDMA_RUN_MASK;
  return 1;
#else
  (void)m, (void)job, (void)n;
  return 0;
#endif
}

static memlift_status start(struct memlift_mover *mover, const struct memlift_transfer *transfer,
                            uint64_t *ticket, size_t *moved) {
  struct memlift_mover_pdma *m = pdma_of(mover);
  (void)moved;
  if (!m->free)
    return MEMLIFT_BUSY;
  unsigned n = memlift_lowest_bit(m->free);
  struct memlift_pdma_job *job = &m->job[n];
  m->free &= m->free - 1;
  *ticket = n;
  job->transfer = transfer;
  job->moved = 0;
  job->given_up = 0;
  if (m->idle && ring_here(m, job, n))
    return MEMLIFT_PENDING;
  begin(m, job);
  return MEMLIFT_PENDING;
}

static memlift_status wait_for(struct memlift_mover *mover, uint64_t ticket, uint64_t nanoseconds,
                               size_t *moved) {
  struct memlift_mover_pdma *m = pdma_of(mover);
  struct memlift_pdma_job *job = &m->job[ticket];
  uint64_t begin = 0;
  for (int first = 1;; first = 0) {
    progress(m);
    if (job->state == ENDED || job->state == FAULTY)
      break;
    if (first && nanoseconds)
      begin = m->bus->now();
    if (!nanoseconds || m->bus->now() - begin >= nanoseconds)
      return MEMLIFT_PENDING;
    memlift_barrier_relax();
  }
  memlift_status status = job->state == ENDED ? MEMLIFT_OK : MEMLIFT_FAULT;
  *moved = job->moved;
  free_job(m, job);
  return status;
}

/* However long it takes: nothing stops a channel, and one that might still write leaves nothing
 * else to do. */
static void give_up(struct memlift_mover *mover, uint64_t ticket) {
  struct memlift_mover_pdma *m = pdma_of(mover);
  struct memlift_pdma_job *job = &m->job[ticket];
  job->given_up = 1; /* the piece in the channel is the last one */
  while (job->state == RUNNING)
    look(m, job);
  free_job(m, job);
}

static uint64_t now(struct memlift_mover *mover) { return pdma_of(mover)->bus->now(); }

static size_t worth(struct memlift_mover *mover) {
  (void)mover;
  return MEMLIFT_PDMA_MIN_BYTES;
}

memlift_status memlift_mover_pdma_open(struct memlift_mover_pdma *m, const struct memlift_bus *bus,
                                       uintptr_t base, uint32_t channels) {
  if (!channels || channels >= (uint32_t)1 << PDMA_CHANNELS || (!bus && !memlift_own_bus))
    return MEMLIFT_INVALID_ARGUMENT;
  *m = (struct memlift_mover_pdma){.mover = {"pdma", start, wait_for, give_up, now, worth,
                                             PATIENCE_NS, 0, MEMLIFT_PDMA_MIN_BYTES},
                                   .bus = bus ? bus : memlift_own_bus,
                                   .base = base ? base : PDMA_BASE,
                                   .channels = channels,
                                   .idle = channels,
                                   .free = ~(uint32_t)0};
  for (unsigned c = 0; c < PDMA_CHANNELS; c++)
    if ((channels >> c & 1) && (m->bus->read(reg(m, c, MEMLIFT_PDMA_RUN_OFFSET)) &
                                (MEMLIFT_PDMA_CLAIM_MASK | MEMLIFT_PDMA_RUN_MASK)))
      return MEMLIFT_BUSY;
  for (unsigned c = 0; c < PDMA_CHANNELS; c++)
    if (channels >> c & 1) {
      m->bus->write(reg(m, c, MEMLIFT_PDMA_CLAIM_OFFSET), MEMLIFT_PDMA_CLAIM_MASK);
      m->bus->write(reg(m, c, MEMLIFT_PDMA_WSIZE_OFFSET), PDMA_WIDEST);
    }
  return MEMLIFT_OK;
}

void memlift_mover_pdma_close(struct memlift_mover_pdma *m) {
  for (unsigned c = 0; c < PDMA_CHANNELS; c++)
    if (m->channels >> c & 1)
      m->bus->write(reg(m, c, MEMLIFT_PDMA_CLAIM_OFFSET), 0);
}
#else
typedef int memlift_no_engines; /* a translation unit must not be empty */
#endif
