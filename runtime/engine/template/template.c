/* template.c - copies and fills on the template device: jobs, a doorbell, completion records
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A ticket is the tag of a job, which is in place tag % 16; a tag is used once in 2^32. Any thread
 * of the process may use the engine, one at a time.
 */
#define _GNU_SOURCE
#include "../../config.h"

#if MEMLIFT_HAVE_ENGINES
#include "../../queue/backoff.h"
#include "../session.h"
#include "template_transport.h"

/* Memory shared with the device, and the engine's knowledge of it. */
static struct template_state {
  unsigned char jobs[TEMPLATE_PLACES][TEMPLATE_JOB] __attribute__((aligned(64)));
  unsigned char records[TEMPLATE_PLACES][TEMPLATE_RECORD] __attribute__((aligned(64)));
  unsigned char live[TEMPLATE_PLACES]; /* under way */
  uint32_t tag;                        /* last one given out */
  const struct template_transport *transport;
  int gone;
} device;

static struct memlift_session session;
static const struct template_transport *chosen;

void memlift_template_use(const struct template_transport *transport) { chosen = transport; }

/* ---- Starting and stopping ----------------------------------------------------------------- */

static memlift_status probe(const char **reason) {
  *reason = "this device is made up: there is a model of it, in tests";
  return chosen ? chosen->probe(reason) : MEMLIFT_NOT_PRESENT;
}

static memlift_status open_device(void) {
  memlift_status status = chosen ? chosen->open() : MEMLIFT_NOT_PRESENT;
  if (status != MEMLIFT_OK)
    return status;
  device.transport = chosen;
  for (unsigned i = 0; i < TEMPLATE_PLACES; i++)
    device.live[i] = 0;
  device.transport->write(MEMLIFT_TEMPLATE_REG_JOBS_OFFSET, (uintptr_t)device.jobs);
  device.transport->write(MEMLIFT_TEMPLATE_REG_RECORDS_OFFSET, (uintptr_t)device.records);
  device.gone = 0;
  return MEMLIFT_OK;
}

/* A device that is gone as well: what was opened is closed. */
static void close_device(void) { device.transport->close(); }

static int is_usable(void) { return !device.gone; }

/* ---- Submitting ---------------------------------------------------------------------------- */

/* Returns OK when the device would take a job, else BUSY or NOT_PRESENT. */
static memlift_status ask_for_free_place(void) {
  uint32_t places = device.transport->read(MEMLIFT_TEMPLATE_REG_ROOM_OFFSET);
  device.gone |= places == MEMLIFT_TEMPLATE_REG_GONE;
  return device.gone ? MEMLIFT_NOT_PRESENT : places ? MEMLIFT_OK : MEMLIFT_BUSY;
}

/* The doorbell path. */
static void ring(unsigned place, const struct memlift_request *piece) {
  unsigned char *record = device.records[place];
  /* The record is ours until the doorbell: none, before the device can write it. */
  __atomic_store_n(record, MEMLIFT_TEMPLATE_DONE_STATUS_NONE, __ATOMIC_RELAXED);
  memlift_template_put_job(device.jobs[place], piece, device.tag);
  memlift_barrier_to_device(); /* job, record and operands are there before the device looks */
  device.transport->write(MEMLIFT_TEMPLATE_REG_DOORBELL_OFFSET, place);
}

static unsigned submit(const struct memlift_request *piece, unsigned count, memlift_ticket *ticket,
                       memlift_status *status) {
  unsigned tries = 0;
  (void)count; /* one: an engine without units */
  while (tries++ < TEMPLATE_PLACES && device.live[++device.tag % TEMPLATE_PLACES])
    continue; /* jobs end in any order */
  unsigned place = device.tag % TEMPLATE_PLACES;
  *status = device.live[place] ? MEMLIFT_BUSY : ask_for_free_place();
  if (*status != MEMLIFT_OK)
    return 0;
  ring(place, piece);
  device.live[place] = 1;
  *ticket = device.tag;
  return 1;
}

/* ---- Completion ---------------------------------------------------------------------------- */

/* Acquire: the device writes the status after all else of the record. */
static uint8_t status_of(memlift_ticket ticket) {
  return __atomic_load_n(device.records[ticket % TEMPLATE_PLACES], __ATOMIC_ACQUIRE);
}

/* Interprets a completion record for a piece. A record that makes no sense is not believed. */
static memlift_status meaning(uint8_t status, uint64_t bytes, const struct memlift_request *piece,
                              size_t *done) {
  if (status == MEMLIFT_TEMPLATE_DONE_STATUS_REFUSED)
    return MEMLIFT_BAD_COMMAND;
  if (status == MEMLIFT_TEMPLATE_DONE_STATUS_OK && bytes == piece->size) {
    *done = piece->size;
    return MEMLIFT_OK;
  }
  if (status != MEMLIFT_TEMPLATE_DONE_STATUS_FAULT || bytes > piece->size)
    return MEMLIFT_PROTOCOL;
  *done = (size_t)bytes;
  return MEMLIFT_FAULT;
}

static memlift_status poll(memlift_ticket ticket, const struct memlift_request *piece,
                           size_t *done) {
  unsigned place = ticket % TEMPLATE_PLACES;
  const unsigned char *record = device.records[place];
  uint8_t status = status_of(ticket);
  *done = 0;
  if (!device.live[place] || status == MEMLIFT_TEMPLATE_DONE_STATUS_NONE)
    return MEMLIFT_PENDING;      /* given up by an abort, or not finished */
  memlift_barrier_from_device(); /* the record's body and the bytes are read after its status */
  if (MEMLIFT_GET(record, TEMPLATE_DONE, TAG) != ticket)
    return MEMLIFT_PENDING; /* another job's: ours may still write */
  device.live[place] = 0;
  return meaning(status, MEMLIFT_GET(record, TEMPLATE_DONE, BYTES), piece, done);
}

/* Another thread may submit meanwhile: only the status is looked at. */
static void wait(memlift_ticket ticket, const struct memlift_request *piece, uint64_t nanoseconds) {
  uint64_t begin = device.transport->now();
  struct memlift_backoff gaps = {0, 0};
  (void)piece;
  while (status_of(ticket) == MEMLIFT_TEMPLATE_DONE_STATUS_NONE &&
         device.transport->now() - begin < nanoseconds)
    memlift_back_off(&gaps);
}

/* However long it takes: a device that might still write leaves us nothing else to do. One that is
 * gone writes nothing. */
static void abort_all(void) {
  uint32_t stopping = 1;
  struct memlift_backoff gaps = {0, 0};
  device.transport->write(MEMLIFT_TEMPLATE_REG_STOP_OFFSET, 1);
  while (stopping && stopping != MEMLIFT_TEMPLATE_REG_GONE) {
    memlift_back_off(&gaps);
    stopping = device.transport->read(MEMLIFT_TEMPLATE_REG_STOP_OFFSET);
  }
  device.gone |= stopping == MEMLIFT_TEMPLATE_REG_GONE;
  for (unsigned i = 0; i < TEMPLATE_PLACES; i++)
    device.live[i] = 0;
}

static uint64_t now(void) { return device.transport->now(); }

static uint64_t sizes[MEMLIFT_SIZE_CLASSES];

/* granule: a line of the cache, so that no line is part of a job and part of something else; a
 * multiple of 8, so that fills keep their phase. min_bytes and timeout_ns: made up; a real engine's
 * are measured. */
const struct memlift_engine memlift_engine_template = {
    .name = "template",
    .sizes = sizes,
    .alignment = 1,
    .granule = 64,
    .min_bytes = (size_t)64 << 10,
    .max_bytes = TEMPLATE_MAX_BYTES,
    .in_flight = TEMPLATE_PLACES,
    .timeout_ns = 100000000u,
    .probe = probe,
    .session = &session,
    .open = open_device,
    .close = close_device,
    .is_usable = is_usable,
    .submit = submit,
    .poll = poll,
    .wait = wait,
    .abort = abort_all,
    .now = now,
};
#else
typedef int memlift_no_engines; /* a translation unit must not be empty */
#endif
