/* dsa.c - copies and fills on an Intel DSA: descriptors, batches, page faults, completion records
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Any thread of the process may use it, one at a time. A ticket is the number of a slot: the
 * completion record of one descriptor. Several descriptors go out as a batch, each with a record of
 * its own; the batch has one too, which tells of descriptors that were never run.
 *
 * A page fault says how far the descriptor came. The rest of its pages is brought by the system,
 * without a touch, and the descriptor goes on from there; what the system refuses is left to the
 * CPU.
 *
 * Nothing takes a descriptor back. Giving up is closing the queue, which waits for what is under
 * way, and opening it again.
 */
#define _GNU_SOURCE
#include "../../config.h"

#if MEMLIFT_HAVE_ENGINES
#include "../../queue/barriers.h"
#include "../populate.h"
#include "../session.h"
#include "dsa_transport.h"

#define SLOTS MEMLIFT_DSA_IN_FLIGHT
#define BATCHES 8u

/* Tries of a submission for which there is no room and none will come of itself, 2 us apart. */
#define TRIES 10
#define TRY_NS 2000u

/* Page faults of one piece that are made good. */
#define RESUMES 4u

#define NO_BATCH BATCHES

struct slot {
  int used;
  unsigned batch;   /* that it went out with, or NO_BATCH */
  unsigned resumes; /* page faults so far */
  size_t done;      /* bytes that were right when it faulted last */
};

/* A batch's list may be written again when no slot is in it any more and it has completed
 * itself. */
struct batch {
  unsigned slots;
  int under_way;
};

struct dsa_state {
  unsigned char records[SLOTS][DSA_RECORD] __attribute__((aligned(64)));
  unsigned char batch_records[BATCHES][DSA_RECORD] __attribute__((aligned(64)));
  unsigned char lists[BATCHES][MEMLIFT_BATCH][DSA_DESCRIPTOR] __attribute__((aligned(64)));
  unsigned char single[DSA_DESCRIPTOR] __attribute__((aligned(64)));
  struct slot slots[SLOTS];
  struct batch batches[BATCHES];
  const struct dsa_transport *transport;
  struct dsa_limits limits;
  unsigned in_queue; /* slots and batches under way: credits of a dedicated queue */
  int gone;          /* a submission was told so */
};

static struct dsa_state dsa;
static struct memlift_session session;
static const struct dsa_transport *chosen;

void memlift_dsa_use(const struct dsa_transport *transport) { chosen = transport; }

static const struct dsa_transport *transport_to_use(void) {
  return chosen ? chosen : &memlift_dsa_linux;
}

/* ---- Starting and stopping ----------------------------------------------------------------- */

static memlift_status probe(const char **reason) { return transport_to_use()->probe(reason); }

static void forget_all(void) {
  for (unsigned i = 0; i < SLOTS; i++)
    dsa.slots[i].used = 0;
  for (unsigned i = 0; i < BATCHES; i++)
    dsa.batches[i].slots = 0, dsa.batches[i].under_way = 0;
  dsa.in_queue = 0;
}

static memlift_status open_device(void) {
  dsa.transport = transport_to_use();
  dsa.gone = 0;
  forget_all();
  return dsa.transport->open(&dsa.limits);
}

static void close_device(void) { dsa.transport->close(); }

static int is_usable(void) {
  if (dsa.gone)
    memlift_session_lose(&memlift_engine_dsa);
  return !dsa.gone;
}

/* ---- Submitting ---------------------------------------------------------------------------- */

/* A piece's length is a multiple of 8 unless it is the last, so that fills keep their phase. */
static size_t longest(const struct memlift_request *rest) {
  return rest->size < dsa.limits.max_bytes ? rest->size : dsa.limits.max_bytes & ~(size_t)63;
}

/* The record is ours until the doorbell: none, before the device can write it. */
static void clear_record(unsigned char *record) {
  for (unsigned i = 1; i < DSA_RECORD; i++)
    record[i] = 0;
  __atomic_store_n(record, MEMLIFT_DSA_COMP_STATUS_NONE, __ATOMIC_RELAXED);
}

/* The descriptor of what is left of a piece. */
static void build(unsigned char *descriptor, const struct memlift_request *piece, size_t done,
                  unsigned char *record) {
  uint64_t destination = (uintptr_t)piece->destination + done;
  uint32_t size = (uint32_t)(piece->size - done);
  clear_record(record);
  if (piece->operation == MEMLIFT_OPERATION_COPY) {
    memlift_dsa_put_move(descriptor, destination, (uintptr_t)piece->source + done, size,
                         (uintptr_t)record);
    return;
  }
  unsigned char rotated[8], bytes[8];
  memlift_pattern_put(bytes, piece->pattern);
  for (unsigned i = 0; i < 8; i++)
    rotated[i] = bytes[(i + done) % 8];
  memlift_dsa_put_fill(descriptor, destination, 0, size, (uintptr_t)record);
  for (unsigned i = 0; i < 8; i++)
    descriptor[MEMLIFT_DSA_DESC_SOURCE_OFFSET + i] = rotated[i];
}

/* Posts it. With something under way room will come, and the caller is told; else it is tried
 * again. */
static enum dsa_taken post(const unsigned char *descriptor) {
  enum dsa_taken answer = DSA_QUEUE_FULL;
  if (dsa.in_queue >= dsa.limits.depth)
    return DSA_QUEUE_FULL; /* a dedicated queue would drop it without a word */
  for (unsigned tries = 0; tries < TRIES; tries++) {
    memlift_barrier_to_device(); /* descriptor and record are written before it is read */
    answer = dsa.transport->submit(descriptor);
    if (answer != DSA_QUEUE_FULL || dsa.in_queue)
      break;
    dsa.transport->pause(descriptor, TRY_NS);
  }
  dsa.in_queue += answer == DSA_TAKEN;
  dsa.gone |= answer == DSA_GONE;
  return answer;
}

/* A slot that is free from `from` on, or SLOTS. */
static unsigned free_slot(unsigned from) {
  while (from < SLOTS && dsa.slots[from].used)
    from++;
  return from;
}

/* Batches that have completed, and of whose descriptors none is waited for. */
static void reap_batches(void) {
  for (unsigned b = 0; b < BATCHES; b++) {
    struct batch *batch = &dsa.batches[b];
    /* Acquire: the record is read before its memory is used anew. The device writes it last. */
    if (batch->under_way && !batch->slots &&
        __atomic_load_n(dsa.batch_records[b], __ATOMIC_ACQUIRE) != MEMLIFT_DSA_COMP_STATUS_NONE)
      batch->under_way = 0, dsa.in_queue--;
  }
}

static unsigned free_batch(void) {
  unsigned b = 0;
  while (b < BATCHES && dsa.batches[b].under_way)
    b++;
  return b;
}

static void use_slot(unsigned slot, unsigned batch) {
  dsa.slots[slot].used = 1;
  dsa.slots[slot].batch = batch;
  dsa.slots[slot].resumes = 0;
  dsa.slots[slot].done = 0;
}

static memlift_status meaning_of(enum dsa_taken answer) {
  return answer == DSA_TAKEN        ? MEMLIFT_OK
         : answer == DSA_QUEUE_FULL ? MEMLIFT_BUSY
                                    : MEMLIFT_NOT_PRESENT;
}

static unsigned submit_one(const struct memlift_request *piece, memlift_ticket *ticket,
                           memlift_status *status) {
  unsigned slot = free_slot(0);
  *status = MEMLIFT_BUSY;
  if (slot == SLOTS)
    return 0;
  build(dsa.single, piece, 0, dsa.records[slot]);
  *status = meaning_of(post(dsa.single));
  if (*status != MEMLIFT_OK)
    return 0;
  use_slot(slot, NO_BATCH);
  *ticket = slot;
  return 1;
}

static unsigned submit_batch(const struct memlift_request *pieces, unsigned count,
                             memlift_ticket *tickets, unsigned b, memlift_status *status) {
  unsigned slot = 0, n = 0;
  for (; n < count && n < dsa.limits.max_batch && (slot = free_slot(slot)) < SLOTS; n++, slot++) {
    build(dsa.lists[b][n], &pieces[n], 0, dsa.records[slot]);
    tickets[n] = slot;
  }
  *status = MEMLIFT_BUSY;
  if (n < 2)
    return 0;
  clear_record(dsa.batch_records[b]);
  memlift_dsa_put_batch(dsa.single, (uintptr_t)dsa.lists[b], n, (uintptr_t)dsa.batch_records[b]);
  *status = meaning_of(post(dsa.single));
  if (*status != MEMLIFT_OK)
    return 0;
  for (unsigned i = 0; i < n; i++)
    use_slot(tickets[i], b);
  dsa.batches[b].slots = n;
  dsa.batches[b].under_way = 1;
  *status = n == count ? MEMLIFT_OK : MEMLIFT_BUSY;
  return n;
}

static unsigned submit(const struct memlift_request *pieces, unsigned count,
                       memlift_ticket *tickets, memlift_status *status) {
  reap_batches();
  unsigned b = count > 1 && dsa.limits.max_batch > 1 ? free_batch() : NO_BATCH, n = 0;
  *status = MEMLIFT_OK;
  if (b != NO_BATCH)
    return submit_batch(pieces, count, tickets, b, status);
  while (n < count && submit_one(&pieces[n], &tickets[n], status))
    n++;
  return n;
}

/* ---- Completion ---------------------------------------------------------------------------- */

static void retire(unsigned ticket) {
  struct slot *slot = &dsa.slots[ticket];
  slot->used = 0;
  if (slot->batch == NO_BATCH)
    dsa.in_queue--;
  else
    dsa.batches[slot->batch].slots--;
}

/* 1 when the rest of a piece is under way again after a page fault. */
static int resume(unsigned ticket, const struct memlift_request *piece) {
  struct slot *slot = &dsa.slots[ticket];
  size_t rest = piece->size - slot->done;
  if (slot->resumes++ == RESUMES || rest == 0 ||
      !memlift_populate_write((unsigned char *)piece->destination + slot->done, rest) ||
      (piece->operation == MEMLIFT_OPERATION_COPY &&
       !memlift_populate_read((const unsigned char *)piece->source + slot->done, rest)))
    return 0;
  size_t done = slot->done;
  unsigned resumes = slot->resumes;
  retire(ticket);
  build(dsa.single, piece, done, dsa.records[ticket]);
  if (post(dsa.single) != DSA_TAKEN) {
    dsa.slots[ticket].used = 1; /* for the caller to retire */
    dsa.slots[ticket].batch = NO_BATCH;
    dsa.in_queue++;
    return 0;
  }
  use_slot(ticket, NO_BATCH);
  dsa.slots[ticket].done = done;
  dsa.slots[ticket].resumes = resumes;
  return 1;
}

/* Decides on a descriptor whose own record is empty: its batch's record tells whether it will be
 * written. Acquire: pairs with the device's writes, whose last one of a record is its status. */
static memlift_status pending(unsigned ticket) {
  unsigned b = dsa.slots[ticket].batch;
  if (b == NO_BATCH ||
      __atomic_load_n(dsa.batch_records[b], __ATOMIC_ACQUIRE) == MEMLIFT_DSA_COMP_STATUS_NONE)
    return MEMLIFT_PENDING;
  /* The batch has ended: its descriptors' records were written before. */
  memlift_barrier_from_device();
  if (__atomic_load_n(dsa.records[ticket], __ATOMIC_ACQUIRE) != MEMLIFT_DSA_COMP_STATUS_NONE)
    return MEMLIFT_PENDING; /* written meanwhile: it is looked at next */
  retire(ticket);
  return MEMLIFT_BAD_COMMAND;
}

static memlift_status poll(memlift_ticket ticket, const struct memlift_request *piece,
                           size_t *done) {
  const unsigned char *record = dsa.records[ticket];
  struct slot *slot = &dsa.slots[ticket];
  *done = 0;
  if (!slot->used) /* given up by an abort */
    return MEMLIFT_PENDING;
  /* Acquire: the device writes the status after all else of the record. */
  uint8_t status = __atomic_load_n(record, __ATOMIC_ACQUIRE);
  *done = slot->done;
  if (status == MEMLIFT_DSA_COMP_STATUS_NONE)
    return pending(ticket);
  memlift_barrier_from_device(); /* the record and the bytes are read after the status */
  if (status == MEMLIFT_DSA_COMP_STATUS_OK) {
    *done = piece->size;
    retire(ticket);
    return MEMLIFT_OK;
  }
  if ((status & DSA_STATUS_MASK) == MEMLIFT_DSA_COMP_STATUS_PAGE_FAULT) {
    uint64_t bytes = MEMLIFT_GET(record, DSA_COMP, BYTES);
    if (bytes <= piece->size - slot->done) {
      slot->done += (size_t)bytes;
      *done = slot->done;
      if (resume(ticket, piece))
        return MEMLIFT_PENDING;
    }
    retire(ticket);
    return MEMLIFT_FAULT;
  }
  retire(ticket);
  return MEMLIFT_BAD_COMMAND;
}

static void wait(memlift_ticket ticket, const struct memlift_request *piece, uint64_t nanoseconds) {
  (void)piece;
  dsa.transport->pause(dsa.records[ticket], nanoseconds);
}

/* In a child, where a handler's fork has left us, there is nothing to open. */
static void abort_all(void) {
  dsa.transport->close();
  forget_all();
  if (!memlift_session_is_mine(&memlift_engine_dsa))
    session.started = 0;
  else if (dsa.gone || dsa.transport->open(&dsa.limits) != MEMLIFT_OK)
    memlift_session_lose(&memlift_engine_dsa);
}

static uint64_t sizes[MEMLIFT_SIZE_CLASSES];

static uint64_t now(void) { return dsa.transport->now(); }

/* min_bytes: ours, until it is measured; what peers use for copies that are waited for is 16 KiB to
 * 64 KiB on the first of these machines. units: engines of a group as Intel's examples set them up.
 * timeout_ns: ours; a descriptor of 2 MiB takes 100 us. */
const struct memlift_engine memlift_engine_dsa = {
    .name = "dsa",
    .sizes = sizes,
    .alignment = 1,
    .granule = MEMLIFT_DSA_GRANULE,
    .min_bytes = MEMLIFT_DSA_MIN_BYTES,
    .max_bytes = MEMLIFT_DSA_MAX_BYTES,
    .in_flight = MEMLIFT_DSA_IN_FLIGHT,
    .units = 4,
    .min_batch = (size_t)64 << 10,
    .timeout_ns = 500000000u,
    .shares = 1,
    .probe = probe,
    .session = &session,
    .open = open_device,
    .close = close_device,
    .is_usable = is_usable,
    .longest = longest,
    .submit = submit,
    .poll = poll,
    .wait = wait,
    .abort = abort_all,
    .now = now,
};
#else
typedef int memlift_no_engines; /* a translation unit must not be empty */
#endif
