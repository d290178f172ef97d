/* dax_extract.c - the DAX model's Extract: elements of one width become elements of another
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * dax-hv-api.txt, 36.2.1.2. An input element is padded with zero bits at its most significant side
 * to whole bytes; then with zero bytes to the output size, on the left or the right; or cut at the
 * least significant side.
 */
#include "../config.h"

#if MEMLIFT_HAVE_ENGINES
#include "dax_decode.h"
#include "memory.h"

/* Input that is read at once, from wherever the element wanted lies. */
struct window {
  uint64_t start;
  size_t size;
  unsigned char bytes[4096];
};

/* Byte at `address`, NULL when it cannot be read. */
static const unsigned char *byte_at(struct window *w, uint64_t address, uint64_t end) {
  if (address - w->start >= w->size) {
    size_t wanted = end - address < sizeof w->bytes ? (size_t)(end - address) : sizeof w->bytes;
    w->start = address;
    w->size = memlift_model_read(w->bytes, address, wanted);
    if (!w->size)
      return NULL;
  }
  return &w->bytes[address - w->start];
}

/* Bits [first, first + count) of a stream, most significant first; count is at most 15. */
static int bits_at(struct window *w, uint64_t base, uint64_t first, uint32_t count, uint64_t end,
                   uint32_t *value) {
  *value = 0;
  for (uint64_t bit = first; bit < first + count; bit++) {
    const unsigned char *byte = byte_at(w, base + bit / 8, end);
    if (!byte)
      return 0;
    *value = *value << 1 | (*byte >> (7 - bit % 8) & 1u);
  }
  return 1;
}

uint64_t memlift_dax_primary_bytes(const struct dax_command *c) {
  return (c->bit_offset + c->elements * c->element_bits + 7) / 8;
}

uint64_t memlift_dax_secondary_bytes(const struct dax_command *c) {
  return c->has_runs ? (c->run_offset + c->elements * c->run_bits + 7) / 8 : 0;
}

/* Finds the number of repetitions of element i. */
static int run_of(struct window *w, const struct dax_command *c, uint64_t i, uint32_t *run) {
  *run = 1;
  if (!c->has_runs)
    return 1;
  if (!bits_at(w, c->secondary, c->run_offset + i * c->run_bits, c->run_bits,
               c->secondary + memlift_dax_secondary_bytes(c), run))
    return 0;
  *run += c->run_less_one;
  return 1;
}

/* Puts `count` bytes of an element at its place in the output element. */
static void pad(const struct dax_command *c, const unsigned char *bytes, uint32_t count,
                unsigned char *value) {
  uint32_t zeros = c->output_bytes > count ? c->output_bytes - count : 0;
  for (uint32_t i = 0; i < c->output_bytes; i++) {
    uint32_t from = c->pad_left ? i - zeros : i;
    value[i] = from < count ? bytes[from] : 0;
  }
}

static int element_at(struct window *w, const struct dax_command *c, uint64_t i,
                      unsigned char *value) {
  unsigned char bytes[DAX_ELEMENT];
  uint64_t end = c->primary + memlift_dax_primary_bytes(c);
  uint32_t count = (c->element_bits + 7) / 8, number;
  if (c->format == MEMLIFT_DAX_CCB_IN_BITS || c->format == MEMLIFT_DAX_CCB_IN_BITS_RUNS) {
    if (!bits_at(w, c->primary, c->bit_offset + i * c->element_bits, c->element_bits, end, &number))
      return 0;
    for (uint32_t b = 0; b < count; b++)
      bytes[b] = (unsigned char)(number >> 8 * (count - 1 - b));
  } else {
    for (uint32_t b = 0; b < count; b++) {
      const unsigned char *byte = byte_at(w, c->primary + i * count + b, end);
      if (!byte)
        return 0;
      bytes[b] = *byte;
    }
  }
  pad(c, bytes, count, value);
  return 1;
}

/* 16 bytes to 16 bytes: the input is the output. */
static size_t copy_elements(const struct dax_command *c, struct dax_extraction *e,
                            unsigned char *to, size_t room, int *unreadable) {
  uint64_t left = (c->elements - e->element) * DAX_ELEMENT;
  size_t size = left < room ? (size_t)left : room;
  size_t done = memlift_model_read(to, c->primary + e->element * DAX_ELEMENT, size);
  *unreadable = done != size;
  done -= done % DAX_ELEMENT;
  e->element += done / DAX_ELEMENT;
  e->output += done;
  return done;
}

size_t memlift_dax_extract(const struct dax_command *c, struct dax_extraction *e, unsigned char *to,
                           size_t room, int *unreadable) {
  struct window primary = {0, 0, {0}}, secondary = {0, 0, {0}};
  size_t done = 0;
  *unreadable = 0;
  if (c->format == MEMLIFT_DAX_CCB_IN_BYTES && c->element_bits == 128 && c->output_bytes == 16)
    return copy_elements(c, e, to, room, unreadable);
  while (done < room) {
    if (!e->left) {
      if (e->element == c->elements)
        break;
      if (!run_of(&secondary, c, e->element, &e->left) ||
          !element_at(&primary, c, e->element, e->value)) {
        *unreadable = 1;
        break;
      }
      e->element++;
      continue; /* a run may be of no element */
    }
    for (uint32_t i = 0; i < c->output_bytes; i++)
      to[done + i] = e->value[i];
    done += c->output_bytes;
    e->left--;
  }
  e->output += done;
  return done;
}

uint64_t memlift_dax_output_bytes(const struct dax_command *c) {
  struct window secondary = {0, 0, {0}};
  uint64_t sum = 0;
  uint32_t run;
  if (!c->has_runs)
    return c->elements * c->output_bytes;
  for (uint64_t i = 0; i < c->elements; i++) {
    if (!run_of(&secondary, c, i, &run))
      return 0;
    sum += run;
  }
  return sum * c->output_bytes;
}
#else
typedef int memlift_no_engines; /* a translation unit must not be empty */
#endif
