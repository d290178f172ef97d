/* ofi.c - transport "ofi": sending, receiving and waiting; ofi.h has the idea
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#define _GNU_SOURCE
#include "../config.h"

#if defined(MEMLIFT_HAVE_OFI) && MEMLIFT_HAVE_ENGINES
#include "../queue/wait.h"
#include "ofi.h"

#include <limits.h>
#include <poll.h>
#include <rdma/fi_errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

/* Longest sleep without a descriptor that could end it. */
#define SLICE_NS 50000u
/* Longest wait for a connection, at the first message to a page. */
#define CONNECT_NS 1000000000u

static struct ofi_page *own_of(const struct memlift_ni_page *page) { return page->mine; }

/* Acquire: pairs with the release in unlock. The next holder sees what the last one has done with
 * the page's operations. */
static int try_lock(struct ofi_page *own) {
  uint32_t unheld = 0;
  return __atomic_compare_exchange_n(&own->lock, &unheld, 1, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
}

static void lock(struct ofi_page *own) {
  while (!try_lock(own))
    sched_yield();
}

/* Release: pairs with the acquire in try_lock. */
static void unlock(struct ofi_page *own) { __atomic_store_n(&own->lock, 0, __ATOMIC_RELEASE); }

/* A packet's 32-bit word from or to one of the machine. */
static uint32_t little32(uint32_t word) {
  return (uint32_t)(memlift_ni_little((uint64_t)word) >> (memlift_ni_little(1) == 1 ? 0 : 32));
}

/* ---- Receiving packets: with the lock ------------------------------------------------------ */

static void post(struct ofi_page *own, struct ofi_operation *op) {
  op->state = OFI_RECEIVE;
  if (fi_recv(own->endpoint, &op->packet, sizeof op->packet, own->descriptor, FI_ADDR_UNSPEC,
              &op->context) == 0)
    return;
  op->state = OFI_FREE;
  own->behind = 1;
}

/* Sends a reply, or leaves it for the next look. */
static void send_reply(struct ofi_page *own, struct ofi_operation *op) {
  ssize_t error =
      fi_send(own->endpoint, &op->packet, OFI_HEADER, own->descriptor, op->to, &op->context);
  op->state = error == 0 ? OFI_REPLY : error == -FI_EAGAIN ? OFI_REPLY_WAITS : OFI_FREE;
  if (op->state == OFI_REPLY_WAITS)
    own->behind = 1;
}

/* Answers a message. There are as many replies as buffers, so one is free unless the senders cannot
 * be reached; they then learn by a time-out. */
static void answer(struct memlift_ni_page *page, const struct ofi_packet *message, uint32_t kind) {
  struct ofi_page *own = own_of(page);
  for (unsigned i = 0; i < OFI_BUFFERS; i++) {
    struct ofi_operation *op = &own->reply[i];
    if (op->state != OFI_FREE)
      continue;
    op->to = memlift_ofi_address(page, memlift_ni_little(message->from), NULL);
    op->packet = *message; /* payloads are not sent, but small */
    op->packet.kind = little32(kind);
    if (op->to != FI_ADDR_UNSPEC)
      send_reply(own, op);
    return;
  }
}

/* Takes a message into the mailbox, or refuses it; 0: its buffer is free again. */
static int take_in(struct memlift_ni_page *page, const struct ofi_operation *op, size_t length) {
  struct ofi_page *own = own_of(page);
  const struct ofi_packet *p = &op->packet;
  size_t size = MEMLIFT_NI_FIELD(NI_CHANNEL, SIZE, memlift_ni_little(p->word1));
  uint64_t mine = memlift_ni_mailbox_at(page->ni->coordinates, page->number).word;
  if (size != length - OFI_HEADER || memlift_ni_little(p->to) != mine ||
      little32(p->protection_id) != page->ni->protection_id) {
    answer(page, p, OFI_REFUSED);
    return 0;
  }
  own->ring[own->arrived % OFI_BUFFERS] = (uint16_t)(op - own->receive);
  /* Release: pairs with the acquire in head. */
  __atomic_store_n(&own->arrived, own->arrived + 1, __ATOMIC_RELEASE);
  return 1;
}

/* Notes the outcome of the message that a reply is about, unless it is about an earlier one. */
static void note(struct ofi_page *own, const struct ofi_packet *p) {
  uint32_t c = little32(p->channel);
  uint64_t count = memlift_ni_little(p->count);
  if (c >= MEMLIFT_NI_CHANNELS || own->count[c] != count)
    return;
  __atomic_store_n(little32(p->kind) == OFI_READ ? &own->acknowledged[c] : &own->gone[c], count,
                   __ATOMIC_RELAXED);
}

static void received(struct memlift_ni_page *page, struct ofi_operation *op, size_t length) {
  struct ofi_page *own = own_of(page);
  uint32_t kind = length >= OFI_HEADER ? little32(op->packet.kind) : 0;
  if (kind == OFI_MESSAGE && length > OFI_HEADER && take_in(page, op, length))
    return;
  if ((kind == OFI_READ || kind == OFI_REFUSED) && length == OFI_HEADER)
    note(own, &op->packet);
  post(own, op);
}

/* An operation that has failed: a peer that cannot be reached, or a packet that is too long. */
static void failed(struct ofi_page *own) {
  struct fi_cq_err_entry entry = {0};
  if (fi_cq_readerr(own->queue, &entry, 0) != 1 || !entry.op_context)
    return;
  struct ofi_operation *op = entry.op_context;
  if (op->state == OFI_RECEIVE) {
    post(own, op);
    return;
  }
  if (op->state == OFI_SEND && own->count[op->channel] == op->count)
    __atomic_store_n(&own->gone[op->channel], op->count, __ATOMIC_RELAXED);
  op->state = OFI_FREE;
}

/* Sends a message, unless it is chained to one that has not been read or the provider is busy: then
 * it is left for the next look, of whichever thread. */
static void send_message(struct ofi_page *own, struct ofi_operation *op) {
  unsigned before = (op->channel + MEMLIFT_NI_CHANNELS - 1) % MEMLIFT_NI_CHANNELS;
  size_t size = MEMLIFT_NI_FIELD(NI_CHANNEL, SIZE, memlift_ni_little(op->packet.word1));
  ssize_t error = -FI_EAGAIN;
  if (!op->after || own->acknowledged[before] == op->after)
    error = fi_send(own->endpoint, &op->packet, OFI_HEADER + size, own->descriptor, op->to,
                    &op->context);
  if (error == -FI_EAGAIN) {
    own->behind = 1;
    return;
  }
  op->state = error ? OFI_FREE : OFI_SEND;
  if (error && own->count[op->channel] == op->count)
    __atomic_store_n(&own->gone[op->channel], op->count, __ATOMIC_RELAXED);
}

/* Sends what had to wait, and posts the buffers that could not be. */
static void catch_up(struct ofi_page *own) {
  own->behind = 0;
  for (unsigned i = 0; i < OFI_SENDS; i++)
    if (own->send[i].state == OFI_SEND_WAITS)
      send_message(own, &own->send[i]);
  if (own->hello.state == OFI_REPLY_WAITS)
    send_reply(own, &own->hello);
  for (unsigned i = 0; i < OFI_BUFFERS; i++) {
    if (own->reply[i].state == OFI_REPLY_WAITS)
      send_reply(own, &own->reply[i]);
    if (own->receive[i].state == OFI_FREE)
      post(own, &own->receive[i]);
  }
}

/* Looks for packets and completions. One that finds another thread at it has nothing to do. */
static void look(struct memlift_ni_page *page) {
  struct ofi_page *own = own_of(page);
  struct fi_cq_msg_entry entry[16];
  ssize_t n;
  if (!try_lock(own))
    return;
  while ((n = fi_cq_read(own->queue, entry, 16)) > 0 || n == -FI_EAVAIL) {
    if (n == -FI_EAVAIL)
      failed(own);
    for (ssize_t i = 0; i < n; i++) {
      struct ofi_operation *op = entry[i].op_context;
      if (op->state == OFI_RECEIVE)
        received(page, op, entry[i].len);
      else
        op->state = OFI_FREE;
    }
  }
  if (own->behind)
    catch_up(own);
  unlock(own);
}

/* ---- Attaching ----------------------------------------------------------------------------- */

static void free_net(struct ofi_net *net) {
  if (net->domain)
    fi_close(&net->domain->fid);
  if (net->fabric)
    fi_close(&net->fabric->fid);
  if (net->hints)
    fi_freeinfo(net->hints);
  free(net);
}

static memlift_status attach(struct memlift_ni *ni, const struct memlift_ni_options *options) {
  ni->mine = calloc(1, sizeof(struct ofi_net));
  if (!ni->mine)
    return MEMLIFT_NO_RESOURCES;
  ni->kind = MEMLIFT_NI_MEMORY;
  memlift_status status = memlift_ofi_open(ni, options);
  if (status != MEMLIFT_OK) {
    free_net(ni->mine);
    return status;
  }
  for (unsigned i = 0; i < ni->pages; i++)
    catch_up(own_of(&ni->page[i]));
  return MEMLIFT_OK;
}

static void detach(struct memlift_ni *ni) {
  memlift_ofi_close(ni, ni->pages);
  free_net(ni->mine);
}

/* Nothing of libfabric is async-signal-safe, so a child leaves its objects alone, and closes the
 * copies of the sockets. */
static void forget(struct memlift_ni *ni) { memlift_ofi_close_sockets(ni); }

/* ---- Sending ------------------------------------------------------------------------------- */

/* Connects to a destination by a packet that means nothing. A provider that connects is busy until
 * the connection stands, and the message would then wait for a further call. */
static void connect_to(struct memlift_ni_page *page, fi_addr_t to, uint64_t word0) {
  struct ofi_page *own = own_of(page);
  struct ofi_operation *op = &own->hello;
  uint64_t limit = memlift_now() + CONNECT_NS;
  lock(own);
  op->to = to;
  op->packet.kind = 0, op->packet.to = memlift_ni_little(word0);
  if (op->state == OFI_FREE)
    send_reply(own, op);
  unlock(own);
  while (__atomic_load_n(&op->state, __ATOMIC_RELAXED) == OFI_REPLY_WAITS) {
    if (memlift_now() >= limit)
      break;
    look(page);
    sched_yield();
  }
}

static memlift_status reach(struct memlift_ni_page *page, uint64_t word0) {
  struct ofi_page *own = own_of(page);
  int first = 0;
  lock(own);
  fi_addr_t to = memlift_ofi_address(page, word0, &first);
  unlock(own);
  if (to == FI_ADDR_UNSPEC)
    return MEMLIFT_NOT_PRESENT;
  if (first)
    connect_to(page, to, word0);
  return MEMLIFT_OK;
}

static void stamp(struct memlift_ni_page *page, unsigned c) {
  struct ofi_page *own = own_of(page);
  lock(own);
  own->count[c] = ++own->next;
  unlock(own);
}

static int is_read(const struct ofi_page *own, unsigned c) {
  return __atomic_load_n(&own->acknowledged[c], __ATOMIC_RELAXED) == own->count[c];
}

/* Makes the packet of the message in a channel. */
static void fill_in(const struct memlift_ni_page *page, unsigned c, struct ofi_packet *p) {
  const struct memlift_ni_message *m = &page->message[c];
  const unsigned char *channel =
      (const unsigned char *)(uintptr_t)page->channels + c * (size_t)MEMLIFT_NI_CHANNEL_BYTES;
  p->to = memlift_ni_little(m->word0);
  p->from = memlift_ni_little(memlift_ni_mailbox_at(page->ni->coordinates, page->number).word);
  p->word1 = memlift_ni_little(m->word1);
  p->count = memlift_ni_little(own_of(page)->count[c]);
  p->kind = little32(OFI_MESSAGE), p->channel = little32(c);
  p->protection_id = little32(page->ni->protection_id);
  memcpy(p->payload, channel + MEMLIFT_NI_CHANNEL_PAYLOAD_OFFSET, m->size);
}

/* Starts to send the message of a channel, if an operation is free. */
static void start(struct memlift_ni_page *page, unsigned c) {
  struct ofi_page *own = own_of(page);
  unsigned before = (c + MEMLIFT_NI_CHANNELS - 1) % MEMLIFT_NI_CHANNELS;
  lock(own);
  for (unsigned i = 0; i < OFI_SENDS && own->unsent[c]; i++) {
    struct ofi_operation *op = &own->send[i];
    if (op->state != OFI_FREE)
      continue;
    fill_in(page, c, &op->packet);
    op->state = OFI_SEND_WAITS;
    op->to = memlift_ofi_address(page, page->message[c].word0, NULL);
    op->channel = c, op->count = own->count[c];
    op->after = page->message[c].chained && page->message[before].pending ? own->count[before] : 0;
    own->unsent[c] = 0;
    send_message(own, op);
  }
  unlock(own);
}

static void rung(struct memlift_ni_page *page, unsigned c) {
  own_of(page)->unsent[c] = 1;
  own_of(page)->deadline[c] = memlift_ni_deadline(page, page->message[c].word1);
  start(page, c);
}

/* Takes the message of a channel back, unless the provider has it. */
static int withdraw(struct memlift_ni_page *page, unsigned c) {
  struct ofi_page *own = own_of(page);
  int unsent = own->unsent[c];
  own->unsent[c] = 0;
  lock(own);
  for (unsigned i = 0; i < OFI_SENDS; i++)
    if (own->send[i].state == OFI_SEND_WAITS && own->send[i].channel == c) {
      own->send[i].state = OFI_FREE;
      unsent = 1;
    }
  unlock(own);
  return unsent;
}

static unsigned state(struct memlift_ni_page *page, unsigned c, unsigned *credits) {
  struct ofi_page *own = own_of(page);
  *credits = UINT_MAX;
  look(page);
  if (is_read(own, c))
    return MEMLIFT_NI_CHANNEL_STATE_ACKNOWLEDGED;
  if (__atomic_load_n(&own->gone[c], __ATOMIC_RELAXED) == own->count[c])
    return MEMLIFT_NI_STATE_GONE;
  if (own->deadline[c] && memlift_now() >= own->deadline[c]) {
    withdraw(page, c);
    return MEMLIFT_NI_CHANNEL_STATE_TIMED_OUT;
  }
  if (own->unsent[c])
    start(page, c);
  return MEMLIFT_NI_CHANNEL_STATE_QUEUED;
}

/* ---- Receiving ----------------------------------------------------------------------------- */

static struct ofi_operation *first_in(struct ofi_page *own) {
  return &own->receive[own->ring[own->taken % OFI_BUFFERS]];
}

static size_t head(struct memlift_ni_page *page, struct memlift_ni_source *source) {
  struct ofi_page *own = own_of(page);
  /* Acquire: pairs with the release in take_in. */
  if (__atomic_load_n(&own->arrived, __ATOMIC_ACQUIRE) == own->taken)
    look(page);
  if (__atomic_load_n(&own->arrived, __ATOMIC_ACQUIRE) == own->taken)
    return 0;
  const struct ofi_packet *p = &first_in(own)->packet;
  uint64_t from = memlift_ni_little(p->from);
  memset(source, 0, sizeof *source);
  source->coordinates = (uint32_t)MEMLIFT_NI_FIELD(NI_CHANNEL, COORDINATES, from);
  source->page = (unsigned)(MEMLIFT_NI_FIELD(NI_CHANNEL, ADDRESS, from) / MEMLIFT_NI_PAGE_BYTES);
  source->channel = little32(p->channel);
  return MEMLIFT_NI_FIELD(NI_CHANNEL, SIZE, memlift_ni_little(p->word1));
}

static int load(struct memlift_ni_page *page, void *buffer, size_t size) {
  memcpy(buffer, first_in(own_of(page))->packet.payload, size);
  return 1;
}

static void pop(struct memlift_ni_page *page) {
  struct ofi_page *own = own_of(page);
  struct ofi_operation *op = first_in(own);
  own->taken++;
  lock(own);
  answer(page, &op->packet, OFI_READ);
  post(own, op);
  unlock(own);
}

/* ---- Waiting ------------------------------------------------------------------------------- */

/* 1 when the descriptor becomes readable with the next packet; 0: look first. */
static int may_sleep(struct memlift_ni_page *page) {
  struct ofi_net *net = page->ni->mine;
  struct ofi_page *own = own_of(page);
  struct fid *queue = &own->queue->fid;
  lock(own);
  int good = own->wait_fd >= 0 && fi_trywait(net->fabric, &queue, 1) == FI_SUCCESS;
  unlock(own);
  return good;
}

static void sleep_for_mailbox(struct memlift_ni_page *page, uint64_t nanoseconds) {
  struct pollfd wait = {own_of(page)->wait_fd, POLLIN, 0};
  int none = wait.fd < 0;
  if (!none && !may_sleep(page))
    return;
  uint64_t most = none && nanoseconds > SLICE_NS ? SLICE_NS : nanoseconds;
  struct timespec limit = {(time_t)(most / 1000000000u), (long)(most % 1000000000u)};
  ppoll(&wait, none ? 0 : 1, &limit, NULL);
}

static int descriptor(struct memlift_ni_page *page) { return own_of(page)->wait_fd; }

/* Takes in what has come, until the provider promises to tell of the next packet. */
static void arm(struct memlift_ni_page *page) {
  struct memlift_ni_source source;
  while (!head(page, &source) && own_of(page)->wait_fd >= 0 && !may_sleep(page))
    ;
}

const struct memlift_ni_transport memlift_ni_ofi = {
    .name = "ofi",
    .lossless = 1,
    .attach = attach,
    .detach = detach,
    .forget = forget,
    .reach = reach,
    .stamp = stamp,
    .rung = rung,
    .state = state,
    .withdraw = withdraw,
    .head = head,
    .load = load,
    .pop = pop,
    .sleep = sleep_for_mailbox,
    .descriptor = descriptor,
    .arm = arm,
};
#else
typedef int memlift_no_fabric_calls; /* a translation unit must not be empty */
#endif
