/* ofi.h - transport "ofi": messages between machines by libfabric
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A node is a host and a port; page p of it is an endpoint at port + p. A message is one packet.
 * The receiver keeps it in one of the buffers that it has posted until it is read, and then sends a
 * packet that acknowledges it. So "acknowledged" means "read", as with shm, and no message is lost
 * or doubled: the provider's endpoints are reliable datagrams (FI_EP_RDM).
 *
 * Packets come in whatever call looks for them, of the sending or of the receiving thread of the
 * page. One of them at a time looks, under the lock of the page.
 *
 * A child after fork has copies of the provider's sockets. As long as it lived, they would keep the
 * ports of a parent that has detached, and its connections. libfabric tells no descriptors, so the
 * child looks for them: ofi_fork.c.
 *
 * Source: fi_endpoint(3), fi_cq(3), fi_av(3) of libfabric 1.17.
 */
#ifndef MEMLIFT_NI_OFI_H
#define MEMLIFT_NI_OFI_H

#include "transport.h"

#include <rdma/fabric.h>
#include <rdma/fi_cm.h>
#include <rdma/fi_domain.h>
#include <rdma/fi_endpoint.h>
#include <sys/socket.h>

#define OFI_NODES 64u    /* that `where` can name */
#define OFI_BUFFERS 512u /* messages that a page has room for; a power of two */
#define OFI_SENDS 8u     /* messages of a page that are being sent: two a channel */

/* Kinds of packets. */
enum { OFI_MESSAGE = 1, OFI_READ = 2, OFI_REFUSED = 3 };

/* A packet as it travels; all words are little-endian. */
struct ofi_packet {
  uint64_t to, from;      /* mailbox addresses, as word 0 has them */
  uint64_t word1;         /* of the message */
  uint64_t count;         /* number of the message, of all those of the sending page */
  uint32_t kind, channel; /* of the sender of the message */
  uint32_t protection_id; /* of the sending page */
  uint32_t zero;
  unsigned char payload[MEMLIFT_NI_PAYLOAD_MOST];
};
#define OFI_HEADER offsetof(struct ofi_packet, payload)

/* An operation of the provider. Its context comes first: the completion gives its address. */
struct ofi_operation {
  struct fi_context2 context;
  enum { OFI_FREE, OFI_RECEIVE, OFI_SEND, OFI_SEND_WAITS, OFI_REPLY, OFI_REPLY_WAITS } state;
  fi_addr_t to;
  unsigned channel;
  uint64_t count; /* of the message that is sent */
  uint64_t after; /* count of the one in the channel before that it is chained to; 0: none */
  struct ofi_packet packet;
};

struct ofi_node {
  uint32_t coordinates;
  unsigned port;
  char host[64];
};

/* State of an attachment. */
struct ofi_net {
  struct fi_info *hints;
  struct fid_fabric *fabric;
  struct fid_domain *domain;
  unsigned nodes, self; /* self: index of the own node */
  struct ofi_node node[OFI_NODES];
  char provider[32];
};

/* State of a page. All but `acknowledged`, `gone` and the ring's ends are under the lock. */
struct ofi_page {
  uint32_t lock;
  int behind;  /* replies or buffers may wait */
  int wait_fd; /* -1: none */
  struct fid_ep *endpoint;
  struct fid_cq *queue;
  struct fid_av *addresses;
  struct fid_mr *memory; /* of this structure, if the provider asks for that */
  void *descriptor;
  fi_addr_t known[OFI_NODES][MEMLIFT_NI_PAGES]; /* FI_ADDR_UNSPEC: not asked for yet */
  struct sockaddr_storage host[OFI_NODES];      /* with port 0, when asked for; else zeros */

  /* Sending: the message of each channel. */
  uint64_t next, count[MEMLIFT_NI_CHANNELS], acknowledged[MEMLIFT_NI_CHANNELS],
      gone[MEMLIFT_NI_CHANNELS]; /* counts that have been read, or cannot be delivered */
  uint64_t deadline[MEMLIFT_NI_CHANNELS];
  unsigned char unsent[MEMLIFT_NI_CHANNELS]; /* no operation was free for it yet */
  struct ofi_operation send[OFI_SENDS], hello;

  /* Receiving: messages that have come, in order, as indices of `receive`. */
  uint32_t arrived, taken; /* ends of the ring */
  uint16_t ring[OFI_BUFFERS];
  struct ofi_operation receive[OFI_BUFFERS], reply[OFI_BUFFERS];
};

#pragma GCC visibility push(hidden)

/* ---- ofi_fabric.c ---- */

/* Opens the attachment's domain and one endpoint a page, without anything posted. */
memlift_status memlift_ofi_open(struct memlift_ni *ni, const struct memlift_ni_options *options);
void memlift_ofi_close(struct memlift_ni *ni, unsigned pages);

/* The provider's address of a mailbox; FI_ADDR_UNSPEC: no node has it. *first, unless NULL, is set
 * to 1 when it was not known before. With the page's lock. */
fi_addr_t memlift_ofi_address(struct memlift_ni_page *page, uint64_t word0, int *first);

/* ---- ofi_fork.c ---- */

/* Notes the address of a node, of any page of it, as the provider gives it. With the lock. */
void memlift_ofi_keep_host(struct sockaddr_storage *host, const void *address, size_t size);

/* Closes what a child has inherited of the provider's sockets: those at the address of a page of
 * the attachment, and those that are connected to a page of a node. Async-signal-safe. */
void memlift_ofi_close_sockets(const struct memlift_ni *ni);

#pragma GCC visibility pop

#endif
