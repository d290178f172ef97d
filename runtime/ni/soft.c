/* soft.c - transport "soft": a device in software, for programs that run where there is none
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Devices are known by name and exist as long as a page of them is attached. The device runs in the
 * calls that look at it, under its lock: this transport shows function, and injects faults; it is
 * not fast.
 */
#define _GNU_SOURCE
#include "../config.h"

#if MEMLIFT_HAVE_ENGINES
#include "../model/ni_model.h"
#include "soft.h"
#include "transport.h"

#include <stdlib.h>
#include <string.h>

struct device {
  struct device *next;
  unsigned users;
  struct ni_model *model;
  char name[];
};

static struct device *devices; /* under the lock of the list of attachments */
static struct ni_settings settings;

void memlift_ni_soft_configure(const struct ni_settings *new_settings) {
  static const struct ni_settings none;
  settings = new_settings ? *new_settings : none;
}

static struct device *find(const char *name) {
  struct device *d = devices;
  while (d && !memlift_same_text(d->name, name))
    d = d->next;
  return d;
}

struct ni_model *memlift_ni_soft_model(const char *name) {
  struct device *d = find(name ? name : "");
  return d ? d->model : NULL;
}

static struct device *find_or_make(const char *name) {
  struct device *d = find(name);
  if (d)
    return d;
  size_t length = strlen(name) + 1;
  d = calloc(1, sizeof *d + length);
  if (!d)
    return NULL;
  memcpy(d->name, name, length);
  d->model = memlift_ni_model_new(&settings, NULL);
  if (!d->model) {
    free(d);
    return NULL;
  }
  d->next = devices;
  devices = d;
  return d;
}

static void let_go(struct device *d) {
  if (d->users)
    return;
  struct device **at = &devices;
  while (*at != d)
    at = &(*at)->next;
  *at = d->next;
  memlift_ni_model_free(d->model);
  free(d);
}

static memlift_status attach(struct memlift_ni *ni, const struct memlift_ni_options *options) {
  struct device *d = find_or_make(options->where ? options->where : "");
  if (!d)
    return MEMLIFT_NO_RESOURCES;
  int wanted = options->first_page == MEMLIFT_NI_ANY_PAGE ? -1 : (int)options->first_page;
  int first = memlift_ni_model_open(d->model, wanted, ni->pages, ni->protection_id);
  if (first < 0) {
    let_go(d);
    return MEMLIFT_BUSY;
  }
  d->users++;
  ni->first = (unsigned)first, ni->kind = MEMLIFT_NI_MEMORY, ni->mine = d;
  unsigned char *pages = memlift_ni_model_pages(d->model);
  for (unsigned i = 0; i < ni->pages; i++) {
    struct memlift_ni_page *page = &ni->page[i];
    page->channels = memlift_ni_channel_at(pages, ni->first + i, 0);
    page->mailbox = memlift_ni_mailbox_page(pages, ni->first + i);
    page->incarnation = (uint16_t)memlift_ni_model_incarnation(d->model, ni->first + i);
    page->mine = d->model;
  }
  return MEMLIFT_OK;
}

static void detach(struct memlift_ni *ni) {
  struct device *d = ni->mine;
  memlift_ni_model_close(d->model, ni->first, ni->pages);
  d->users--;
  let_go(d);
}

/* The devices are none of the child's; their memory is kept, as free is not async-signal-safe. */
static void forget(struct memlift_ni *ni) {
  struct device *d = ni->mine;
  memlift_ni_model_forget(d->model);
  devices = NULL;
}

static void rung(struct memlift_ni_page *page, unsigned c) {
  (void)c;
  memlift_ni_model_step(page->mine);
}

static unsigned state(struct memlift_ni_page *page, unsigned c, unsigned *credits) {
  memlift_ni_model_step(page->mine);
  return memlift_ni_registers_state(page, c, credits);
}

static size_t head(struct memlift_ni_page *page, struct memlift_ni_source *source) {
  memlift_ni_model_step(page->mine);
  return memlift_ni_registers_head(page, source);
}

static void pop(struct memlift_ni_page *page) {
  memlift_ni_registers_pop(page);
  memlift_ni_model_step(page->mine);
}

static int withdraw(struct memlift_ni_page *page, unsigned c) {
  return memlift_ni_model_withdraw(page->mine, page->number, c);
}

/* The device may have something on its way, and runs only in calls: so sleeps are short. */
#define SLEEP_NS 50000u

static void sleep_for_mailbox(struct memlift_ni_page *page, uint64_t nanoseconds) {
  struct memlift_event *event = memlift_ni_model_event(page->mine, page->number);
  uint32_t seen = memlift_event_read(event);
  struct memlift_ni_source source;
  if (head(page, &source) == 0)
    memlift_event_wait(event, seen, nanoseconds < SLEEP_NS ? nanoseconds : SLEEP_NS);
}

static int descriptor(struct memlift_ni_page *page) {
  return memlift_ni_model_descriptor(page->mine, page->number);
}

static void arm(struct memlift_ni_page *page) { memlift_ni_model_arm(page->mine, page->number); }

const struct memlift_ni_transport memlift_ni_soft = {
    .name = "soft",
    .attach = attach,
    .detach = detach,
    .forget = forget,
    .rung = rung,
    .state = state,
    .withdraw = withdraw,
    .head = head,
    .load = memlift_ni_registers_load,
    .pop = pop,
    .sleep = sleep_for_mailbox,
    .descriptor = descriptor,
    .arm = arm,
};
#else
typedef int memlift_no_engines; /* a translation unit must not be empty */
#endif
