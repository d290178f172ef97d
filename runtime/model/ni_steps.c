/* ni_steps.c - the model of a network interface: pages that are opened and closed, steps, time
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#define _GNU_SOURCE
#include "../config.h"

#if MEMLIFT_HAVE_ENGINES
#include "../queue/watch.h"
#include "ni_device.h"

#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define TICK_NS 100u

static void *map(size_t size) {
  void *at = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return at == MAP_FAILED ? NULL : at;
}

struct ni_model *memlift_ni_model_new(const struct ni_settings *settings, void *pages) {
  static const struct ni_settings none;
  struct ni_model *m = map(sizeof *m);
  if (!m)
    return NULL;
  m->own_pages = pages == NULL;
  m->pages = pages ? pages : map(MEMLIFT_NI_SIZE);
  if (!m->pages) {
    munmap(m, sizeof *m);
    return NULL;
  }
  if (m->own_pages)
    madvise(m->pages, MEMLIFT_NI_SIZE, MADV_DONTFORK);
  pthread_mutex_init(&m->lock, NULL);
  m->settings = settings ? *settings : none;
  m->now = m->settings.virtual_time ? 0 : memlift_now();
  memlift_ni_model_set_faults(m, &m->settings.faults);
  return m;
}

void memlift_ni_model_free(struct ni_model *m) {
  memlift_ni_model_forget(m);
  pthread_mutex_destroy(&m->lock);
  if (m->own_pages)
    munmap(m->pages, MEMLIFT_NI_SIZE);
  munmap(m, sizeof *m);
}

void memlift_ni_model_forget(struct ni_model *m) {
  for (unsigned i = 0; i < MEMLIFT_NI_PAGES; i++) {
    if (m->page[i].descriptor)
      syscall(SYS_close, m->page[i].descriptor - 1);
    m->page[i].descriptor = 0;
  }
}

unsigned char *memlift_ni_model_pages(struct ni_model *m) { return m->pages; }

/* ---- Faults -------------------------------------------------------------------------------- */

void memlift_ni_model_set_faults(struct ni_model *m, const struct ni_faults *faults) {
  pthread_mutex_lock(&m->lock);
  m->settings.faults = *faults;
  m->random = faults->seed * 2 + 1;
  pthread_mutex_unlock(&m->lock);
}

/* xorshift64* (Vigna, 2016). */
static uint64_t next_random(struct ni_model *m) {
  m->random ^= m->random >> 12;
  m->random ^= m->random << 25;
  m->random ^= m->random >> 27;
  return m->random * UINT64_C(0x2545f4914f6cdd1d) >> 16;
}

int memlift_ni_chance(struct ni_model *m, unsigned of_10000) {
  return of_10000 && next_random(m) % 10000 < of_10000;
}

uint64_t memlift_ni_any(struct ni_model *m, uint64_t most) {
  return most ? next_random(m) % (most + 1) : 0;
}

/* ---- Steps --------------------------------------------------------------------------------- */

/* Packets that are due, and what they lead to at the same time. */
static void move_packets(struct ni_model *m) {
  const struct ni_packet *packet;
  while ((packet = memlift_ni_network_next(&m->network, m->now))) {
    struct ni_packet p = *packet;
    memlift_ni_network_arrived(&m->network);
    if (!p.acknowledges) {
      memlift_ni_arrive(m, &p);
    } else {
      memlift_ni_acknowledge(m, &p);
      memlift_ni_send_ready(m, p.page); /* what was chained to it */
    }
  }
}

static void step(struct ni_model *m) {
  for (uint64_t left = m->opened; left; left &= left - 1) {
    unsigned i = (unsigned)__builtin_ctzll(left);
    memlift_ni_take_doorbells(m, i);
    memlift_ni_take_pop(m, i);
    memlift_ni_send_ready(m, i);
  }
  move_packets(m);
  for (uint64_t left = m->opened; left; left &= left - 1)
    memlift_ni_expire(m, (unsigned)__builtin_ctzll(left));
}

/* Time goes on before the device looks: a time-out of virtual time needs no other clock. */
static void pass(struct ni_model *m, uint64_t nanoseconds) {
  pthread_mutex_lock(&m->lock);
  m->now = m->settings.virtual_time ? m->now + nanoseconds : memlift_now();
  step(m);
  pthread_mutex_unlock(&m->lock);
}

void memlift_ni_model_step(struct ni_model *m) {
  pass(m, m->settings.tick_ns ? m->settings.tick_ns : TICK_NS);
}

void memlift_ni_model_pass(struct ni_model *m, uint64_t nanoseconds) { pass(m, nanoseconds); }

/* ---- Pages --------------------------------------------------------------------------------- */

/* Incarnations are told apart by the bits that a message has for them. */
#define INCARNATIONS (MEMLIFT_NI_CHANNEL_INCARNATION_MASK >> MEMLIFT_NI_CHANNEL_INCARNATION_SHIFT)

static int are_free(const struct ni_model *m, unsigned first, unsigned count) {
  for (unsigned i = 0; i < count; i++)
    if (first + i >= MEMLIFT_NI_PAGES || m->opened >> (first + i) & 1)
      return 0;
  return 1;
}

static void open_page(struct ni_model *m, unsigned page, uint32_t protection_id) {
  struct ni_page_state *p = &m->page[page];
  p->dead = 0;
  m->opened |= (uint64_t)1 << page;
  p->incarnation = (p->incarnation + 1) & INCARNATIONS;
  p->protection_id = protection_id;
  memlift_ni_reset_sender(m, page);
  memlift_ni_reset_mailbox(m, page);
}

int memlift_ni_model_open(struct ni_model *m, int first, unsigned count, uint32_t protection_id) {
  pthread_mutex_lock(&m->lock);
  int found = first >= 0 && are_free(m, (unsigned)first, count) ? first : -1;
  for (unsigned i = 0; first < 0 && found < 0 && i < MEMLIFT_NI_PAGES; i++)
    if (are_free(m, i, count))
      found = (int)i;
  for (unsigned i = 0; found >= 0 && i < count; i++)
    open_page(m, (unsigned)found + i, protection_id);
  pthread_mutex_unlock(&m->lock);
  return found;
}

/* Packets of the page that are on the way arrive all the same. */
void memlift_ni_model_close(struct ni_model *m, unsigned first, unsigned count) {
  pthread_mutex_lock(&m->lock);
  for (unsigned i = first; i < first + count; i++) {
    memlift_ni_reset_sender(m, i);
    memlift_ni_reset_mailbox(m, i);
    if (m->page[i].descriptor)
      syscall(SYS_close, m->page[i].descriptor - 1);
    m->page[i].descriptor = 0, m->page[i].armed = 0;
    m->opened &= ~((uint64_t)1 << i);
  }
  pthread_mutex_unlock(&m->lock);
}

int memlift_ni_model_withdraw(struct ni_model *m, unsigned page, unsigned channel) {
  pthread_mutex_lock(&m->lock);
  step(m); /* a doorbell that was not taken yet */
  int done = memlift_ni_take_back(m, page, channel);
  pthread_mutex_unlock(&m->lock);
  return done;
}

unsigned memlift_ni_model_incarnation(struct ni_model *m, unsigned page) {
  return m->page[page].incarnation;
}

void memlift_ni_model_kill(struct ni_model *m, unsigned page) {
  pthread_mutex_lock(&m->lock);
  m->page[page].dead = 1;
  pthread_mutex_unlock(&m->lock);
}

struct ni_happened memlift_ni_model_happened(struct ni_model *m) {
  pthread_mutex_lock(&m->lock);
  struct ni_happened happened = m->happened;
  pthread_mutex_unlock(&m->lock);
  return happened;
}

/* ---- Waiting ------------------------------------------------------------------------------- */

struct memlift_event *memlift_ni_model_event(struct ni_model *m, unsigned page) {
  return &m->page[page].event;
}

void memlift_ni_notify(struct ni_model *m, unsigned page) {
  struct ni_page_state *p = &m->page[page];
  memlift_event_notify(&p->event);
  if (p->armed && p->descriptor) {
    uint64_t one = 1;
    p->armed = 0;
    syscall(SYS_write, p->descriptor - 1, &one, sizeof one);
  }
}

int memlift_ni_model_descriptor(struct ni_model *m, unsigned page) {
  pthread_mutex_lock(&m->lock);
  struct ni_page_state *p = &m->page[page];
  if (!p->descriptor)
    p->descriptor = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK) + 1;
  int fd = p->descriptor - 1;
  pthread_mutex_unlock(&m->lock);
  return fd;
}

void memlift_ni_model_arm(struct ni_model *m, unsigned page) {
  pthread_mutex_lock(&m->lock);
  struct ni_page_state *p = &m->page[page];
  uint64_t count;
  if (p->descriptor)
    syscall(SYS_read, p->descriptor - 1, &count, sizeof count);
  p->armed = 1;
  pthread_mutex_unlock(&m->lock);
}
#else
typedef int memlift_no_engines; /* a translation unit must not be empty */
#endif
