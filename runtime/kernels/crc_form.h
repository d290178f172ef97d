/* crc_form.h - whether eight entries of a table are those of a CRC, and of which polynomial
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Both entry_crc_table.c, which tells the idea, and entry_crc_slices.c test a program's tables.
 * Tests are made where constants for folding can be made at run time: on x86-64.
 */
#ifndef MEMLIFT_KERNELS_CRC_FORM_H
#define MEMLIFT_KERNELS_CRC_FORM_H

#include "../include/memlift/memlift.h"
#include "dispatch.h"

#if defined(__x86_64__)
#define MEMLIFT_FOLDS_TABLES 1
#else
#define MEMLIFT_FOLDS_TABLES 0
#endif

#if MEMLIFT_FOLDS_TABLES
/* The smallest page of any system here; larger ones are several of these. */
#define PAGE 4096u

typedef uint64_t vector __attribute__((vector_size(16)));

MEMLIFT_INLINE vector read16(const unsigned char *p) {
  vector v;
  __builtin_memcpy(&v, p, 16);
  return v;
}

/* The low `bits` of x, in all of a vector. */
MEMLIFT_INLINE vector repeated(uint64_t x, unsigned bits) {
  if (bits < 64)
    x = (x & ~0ull >> (64 - bits)) * (~0ull / (~0ull >> (64 - bits)));
  return (vector){x, x};
}

/* A table that is no CRC's mostly stays so, and a test in vain takes as long as the loop does for
 * 30 bytes of one table. So the last one of a width that failed is known by its address, and is not
 * tested again for less than so many times the least number of bytes: a test is then a hundredth
 * of a call at most. It decides about speed alone: any thread may have written it. */
#define TESTED_AGAIN_FROM 64

MEMLIFT_INLINE int failed_before(const void *const *failed, const void *table, size_t n,
                                 size_t least) {
  return __atomic_load_n(failed, __ATOMIC_RELAXED) == table && n < TESTED_AGAIN_FROM * least;
}

MEMLIFT_INLINE void note_failed(const void **failed, const void *table) {
  __atomic_store_n(failed, table, __ATOMIC_RELAXED);
}

/* The program may have filled it since. */
MEMLIFT_INLINE void note_passed(const void **failed, const void *table) {
  if (MEMLIFT_UNLIKELY(__atomic_load_n(failed, __ATOMIC_RELAXED) == table))
    __atomic_store_n(failed, (const void *)0, __ATOMIC_RELAXED);
}

/* The register that a table is of. */
struct form {
  uint64_t poly;
  int up, swapped;
};

/* True if the entries at single bits are those of one polynomial. Those of another table mostly
 * differ at once. */
static int steps(const uint64_t *at_bit, unsigned width, int up, uint64_t *poly) {
  const uint64_t mask = ~0ull >> (64 - width);
  const uint64_t first = at_bit[up ? 0 : 7];
  uint64_t c = first;
  for (int i = 1; i < 8; i++) {
    c = up ? (c << 1 & mask) ^ (first & (0 - (c >> (width - 1))))
           : c >> 1 ^ (first & (0 - (c & 1)));
    if (c != at_bit[up ? i : 7 - i])
      return 0;
  }
  *poly = first;
  return first && first <= mask;
}

MEMLIFT_INLINE uint64_t swapped(uint64_t x, unsigned width) {
  return __builtin_bswap64(x) >> (64 - width);
}

static int form_of(const uint64_t *at_bit, unsigned width, int up, struct form *form) {
  uint64_t turned[8];
  form->up = up, form->swapped = 0;
  if (steps(at_bit, width, up, &form->poly))
    return 1;
  if (width % 8)
    return 0;
  for (int bit = 0; bit < 8; bit++) {
    if (at_bit[bit] & ~(~0ull >> (64 - width)))
      return 0;
    turned[bit] = swapped(at_bit[bit], width);
  }
  form->up = !up, form->swapped = 1;
  return steps(turned, width, !up, &form->poly);
}

static uint64_t folded(uint64_t c, const unsigned char *p, size_t n, unsigned width,
                       const struct form *form) {
  if (form->swapped)
    c = swapped(c, width);
  c = memlift_crc_any(c, p, n, form->poly, width, !form->up);
  return form->swapped ? swapped(c, width) : c;
}
#endif

#endif
