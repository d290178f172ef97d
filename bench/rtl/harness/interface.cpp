// interface.cpp - packets from channels to mailboxes
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "interface.h"

#include <memlift/ni_words.h>

namespace rtl {

static constexpr size_t MailboxRoom = 16;      // packets
static constexpr uint64_t CyclesOfUnit = 2000; // of a time-out: 20 us at 100 MHz

Interface::Interface(unsigned link, Note note) : link(link), note(std::move(note)) {}

static uint64_t sizeOf(uint64_t word1) { return word1 & MEMLIFT_NI_CHANNEL_SIZE_MASK; }

/// True if all words of the message have come. Needs that each store comes once, as long as nothing
/// else is stored to the same word, and that the program stores nothing of the next message before
/// it knows that this one has left: by its acknowledgement, or by an answer to it.
bool Interface::gathered(const Channel &c) const {
  uint64_t size = sizeOf(c.words[1]);
  if (!c.stored[0] || !c.stored[1])
    return false;
  for (uint64_t i = 0; i < size && i < 8 * Words; ++i)
    if (!(c.written[i / 8] >> (i % 8) & 1))
      return false;
  return true;
}

/// Into a mailbox of this one; false: there is no room.
bool Interface::take(unsigned page, const Packet &packet) {
  if (mailboxes[page].size() == MailboxRoom)
    return false;
  mailboxes[page].push_back(packet);
  note("packet", packet.due);
  return true;
}

void Interface::send(Channel &c, uint64_t cycle) {
  uint64_t size = sizeOf(c.words[1]);
  uint64_t page = (c.words[0] & MEMLIFT_NI_CHANNEL_ADDRESS_MASK) / MEMLIFT_NI_PAGE_BYTES;
  uint64_t timeout =
      (c.words[1] & MEMLIFT_NI_CHANNEL_TIMEOUT_MASK) >> MEMLIFT_NI_CHANNEL_TIMEOUT_SHIFT;
  c.written.fill(0);
  c.stored[0] = c.stored[1] = false;
  c.sent = true;
  c.acknowledged = Never;
  c.gaveUp = timeout ? cycle + timeout * CyclesOfUnit : Never;
  note("header", cycle + 1);
  if (!peer || size == 0 || size > 8 * Words || page >= Pages)
    return;
  if (peer->take(unsigned(page), {cycle + 1 + link, unsigned(size), c.payload})) {
    c.acknowledged = cycle + 2 + 2 * link;
    note("ack", c.acknowledged);
  }
}

void Interface::write(uint64_t offset, uint64_t data, uint8_t strobe, bool gathering,
                      uint64_t cycle) {
  if (offset >= MEMLIFT_NI_MAILBOXES) {
    std::deque<Packet> &box = mailboxes[(offset - MEMLIFT_NI_MAILBOXES) / MEMLIFT_NI_PAGE_BYTES];
    bool pop = offset % MEMLIFT_NI_PAGE_BYTES == MEMLIFT_NI_MAILBOX_POP_OFFSET;
    if (pop && !box.empty() && box.front().due <= cycle)
      box.pop_front();
    return;
  }
  Channel &c = channels[offset / MEMLIFT_NI_CHANNEL_BYTES];
  uint64_t at = offset % MEMLIFT_NI_CHANNEL_BYTES, mask = 0;
  for (unsigned i = 0; i < 8; ++i)
    mask |= strobe >> i & 1 ? uint64_t(0xff) << (8 * i) : 0;
  if (at < 8 * Words) {
    c.payload[at / 8] = (c.payload[at / 8] & ~mask) | (data & mask);
    c.written[at / 8] |= strobe;
  } else if (at == MEMLIFT_NI_CHANNEL_ADDRESS_OFFSET || at == MEMLIFT_NI_CHANNEL_SIZE_OFFSET) {
    unsigned which = at == MEMLIFT_NI_CHANNEL_SIZE_OFFSET;
    c.words[which] = data;
    c.stored[which] = true;
  }
  if (gathering ? gathered(c) : at == MEMLIFT_NI_CHANNEL_SIZE_OFFSET)
    send(c, cycle);
}

uint64_t Interface::readChannel(const Channel &c, uint64_t at, uint64_t cycle) const {
  if (at != MEMLIFT_NI_CHANNEL_STATE_OFFSET)
    return 0;
  if (!c.sent)
    return MEMLIFT_NI_CHANNEL_STATE_IDLE;
  if (c.acknowledged <= cycle && c.acknowledged < c.gaveUp)
    return MEMLIFT_NI_CHANNEL_STATE_ACKNOWLEDGED;
  return c.gaveUp <= cycle ? MEMLIFT_NI_CHANNEL_STATE_TIMED_OUT : MEMLIFT_NI_CHANNEL_STATE_QUEUED;
}

uint64_t Interface::read(uint64_t offset, uint64_t cycle) {
  if (offset < MEMLIFT_NI_MAILBOXES)
    return readChannel(channels[offset / MEMLIFT_NI_CHANNEL_BYTES],
                       offset % MEMLIFT_NI_CHANNEL_BYTES, cycle);
  const std::deque<Packet> &box =
      mailboxes[(offset - MEMLIFT_NI_MAILBOXES) / MEMLIFT_NI_PAGE_BYTES];
  uint64_t at = offset % MEMLIFT_NI_PAGE_BYTES - MEMLIFT_NI_MAILBOX_PAYLOAD_OFFSET;
  if (box.empty() || box.front().due > cycle)
    return 0;
  if (offset % MEMLIFT_NI_PAGE_BYTES == MEMLIFT_NI_MAILBOX_SIZE_OFFSET)
    return box.front().size;
  return at < 8 * Words ? box.front().payload[at / 8] : 0;
}

} // namespace rtl
