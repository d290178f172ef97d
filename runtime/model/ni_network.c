/* ni_network.c - a heap of packets, by the time at which they arrive
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "../config.h"

#if MEMLIFT_HAVE_ENGINES
#include "ni_network.h"

static int is_earlier(const struct ni_network *n, unsigned a, unsigned b) {
  const struct ni_packet *p = &n->place[n->heap[a]], *q = &n->place[n->heap[b]];
  return p->when != q->when ? p->when < q->when : p->order < q->order;
}

static void swap(struct ni_network *n, unsigned a, unsigned b) {
  unsigned place = n->heap[a];
  n->heap[a] = n->heap[b];
  n->heap[b] = place;
}

int memlift_ni_network_send(struct ni_network *n, const struct ni_packet *packet) {
  if (n->count == MEMLIFT_NI_IN_FLIGHT)
    return 0;
  unsigned place = n->frees ? n->free[--n->frees] : n->touched++;
  n->place[place] = *packet;
  n->place[place].order = n->sent++;
  unsigned at = n->count++;
  n->heap[at] = place;
  for (; at && is_earlier(n, at, (at - 1) / 2); at = (at - 1) / 2)
    swap(n, at, (at - 1) / 2);
  return 1;
}

const struct ni_packet *memlift_ni_network_next(const struct ni_network *n, uint64_t now) {
  return n->count && n->place[n->heap[0]].when <= now ? &n->place[n->heap[0]] : NULL;
}

void memlift_ni_network_arrived(struct ni_network *n) {
  n->free[n->frees++] = n->heap[0];
  n->heap[0] = n->heap[--n->count];
  for (unsigned at = 0;;) {
    unsigned least = at, left = 2 * at + 1, right = left + 1;
    if (left < n->count && is_earlier(n, left, least))
      least = left;
    if (right < n->count && is_earlier(n, right, least))
      least = right;
    if (least == at)
      return;
    swap(n, at, least);
    at = least;
  }
}
#else
typedef int memlift_no_engines; /* a translation unit must not be empty */
#endif
