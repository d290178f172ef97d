/* transport.h - interface of a transport: what carries messages between pages
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A transport is one struct memlift_ni_transport, listed in attach.c. send.c and receive.c have the
 * protocol, which is the same for all: turns of channels, chains, repetition, sequence numbers,
 * duplicates, credits. They store the payload and the two words by ni_page.h into what the
 * transport calls the page's channels; so a transport without a device has memory there that looks
 * like one.
 *
 * A page is used by one thread for sending and one for receiving at a time; the functions of a
 * transport are called accordingly. None but attach, detach, forget and descriptor may allocate or
 * open a file, but for `reach`, which does so once for each destination. errno may change.
 */
#ifndef MEMLIFT_NI_TRANSPORT_H
#define MEMLIFT_NI_TRANSPORT_H

#include "attachment.h"

/* States of a channel beyond those of a device. */
#define MEMLIFT_NI_STATE_GONE 4u /* the destination was detached, or its process has died */

struct memlift_ni_transport {
  const char *name;

  /* Messages stay until they are read: none is lost, doubled or repeated, and there are no credits.
   * Sequence numbers are not used. */
  int lossless;

  /* Payloads of up to MEMLIFT_NI_NEAR_MOST bytes lie beside the two words: one transfer of a cache
   * line between processors carries all of the message. */
  int near;

  /* Fills the attachment: first, kind, and channels, mailbox and incarnation of its pages. What it
   * has got in the case of an error it has given back. */
  memlift_status (*attach)(struct memlift_ni *ni, const struct memlift_ni_options *options);

  /* Withdraws what is pending and gives the pages back. */
  void (*detach)(struct memlift_ni *ni);

  /* In a child after fork, whose mappings of pages are gone: closes what it has inherited. Memory
   * of the attachment is freed by detach there, too, if the program calls it. Async-signal-safe. */
  void (*forget)(struct memlift_ni *ni);

  /* ---- Sending: the page's sending thread ---- */

  /* Makes a destination ready for a message. NULL: there is nothing to do. */
  memlift_status (*reach)(struct memlift_ni_page *page, uint64_t word0);

  /* Before the payload is stored into a free channel. NULL: there is nothing to do. */
  void (*begin)(struct memlift_ni_page *page, unsigned channel);

  /* After the payload, before the two words. NULL: there is nothing to do. */
  void (*stamp)(struct memlift_ni_page *page, unsigned channel);

  /* After the doorbell. NULL: there is nothing to do. */
  void (*rung)(struct memlift_ni_page *page, unsigned channel);

  /* State of a channel that was rung; with ACKNOWLEDGED *credits, UINT_MAX if there are none. */
  unsigned (*state)(struct memlift_ni_page *page, unsigned channel, unsigned *credits);

  /* Takes back a message that is not acknowledged; the channel is free then. 0: it cannot, or it is
   * too late. NULL: it never can. */
  int (*withdraw)(struct memlift_ni_page *page, unsigned channel);

  /* ---- Receiving: the page's receiving thread ---- */

  /* Size of the message at the head, with where it is from; 0: none. What it gives above
   * MEMLIFT_NI_PAYLOAD_MOST is the device's fault. */
  size_t (*head)(struct memlift_ni_page *page, struct memlift_ni_source *source);

  /* Copies the payload of the message that head has told of. 0: it was withdrawn meanwhile. */
  int (*load)(struct memlift_ni_page *page, void *buffer, size_t size);

  /* Drops that message. */
  void (*pop)(struct memlift_ni_page *page);

  /* Sleeps until there may be a message, for about so many nanoseconds at most. NULL: it cannot. */
  void (*sleep)(struct memlift_ni_page *page, uint64_t nanoseconds);

  /* A descriptor, -1 when there is none; and arms it: from now on the next message makes it
   * readable. NULL: there is none. */
  int (*descriptor)(struct memlift_ni_page *page);
  void (*arm)(struct memlift_ni_page *page);
};

#pragma GCC visibility push(hidden)
#if defined(__cplusplus)
extern "C" {
#endif

extern const struct memlift_ni_transport memlift_ni_soft, memlift_ni_shm, memlift_ni_mmio;
#if defined(MEMLIFT_HAVE_OFI)
extern const struct memlift_ni_transport memlift_ni_ofi;
#endif

/* registers.c: state, head, load and pop of a device whose pages are mapped. */
unsigned memlift_ni_registers_state(struct memlift_ni_page *page, unsigned channel,
                                    unsigned *credits);
size_t memlift_ni_registers_head(struct memlift_ni_page *page, struct memlift_ni_source *source);
int memlift_ni_registers_load(struct memlift_ni_page *page, void *buffer, size_t size);
void memlift_ni_registers_pop(struct memlift_ni_page *page);

#if defined(__cplusplus)
}
#endif
#pragma GCC visibility pop

#endif
