/* entry_crc_table.c - CRCs by tables of the program's, which are checked in each call
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The naive way is the loop of the program: one look-up for each byte. Folding is many times
 * faster, but is right only for the table of a CRC, and nobody knows what is in this one.
 *
 * A CRC's table is linear: entry i is the exclusive-or of the entries at the bits of i. And the
 * eight entries at single bits are one polynomial, shifted 0 to 7 times. So eight entries tell the
 * polynomial, and the others are compared with what they must be, which takes less time than the
 * loop takes for 30 bytes. What is no such table gets the loop.
 *
 * Entries that no byte looks up need not be readable: the program's object may be smaller than its
 * index allows. But memory is protected by pages, so a page that the loop has read from is safe to
 * read whole. The loop runs until it has read from each page of the table: there are one or two.
 *
 * Bytes may enter at the other end of the register: tables of a CRC that is not reflected, with the
 * bytes of each entry swapped, as FFmpeg has them. The register is then swapped, too.
 */
#include "../include/memlift/memlift.h"
#include "../kernels/dispatch.h"

#if defined(__x86_64__)
#define MEMLIFT_FOLDS_TABLES 1
#else
#define MEMLIFT_FOLDS_TABLES 0
#endif

#if MEMLIFT_FOLDS_TABLES
/* The smallest page of any system here; larger ones are several of these. */
#define PAGE 4096u

/* At 60 bytes the check and folding take as long as the loop, 110 ns on a Zen 4. What is gained
 * from here on is more than a check in vain costs. */
#define CHECK_FROM 80

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

#define JOIN2(a, b, c) a##b##c
#define JOIN(a, b, c) JOIN2(a, b, c)
#define NAME(of) JOIN(of, _u, BITS)
#define ENTRY(bits) JOIN(uint, bits, _t)
#define PUBLIC(bits) JOIN(memlift_crc_table_u, bits, )

#define BITS 8
#define ENTRY_LOG 0
#include "../kernels/crc_table.h"
#undef BITS
#undef ENTRY_LOG
#define BITS 16
#define ENTRY_LOG 1
#include "../kernels/crc_table.h"
#undef BITS
#undef ENTRY_LOG
#define BITS 32
#define ENTRY_LOG 2
#include "../kernels/crc_table.h"
#undef BITS
#undef ENTRY_LOG
#define BITS 64
#define ENTRY_LOG 3
#include "../kernels/crc_table.h"
