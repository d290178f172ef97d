/* zdma.c - copies and fills on a ZynqMP ZDMA: a piece a channel, in simple mode
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A ticket is the number of a channel. Pieces are whole units of 64 bytes in the destination: no line of
 * the cache is part of one and part of something else.
 */
#include "../../config.h"

#if MEMLIFT_HAVE_OFFLOAD
#include "../../queue/barriers.h"
#include "../engine.h"
#include "../turn.h"
#include "zdma.h"
#include "zdma_spec.h"

#define ERRORS (MEMLIFT_ZDMA_READ_ERROR_MASK | MEMLIFT_ZDMA_WRITE_ERROR_MASK)

static const struct memlift_bus *bus;
static uintptr_t base = ZDMA_BASE;
static uint32_t control;
static unsigned char live[ZDMA_CHANNELS];
static struct memlift_turn turn;
static int started;

void memlift_zdma_use(const struct memlift_bus *to_use, uintptr_t at, uint32_t bits) {
  bus = to_use ? to_use : memlift_own_bus;
  base = at ? at : ZDMA_BASE;
  control = bits;
}

static uintptr_t reg(unsigned channel, unsigned offset) {
  return base + channel * ZDMA_STRIDE + offset;
}

/* ---- Starting and stopping ----------------------------------------------------------------- */

static memlift_status probe(const char **reason) {
  bus = bus ? bus : memlift_own_bus;
  *reason = bus ? "" : "its registers are reached from bare metal only";
  return bus ? MEMLIFT_OK : MEMLIFT_NOT_PRESENT;
}

static void release(void) { memlift_turn_give(&turn); }

static memlift_status start(void) {
  int inherited;
  memlift_status status = memlift_turn_begin(&turn, &inherited);
  if (status != MEMLIFT_OK)
    return status;
  for (unsigned c = 0; c < ZDMA_CHANNELS; c++)
    live[c] = 0;
  started = 1;
  release();
  return MEMLIFT_OK;
}

static memlift_status if_usable(memlift_status taken) {
  if (taken != MEMLIFT_OK || started)
    return taken;
  release();
  return MEMLIFT_NOT_PRESENT;
}

static memlift_status acquire_here(void) { return if_usable(memlift_turn_try(&turn)); }
static memlift_status acquire(void) { return if_usable(memlift_turn_take(&turn)); }

static memlift_status stop(void) {
  memlift_status status = acquire();
  if (status != MEMLIFT_OK)
    return status == MEMLIFT_NOT_PRESENT ? MEMLIFT_OK : status;
  started = 0;
  release();
  return MEMLIFT_OK;
}

/* ---- Submitting ---------------------------------------------------------------------------- */

static uint32_t state(unsigned channel) {
  return bus->read(reg(channel, MEMLIFT_ZDMA_STATE_OFFSET)) & MEMLIFT_ZDMA_STATE_MASK;
}

static void put_address(unsigned channel, unsigned low, unsigned high, const void *p) {
  uint64_t address = (uintptr_t)p;
  bus->write(reg(channel, low), (uint32_t)address);
  bus->write(reg(channel, high), (uint32_t)(address >> 32));
}

/* Eight bytes in memory order, twice. */
static void put_pattern(unsigned channel, uint64_t pattern) {
  unsigned char bytes[8];
  memlift_pattern_put(bytes, pattern);
  for (unsigned i = 0; i < 4; i++)
    bus->write(reg(channel, MEMLIFT_ZDMA_PATTERN0_OFFSET + 4 * i),
               (uint32_t)memlift_word_get(bytes + i % 2 * 4, 4, 0));
}

/* The doorbell path. */
static void ring(unsigned channel, const struct memlift_request *piece) {
  int fill = piece->operation == MEMLIFT_OPERATION_FILL;
  uint32_t mode = fill ? MEMLIFT_ZDMA_MODE_WRITE_ONLY : MEMLIFT_ZDMA_MODE_COPY;
  bus->write(reg(channel, MEMLIFT_ZDMA_ISR_DONE_OFFSET), UINT32_MAX); /* what was before */
  bus->write(reg(channel, MEMLIFT_ZDMA_MODE_OFFSET), mode << MEMLIFT_ZDMA_MODE_SHIFT | control);
  put_address(channel, MEMLIFT_ZDMA_SOURCE_LOW_OFFSET, MEMLIFT_ZDMA_SOURCE_HIGH_OFFSET,
              fill ? piece->destination : piece->source);
  put_address(channel, MEMLIFT_ZDMA_DESTINATION_LOW_OFFSET, MEMLIFT_ZDMA_DESTINATION_HIGH_OFFSET,
              piece->destination);
  bus->write(reg(channel, MEMLIFT_ZDMA_SOURCE_SIZE_OFFSET), (uint32_t)piece->size);
  bus->write(reg(channel, MEMLIFT_ZDMA_DESTINATION_SIZE_OFFSET), (uint32_t)piece->size);
  bus->write(reg(channel, MEMLIFT_ZDMA_SOURCE_ATTR_OFFSET), 0);
  bus->write(reg(channel, MEMLIFT_ZDMA_DESTINATION_ATTR_OFFSET), 0);
  if (fill)
    put_pattern(channel, piece->pattern);
  else
    bus->share(piece->source, piece->size);
  bus->share(piece->destination, piece->size);
  memlift_barrier_to_device(); /* the source is in memory before it is read */
  bus->write(reg(channel, MEMLIFT_ZDMA_ENABLE_OFFSET), MEMLIFT_ZDMA_ENABLE_MASK);
}

static unsigned submit(const struct memlift_request *pieces, unsigned count,
                       memlift_ticket *tickets, memlift_status *status) {
  unsigned sent = 0;
  for (unsigned c = 0; c < ZDMA_CHANNELS && sent < count; c++) {
    if (live[c] || state(c) == MEMLIFT_ZDMA_STATE_BUSY) /* ours, or somebody else's */
      continue;
    ring(c, &pieces[sent]);
    live[c] = 1;
    tickets[sent++] = c;
  }
  *status = sent == count ? MEMLIFT_OK : MEMLIFT_BUSY;
  return sent;
}

/* ---- Completion ---------------------------------------------------------------------------- */

static memlift_status poll(memlift_ticket channel, const struct memlift_request *piece,
                           size_t *done) {
  uint32_t now_in = state(channel);
  uint32_t events = bus->read(reg(channel, MEMLIFT_ZDMA_ISR_DONE_OFFSET));
  *done = 0;
  if (!live[channel] || now_in == MEMLIFT_ZDMA_STATE_BUSY)
    return MEMLIFT_PENDING;
  memlift_barrier_from_device(); /* the bytes are read after the registers */
  if ((events & ERRORS) || now_in == MEMLIFT_ZDMA_STATE_FAILED) {
    live[channel] = 0;
    return MEMLIFT_FAULT;
  }
  if (now_in != MEMLIFT_ZDMA_STATE_DONE || !(events & MEMLIFT_ZDMA_ISR_DONE_MASK))
    return MEMLIFT_PENDING;
  live[channel] = 0;
  bus->refresh(piece->destination, piece->size);
  *done = piece->size;
  return MEMLIFT_OK;
}

static void wait(memlift_ticket channel, const struct memlift_request *piece,
                 uint64_t nanoseconds) {
  uint64_t start_time = bus->now();
  (void)piece;
  while (state(channel) == MEMLIFT_ZDMA_STATE_BUSY && bus->now() - start_time < nanoseconds)
    memlift_barrier_relax();
}

static int is_coming(memlift_ticket channel) { return state(channel) == MEMLIFT_ZDMA_STATE_BUSY; }

/* However long it takes: a channel that might still write leaves us nothing else to do. */
static void abort_all(void) {
  for (unsigned c = 0; c < ZDMA_CHANNELS; c++) {
    if (!live[c])
      continue;
    bus->write(reg(c, MEMLIFT_ZDMA_ENABLE_OFFSET), 0);
    while (state(c) == MEMLIFT_ZDMA_STATE_BUSY)
      memlift_barrier_relax();
    live[c] = 0;
  }
}

static uint64_t now(void) { return bus->now(); }

static uint64_t sizes[MEMLIFT_SIZE_CLASSES];

/* min_bytes and min_batch: ours, until they are measured on a chip. unit: a line of the cache, and whole
 * patterns. */
const struct memlift_engine memlift_engine_zdma = {
    .name = "zdma",
    .sizes = sizes,
    .alignment = 1,
    .unit = 64,
    .min_bytes = (size_t)4 << 10,
    .max_bytes = ZDMA_MAX_BYTES,
    .in_flight = ZDMA_CHANNELS,
    .units = ZDMA_CHANNELS,
    .min_batch = (size_t)4 << 10,
    .timeout_ns = 1000000000u,
    .probe = probe,
    .start = start,
    .stop = stop,
    .acquire = acquire,
    .acquire_here = acquire_here,
    .release = release,
    .submit = submit,
    .poll = poll,
    .wait = wait,
    .is_coming = is_coming,
    .abort = abort_all,
    .now = now,
};
#else
typedef int memlift_no_engines; /* a translation unit must not be empty */
#endif
