/* send.c - sending: turns of channels, chains, and what became of each message
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Idea: the channels of a page take turns, so that the channel before a message's own is that of
 * the message before. That is what the interface's auto-chain bit looks at, and the reason why a
 * chain keeps the order of a page. A channel is free again when the outcome of its message is
 * known; outcomes are kept by the message's number, since the channel may have another message by
 * the time that somebody asks.
 *
 * A message that is given up ends the chain that it is in: those after it that wait for it are
 * withdrawn, and the next one begins anew. Otherwise the interface would hold it back for an
 * acknowledgement that never comes. Where the transport cannot withdraw (mmio), the next of the
 * chain waits in the device until its own time is up, and is an orphan. It is not repeated, and the
 * channel before it is not used meanwhile: an acknowledgement of another message there would
 * release it.
 *
 * No lock: a page is used by one sending thread. Only where messages are repeated a thread that
 * waits in dequeue may do that; it never waits for the sending thread, which waits for it for as
 * long as a look at four channels takes.
 */
#define _GNU_SOURCE
#include "../config.h"

#if MEMLIFT_HAVE_ENGINES
#include "transport.h"

#include <errno.h>
#include <limits.h>
#include <string.h>

#define HOW_TIMEOUT 0xffu
#define HOW_CHANNEL_SHIFT 10
#define HOW_KNOWN (HOW_TIMEOUT | MEMLIFT_NI_CHAIN | (7u << HOW_CHANNEL_SHIFT))

static void hold(struct memlift_ni_page *page) {
  /* Acquire: pairs with the release in let_go. */
  while (page->copies && __atomic_exchange_n(&page->held, 1, __ATOMIC_ACQUIRE))
    memlift_barrier_relax();
}

static void let_go(struct memlift_ni_page *page) {
  if (page->copies) /* release: the next thread sees all that this one has changed */
    __atomic_store_n(&page->held, 0, __ATOMIC_RELEASE);
}

/* ---- Outcomes ------------------------------------------------------------------------------ */

/* Notes what became of the message in a channel, which is free then. */
static void settle(struct memlift_ni_page *page, unsigned c, memlift_status outcome) {
  struct memlift_ni_message *m = &page->message[c];
  m->pending = 0;
  page->outcome[m->number % MEMLIFT_NI_OUTCOMES] = (uint8_t)outcome;
  if (m->to)
    m->to->in_flight--;
  memlift_ni_add(outcome == MEMLIFT_OK            ? &page->sent.acknowledged
                 : outcome == MEMLIFT_TIMED_OUT   ? &page->sent.timed_out
                 : outcome == MEMLIFT_NOT_PRESENT ? &page->sent.gone
                                                  : &page->sent.cancelled,
                 1);
}

/* Ends a message that was not acknowledged, and those that are chained to it. An orphan may still
 * be released, by an acknowledgement that comes late: what is chained to it follows it. */
static void give_up(struct memlift_ni_page *page, unsigned c, memlift_status outcome) {
  const struct memlift_ni_transport *transport = page->ni->transport;
  settle(page, c, outcome);
  uint32_t number = page->message[c].number;
  page->broken = page->broken || number + 1 == page->count;
  for (unsigned i = 1; i < page->ni->channels; i++) {
    unsigned next = (c + i) % page->ni->channels;
    struct memlift_ni_message *m = &page->message[next];
    if (!m->pending || !m->chained || m->number != number + i)
      return;
    if (!transport->withdraw) {
      m->orphan = 1;
      return;
    }
    if (transport->withdraw(page, next)) {
      settle(page, next, MEMLIFT_CANCELLED);
      page->broken = page->broken || m->number + 1 == page->count;
    }
  }
}

void memlift_ni_look(struct memlift_ni_page *page, unsigned c) {
  struct memlift_ni_message *m = &page->message[c];
  unsigned credits = UINT_MAX;
  if (!m->pending)
    return;
  switch (page->ni->transport->state(page, c, &credits)) {
  case MEMLIFT_NI_CHANNEL_STATE_ACKNOWLEDGED:
    if (m->to) {
      m->to->credits = credits;
      memlift_ni_confirm(m->to, m->sequence);
    }
    settle(page, c, MEMLIFT_OK);
    break;
  case MEMLIFT_NI_CHANNEL_STATE_TIMED_OUT:
    if (m->orphan || !memlift_ni_repeat(page, c))
      give_up(page, c, MEMLIFT_TIMED_OUT);
    break;
  case MEMLIFT_NI_STATE_GONE: give_up(page, c, MEMLIFT_NOT_PRESENT); break;
  default: break; /* QUEUED; or IDLE, of a device that was reset: detach is the only way on */
  }
}

/* In the order of the messages, so that a repetition goes ahead of what is chained to it. */
void memlift_ni_look_at_all(struct memlift_ni_page *page) {
  for (unsigned i = 0; i < page->ni->channels; i++)
    memlift_ni_look(page, (page->turn + i) % page->ni->channels);
}

/* ---- Sending ------------------------------------------------------------------------------- */

/* Looks whether a channel is free now. One look at memory that another processor writes tells of
 * all channels, so the next messages need none. */
static void look_before_use(struct memlift_ni_page *page, unsigned c) {
  if (page->ni->transport->near && page->message[c].pending)
    memlift_ni_look_at_all(page);
  else
    memlift_ni_look(page, c);
}

/* Returns 1 when a message may be put into the channel. */
static int is_free(const struct memlift_ni_page *page, unsigned c) {
  const struct memlift_ni_message *next = &page->message[(c + 1) % page->ni->channels];
  return !page->message[c].pending && !(next->pending && next->orphan);
}

/* The channel for a message: free, and the next in turn if it is chained. -1: none is free now. */
static int choose_channel(struct memlift_ni_page *page, uint32_t how) {
  unsigned channels = page->ni->channels;
  unsigned wanted = how >> HOW_CHANNEL_SHIFT & 7;
  if (how & MEMLIFT_NI_CHAIN) {
    look_before_use(page, page->turn);
    if (!is_free(page, page->turn) || (wanted && wanted - 1 != page->turn))
      return -1;
    /* The interface takes channel 3 for the one before channel 0, which is in use only if all are.
     * */
    unsigned before = (page->turn + channels - 1) % channels;
    if (page->turn == 0 && channels < MEMLIFT_NI_CHANNELS) {
      memlift_ni_look(page, before);
      return page->message[before].pending ? -1 : 0;
    }
    return (int)page->turn;
  }
  for (unsigned i = 0; i < (wanted ? 1 : channels); i++) {
    unsigned c = wanted ? wanted - 1 : (page->turn + i) % channels;
    look_before_use(page, c);
    if (is_free(page, c))
      return (int)c;
  }
  return -1;
}

void memlift_ni_ring(struct memlift_ni_page *page, unsigned c) {
  const struct memlift_ni_transport *transport = page->ni->transport;
  struct memlift_ni_message *m = &page->message[c];
  if (transport->stamp)
    transport->stamp(page, c);
  memlift_ni_trigger(memlift_ni_channel(page, c), m->word0, m->word1, page->ni->kind);
  if (transport->rung)
    transport->rung(page, c);
}

/* Puts a message into a free channel. */
static void send_now(struct memlift_ni_page *page, unsigned c, const void *data, uint32_t how) {
  const struct memlift_ni_transport *transport = page->ni->transport;
  struct memlift_ni_message *m = &page->message[c];
  m->chained = (how & MEMLIFT_NI_CHAIN) && !page->broken;
  m->word1 = memlift_ni_word1(m->size, how & HOW_TIMEOUT, m->chained);
  m->pending = 1, m->orphan = 0, m->tries = 0;
  m->number = page->count++;
  page->outcome[m->number % MEMLIFT_NI_OUTCOMES] = MEMLIFT_PENDING;
  page->turn = (c + 1) % page->ni->channels;
  page->broken = 0;
  if (m->to)
    memlift_ni_number(page, c);
  if (page->copies)
    memcpy(page->copies[c], data, m->size);
  if (transport->begin)
    transport->begin(page, c);
  volatile unsigned char *at = memlift_ni_channel(page, c);
  if (transport->near && m->size <= MEMLIFT_NI_NEAR_MOST)
    at += MEMLIFT_NI_CHANNEL_NEAR_OFFSET - MEMLIFT_NI_CHANNEL_PAYLOAD_OFFSET;
  if (m->size == 32) /* the seed's packet: four stores, no loop */
    memlift_ni_store_payload(at, data, 32);
  else
    memlift_ni_store_payload(at, data, m->size);
  memlift_ni_ring(page, c);
  memlift_ni_add(&page->sent.sent, 1);
  memlift_ni_add(&page->sent.sent_bytes, m->size);
}

/* Sends if that is possible now. */
static memlift_status try_to_send(struct memlift_ni_page *page, uint64_t word0, const void *data,
                                  size_t size, uint32_t how, memlift_ni_ticket *ticket) {
  const struct memlift_ni_transport *transport = page->ni->transport;
  struct memlift_ni_destination *to = NULL;
  if (page->destinations) {
    to = memlift_ni_find_destination(page, word0);
    if (!to)
      return MEMLIFT_NO_RESOURCES;
    if (!memlift_ni_has_room(page, to)) {
      memlift_ni_look_at_all(page);
      if (!memlift_ni_has_room(page, to))
        return MEMLIFT_BUSY;
    }
    if (memlift_ni_is_cut_off(page, to)) {
      memlift_ni_look_at_all(page);
      if (memlift_ni_is_cut_off(page, to)) /* what is pending may still be acknowledged */
        return to->in_flight ? MEMLIFT_BUSY : MEMLIFT_NOT_PRESENT;
    }
  }
  int c = choose_channel(page, how);
  if (c < 0)
    return MEMLIFT_BUSY;
  if (transport->reach) {
    memlift_status status = transport->reach(page, word0);
    if (status != MEMLIFT_OK)
      return status;
  }
  struct memlift_ni_message *m = &page->message[c];
  m->word0 = word0, m->size = size, m->to = to;
  send_now(page, (unsigned)c, data, how);
  if (ticket)
    ticket->page = page->index, ticket->number = m->number;
  return MEMLIFT_OK;
}

/* Checks the arguments of a message. */
static memlift_status check(const memlift_ni *ni, unsigned index, const void *data, size_t size,
                            uint32_t how, struct memlift_ni_page **page) {
  memlift_status status = memlift_ni_page_of(ni, index, page);
  if (status != MEMLIFT_OK)
    return status;
  if (data && size >= 1 && size <= MEMLIFT_NI_PAYLOAD_MOST && !(how & ~HOW_KNOWN) &&
      (how >> HOW_CHANNEL_SHIFT) <= ni->channels)
    return MEMLIFT_OK;
  memlift_ni_add(&(*page)->sent.refused, 1);
  return MEMLIFT_INVALID_ARGUMENT;
}

memlift_status memlift_ni_try_enqueue(memlift_ni *ni, unsigned index, memlift_ni_address to,
                                      const void *data, size_t size, uint32_t how,
                                      memlift_ni_ticket *ticket) {
  struct memlift_ni_page *page;
  memlift_status status = check(ni, index, data, size, how, &page);
  if (status != MEMLIFT_OK)
    return status;
  int saved_errno = errno;
  hold(page);
  status = try_to_send(page, to.word, data, size, how, ticket);
  let_go(page);
  if (status == MEMLIFT_BUSY)
    memlift_ni_add(&page->sent.busy, 1);
  errno = saved_errno;
  return status;
}

memlift_status memlift_ni_enqueue(memlift_ni *ni, unsigned index, memlift_ni_address to,
                                  const void *data, size_t size, uint32_t how, uint64_t nanoseconds,
                                  memlift_ni_ticket *ticket) {
  struct memlift_ni_patience patience = {nanoseconds, 0, 0};
  for (;;) {
    memlift_status status = memlift_ni_try_enqueue(ni, index, to, data, size, how, ticket);
    if (status != MEMLIFT_BUSY)
      return status;
    if (!memlift_ni_be_patient(&patience, NULL))
      return MEMLIFT_TIMED_OUT;
  }
}

/* ---- Asking -------------------------------------------------------------------------------- */

memlift_status memlift_ni_status(memlift_ni *ni, memlift_ni_ticket ticket) {
  struct memlift_ni_page *page;
  memlift_status status = memlift_ni_page_of(ni, ticket.page, &page);
  if (status != MEMLIFT_OK)
    return status;
  uint32_t age = page->count - ticket.number;
  if (age == 0 || age > UINT32_MAX / 2)
    return MEMLIFT_INVALID_ARGUMENT; /* not sent yet */
  if (age > MEMLIFT_NI_OUTCOMES)
    return MEMLIFT_COLLECTED;
  int saved_errno = errno;
  hold(page);
  const uint8_t *outcome = &page->outcome[ticket.number % MEMLIFT_NI_OUTCOMES];
  if (*outcome == MEMLIFT_PENDING)
    memlift_ni_look_at_all(page);
  status = (memlift_status)*outcome;
  let_go(page);
  errno = saved_errno;
  return status;
}

memlift_status memlift_ni_wait(memlift_ni *ni, memlift_ni_ticket ticket, uint64_t nanoseconds) {
  struct memlift_ni_patience patience = {nanoseconds, 0, 0};
  for (;;) {
    memlift_status status = memlift_ni_status(ni, ticket);
    if (status != MEMLIFT_PENDING || !memlift_ni_be_patient(&patience, NULL))
      return status;
  }
}

void memlift_ni_drive(struct memlift_ni_page *page) {
  /* Acquire: pairs with the release in let_go. */
  if (!page->copies || __atomic_exchange_n(&page->held, 1, __ATOMIC_ACQUIRE))
    return;
  memlift_ni_look_at_all(page);
  let_go(page);
}

/* Returns 1 when a message of the page is pending, after a look at all. */
static int is_pending(struct memlift_ni_page *page) {
  int pending = 0;
  hold(page);
  memlift_ni_look_at_all(page);
  for (unsigned c = 0; c < page->ni->channels; c++)
    pending |= page->message[c].pending;
  let_go(page);
  return pending;
}

memlift_status memlift_ni_flush(memlift_ni *ni, unsigned index, uint64_t nanoseconds) {
  struct memlift_ni_patience patience = {nanoseconds, 0, 0};
  struct memlift_ni_page *page;
  memlift_status status = memlift_ni_page_of(ni, index, &page);
  if (status != MEMLIFT_OK)
    return status;
  int saved_errno = errno;
  int pending;
  while ((pending = is_pending(page)) && memlift_ni_be_patient(&patience, NULL))
    ;
  errno = saved_errno;
  return pending ? MEMLIFT_PENDING : MEMLIFT_OK;
}
#else
typedef int memlift_no_engines; /* a translation unit must not be empty */
#endif
