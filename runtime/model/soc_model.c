/* soc_model.c - the channels of a PDMA and of a ZDMA in software
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "../config.h"

#if MEMLIFT_HAVE_ENGINES
#include "soc_model.h"

#include "../engine/pdma/pdma_spec.h"
#include "../engine/zdma/zdma_spec.h"
#include "memory.h"

struct soc_model *memlift_soc_model;

void memlift_soc_model_reset(struct soc_model *m) {
  static const struct soc_model none;
  *m = none;
  m->looks = 3;
}

/* ---- Registers ----------------------------------------------------------------------------- */

/* Where an access goes. */
struct place {
  struct soc_channel *channel;
  unsigned offset;
  int zdma;
};

static struct place place_of(uintptr_t address) {
  struct soc_model *m = memlift_soc_model;
  struct place p = {NULL, 0, address >= ZDMA_BASE};
  uintptr_t at = address - (p.zdma ? ZDMA_BASE : PDMA_BASE);
  uintptr_t stride = p.zdma ? ZDMA_STRIDE : PDMA_STRIDE,
            most = p.zdma ? ZDMA_CHANNELS : PDMA_CHANNELS;
  p.offset = (unsigned)(at % stride);
  if (at / stride < most && p.offset < 0x210 && p.offset % 4 == 0)
    p.channel = &m->channel[at / stride];
  else
    m->refused++;
  return p;
}

#define WORD(c, format, field) ((c)->word[MEMLIFT_##format##_##field##_OFFSET / 4])

/* ---- Transfers ----------------------------------------------------------------------------- */

/* With lists: their addresses in place of the regions'. */
struct transfer {
  uint64_t destination, source, size;
  int fill, lists;
};

/* Memory by its physical address, as far as its page. */
static size_t load(void *to, uint64_t address, size_t size) {
  size_t page = SOC_PAGE - address % SOC_PAGE;
  return memlift_model_read(to, address ^ memlift_soc_model->scatter, size < page ? size : page);
}

/* Where byte *at of a list's memory is, and how many bytes follow there; 0: nowhere. With NULL for
 * at, the bytes of all the list, up to where it says STOP. */
static uint64_t in_list(uint64_t list, const uint64_t *at, uint64_t *bytes) {
  unsigned char entry[ZDMA_ENTRY];
  uint64_t before = 0;
  for (*bytes = 0; list % ZDMA_ENTRY == 0 && load(entry, list, ZDMA_ENTRY) == ZDMA_ENTRY;
       list += ZDMA_ENTRY) {
    uint64_t size = MEMLIFT_GET(entry, ZDMA_ENTRY, SIZE);
    if (at && *at - before < size) {
      *bytes = size - (*at - before);
      return MEMLIFT_GET(entry, ZDMA_ENTRY, ADDRESS) + (*at - before);
    }
    before += size;
    if (MEMLIFT_GET(entry, ZDMA_ENTRY, COMMAND) == MEMLIFT_ZDMA_ENTRY_COMMAND_STOP) {
      *bytes = at ? 0 : before;
      return 0;
    }
  }
  return 0;
}

/* Where byte `at` of a region is, and how many of `most` can be moved there at once. */
static uint64_t find(const struct transfer *t, uint64_t region, uint64_t at, size_t *most) {
  uint64_t bytes = t->size - at, address = region + at;
  if (t->lists)
    address = in_list(region, &at, &bytes);
  if (bytes > SOC_PAGE - address % SOC_PAGE)
    bytes = SOC_PAGE - address % SOC_PAGE;
  *most = bytes < *most ? (size_t)bytes : *most;
  return address ^ memlift_soc_model->scatter;
}

static struct transfer decode(const struct place *p) {
  struct soc_channel *c = p->channel;
  struct transfer t = {WORD(c, PDMA, NEXT_DESTINATION), WORD(c, PDMA, NEXT_SOURCE),
                       WORD(c, PDMA, NEXT_BYTES), 0, 0};
  if (p->zdma) {
    t.fill = (WORD(c, ZDMA, MODE) & MEMLIFT_ZDMA_MODE_MASK) >> MEMLIFT_ZDMA_MODE_SHIFT ==
             MEMLIFT_ZDMA_MODE_WRITE_ONLY;
    t.destination = WORD(c, ZDMA, DESTINATION_LOW) | WORD(c, ZDMA, DESTINATION_HIGH) << 32;
    t.source = WORD(c, ZDMA, SOURCE_LOW) | WORD(c, ZDMA, SOURCE_HIGH) << 32;
    t.size = t.fill ? WORD(c, ZDMA, DESTINATION_SIZE) : WORD(c, ZDMA, SOURCE_SIZE);
    t.lists = (WORD(c, ZDMA, SCATTER_GATHER) & MEMLIFT_ZDMA_SCATTER_GATHER_MASK) != 0;
  }
  if (t.lists) {
    t.source = WORD(c, ZDMA, SOURCE_LIST_LOW) | WORD(c, ZDMA, SOURCE_LIST_HIGH) << 32;
    t.destination = WORD(c, ZDMA, DESTINATION_LIST_LOW) | WORD(c, ZDMA, DESTINATION_LIST_HIGH)
                                                              << 32;
    in_list(t.source, NULL, &t.size);
  }
  return t;
}

/* Is it one that the documents allow? */
static int is_right(const struct place *p, const struct transfer *t) {
  /* addresses go on in both directions */
  const uint64_t attributes = WORD(p->channel, ZDMA, READ_BURST);
  const int goes_on =
      (attributes & MEMLIFT_ZDMA_READ_BURST_MASK) >> MEMLIFT_ZDMA_READ_BURST_SHIFT ==
          MEMLIFT_ZDMA_BURST_INCR &&
      (attributes & MEMLIFT_ZDMA_WRITE_BURST_MASK) >> MEMLIFT_ZDMA_WRITE_BURST_SHIFT ==
          MEMLIFT_ZDMA_BURST_INCR;
  uint64_t config = p->channel->word[MEMLIFT_PDMA_WSIZE_OFFSET / 4];
  if (p->zdma)
    return goes_on && t->size && t->size < (uint64_t)1 << 30 && !(t->fill && t->lists) &&
           (!t->fill || t->destination % 16 == 0);
  return (config & MEMLIFT_PDMA_WSIZE_MASK) >> MEMLIFT_PDMA_WSIZE_SHIFT ==
         (config & MEMLIFT_PDMA_RSIZE_MASK) >> MEMLIFT_PDMA_RSIZE_SHIFT;
}

static void move(const struct place *p, const struct transfer *t, uint64_t size, int nonsense) {
  unsigned char bytes[4096];
  for (uint64_t at = 0; at < size;) {
    size_t part = size - at < sizeof bytes ? (size_t)(size - at) : sizeof bytes;
    for (size_t i = 0; i < part; i++)
      bytes[i] =
          nonsense
              ? 0x5a
              : (unsigned char)(p->channel
                                    ->word[MEMLIFT_ZDMA_PATTERN0_OFFSET / 4 + (at + i) % 16 / 4] >>
                                8 * ((at + i) % 4));
    uint64_t to = find(t, t->destination, at, &part);
    uint64_t from = nonsense || t->fill ? 0 : find(t, t->source, at, &part);
    if (from)
      part = memlift_model_read(bytes, from, part);
    if (!part || memlift_model_write(to, bytes, part) != part)
      return;
    at += part;
  }
}

static void end(const struct place *p) {
  const struct soc_faults *f = &memlift_soc_model->faults;
  struct soc_channel *c = p->channel;
  struct transfer t = decode(p);
  uint32_t count = f->error_count ? f->error_count : 1;
  int error = !is_right(p, &t) ||
              (f->error_at && c->number >= f->error_at && c->number - f->error_at < count);
  int silent = c->number == f->silent_at, late = c->number == f->late_at;
  int list = p->zdma && c->number == f->list_at;
  c->looks = 0;
  if (error || late)
    move(p, &t, t.size / 2, 1);
  else if (!silent && !list)
    move(p, &t, t.size, 0);
  WORD(c, PDMA, EXEC_BYTES) = error || c->number == f->short_at ? t.size / 2 : 0;
  if (p->zdma) {
    c->word[MEMLIFT_ZDMA_ENABLE_OFFSET / 4] = 0;
    c->word[MEMLIFT_ZDMA_STATE_OFFSET / 4] =
        error || late ? MEMLIFT_ZDMA_STATE_FAILED : MEMLIFT_ZDMA_STATE_DONE;
    if (error || late)
      WORD(c, ZDMA, ISR_DONE) |= MEMLIFT_ZDMA_WRITE_ERROR_MASK;
    else if (!silent)
      WORD(c, ZDMA, ISR_DONE) |= MEMLIFT_ZDMA_ISR_DONE_MASK;
    if (list)
      WORD(c, ZDMA, ISR_DONE) |= MEMLIFT_ZDMA_DESTINATION_LIST_ERROR_MASK;
    return;
  }
  WORD(c, PDMA, RUN) &= ~(uint64_t)MEMLIFT_PDMA_RUN_MASK;
  if (error || late) /* and RUN stays */
    WORD(c, PDMA, RUN) |= MEMLIFT_PDMA_ERROR_MASK | MEMLIFT_PDMA_RUN_MASK;
  else if (!silent)
    WORD(c, PDMA, RUN) |= MEMLIFT_PDMA_DONE_MASK;
}

static void begin(const struct place *p) {
  struct soc_model *m = memlift_soc_model;
  struct soc_channel *c = p->channel;
  c->number = ++m->transfers;
  m->with_lists += p->zdma && (WORD(c, ZDMA, SCATTER_GATHER) & MEMLIFT_ZDMA_SCATTER_GATHER_MASK);
  c->looks = m->looks + (c->number == m->faults.late_at ? m->faults.late : 0);
  if (p->zdma)
    c->word[MEMLIFT_ZDMA_STATE_OFFSET / 4] = MEMLIFT_ZDMA_STATE_BUSY;
}

/* ---- The bus -------------------------------------------------------------------------------- */

static uint64_t read_long(uintptr_t address) {
  struct place p = place_of(address);
  if (!p.channel)
    return 0;
  unsigned looked = p.zdma ? MEMLIFT_ZDMA_STATE_OFFSET : MEMLIFT_PDMA_RUN_OFFSET;
  if (p.offset == looked && p.channel->looks && --p.channel->looks == 0)
    end(&p);
  return p.channel->word[p.offset / 4];
}

static void note(uintptr_t address, uint64_t value) {
  struct soc_model *m = memlift_soc_model;
  if (m->write_count < SOC_ACCESSES) {
    m->writes[m->write_count].address = address;
    m->writes[m->write_count].value = value;
  }
  m->write_count++;
}

static void write_long(uintptr_t address, uint64_t value) {
  struct place p = place_of(address);
  note(address, value);
  if (!p.channel)
    return;
  struct soc_channel *c = p.channel;
  uint64_t *word = &c->word[p.offset / 4];
  if (p.zdma && p.offset == MEMLIFT_ZDMA_ISR_DONE_OFFSET) {
    *word &= ~value;
  } else if (p.zdma && p.offset == MEMLIFT_ZDMA_ENABLE_OFFSET) {
    *word = value;
    if (value)
      begin(&p);
    else if (c->looks)
      end(&p); /* what runs at that moment still ends */
  } else if (!p.zdma && p.offset == MEMLIFT_PDMA_CLAIM_OFFSET) {
    int claimed = (*word & MEMLIFT_PDMA_CLAIM_MASK) != 0;
    if (*word & MEMLIFT_PDMA_RUN_MASK) /* a claim stays as long as it runs */
      value |= MEMLIFT_PDMA_CLAIM_MASK;
    *word = value;
    if ((value & MEMLIFT_PDMA_RUN_MASK) && claimed)
      begin(&p);
    else if (value & MEMLIFT_PDMA_RUN_MASK)
      *word &= ~(uint64_t)MEMLIFT_PDMA_RUN_MASK; /* claimed in the same moment: it does not run */
  } else {
    *word = value;
  }
}

static uint32_t read_word(uintptr_t address) { return (uint32_t)read_long(address); }
static void write_word(uintptr_t address, uint32_t value) { write_long(address, value); }

static void share(const void *p, size_t size) {
  (void)p, (void)size;
  memlift_soc_model->shared++;
}

static void refresh(const void *p, size_t size) {
  (void)p, (void)size;
  memlift_soc_model->refreshed++;
}

static uint64_t now(void) { return memlift_soc_model->now += 1000; }

static uint64_t physical(const void *p, size_t *bytes) {
  uint64_t at = (uintptr_t)p;
  *bytes = memlift_soc_model->scatter ? SOC_PAGE - at % SOC_PAGE : SIZE_MAX;
  return at ^ memlift_soc_model->scatter;
}

void memlift_soc_model_end_all(struct soc_model *m) {
  for (unsigned c = 0; c < SOC_CHANNELS; c++)
    for (int zdma = 0; zdma < 2; zdma++) {
      struct place p = {&m->channel[c], 0, zdma};
      if (m->channel[c].looks && (m->channel[c].word[MEMLIFT_ZDMA_ENABLE_OFFSET / 4] != 0) == zdma)
        end(&p);
    }
}

const struct memlift_bus memlift_soc_model_bus = {read_word, write_word, read_long, write_long,
                                                  share,     refresh,    now,       physical};
#else
typedef int memlift_no_engines; /* a translation unit must not be empty */
#endif
