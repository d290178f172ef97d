/* dsa_run.c - the DSA model reads a descriptor, strictly, and carries it out: bytes first, status
 * last
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "../config.h"

#if MEMLIFT_HAVE_ENGINES
#include "dsa_model.h"
#include "memory.h"

#define BURST 65536u
#define FLAGS_KNOWN                                                                                \
  (MEMLIFT_DSA_DESC_FLAG_COMPLETION_VALID | MEMLIFT_DSA_DESC_FLAG_COMPLETION_ASKED)

struct fields {
  uint32_t opcode, flags;
  uint64_t source, destination, size, record;
};

static struct fields decode(const unsigned char *d) {
  struct fields f = {(uint32_t)MEMLIFT_GET(d, DSA_DESC, OPCODE),
                     (uint32_t)MEMLIFT_GET(d, DSA_DESC, FLAGS),
                     MEMLIFT_GET(d, DSA_DESC, SOURCE),
                     MEMLIFT_GET(d, DSA_DESC, DESTINATION),
                     MEMLIFT_GET(d, DSA_DESC, SIZE),
                     MEMLIFT_GET(d, DSA_DESC, COMPLETION)};
  return f;
}

/* Bits that no field has, and fields that the opcodes here do not use. */
static uint64_t reserved_bits(const unsigned char *d) {
#define RESERVED(offset, bytes, mask) | (memlift_word_get(d + (offset), bytes, 0) & ~(mask))
  return 0 MEMLIFT_DSA_DESC_WORDS(RESERVED) | MEMLIFT_GET(d, DSA_DESC, PASID) |
         MEMLIFT_GET(d, DSA_DESC, PRIVILEGED) | MEMLIFT_GET(d, DSA_DESC, INTERRUPT) |
         MEMLIFT_GET(d, DSA_DESC, CRC_SEED);
#undef RESERVED
}

static int overlap(uint64_t a, uint64_t b, uint64_t size) {
  return a < b ? b - a < size : a - b < size;
}

uint32_t memlift_dsa_model_check(const struct dsa_model *m, const unsigned char *d) {
  struct fields f = decode(d);
  if (f.flags & ~(uint32_t)FLAGS_KNOWN)
    return MEMLIFT_DSA_COMP_STATUS_BAD_FLAGS;
  if (reserved_bits(d))
    return MEMLIFT_DSA_COMP_STATUS_RESERVED;
  switch (f.opcode) {
  case MEMLIFT_DSA_DESC_OP_NOP: return 0;
  case MEMLIFT_DSA_DESC_OP_BATCH:
    if (f.size < 2 || f.size > m->limits.max_batch)
      return MEMLIFT_DSA_COMP_STATUS_BAD_COUNT;
    return f.source % DSA_DESCRIPTOR ? MEMLIFT_DSA_COMP_STATUS_LIST_ALIGN : 0;
  case MEMLIFT_DSA_DESC_OP_MOVE:
  case MEMLIFT_DSA_DESC_OP_FILL:
    if (f.size == 0 || f.size > m->limits.max_bytes)
      return MEMLIFT_DSA_COMP_STATUS_BAD_SIZE;
    /* The device could; we must not ask it to. */
    return f.opcode == MEMLIFT_DSA_DESC_OP_MOVE && overlap(f.source, f.destination, f.size)
               ? MEMLIFT_DSA_COMP_STATUS_OVERLAP
               : 0;
  default: return MEMLIFT_DSA_COMP_STATUS_BAD_OPCODE;
  }
}

void memlift_dsa_model_complete(uint64_t address, uint32_t status, uint64_t bytes, uint64_t fault) {
  unsigned char record[DSA_RECORD];
  if (address % DSA_RECORD || address == 0)
    return;
  memlift_record_clear(record, DSA_RECORD);
  MEMLIFT_PUT(record, DSA_COMP, BYTES, bytes);
  MEMLIFT_PUT(record, DSA_COMP, FAULT, fault);
  if (memlift_model_write(address + 1, record + 1, DSA_RECORD - 1) != DSA_RECORD - 1)
    return;
  /* Release: who sees the status sees the rest, and the bytes. The record can be reached, as has
   * just been seen. */
  __atomic_store_n((unsigned char *)(uintptr_t)address, (unsigned char)status, __ATOMIC_RELEASE);
}

/* Moves bytes [from, to) of a descriptor; returns where it stopped. */
static uint64_t transfer(const struct fields *f, uint64_t from, uint64_t to, int nonsense) {
  static unsigned char burst[BURST]; /* one thread drives the model */
  while (from < to) {
    size_t part = to - from < BURST ? (size_t)(to - from) : BURST, have = part;
    if (nonsense || f->opcode == MEMLIFT_DSA_DESC_OP_FILL)
      for (size_t i = 0; i < part; i++)
        burst[i] = nonsense ? 0x5a : (unsigned char)(f->source >> 8 * ((from + i) % 8));
    else
      have = memlift_model_read(burst, f->source + from, part);
    size_t done = memlift_model_write(f->destination + from, burst, have);
    from += done;
    if (done != part)
      break;
  }
  return from;
}

/* The fault is a write's when the source can be read there. */
static uint32_t fault_status(const struct fields *f, uint64_t done) {
  unsigned char byte;
  int write =
      f->opcode == MEMLIFT_DSA_DESC_OP_FILL || memlift_model_read(&byte, f->source + done, 1) == 1;
  return MEMLIFT_DSA_COMP_STATUS_PAGE_FAULT | (write ? MEMLIFT_DSA_COMP_STATUS_WRITE : 0u);
}

static int among(uint32_t k, uint32_t at, uint32_t count) {
  return at && k >= at && k - at < (count ? count : 1);
}

/* Faults that take the place of running a descriptor: 0 when none does. */
static uint32_t inject(struct dsa_model *m, const struct dsa_pending *p, const struct fields *f,
                       uint64_t *done) {
  const struct dsa_faults *faults = &m->faults;
  *done = 0;
  if (p->late) {
    transfer(f, 0, f->size, 1);
    return MEMLIFT_DSA_COMP_STATUS_HARDWARE;
  }
  if (p->number == faults->status_at)
    return faults->status;
  if (p->number == faults->too_many_at) {
    *done = f->size + 8;
    return MEMLIFT_DSA_COMP_STATUS_PAGE_FAULT;
  }
  if (among(p->number, faults->fault_at, faults->fault_count)) {
    uint64_t right = faults->fault_byte < f->size ? faults->fault_byte : f->size;
    *done = transfer(f, 0, right, 0);
    transfer(f, right, f->size, 1);
    return MEMLIFT_DSA_COMP_STATUS_PAGE_FAULT;
  }
  return 0;
}

uint32_t memlift_dsa_model_run(struct dsa_model *m, struct dsa_pending *p) {
  struct fields f = decode(p->bytes);
  uint64_t done = 0;
  p->live = 0;
  if (m->gone) { /* it writes nonsense and reports nothing */
    transfer(&f, 0, f.size, 1);
    return 0;
  }
  uint32_t status = memlift_dsa_model_check(m, p->bytes);
  m->refused += status != 0;
  if (!status && f.opcode != MEMLIFT_DSA_DESC_OP_NOP)
    status = inject(m, p, &f, &done);
  if (!status) {
    status = MEMLIFT_DSA_COMP_STATUS_OK;
    done = f.opcode == MEMLIFT_DSA_DESC_OP_NOP ? f.size : transfer(&f, 0, f.size, 0);
    if (done != f.size)
      status = fault_status(&f, done);
  }
  m->ran++;
  m->bytes += done;
  if (f.flags & MEMLIFT_DSA_DESC_FLAG_COMPLETION_VALID)
    memlift_dsa_model_complete(f.record, status, done,
                               status == MEMLIFT_DSA_COMP_STATUS_OK ? 0 : f.destination + done);
  return status;
}
#else
typedef int memlift_no_engines; /* a translation unit must not be empty */
#endif
