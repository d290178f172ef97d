/* copy_aarch64.c - copy and move by NEON
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Up to 128 bytes there is no loop: vectors from the front and vectors from the back that meet or
 * overlap in the middle, all loaded before any is stored, so that overlap does not matter.
 *
 * Above that the first vector and the last four are loaded first and stored last; between them a
 * loop of four vectors an iteration writes to aligned addresses. It may run into the tail's region;
 * both write the same bytes. Head and tail come last, so no store comes before a load it could
 * spoil. Pairs of vectors (ldp, stp) are one instruction; in-order cores (Cortex-A53, A55) want the
 * loads of an iteration together before its stores.
 */
#include "../kernels.h"

#if defined(__aarch64__) && MEMLIFT_HAVE_MACHINE_KERNELS
#include "small_aarch64.h"

#define V 16
#define LOAD(p) vld1q_u8(p)
#define STORE(p, v) vst1q_u8(p, v)

/* Four vectors at once, all loaded before one is stored. */
struct four {
  uint8x16_t a, b, c, d;
};

MEMLIFT_INLINE struct four load4(const unsigned char *s) {
  return (struct four){LOAD(s), LOAD(s + V), LOAD(s + 2 * V), LOAD(s + 3 * V)};
}

MEMLIFT_INLINE void store4(unsigned char *d, struct four v) {
  STORE(d, v.a), STORE(d + V, v.b), STORE(d + 2 * V, v.c), STORE(d + 3 * V, v.d);
}

/* n is at most 8 V. */
MEMLIFT_INLINE void move_small(unsigned char *d, const unsigned char *s, size_t n) {
  if (n <= V) {
    move_up_to_16(d, s, n);
  } else if (n <= 2 * V) {
    uint8x16_t a = LOAD(s), z = LOAD(s + n - V);
    STORE(d, a), STORE(d + n - V, z);
  } else if (n <= 4 * V) {
    uint8x16_t a = LOAD(s), b = LOAD(s + V), y = LOAD(s + n - 2 * V), z = LOAD(s + n - V);
    STORE(d, a), STORE(d + V, b), STORE(d + n - 2 * V, y), STORE(d + n - V, z);
  } else {
    struct four first = load4(s), last = load4(s + n - 4 * V);
    store4(d, first), store4(d + n - 4 * V, last);
  }
}

/* n > 8 V; dst below src, or disjoint. */
MEMLIFT_INLINE void move_up(unsigned char *d, const unsigned char *s, size_t n) {
  unsigned char *end = d + n - 4 * V, *first = d;
  uint8x16_t head = LOAD(s);
  struct four tail = load4(s + n - 4 * V);
  size_t skip = V - ((uintptr_t)d & (V - 1));
  for (d += skip, s += skip; d < end; d += 4 * V, s += 4 * V)
    store4(d, load4(s));
  store4(end, tail);
  STORE(first, head);
}

/* n > 8 V; dst above src. The mirror image. */
MEMLIFT_INLINE void move_down(unsigned char *d, const unsigned char *s, size_t n) {
  struct four head = load4(s);
  uint8x16_t tail = LOAD(s + n - V);
  unsigned char *last = d + n - V;
  size_t left = n - ((uintptr_t)(d + n) & (V - 1));
  for (; left > 4 * V; left -= 4 * V)
    store4(d + left - 4 * V, load4(s + left - 4 * V));
  store4(d, head);
  STORE(last, tail);
}

MEMLIFT_KERNEL void memlift_copy_aarch64_neon(void *dst, const void *src, size_t n) {
  unsigned char *d = (unsigned char *)dst;
  const unsigned char *s = (const unsigned char *)src;
  if (n <= 8 * V)
    move_small(d, s, n);
  else
    move_up(d, s, n);
}

/* The difference wraps: it is at least n when dst is not within the source. */
MEMLIFT_KERNEL void memlift_move_aarch64_neon(void *dst, const void *src, size_t n) {
  unsigned char *d = (unsigned char *)dst;
  const unsigned char *s = (const unsigned char *)src;
  if (n <= 8 * V)
    move_small(d, s, n);
  else if ((uintptr_t)d - (uintptr_t)s >= n)
    move_up(d, s, n);
  else if (d != s)
    move_down(d, s, n);
}
#endif

typedef int memlift_copy_aarch64; /* a translation unit must not be empty */
