/* source.c - the sequence numbers that a mailbox has received, by source
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Of each source: `base`, below which every number has been received or given up, and a bit for
 * each of the MEMLIFT_NI_WINDOW numbers from there on. A message states the lowest number that its
 * page still waits for (repeat.c), which moves base over numbers that never come. What then lies
 * below base, or has its bit, is a repetition of something received: it is dropped. Nothing can lie
 * above the window, as the sender waits.
 *
 * Of each channel also the newest number, while it is in the window: what is older was given up, or
 * received, before its channel sent that one, and comes too late to be in order.
 *
 * A page that is attached anew begins at 0 in the next incarnation. The state of the old one goes
 * with the first message of a later one. What the network still has of the EARLIER incarnations
 * before is dropped, whether this mailbox had heard of them or not.
 *
 * Limits: MEMLIFT_NI_PEERS sources; one more takes the place of the one not heard from for longest.
 * Incarnations are compared modulo 2^11: a source that is attached 1,792 times or more between two
 * messages to this mailbox may be taken for an earlier one.
 */
#define _GNU_SOURCE
#include "../config.h"

#if MEMLIFT_HAVE_ENGINES
#include "attachment.h"

/* Incarnations that count as before the current one; all others are after it. As few as the network
 * may still have packets of: the more they are, the sooner a page that sends to others for long
 * comes round to them. */
#define EARLIER 256u
#define INCARNATIONS                                                                               \
  ((unsigned)(MEMLIFT_NI_CHANNEL_INCARNATION_MASK >> MEMLIFT_NI_CHANNEL_INCARNATION_SHIFT) + 1)

/* The state of a source, made anew if it has none. */
static struct memlift_ni_known *find(struct memlift_ni_page *page, uint64_t key) {
  struct memlift_ni_known *oldest = &page->known[0];
  for (unsigned i = 0; i < MEMLIFT_NI_PEERS; i++) {
    struct memlift_ni_known *k = &page->known[(key + i) % MEMLIFT_NI_PEERS];
    if (k->key == key)
      return k;
    if (k->key == 0) {
      oldest = k;
      break;
    }
    if (k->used < oldest->used)
      oldest = k;
  }
  struct memlift_ni_known fresh = {0};
  *oldest = fresh;
  return oldest;
}

/* Begins with the lowest number that the source waits for. */
static void begin(struct memlift_ni_known *k, uint64_t key,
                  const struct memlift_ni_source *source) {
  k->key = key, k->incarnation = source->incarnation;
  k->base = (uint16_t)(source->sequence - source->behind);
  k->received = 0, k->heard = 0;
}

/* Moves base up to `low`, over numbers that will not come. */
static void advance(struct memlift_ni_known *k, uint16_t low) {
  uint16_t by = (uint16_t)(low - k->base);
  if (by == 0 || by > INT16_MAX)
    return;
  k->received = by < MEMLIFT_NI_WINDOW ? k->received >> by : 0;
  k->base = low;
}

/* Forgets the newest numbers that base has passed: what is older is below base, too. They would be
 * taken for newer ones when their channels are used again, half of all numbers later. */
static void forget_channels(struct memlift_ni_known *k) {
  for (unsigned c = 0; c < MEMLIFT_NI_CHANNELS; c++)
    if ((uint16_t)(k->newest[c] - k->base) >= MEMLIFT_NI_WINDOW)
      k->heard &= (uint8_t)~(1u << c);
}

/* Returns 1 when the packet is of an earlier use of its page than what was received last. */
static int is_earlier(const struct memlift_ni_known *k, const struct memlift_ni_source *source) {
  unsigned before = ((unsigned)k->incarnation - source->incarnation) % INCARNATIONS;
  return before >= 1 && before <= EARLIER;
}

memlift_status memlift_ni_accept(struct memlift_ni_page *page,
                                 const struct memlift_ni_source *source) {
  uint64_t key = ((uint64_t)source->coordinates << 6 | source->page) + 1;
  struct memlift_ni_known *k = find(page, key);
  if (k->key == key && is_earlier(k, source))
    return MEMLIFT_CANCELLED;
  if (k->key != key || source->incarnation != k->incarnation)
    begin(k, key, source);
  k->used = page->messages;
  advance(k, (uint16_t)(source->sequence - source->behind));
  forget_channels(k);
  uint16_t distance = (uint16_t)(source->sequence - k->base);
  if (distance >= MEMLIFT_NI_WINDOW || (k->received >> distance & 1))
    return MEMLIFT_COLLECTED;
  unsigned c = source->channel % MEMLIFT_NI_CHANNELS;
  if ((k->heard >> c & 1) && (uint16_t)(source->sequence - k->newest[c]) > INT16_MAX)
    return MEMLIFT_COLLECTED;
  k->newest[c] = source->sequence, k->heard |= (uint8_t)(1u << c);
  k->received |= (uint64_t)1 << distance;
  while (k->received & 1)
    k->received >>= 1, k->base++;
  return MEMLIFT_OK;
}
#else
typedef int memlift_no_engines; /* a translation unit must not be empty */
#endif
