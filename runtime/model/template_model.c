/* template_model.c - the template device in software
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "../config.h"

#if MEMLIFT_HAVE_ENGINES
#include "memory.h"
#include "template_model.h"

struct template_model *memlift_template_model;

void memlift_template_model_reset(struct template_model *m, uint64_t seed) {
  static const struct template_model none;
  *m = none;
  m->seed = seed;
  m->ask_ns = 1000, m->speed = 4000, m->jitter_ns = 300000;
}

/* ---- One job -------------------------------------------------------------------------------- */

#define GET(job, field) MEMLIFT_GET(job, TEMPLATE_JOB, field)

static int makes_sense(const unsigned char *job) {
  uint64_t opcode = GET(job, OPCODE), size = GET(job, LENGTH);
  uint64_t to = GET(job, DESTINATION), from = GET(job, SOURCE);
  if (size == 0 || size > TEMPLATE_MAX_BYTES)
    return 0;
  if (opcode == MEMLIFT_TEMPLATE_JOB_OP_COPY)
    return from + size <= to || to + size <= from;
  return opcode == MEMLIFT_TEMPLATE_JOB_OP_FILL;
}

/* Moves bytes [from, to) of a job; returns how far it came. */
static uint64_t move(const unsigned char *job, uint64_t from, uint64_t to, int nonsense) {
  int copy = !nonsense && GET(job, OPCODE) == MEMLIFT_TEMPLATE_JOB_OP_COPY;
  uint64_t pattern = nonsense ? UINT64_C(0x5a5a5a5a5a5a5a5a) : GET(job, PATTERN);
  unsigned char bytes[4096];
  while (from < to) {
    size_t part = to - from < sizeof bytes ? (size_t)(to - from) : sizeof bytes;
    for (size_t i = 0; !copy && i < part; i++)
      bytes[i] = (unsigned char)(pattern >> 8 * ((from + i) % 8));
    if (copy)
      part = memlift_model_read(bytes, GET(job, SOURCE) + from, part);
    size_t moved = memlift_model_write(GET(job, DESTINATION) + from, bytes, part);
    from += moved;
    if (!part || moved != part)
      break;
  }
  return from;
}

/* Writes the record, its status last. */
static void complete(struct template_model *m, unsigned place, uint64_t tag, uint32_t status,
                     uint64_t bytes) {
  uint64_t address = m->records_at + place * TEMPLATE_RECORD;
  unsigned char record[TEMPLATE_RECORD];
  memlift_record_clear(record, TEMPLATE_RECORD);
  MEMLIFT_PUT(record, TEMPLATE_DONE, TAG, tag);
  MEMLIFT_PUT(record, TEMPLATE_DONE, BYTES, bytes);
  if (memlift_model_write(address + 1, record + 1, TEMPLATE_RECORD - 1) != TEMPLATE_RECORD - 1)
    return;
  /* Release: who sees the status sees the rest, and the bytes. */
  __atomic_store_n((unsigned char *)(uintptr_t)address, (unsigned char)status, __ATOMIC_RELEASE);
}

/* A job that works, or faults where it or an address says. */
static void carry_out(struct template_model *m, unsigned place) {
  const struct template_pending *p = &m->pending[place];
  uint64_t size = GET(p->job, LENGTH), until = size;
  if (p->number == m->faults.fault_at && m->faults.fault_byte < size)
    until = m->faults.fault_byte;
  uint64_t done = move(p->job, 0, until, 0);
  if (done < size)
    move(p->job, done, size, 1);
  complete(m, place, GET(p->job, TAG),
           done < size ? MEMLIFT_TEMPLATE_DONE_STATUS_FAULT : MEMLIFT_TEMPLATE_DONE_STATUS_OK,
           done);
}

static void run(struct template_model *m, unsigned place) {
  struct template_pending *p = &m->pending[place];
  const struct template_faults *f = &m->faults;
  uint64_t tag = GET(p->job, TAG), size = GET(p->job, LENGTH);
  p->live = 0;
  if (m->gone)
    return;
  if (!makes_sense(p->job)) {
    m->refused++;
    complete(m, place, tag, MEMLIFT_TEMPLATE_DONE_STATUS_REFUSED, 0);
  } else if (p->late) {
    move(p->job, 0, size, 1);
  } else if (p->number == f->status_at) {
    complete(m, place, tag, f->status, size);
  } else if (p->number == f->tag_at) {
    complete(m, place, tag + TEMPLATE_PLACES, MEMLIFT_TEMPLATE_DONE_STATUS_OK, size);
  } else if (p->number == f->too_many_at) {
    complete(m, place, tag, MEMLIFT_TEMPLATE_DONE_STATUS_FAULT, size + 1);
  } else if (p->number == f->short_at) {
    complete(m, place, tag, MEMLIFT_TEMPLATE_DONE_STATUS_OK, move(p->job, 0, size / 2, 0));
  } else {
    carry_out(m, place);
  }
}

/* ---- Time ------------------------------------------------------------------------------------ */

/* The place of the job that ends next, TEMPLATE_PLACES if none does so by then. */
static unsigned next_to_end(const struct template_model *m, uint64_t until) {
  unsigned next = TEMPLATE_PLACES;
  for (unsigned i = 0; i < TEMPLATE_PLACES; i++) {
    const struct template_pending *p = &m->pending[i];
    if (p->live && !p->lost && p->finish <= until &&
        (next == TEMPLATE_PLACES || p->finish < m->pending[next].finish))
      next = i;
  }
  return next;
}

void memlift_template_model_pass(struct template_model *m, uint64_t nanoseconds) {
  uint64_t until = m->now + nanoseconds;
  unsigned next;
  while ((next = next_to_end(m, until)) != TEMPLATE_PLACES)
    run(m, next);
  m->now = until;
}

/* ---- Registers ------------------------------------------------------------------------------- */

static int among(uint32_t k, uint32_t at, uint32_t count) {
  return at && k >= at && k - at < (count ? count : 1);
}

/* Random faults of a job become those that are asked for by number. */
static void draw_fault(struct template_model *m, struct template_pending *p) {
  struct template_faults *f = &m->faults;
  if (!f->per_mille || memlift_model_random(&m->seed) % 1000 >= f->per_mille)
    return;
  uint64_t what = memlift_model_random(&m->seed);
  switch (what % 7) {
  case 0: p->lost = 1; break;
  case 1: f->fault_at = p->number, f->fault_byte = (what >> 8) % 100000; break;
  case 2: /* OK would be a lie, and FAULT, too */
    f->status_at = p->number, f->status = MEMLIFT_TEMPLATE_DONE_STATUS_REFUSED + (what >> 8) % 250;
    break;
  case 3: f->tag_at = p->number; break;
  case 4: f->too_many_at = p->number; break;
  case 5: f->short_at = p->number; break;
  default: p->late = 1, p->finish += (what >> 8) % 500000000;
  }
}

static void ring(struct template_model *m, uint64_t place) {
  struct template_pending *p = &m->pending[place % TEMPLATE_PLACES];
  if (place >= TEMPLATE_PLACES || p->live || m->stopping ||
      memlift_model_read(p->job, m->jobs_at + place * TEMPLATE_JOB, TEMPLATE_JOB) != TEMPLATE_JOB) {
    m->overflowed++;
    return;
  }
  m->free = (m->free > m->now ? m->free : m->now) + 500 + GET(p->job, LENGTH) * 1000 / m->speed;
  p->finish = m->free;
  if (m->jitter_ns)
    p->finish += memlift_model_random(&m->seed) % m->jitter_ns;
  p->number = ++m->jobs;
  p->live = 1;
  p->lost = among(p->number, m->faults.lose_at, m->faults.lose_count);
  p->late = p->number == m->faults.late_at;
  p->finish += p->late ? m->faults.late_ns : 0;
  m->gone |= p->number == m->faults.remove_at;
  draw_fault(m, p);
}

/* Drops the jobs that have not begun; late ones ignore the request. */
static void stop(struct template_model *m) {
  m->stopping = 1;
  for (unsigned i = 0; i < TEMPLATE_PLACES; i++)
    m->pending[i].live &= m->pending[i].late;
}

static uint32_t free_places(struct template_model *m) {
  uint32_t used = 0;
  for (unsigned i = 0; i < TEMPLATE_PLACES; i++)
    used += m->pending[i].live && !m->pending[i].lost;
  return among(++m->looks, m->faults.busy_at, m->faults.busy_count) ? 0 : TEMPLATE_PLACES - used;
}

static int is_stopping(struct template_model *m) {
  int running = 0;
  for (unsigned i = 0; i < TEMPLATE_PLACES; i++)
    running |= m->pending[i].live;
  m->stopping &= running;
  return m->stopping;
}

static uint32_t read_register(unsigned offset) {
  struct template_model *m = memlift_template_model;
  memlift_template_model_pass(m, m->ask_ns);
  if (m->gone)
    return MEMLIFT_TEMPLATE_REG_GONE;
  if (offset == MEMLIFT_TEMPLATE_REG_ROOM_OFFSET)
    return free_places(m);
  return offset == MEMLIFT_TEMPLATE_REG_STOP_OFFSET && is_stopping(m);
}

static void write_register(unsigned offset, uint64_t value) {
  struct template_model *m = memlift_template_model;
  if (offset == MEMLIFT_TEMPLATE_REG_JOBS_OFFSET)
    m->jobs_at = value;
  else if (offset == MEMLIFT_TEMPLATE_REG_RECORDS_OFFSET)
    m->records_at = value;
  else if (offset == MEMLIFT_TEMPLATE_REG_DOORBELL_OFFSET)
    ring(m, value);
  else if (offset == MEMLIFT_TEMPLATE_REG_STOP_OFFSET && value == 1)
    stop(m);
}

static uint64_t now(void) {
  memlift_template_model_pass(memlift_template_model, memlift_template_model->ask_ns);
  return memlift_template_model->now;
}

/* ---- Opening --------------------------------------------------------------------------------- */

static memlift_status probe(const char **reason) {
  unsigned char from = 1, to = 0;
  int here = memlift_template_model && !memlift_template_model->gone &&
             memlift_model_read(&to, (uintptr_t)&from, 1);
  *reason = here ? "" : "no model, or process_vm_readv is refused by this system";
  return here ? MEMLIFT_OK : MEMLIFT_NOT_PRESENT;
}

static memlift_status open_model(void) {
  if (memlift_template_model->gone)
    return MEMLIFT_NOT_PRESENT;
  memlift_template_model->is_open = 1;
  return MEMLIFT_OK;
}

static void close_model(void) { memlift_template_model->is_open = 0; }

const struct template_transport memlift_template_model_transport = {
    .probe = probe,
    .open = open_model,
    .close = close_model,
    .read = read_register,
    .write = write_register,
    .now = now,
};
#else
typedef int memlift_no_engines; /* a translation unit must not be empty */
#endif
