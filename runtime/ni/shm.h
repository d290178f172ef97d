/* shm.h - files and state of transport "shm", between processes of one machine
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *   shm.c        what the protocol calls: sending, receiving, waiting
 *   shm_files.c  the directory, files of pages, attaching and taking over
 *   shm_peers.c  other processes' pages: mapping them, whether their owner lives
 *
 * Problem: messages between processes that must not be able to write each other's pages, any of
 * which may be killed at any instruction; with two transfers of a cache line in the way of a
 * message, and no system call.
 *
 * Naive: a ring in memory that both ends may write, under a lock that is robust. Each end can then
 * destroy what the other reads, a lock costs a transfer more, and one that dies inside of it leaves
 * a state that somebody has to repair.
 *
 * Idea: every word has one writer, and there is nothing to repair. A page is a file that only its
 * owner opens for writing. A message stays in the sender's channel, as it would in a device's
 * buffer; the receiver reads it there, and writes into its own file the number of the message that
 * it has read: the acknowledgement. So the receiver looks at the channels of those pages that have
 * sent to it before. A page that sends to it for the first time says so in its `bell`, the only
 * file that others may write: what is in it can make the receiver look, and nothing else.
 *
 *   file      written by                holds
 *   NN.page   its owner                 four channels, whether the page is open, what it has read
 *   NN.bell   all                       who has sent for the first time; a futex
 *   NN.wake   all                       a FIFO, for poll: there once a descriptor was asked for
 *
 *   sender     payload; COUNT, word 0; then word 1 (to_device); then, after `arm`, wakes the
 *              receiver if that is asleep. Before all of these: word 1 is 0
 *   receiver   word 1 (acquire), word 0, COUNT, payload; word 1 again (recheck): the same, so none
 *              of them was overwritten; then its own `read` (release)
 *   sender     `read` (acquire) is COUNT: acknowledged
 *
 * A channel's word 1 is 0 before its COUNT and payload are stored anew, so a receiver that reads at
 * that time sees another word 1 or another COUNT at its recheck. A message that is taken back
 * unread has SHM_WITHDRAWN there: what is chained to it must not take it for read.
 *
 * Life: the owner holds a lock on its page file for as long as it lives (an open file description
 * lock, which ends with the process, whatever happens to it). Who gets the lock of a page that is
 * open still takes over from a process that has died: its messages are withdrawn, what it has read
 * stays read, and what others had sent to it stays there to be read.
 *
 * Limits: one user, since files have the mode 0600; a process of that user that opens the files by
 * itself can do anything. 64 pages. A sender learns of a death by looking every LOOK_NS.
 */
#ifndef MEMLIFT_NI_SHM_H
#define MEMLIFT_NI_SHM_H

#include "transport.h"

#define MEMLIFT_SHM_LINE 128 /* two cache lines: x86 fetches the neighbour as well */

/* Messages that a page has read of another: the number of the last message of each channel. */
struct shm_read {
  uint64_t count[MEMLIFT_NI_CHANNELS];
} __attribute__((aligned(MEMLIFT_SHM_LINE)));

/* A page file. Numbers are in the byte order of the machine. */
struct shm_page {
  unsigned char channels[MEMLIFT_NI_PAGE_BYTES];
  struct {
    uint64_t magic;
    uint32_t open; /* 1 from when all else is there until it is detached */
    uint32_t incarnation, protection_id;
  } about __attribute__((aligned(MEMLIFT_SHM_LINE)));
  uint32_t armed __attribute__((aligned(MEMLIFT_SHM_LINE))); /* SHM_ASLEEP, SHM_POLLED */
  struct shm_read read[MEMLIFT_NI_PAGES];
};

#define SHM_MAGIC                                                                                  \
  UINT64_C(0x3130696e746c6d6d)            /* "mmltni01"; the last digits change with the layout */
#define SHM_WITHDRAWN (UINT64_C(1) << 63) /* as word 1: of no size, and no doorbell has the bit */
#define SHM_ASLEEP 1u
#define SHM_POLLED 2u

struct shm_bell {
  uint64_t knocks; /* a bit for each page that has sent for the first time */
  uint32_t rung;   /* a futex: wake-ups */
};

/* A page that messages are sent to. */
struct shm_peer {
  const struct shm_page *map; /* NULL: none */
  struct shm_bell *bell;
  int fd, wake_fd; /* of the page file, for its lock; -1: not open */
  uint32_t incarnation;
  uint64_t looked,
      dead_since; /* when its owner was last looked for, and not found for the first time */
};

/* A page of this process. */
struct shm_own {
  struct shm_page *map;
  struct shm_bell *bell;
  int directory, fd, wake_fd; /* fd holds the lock */
  uint64_t next;              /* COUNT of the next message */

  /* Sending. */
  uint64_t count[MEMLIFT_NI_CHANNELS], deadline[MEMLIFT_NI_CHANNELS];
  unsigned char
      settled[MEMLIFT_NI_CHANNELS]; /* its state since the destination has gone; 0: has not */
  struct shm_peer to[MEMLIFT_NI_PAGES];

  /* Receiving. */
  uint64_t connected; /* pages that are looked at, a bit each */
  unsigned turn, channel_turn[MEMLIFT_NI_PAGES];
  unsigned peer, channel; /* of the message that head has told of */
  uint64_t number, word1; /* its COUNT and word 1 */
  const struct shm_page *from[MEMLIFT_NI_PAGES], *others[MEMLIFT_NI_PAGES];
  int took_over; /* `left` means something */
  uint64_t left[MEMLIFT_NI_PAGES]
               [MEMLIFT_NI_CHANNELS]; /* messages that the dead owner had not read */
};

/* The address of page p, as word 0 has it. */
static inline uint64_t shm_address(unsigned p) { return memlift_ni_mailbox_at(0, p).word; }

/* A word of a channel of another's page. */
static inline uint64_t shm_word(const struct shm_page *map, unsigned c, size_t offset) {
  const void *at = map->channels + c * (size_t)MEMLIFT_NI_CHANNEL_BYTES + offset;
  return memlift_ni_little(__atomic_load_n((const uint64_t *)at, __ATOMIC_RELAXED));
}

/* Word 1 of a channel. Acquire: pairs with the to_device before the doorbell. */
static inline uint64_t shm_doorbell(const struct shm_page *map, unsigned c) {
  const void *at =
      map->channels + c * (size_t)MEMLIFT_NI_CHANNEL_BYTES + MEMLIFT_NI_CHANNEL_SIZE_OFFSET;
  return memlift_ni_little(__atomic_load_n((const uint64_t *)at, __ATOMIC_ACQUIRE));
}

#pragma GCC visibility push(hidden)

/* ---- shm_files.c ---- */

/* The directory of that name, or the default one; -1, *status says why. */
int memlift_shm_directory(const char *where, memlift_status *status);

/* Attaches a page: own->directory is set. BUSY: a process that lives has it. */
memlift_status memlift_shm_open_page(struct shm_own *own, unsigned page, uint32_t protection_id);
void memlift_shm_close_page(struct shm_own *own, unsigned page);

/* Opens, in the directory, the file of a page with that ending. */
int memlift_shm_open_file(int directory, unsigned page, const char *ending, int flags);

/* Makes the FIFO of an own page, and opens it. */
int memlift_shm_make_wake(struct shm_own *own, unsigned page);

/* Maps a file that has at least that many bytes, not in children; NULL: it has not. */
void *memlift_shm_map(int fd, size_t size, int protection);

/* ---- shm_peers.c ---- */

/* Maps another's page, for reading; NULL: there is none that is open. *fd is its file, unless fd is
 * NULL. */
const struct shm_page *memlift_shm_map_peer(int directory, unsigned page, int *fd);
void memlift_shm_unmap_peer(const struct shm_page *map);

/* 1 when the message in a channel has been read by the page that is mapped there. */
int memlift_shm_is_read(const struct memlift_ni_page *page, unsigned c, const struct shm_page *map);

/* Makes a destination ready, and knocks. */
memlift_status memlift_shm_connect(struct memlift_ni_page *page, unsigned to);
void memlift_shm_disconnect(struct shm_peer *peer);

/* 1 while the owner of a page file lives. */
int memlift_shm_is_alive(int fd);

/* Wakes the owner of a page. */
void memlift_shm_wake(struct memlift_ni_page *page, unsigned to, uint32_t armed);

/* Admits the pages whose bits are set: they are looked at from now on. */
void memlift_shm_admit(struct memlift_ni_page *page, uint64_t pages);

#pragma GCC visibility pop

#endif
