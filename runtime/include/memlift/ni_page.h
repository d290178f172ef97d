/* ni_page.h - sending and receiving by loads and stores of a network interface's own pages
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Inline functions over the layout of ni_words.h, for compiled code on the shortest path: no call,
 * no lock, no state. They need neither an operating system nor libmemlift.
 *
 *   the order     A device starts when word 1 of a channel is stored, so everything else of the
 *                 message is stored before: payload, word 0, word 1. All accesses are volatile: the
 *                 compiler leaves out none, adds none, and keeps their order. memlift's passes
 *                 leave volatile accesses alone.
 *   kind          How the pages are mapped decides what the core needs beyond that:
 *                 MEMLIFT_NI_DEVICE     device memory (uncached, strongly ordered): nothing
 *                 MEMLIFT_NI_COMBINING  write-combining: the barrier `window` (barriers.h) before
 *                                       word 1, and after it, lest the doorbell wait in the core
 *                 MEMLIFT_NI_MEMORY     ordinary memory, where the device is software: barriers for
 *                                       its other end; on x86-64 no instruction
 *                 A constant: the other cases then leave no code.
 *   payload       Byte i of data is byte i of the payload, on machines of either byte order. A size
 *                 that is no multiple of 8 ends in a word whose other bytes are 0; nothing beyond
 *                 data + size is read. With a constant size of 32 the copy is four stores.
 *                 memlift_aligned (intrinsics.h) decides whether data is read by words: where it
 *                 proves a multiple of 8, or the machine loads words at any address; else by bytes.
 *   sizes         The caller has checked them: 1 to MEMLIFT_NI_PAYLOAD_MOST.
 *   free channel  A channel is not written while its state is QUEUED, nor by two threads at once.
 */
#ifndef MEMLIFT_NI_PAGE_H
#define MEMLIFT_NI_PAGE_H

#include "barriers.h"
#include "ni_words.h"

#include <stddef.h>
#include <stdint.h>

#if defined(__has_include)
#if __has_include(<memlift/intrinsics.h>)
#include <memlift/intrinsics.h>
#endif
#endif
#if !defined(memlift_aligned) /* the runtime was installed without the compilers' part */
#define memlift_aligned(p, n)                                                                      \
  (__builtin_constant_p((uintptr_t)(p) & ((n) - 1)) && ((uintptr_t)(p) & ((n) - 1)) == 0)
#endif

#define MEMLIFT_NI_DEVICE 0
#define MEMLIFT_NI_COMBINING 1
#define MEMLIFT_NI_MEMORY 2

#define MEMLIFT_NI_INLINE static inline __attribute__((always_inline))

/* ---- Words ------------------------------------------------------------------------------- */

/* Words of memory, of any type and at any address. */
typedef uint64_t __attribute__((may_alias)) memlift_ni_word;
struct memlift_ni_unaligned {
  uint64_t word;
} __attribute__((packed, may_alias));

/* A word of the interface from or to one of the machine. By shifts: __builtin_bswap64 may be a call
 * of libgcc, as it is on SPARC. */
MEMLIFT_NI_INLINE uint64_t memlift_ni_little(uint64_t word) {
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  word =
      ((word & UINT64_C(0x00ff00ff00ff00ff)) << 8) | ((word >> 8) & UINT64_C(0x00ff00ff00ff00ff));
  word =
      ((word & UINT64_C(0x0000ffff0000ffff)) << 16) | ((word >> 16) & UINT64_C(0x0000ffff0000ffff));
  word = (word << 32) | (word >> 32);
#endif
  return word;
}

/* Accesses the word of the interface at an offset, which is a multiple of 8. */
MEMLIFT_NI_INLINE volatile memlift_ni_word *memlift_ni_at(volatile void *page, size_t offset) {
  return (volatile memlift_ni_word *)((volatile char *)page + offset);
}
/* ThreadSanitizer would take a device in software for a race: it is told that these are atomic. */
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define MEMLIFT_NI_SANITIZED 1
#endif
#endif
#if defined(MEMLIFT_NI_SANITIZED) || defined(__SANITIZE_THREAD__)
MEMLIFT_NI_INLINE uint64_t memlift_ni_read(volatile memlift_ni_word *at) {
  return __atomic_load_n(at, __ATOMIC_RELAXED);
}
MEMLIFT_NI_INLINE void memlift_ni_write(volatile memlift_ni_word *at, uint64_t word) {
  __atomic_store_n(at, word, __ATOMIC_RELAXED);
}
#else
MEMLIFT_NI_INLINE uint64_t memlift_ni_read(volatile memlift_ni_word *at) { return *at; }
MEMLIFT_NI_INLINE void memlift_ni_write(volatile memlift_ni_word *at, uint64_t word) { *at = word; }
#endif

MEMLIFT_NI_INLINE uint64_t memlift_ni_get(volatile void *page, size_t offset) {
  return memlift_ni_little(memlift_ni_read(memlift_ni_at(page, offset)));
}
MEMLIFT_NI_INLINE void memlift_ni_put(volatile void *page, size_t offset, uint64_t word) {
  memlift_ni_write(memlift_ni_at(page, offset), memlift_ni_little(word));
}

/* A field of a word, and a word of one field: MEMLIFT_NI_FIELD(NI_MAILBOX, SIZE, word). */
#define MEMLIFT_NI_FIELD(format, field, word)                                                      \
  (((word) & MEMLIFT_##format##_##field##_MASK) >> MEMLIFT_##format##_##field##_SHIFT)
#define MEMLIFT_NI_PLACE(format, field, value)                                                     \
  (((uint64_t)(value) << MEMLIFT_##format##_##field##_SHIFT) & MEMLIFT_##format##_##field##_MASK)

/* Words 0 and 1 of a message: address of 42 bits, coordinates of 22; size in bytes, time-out in 20
 * us (0: none, 255 at most), chain 0 or 1. Constants cost nothing. */
MEMLIFT_NI_INLINE uint64_t memlift_ni_word0(uint64_t address, uint32_t coordinates) {
  return MEMLIFT_NI_PLACE(NI_CHANNEL, ADDRESS, address) |
         MEMLIFT_NI_PLACE(NI_CHANNEL, COORDINATES, coordinates);
}
MEMLIFT_NI_INLINE uint64_t memlift_ni_word1(size_t size, unsigned timeout, int chain) {
  return MEMLIFT_NI_PLACE(NI_CHANNEL, SIZE, size) | MEMLIFT_NI_PLACE(NI_CHANNEL, TIMEOUT, timeout) |
         MEMLIFT_NI_PLACE(NI_CHANNEL, AUTO_CHAIN, chain != 0);
}

/* Where channel c of page p lies, and mailbox page p, of the device that is mapped at base. */
MEMLIFT_NI_INLINE volatile void *memlift_ni_channel_at(volatile void *base, unsigned p,
                                                       unsigned c) {
  return (volatile char *)base + p * (size_t)MEMLIFT_NI_PAGE_BYTES +
         c * (size_t)MEMLIFT_NI_CHANNEL_BYTES;
}
MEMLIFT_NI_INLINE volatile void *memlift_ni_mailbox_page(volatile void *base, unsigned p) {
  return (volatile char *)base + MEMLIFT_NI_MAILBOXES + p * (size_t)MEMLIFT_NI_PAGE_BYTES;
}

/* ---- Sending ----------------------------------------------------------------------------- */

/* The word at from in memory order, wherever that is. */
MEMLIFT_NI_INLINE uint64_t memlift_ni_load(const unsigned char *from) {
  return memlift_aligned(from, 8) ? *(const memlift_ni_word *)(const void *)from
                                  : ((const struct memlift_ni_unaligned *)(const void *)from)->word;
}

/* The last n bytes of a payload, 1 to 7, as a word in memory order. */
MEMLIFT_NI_INLINE uint64_t memlift_ni_load_rest(const unsigned char *from, size_t n) {
  uint64_t word = 0;
  for (size_t i = 0; i < n; i++)
    word |= (uint64_t)from[i] << (8 * i);
  return memlift_ni_little(word);
}

/* Words i to i + 3 of a payload of constant size: of those that the size has not, no code is left.
 * Spelled out, as a compiler need not unroll a loop of volatile stores. All are loaded before the
 * first is stored: an in-order core then waits for no load. */
#define MEMLIFT_NI_STORE4(i)                                                                       \
  if (words > (i)) {                                                                               \
    uint64_t a = memlift_ni_load(from + 8 * (i));                                                  \
    uint64_t b = words > (i) + 1 ? memlift_ni_load(from + 8 * (i) + 8) : 0;                        \
    uint64_t c = words > (i) + 2 ? memlift_ni_load(from + 8 * (i) + 16) : 0;                       \
    uint64_t d = words > (i) + 3 ? memlift_ni_load(from + 8 * (i) + 24) : 0;                       \
    memlift_ni_write(&to[i], a);                                                                   \
    if (words > (i) + 1)                                                                           \
      memlift_ni_write(&to[(i) + 1], b);                                                           \
    if (words > (i) + 2)                                                                           \
      memlift_ni_write(&to[(i) + 2], c);                                                           \
    if (words > (i) + 3)                                                                           \
      memlift_ni_write(&to[(i) + 3], d);                                                           \
  }

/* Stores the payload alone. */
MEMLIFT_NI_INLINE void memlift_ni_store_payload(volatile void *channel, const void *data,
                                                size_t size) {
  volatile memlift_ni_word *to = memlift_ni_at(channel, MEMLIFT_NI_CHANNEL_PAYLOAD_OFFSET);
  const unsigned char *from = (const unsigned char *)data;
  size_t words = size / 8;
  if (__builtin_constant_p(size)) {
    MEMLIFT_NI_STORE4(0);
    MEMLIFT_NI_STORE4(4);
    MEMLIFT_NI_STORE4(8);
    MEMLIFT_NI_STORE4(12);
    MEMLIFT_NI_STORE4(16);
    MEMLIFT_NI_STORE4(20);
    MEMLIFT_NI_STORE4(24);
    MEMLIFT_NI_STORE4(28);
  } else {
    for (size_t i = 0; i < words; i++)
      memlift_ni_write(&to[i], memlift_ni_load(from + 8 * i));
  }
  if (size % 8)
    memlift_ni_write(&to[words], memlift_ni_load_rest(from + 8 * words, size % 8));
}
#undef MEMLIFT_NI_STORE4

/* Stores the two words that send what is in the channel. */
MEMLIFT_NI_INLINE void memlift_ni_trigger(volatile void *channel, uint64_t word0, uint64_t word1,
                                          int kind) {
  memlift_ni_put(channel, MEMLIFT_NI_CHANNEL_ADDRESS_OFFSET, word0);
  if (kind == MEMLIFT_NI_COMBINING)
    memlift_barrier_window(); /* the device has payload and word 0 before the doorbell */
  if (kind == MEMLIFT_NI_MEMORY)
    memlift_barrier_to_device(); /* who sees word 1 sees payload and word 0 */
  memlift_ni_put(channel, MEMLIFT_NI_CHANNEL_SIZE_OFFSET, word1);
  if (kind == MEMLIFT_NI_COMBINING)
    memlift_barrier_window(); /* the doorbell does not wait in the core */
}

/* Sends a message through a free channel: the whole store sequence. */
MEMLIFT_NI_INLINE void memlift_ni_send(volatile void *channel, const void *data, size_t size,
                                       uint64_t word0, uint64_t word1, int kind) {
  memlift_ni_store_payload(channel, data, size);
  memlift_ni_trigger(channel, word0, word1, kind);
}

/* A STATE value of the channel: MEMLIFT_NI_CHANNEL_STATE_ACKNOWLEDGED and so on. Of a device: one
 * in memory takes note of a doorbell only when it looks. */
MEMLIFT_NI_INLINE unsigned memlift_ni_state(volatile void *channel) {
  return (unsigned)MEMLIFT_NI_FIELD(NI_CHANNEL, STATE,
                                    memlift_ni_get(channel, MEMLIFT_NI_CHANNEL_STATE_OFFSET));
}

/* ---- Receiving --------------------------------------------------------------------------- */

/* Size of the packet at the head of the mailbox; 0: there is none. To be looked at again and again.
 * A size above MEMLIFT_NI_PAYLOAD_MOST is a broken device's. */
MEMLIFT_NI_INLINE size_t memlift_ni_head(volatile void *mailbox, int kind) {
  size_t size = (size_t)MEMLIFT_NI_FIELD(NI_MAILBOX, SIZE,
                                         memlift_ni_get(mailbox, MEMLIFT_NI_MAILBOX_SIZE_OFFSET));
  if (kind != MEMLIFT_NI_DEVICE && size)
    memlift_barrier_from_device(); /* the words that are loaded next are those of this packet */
  return size;
}

/* Stores a word of a payload at any address. */
MEMLIFT_NI_INLINE void memlift_ni_keep(unsigned char *to, uint64_t word) {
  if (memlift_aligned(to, 8))
    *(memlift_ni_word *)(void *)to = word;
  else
    ((struct memlift_ni_unaligned *)(void *)to)->word = word;
}

/* Loads of words i to i + 3 from the interface, which are issued before the first is needed. */
#define MEMLIFT_NI_LOAD4(i)                                                                        \
  if (words > (i)) {                                                                               \
    uint64_t a = memlift_ni_read(&from[i]);                                                        \
    uint64_t b = words > (i) + 1 ? memlift_ni_read(&from[(i) + 1]) : 0;                            \
    uint64_t c = words > (i) + 2 ? memlift_ni_read(&from[(i) + 2]) : 0;                            \
    uint64_t d = words > (i) + 3 ? memlift_ni_read(&from[(i) + 3]) : 0;                            \
    memlift_ni_keep(to + 8 * (i), a);                                                              \
    if (words > (i) + 1)                                                                           \
      memlift_ni_keep(to + 8 * (i) + 8, b);                                                        \
    if (words > (i) + 2)                                                                           \
      memlift_ni_keep(to + 8 * (i) + 16, c);                                                       \
    if (words > (i) + 3)                                                                           \
      memlift_ni_keep(to + 8 * (i) + 24, d);                                                       \
  }

/* Loads the payload of the packet at the head, which has that size. */
MEMLIFT_NI_INLINE void memlift_ni_load_payload(volatile void *mailbox, void *buffer, size_t size) {
  volatile memlift_ni_word *from = memlift_ni_at(mailbox, MEMLIFT_NI_MAILBOX_PAYLOAD_OFFSET);
  unsigned char *to = (unsigned char *)buffer;
  size_t words = size / 8;
  if (__builtin_constant_p(size)) {
    MEMLIFT_NI_LOAD4(0);
    MEMLIFT_NI_LOAD4(4);
    MEMLIFT_NI_LOAD4(8);
    MEMLIFT_NI_LOAD4(12);
    MEMLIFT_NI_LOAD4(16);
    MEMLIFT_NI_LOAD4(20);
    MEMLIFT_NI_LOAD4(24);
    MEMLIFT_NI_LOAD4(28);
  } else {
    for (size_t i = 0; i < words; i++)
      memlift_ni_keep(to + 8 * i, memlift_ni_read(&from[i]));
  }
  if (size % 8) {
    uint64_t last = memlift_ni_little(memlift_ni_read(&from[words]));
    for (size_t i = 0; i < size % 8; i++)
      to[8 * words + i] = (unsigned char)(last >> (8 * i));
  }
}
#undef MEMLIFT_NI_LOAD4

/* Drops the packet at the head; the next one, if any, is there instead. */
MEMLIFT_NI_INLINE void memlift_ni_pop(volatile void *mailbox, int kind) {
  if (kind != MEMLIFT_NI_DEVICE)
    memlift_barrier_arm(); /* the payload has been loaded before its place is given back */
  memlift_ni_put(mailbox, MEMLIFT_NI_MAILBOX_POP_OFFSET, 1);
}

#endif
