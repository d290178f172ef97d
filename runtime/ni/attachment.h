/* attachment.h - an attachment and its pages, as the protocol sees them
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *   attach.c     attaching, detaching, counters     life.c     fork, list of attachments
 *   send.c       turns, chains, outcomes            repeat.c   sequence numbers, repetition,
 *   credits receive.c    the mailbox                        source.c   duplicates
 *   wait.c       waiting, descriptors               none.c     the same where there is nothing
 *   registers.c  a device's pages   soft.c  mmio.c  shm*.c  ofi*.c  the transports
 */
#ifndef MEMLIFT_NI_ATTACHMENT_H
#define MEMLIFT_NI_ATTACHMENT_H

#include "../config.h"
#include "../include/memlift/ni.h"
#include "../include/memlift/ni_page.h"

#define MEMLIFT_NI_PEERS                                                                           \
  256u /* destinations and sources that a page keeps in mind: a power of two */

struct memlift_ni_transport;

/* Where a message is from, and its sequence number if it is reliable. */
struct memlift_ni_source {
  uint32_t coordinates;
  unsigned page, channel; /* of the device */
  int reliable;
  uint16_t sequence, incarnation;
  unsigned behind;
};

/* A destination of a page. */
struct memlift_ni_destination {
  uint64_t word0;
  int used;
  uint16_t next;      /* sequence number of the next message */
  uint16_t confirmed; /* that of the newest acknowledged one, plus 1 */
  unsigned in_flight; /* messages that are pending */
  unsigned credits;   /* messages that the mailbox had room for at the last acknowledgement */
};

/* A source of a mailbox: which of its messages have been received. All numbers below base have, and
 * of the MEMLIFT_NI_WINDOW from base on those whose bit is set. */
struct memlift_ni_known {
  uint64_t key; /* coordinates and page; plus 1: 0 is none */
  uint64_t received;
  uint64_t used; /* when, in messages of the mailbox */
  uint16_t base, incarnation;
  uint16_t newest[MEMLIFT_NI_CHANNELS]; /* of each channel, the number that was accepted last */
  uint8_t heard;                        /* a bit for each channel that has one */
};

/* A message in a channel. */
struct memlift_ni_message {
  int pending;
  int chained;
  int orphan; /* chained to one that was given up, and not to be withdrawn */
  uint32_t number;
  uint64_t word0, word1;
  size_t size;
  unsigned tries;
  struct memlift_ni_destination *to; /* NULL with a lossless transport */
  uint16_t sequence;
};

struct memlift_ni_page {
  struct memlift_ni *ni;
  unsigned index, number; /* in the attachment, at the device */
  volatile void *channels, *mailbox;
  void *mine; /* the transport's */

  /* Sending. */
  uint32_t held; /* 1: a thread is at it; used where there are repetitions only */
  struct memlift_ni_message message[MEMLIFT_NI_CHANNELS];
  unsigned turn;  /* the channel after the last one used */
  uint32_t count; /* messages; the number of the next */
  int broken;     /* the last message was given up: the next begins a chain anew */
  uint16_t incarnation;
  uint8_t outcome[MEMLIFT_NI_OUTCOMES];             /* memlift_status, by number */
  struct memlift_ni_destination *destinations;      /* MEMLIFT_NI_PEERS; NULL: lossless */
  unsigned char (*copies)[MEMLIFT_NI_PAYLOAD_MOST]; /* of each channel; NULL: nothing is repeated */

  /* Receiving. */
  struct memlift_ni_known *known;  /* MEMLIFT_NI_PEERS; NULL: lossless, or plain */
  struct memlift_ni_source source; /* of the message at the head */
  size_t head;                     /* its size, once it has been accepted; 0: look again */
  uint64_t messages;

  struct memlift_ni_counters sent, got; /* each written by one thread only */
};

struct memlift_ni {
  const struct memlift_ni_transport *transport;
  struct memlift_ni *next; /* life.c */
  uint32_t gone;           /* not 0 in a child that has inherited the memory */
  int kind;                /* ni_page.h */
  uint32_t flags, protection_id, coordinates;
  unsigned first, pages, channels, retries;
  void *mine; /* the transport's */
  struct memlift_ni_page *page;
};

#pragma GCC visibility push(hidden)
#if defined(__cplusplus)
extern "C" {
#endif

/* ---- life.c ---- */

/* Has the system tell of forks; 0: it will not. Before the first lock. */
int memlift_ni_watch_forks(void);

/* Puts an attachment on the list of those that a child has to forget, and takes it off, keeping its
 * counters. With the lock. */
void memlift_ni_enlist(struct memlift_ni *ni);
void memlift_ni_delist(struct memlift_ni *ni);

/* Locks the list; a fork waits for it. For attach and detach, so that a child finds no transport in
 * the middle of one. */
void memlift_ni_lock(void);
void memlift_ni_unlock(void);

/* Adds the counters of all attachments, and of those that are gone. */
void memlift_ni_count_all(struct memlift_ni_counters *sum);

/* Adds the counters of one. */
void memlift_ni_add_counters(struct memlift_ni_counters *sum, const struct memlift_ni *ni);

/* ---- send.c, repeat.c ---- */

/* Brings what is known of a channel up to date; of all channels. */
void memlift_ni_look(struct memlift_ni_page *page, unsigned channel);
void memlift_ni_look_at_all(struct memlift_ni_page *page);

/* For a thread that waits for a message: repeats what has to be, unless the sending thread is at
 * it. The two ends of a request and its answer would wait for each other otherwise. */
void memlift_ni_drive(struct memlift_ni_page *page);

/* Triggers the message in the channel, whose payload is stored. */
void memlift_ni_ring(struct memlift_ni_page *page, unsigned channel);

/* The destination of a message, made known if need be; NULL: too many are in use. */
struct memlift_ni_destination *memlift_ni_find_destination(struct memlift_ni_page *page,
                                                           uint64_t word0);

/* Returns 1 when one more message may be sent there now. */
int memlift_ni_has_room(const struct memlift_ni_page *page,
                        const struct memlift_ni_destination *to);

/* Returns 1 when so many numbers in a row were not acknowledged that none is sent any more. */
int memlift_ni_is_cut_off(const struct memlift_ni_page *page,
                          const struct memlift_ni_destination *to);

/* Notes that a message was acknowledged. */
void memlift_ni_confirm(struct memlift_ni_destination *to, uint16_t sequence);

/* Gives a message its sequence number, and word 1 the fields of it. */
void memlift_ni_number(struct memlift_ni_page *page, unsigned channel);

/* Sends a message that has timed out once more; 0: it has been tried often enough. */
int memlift_ni_repeat(struct memlift_ni_page *page, unsigned channel);

/* Time (memlift_now) at which a lossless transport gives up the message of that word 1: after its
 * time-out, and a reliable one after as many as another transport would repeat it, each twice as
 * long as the one before. 0: never, of a plain message without time-out. */
uint64_t memlift_ni_deadline(const struct memlift_ni_page *page, uint64_t word1);

/* ---- receive.c, source.c ---- */

/* Makes the head of the mailbox a message to be received: size in page->head, 0 when there is none.
 * MEMLIFT_PROTOCOL: a packet was dropped that means nothing. */
memlift_status memlift_ni_settle(struct memlift_ni_page *page);

/* Notes a message as received. MEMLIFT_OK, or it has been: MEMLIFT_COLLECTED; or it is of an
 * earlier use of its page: MEMLIFT_CANCELLED. */
memlift_status memlift_ni_accept(struct memlift_ni_page *page,
                                 const struct memlift_ni_source *source);

/* ---- wait.c ---- */

/* A wait: looks without a pause at first, then gives the processor away for ever longer. */
struct memlift_ni_patience {
  uint64_t nanoseconds, start;
  unsigned looks;
};
/* 0: the time is up. page: whose mailbox is waited for, NULL for other things. */
int memlift_ni_be_patient(struct memlift_ni_patience *p, struct memlift_ni_page *page);

#if defined(__cplusplus)
}
#endif
#pragma GCC visibility pop

/* Adds to a counter that this thread alone writes; others may read it. */
static inline void memlift_ni_add(uint64_t *counter, uint64_t by) {
  __atomic_store_n(counter, __atomic_load_n(counter, __ATOMIC_RELAXED) + by, __ATOMIC_RELAXED);
}

static inline volatile void *memlift_ni_channel(const struct memlift_ni_page *page, unsigned c) {
  return (volatile char *)page->channels + c * (size_t)MEMLIFT_NI_CHANNEL_BYTES;
}

/* The page of a call, or why there is none. */
static inline memlift_status memlift_ni_page_of(const struct memlift_ni *ni, unsigned index,
                                                struct memlift_ni_page **page) {
  if (!ni || index >= ni->pages)
    return MEMLIFT_INVALID_ARGUMENT;
  if (__atomic_load_n(&ni->gone, __ATOMIC_RELAXED))
    return MEMLIFT_NOT_PRESENT;
  *page = &ni->page[index];
  return MEMLIFT_OK;
}

#endif
