/* crc_table.h - memlift_crc_table_u<BITS>: a CRC by a table of the program's, included once a size
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Includers define BITS and ENTRY_LOG, log2 of the bytes of an entry, and the names and functions
 * of entry_crc_table.c, which tells the idea.
 */
#include "crc_linear.h"

/* The register after a byte. `up`: bits leave at the upper end. */
MEMLIFT_INLINE uint64_t NAME(step)(uint64_t c, unsigned index, const NAME(entry) * t, uint64_t mask,
                                   int up) {
  return (t[index] & mask) ^ (up ? c << 8 & mask : c >> 8);
}

MEMLIFT_INLINE unsigned NAME(index)(uint64_t c, unsigned byte, unsigned width, int up) {
  return (unsigned)((up ? c >> (width - 8) : c) ^ byte) & 0xff;
}

MEMLIFT_INLINE uint64_t NAME(run)(uint64_t c, const unsigned char *p, size_t n,
                                  const NAME(entry) * t, unsigned width, uint64_t mask, int up) {
  for (; n; p++, n--)
    c = NAME(step)(c, NAME(index)(c, *p, width, up), t, mask, up);
  return c;
}

/* The loop of the program. Mostly nothing is cut off, and then it is as fast as that. */
static uint64_t NAME(loop)(uint64_t c, const unsigned char *p, size_t n, const NAME(entry) * t,
                           unsigned width, int up) {
  const uint64_t mask = ~0ull >> (64 - width);
  if (!up && width >= BITS)
    return NAME(run)(c, p, n, t, width, ~0ull, 0);
  if (up && width == BITS)
    return NAME(run)(c, p, n, t, BITS, (NAME(entry))-1, 1);
  return up ? NAME(run)(c, p, n, t, width, mask, 1) : NAME(run)(c, p, n, t, width, mask, 0);
}

#if MEMLIFT_FOLDS_TABLES
/* Runs the loop until each page with a part of the table has been read from, as far as there are
 * bytes. Returns the bytes taken. */
static size_t NAME(touch)(uint64_t *state, const unsigned char *p, size_t n, const NAME(entry) * t,
                          unsigned width, int up) {
  const uint64_t mask = ~0ull >> (64 - width);
  /* Entries that lie in the first page. */
  const size_t first = (PAGE - (uintptr_t)t % PAGE) >> ENTRY_LOG;
  int low = 0, high = first >= 256;
  size_t i = 0;
  uint64_t c = *state;
  for (; i < n && !(low && high); i++) {
    unsigned index = NAME(index)(c, p[i], width, up);
    low |= index < first;
    high |= index >= first;
    c = NAME(step)(c, index, t, mask, up);
  }
  *state = c;
  return i;
}

static const void *NAME(failed);

static uint64_t NAME(checked)(uint64_t c, const unsigned char *p, size_t n, const NAME(entry) * t,
                              unsigned width, int up) {
  size_t done = NAME(touch)(&c, p, n, t, width, up);
  const uint64_t mask = ~0ull >> (64 - width);
  struct form form;
  uint64_t at_bit[8];
  p += done, n -= done;
  if (n < TEST_FROM(BITS)(1))
    return NAME(loop)(c, p, n, t, width, up);
  /* Read once: whatever else writes the table, one polynomial is looked for. The loop cuts entries
   * to the register, so bits above it are nobody's: GnuPG's generator leaves some in a CRC-24. */
  for (int bit = 0; bit < 8; bit++)
    at_bit[bit] = *(const volatile NAME(entry) *)&t[1 << bit] & mask;
  if (!form_of(at_bit, width, up, &form) || !NAME(is_linear)(t, at_bit, mask)) {
    note_failed(&NAME(failed), t);
    return NAME(loop)(c, p, n, t, width, up);
  }
  note_passed(&NAME(failed), t);
  return folded(c, p, n, width, &form);
}
#endif

uint64_t PUBLIC(BITS)(uint64_t state, const void *from, size_t n, const ENTRY(BITS) * table,
                      uint32_t width, uint32_t reflected) {
  const unsigned char *p = (const unsigned char *)from;
  const NAME(entry) *t = (const NAME(entry) *)table;
  width = width < 8 ? 8 : width > 64 ? 64 : width;
  state &= ~0ull >> (64 - width);
#if MEMLIFT_FOLDS_TABLES
  if (n >= TEST_FROM(BITS)(1) && !failed_before(&NAME(failed), t, n, TEST_FROM(BITS)(1)) &&
      memlift_crc_kernel() != memlift_crc_generic)
    return NAME(checked)(state, p, n, t, width, !reflected);
#endif
  return NAME(loop)(state, p, n, t, width, !reflected);
}
