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

enum { FREE, RUNNING, QUEUED, ENDED, FAULTY };

_Static_assert(MEMLIFT_PDMA_RUN_OFFSET == 0, "start_here has it at the beginning of a channel");

/* ---- Registers ------------------------------------------------------------------------------- */

/* 1 where the registers are the chip's own in any case, and caches need no care. */
#if MEMLIFT_SMALL && defined(__riscv)
#define IS_HERE 1
#else
#define IS_HERE 0
#endif

static uint32_t read_word(const struct memlift_mover_pdma *m, uintptr_t at) {
  return IS_HERE ? *(const volatile uint32_t *)at : m->bus->read(at);
}

static uint64_t read_long(const struct memlift_mover_pdma *m, uintptr_t at) {
  return IS_HERE ? *(const volatile uint64_t *)at : m->bus->read_long(at);
}

static void write_word(const struct memlift_mover_pdma *m, uintptr_t at, uint32_t value) {
  if (IS_HERE)
    *(volatile uint32_t *)at = value;
  else
    m->bus->write(at, value);
}

static void write_long(const struct memlift_mover_pdma *m, uintptr_t at, uint64_t value) {
  if (IS_HERE)
    *(volatile uint64_t *)at = value;
  else
    m->bus->write_long(at, value);
}

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
  struct piece p = piece_of(job);
  uint64_t to = (uintptr_t)p.to, from = (uintptr_t)p.from;
  size_t most = job->transfer->bytes - (job->moved ? job->moved % job->transfer->bytes : 0);
  job->piece = most < MEMLIFT_PDMA_MAX_BYTES ? most : MEMLIFT_PDMA_MAX_BYTES;
  if (!IS_HERE && m->bus->physical) {
    to = memlift_bus_place(m->bus, p.to, job->piece, &job->piece);
    from = memlift_bus_place(m->bus, p.from, job->piece, &job->piece);
  }
  write_long(m, job->registers + MEMLIFT_PDMA_NEXT_BYTES_OFFSET, job->piece);
  write_long(m, job->registers + MEMLIFT_PDMA_NEXT_DESTINATION_OFFSET, to);
  write_long(m, job->registers + MEMLIFT_PDMA_NEXT_SOURCE_OFFSET, from);
  if (!IS_HERE) {
    m->bus->share(p.from, job->piece);
    m->bus->share(p.to, job->piece);
  }
  memlift_barrier_to_device(); /* the source is in memory before it is read */
  write_word(m, job->registers + MEMLIFT_PDMA_RUN_OFFSET,
             MEMLIFT_PDMA_CLAIM_MASK | MEMLIFT_PDMA_RUN_MASK);
}

static uint32_t bit_of(const struct memlift_mover_pdma *m, const struct memlift_pdma_job *job) {
  return (uint32_t)1 << (job - m->job);
}

/* Makes the channel idle, and its own job one that can be had with it, if that is free. */
static void free_channel(struct memlift_mover_pdma *m, unsigned channel) {
  struct memlift_pdma_job *own = &m->job[channel];
  if (own->state == FREE)
    own->next = m->own, m->own = own, m->idle &= ~((uint32_t)1 << channel);
  else
    m->idle |= (uint32_t)1 << channel;
}

/* Looks at the piece of a job, if it has ended: rings the next one, or ends the job. */
static void look(struct memlift_mover_pdma *m, struct memlift_pdma_job *job) {
  uint32_t control = read_word(m, job->registers + MEMLIFT_PDMA_RUN_OFFSET);
  if ((control & (MEMLIFT_PDMA_RUN_MASK | MEMLIFT_PDMA_ERROR_MASK)) == MEMLIFT_PDMA_RUN_MASK)
    return;
  memlift_barrier_from_device(); /* the bytes are read after the register */
  uint64_t left = read_long(m, job->registers + MEMLIFT_PDMA_EXEC_BYTES_OFFSET);
  if ((control & MEMLIFT_PDMA_ERROR_MASK) || !(control & MEMLIFT_PDMA_DONE_MASK) || left) {
    /* RUN, which an error may have left, is cleared; the claim stays. */
    write_word(m, job->registers + MEMLIFT_PDMA_CLAIM_OFFSET, MEMLIFT_PDMA_CLAIM_MASK);
    job->state = FAULTY;
  } else {
    if (!IS_HERE)
      m->bus->refresh(piece_of(job).to, job->piece);
    job->moved += job->piece;
    if (!job->given_up && job->moved < bytes_of(job->transfer)) {
      ring(m, job);
      return;
    }
    job->state = ENDED;
  }
  m->running &= ~bit_of(m, job);
  free_channel(m, job->channel);
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

/* Gives a job an idle channel, which there is. */
static void run(struct memlift_mover_pdma *m, struct memlift_pdma_job *job) {
  if (m->own)
    job->channel = m->own->channel, m->own = m->own->next;
  else
    job->channel = (unsigned char)memlift_lowest_bit(m->idle), m->idle &= m->idle - 1;
  job->registers = reg(m, job->channel, 0);
  job->state = RUNNING;
  m->queued &= ~bit_of(m, job), m->running |= bit_of(m, job);
  ring(m, job);
}

/* Goes on with what has more pieces, and with the queue. */
static MEMLIFT_SELDOM void progress(struct memlift_mover_pdma *m) {
  struct memlift_pdma_job *next;
  for (uint32_t running = m->running; running; running &= running - 1)
    look(m, &m->job[memlift_lowest_bit(running)]);
  for (unsigned c = 0; m->queued && c < PDMA_CHANNELS; c++)
    if (m->job[c].state == RUNNING)
      look(m, &m->job[c]);
  while ((m->idle || m->own) && (next = first_queued(m)) != NULL)
    run(m, next);
}

/* ---- The mover ------------------------------------------------------------------------------- */

static struct memlift_mover_pdma *pdma_of(struct memlift_mover *mover) {
  return (struct memlift_mover_pdma *)(void *)mover;
}

static void free_job(struct memlift_mover_pdma *m, struct memlift_pdma_job *job) {
  job->state = FREE, job->moved = 0, job->given_up = 0;
  if (!(m->channels & bit_of(m, job)))
    m->free |= bit_of(m, job), m->queued &= ~bit_of(m, job);
  else if (m->idle >> job->channel & 1)
    free_channel(m, job->channel);
}

/* Queues a transfer for which no channel is idle together with its own job. */
static MEMLIFT_SELDOM memlift_status start_queued(struct memlift_mover_pdma *m,
                                                  const struct memlift_transfer *transfer,
                                                  uint64_t *ticket) {
  if (!m->free)
    return MEMLIFT_BUSY;
  struct memlift_pdma_job *job = &m->job[memlift_lowest_bit(m->free)];
  m->free &= m->free - 1;
  *ticket = (uintptr_t)job;
  job->transfer = transfer;
  job->number = m->started++;
  job->state = QUEUED;
  m->queued |= bit_of(m, job);
  progress(m);
  return MEMLIFT_PENDING;
}

/* Rings the first piece of a channel's own job. */
static void ring_own(struct memlift_mover_pdma *m, struct memlift_pdma_job *job) {
  ring(m, job);
  if (job->piece != bytes_of(job->transfer))
    m->running |= bit_of(m, job);
}

/* Has the job of an idle channel do a transfer. */
MEMLIFT_OFTEN void take(struct memlift_mover_pdma *m, struct memlift_pdma_job *job,
                        const struct memlift_transfer *transfer, uint64_t *ticket) {
  m->own = job->next;
  *ticket = (uintptr_t)job;
  job->transfer = transfer;
  job->state = RUNNING;
}

static __attribute__((noinline)) memlift_status start(struct memlift_mover *mover,
                                                      const struct memlift_transfer *transfer,
                                                      uint64_t *ticket, size_t *moved) {
  struct memlift_mover_pdma *m = pdma_of(mover);
  struct memlift_pdma_job *job = m->own;
  (void)moved;
  if (!job)
    return start_queued(m, transfer, ticket);
  take(m, job, transfer, ticket);
  ring_own(m, job);
  return MEMLIFT_PENDING;
}

#if MEMLIFT_BARE && defined(__riscv) && !MEMLIFT_SMALL
/* `start` where the registers are the chip's own: a transfer of one piece takes no call. The number
 * of rows, the state, the direction and the status are compared with `one`, or are that: the
 * compiler is not told what it is, and keeps it in its register. */
_Static_assert(RUNNING == 1 && MEMLIFT_PUT == 1 && MEMLIFT_PENDING == 1, "start_here has one 1");

static memlift_status start_here(struct memlift_mover *mover, const struct memlift_transfer *t,
                                 uint64_t *ticket, size_t *moved) {
  struct memlift_mover_pdma *m = pdma_of(mover);
  struct memlift_pdma_job *job = m->own;
  size_t bytes = t->bytes, one = 1;
  __asm__("" : "+r"(one));
  if (!job || t->rows != one || bytes >= MEMLIFT_PDMA_MAX_BYTES)
    return start(mover, t, ticket, moved);
  uintptr_t local = (uintptr_t)t->local, address = (uintptr_t)t->address;
  size_t direction = t->direction;
  volatile uint64_t *own = (volatile uint64_t *)job->registers;
  m->own = job->next;
  *ticket = (uintptr_t)job;
  job->transfer = t;
  job->state = (unsigned char)one;
  job->piece = bytes;
  own[MEMLIFT_PDMA_NEXT_BYTES_OFFSET / 8] = bytes;
  if (__builtin_expect(direction == one, 0)) {
    own[MEMLIFT_PDMA_NEXT_DESTINATION_OFFSET / 8] = address;
    own[MEMLIFT_PDMA_NEXT_SOURCE_OFFSET / 8] = local;
    __asm__ volatile(""); /* keeps the stores of both directions apart */
  } else {
    own[MEMLIFT_PDMA_NEXT_DESTINATION_OFFSET / 8] = local;
    own[MEMLIFT_PDMA_NEXT_SOURCE_OFFSET / 8] = address;
  }
  memlift_barrier_to_device(); /* the source is in memory before it is read */
  *(volatile uint32_t *)own = MEMLIFT_PDMA_CLAIM_MASK | MEMLIFT_PDMA_RUN_MASK;
  return (memlift_status)one;
}
#endif

static memlift_status wait_for(struct memlift_mover *mover, uint64_t ticket, uint64_t nanoseconds,
                               size_t *moved) {
  struct memlift_mover_pdma *m = pdma_of(mover);
  struct memlift_pdma_job *job = (struct memlift_pdma_job *)(uintptr_t)ticket;
  uint64_t begin = 0;
  for (int first = 1;; first = 0) {
    if (m->running | m->queued)
      progress(m);
    if (job->state == RUNNING)
      look(m, job);
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

#if MEMLIFT_BARE && defined(__riscv) && !MEMLIFT_SMALL
/* `wait_for` where the registers are the chip's own: one that has ended takes no call there.
 * Of those that run while none is noted as running, each is a channel's own, of one piece. */
static memlift_status wait_here(struct memlift_mover *mover, uint64_t ticket, uint64_t nanoseconds,
                                size_t *moved) {
  struct memlift_mover_pdma *m = pdma_of(mover);
  struct memlift_pdma_job *job = (struct memlift_pdma_job *)(uintptr_t)ticket;
  if (job->state == RUNNING && !(m->running | m->queued)) {
    const volatile uint64_t *own = (const volatile uint64_t *)job->registers;
    uint32_t control = *(const volatile uint32_t *)own;
    memlift_barrier_from_device(); /* the bytes are read after the register */
    if ((control & MEMLIFT_PDMA_DONE_MASK) &&
        !(control & (MEMLIFT_PDMA_RUN_MASK | MEMLIFT_PDMA_ERROR_MASK)) &&
        own[MEMLIFT_PDMA_EXEC_BYTES_OFFSET / 8] == 0) {
      *moved = job->piece;
      job->state = FREE;
      job->next = m->own, m->own = job;
      return MEMLIFT_OK;
    }
  }
  return wait_for(mover, ticket, nanoseconds, moved);
}
#endif

/* However long it takes: nothing stops a channel, and one that might still write leaves nothing
 * else to do. */
static void give_up(struct memlift_mover *mover, uint64_t ticket) {
  struct memlift_mover_pdma *m = pdma_of(mover);
  struct memlift_pdma_job *job = (struct memlift_pdma_job *)(uintptr_t)ticket;
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
  if (!channels || channels >= (uint32_t)1 << PDMA_CHANNELS || (!bus && !memlift_own_bus) ||
      (IS_HERE && bus && bus != memlift_own_bus))
    return MEMLIFT_INVALID_ARGUMENT;
  *m = (struct memlift_mover_pdma){.mover = {"pdma", start, wait_for, give_up, now, worth,
                                             PATIENCE_NS, 0, MEMLIFT_PDMA_MIN_BYTES},
                                   .bus = bus ? bus : memlift_own_bus,
                                   .base = base ? base : PDMA_BASE,
                                   .channels = channels,
                                   .free = ~channels};
#if MEMLIFT_BARE && defined(__riscv) && !MEMLIFT_SMALL
  if (m->bus == memlift_own_bus)
    m->mover.start = start_here, m->mover.wait = wait_here;
#endif
  for (unsigned c = 0; c < PDMA_CHANNELS; c++)
    if ((channels >> c & 1) && (read_word(m, reg(m, c, MEMLIFT_PDMA_RUN_OFFSET)) &
                                (MEMLIFT_PDMA_CLAIM_MASK | MEMLIFT_PDMA_RUN_MASK)))
      return MEMLIFT_BUSY;
  for (unsigned c = 0; c < PDMA_CHANNELS; c++)
    if (channels >> c & 1) {
      write_word(m, reg(m, c, MEMLIFT_PDMA_CLAIM_OFFSET), MEMLIFT_PDMA_CLAIM_MASK);
      write_word(m, reg(m, c, MEMLIFT_PDMA_WSIZE_OFFSET), PDMA_WIDEST);
      m->job[c].registers = reg(m, c, 0), m->job[c].channel = (unsigned char)c;
      free_channel(m, c);
    }
  return MEMLIFT_OK;
}

void memlift_mover_pdma_close(struct memlift_mover_pdma *m) {
  for (unsigned c = 0; c < PDMA_CHANNELS; c++)
    if (m->channels >> c & 1)
      write_word(m, reg(m, c, MEMLIFT_PDMA_CLAIM_OFFSET), 0);
}
#else
typedef int memlift_no_engines; /* a translation unit must not be empty */
#endif
