/* mbox.h - the packetizer and mailbox under the names of their first library, above ni.h
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * One page, any of its channels, one mailbox. Functions return 0, or a size, or an error as a
 * negative memlift_status, which memlift_strerror(-error) explains. Rules for sizes, byte order,
 * threads and processes: ni.h, whose functions work on an MBOX as well.
 * Source of the names: the caRVnet user-space library (FORTH); their arguments are ours.
 */
#ifndef MEMLIFT_MBOX_H
#define MEMLIFT_MBOX_H

#include "ni.h"

typedef memlift_ni MBOX;

/* Attaches a pair of packetizer and mailbox by a transport of ni.h, where NULL is its default
 * place. NULL: *status says why, unless status is NULL. */
static inline MBOX *MBOX_ATTACH(const char *transport, const char *where, int *status) {
  struct memlift_ni_options options = {transport,           where, -1, 0, NULL, 0,
                                       MEMLIFT_NI_ANY_PAGE, 0,     0,  0, 0,    0};
  memlift_ni *ni = NULL;
  memlift_status s = memlift_ni_attach(&options, sizeof options, &ni);
  if (status)
    *status = -(int)s;
  return s == MEMLIFT_OK ? ni : NULL;
}

/* Gives the pair back. */
static inline int MBOX_DETACH(MBOX *box) { return -(int)memlift_ni_detach(box); }

/* The protection id of the pair, or an error. */
static inline int64_t MBOX_GET_PROTECTION_ID(const MBOX *box) {
  uint32_t id = 0;
  memlift_status s = memlift_ni_get_protection_id(box, &id);
  return s == MEMLIFT_OK ? (int64_t)id : -(int64_t)s;
}

/* Sends 1 to 256 bytes to a mailbox, chained, so that a page's messages arrive in order. Waits for
 * a free channel; the other form gives -MEMLIFT_BUSY instead. */
static inline int MBOX_ENQUEUE(MBOX *box, memlift_ni_address to, const void *data, size_t size) {
  return -(int)memlift_ni_enqueue(box, 0, to, data, size, MEMLIFT_NI_CHAIN, UINT64_MAX, NULL);
}
static inline int MBOX_ENQUEUE_NONBLOCKING(MBOX *box, memlift_ni_address to, const void *data,
                                           size_t size) {
  return -(int)memlift_ni_try_enqueue(box, 0, to, data, size, MEMLIFT_NI_CHAIN, NULL);
}

/* Takes the message at the head, of at most `room` bytes, and returns its size. Waits for one; the
 * other form gives 0 when there is none. */
static inline int MBOX_DEQUEUE(MBOX *box, void *buffer, size_t room) {
  size_t size = 0;
  memlift_status s = memlift_ni_dequeue(box, 0, buffer, room, UINT64_MAX, &size, NULL);
  return s == MEMLIFT_OK ? (int)size : -(int)s;
}
static inline int MBOX_DEQUEUE_NONBLOCKING(MBOX *box, void *buffer, size_t room) {
  size_t size = 0;
  memlift_status s = memlift_ni_try_dequeue(box, 0, buffer, room, &size, NULL);
  return s == MEMLIFT_OK ? (int)size : s == MEMLIFT_BUSY ? 0 : -(int)s;
}

/* Size of the message at the head, 0 for none, or an error. */
static inline int MBOX_PEEK_SIZE(MBOX *box) {
  size_t size = 0;
  memlift_status s = memlift_ni_peek(box, 0, &size);
  return s == MEMLIFT_OK ? (int)size : -(int)s;
}

#endif
