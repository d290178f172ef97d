// burst.c - one core sends through all channels at once, the other looks at it and answers
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A store buffer that is full lets stores overtake each other where the pages allow it: a doorbell
// that arrives before its payload sends what the channel held before.
#include "io.h"

#include <memlift/ni_await.h>

enum { ROUNDS = 64, WORDS = BYTES / 8 };
#define WORD1 memlift_ni_word1(BYTES, 255, 0)

struct message {
  uint64_t words[WORDS];
};

/// Each word of a message: stores come from one register, as fast as they can.
static uint64_t content(uint64_t round, uint64_t channel) {
  return (round << 8 | channel) * UINT64_C(0x9e3779b97f4a7c15);
}

static void receive(volatile void *mailbox, struct message *m) {
  memlift_ni_await(mailbox, m, BYTES, RECEIVE);
  memlift_ni_pop(mailbox, RECEIVE);
  memlift_barrier_arm(); // the head is looked at behind it
}

static void ask(volatile void *base, volatile void *mailbox) {
  for (uint64_t i = 0; i < ROUNDS; ++i) {
    uint64_t word[MEMLIFT_NI_CHANNELS];
    struct message m;
    for (unsigned c = 0; c < MEMLIFT_NI_CHANNELS; ++c)
      word[c] = content(i, c);
    for (unsigned c = 0; c < MEMLIFT_NI_CHANNELS; ++c) {
      for (uint64_t k = 0; k < WORDS; ++k)
        m.words[k] = word[c];
      memlift_ni_send(memlift_ni_channel_at(base, 0, c), &m, BYTES, memlift_ni_word0(0, 1), WORD1,
                      SEND);
    }
    receive(mailbox, &m);
  }
}

/// The number of messages that were not sent. Those of a round may come in any order.
static uint64_t answer(volatile void *base, volatile void *mailbox) {
  uint64_t bad = 0;
  for (uint64_t i = 0; i < ROUNDS; ++i) {
    struct message m;
    for (unsigned n = 0; n < MEMLIFT_NI_CHANNELS; ++n) {
      uint64_t good = 0;
      receive(mailbox, &m);
      for (uint64_t c = 0; c < MEMLIFT_NI_CHANNELS; ++c) {
        uint64_t differ = 0;
        for (uint64_t k = 0; k < WORDS; ++k)
          differ |= m.words[k] ^ content(i, c);
        good |= differ == 0;
      }
      bad += !good;
    }
    memlift_ni_send(memlift_ni_channel_at(base, 0, 0), &m, BYTES, memlift_ni_word0(0, 0), WORD1,
                    SEND);
  }
  return bad;
}

int main(void) {
  volatile void *mailbox = memlift_ni_mailbox_page(RECEIVE_AT, 0);
  if (DEVICE_NODE == 0) {
    ask(SEND_AT, mailbox);
    return 0;
  }
  uint64_t bad = answer(SEND_AT, mailbox);
  put_number(bad);
  put("\n");
  return 0;
}
