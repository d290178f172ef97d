/* pdma.c - copies on a SiFive PDMA: a piece a channel
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What it shares with other engines of its kind is in channels.c.
 */
#include "../../config.h"

#if MEMLIFT_HAVE_OFFLOAD
#include "../../queue/barriers.h"
#include "../channels.h"
#include "pdma.h"
#include "pdma_spec.h"

#define GRANULE ((size_t)MEMLIFT_PDMA_GRANULE) /* the widest transaction */

static int runs(unsigned channel);
static int in_use(unsigned channel);
static void ring(unsigned channel, const struct memlift_request *piece);

static struct memlift_channels dma = {.base = PDMA_BASE,
                                      .stride = PDMA_STRIDE,
                                      .count = PDMA_CHANNELS,
                                      .runs = runs,
                                      .in_use = in_use,
                                      .ring = ring};
static uint32_t config = PDMA_WIDEST;

void memlift_pdma_use(const struct memlift_bus *to_use, uintptr_t at, uint32_t transfers) {
  dma.bus = to_use ? to_use : memlift_own_bus;
  dma.base = at ? at : PDMA_BASE;
  config = transfers ? transfers : PDMA_WIDEST;
}

static uintptr_t reg(unsigned channel, unsigned offset) {
  return dma.base + channel * dma.stride + offset;
}

/* ---- Submitting and completion ------------------------------------------------------------- */

static uint32_t control(unsigned channel) {
  return dma.bus->read(reg(channel, MEMLIFT_PDMA_RUN_OFFSET));
}

static int runs(unsigned channel) {
  return (control(channel) & (MEMLIFT_PDMA_RUN_MASK | MEMLIFT_PDMA_ERROR_MASK)) ==
         MEMLIFT_PDMA_RUN_MASK;
}

/* Ours are claimed from the doorbell to the completion only. */
static int in_use(unsigned channel) {
  return (control(channel) & (MEMLIFT_PDMA_CLAIM_MASK | MEMLIFT_PDMA_RUN_MASK)) != 0;
}

/* Gives the channel back. RUN first, which an error may have left: a claim stays while it is
 * set. */
static void disclaim(unsigned channel) {
  dma.bus->write(reg(channel, MEMLIFT_PDMA_CLAIM_OFFSET), MEMLIFT_PDMA_CLAIM_MASK);
  dma.bus->write(reg(channel, MEMLIFT_PDMA_CLAIM_OFFSET), 0);
}

/* The doorbell path. */
static void ring(unsigned channel, const struct memlift_request *piece) {
  size_t bytes;
  uint64_t destination = memlift_bus_place(dma.bus, piece->destination, piece->size, &bytes);
  uint64_t source = memlift_bus_place(dma.bus, piece->source, piece->size, &bytes);
  /* and not done */
  dma.bus->write(reg(channel, MEMLIFT_PDMA_CLAIM_OFFSET), MEMLIFT_PDMA_CLAIM_MASK);
  dma.bus->write(reg(channel, MEMLIFT_PDMA_WSIZE_OFFSET), config);
  dma.bus->write_long(reg(channel, MEMLIFT_PDMA_NEXT_BYTES_OFFSET), piece->size);
  dma.bus->write_long(reg(channel, MEMLIFT_PDMA_NEXT_DESTINATION_OFFSET), destination);
  dma.bus->write_long(reg(channel, MEMLIFT_PDMA_NEXT_SOURCE_OFFSET), source);
  dma.bus->share(piece->source, piece->size);
  dma.bus->share(piece->destination, piece->size);
  memlift_barrier_to_device(); /* the source is in memory before it is read */
  dma.bus->write(reg(channel, MEMLIFT_PDMA_RUN_OFFSET),
                 MEMLIFT_PDMA_CLAIM_MASK | MEMLIFT_PDMA_RUN_MASK);
}

static memlift_status poll(memlift_ticket channel, const struct memlift_request *piece,
                           size_t *done) {
  uint32_t now = control(channel);
  *done = 0;
  if (!dma.live[channel] || runs(channel))
    return MEMLIFT_PENDING;
  memlift_barrier_from_device(); /* the bytes are read after the register */
  uint64_t left = dma.bus->read_long(reg(channel, MEMLIFT_PDMA_EXEC_BYTES_OFFSET));
  dma.live[channel] = 0;
  disclaim(channel);
  if (now & MEMLIFT_PDMA_ERROR_MASK)
    return MEMLIFT_FAULT;
  if (!(now & MEMLIFT_PDMA_DONE_MASK) || left != 0)
    return MEMLIFT_PROTOCOL;
  dma.bus->refresh(piece->destination, piece->size);
  *done = piece->size;
  return MEMLIFT_OK;
}

static int is_coming(memlift_ticket channel) { return runs(channel); }

/* However long it takes: nothing stops a channel, and one that might still write leaves us nothing
 * else to do. */
static void abort_all(void) {
  for (unsigned c = 0; c < PDMA_CHANNELS; c++) {
    int ours = dma.live[c];
    memlift_channels_drain(&dma, c);
    if (ours)
      disclaim(c);
  }
}

static size_t longest(const struct memlift_request *rest) {
  return memlift_bus_extent(dma.bus, rest, GRANULE);
}

static memlift_status probe(const char **reason) { return memlift_channels_probe(&dma, reason); }
static memlift_status open_channels(void) { return memlift_channels_open(&dma); }

static unsigned submit(const struct memlift_request *pieces, unsigned count,
                       memlift_ticket *tickets, memlift_status *status) {
  return memlift_channels_submit(&dma, pieces, count, tickets, status);
}

static void wait(memlift_ticket channel, const struct memlift_request *piece,
                 uint64_t nanoseconds) {
  (void)piece;
  memlift_channels_wait(&dma, channel, nanoseconds);
}

static uint64_t now(void) { return dma.bus->now(); }

static uint64_t sizes[MEMLIFT_SIZE_CLASSES];

/* min_bytes and min_batch: ours, until they are measured on a chip. */
_Static_assert(MEMLIFT_PDMA_IN_FLIGHT == PDMA_CHANNELS,
               "the record of intrinsics/Engines.td differs from the device");

const struct memlift_engine memlift_engine_pdma = {
    .name = "pdma",
    .sizes = sizes,
    .alignment = 1,
    .granule = MEMLIFT_PDMA_GRANULE,
    .min_bytes = MEMLIFT_PDMA_MIN_BYTES,
    .max_bytes = MEMLIFT_PDMA_MAX_BYTES,
    .in_flight = MEMLIFT_PDMA_IN_FLIGHT,
    .units = PDMA_CHANNELS,
    .min_batch = (size_t)4 << 10,
    .timeout_ns = 1000000000u,
    .copies_only = 1,
    .probe = probe,
    .session = &dma.session,
    .open = open_channels,
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
