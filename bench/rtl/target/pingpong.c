// pingpong.c - two cores send a message to and fro through their network interfaces
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Both run this program; node 0 begins. Each node keeps what it has received, and sends it back
// with its words moved on by one place: in the end both look at what they have kept. What is
// measured is in the log of the bus. Two channels take turns.
#include "io.h"

#include <memlift/ni_await.h>

enum { ROUNDS = 96, WORDS = BYTES / 8 };

#define WORD1 memlift_ni_word1(BYTES, 255, 0)
#define INLINE static inline __attribute__((always_inline))

struct message {
  uint64_t words[WORDS];
};
static struct message received[ROUNDS];

static uint64_t first(uint64_t k) { return (k + 1) * UINT64_C(0x9e3779b97f4a7c15); }

/// Messages that are not what the other node has sent: in round i the words have been moved on
/// 2 * i times on their way to node 1, and once more on their way to node 0.
static uint64_t wrong(uint64_t node) {
  uint64_t found = 0;
  for (uint64_t i = 0; i < ROUNDS; ++i) {
    uint64_t bad = 0;
    for (uint64_t k = 0; k < WORDS; ++k)
      bad |= received[i].words[k] ^ first((k + WORDS * ROUNDS - 2 * i - (node == 0)) % WORDS);
    found += bad != 0;
  }
  return found;
}

INLINE void pop(volatile void *mailbox) {
  memlift_ni_pop(mailbox, RECEIVE);
  if (RECEIVE != MEMLIFT_NI_DEVICE)
    memlift_barrier_arm(); // the head is looked at behind it
}

/// The destination of the next message: of the channel that nothing is on its way from.
INLINE void prepare(volatile void *channel, uint64_t word0) {
  if (!STEPS)
    memlift_ni_prepare(channel, word0);
}

/// Waits for a message and sends it on. `keep` is stored behind what the other node waits for.
INLINE void turn(volatile void *channel, volatile void *mailbox, uint64_t word0,
                 struct message *keep) {
  struct message m, answer;
#if STEPS // as the functions of ni_page.h are written
  while (!memlift_ni_head(mailbox, RECEIVE))
    ;
  memlift_ni_load_payload(mailbox, &m, BYTES);
#else
  memlift_ni_await(mailbox, &m, BYTES, RECEIVE);
#endif
  for (uint64_t k = 0; k < WORDS; ++k)
    answer.words[k] = m.words[(k + WORDS - 1) % WORDS];
#if STEPS
  pop(mailbox);
  *keep = m;
  memlift_ni_send(channel, &answer, BYTES, word0, WORD1, SEND);
#else
  memlift_ni_send_prepared(channel, &answer, BYTES, WORD1, SEND);
  *keep = m;
  pop(mailbox);
  (void)word0;
#endif
}

int main(void) {
  uint64_t node = DEVICE_NODE, word0 = memlift_ni_word0(0, node == 0);
  volatile void *channel = memlift_ni_channel_at(SEND_AT, 0, 0);
  volatile void *other = memlift_ni_channel_at(SEND_AT, 0, 1);
  volatile void *mailbox = memlift_ni_mailbox_page(RECEIVE_AT, 0);
  prepare(other, word0);
  if (node == 0) {
    struct message m;
    for (uint64_t k = 0; k < WORDS; ++k)
      m.words[k] = first(k);
    memlift_ni_send(channel, &m, BYTES, word0, WORD1, SEND);
  }
  for (unsigned i = 0; i < ROUNDS; i += 2) {
    turn(other, mailbox, word0, &received[i]);
    prepare(channel, word0);
    turn(channel, mailbox, word0, &received[i + 1]);
    prepare(other, word0);
  }
  return wrong(node) != 0;
}
