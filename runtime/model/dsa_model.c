/* dsa_model.c - the DSA model's queue, engines and clock
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#define _GNU_SOURCE
#include "../config.h"

#if MEMLIFT_HAVE_ENGINES
#include "dsa_model.h"
#include "memory.h"

#include <unistd.h>

struct dsa_model *memlift_dsa_model;

/* Times are of the order of the first machines: 30 GB/s in all. */
void memlift_dsa_model_reset(struct dsa_model *m, uint64_t seed) {
  static const struct dsa_model none;
  *m = none;
  m->costs.submit = 100, m->costs.ask = 20, m->costs.descriptor = 300;
  m->costs.engine_speed = 7500, m->costs.jitter = 5000;
  m->limits.max_bytes = (size_t)2 << 20, m->limits.depth = 32, m->limits.max_batch = 16;
  m->seed = seed, m->engines = 4;
}

/* ---- Time ------------------------------------------------------------------------------------ */

/* One of the batch has ended; the last one ends the batch. */
static void end_of_batch(struct dsa_model *m, int batch, uint32_t status) {
  if (batch < 0 || m->gone)
    return;
  m->batch[batch].failed += status != MEMLIFT_DSA_COMP_STATUS_OK;
  if (--m->batch[batch].left)
    return;
  m->batch[batch].live = 0;
  memlift_dsa_model_complete(m->batch[batch].record,
                             m->batch[batch].failed ? MEMLIFT_DSA_COMP_STATUS_BATCH_FAILED
                                                    : MEMLIFT_DSA_COMP_STATUS_OK,
                             0, 0);
}

static struct dsa_pending *next_to_end(struct dsa_model *m, uint64_t until) {
  struct dsa_pending *next = NULL;
  for (unsigned i = 0; i < DSA_MODEL_QUEUE; i++) {
    struct dsa_pending *p = &m->pending[i];
    if (p->live && !p->dropped && p->finish <= until && (!next || p->finish < next->finish))
      next = p;
  }
  return next;
}

static void run(struct dsa_model *m, struct dsa_pending *p) {
  end_of_batch(m, p->batch, memlift_dsa_model_run(m, p));
}

void memlift_dsa_model_pass(struct dsa_model *m, uint64_t nanoseconds) {
  uint64_t until = m->now + nanoseconds;
  struct dsa_pending *p;
  while ((p = next_to_end(m, until)) != NULL)
    run(m, p);
  m->now = until;
}

static uint64_t now(void) {
  memlift_dsa_model_pass(memlift_dsa_model, memlift_dsa_model->costs.ask);
  return memlift_dsa_model->now;
}

static void pause_until(const unsigned char *record, uint64_t nanoseconds) {
  struct dsa_model *m = memlift_dsa_model;
  uint64_t until = m->now + nanoseconds;
  const struct dsa_pending *next = next_to_end(m, until);
  (void)record;
  memlift_dsa_model_pass(m, (next ? next->finish : until) - m->now);
}

/* ---- Submission ------------------------------------------------------------------------------ */

static int by_chance(struct dsa_model *m) {
  return m->faults.per_mille && memlift_model_random(&m->seed) % 1000 < m->faults.per_mille;
}

static int among(uint32_t k, uint32_t at, uint32_t count) {
  return at && k >= at && k - at < (count ? count : 1);
}

/* Random faults of a descriptor become those that are asked for by number. */
static void draw_fault(struct dsa_model *m, struct dsa_pending *p) {
  struct dsa_faults *f = &m->faults;
  if (!by_chance(m))
    return;
  switch (memlift_model_random(&m->seed) % 5) {
  case 0: p->dropped = 1; break;
  case 1:
    f->fault_at = p->number, f->fault_byte = memlift_model_random(&m->seed) % 100000;
    f->fault_count = 1 + (uint32_t)(memlift_model_random(&m->seed) % 6);
    break;
  case 2:
    f->status_at = p->number;
    f->status = 2 + (uint32_t)(memlift_model_random(&m->seed) % 254);
    if ((f->status & DSA_STATUS_MASK) < 4) /* a fault with bytes is case 1; OK would be a lie */
      f->status = MEMLIFT_DSA_COMP_STATUS_HARDWARE;
    break;
  case 3: f->too_many_at = p->number; break;
  default: p->late = 1; p->finish += memlift_model_random(&m->seed) % 2000000000;
  }
}

static struct dsa_pending *free_place(struct dsa_model *m) {
  for (unsigned i = 0; i < DSA_MODEL_QUEUE; i++)
    if (!m->pending[i].live)
      return &m->pending[i];
  return NULL;
}

/* The engine that is free first takes it. */
static void enqueue(struct dsa_model *m, const unsigned char *bytes, int batch) {
  struct dsa_pending *p = free_place(m);
  unsigned engine = 0;
  if (!p)
    return;
  for (unsigned e = 1; e < m->engines; e++)
    if (m->engine_free[e] < m->engine_free[engine])
      engine = e;
  for (unsigned i = 0; i < DSA_DESCRIPTOR; i++)
    p->bytes[i] = bytes[i];
  uint64_t begin = m->engine_free[engine] > m->now ? m->engine_free[engine] : m->now;
  p->finish = begin + m->costs.descriptor +
              MEMLIFT_GET(bytes, DSA_DESC, SIZE) * 1000 / m->costs.engine_speed;
  m->engine_free[engine] = p->finish;
  if (m->costs.jitter)
    p->finish += memlift_model_random(&m->seed) % m->costs.jitter;
  p->number = ++m->descriptors;
  p->live = 1, p->late = 0, p->batch = batch;
  p->dropped = among(p->number, m->faults.drop_at, m->faults.drop_count);
  if (p->number == m->faults.late_at)
    p->late = 1, p->finish += m->faults.late_ns;
  draw_fault(m, p);
}

/* Reads the list and hands its descriptors out. */
static void start_batch(struct dsa_model *m, const unsigned char *descriptor) {
  uint64_t list = MEMLIFT_GET(descriptor, DSA_DESC, SOURCE);
  uint64_t record = MEMLIFT_GET(descriptor, DSA_DESC, COMPLETION);
  unsigned count = (unsigned)MEMLIFT_GET(descriptor, DSA_DESC, SIZE);
  unsigned char bytes[32][DSA_DESCRIPTOR];
  int b = 0;
  while (b < 63 && m->batch[b].live)
    b++;
  if (++m->batches == m->faults.batch_at) {
    memlift_dsa_model_complete(record, m->faults.batch_status, 0, list);
    return;
  }
  if (memlift_model_read(bytes, list, count * DSA_DESCRIPTOR) != count * DSA_DESCRIPTOR) {
    memlift_dsa_model_complete(record, MEMLIFT_DSA_COMP_STATUS_BATCH_FAULT, 0, list);
    return;
  }
  m->batch[b].live = 1, m->batch[b].left = count, m->batch[b].failed = 0;
  m->batch[b].record = record;
  for (unsigned i = 0; i < count; i++)
    enqueue(m, bytes[i], b);
}

/* Entries of the queue: what is under way alone, and batches. */
static unsigned in_queue(const struct dsa_model *m) {
  unsigned count = 0;
  for (unsigned i = 0; i < DSA_MODEL_QUEUE; i++)
    count += m->pending[i].live && m->pending[i].batch < 0;
  for (unsigned b = 0; b < 64; b++)
    count += m->batch[b].live;
  return count;
}

static enum dsa_taken submit(const unsigned char *descriptor) {
  struct dsa_model *m = memlift_dsa_model;
  if (m->is_open && m->process != getpid()) { /* the driver: EPERM for another address space */
    m->strangers++;
    return DSA_GONE;
  }
  if (!m->is_open || ++m->submissions == m->faults.remove_at)
    m->gone = 1;
  if (m->gone)
    return DSA_GONE;
  memlift_dsa_model_pass(m, m->costs.submit);
  if (among(m->submissions, m->faults.no_room_at, m->faults.no_room_count) || by_chance(m))
    return DSA_QUEUE_FULL;
  if (in_queue(m) >= m->limits.depth) {
    m->overflowed++;
    return m->dedicated ? DSA_TAKEN : DSA_QUEUE_FULL;
  }
  int batch = MEMLIFT_GET(descriptor, DSA_DESC, OPCODE) == MEMLIFT_DSA_DESC_OP_BATCH;
  uint32_t refused = batch ? memlift_dsa_model_check(m, descriptor) : 0;
  if (refused) {
    m->refused++;
    memlift_dsa_model_complete(MEMLIFT_GET(descriptor, DSA_DESC, COMPLETION), refused, 0, 0);
  } else if (batch) {
    start_batch(m, descriptor);
  } else {
    enqueue(m, descriptor, -1);
  }
  return DSA_TAKEN;
}

/* ---- Opening --------------------------------------------------------------------------------- */

static memlift_status probe(const char **reason) {
  unsigned char from = 1, to = 0;
  int here =
      memlift_dsa_model && !memlift_dsa_model->gone && memlift_model_read(&to, (uintptr_t)&from, 1);
  *reason = here ? "" : "no model, or process_vm_readv is refused by this system";
  return here ? MEMLIFT_OK : MEMLIFT_NOT_PRESENT;
}

static memlift_status open_model(struct dsa_limits *limits) {
  struct dsa_model *m = memlift_dsa_model;
  if (m->gone)
    return MEMLIFT_NOT_PRESENT;
  *limits = m->limits;
  m->is_open = 1;
  m->process = getpid();
  return MEMLIFT_OK;
}

/* Drains: what is under way ends, but for what was dropped and never will. */
static void close_model(void) {
  struct dsa_model *m = memlift_dsa_model;
  struct dsa_pending *p;
  if (!m || !m->is_open)
    return;
  while ((p = next_to_end(m, UINT64_MAX)) != NULL) {
    m->now = p->finish > m->now ? p->finish : m->now;
    run(m, p);
  }
  for (unsigned i = 0; i < DSA_MODEL_QUEUE; i++)
    m->pending[i].live = 0;
  for (unsigned b = 0; b < 64; b++)
    m->batch[b].live = 0;
  m->is_open = 0;
}

const struct dsa_transport memlift_dsa_model_transport = {
    .probe = probe,
    .open = open_model,
    .close = close_model,
    .submit = submit,
    .now = now,
    .pause = pause_until,
};
#else
typedef int memlift_no_engines; /* a translation unit must not be empty */
#endif
