/* registers.c - a device whose pages are mapped: states of channels, the mailbox's head
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Of hardware, a load after a store to the same device sees what the store has caused: the state of
 * a channel is QUEUED right after its doorbell. Software that plays the device on ordinary memory
 * (MEMLIFT_NI_MEMORY) takes its time. It clears word 1 when it has taken a message and the state
 * says so, and POP when the next head is there; until then the channel counts as queued, and the
 * mailbox as empty.
 */
#define _GNU_SOURCE
#include "../config.h"

#if MEMLIFT_HAVE_ENGINES
#include "transport.h"

#include <limits.h>

unsigned memlift_ni_registers_state(struct memlift_ni_page *page, unsigned c, unsigned *credits) {
  volatile void *channel = memlift_ni_channel(page, c);
  if (page->ni->kind == MEMLIFT_NI_MEMORY) {
    if (memlift_ni_get(channel, MEMLIFT_NI_CHANNEL_SIZE_OFFSET))
      return MEMLIFT_NI_CHANNEL_STATE_QUEUED;
    memlift_barrier_from_device(); /* the state is the one of after word 1 was taken */
  }
  uint64_t word = memlift_ni_get(channel, MEMLIFT_NI_CHANNEL_STATE_OFFSET);
  unsigned credits_and_1 = (unsigned)MEMLIFT_NI_FIELD(NI_CHANNEL, CREDITS, word);
  *credits = credits_and_1 ? credits_and_1 - 1 : UINT_MAX;
  return (unsigned)MEMLIFT_NI_FIELD(NI_CHANNEL, STATE, word);
}

size_t memlift_ni_registers_head(struct memlift_ni_page *page, struct memlift_ni_source *source) {
  if (page->ni->kind == MEMLIFT_NI_MEMORY) {
    if (memlift_ni_get(page->mailbox, MEMLIFT_NI_MAILBOX_POP_OFFSET))
      return 0;
    memlift_barrier_from_device(); /* the head is the one of after the pop */
  }
  size_t size = memlift_ni_head(page->mailbox, page->ni->kind);
  if (size == 0)
    return 0;
  uint64_t word = memlift_ni_get(page->mailbox, MEMLIFT_NI_MAILBOX_PAGE_OFFSET);
  source->coordinates = (uint32_t)MEMLIFT_NI_FIELD(NI_MAILBOX, COORDINATES, word);
  source->page = (unsigned)MEMLIFT_NI_FIELD(NI_MAILBOX, PAGE, word);
  source->channel = (unsigned)MEMLIFT_NI_FIELD(NI_MAILBOX, CHANNEL, word);
  source->reliable = (int)MEMLIFT_NI_FIELD(NI_MAILBOX, RELIABLE, word);
  source->sequence = (uint16_t)MEMLIFT_NI_FIELD(NI_MAILBOX, SEQUENCE, word);
  source->behind = (unsigned)MEMLIFT_NI_FIELD(NI_MAILBOX, BEHIND, word);
  source->incarnation = (uint16_t)MEMLIFT_NI_FIELD(NI_MAILBOX, INCARNATION, word);
  return size;
}

int memlift_ni_registers_load(struct memlift_ni_page *page, void *buffer, size_t size) {
  if (size == 32)
    memlift_ni_load_payload(page->mailbox, buffer, 32);
  else
    memlift_ni_load_payload(page->mailbox, buffer, size);
  return 1;
}

void memlift_ni_registers_pop(struct memlift_ni_page *page) {
  memlift_ni_pop(page->mailbox, page->ni->kind);
}
#else
typedef int memlift_no_engines; /* a translation unit must not be empty */
#endif
