/* ni_await.h - the shortest way from a device's mailbox into registers, and back
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * For a program that waits for messages of one size, and answers: what ni_page.h does in separate
 * steps, in the order and with the instructions that cost an in-order core least. The size is a
 * constant and a multiple of 8. Measured on the RTL of real cores: bench/README.md.
 *
 * Problem: the branch that finds a mailbox filled was taken the other way each time before. It is
 * mispredicted, which costs as much as a load from the device, and the loads of the payload come
 * after it.
 *
 * Idea: the size is an offset. The last word of a payload of n bytes is at offset n of the mailbox
 * page (SIZE at 0, PAYLOAD from 8 on), and at offset 0 is the size. So each load is from the page
 * plus what the load before has given: it polls again, or it has the last word already, and the
 * branch is resolved meanwhile. The other words are loaded at addresses that are computed from the
 * size, too. That orders them after it on every machine here without a barrier, also where pages
 * are not strongly ordered.
 *
 * A load from a device waits on CVA6 until it is the oldest instruction, and looks every four
 * cycles whether it is. CVA6 renames no register: an instruction right before the load that writes
 * the same register and depends on nothing keeps it in the issue stage until just then. A load then
 * takes 8 cycles rather than 10.
 *
 *   kinds   those of ni_page.h, and
 *           MEMLIFT_NI_GATHERING  a window of weakly ordered memory, of a device that sends a
 *                                 message when the doorbell, word 0 and all words of the payload
 *                                 have been stored since the last message of the channel: no
 *                                 barrier is needed. A channel is not stored to before its last
 *                                 message is known to have left: by an answer, or by its state,
 *                                 read after the barrier `arm`.
 */
#ifndef MEMLIFT_NI_AWAIT_H
#define MEMLIFT_NI_AWAIT_H

#include "ni_page.h"

#define MEMLIFT_NI_GATHERING 3

/* Loads a word from the device as soon as that can be done. */
MEMLIFT_NI_INLINE uint64_t memlift_ni_load_soon(volatile void *at, int kind) {
#if defined(__riscv) && __riscv_xlen == 64
  if (kind == MEMLIFT_NI_DEVICE) {
    uint64_t word;
    __asm__ volatile("li %0, 0\n\tld %0, %1" : "=&r"(word) : "m"(*memlift_ni_at(at, 0)));
    return word;
  }
#endif
  (void)kind;
  return *memlift_ni_at(at, 0);
}

/* Waits until there is a message at the head of the mailbox, and gives its size. If that is `size`,
 * the payload is in the buffer. Otherwise it has not been loaded: memlift_ni_load_payload does it.
 * The message stays until memlift_ni_pop. The device is trusted to give no size above
 * MEMLIFT_NI_PAYLOAD_MOST: such a size would be an offset beyond the mailbox. */
MEMLIFT_NI_INLINE size_t memlift_ni_await(volatile void *mailbox, void *buffer, size_t size,
                                          int kind) {
  unsigned char *to = (unsigned char *)buffer;
  volatile char *page = (volatile char *)mailbox, *at;
  uint64_t word = memlift_ni_load_soon(page + MEMLIFT_NI_MAILBOX_SIZE_OFFSET, kind);
  do {
    at = page + memlift_ni_little(word);
    __asm__("" : "+r"(at)); /* an address that depends on the size, whatever is known of it */
    word = memlift_ni_load_soon(at, kind);
  } while (at == page);
  size_t found = (size_t)(at - page);
  __asm__("" : "+r"(at));
  if (found != size)
    return found;
  size_t last = size - 8;
#pragma GCC unroll 32 /* at every level: a branch may cost as much as a load from the device */
  for (size_t i = 0; i < last; i += 8)
    memlift_ni_keep(to + i, memlift_ni_load_soon(at - last + i, kind));
  memlift_ni_keep(to + last, word);
  return size;
}

/* Word 0 of a message whose destination is known before its payload. The channel is free. */
MEMLIFT_NI_INLINE void memlift_ni_prepare(volatile void *channel, uint64_t word0) {
  memlift_ni_put(channel, MEMLIFT_NI_CHANNEL_ADDRESS_OFFSET, word0);
}

/* Sends a message through a prepared channel: payload and doorbell. */
MEMLIFT_NI_INLINE void memlift_ni_send_prepared(volatile void *channel, const void *data,
                                                size_t size, uint64_t word1, int kind) {
  memlift_ni_store_payload(channel, data, size);
  if (kind == MEMLIFT_NI_COMBINING)
    memlift_barrier_window();
  if (kind == MEMLIFT_NI_MEMORY)
    memlift_barrier_to_device();
  memlift_ni_put(channel, MEMLIFT_NI_CHANNEL_SIZE_OFFSET, word1);
  if (kind == MEMLIFT_NI_COMBINING)
    memlift_barrier_window();
}

#endif
