/* dax.c - copies and fills on a SPARC DAX: builds blocks, submits, reads completion areas
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Linux gives each open device to the thread that opened it, so the thread that starts the engine
 * is the one that uses it; all others go to the CPU. They may look at completion areas and close,
 * nothing else: who gives up on the owner's blocks closes the device, which waits for them, and the
 * owner opens it again; what is pinned when another thread lets go is unpinned by the owner. A
 * ticket is the number of a completion area.
 *
 * What cannot be known of memory from here is the size of its pages, which no block may cross. The
 * hypervisor knows, and stops a block at the end of a page. So blocks are cut as if pages were as
 * large as they can be, and the first page overflow makes them small: an operation is then too many
 * small blocks to be worth while, and stays on the CPU.
 */
#define _GNU_SOURCE
#include "../../config.h"

#if MEMLIFT_HAVE_ENGINES
#include "../../queue/barriers.h"
#include "../session.h"
#include "dax.h"
#include "dax_ccb.h"

/* Tries of a submission for which there is no room and none will come of itself, 20 us apart. */
#define TRIES 5
#define TRY_NS 20000u

/* Between two questions about a block that is to be killed. */
#define ASK_NS 100000u

/* Everything that belongs to one start. In memory of the library: a block is built where it stays,
 * aligned to the length of the largest submission. */
struct dax_state {
  unsigned char blocks[16][DAX_BLOCK] __attribute__((aligned(1024)));
  struct dax_fill_input input;
  const struct dax_transport *transport;
  size_t pages;
  uint64_t pattern; /* what input.elements holds */
  unsigned next_area;
  unsigned live_count;
  unsigned char live[DAX_COMPLETION_AREAS]; /* submitted, not seen to have ended */
  uint32_t elements[DAX_COMPLETION_AREAS];  /* that the block has to process; 0: not told */
  int gone;                                 /* a submission was told so */
  int closed; /* by a thread that is not its owner, who is to open it again */
  int pinned; /* blocks have completed whose memory is still to be unpinned */
};

static struct dax_state dax;
static struct memlift_session session;
static const struct dax_transport *chosen;

void memlift_dax_use(const struct dax_transport *transport) { chosen = transport; }

void memlift_dax_assume_pages(size_t bytes) { dax.pages = bytes; }
size_t memlift_dax_assumed_pages(void) { return dax.pages; }

static const struct dax_transport *transport_to_use(void) {
  return chosen ? chosen : &memlift_dax_linux;
}

/* ---- Starting and stopping ----------------------------------------------------------------- */

static memlift_status probe(const char **reason) { return transport_to_use()->probe(reason); }

static memlift_status open_device(void) {
  dax.transport = transport_to_use();
  dax.pages = DAX_LARGEST_PAGE;
  dax.pattern = 0, dax.next_area = 0, dax.live_count = 0;
  for (unsigned i = 0; i < DAX_COMPLETION_AREAS; i++)
    dax.live[i] = 0;
  memlift_dax_prepare_runs(&dax.input);
  memlift_dax_prepare_pattern(&dax.input, 0);
  dax.gone = dax.closed = dax.pinned = 0;
  return dax.transport->open();
}

static void close_device(void) { dax.transport->close(); }

/* 15 blocks of the smallest pages are fewer bytes than a submission is worth. */
static int is_callers(void) {
  return session.started && dax.pages > DAX_BASE_PAGE && dax.transport->mine();
}

/* Makes good what another thread had to leave; 0: the device has gone, or does not open any
 * more. */
static int take_over(void) {
  if (dax.gone || (dax.closed && dax.transport->open() != MEMLIFT_OK)) {
    memlift_session_lose(&memlift_engine_dax);
    return 0;
  }
  if (dax.pinned && !dax.closed)
    dax.transport->dequeue();
  dax.closed = dax.pinned = 0;
  return 1;
}

static int is_usable(void) { return is_callers() && take_over(); }

/* ---- Submitting ---------------------------------------------------------------------------- */

static size_t to_page_end(uint64_t address) {
  return dax.pages - (size_t)(address & (dax.pages - 1));
}

/* Where the page of the destination ends, and that of the source. */
static size_t longest(const struct memlift_request *rest) {
  size_t size = to_page_end((uintptr_t)rest->destination);
  if (rest->operation == MEMLIFT_OPERATION_FILL)
    return size < DAX_MAX_FILL ? size : DAX_MAX_FILL;
  size_t source = to_page_end((uintptr_t)rest->source);
  size = source < size ? source : size;
  if (size > (size_t)DAX_MAX_LENGTH * DAX_ELEMENT)
    size = (size_t)DAX_MAX_LENGTH * DAX_ELEMENT;
  /* A source at no multiple of 64 meets the end of its page within a granule: 0, the CPU does that.
   * */
  return size & ~(size_t)(DAX_OUTPUT_GRANULE - 1);
}

static void build(unsigned char *block, const struct memlift_request *piece) {
  uint64_t destination = (uintptr_t)piece->destination;
  if (piece->operation == MEMLIFT_OPERATION_COPY)
    memlift_dax_put_copy(block, destination, (uintptr_t)piece->source, piece->size);
  else if (piece->pattern == 0)
    memlift_dax_put_zeros(block, destination, &dax.input, piece->size);
  else
    memlift_dax_put_pattern(block, destination, &dax.input, piece->size);
}

/* Elements that a block has to say it has processed. With runs the documents do not say what is
 * counted. */
static uint32_t elements_of(const struct memlift_request *piece) {
  return piece->operation == MEMLIFT_OPERATION_COPY || piece->pattern == 0
             ? (uint32_t)(piece->size / DAX_ELEMENT)
             : 0;
}

/* So many areas in a row that are free, all of one open device: the first of them, or
 * DAX_COMPLETION_AREAS. Rows start at multiples of 15 of a device, so that one that is free again
 * is as long as the one before; the last eight areas of a device are for short ones. */
static unsigned free_areas(unsigned count) {
  for (unsigned tries = 0; tries < DAX_COMPLETION_AREAS; tries++) {
    unsigned first = (dax.next_area + tries) % DAX_COMPLETION_AREAS;
    unsigned in_device = first % DAX_AREAS_OF_ONE, free = 0;
    if (in_device % DAX_MAX_BLOCKS || in_device + count > DAX_AREAS_OF_ONE)
      continue;
    while (free < count && !dax.live[first + free])
      free++;
    if (free == count)
      return first;
  }
  return DAX_COMPLETION_AREAS;
}

/* The device reads the elements while a block runs: another pattern has to wait. */
static int pattern_is_set(const struct memlift_request *piece) {
  if (piece->operation == MEMLIFT_OPERATION_COPY || piece->pattern == 0 ||
      piece->pattern == dax.pattern)
    return 1;
  if (dax.live_count)
    return 0;
  dax.pattern = piece->pattern;
  memlift_dax_prepare_pattern(&dax.input, piece->pattern);
  return 1;
}

/* Translates the reason for which a submission was not taken whole. */
static memlift_status meaning_of(uint32_t why) {
  switch (why) {
  case MEMLIFT_DAX_EXEC_OK:
  case MEMLIFT_DAX_EXEC_RETRY:
  case MEMLIFT_DAX_EXEC_WOULD_BLOCK:
  case MEMLIFT_DAX_EXEC_BUSY:
  case MEMLIFT_DAX_EXEC_NO_COMPLETION_AREA: return MEMLIFT_BUSY;
  case MEMLIFT_DAX_EXEC_NO_MAPPING: /* may come any number of times: the CPU touches it */
  case MEMLIFT_DAX_EXEC_NO_ACCESS:
  case MEMLIFT_DAX_EXEC_NO_ARRAY: return MEMLIFT_FAULT;
  case MEMLIFT_DAX_EXEC_WRONG_THREAD:
  case DAX_GONE: return MEMLIFT_NOT_PRESENT;
  default: return MEMLIFT_BAD_COMMAND;
  }
}

static void note_accepted(const struct memlift_request *pieces, unsigned count, unsigned area,
                          memlift_ticket *tickets) {
  for (unsigned i = 0; i < count; i++) {
    tickets[i] = area + i;
    dax.live[area + i] = 1;
    dax.elements[area + i] = elements_of(&pieces[i]);
  }
  dax.live_count += count;
  if (count)
    dax.next_area = (area + DAX_MAX_BLOCKS) % DAX_COMPLETION_AREAS;
}

/* Submits a batch: the doorbell path. A busy device is tried again only while nothing is in flight:
 * then no completion will come that frees a slot. */
static unsigned submit(const struct memlift_request *pieces, unsigned count,
                       memlift_ticket *tickets, memlift_status *status) {
  unsigned area = free_areas(count), accepted = 0;
  uint32_t why = MEMLIFT_DAX_EXEC_OK;
  *status = MEMLIFT_BUSY;
  if (area == DAX_COMPLETION_AREAS || !pattern_is_set(&pieces[0]))
    return 0;
  for (unsigned i = 0; i < count; i++)
    build(dax.blocks[i], &pieces[i]);
  memlift_barrier_to_device(); /* the blocks are written before they are read */
  for (unsigned tries = 0; tries < TRIES; tries++) {
    accepted = dax.transport->submit(dax.blocks[0], count, area, &why);
    if (accepted || meaning_of(why) != MEMLIFT_BUSY || dax.live_count)
      break;
    dax.transport->rest(TRY_NS);
  }
  *status = accepted == count ? MEMLIFT_OK : meaning_of(why);
  dax.gone |= *status == MEMLIFT_NOT_PRESENT;
  note_accepted(pieces, accepted, area, tickets);
  return accepted;
}

/* ---- Completion ---------------------------------------------------------------------------- */

static void retire(unsigned area) {
  dax.live_count -= dax.live[area];
  dax.live[area] = 0;
}

/* Success is believed only if the block has processed what it was given. After any other end the
 * destination may hold anything. */
static memlift_status poll(memlift_ticket area, const struct memlift_request *piece, size_t *done) {
  const unsigned char *record = dax.transport->areas();
  *done = 0;
  if (!record) /* closed by an abort: given up, or gone */
    return dax.closed ? MEMLIFT_PENDING : MEMLIFT_NOT_PRESENT;
  record += area * MEMLIFT_DAX_CA_SIZE;
  /* Acquire: the device writes the status after all else of the completion area. */
  uint8_t status = __atomic_load_n(record, __ATOMIC_ACQUIRE);
  if (status == MEMLIFT_DAX_CA_STATUS_PENDING)
    return MEMLIFT_PENDING;
  memlift_barrier_from_device(); /* the record and the bytes are read after the status */
  retire(area);
  switch (status) {
  case MEMLIFT_DAX_CA_STATUS_OK:
    if (dax.elements[area] && MEMLIFT_GET(record, DAX_CA, ELEMENTS) != dax.elements[area])
      return MEMLIFT_PROTOCOL;
    *done = piece->size;
    return MEMLIFT_OK;
  case MEMLIFT_DAX_CA_STATUS_FAILED:
    if (MEMLIFT_GET(record, DAX_CA, ERROR) == MEMLIFT_DAX_CA_ERROR_PAGE)
      dax.pages = DAX_BASE_PAGE;
    return MEMLIFT_FAULT;
  case MEMLIFT_DAX_CA_STATUS_KILLED: return MEMLIFT_TIMED_OUT;
  case MEMLIFT_DAX_CA_STATUS_NOT_RUN: return MEMLIFT_BAD_COMMAND;
  default: return MEMLIFT_PROTOCOL;
  }
}

static void wait(memlift_ticket area, const struct memlift_request *piece, uint64_t nanoseconds) {
  (void)piece;
  dax.transport->pause(area, nanoseconds);
}

/* A block that is queued or runs is not lost: the machine is used by others too. */
static int is_coming(memlift_ticket area) {
  uint32_t state;
  return dax.transport->info(area, &state) == DAX_ANSWERED &&
         (state == MEMLIFT_DAX_INFO_QUEUED || state == MEMLIFT_DAX_INFO_RUNNING);
}

/* Each block is killed: one that info does not find may run all the same, on machines that do not
 * tell. However long it takes: a block that might still write leaves us nothing else to do. */
static enum dax_answer kill_all(void) {
  for (unsigned area = 0; area < DAX_COMPLETION_AREAS; area++) {
    uint32_t action;
    enum dax_answer answer = DAX_ANSWERED;
    while (dax.live[area] && (answer = dax.transport->kill(area, &action)) == DAX_ASK_AGAIN)
      dax.transport->rest(ASK_NS);
    if (answer != DAX_ANSWERED)
      return answer;
  }
  return DAX_ANSWERED;
}

/* A device that has gone, or that answers only its owner, is closed: the driver comes back from
 * that when nothing of it is under way any more. */
static void abort_all(void) {
  enum dax_answer answer = dax.transport->mine() ? kill_all() : DAX_NOT_YOURS;
  if (answer == DAX_NOT_YOURS) {
    dax.transport->close();
    dax.closed = 1;
  } else if (answer != DAX_ANSWERED) {
    memlift_session_lose(&memlift_engine_dax);
  }
  for (unsigned area = 0; area < DAX_COMPLETION_AREAS; area++)
    retire(area);
}

static uint64_t now(void) { return dax.transport->now(); }

static void unpin(void) {
  dax.pinned = session.started && !dax.closed && !dax.transport->mine();
  if (session.started && !dax.closed && !dax.pinned)
    dax.transport->dequeue();
}

static uint64_t sizes[MEMLIFT_SIZE_CLASSES];

/* min_bytes: where the memset talk's machines begin to gain; MEMLIFT_LIMITS may say otherwise.
 * granule and in_flight: dax_spec.h. min_batch: eight units are given their next one, at 0.75 us
 * each, before the first has done its last at 8.7 GB/s, twice over. timeout_ns: ours, a thousand
 * times what the longest block takes at the T7's 8.7 GB/s a unit. */
_Static_assert(MEMLIFT_DAX_GRANULE == DAX_OUTPUT_GRANULE &&
                   MEMLIFT_DAX_MAX_BYTES == DAX_MAX_LENGTH * DAX_ELEMENT &&
                   MEMLIFT_DAX_IN_FLIGHT == DAX_COMPLETION_AREAS,
               "the record of intrinsics/Engines.td differs from the device");

const struct memlift_engine memlift_engine_dax = {
    .name = "dax",
    .sizes = sizes,
    .alignment = 1,
    .granule = MEMLIFT_DAX_GRANULE,
    .min_bytes = MEMLIFT_DAX_MIN_BYTES,
    .max_bytes = MEMLIFT_DAX_MAX_BYTES,
    .in_flight = MEMLIFT_DAX_IN_FLIGHT,
    .units = 8,
    .min_batch = (size_t)128 << 10,
    .timeout_ns = 500000000u,
    .pins = 1,
    .one_thread = 1,
    .shares = 1,
    .probe = probe,
    .session = &session,
    .open = open_device,
    .close = close_device,
    .is_usable = is_usable,
    .is_callers = is_callers,
    .before_release = unpin,
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
