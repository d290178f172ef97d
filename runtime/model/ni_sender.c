/* ni_sender.c - the packetizer of the model: doorbells, chains, time-outs, faults of the network
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "../config.h"

#if MEMLIFT_HAVE_ENGINES
#include "ni_device.h"

/* Writes the state of a channel where its owner sees it. */
static void set_state(struct ni_model *m, unsigned page, unsigned c, unsigned state,
                      unsigned credits_and_1) {
  m->page[page].sender[c].state = state;
  memlift_ni_put(ni_channel(m, page, c), MEMLIFT_NI_CHANNEL_STATE_OFFSET,
                 MEMLIFT_NI_PLACE(NI_CHANNEL, STATE, state) |
                     MEMLIFT_NI_PLACE(NI_CHANNEL, CREDITS, credits_and_1));
}

static int is_unacknowledged(const struct ni_sender *s) {
  return s->state == MEMLIFT_NI_CHANNEL_STATE_QUEUED ||
         s->state == MEMLIFT_NI_CHANNEL_STATE_TIMED_OUT;
}

/* Takes the message of a channel. One of a size that no interface has is refused: it times out at
 * once. */
static void take(struct ni_model *m, unsigned page, unsigned c, uint64_t word1) {
  volatile void *channel = ni_channel(m, page, c);
  struct ni_page_state *p = &m->page[page];
  struct ni_sender *s = &p->sender[c];
  m->happened.overwritten += s->state == MEMLIFT_NI_CHANNEL_STATE_QUEUED;
  unsigned size = (unsigned)MEMLIFT_NI_FIELD(NI_CHANNEL, SIZE, word1);
  unsigned units = (unsigned)MEMLIFT_NI_FIELD(NI_CHANNEL, TIMEOUT, word1);
  s->number = ++m->numbers;
  s->sent = 0;
  s->deadline = units ? m->now + units * (uint64_t)MEMLIFT_NI_TIMEOUT_NS : UINT64_MAX;
  s->waits = MEMLIFT_NI_FIELD(NI_CHANNEL, AUTO_CHAIN, word1) &&
             is_unacknowledged(&p->sender[(c + MEMLIFT_NI_CHANNELS - 1) % MEMLIFT_NI_CHANNELS]);
  s->packet.page = page, s->packet.channel = c, s->packet.number = s->number;
  s->packet.word0 = memlift_ni_get(channel, MEMLIFT_NI_CHANNEL_ADDRESS_OFFSET);
  s->packet.word1 = word1;
  if (size >= 1 && size <= MEMLIFT_NI_PAYLOAD_MOST) {
    volatile memlift_ni_word *from = memlift_ni_at(channel, MEMLIFT_NI_CHANNEL_PAYLOAD_OFFSET);
    for (unsigned i = 0; i < (size + 7) / 8; i++)
      memlift_ni_keep(s->packet.payload + 8 * i, memlift_ni_read(from + i));
    set_state(m, page, c, MEMLIFT_NI_CHANNEL_STATE_QUEUED, 0);
  } else {
    m->happened.refused++;
    set_state(m, page, c, MEMLIFT_NI_CHANNEL_STATE_TIMED_OUT, 0);
  }
  memlift_barrier_to_device(); /* who sees word 1 as taken sees the state */
  memlift_ni_put(channel, MEMLIFT_NI_CHANNEL_SIZE_OFFSET, 0);
}

/* From the channel whose turn it is: of several doorbells that of the earliest message is first. */
void memlift_ni_take_doorbells(struct ni_model *m, unsigned page) {
  struct ni_page_state *p = &m->page[page];
  unsigned first = p->turn;
  for (unsigned i = 0; i < MEMLIFT_NI_CHANNELS; i++) {
    unsigned c = (first + i) % MEMLIFT_NI_CHANNELS;
    uint64_t word1 = memlift_ni_get(ni_channel(m, page, c), MEMLIFT_NI_CHANNEL_SIZE_OFFSET);
    if (!word1)
      continue;
    memlift_barrier_from_device(); /* payload and word 0 are those of this doorbell */
    take(m, page, c, word1);
    p->turn = (c + 1) % MEMLIFT_NI_CHANNELS;
  }
}

/* Puts a packet on its way, or does not. */
static void emit(struct ni_model *m, struct ni_packet *packet) {
  const struct ni_faults *faults = &m->settings.faults;
  m->happened.packets++;
  packet->acknowledges = 0;
  packet->when = m->now + m->settings.latency_ns + memlift_ni_any(m, faults->delay_ns);
  if (memlift_ni_chance(m, faults->drop) || !memlift_ni_network_send(&m->network, packet))
    m->happened.dropped++;
  if (memlift_ni_chance(m, faults->duplicate)) {
    packet->when += memlift_ni_any(m, faults->late_ns);
    m->happened.repeated_twice += (uint64_t)memlift_ni_network_send(&m->network, packet);
  }
}

void memlift_ni_send_ready(struct ni_model *m, unsigned page) {
  for (unsigned c = 0; c < MEMLIFT_NI_CHANNELS; c++) {
    struct ni_sender *s = &m->page[page].sender[c];
    if (s->state != MEMLIFT_NI_CHANNEL_STATE_QUEUED || s->sent || s->waits)
      continue;
    s->sent = 1;
    emit(m, &s->packet);
  }
}

/* An acknowledgement of an earlier message of the channel means nothing. */
void memlift_ni_acknowledge(struct ni_model *m, const struct ni_packet *ack) {
  struct ni_page_state *p = &m->page[ack->page];
  struct ni_sender *s = &p->sender[ack->channel];
  if (s->number != ack->number || s->state != MEMLIFT_NI_CHANNEL_STATE_QUEUED)
    return;
  m->happened.acknowledged++;
  set_state(m, ack->page, ack->channel, MEMLIFT_NI_CHANNEL_STATE_ACKNOWLEDGED, ack->credits + 1);
  p->sender[(ack->channel + 1) % MEMLIFT_NI_CHANNELS].waits = 0;
}

void memlift_ni_expire(struct ni_model *m, unsigned page) {
  for (unsigned c = 0; c < MEMLIFT_NI_CHANNELS; c++) {
    struct ni_sender *s = &m->page[page].sender[c];
    if (s->state == MEMLIFT_NI_CHANNEL_STATE_QUEUED && m->now >= s->deadline) {
      m->happened.timed_out++;
      set_state(m, page, c, MEMLIFT_NI_CHANNEL_STATE_TIMED_OUT, 0);
    }
  }
}

int memlift_ni_take_back(struct ni_model *m, unsigned page, unsigned c) {
  struct ni_sender *s = &m->page[page].sender[c];
  if (s->sent || s->state == MEMLIFT_NI_CHANNEL_STATE_ACKNOWLEDGED)
    return 0;
  set_state(m, page, c, MEMLIFT_NI_CHANNEL_STATE_IDLE, 0);
  return 1;
}

void memlift_ni_reset_sender(struct ni_model *m, unsigned page) {
  for (unsigned c = 0; c < MEMLIFT_NI_CHANNELS; c++) {
    m->page[page].sender[c].waits = 0;
    memlift_ni_put(ni_channel(m, page, c), MEMLIFT_NI_CHANNEL_SIZE_OFFSET, 0);
    set_state(m, page, c, MEMLIFT_NI_CHANNEL_STATE_IDLE, 0);
  }
  m->page[page].turn = 0;
}
#else
typedef int memlift_no_engines; /* a translation unit must not be empty */
#endif
