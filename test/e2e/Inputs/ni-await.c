/* ni-await.c - waiting for a message and answering it by ni_await.h, for a look at its assembly
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include <memlift/ni_await.h>

struct payload {
  uint64_t words[4];
};

/* Waits for 32 bytes from device memory. */
size_t await_device(volatile void *mailbox, struct payload *to) {
  return memlift_ni_await(mailbox, __builtin_assume_aligned(to, 8), 32, MEMLIFT_NI_DEVICE);
}

/* 24 bytes from a window of weakly ordered memory: the addresses alone order the loads. */
size_t await_gathering(volatile void *mailbox, struct payload *to) {
  return memlift_ni_await(mailbox, __builtin_assume_aligned(to, 8), 24, MEMLIFT_NI_GATHERING);
}

/* Answers through a prepared channel: payload and doorbell. */
void answer_device(volatile void *channel, const struct payload *data) {
  const void *from = __builtin_assume_aligned(data, 8);
  memlift_ni_send_prepared(channel, from, 32, memlift_ni_word1(32, 0, 0), MEMLIFT_NI_DEVICE);
}

/* 24 bytes through a gathering window: the device waits for all words, so no barrier is needed. */
void answer_gathering(volatile void *channel, const struct payload *data) {
  const void *from = __builtin_assume_aligned(data, 8);
  memlift_ni_send_prepared(channel, from, 24, memlift_ni_word1(24, 0, 0), MEMLIFT_NI_GATHERING);
}

/* Through write-combining memory. */
void answer_combining(volatile void *channel, const struct payload *data) {
  const void *from = __builtin_assume_aligned(data, 8);
  memlift_ni_send_prepared(channel, from, 32, memlift_ni_word1(32, 0, 0), MEMLIFT_NI_COMBINING);
}

/* To a device in software. */
void answer_memory(volatile void *channel, const struct payload *data) {
  const void *from = __builtin_assume_aligned(data, 8);
  memlift_ni_send_prepared(channel, from, 32, memlift_ni_word1(32, 0, 0), MEMLIFT_NI_MEMORY);
}

/* The destination of the next message, ahead of its payload. */
void prepare_channel(volatile void *channel, uint64_t word0) { memlift_ni_prepare(channel, word0); }
