/* ni_device.h - state of the model of a network interface
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * ni_steps.c has the lock, pages that are opened and closed, and time; ni_sender.c the packetizer,
 * ni_mailbox.c the mailboxes, ni_network.c what is between them.
 */
#ifndef MEMLIFT_NI_DEVICE_H
#define MEMLIFT_NI_DEVICE_H

#include "../include/memlift/ni_page.h"
#include "ni_model.h"
#include "ni_network.h"

#include <pthread.h>

/* A channel. */
struct ni_sender {
  unsigned state;  /* as the channel's word has it */
  uint64_t number; /* of its message */
  uint64_t deadline;
  int waits; /* for the channel before it */
  int sent;
  struct ni_packet packet;
};

struct ni_entry {
  unsigned size;
  uint64_t source; /* the word of the mailbox */
  unsigned page;
  unsigned char payload[MEMLIFT_NI_PAYLOAD_MOST];
};

struct ni_box {
  unsigned first, count;
  unsigned of_page[MEMLIFT_NI_PAGES]; /* entries, by the page that they are from */
  struct ni_entry entry[MEMLIFT_NI_ROOM];
};

struct ni_page_state {
  int dead;
  unsigned incarnation, turn;
  uint32_t protection_id;
  int descriptor; /* plus 1: 0 is none */
  int armed;
  struct memlift_event event;
  struct ni_sender sender[MEMLIFT_NI_CHANNELS];
  struct ni_box box;
};

struct ni_model {
  pthread_mutex_t lock;
  unsigned char *pages;
  int own_pages;
  struct ni_settings settings;
  uint64_t now, random, numbers;
  uint64_t opened; /* a bit for each page */
  struct ni_happened happened;
  struct ni_page_state page[MEMLIFT_NI_PAGES];
  struct ni_network network;
};

#pragma GCC visibility push(hidden)

/* 1 with a probability of 10,000. 0 to most. */
int memlift_ni_chance(struct ni_model *m, unsigned of_10000);
uint64_t memlift_ni_any(struct ni_model *m, uint64_t most);

/* ni_sender.c: takes doorbells; sends what may go; an acknowledgement has come; time is up. */
void memlift_ni_take_doorbells(struct ni_model *m, unsigned page);
void memlift_ni_send_ready(struct ni_model *m, unsigned page);
void memlift_ni_acknowledge(struct ni_model *m, const struct ni_packet *ack);
void memlift_ni_expire(struct ni_model *m, unsigned page);
int memlift_ni_take_back(struct ni_model *m, unsigned page, unsigned channel);
void memlift_ni_reset_sender(struct ni_model *m, unsigned page);

/* ni_mailbox.c: a packet has come; the reader has popped. */
void memlift_ni_arrive(struct ni_model *m, const struct ni_packet *packet);
void memlift_ni_take_pop(struct ni_model *m, unsigned page);
void memlift_ni_reset_mailbox(struct ni_model *m, unsigned page);

/* Notifies who waits for the page's mailbox. */
void memlift_ni_notify(struct ni_model *m, unsigned page);

#pragma GCC visibility pop

static inline volatile void *ni_channel(struct ni_model *m, unsigned page, unsigned channel) {
  return memlift_ni_channel_at(m->pages, page, channel);
}
static inline volatile void *ni_mailbox(struct ni_model *m, unsigned page) {
  return memlift_ni_mailbox_page(m->pages, page);
}

#endif
