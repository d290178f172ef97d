/* pdma.c - copies on a SiFive PDMA: a piece a channel
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A ticket is the number of a channel.
 */
#include "../../config.h"

#if MEMLIFT_HAVE_OFFLOAD
#include "../../queue/barriers.h"
#include "../engine.h"
#include "../turn.h"
#include "pdma.h"
#include "pdma_spec.h"

#define UNIT ((size_t)64) /* the widest transaction */

static const struct memlift_bus *bus;
static uintptr_t base = PDMA_BASE;
static uint32_t config = PDMA_WIDEST;
static unsigned char live[PDMA_CHANNELS];
static struct memlift_turn turn;
static int started;

void memlift_pdma_use(const struct memlift_bus *to_use, uintptr_t at, uint32_t transfers) {
  bus = to_use ? to_use : memlift_own_bus;
  base = at ? at : PDMA_BASE;
  config = transfers ? transfers : PDMA_WIDEST;
}

static uintptr_t reg(unsigned channel, unsigned offset) {
  return base + channel * PDMA_STRIDE + offset;
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
  for (unsigned c = 0; c < PDMA_CHANNELS; c++)
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

/* ---- Submitting and completion ------------------------------------------------------------- */

static uint32_t control(unsigned channel) {
  return bus->read(reg(channel, MEMLIFT_PDMA_RUN_OFFSET));
}

static int runs(unsigned channel) {
  return (control(channel) & (MEMLIFT_PDMA_RUN_MASK | MEMLIFT_PDMA_ERROR_MASK)) ==
         MEMLIFT_PDMA_RUN_MASK;
}

/* The doorbell path. */
static void ring(unsigned channel, const struct memlift_request *piece) {
  size_t bytes;
  uint64_t destination = memlift_bus_place(bus, piece->destination, piece->size, &bytes);
  uint64_t source = memlift_bus_place(bus, piece->source, piece->size, &bytes);
  bus->write(reg(channel, MEMLIFT_PDMA_CLAIM_OFFSET), MEMLIFT_PDMA_CLAIM_MASK); /* and not done */
  bus->write(reg(channel, MEMLIFT_PDMA_WSIZE_OFFSET), config);
  bus->write_long(reg(channel, MEMLIFT_PDMA_NEXT_BYTES_OFFSET), piece->size);
  bus->write_long(reg(channel, MEMLIFT_PDMA_NEXT_DESTINATION_OFFSET), destination);
  bus->write_long(reg(channel, MEMLIFT_PDMA_NEXT_SOURCE_OFFSET), source);
  bus->share(piece->source, piece->size);
  bus->share(piece->destination, piece->size);
  memlift_barrier_to_device(); /* the source is in memory before it is read */
  bus->write(reg(channel, MEMLIFT_PDMA_RUN_OFFSET),
             MEMLIFT_PDMA_CLAIM_MASK | MEMLIFT_PDMA_RUN_MASK);
}

static unsigned submit(const struct memlift_request *pieces, unsigned count,
                       memlift_ticket *tickets, memlift_status *status) {
  unsigned sent = 0;
  for (unsigned c = 0; c < PDMA_CHANNELS && sent < count; c++) {
    if (live[c] || runs(c)) /* ours, or somebody else's */
      continue;
    ring(c, &pieces[sent]);
    live[c] = 1;
    tickets[sent++] = c;
  }
  *status = sent == count ? MEMLIFT_OK : MEMLIFT_BUSY;
  return sent;
}

static memlift_status poll(memlift_ticket channel, const struct memlift_request *piece,
                           size_t *done) {
  uint32_t now = control(channel);
  *done = 0;
  if (!live[channel] || runs(channel))
    return MEMLIFT_PENDING;
  memlift_barrier_from_device(); /* the bytes are read after the register */
  live[channel] = 0;
  if (now & MEMLIFT_PDMA_ERROR_MASK)
    return MEMLIFT_FAULT;
  if (!(now & MEMLIFT_PDMA_DONE_MASK) ||
      bus->read_long(reg(channel, MEMLIFT_PDMA_EXEC_BYTES_OFFSET)) != 0)
    return MEMLIFT_PROTOCOL;
  bus->refresh(piece->destination, piece->size);
  *done = piece->size;
  return MEMLIFT_OK;
}

static void wait(memlift_ticket channel, const struct memlift_request *piece,
                 uint64_t nanoseconds) {
  uint64_t start_time = bus->now();
  (void)piece;
  while (runs(channel) && bus->now() - start_time < nanoseconds)
    memlift_barrier_relax();
}

static int is_coming(memlift_ticket channel) { return runs(channel); }

/* However long it takes: nothing stops a channel, and one that might still write leaves us nothing
 * else to do. */
static void abort_all(void) {
  for (unsigned c = 0; c < PDMA_CHANNELS; c++) {
    while (live[c] && runs(c))
      memlift_barrier_relax();
    live[c] = 0;
  }
}

static size_t longest(const struct memlift_request *rest) {
  return memlift_bus_extent(bus, rest, UNIT);
}

static uint64_t now(void) { return bus->now(); }

static uint64_t sizes[MEMLIFT_SIZE_CLASSES];

/* min_bytes and min_batch: ours, until they are measured on a chip. */
const struct memlift_engine memlift_engine_pdma = {
    .name = "pdma",
    .sizes = sizes,
    .alignment = 1,
    .unit = UNIT,
    .min_bytes = (size_t)4 << 10,
    .max_bytes = (size_t)1 << 30,
    .in_flight = PDMA_CHANNELS,
    .units = PDMA_CHANNELS,
    .min_batch = (size_t)4 << 10,
    .timeout_ns = 1000000000u,
    .copies_only = 1,
    .probe = probe,
    .start = start,
    .stop = stop,
    .acquire = acquire,
    .acquire_here = acquire_here,
    .release = release,
    .longest = longest,
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
