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
 * Of each channel also the newest number: what is older was given up, or received, before its
 * channel sent that one, and comes too late to be in order.
 *
 * A page that is attached anew begins at 0 in a new incarnation. The state of the old one goes;
 * what the network still has of it is known by its number, which is kept, and dropped.
 *
 * Limit: MEMLIFT_NI_PEERS sources; one more takes the place of the one not heard from for longest.
 */
#define _GNU_SOURCE
#include "../config.h"

#if MEMLIFT_HAVE_ENGINES
#include "attachment.h"

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
  int first = k->key == 0;
  k->previous = first ? source->incarnation : k->incarnation;
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

memlift_status memlift_ni_accept(struct memlift_ni_page *page,
                                 const struct memlift_ni_source *source) {
  uint64_t key = ((uint64_t)source->coordinates << 6 | source->page) + 1;
  struct memlift_ni_known *k = find(page, key);
  if (k->key == key && source->incarnation == k->previous && k->previous != k->incarnation)
    return MEMLIFT_CANCELLED;
  if (k->key != key || source->incarnation != k->incarnation)
    begin(k, key, source);
  k->used = page->messages;
  advance(k, (uint16_t)(source->sequence - source->behind));
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
