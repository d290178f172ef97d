/* zdma.c - copies and fills on a ZynqMP ZDMA: a piece a channel
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What it shares with other engines of its kind is in channels.c. Pieces are whole granules of 64
 * bytes in the destination: no line of the cache is part of one and part of something else. Where
 * the pages of memory lie apart, a copy is two lists of entries, and a fill, for which there are no
 * lists, ends with its page.
 */
#include "../../config.h"

#if MEMLIFT_HAVE_OFFLOAD
#include "../../queue/barriers.h"
#include "../channels.h"
#include "zdma.h"
#include "zdma_spec.h"

#define ERRORS                                                                                     \
  (MEMLIFT_ZDMA_READ_ERROR_MASK | MEMLIFT_ZDMA_WRITE_ERROR_MASK |                                  \
   MEMLIFT_ZDMA_SOURCE_LIST_ERROR_MASK | MEMLIFT_ZDMA_DESTINATION_LIST_ERROR_MASK)

#define GRANULE ((size_t)MEMLIFT_ZDMA_GRANULE) /* a line of the cache, and whole patterns */
#define ENTRIES 32u                            /* of a list */

/* Each channel's lists, of the source and of the destination: aligned so that each is within a
 * page. */
static unsigned char lists[ZDMA_CHANNELS][2][ENTRIES][ZDMA_ENTRY]
    __attribute__((aligned(ENTRIES * ZDMA_ENTRY)));

static int runs(unsigned channel);
static void ring(unsigned channel, const struct memlift_request *piece);

static struct memlift_channels dma = {.base = ZDMA_BASE,
                                      .stride = ZDMA_STRIDE,
                                      .count = ZDMA_CHANNELS,
                                      .runs = runs,
                                      .in_use = runs,
                                      .ring = ring};
static uint32_t control;

void memlift_zdma_use(const struct memlift_bus *to_use, uintptr_t at, uint32_t bits) {
  dma.bus = to_use ? to_use : memlift_own_bus;
  dma.base = at ? at : ZDMA_BASE;
  control = bits;
}

static uintptr_t reg(unsigned channel, unsigned offset) {
  return dma.base + channel * dma.stride + offset;
}

/* ---- Submitting ---------------------------------------------------------------------------- */

static uint32_t state(unsigned channel) {
  return dma.bus->read(reg(channel, MEMLIFT_ZDMA_STATE_OFFSET)) & MEMLIFT_ZDMA_STATE_MASK;
}

static int runs(unsigned channel) { return state(channel) == MEMLIFT_ZDMA_STATE_BUSY; }

/* Writes an address: its lower half to register `low`, its upper half to the next one. */
static void put_address(unsigned channel, unsigned low, const void *p) {
  size_t bytes;
  uint64_t address = memlift_bus_place(dma.bus, p, 1, &bytes);
  dma.bus->write(reg(channel, low), (uint32_t)address);
  dma.bus->write(reg(channel, low + 4), (uint32_t)(address >> 32));
}

/* Returns how many bytes from p on, size at most, the entries of one list can describe. */
static size_t list_capacity(const void *p, size_t size) {
  size_t done = 0, bytes;
  for (unsigned i = 0; i < ENTRIES && done < size; i++, done += bytes)
    memlift_bus_place(dma.bus, (const unsigned char *)p + done, size - done, &bytes);
  return done;
}

/* Writes a list, which longest() has seen to be long enough, into memory. Returns its address. */
static const void *put_list(unsigned char list[ENTRIES][ZDMA_ENTRY], const void *p, size_t size,
                            int source) {
  size_t done = 0, bytes;
  for (unsigned i = 0; i < ENTRIES && done < size; i++, done += bytes) {
    uint64_t at = memlift_bus_place(dma.bus, (const unsigned char *)p + done, size - done, &bytes);
    int last = source && done + bytes == size;
    memlift_record_clear(list[i], ZDMA_ENTRY);
    MEMLIFT_PUT(list[i], ZDMA_ENTRY, ADDRESS, at);
    MEMLIFT_PUT(list[i], ZDMA_ENTRY, SIZE, bytes);
    MEMLIFT_PUT(list[i], ZDMA_ENTRY, COMMAND,
                last ? MEMLIFT_ZDMA_ENTRY_COMMAND_STOP : MEMLIFT_ZDMA_ENTRY_COMMAND_NEXT);
  }
  dma.bus->share(list, ENTRIES * ZDMA_ENTRY);
  return list;
}

/* Returns 1 when a piece is one transfer between two addresses. */
static int is_simple(const struct memlift_request *piece) {
  return memlift_bus_extent(dma.bus, piece, GRANULE) == piece->size;
}

/* Eight bytes in memory order, twice. */
static void put_pattern(unsigned channel, uint64_t pattern) {
  unsigned char bytes[8];
  memlift_pattern_put(bytes, pattern);
  for (unsigned i = 0; i < 4; i++)
    dma.bus->write(reg(channel, MEMLIFT_ZDMA_PATTERN0_OFFSET + 4 * i),
                   (uint32_t)memlift_word_get(bytes + i % 2 * 4, 4, 0));
}

static void put_simple(unsigned channel, const struct memlift_request *piece) {
  int fill = piece->operation == MEMLIFT_OPERATION_FILL;
  uint32_t mode = fill ? MEMLIFT_ZDMA_MODE_WRITE_ONLY : MEMLIFT_ZDMA_MODE_COPY;
  dma.bus->write(reg(channel, MEMLIFT_ZDMA_MODE_OFFSET), mode << MEMLIFT_ZDMA_MODE_SHIFT | control);
  put_address(channel, MEMLIFT_ZDMA_SOURCE_LOW_OFFSET, fill ? piece->destination : piece->source);
  put_address(channel, MEMLIFT_ZDMA_DESTINATION_LOW_OFFSET, piece->destination);
  dma.bus->write(reg(channel, MEMLIFT_ZDMA_SOURCE_SIZE_OFFSET), (uint32_t)piece->size);
  dma.bus->write(reg(channel, MEMLIFT_ZDMA_DESTINATION_SIZE_OFFSET), (uint32_t)piece->size);
  dma.bus->write(reg(channel, MEMLIFT_ZDMA_SOURCE_ATTR_OFFSET), 0);
  dma.bus->write(reg(channel, MEMLIFT_ZDMA_DESTINATION_ATTR_OFFSET), 0);
  if (fill)
    put_pattern(channel, piece->pattern);
}

static void put_lists(unsigned channel, const struct memlift_request *piece) {
  uint32_t mode = MEMLIFT_ZDMA_MODE_COPY << MEMLIFT_ZDMA_MODE_SHIFT;
  dma.bus->write(reg(channel, MEMLIFT_ZDMA_MODE_OFFSET),
                 mode | MEMLIFT_ZDMA_SCATTER_GATHER_MASK | control);
  put_address(channel, MEMLIFT_ZDMA_SOURCE_LIST_LOW_OFFSET,
              put_list(lists[channel][0], piece->source, piece->size, 1));
  put_address(channel, MEMLIFT_ZDMA_DESTINATION_LIST_LOW_OFFSET,
              put_list(lists[channel][1], piece->destination, piece->size, 0));
}

/* The doorbell path. */
static void ring(unsigned channel, const struct memlift_request *piece) {
  dma.bus->write(reg(channel, MEMLIFT_ZDMA_ISR_DONE_OFFSET), UINT32_MAX); /* what was before */
  dma.bus->write(reg(channel, ZDMA_DATA_ATTR_OFFSET), ZDMA_DATA_ATTR);
  if (is_simple(piece))
    put_simple(channel, piece);
  else
    put_lists(channel, piece);
  if (piece->operation == MEMLIFT_OPERATION_COPY)
    dma.bus->share(piece->source, piece->size);
  dma.bus->share(piece->destination, piece->size);
  memlift_barrier_to_device(); /* the source is in memory before it is read */
  dma.bus->write(reg(channel, MEMLIFT_ZDMA_ENABLE_OFFSET), MEMLIFT_ZDMA_ENABLE_MASK);
}

/* ---- Completion ---------------------------------------------------------------------------- */

static memlift_status poll(memlift_ticket channel, const struct memlift_request *piece,
                           size_t *done) {
  uint32_t now_in = state(channel);
  uint32_t events = dma.bus->read(reg(channel, MEMLIFT_ZDMA_ISR_DONE_OFFSET));
  *done = 0;
  if (!dma.live[channel] || now_in == MEMLIFT_ZDMA_STATE_BUSY)
    return MEMLIFT_PENDING;
  memlift_barrier_from_device(); /* the bytes are read after the registers */
  if ((events & ERRORS) || now_in == MEMLIFT_ZDMA_STATE_FAILED) {
    dma.live[channel] = 0;
    return MEMLIFT_FAULT;
  }
  if (now_in != MEMLIFT_ZDMA_STATE_DONE || !(events & MEMLIFT_ZDMA_ISR_DONE_MASK))
    return MEMLIFT_PENDING;
  dma.live[channel] = 0;
  dma.bus->refresh(piece->destination, piece->size);
  *done = piece->size;
  return MEMLIFT_OK;
}

static int is_coming(memlift_ticket channel) { return runs(channel); }

/* However long it takes: a channel that might still write leaves us nothing else to do. */
static void abort_all(void) {
  for (unsigned c = 0; c < ZDMA_CHANNELS; c++) {
    if (dma.live[c])
      dma.bus->write(reg(c, MEMLIFT_ZDMA_ENABLE_OFFSET), 0);
    memlift_channels_drain(&dma, c);
  }
}

static size_t longest(const struct memlift_request *rest) {
  if (!dma.bus->physical || rest->operation == MEMLIFT_OPERATION_FILL)
    return memlift_bus_extent(dma.bus, rest, GRANULE);
  size_t size = rest->size < ZDMA_MAX_BYTES ? rest->size : ZDMA_MAX_BYTES;
  size_t to = list_capacity(rest->destination, size), from = list_capacity(rest->source, size);
  size = to < from ? to : from;
  return size == rest->size ? size : size & ~(GRANULE - 1);
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
_Static_assert(MEMLIFT_ZDMA_MAX_BYTES == ZDMA_MAX_BYTES && MEMLIFT_ZDMA_IN_FLIGHT == ZDMA_CHANNELS,
               "the record of intrinsics/Engines.td differs from the device");

const struct memlift_engine memlift_engine_zdma = {
    .name = "zdma",
    .sizes = sizes,
    .alignment = 1,
    .granule = MEMLIFT_ZDMA_GRANULE,
    .min_bytes = MEMLIFT_ZDMA_MIN_BYTES,
    .max_bytes = MEMLIFT_ZDMA_MAX_BYTES,
    .in_flight = MEMLIFT_ZDMA_IN_FLIGHT,
    .units = ZDMA_CHANNELS,
    .min_batch = (size_t)4 << 10,
    .timeout_ns = 1000000000u,
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
