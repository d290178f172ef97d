/* ni.h - low-latency messages: the packetizer and mailbox of a network interface
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * An attachment has pages. Page i sends through its channels, 4 at most, and receives in its
 * mailbox. To send is to store the payload and two words into a channel (ni_page.h); the interface
 * acknowledges a message when it is in the mailbox of its destination, or reports that none came in
 * time. No call of a latency path takes a lock, allocates, or makes a system call, unless the
 * receiver sleeps, or the device is "soft".
 *
 *   transports    "soft"  a device in software, in this process (runtime/model/ni_model.h)
 *                 "shm"   between processes of one machine and one user
 *                 "mmio"  a device, by its mapped pages
 *                 "ofi"   between machines, by libfabric; in builds with MEMLIFT_OFI
 *   sizes         1 to 256 bytes (MEMLIFT_NI_PAYLOAD_MOST); others: MEMLIFT_INVALID_ARGUMENT
 *   byte order    A payload is bytes: byte i of the source is byte i of the buffer, between
 *                 machines of any byte order. The words of the interface are little-endian.
 *   alignment     none asked; payloads that are multiples of 8 are faster
 *   delivery      plain: at most once; a message may be lost, and then its sender is told
 *                 MEMLIFT_TIMED_OUT, which also a lost acknowledgement looks like. Reliable
 *                 (MEMLIFT_NI_RELIABLE): exactly once, as long as the sender is not told otherwise.
 *                 At most once is per attachment of the mailbox: who attaches its page next does
 *                 not know what was received before, so a repetition may be delivered once more.
 *   order         Messages of one channel to one destination arrive in order. With MEMLIFT_NI_CHAIN
 *                 those of a page do, whatever their channels and destinations.
 *   time-outs     in units of 20 us, 1 to 255, from the doorbell on; 0 is no time-out. A reliable
 *                 message takes 0 for MEMLIFT_NI_RETRY_UNITS, waits twice as long at each
 *                 repetition, up to 255 units, and is given up after all `retries`: by default
 *                 after 1.3 s. shm and ofi repeat nothing, and give it up after the same time.
 *   progress      No thread of the library takes part. Repetitions of reliable messages are sent by
 *                 calls for the page: enqueue, status, wait, flush, and by a dequeue that finds
 *                 nothing.
 *   threads       Sending on a page (enqueue, status, wait, flush) is for one thread at a time, and
 *                 so is receiving on it (dequeue, peek, arm); the two may be in different threads,
 *                 and so may pages. memlift_ni_count: any thread. Attach and detach: any thread,
 *                 detach while no other call for the attachment is under way.
 *   fork          A child has none of the parent's attachments: every call for one gives
 *                 MEMLIFT_NOT_PRESENT, its pages are not mapped and its files are closed (ofi: the
 *                 sockets of its pages; a provider may have other files). It may attach on its own.
 *                 Not to be called in a child of vfork. An exec ends all (ofi: detach before).
 *   death         The pages of a process that dies may be attached by the next. Messages that it
 *                 had sent can be read until then, and a chain that it left holds up nobody else. A
 *                 message that was read and not yet popped is delivered again, to whoever attaches
 *                 the page next (shm; counted as `redelivered`). A sender gives a successor 100 ms,
 *                 then it is told MEMLIFT_NOT_PRESENT (shm), or its time-out tells.
 *   signals       not async-signal-safe
 *   state         errno is kept; attach allocates, nothing else does; 4 KiB of stack
 *
 * Errors of all functions: MEMLIFT_INVALID_ARGUMENT for a NULL or a value out of range,
 * MEMLIFT_NOT_PRESENT in a child. In builds for 32 bits and without an operating system attach
 * gives MEMLIFT_NOT_PRESENT; ni_page.h works in all of them.
 * Source of widths and sizes: the caRVnet packetizer and mailbox (FORTH); of places: ni_words.h.
 */
#ifndef MEMLIFT_NI_H
#define MEMLIFT_NI_H

#include "memlift.h"
#include "async.h"
#include "ni_words.h"

#if defined(__cplusplus)
extern "C" {
#endif

/* ---- Attaching --------------------------------------------------------------------------- */

/* An attachment. */
typedef struct memlift_ni memlift_ni;

#define MEMLIFT_NI_RELIABLE 1u        /* sequence numbers, repetition, no duplicates */
#define MEMLIFT_NI_WRITE_COMBINING 2u /* mmio: the pages are mapped as write-combining memory */
#define MEMLIFT_NI_SOFTWARE_DEVICE                                                                 \
  4u /* mmio: they are ordinary memory, where software is the device:
                                       * it clears word 1 when it has taken it, and POP likewise */

#define MEMLIFT_NI_ANY_PAGE 0xffffffffu
#define MEMLIFT_NI_RETRY_UNITS 50u /* 1 ms: time-out of a reliable message that states none */
#define MEMLIFT_NI_RETRIES 250u    /* default of `retries` */

/* All members may be 0 but transport. */
struct memlift_ni_options {
  const char *transport;
  /* soft: name of the device in software; those of one name in a process are one device. shm: a
   * directory of the caller's with mode 0700, which is the device: all that attach there see each
   * other. NULL: one of the library's, in XDG_RUNTIME_DIR, else in /dev/shm. mmio: file to map, or
   * NULL for fd. ofi: up to 64 nodes and which of them this is, with their coordinates, as
   * "self=1,0=10.0.0.1:7000,1=10.0.0.2:7000"; page p of a node is at its port + p. An item
   * provider=NAME chooses among those of libfabric. Whoever reaches the ports can send: the network
   * is trusted. */
  const char *where;
  int fd;          /* mmio: file to map, when where and base are NULL; stays the caller's */
  uint64_t offset; /* mmio: of the device in that file, a multiple of the system's page size */
  void *base;      /* mmio: address of the device where it is mapped already; stays the caller's */
  unsigned pages;  /* 1 to MEMLIFT_NI_PAGES; 0 is 1 */
  /* Number of the first page at the device; the others follow it. MEMLIFT_NI_ANY_PAGE: pages that
   * are free. mmio has no register that tells, and takes that for 0. */
  unsigned first_page;
  unsigned channels; /* of each page, 1 to MEMLIFT_NI_CHANNELS; 0 is all */
  /* A mailbox takes messages only from pages with its own protection id. 0: effective user id of
   * the caller plus 1. mmio: what the driver has given, for memlift_ni_get_protection_id only. */
  uint32_t protection_id;
  uint32_t flags;   /* MEMLIFT_NI_ values */
  unsigned retries; /* reliable: repetitions of a message before it counts as timed out; 0 is
                     * MEMLIFT_NI_RETRIES */
  /* mmio, reliable: number of this use of the pages, 1 or more: 1 more than that of the use before,
   * of whatever process. Its low 11 bits travel: a receiver tells by them that numbers begin anew.
   * 0: the Linux driver of the file counts (ni_linux.h); that of another file does not, and
   * attaching fails. */
  uint32_t incarnation;
};

/* Attaches pages, and gives *ni. size is sizeof *options as the caller was compiled.
 *   MEMLIFT_INVALID_ARGUMENT  also: mmio, reliable, and nobody tells the incarnation
 *   MEMLIFT_UNKNOWN_ENGINE  no transport of that name in this build
 *   MEMLIFT_NOT_PRESENT     no such device here; the directory belongs to another user, or others
 *                           may write to it
 *   MEMLIFT_BUSY            the pages are attached already, or too few are free
 *   MEMLIFT_NO_RESOURCES    no memory, no descriptor */
MEMLIFT_API memlift_status memlift_ni_attach(const struct memlift_ni_options *options, size_t size,
                                             memlift_ni **ni) MEMLIFT_NOEXCEPT;

/* Gives the pages back: *ni is gone. Messages that are not acknowledged are withdrawn where the
 * transport can (soft, shm), messages in the mailboxes are dropped. Right in a child, too. */
MEMLIFT_API memlift_status memlift_ni_detach(memlift_ni *ni) MEMLIFT_NOEXCEPT;

MEMLIFT_API memlift_status memlift_ni_get_protection_id(const memlift_ni *ni,
                                                        uint32_t *id) MEMLIFT_NOEXCEPT;

/* Address of a mailbox, as word 0 of a message has it: address in bits 41 to 0, coordinates of the
 * node in bits 63 to 42. Of the transports here the address is the number of the page times 4096.
 * */
typedef struct memlift_ni_address {
  uint64_t word;
} memlift_ni_address;

static inline memlift_ni_address memlift_ni_address_of(uint32_t coordinates, uint64_t address) {
  memlift_ni_address a = {((uint64_t)coordinates << MEMLIFT_NI_CHANNEL_COORDINATES_SHIFT) |
                          (address & MEMLIFT_NI_CHANNEL_ADDRESS_MASK)};
  return a;
}

/* Address of the mailbox of page number `page` of node `coordinates`. */
static inline memlift_ni_address memlift_ni_mailbox_at(uint32_t coordinates, unsigned page) {
  return memlift_ni_address_of(coordinates, (uint64_t)page * MEMLIFT_NI_PAGE_BYTES);
}

/* Own address of page `page` of the attachment, 0 to pages - 1: what peers send to. */
MEMLIFT_API memlift_status memlift_ni_own_address(const memlift_ni *ni, unsigned page,
                                                  memlift_ni_address *out) MEMLIFT_NOEXCEPT;

/* ---- Sending ----------------------------------------------------------------------------- */

/* The argument `how`: 0, or a sum of */
#define MEMLIFT_NI_TIMEOUT(units) ((uint32_t)(units)) /* 0 to MEMLIFT_NI_TIMEOUT_MOST */
#define MEMLIFT_NI_CHAIN                                                                           \
  0x100u /* not sent before the previous message of the page is \
                                 * acknowledged; the time-out runs from the doorbell all the same */
#define MEMLIFT_NI_ON_CHANNEL(c) (((uint32_t)(c) + 1) << 10) /* else the channels take turns */

/* Stands for one message. The outcomes of the last MEMLIFT_NI_OUTCOMES messages of a page are
 * kept. */
typedef struct memlift_ni_ticket {
  uint32_t page;   /* of the attachment */
  uint32_t number; /* of the page's messages; wraps */
} memlift_ni_ticket;
#define MEMLIFT_NI_OUTCOMES 256u

/* Sends size bytes from data, and gives a ticket unless that is NULL. data may be used again on
 * return. try_enqueue does not wait for a channel; enqueue does, for at most about so many
 * nanoseconds (UINT64_MAX: without limit).
 *   MEMLIFT_OK           triggered
 *   MEMLIFT_BUSY         no channel is free now (or not that one, or not the next one, for a
 *                        chain), or as many messages as the destination has credits for, or the
 *                        window has room for, are not acknowledged; nothing was sent
 *   MEMLIFT_TIMED_OUT    enqueue: the same, for all of that time
 *   MEMLIFT_NO_RESOURCES the page has sent to 256 destinations already, and is reliable
 *   MEMLIFT_NOT_PRESENT  shm: nobody has attached the destination, it has another protection id, or
 *                        it has gone; other transports tell by a time-out. soft, mmio, reliable:
 *                        none of the last 32,704 messages to that destination was acknowledged, and
 *                        the page sends it no more until it is attached anew */
MEMLIFT_API memlift_status memlift_ni_try_enqueue(memlift_ni *ni, unsigned page,
                                                  memlift_ni_address to, const void *data,
                                                  size_t size, uint32_t how,
                                                  memlift_ni_ticket *ticket) MEMLIFT_NOEXCEPT;
MEMLIFT_API memlift_status memlift_ni_enqueue(memlift_ni *ni, unsigned page, memlift_ni_address to,
                                              const void *data, size_t size, uint32_t how,
                                              uint64_t nanoseconds,
                                              memlift_ni_ticket *ticket) MEMLIFT_NOEXCEPT;

/* Tells what became of a message; wait does for at most about so many nanoseconds.
 *   MEMLIFT_OK           acknowledged: it is in the mailbox (shm: it has been read)
 *   MEMLIFT_PENDING      neither acknowledged nor given up, and being repeated if it is reliable
 *   MEMLIFT_TIMED_OUT    no acknowledgement in time: it may or may not have arrived
 *   MEMLIFT_NOT_PRESENT  shm: the destination was detached, or its process has died; as before
 *   MEMLIFT_CANCELLED    it was chained to one that was given up, and has not been sent. mmio,
 *                        whose device takes nothing back, tells MEMLIFT_TIMED_OUT when its own
 *                        time is up; until then the channel before it is not used, for good if it
 *                        has no time-out
 *   MEMLIFT_COLLECTED    too long ago to be known */
MEMLIFT_API memlift_status memlift_ni_status(memlift_ni *ni,
                                             memlift_ni_ticket ticket) MEMLIFT_NOEXCEPT;
MEMLIFT_API memlift_status memlift_ni_wait(memlift_ni *ni, memlift_ni_ticket ticket,
                                           uint64_t nanoseconds) MEMLIFT_NOEXCEPT;

/* Waits until no message of the page is pending. MEMLIFT_OK, or MEMLIFT_PENDING when the time is
 * up. Single outcomes are memlift_ni_status's to tell. */
MEMLIFT_API memlift_status memlift_ni_flush(memlift_ni *ni, unsigned page,
                                            uint64_t nanoseconds) MEMLIFT_NOEXCEPT;

/* ---- Receiving --------------------------------------------------------------------------- */

/* Takes the message at the head of the page's mailbox: its bytes go to buffer, their number to
 * *size, and the address of the sender's mailbox to *from unless that is NULL. Senders take turns
 * (shm), or are served as they come, none with more than its share of the mailbox (soft).
 *   MEMLIFT_OK           done, and the message is gone from the mailbox
 *   MEMLIFT_BUSY         try_dequeue: there is none
 *   MEMLIFT_TIMED_OUT    dequeue: there was none for about so many nanoseconds
 *   MEMLIFT_INVALID_ARGUMENT  also: the buffer has no room for it; *size is its size, and it stays
 *   MEMLIFT_PROTOCOL     the device gave a size out of range; that packet is dropped */
MEMLIFT_API memlift_status memlift_ni_try_dequeue(memlift_ni *ni, unsigned page, void *buffer,
                                                  size_t room, size_t *size,
                                                  memlift_ni_address *from) MEMLIFT_NOEXCEPT;
MEMLIFT_API memlift_status memlift_ni_dequeue(memlift_ni *ni, unsigned page, void *buffer,
                                              size_t room, uint64_t nanoseconds, size_t *size,
                                              memlift_ni_address *from) MEMLIFT_NOEXCEPT;

/* Size of the message at the head, 0 when there is none. A following dequeue of this thread takes
 * that message. */
MEMLIFT_API memlift_status memlift_ni_peek(memlift_ni *ni, unsigned page,
                                           size_t *size) MEMLIFT_NOEXCEPT;

/* ---- Waiting for several things ---------------------------------------------------------- */

/* A descriptor for poll, select and epoll: it becomes readable when a message arrives after
 * memlift_ni_arm, and stays so until the next arm. Of each page its own; closed by detach, not to
 * be read or closed. MEMLIFT_NOT_PRESENT: mmio, which asks nobody but the device. The file of the
 * Linux driver can be polled instead: it is readable while a mailbox of its pages has a message.
 * arm gives MEMLIFT_BUSY when a message is there already: dequeue it instead of polling. */
MEMLIFT_API memlift_status memlift_ni_descriptor(memlift_ni *ni, unsigned page,
                                                 int *fd) MEMLIFT_NOEXCEPT;
MEMLIFT_API memlift_status memlift_ni_arm(memlift_ni *ni, unsigned page) MEMLIFT_NOEXCEPT;

/* One thing to wait for. Members that the kind has no use for are not looked at. */
struct memlift_waitable {
  uint32_t kind; /* a MEMLIFT_WAIT_ value */
  uint32_t page; /* mailbox */
  memlift_ni *ni;
  memlift_ni_ticket ticket;
  memlift_token token; /* async.h */
};
#define MEMLIFT_WAIT_NOTHING 0u /* passed over */
#define MEMLIFT_WAIT_TOKEN 1u   /* a copy or fill is complete; the wait collects it */
#define MEMLIFT_WAIT_MAILBOX 2u /* a message is at the head of the page's mailbox */
#define MEMLIFT_WAIT_MESSAGE 3u /* a message has been acknowledged, or given up */

/* Waits for the first of count things, for at most about so many nanoseconds; *which is its index.
 * size is sizeof *list as the caller was compiled. No event stands for all kinds, so it looks at
 * one after the other: for some tens of microseconds without a pause, then offering the processor
 * to others, then every 100 us, so that it sees one up to that time late. For one mailbox alone it
 * is woken, as is a poll of descriptors (memlift_ni_descriptor).
 *   MEMLIFT_OK         that one has happened
 *   MEMLIFT_PENDING    none in that time
 *   MEMLIFT_COLLECTED  there is nothing to wait for
 *   another status     of *which, that of memlift_wait or memlift_ni_status */
MEMLIFT_API memlift_status memlift_wait_first(const struct memlift_waitable *list, size_t size,
                                              unsigned count, uint64_t nanoseconds,
                                              unsigned *which) MEMLIFT_NOEXCEPT;

/* ---- The device's own pages, and counters ------------------------------------------------ */

/* Where a page of a device is mapped, for the inline functions of ni_page.h. */
struct memlift_ni_map {
  volatile void *channels; /* channel c at c times MEMLIFT_NI_CHANNEL_BYTES */
  volatile void *mailbox;
  int kind; /* MEMLIFT_NI_DEVICE, _COMBINING or _MEMORY */
};

/* Gives the pages of page `page` to the caller: no other function of this header is to be called
 * for it afterwards. MEMLIFT_NOT_PRESENT: the transport has no device (shm). */
MEMLIFT_API memlift_status memlift_ni_map_page(memlift_ni *ni, unsigned page,
                                               struct memlift_ni_map *out) MEMLIFT_NOEXCEPT;

struct memlift_ni_counters {
  uint64_t sent;         /* messages triggered, repetitions not counted */
  uint64_t sent_bytes;   /* their payloads */
  uint64_t acknowledged; /* of those */
  uint64_t timed_out;    /* given up for time: lost, or their acknowledgements were */
  uint64_t gone;         /* given up as the destination has gone */
  uint64_t cancelled;    /* chained to one that was given up */
  uint64_t repeated;     /* repetitions of reliable messages */
  uint64_t busy;         /* calls that found no channel, no credit or no room in the window */
  uint64_t refused;      /* sizes and other arguments out of range */
  uint64_t received;     /* messages dequeued */
  uint64_t received_bytes;
  uint64_t duplicates;  /* repetitions of what had been received, dropped */
  uint64_t stale;       /* messages of an earlier use of a page, dropped */
  uint64_t malformed;   /* packets that mean nothing, dropped */
  uint64_t taken_over;  /* pages attached whose owner had died */
  uint64_t redelivered; /* messages that a dead reader had left, delivered to this one */
  uint64_t wakeups;     /* system calls to wake a receiver */
};

/* Fills *out: of an attachment, or for NULL of the process, detached ones included. size is sizeof
 * *out as the caller was compiled. The counters are each exact, not taken at one instant. */
MEMLIFT_API memlift_status memlift_ni_count(const memlift_ni *ni, struct memlift_ni_counters *out,
                                            size_t size) MEMLIFT_NOEXCEPT;

#if defined(__cplusplus)
}
#endif

#endif
