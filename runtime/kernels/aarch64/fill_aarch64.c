/* fill_aarch64.c - fills by NEON, zeros by whole blocks (DC ZVA), short periods by table look-up
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A value of 8 bytes fits into every vector; a vector that starts k bytes into the fill holds it
 * rotated by k % 8. So: one vector at the front, four at the back, aligned ones between.
 *
 * DC ZVA clears a block of 16 to 2048 bytes without reading it. How many, and whether a program may
 * use it at all, is what DCZID_EL0 says (Arm ARM D17: BS, log2 of words of 4 bytes; DZP).
 */
#include "../kernels.h"

#if defined(__aarch64__) && MEMLIFT_HAVE_MACHINE_KERNELS
#include "small_aarch64.h"

#define V 16
#define SPLAT(x) vreinterpretq_u8_u64(vdupq_n_u64(x))
#define STORE(p, v) vst1q_u8(p, v)

MEMLIFT_INLINE void store4(unsigned char *d, uint8x16_t v) {
  STORE(d, v), STORE(d + V, v), STORE(d + 2 * V, v), STORE(d + 3 * V, v);
}

/* n > 4 V */
MEMLIFT_INLINE void fill_large(unsigned char *d, uint64_t pattern, size_t n) {
  unsigned char *end = d + n - 4 * V;
  size_t skip = V - ((uintptr_t)d & (V - 1));
  uint8x16_t tail = SPLAT(memlift_rotate_pattern(pattern, n));
  uint8x16_t body = SPLAT(memlift_rotate_pattern(pattern, skip));
  STORE(d, SPLAT(pattern));
  for (d += skip; d < end; d += 4 * V)
    store4(d, body);
  store4(end, tail);
}

MEMLIFT_INLINE void fill(unsigned char *d, uint64_t pattern, size_t n) {
  if (n <= V) {
    fill_up_to_16(d, pattern, n);
    return;
  }
  uint8x16_t a = SPLAT(pattern), z = SPLAT(memlift_rotate_pattern(pattern, n));
  if (n <= 2 * V) {
    STORE(d, a), STORE(d + n - V, z);
  } else if (n <= 4 * V) {
    STORE(d, a), STORE(d + V, a), STORE(d + n - 2 * V, z), STORE(d + n - V, z);
  } else {
    fill_large(d, pattern, n);
  }
}

/* Bytes that DC ZVA clears; 0 where it is prohibited. */
MEMLIFT_INLINE size_t zero_block(void) {
  uint64_t id;
  __asm__("mrs %0, dczid_el0" : "=r"(id));
  return id & 16 ? 0 : (size_t)4 << (id & 15);
}

/* Whole blocks within the region only. */
MEMLIFT_KERNEL static void zero_by_blocks(unsigned char *d, size_t n, size_t block) {
  size_t head = (0 - (uintptr_t)d) & (block - 1);
  fill(d, 0, head);
  for (d += head, n -= head; n >= block; d += block, n -= block)
    __asm__ volatile("dc zva, %0" : : "r"(d) : "memory");
  fill(d, 0, n);
}

/* From here on blocks pay: head and tail are one block together on average. */
#define BLOCKS_FROM 512

MEMLIFT_KERNEL void memlift_fill_aarch64_neon(void *dst, uint64_t pattern, size_t n) {
  if (n >= BLOCKS_FROM && pattern == 0) {
    size_t block = zero_block();
    if (block && n >= 4 * block) {
      zero_by_blocks((unsigned char *)dst, n, block);
      return;
    }
  }
  fill((unsigned char *)dst, pattern, n);
}

/* Places of 16 bytes from each phase of a period; a row for 3, 5, 6 and 7. */
static const unsigned char places[4][22] = {
    {0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0},
    {0, 1, 2, 3, 4, 0, 1, 2, 3, 4, 0, 1, 2, 3, 4, 0, 1, 2, 3, 4, 0, 1},
    {0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5, 0, 1, 2, 3},
    {0, 1, 2, 3, 4, 5, 6, 0, 1, 2, 3, 4, 5, 6, 0, 1, 2, 3, 4, 5, 6, 0}};

/* The first n bytes of v, fewer than 16. */
MEMLIFT_INLINE void store_few(unsigned char *d, uint8x16_t v, size_t n) {
  uint64x2_t w = vreinterpretq_u64_u8(v);
  uint64_t x = vgetq_lane_u64(w, 0);
  if (n & 8) {
    *(any_u64 *)d = x;
    d += 8, x = vgetq_lane_u64(w, 1);
  }
  if (n & 4) {
    *(any_u32 *)d = (uint32_t)x;
    d += 4, x >>= 32;
  }
  if (n & 2) {
    *(any_u16 *)d = (uint16_t)x;
    d += 2, x >>= 16;
  }
  if (n & 1)
    *d = (unsigned char)x;
}

/* A vector an iteration, each a whole number of periods after the last: 15, 15, 12 or 14 bytes on;
 * what it overlaps is stored again. */
MEMLIFT_KERNEL void memlift_pattern_aarch64_neon(void *dst, uint64_t pattern, unsigned period,
                                                 size_t n) {
  const unsigned char *row = places[period == 3 ? 0 : period - 4];
  unsigned char *d = (unsigned char *)dst, *end = d + n;
  uint8x16_t value = vreinterpretq_u8_u64(vdupq_n_u64(pattern));
  uint8x16_t v = vqtbl1q_u8(value, vld1q_u8(row));
  if (n < V) {
    store_few(d, v, n);
    return;
  }
  for (size_t step = 15 - 15 % period; (size_t)(end - d) > V; d += step)
    STORE(d, v);
  STORE(end - V, vqtbl1q_u8(value, vld1q_u8(row + (n - V) % period)));
}

/* Patterns of 9 to 16 bytes: a vector a period; the bytes after the period are its first again. */
MEMLIFT_KERNEL void memlift_pattern16_aarch64_neon(void *dst, uint64_t low, uint64_t high,
                                                   unsigned period, size_t n) {
  static const unsigned char count[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
  unsigned char *d = (unsigned char *)dst;
  uint8x16_t place = vld1q_u8(count), length = vdupq_n_u8((unsigned char)period);
  place = vsubq_u8(place, vandq_u8(vcgeq_u8(place, length), length));
  uint8x16_t value = vreinterpretq_u8_u64(vcombine_u64(vcreate_u64(low), vcreate_u64(high)));
  uint8x16_t v = vqtbl1q_u8(value, place);
  for (; n >= V; d += period, n -= period)
    STORE(d, v);
  store_few(d, v, n);
}
#endif

typedef int memlift_fill_aarch64; /* a translation unit must not be empty */
