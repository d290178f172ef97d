/* soft.c - client of the soft device: builds commands, rings, reads completion records
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The device's thread does not exist in a child after fork; a child after vfork shares our memory
 * and must not disturb the parent: session.h. A handler may fork in the middle of one of these
 * functions: then the child comes to its end on a copy of what they share with the device, and gets
 * no answer.
 */
#define _GNU_SOURCE
#include "../../config.h"

#if MEMLIFT_HAVE_ENGINES
#include "../../queue/barriers.h"
#include "../../queue/ring.h"
#include "../masked_thread.h"
#include "../remote.h"
#include "../session.h"
#include "soft.h"

#include <sys/mman.h>

#define DEPTH (2 * MEMLIFT_SOFT_IN_FLIGHT) /* commands in the ring: a power of two */

#define LARGEST_PAGE 65536

/* Everything that client and device share, in memory of its own, which stays once it is there: a
 * thread may be in wait() at any time. Of the first page a child gets zeros. */
struct shared {
  union {
    int running;
    unsigned char page[LARGEST_PAGE];
  } here;
  struct memlift_slot slots[DEPTH];
  unsigned char completions[DEPTH][MEMLIFT_SOFT_COMP_SIZE]
      __attribute__((aligned(MEMLIFT_SOFT_COMP_ALIGN)));
  struct soft_registers registers;
  struct memlift_ring ring;
  struct soft_device device;
  pthread_t thread;
};

static struct shared *shared; /* only touched with the engine acquired */
static struct memlift_session session;
static struct soft_faults faults_to_inject;

void memlift_soft_inject(const struct soft_faults *faults) {
  static const struct soft_faults none;
  faults_to_inject = faults ? *faults : none;
}

static memlift_status probe(const char **reason) {
  return memlift_remote_is_available(reason) ? MEMLIFT_OK : MEMLIFT_NOT_PRESENT;
}

static void *device_thread(void *state) {
  memlift_soft_run((struct soft_device *)state);
  return NULL;
}

static struct shared *new_shared(void) {
  void *memory =
      mmap(NULL, sizeof(struct shared), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    return NULL;
#if defined(MADV_WIPEONFORK)
  /* A child whose process number happens to be ours (another PID namespace) finds no device. */
  madvise(memory, LARGEST_PAGE, MADV_WIPEONFORK);
#endif
  struct shared *s = (struct shared *)memory;
  s->ring.slots = s->slots;
  s->ring.depth = DEPTH;
  s->ring.doorbell = &s->registers.doorbell;
  s->ring.returned = &s->registers.returned;
  s->device.registers = &s->registers;
  s->device.slots = s->slots;
  s->device.depth = DEPTH;
  s->device.completions = s->completions[0];
  s->device.completions_size = sizeof s->completions;
  return s;
}

/* The device of before, if there was one, has ended, and has taken all that it was given. */
static int begin_thread(struct shared *s) {
  s->device.faults = faults_to_inject;
  s->device.commands = 0;
  __atomic_store_n(&s->registers.stop, 0, __ATOMIC_RELAXED);
  memlift_ring_return(&s->registers.returned, s->device.taken);
  s->here.running = memlift_masked_thread_create(&s->thread, device_thread, &s->device) == 0;
  return s->here.running;
}

/* The parent's device does not exist here. */
static void forget(void) { shared = NULL; }

static memlift_status open_device(void) {
  shared = shared ? shared : new_shared();
  return shared && begin_thread(shared) ? MEMLIFT_OK : MEMLIFT_NO_RESOURCES;
}

static int is_usable(void) { return shared->here.running; }

static void close_device(void) {
  if (!is_usable()) /* wiped by a fork */
    return;
  /* Release: pairs with the device's acquire in memlift_soft_run. */
  __atomic_store_n(&shared->registers.stop, 1, __ATOMIC_RELEASE);
  memlift_event_notify(&shared->registers.bell);
  memlift_masked_thread_join(shared->thread);
  shared->here.running = 0;
}

/* The doorbell path. */
static unsigned submit(const struct memlift_request *piece, unsigned count, memlift_ticket *ticket,
                       memlift_status *status) {
  struct shared *s = shared;
  struct memlift_slot *slot = memlift_ring_reserve(&s->ring);
  (void)count; /* one */
  *status = slot ? MEMLIFT_OK : MEMLIFT_BUSY;
  if (!slot)
    return 0;
  int fill = piece->operation == MEMLIFT_OPERATION_FILL;
  uint32_t sequence = s->ring.produced + 1;
  unsigned char *record = s->completions[sequence % DEPTH], *bytes = slot->bytes;
  /* The record is ours until the doorbell: pending, before the device can write it. */
  __atomic_store_n(record, MEMLIFT_SOFT_COMP_STATUS_PENDING, __ATOMIC_RELAXED);
  SOFT_PUT(bytes, SOFT_CMD, SEQUENCE, sequence);
  SOFT_PUT(bytes, SOFT_CMD, DESTINATION, (uintptr_t)piece->destination);
  SOFT_PUT(bytes, SOFT_CMD, SOURCE, fill ? soft_pattern(piece->pattern) : (uintptr_t)piece->source);
  SOFT_PUT(bytes, SOFT_CMD, LENGTH, piece->size);
  SOFT_PUT(bytes, SOFT_CMD, COMPLETION, (uintptr_t)record);
  SOFT_PUT(bytes, SOFT_CMD, RESERVED1, 0);
  SOFT_PUT(bytes, SOFT_CMD, RESERVED2, 0);
  SOFT_PUT(bytes, SOFT_CMD, RESERVED3, 0);
  memlift_ring_publish(&s->ring,
                       soft_header(fill ? MEMLIFT_SOFT_CMD_OP_FILL : MEMLIFT_SOFT_CMD_OP_COPY));
  memlift_event_notify(&s->registers.bell);
  *ticket = sequence;
  return 1;
}

/* A record under another number is an old one that comes late: ours is still pending. */
static int is_pending(memlift_ticket ticket, uint8_t *status) {
  uint32_t sequence;
  *status = soft_head_load(shared->completions[ticket % DEPTH], &sequence);
  return *status == MEMLIFT_SOFT_COMP_STATUS_PENDING || sequence != ticket;
}

static memlift_status poll(memlift_ticket ticket, const struct memlift_request *piece,
                           size_t *done) {
  const unsigned char *record = shared->completions[ticket % DEPTH];
  uint8_t status;
  *done = 0;
  if (is_pending(ticket, &status))
    return MEMLIFT_PENDING;
  memlift_barrier_from_device(); /* the record's body and the data are read after its status */
  uint64_t bytes = SOFT_GET(record, SOFT_COMP, BYTES);
  if (status == MEMLIFT_SOFT_COMP_STATUS_BAD_COMMAND)
    return MEMLIFT_BAD_COMMAND;
  if (bytes > piece->size ||
      (status != MEMLIFT_SOFT_COMP_STATUS_OK && status != MEMLIFT_SOFT_COMP_STATUS_FAULT))
    return MEMLIFT_PROTOCOL;
  *done = (size_t)bytes;
  return status == MEMLIFT_SOFT_COMP_STATUS_OK && bytes == piece->size ? MEMLIFT_OK : MEMLIFT_FAULT;
}

static void wait(memlift_ticket ticket, const struct memlift_request *piece, uint64_t nanoseconds) {
  uint8_t status;
  uint32_t seen = memlift_event_read(&shared->registers.completed);
  (void)piece;
  if (is_pending(ticket, &status)) /* the body is for who collects it */
    memlift_event_wait(&shared->registers.completed, seen, nanoseconds);
}

/* However long it takes: a device that might still write leaves us nothing else to do. Ours
 * always answers, between two bursts, but in a child it is not there. */
static void abort_all(void) {
  struct soft_registers *registers = &shared->registers;
  uint32_t request = registers->abort + 1;
  /* Release: the device sees all commands that the abort is for (abort_requested). */
  __atomic_store_n(&registers->abort, request, __ATOMIC_RELEASE);
  memlift_event_notify(&registers->bell);
  while (shared->here.running) {
    uint32_t seen = memlift_event_read(&registers->completed);
    /* Acquire: the device's writes are done before the CPU writes the same bytes. */
    if (__atomic_load_n(&registers->aborted, __ATOMIC_ACQUIRE) == request)
      return;
    memlift_event_wait(&registers->completed, seen, 1000000);
  }
}

static uint64_t sizes[MEMLIFT_SIZE_CLASSES];

/* min_bytes: ours, where handing over two context switches' worth of work stops to hurt; max_bytes:
 * small enough that one window spreads over several pieces. */
const struct memlift_engine memlift_engine_soft = {
    .name = "soft",
    .sizes = sizes,
    .alignment = 1,
    .min_bytes = MEMLIFT_SOFT_MIN_BYTES,
    .max_bytes = MEMLIFT_SOFT_MAX_BYTES,
    .in_flight = MEMLIFT_SOFT_IN_FLIGHT,
    .timeout_ns = 2000000000u,
    .probe = probe,
    .session = &session,
    .open = open_device,
    .close = close_device,
    .forget = forget,
    .is_usable = is_usable,
    .submit = submit,
    .poll = poll,
    .wait = wait,
    .abort = abort_all,
};
#else
typedef int memlift_no_engines; /* a translation unit must not be empty */
#endif
