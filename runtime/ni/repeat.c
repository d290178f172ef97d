/* repeat.c - reliable messages: sequence numbers, repetition; and credits of all messages
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Problem: an interface without negative acknowledgements tells one thing of a message that was not
 * acknowledged in time, whether it was lost on the way, found the mailbox full, or arrived while
 * its acknowledgement was lost. Sending it again is right in the first two cases and doubles it in
 * the third.
 *
 * Idea: each message of a page to a destination has a number of 16 bits, which all its repetitions
 * have, too. The receiver keeps the numbers that it has had (source.c): those below `base`, and of
 * the 64 from there on a bit each. A page sends no message whose number is 64 or more above the
 * lowest one that is not acknowledged, and states that distance in each (BEHIND): so a receiver
 * passes over the number of a message that was given up, which will never come.
 *
 * A repetition waits twice as long as the one before, up to the largest time-out of the interface:
 * a mailbox that is full is not asked more often than its owner can read.
 *
 * Credits: an acknowledgement tells for how many more packets of this page the mailbox has room.
 * The page has no more than that on the way; at 0, one at a time, whose repetitions ask. Each page
 * has a share of a mailbox for itself, so one that sends without restraint takes no room from
 * others.
 *
 * Limits: of two numbers the receiver takes the one for newer that is less than half of all ahead.
 *   - A packet that stays in the network while its page sends 32,704 newer messages to that
 *     destination (32,768 less the window) is not known as a duplicate any more.
 *   - The receiver has the lowest number that was pending when the newest acknowledged message was
 *     sent. So a page sends RUN numbers at most beyond that message without another
 *     acknowledgement: the next would count as an old one, and be acknowledged and dropped. The
 *     destination is cut off then, for as long as the page is attached.
 */
#define _GNU_SOURCE
#include "../config.h"

#if MEMLIFT_HAVE_ENGINES
#include "../queue/watch.h"
#include "transport.h"

#include <limits.h>

#define RUN (32768u - MEMLIFT_NI_WINDOW)

static int is_reliable(const struct memlift_ni_page *page) { return page->copies != NULL; }

/* A place in a table of MEMLIFT_NI_PEERS: the high bits of a product with 2^64 over the golden
 * ratio. */
static unsigned hash(uint64_t key) {
  return (unsigned)(key * UINT64_C(0x9e3779b97f4a7c15) >> 56) % MEMLIFT_NI_PEERS;
}

/* Sequence numbers of a destination outlive its messages, so with reliable messages a place is not
 * used again. Otherwise one without messages on the way is. */
struct memlift_ni_destination *memlift_ni_find_destination(struct memlift_ni_page *page,
                                                           uint64_t word0) {
  struct memlift_ni_destination *idle = NULL;
  unsigned first = hash(word0);
  for (unsigned i = 0; i < MEMLIFT_NI_PEERS; i++) {
    struct memlift_ni_destination *to = &page->destinations[(first + i) % MEMLIFT_NI_PEERS];
    if (to->used && to->word0 == word0)
      return to;
    if (!to->used) {
      idle = to;
      break;
    }
    if (!idle && !is_reliable(page) && to->in_flight == 0)
      idle = to;
  }
  if (idle) {
    struct memlift_ni_destination fresh = {word0, 1, 0, 0, 0, UINT_MAX};
    *idle = fresh;
  }
  return idle;
}

/* SEQUENCE of the next message less that of the oldest one on the way. */
static unsigned behind(const struct memlift_ni_page *page,
                       const struct memlift_ni_destination *to) {
  unsigned most = 0;
  for (unsigned c = 0; c < page->ni->channels; c++) {
    const struct memlift_ni_message *m = &page->message[c];
    if (m->pending && m->to == to && (uint16_t)(to->next - m->sequence) > most)
      most = (uint16_t)(to->next - m->sequence);
  }
  return most;
}

int memlift_ni_is_cut_off(const struct memlift_ni_page *page,
                          const struct memlift_ni_destination *to) {
  return is_reliable(page) && (uint16_t)(to->next - to->confirmed) >= RUN;
}

/* Messages are acknowledged in any order: an older one changes nothing. */
void memlift_ni_confirm(struct memlift_ni_destination *to, uint16_t sequence) {
  if ((uint16_t)(sequence - to->confirmed) <= INT16_MAX)
    to->confirmed = (uint16_t)(sequence + 1);
}

int memlift_ni_has_room(const struct memlift_ni_page *page,
                        const struct memlift_ni_destination *to) {
  if (is_reliable(page) && behind(page, to) >= MEMLIFT_NI_WINDOW)
    return 0;
  return to->in_flight < (to->credits ? to->credits : 1);
}

void memlift_ni_number(struct memlift_ni_page *page, unsigned c) {
  struct memlift_ni_message *m = &page->message[c];
  m->to->in_flight++;
  if (!is_reliable(page))
    return;
  m->pending = 0; /* its own number is not one that it is behind */
  unsigned distance = behind(page, m->to);
  m->pending = 1;
  m->sequence = m->to->next++;
  if (!MEMLIFT_NI_FIELD(NI_CHANNEL, TIMEOUT, m->word1))
    m->word1 |= MEMLIFT_NI_PLACE(NI_CHANNEL, TIMEOUT, MEMLIFT_NI_RETRY_UNITS);
  m->word1 |= MEMLIFT_NI_PLACE(NI_CHANNEL, RELIABLE, 1) |
              MEMLIFT_NI_PLACE(NI_CHANNEL, SEQUENCE, m->sequence) |
              MEMLIFT_NI_PLACE(NI_CHANNEL, BEHIND, distance) |
              MEMLIFT_NI_PLACE(NI_CHANNEL, INCARNATION, page->incarnation);
}

/* Returns 1 when the message before is still on the way, in the channel before. */
static int follows_pending(const struct memlift_ni_page *page, unsigned c) {
  unsigned channels = page->ni->channels;
  const struct memlift_ni_message *before = &page->message[(c + channels - 1) % channels];
  return before->pending && before->number + 1 == page->message[c].number;
}

/* BEHIND stays what it was: that distance is right for as long as the message is on the way. The
 * chain bit does not stay when the message before has been acknowledged: the channel before may
 * have a later one by now, which waits for this one. */
int memlift_ni_repeat(struct memlift_ni_page *page, unsigned c) {
  struct memlift_ni_message *m = &page->message[c];
  if (!is_reliable(page) || m->tries >= page->ni->retries)
    return 0;
  m->tries++;
  uint64_t units = MEMLIFT_NI_FIELD(NI_CHANNEL, TIMEOUT, m->word1) * 2;
  units = units < MEMLIFT_NI_TIMEOUT_MOST ? units : MEMLIFT_NI_TIMEOUT_MOST;
  m->word1 =
      (m->word1 & ~MEMLIFT_NI_CHANNEL_TIMEOUT_MASK) | MEMLIFT_NI_PLACE(NI_CHANNEL, TIMEOUT, units);
  if (!follows_pending(page, c))
    m->word1 &= ~MEMLIFT_NI_CHANNEL_AUTO_CHAIN_MASK;
  memlift_ni_store_payload(memlift_ni_channel(page, c), page->copies[c], m->size);
  memlift_ni_ring(page, c);
  memlift_ni_add(&page->sent.repeated, 1);
  return 1;
}

uint64_t memlift_ni_deadline(const struct memlift_ni_page *page, uint64_t word1) {
  uint64_t units = MEMLIFT_NI_FIELD(NI_CHANNEL, TIMEOUT, word1), all;
  unsigned left = page->ni->flags & MEMLIFT_NI_RELIABLE ? page->ni->retries : 0;
  if (units == 0 && !(page->ni->flags & MEMLIFT_NI_RELIABLE))
    return 0;
  all = units = units ? units : MEMLIFT_NI_RETRY_UNITS;
  for (; left && units < MEMLIFT_NI_TIMEOUT_MOST; left--) {
    units = units * 2 < MEMLIFT_NI_TIMEOUT_MOST ? units * 2 : MEMLIFT_NI_TIMEOUT_MOST;
    all += units;
  }
  all += left * (uint64_t)MEMLIFT_NI_TIMEOUT_MOST;
  return memlift_now() + all * MEMLIFT_NI_TIMEOUT_NS;
}
#else
typedef int memlift_no_engines; /* a translation unit must not be empty */
#endif
