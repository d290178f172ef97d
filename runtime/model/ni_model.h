/* ni_model.h - a network interface in software: packetizer, network and mailboxes, with faults
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * One device of MEMLIFT_NI_PAGES pages whose network leads back to itself. It reads and writes the
 * very words of ni_words.h, in ordinary memory: it takes note of a doorbell when it is stepped,
 * clears word 1 when it has taken the message, and POP when the next head is there.
 *
 *   chain      A channel whose AUTO_CHAIN is set when the one before it is not acknowledged (queued
 *              or timed out) is sent when that one is; its time runs meanwhile.
 *   mailbox    MEMLIFT_NI_ROOM packets, of each page MEMLIFT_NI_SHARE at most. A packet that finds
 *              no room, a page that is not open, or another protection id, is dropped without a
 *              word to its sender.
 *   faults     By a generator with a seed: the same calls give the same faults.
 *   time       virtual: each step takes `tick` nanoseconds, and nothing else any. Else the
 *              system's clock.
 *   threads    any number; a lock inside. The device runs in the calls that look at it.
 *   limits     2,048 packets and acknowledgements on the way; more are lost
 */
#ifndef MEMLIFT_NI_MODEL_H
#define MEMLIFT_NI_MODEL_H

#include "../config.h"
#include "../include/memlift/ni_words.h"
#include "../queue/wait.h"

#include <stddef.h>
#include <stdint.h>

#define MEMLIFT_NI_ROOM 64u
#define MEMLIFT_NI_SHARE 8u

/* Probabilities are of 10,000. All 0: none. */
struct ni_faults {
  uint64_t seed;
  unsigned drop;      /* a packet is lost */
  unsigned duplicate; /* it arrives twice, the second time up to late_ns later */
  unsigned drop_ack;  /* an acknowledgement is lost */
  uint64_t delay_ns;  /* a packet takes up to so much longer: channels overtake each other */
  uint64_t late_ns;
  unsigned room, share; /* of mailboxes; 0: as above */
};

struct ni_settings {
  int virtual_time;
  uint64_t tick_ns;    /* of virtual time: of a step; 0: 100 */
  uint64_t latency_ns; /* of a packet, and of its acknowledgement */
  struct ni_faults faults;
};

/* Counters of what the device did. */
struct ni_happened {
  uint64_t packets, arrived, acknowledged, timed_out, repeated_twice;
  uint64_t dropped, dropped_acks, full, unreachable, refused, overwritten;
};

struct ni_model;

#pragma GCC visibility push(hidden)
#if defined(__cplusplus)
extern "C" {
#endif

/* A device; its pages are at `pages`, of MEMLIFT_NI_SIZE bytes and zeroed, or for NULL in memory of
 * its own. NULL: no memory. Own pages are not in a child after fork. */
struct ni_model *memlift_ni_model_new(const struct ni_settings *settings, void *pages);
void memlift_ni_model_free(struct ni_model *m);

unsigned char *memlift_ni_model_pages(struct ni_model *m);

/* Opens count pages from `first` on, or for -1 from where they are free. Returns the first; -1:
 * they are not. Each opening is a new incarnation of a page. */
int memlift_ni_model_open(struct ni_model *m, int first, unsigned count, uint32_t protection_id);
void memlift_ni_model_close(struct ni_model *m, unsigned first, unsigned count);
unsigned memlift_ni_model_incarnation(struct ni_model *m, unsigned page);

/* Takes back the message of a channel: 1; 0: it has been sent. */
int memlift_ni_model_withdraw(struct ni_model *m, unsigned page, unsigned channel);

/* Takes what was stored, moves packets, writes states and heads. */
void memlift_ni_model_step(struct ni_model *m);

/* Lets virtual time pass, then steps. */
void memlift_ni_model_pass(struct ni_model *m, uint64_t nanoseconds);

/* A page whose process has died: packets to it are dropped, its own are sent. */
void memlift_ni_model_kill(struct ni_model *m, unsigned page);

void memlift_ni_model_set_faults(struct ni_model *m, const struct ni_faults *faults);
struct ni_happened memlift_ni_model_happened(struct ni_model *m);

/* Is notified when a packet arrives in the page's mailbox. */
struct memlift_event *memlift_ni_model_event(struct ni_model *m, unsigned page);

/* Descriptor of the page's mailbox (eventfd), made when first asked for, -1: the system has none;
 * and arms it: the next packet writes to it once. */
int memlift_ni_model_descriptor(struct ni_model *m, unsigned page);
void memlift_ni_model_arm(struct ni_model *m, unsigned page);

/* Closes the descriptors of all pages, in a child. */
void memlift_ni_model_forget(struct ni_model *m);

#if defined(__cplusplus)
}
#endif
#pragma GCC visibility pop

#endif
