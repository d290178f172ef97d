/* ni-send.c - the store sequence of ni_page.h, for a look at its assembly
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include <memlift/ni_page.h>

struct payload {
  uint64_t words[4];
};

/* 32 bytes, aligned, to device memory. */
void send_device(volatile void *channel, const struct payload *data, uint64_t word0) {
  const void *from = __builtin_assume_aligned(data, 8);
  memlift_ni_send(channel, from, 32, word0, memlift_ni_word1(32, 0, 0), MEMLIFT_NI_DEVICE);
}

/* To write-combining memory. */
void send_combining(volatile void *channel, const struct payload *data, uint64_t word0) {
  const void *from = __builtin_assume_aligned(data, 8);
  memlift_ni_send(channel, from, 32, word0, memlift_ni_word1(32, 0, 0), MEMLIFT_NI_COMBINING);
}

/* To a device in software. */
void send_memory(volatile void *channel, const struct payload *data, uint64_t word0) {
  const void *from = __builtin_assume_aligned(data, 8);
  memlift_ni_send(channel, from, 32, word0, memlift_ni_word1(32, 0, 0), MEMLIFT_NI_MEMORY);
}

/* From an address that nothing is known of. */
void send_unaligned(volatile void *channel, const unsigned char *data, uint64_t word0) {
  memlift_ni_send(channel, data, 32, word0, memlift_ni_word1(32, 0, 0), MEMLIFT_NI_DEVICE);
}

/* Sends a message of an unknown size: a loop over words, which no pass may turn into a call. */
void send_any(volatile void *channel, const unsigned char *data, size_t size, uint64_t word0) {
  memlift_ni_send(channel, data, size, word0, memlift_ni_word1(size, 5, 1), MEMLIFT_NI_DEVICE);
}

/* A poll, the loads of 32 bytes, and the pop. */
int receive_device(volatile void *mailbox, struct payload *to) {
  void *at = __builtin_assume_aligned(to, 8);
  if (memlift_ni_head(mailbox, MEMLIFT_NI_DEVICE) != 32)
    return 0;
  memlift_ni_load_payload(mailbox, at, 32);
  memlift_ni_pop(mailbox, MEMLIFT_NI_DEVICE);
  return 1;
}
