/* words.h - reading and writing the words of a format, whatever the byte order of this machine
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A record is bytes. A word of it is put together by shifts in the byte order of its format, a
 * field taken out by the masks of intrinsics/generated/memlift_formats.h. No C bit-field anywhere:
 * where those lie is the compiler's choice.
 */
#ifndef MEMLIFT_WORDS_H
#define MEMLIFT_WORDS_H

#include "../../intrinsics/generated/memlift_formats.h"

#include <stdint.h>

/* A word of 1, 2, 4 or 8 bytes at p. */
static inline uint64_t memlift_word_get(const unsigned char *p, unsigned bytes, int big) {
  uint64_t value = 0;
  for (unsigned i = 0; i < bytes; i++)
    value |= (uint64_t)p[i] << (8 * (big ? bytes - 1 - i : i));
  return value;
}

static inline void memlift_word_put(unsigned char *p, unsigned bytes, int big, uint64_t value) {
  for (unsigned i = 0; i < bytes; i++)
    p[i] = (unsigned char)(value >> (8 * (big ? bytes - 1 - i : i)));
}

/* Puts value into the bits of mask, and leaves the other bits of the word as they are. */
static inline void memlift_field_put(unsigned char *p, unsigned bytes, int big, uint64_t mask,
                                     unsigned shift, uint64_t value) {
  uint64_t others = memlift_word_get(p, bytes, big) & ~mask;
  memlift_word_put(p, bytes, big, others | ((value << shift) & mask));
}

static inline void memlift_record_clear(unsigned char *p, unsigned bytes) {
  for (unsigned i = 0; i < bytes; i++)
    p[i] = 0;
}

/* The bytes of a pattern in memory order: the same on machines of either byte order. */
static inline void memlift_pattern_put(unsigned char *p, uint64_t pattern) {
  const unsigned char *bytes = (const unsigned char *)&pattern;
  for (unsigned i = 0; i < sizeof pattern; i++)
    p[i] = bytes[i];
}

/* MEMLIFT_GET(record, DAX_CCB, OPCODE), MEMLIFT_PUT(record, DAX_CCB, OPCODE, value) */
#define MEMLIFT_GET(record, format, field)                                                         \
  ((memlift_word_get((record) + MEMLIFT_##format##_##field##_OFFSET,                               \
                     MEMLIFT_##format##_##field##_BYTES, MEMLIFT_##format##_BIG_ENDIAN) &          \
    MEMLIFT_##format##_##field##_MASK) >>                                                          \
   MEMLIFT_##format##_##field##_SHIFT)
#define MEMLIFT_PUT(record, format, field, value)                                                  \
  memlift_field_put((record) + MEMLIFT_##format##_##field##_OFFSET,                                \
                    MEMLIFT_##format##_##field##_BYTES, MEMLIFT_##format##_BIG_ENDIAN,             \
                    MEMLIFT_##format##_##field##_MASK, MEMLIFT_##format##_##field##_SHIFT, value)

#endif
