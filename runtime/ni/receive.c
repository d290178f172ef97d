/* receive.c - receiving: the head of a mailbox, without what has been received before
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A packet at the head is accepted once, by whichever call looks at it first, and noted in
 * page->head: a dequeue after a peek takes what the peek has told of. It leaves the mailbox after
 * it has been copied, so a reader that dies in between loses nothing that its successor can read.
 */
#define _GNU_SOURCE
#include "../config.h"

#if MEMLIFT_HAVE_ENGINES
#include "transport.h"

#include <errno.h>

/* Drops the packet at the head, and counts why. */
static void drop(struct memlift_ni_page *page, uint64_t *why) {
  page->ni->transport->pop(page);
  memlift_ni_add(why, 1);
}

memlift_status memlift_ni_settle(struct memlift_ni_page *page) {
  const struct memlift_ni_transport *transport = page->ni->transport;
  while (page->head == 0) {
    struct memlift_ni_source *source = &page->source;
    size_t size = transport->head(page, source);
    if (size == 0)
      return MEMLIFT_OK;
    if (size > MEMLIFT_NI_PAYLOAD_MOST) {
      drop(page, &page->got.malformed);
      return MEMLIFT_PROTOCOL;
    }
    memlift_status status =
        source->reliable && page->known ? memlift_ni_accept(page, source) : MEMLIFT_OK;
    if (status == MEMLIFT_OK)
      page->head = size;
    else
      drop(page, status == MEMLIFT_COLLECTED ? &page->got.duplicates : &page->got.stale);
  }
  return MEMLIFT_OK;
}

/* Takes the message at the head, if there is one. */
static memlift_status take(struct memlift_ni_page *page, void *buffer, size_t room, size_t *size,
                           memlift_ni_address *from) {
  const struct memlift_ni_transport *transport = page->ni->transport;
  for (;;) {
    memlift_status status = memlift_ni_settle(page);
    if (status != MEMLIFT_OK)
      return status;
    *size = page->head;
    if (page->head == 0)
      return MEMLIFT_BUSY;
    if (page->head > room)
      return MEMLIFT_INVALID_ARGUMENT;
    page->head = 0;
    if (transport->load(page, buffer, *size))
      break;
  }
  if (from)
    *from = memlift_ni_mailbox_at(page->source.coordinates, page->source.page);
  transport->pop(page);
  page->messages++;
  memlift_ni_add(&page->got.received, 1);
  memlift_ni_add(&page->got.received_bytes, *size);
  return MEMLIFT_OK;
}

memlift_status memlift_ni_try_dequeue(memlift_ni *ni, unsigned index, void *buffer, size_t room,
                                      size_t *size, memlift_ni_address *from) {
  struct memlift_ni_page *page;
  memlift_status status = memlift_ni_page_of(ni, index, &page);
  if (status != MEMLIFT_OK)
    return status;
  if (!buffer || !size)
    return MEMLIFT_INVALID_ARGUMENT;
  int saved_errno = errno;
  status = take(page, buffer, room, size, from);
  if (status == MEMLIFT_BUSY)
    memlift_ni_drive(page);
  errno = saved_errno;
  return status;
}

memlift_status memlift_ni_dequeue(memlift_ni *ni, unsigned index, void *buffer, size_t room,
                                  uint64_t nanoseconds, size_t *size, memlift_ni_address *from) {
  struct memlift_ni_patience patience = {nanoseconds, 0, 0};
  for (;;) {
    memlift_status status = memlift_ni_try_dequeue(ni, index, buffer, room, size, from);
    if (status != MEMLIFT_BUSY)
      return status;
    if (!memlift_ni_be_patient(&patience, &ni->page[index]))
      return MEMLIFT_TIMED_OUT;
  }
}

memlift_status memlift_ni_peek(memlift_ni *ni, unsigned index, size_t *size) {
  struct memlift_ni_page *page;
  memlift_status status = memlift_ni_page_of(ni, index, &page);
  if (status != MEMLIFT_OK)
    return status;
  if (!size)
    return MEMLIFT_INVALID_ARGUMENT;
  int saved_errno = errno;
  status = memlift_ni_settle(page);
  *size = page->head;
  errno = saved_errno;
  return status;
}
#else
typedef int memlift_no_engines; /* a translation unit must not be empty */
#endif
