/* crc_slices.h - memlift_crc_slices_u<BITS>: a CRC by several tables, included once a size
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Includers define BITS and ENTRY_LOG, log2 of the bytes of an entry, and the names and functions
 * of entry_crc_slices.c, which tells the idea.
 */
#include "crc_linear.h"

/* Returns the register shifted by so many bytes: its part of the next value that no entry has. */
MEMLIFT_INLINE NAME(entry) NAME(moved)(NAME(entry) c, unsigned bytes, int up) {
  if (8 * bytes >= BITS)
    return 0;
  return (NAME(entry))(up ? c << 8 * bytes : c >> 8 * bytes);
}

/* The register after a byte for each slice. `up`: bits leave at the upper end. */
MEMLIFT_INLINE NAME(entry) NAME(bytes)(NAME(entry) c, const unsigned char *p, const NAME(entry) * t,
                                       unsigned slices, int up) {
  NAME(entry) next = NAME(moved)(c, slices, up);
  for (unsigned k = 0; k < slices; k++) {
    const NAME(entry) left = NAME(moved)(c, k, up);
    const unsigned own = (unsigned)(up ? left >> (BITS - 8) : left) & 0xff;
    next ^= t[256 * (slices - 1 - k) + (own ^ p[k])];
  }
  return next;
}

/* Holds four or eight bytes of the message. */
#if BITS == 32
typedef uint32_t NAME(word);
#else
typedef uint64_t NAME(word);
#endif

MEMLIFT_INLINE NAME(word) NAME(word_at)(const unsigned char *p, unsigned bytes, int up) {
  uint64_t w = 0;
  uint32_t half;
  if (bytes == 8) {
    __builtin_memcpy(&w, p, 8);
    return (NAME(word))(up ? __builtin_bswap64(w) : w);
  }
  __builtin_memcpy(&half, p, 4);
  return (NAME(word))(up ? __builtin_bswap32(half) : half);
}

/* Returns the next value for a multiple of four slices, whose bytes are loaded by words. Bytes that
 * the register does not meet are looked up before it is known. */
MEMLIFT_INLINE NAME(entry) NAME(words)(NAME(entry) c, const unsigned char *p, const NAME(entry) * t,
                                       unsigned slices, int up) {
  const unsigned bytes = slices % sizeof(NAME(word)) ? 4 : sizeof(NAME(word));
  NAME(entry) next = NAME(moved)(c, slices, up);
  for (unsigned k = slices; k;) {
    k -= bytes;
    NAME(word) w = NAME(word_at)(p + k, bytes, up);
    if (BITS / 8 >= bytes)
      w ^= NAME(moved)(c, k, up) >> (up ? (BITS - 8 * bytes) % BITS : 0);
    for (unsigned i = bytes; i--;) {
      unsigned index = (unsigned)(w >> 8 * (up ? bytes - 1 - i : i)) & 0xff;
      if (BITS / 8 < bytes && k + i < BITS / 8)
        index ^= (unsigned)(c >> 8 * (up ? BITS / 8 - 1 - i : i)) & 0xff;
      next ^= t[256 * (slices - 1 - k - i) + index];
    }
  }
  return next;
}

MEMLIFT_INLINE NAME(entry) NAME(loop_of)(NAME(entry) c, const unsigned char *p, size_t n,
                                         const NAME(entry) * t, unsigned slices, int up) {
  for (; n >= slices; p += slices, n -= slices)
    c = slices % 4 ? NAME(bytes)(c, p, t, slices, up) : NAME(words)(c, p, t, slices, up);
  return c;
}

/* The loop of the program, compiled for the usual numbers of slices, and then for the others. */
static NAME(entry) NAME(loop)(NAME(entry) c, const unsigned char *p, size_t n,
                              const NAME(entry) * t, unsigned slices, int up) {
  switch (slices) {
  case 4: return up ? NAME(loop_of)(c, p, n, t, 4, 1) : NAME(loop_of)(c, p, n, t, 4, 0);
  case 8: return up ? NAME(loop_of)(c, p, n, t, 8, 1) : NAME(loop_of)(c, p, n, t, 8, 0);
  case 16: return up ? NAME(loop_of)(c, p, n, t, 16, 1) : NAME(loop_of)(c, p, n, t, 16, 0);
  }
  return NAME(loop_of)(c, p, n, t, slices, up);
}

#if MEMLIFT_FOLDS_TABLES
/* Runs the loop until each page with a part of the tables has been read from, as far as there are
 * bytes. Returns the bytes taken. Each page but the first and the last has a whole slice in it, so
 * an iteration reads from it. */
static size_t NAME(touch)(NAME(entry) * state, const unsigned char *p, size_t n,
                          const NAME(entry) * t, unsigned slices, int up) {
  const NAME(entry) *const last = t + 256 * (slices - 1);
  /* Entries of the lowest slice in the first page, and the first one of the highest in the last. */
  const size_t first = (PAGE - (uintptr_t)t % PAGE) >> ENTRY_LOG;
  const size_t in_last = ((uintptr_t)(last + 256) - 1) % PAGE + 1;
  const size_t from = in_last >> ENTRY_LOG >= 256 ? 0 : 256 - (in_last >> ENTRY_LOG);
  int low = first >= 256, high = from == 0;
  NAME(entry) c = *state;
  size_t i = 0;
  for (; n - i >= slices && !(low && high); i += slices) {
    const NAME(entry) left = NAME(moved)(c, slices - 1, up);
    const unsigned end = (unsigned)(up ? left >> (BITS - 8) : left) ^ p[i + slices - 1];
    const unsigned begin = (unsigned)(up ? c >> (BITS - 8) : c) ^ p[i];
    low |= (end & 0xff) < first;
    high |= (begin & 0xff) >= from;
    c = NAME(loop)(c, p + i, slices, t, slices, up);
  }
  *state = c;
  return i;
}

/* True if all slices are those of a CRC: the first one its table, and each other one an entry of
 * that more, by a byte that is 0. */
static int NAME(are_of)(const NAME(entry) * t, unsigned slices, int up, struct form *form) {
  uint64_t at_bit[8];
  for (int bit = 0; bit < 8; bit++)
    at_bit[bit] = *(const volatile NAME(entry) *)&t[1 << bit];
  if (!form_of(at_bit, BITS, up, form))
    return 0;
  for (unsigned k = 0;; k++) {
    if (!NAME(is_linear)(t + 256 * k, at_bit, ~0ull))
      return 0;
    if (k + 1 == slices)
      return 1;
    for (int bit = 0; bit < 8; bit++) {
      const uint64_t c = at_bit[bit];
      at_bit[bit] = t[(up ? c >> (BITS - 8) : c) & 0xff] ^ NAME(moved)((NAME(entry))c, 1, up);
    }
  }
}

static const void *NAME(failed);

static NAME(entry) NAME(checked)(NAME(entry) c, const unsigned char *p, size_t n,
                                 const NAME(entry) * t, unsigned slices, int up) {
  const size_t done = NAME(touch)(&c, p, n, t, slices, up);
  struct form form;
  p += done, n -= done;
  if (n < TEST_FROM(BITS)(slices))
    return NAME(loop)(c, p, n, t, slices, up);
  if (!NAME(are_of)(t, slices, up, &form)) {
    note_failed(&NAME(failed), t);
    return NAME(loop)(c, p, n, t, slices, up);
  }
  note_passed(&NAME(failed), t);
  return (NAME(entry))folded(c, p, n, BITS, &form);
}
#endif

uint64_t PUBLIC(BITS)(uint64_t state, const void *from, size_t n, const ENTRY(BITS) * tables,
                      uint32_t slices, uint32_t reflected) {
  const unsigned char *p = (const unsigned char *)from;
  const NAME(entry) *t = (const NAME(entry) *)tables;
  NAME(entry) c = (NAME(entry))state;
  slices = slices < 1 ? 1 : slices > MOST ? MOST : slices;
  n -= n % slices;
#if MEMLIFT_FOLDS_TABLES
  if (n >= TEST_FROM(BITS)(slices) &&
      !failed_before(&NAME(failed), t, n, TEST_FROM(BITS)(slices)) &&
      memlift_crc_kernel() != memlift_crc_generic)
    return NAME(checked)(c, p, n, t, slices, !reflected);
#endif
  return NAME(loop)(c, p, n, t, slices, !reflected);
}
