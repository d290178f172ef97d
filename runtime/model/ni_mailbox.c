/* ni_mailbox.c - the mailboxes of the model: room, shares, the head that their readers see
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "../config.h"

#if MEMLIFT_HAVE_ENGINES
#include "ni_device.h"

#include <string.h>

/* Writes the head where the reader sees it, the size last; or a size of 0. */
static void show_head(struct ni_model *m, unsigned page) {
  volatile void *at = ni_mailbox(m, page);
  const struct ni_box *box = &m->page[page].box;
  if (box->count == 0) {
    memlift_ni_put(at, MEMLIFT_NI_MAILBOX_SIZE_OFFSET, 0);
    return;
  }
  const struct ni_entry *e = &box->entry[box->first];
  volatile memlift_ni_word *to = memlift_ni_at(at, MEMLIFT_NI_MAILBOX_PAYLOAD_OFFSET);
  for (unsigned i = 0; i < (e->size + 7) / 8; i++)
    memlift_ni_write(to + i, memlift_ni_load(e->payload + 8 * i));
  memlift_ni_put(at, MEMLIFT_NI_MAILBOX_PAGE_OFFSET, e->source);
  memlift_barrier_to_device(); /* who sees the size sees the packet */
  memlift_ni_put(at, MEMLIFT_NI_MAILBOX_SIZE_OFFSET, e->size);
}

/* The word that tells a reader where a packet is from. */
static uint64_t source_word(const struct ni_packet *packet) {
  uint64_t w = packet->word1;
  return MEMLIFT_NI_PLACE(NI_MAILBOX, CHANNEL, packet->channel) |
         MEMLIFT_NI_PLACE(NI_MAILBOX, PAGE, packet->page) |
         MEMLIFT_NI_PLACE(NI_MAILBOX, COORDINATES, 0) |
         MEMLIFT_NI_PLACE(NI_MAILBOX, SEQUENCE, MEMLIFT_NI_FIELD(NI_CHANNEL, SEQUENCE, w)) |
         MEMLIFT_NI_PLACE(NI_MAILBOX, BEHIND, MEMLIFT_NI_FIELD(NI_CHANNEL, BEHIND, w)) |
         MEMLIFT_NI_PLACE(NI_MAILBOX, INCARNATION, MEMLIFT_NI_FIELD(NI_CHANNEL, INCARNATION, w)) |
         MEMLIFT_NI_PLACE(NI_MAILBOX, RELIABLE, MEMLIFT_NI_FIELD(NI_CHANNEL, RELIABLE, w));
}

/* The page that a packet is for; -1: nobody's. */
static int find_page(struct ni_model *m, const struct ni_packet *packet) {
  uint64_t address = MEMLIFT_NI_FIELD(NI_CHANNEL, ADDRESS, packet->word0);
  uint64_t page = address / MEMLIFT_NI_PAGE_BYTES;
  if (MEMLIFT_NI_FIELD(NI_CHANNEL, COORDINATES, packet->word0) || page >= MEMLIFT_NI_PAGES ||
      address % MEMLIFT_NI_PAGE_BYTES)
    return -1;
  const struct ni_page_state *to = &m->page[page];
  int is_there = (m->opened >> page & 1) && !to->dead &&
                 to->protection_id == m->page[packet->page].protection_id;
  return is_there ? (int)page : -1;
}

/* Packets of a page that a mailbox has room for. */
static unsigned credits(const struct ni_model *m, const struct ni_box *box, unsigned page) {
  unsigned room = m->settings.faults.room, share = m->settings.faults.share;
  room = room && room < MEMLIFT_NI_ROOM ? room : MEMLIFT_NI_ROOM;
  share = share ? share : MEMLIFT_NI_SHARE;
  unsigned left = box->count < room ? room - box->count : 0;
  unsigned own = box->of_page[page] < share ? share - box->of_page[page] : 0;
  return left < own ? left : own;
}

static void acknowledge(struct ni_model *m, const struct ni_packet *packet, unsigned room) {
  struct ni_packet ack = {m->now + m->settings.latency_ns,
                          0,
                          1,
                          packet->page,
                          packet->channel,
                          packet->number,
                          room,
                          0,
                          0,
                          {0}};
  if (memlift_ni_chance(m, m->settings.faults.drop_ack) ||
      !memlift_ni_network_send(&m->network, &ack))
    m->happened.dropped_acks++;
}

void memlift_ni_arrive(struct ni_model *m, const struct ni_packet *packet) {
  int page = find_page(m, packet);
  if (page < 0) {
    m->happened.unreachable++;
    return;
  }
  struct ni_box *box = &m->page[page].box;
  if (credits(m, box, packet->page) == 0) {
    m->happened.full++;
    return;
  }
  struct ni_entry *e = &box->entry[(box->first + box->count++) % MEMLIFT_NI_ROOM];
  e->size = (unsigned)MEMLIFT_NI_FIELD(NI_CHANNEL, SIZE, packet->word1);
  e->source = source_word(packet);
  e->page = packet->page;
  memcpy(e->payload, packet->payload, e->size);
  box->of_page[packet->page]++;
  m->happened.arrived++;
  if (box->count == 1)
    show_head(m, (unsigned)page);
  memlift_ni_notify(m, (unsigned)page);
  acknowledge(m, packet, credits(m, box, packet->page));
}

void memlift_ni_take_pop(struct ni_model *m, unsigned page) {
  volatile void *at = ni_mailbox(m, page);
  struct ni_box *box = &m->page[page].box;
  if (!memlift_ni_get(at, MEMLIFT_NI_MAILBOX_POP_OFFSET))
    return;
  if (box->count) {
    box->of_page[box->entry[box->first].page]--;
    box->first = (box->first + 1) % MEMLIFT_NI_ROOM;
    box->count--;
  }
  show_head(m, page);
  memlift_barrier_to_device(); /* who sees POP as taken sees the next head */
  memlift_ni_put(at, MEMLIFT_NI_MAILBOX_POP_OFFSET, 0);
}

void memlift_ni_reset_mailbox(struct ni_model *m, unsigned page) {
  memset(&m->page[page].box, 0, sizeof m->page[page].box);
  show_head(m, page);
  memlift_ni_put(ni_mailbox(m, page), MEMLIFT_NI_MAILBOX_POP_OFFSET, 0);
}
#else
typedef int memlift_no_engines; /* a translation unit must not be empty */
#endif
