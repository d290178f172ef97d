/* dax_run.c - the DAX model carries out a block: bytes first, status last
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "../config.h"

#if MEMLIFT_HAVE_ENGINES
#include "dax_model.h"
#include "memory.h"

#define BURST 65536u /* bytes that are moved at once */
#define NONSENSE 0x5a

/* Result of one block. */
struct outcome {
  uint32_t status, error;
  uint64_t output, elements;
};

/* Bytes from address to the end of its page. */
static uint64_t to_page_end(const struct dax_model *m, uint64_t address) {
  return m->page - address % m->page;
}

/* Overwrites bytes [from, to) of the output with nonsense. */
static void spoil(const struct dax_model *m, const struct dax_command *c, uint64_t from,
                  uint64_t to) {
  unsigned char nonsense[4096];
  for (size_t i = 0; i < sizeof nonsense; i++)
    nonsense[i] = NONSENSE;
  while (!m->dry && from < to) {
    size_t part = to - from < sizeof nonsense ? (size_t)(to - from) : sizeof nonsense;
    if (memlift_model_write(c->output + from, nonsense, part) != part)
      return;
    from += part;
  }
}

/* Makes `limit` bytes of output. Returns how many could be made. */
static uint64_t extract(const struct dax_command *c, uint64_t limit, uint64_t *elements) {
  struct dax_extraction e = {0, 0, 0, {0}};
  static unsigned char burst[BURST]; /* one thread drives the model */
  uint64_t done = 0;
  int unreadable = 0;
  while (done < limit && !unreadable) {
    size_t room = limit - done < BURST ? (size_t)(limit - done) : BURST;
    size_t made = memlift_dax_extract(c, &e, burst, room, &unreadable);
    size_t written = memlift_model_write(c->output + done, burst, made);
    done += written;
    if (written != made || !made)
      break;
  }
  *elements = e.element;
  return done;
}

static struct outcome fail(uint32_t error, uint64_t output) {
  struct outcome o = {MEMLIFT_DAX_CA_STATUS_FAILED, error, output, 0};
  return o;
}

/* Does what the block says, up to `limit` bytes. */
static struct outcome obey(const struct dax_model *m, const struct dax_pending *p, uint64_t limit) {
  const struct dax_command *c = &p->command;
  struct outcome o = {MEMLIFT_DAX_CA_STATUS_OK, 0, 0, 0};
  if (!memlift_dax_valid(p->block, c))
    return fail(MEMLIFT_DAX_CA_ERROR_DECODE, 0);
  if (c->opcode == MEMLIFT_DAX_CCB_OP_SYNC)
    return o;
  uint64_t size = m->dry ? c->elements * c->output_bytes : memlift_dax_output_bytes(c);
  uint64_t room = to_page_end(m, c->output);
  if (memlift_dax_primary_bytes(c) > to_page_end(m, c->primary) ||
      (c->has_runs && memlift_dax_secondary_bytes(c) > to_page_end(m, c->secondary)))
    return fail(MEMLIFT_DAX_CA_ERROR_PAGE, 0);
  if (size % DAX_OUTPUT_GRANULE) /* whole lines are written */
    return fail(MEMLIFT_DAX_CA_ERROR_DECODE, 0);
  if (size > room || limit < size) {
    uint64_t part = room < limit ? room : limit;
    o.output = m->dry ? part : extract(c, part, &o.elements);
    return fail(MEMLIFT_DAX_CA_ERROR_PAGE, o.output);
  }
  o.output = m->dry ? size : extract(c, size, &o.elements);
  o.elements = m->dry ? c->elements : o.elements;
  return o.output == size ? o : fail(MEMLIFT_DAX_CA_ERROR_PAGE, o.output);
}

/* Faults that take the place of running block k; 0: none does. */
static int inject(struct dax_model *m, struct dax_pending *p, struct outcome *o) {
  const struct dax_faults *f = &m->faults;
  const struct dax_command *c = &p->command;
  uint64_t size = m->dry ? 0 : memlift_dax_output_bytes(c);
  if (p->late) {
    spoil(m, c, 0, size);
    *o = fail(MEMLIFT_DAX_CA_ERROR_HARDWARE, 0);
  } else if (p->number == f->fail_at) {
    uint64_t right = f->fail_byte < size ? f->fail_byte : size;
    *o = obey(m, p, right - right % DAX_ELEMENT);
    spoil(m, c, right - right % DAX_ELEMENT, size);
    *o = fail(f->fail_error, right);
  } else if (p->number == f->status_at) {
    o->status = f->status, o->error = 0, o->output = size, o->elements = c->elements;
  } else if (p->number == f->short_at) {
    obey(m, p, size > DAX_OUTPUT_GRANULE ? size - DAX_OUTPUT_GRANULE : 0);
    o->status = MEMLIFT_DAX_CA_STATUS_OK, o->error = 0;
    o->elements = c->elements - 1, o->output = o->elements * c->output_bytes;
  } else {
    return 0;
  }
  return 1;
}

/* A device that has gone writes nonsense and reports nothing. */
static void run_without_device(struct dax_model *m, struct dax_pending *p) {
  p->live = 0;
  if (!m->dry && memlift_dax_valid(p->block, &p->command) && p->command.opcode)
    spoil(m, &p->command, 0, memlift_dax_output_bytes(&p->command));
}

void memlift_dax_model_run(struct dax_model *m, unsigned area) {
  struct dax_pending *p = &m->pending[area];
  unsigned char *record = m->areas[area];
  struct outcome o;
  if (m->gone) {
    run_without_device(m, p);
    return;
  }
  if (!inject(m, p, &o)) {
    o = obey(m, p, UINT64_MAX);
    m->decode_errors += o.error == MEMLIFT_DAX_CA_ERROR_DECODE;
  }
  m->ran++;
  m->failed += o.status != MEMLIFT_DAX_CA_STATUS_OK;
  m->bytes += o.output;
  p->live = 0;
  memlift_record_clear(record + 1, MEMLIFT_DAX_CA_SIZE - 1);
  MEMLIFT_PUT(record, DAX_CA, ERROR, o.error);
  MEMLIFT_PUT(record, DAX_CA, OUTPUT_SIZE, o.output);
  MEMLIFT_PUT(record, DAX_CA, ELEMENTS, o.elements);
  MEMLIFT_PUT(record, DAX_CA, RUN_TIME, p->finish - p->begin);
  /* Release: who sees the status sees the rest, and the bytes. */
  __atomic_store_n(record, (unsigned char)o.status, __ATOMIC_RELEASE);
}
#else
typedef int memlift_no_engines; /* a translation unit must not be empty */
#endif
