/* channels.c - common part of the DMA engines on the same chip: channels, a piece in each
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "../config.h"

#if MEMLIFT_HAVE_OFFLOAD
#include "../queue/backoff.h"
#include "channels.h"

memlift_status memlift_channels_probe(struct memlift_channels *c, const char **reason) {
  c->bus = c->bus ? c->bus : memlift_own_bus;
  *reason = c->bus ? "" : "its registers are reached from bare metal only";
  return c->bus ? MEMLIFT_OK : MEMLIFT_NOT_PRESENT;
}

memlift_status memlift_channels_open(struct memlift_channels *c) {
  for (unsigned i = 0; i < c->count; i++)
    c->live[i] = 0;
  return MEMLIFT_OK;
}

unsigned memlift_channels_submit(struct memlift_channels *c, const struct memlift_request *pieces,
                                 unsigned count, memlift_ticket *tickets, memlift_status *status) {
  unsigned sent = 0;
  for (unsigned i = 0; i < c->count && sent < count; i++) {
    if (c->live[i] || c->in_use(i)) /* ours, or claimed by other software */
      continue;
    c->ring(i, &pieces[sent]);
    c->live[i] = 1;
    tickets[sent++] = i;
  }
  *status = sent == count ? MEMLIFT_OK : MEMLIFT_BUSY;
  return sent;
}

void memlift_channels_wait(const struct memlift_channels *c, memlift_ticket channel,
                           uint64_t nanoseconds) {
  uint64_t start_time = c->bus->now();
  struct memlift_backoff gaps = {0, 0};
  while (c->runs(channel) && c->bus->now() - start_time < nanoseconds)
    memlift_back_off(&gaps);
}

void memlift_channels_drain(struct memlift_channels *c, unsigned channel) {
  struct memlift_backoff gaps = {0, 0};
  while (c->live[channel] && c->runs(channel))
    memlift_back_off(&gaps);
  c->live[channel] = 0;
}
#else
typedef int memlift_no_engines; /* a translation unit must not be empty */
#endif
