/* ni_network.h - what is on the way between pages of the model of a network interface
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Packets and acknowledgements, each with the time at which it arrives. Those that arrive at the
 * same time do so in the order in which they were sent.
 */
#ifndef MEMLIFT_NI_NETWORK_H
#define MEMLIFT_NI_NETWORK_H

#include "../include/memlift/ni_words.h"

#include <stddef.h>
#include <stdint.h>

#define MEMLIFT_NI_IN_FLIGHT 2048u /* packets and acknowledgements at once */

struct ni_packet {
  uint64_t when, order;
  int acknowledges; /* 1: an acknowledgement: only the sender, number and credits mean something */
  unsigned page, channel; /* of the sender */
  uint64_t number;        /* of the message at its channel */
  unsigned credits;
  uint64_t word0, word1;
  unsigned char payload[MEMLIFT_NI_PAYLOAD_MOST];
};

struct ni_network {
  uint64_t sent;
  unsigned count;
  unsigned heap[MEMLIFT_NI_IN_FLIGHT]; /* places, the earliest first */
  unsigned free[MEMLIFT_NI_IN_FLIGHT]; /* places that are not in use, the last `frees` of them */
  unsigned frees, touched;
  struct ni_packet place[MEMLIFT_NI_IN_FLIGHT];
};

#pragma GCC visibility push(hidden)
#if defined(__cplusplus)
extern "C" {
#endif

/* Sends a packet, to arrive at packet->when; 0: there are too many. */
int memlift_ni_network_send(struct ni_network *n, const struct ni_packet *packet);

/* The packet that arrives next, if it does so by `now`; else NULL. It is gone when arrived is
 * called. */
const struct ni_packet *memlift_ni_network_next(const struct ni_network *n, uint64_t now);
void memlift_ni_network_arrived(struct ni_network *n);

#if defined(__cplusplus)
}
#endif
#pragma GCC visibility pop

#endif
