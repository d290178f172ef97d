/* attach.c - attaching and detaching pages, and what is known of an attachment
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#define _GNU_SOURCE
#include "../config.h"

#if MEMLIFT_HAVE_ENGINES
#include "transport.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct memlift_ni_transport *const transports[] = {
    &memlift_ni_soft,
    &memlift_ni_shm,
    &memlift_ni_mmio,
#if defined(MEMLIFT_HAVE_OFI)
    &memlift_ni_ofi,
#endif
};

static const struct memlift_ni_transport *find_transport(const char *name) {
  for (unsigned i = 0; i < sizeof transports / sizeof *transports; i++)
    if (memlift_same_text(transports[i]->name, name))
      return transports[i];
  return NULL;
}

/* Copies the options, of the size that the caller was compiled with, and fills in what is 0. 0: one
 * is out of range. */
static int read_options(struct memlift_ni_options *to, const struct memlift_ni_options *from,
                        size_t size) {
  memset(to, 0, sizeof *to);
  memcpy(to, from, size < sizeof *to ? size : sizeof *to);
  to->pages = to->pages ? to->pages : 1;
  to->channels = to->channels ? to->channels : MEMLIFT_NI_CHANNELS;
  to->retries = to->retries ? to->retries : MEMLIFT_NI_RETRIES;
  to->protection_id = to->protection_id ? to->protection_id : (uint32_t)geteuid() + 1;
  int any = to->first_page == MEMLIFT_NI_ANY_PAGE;
  uint32_t known = MEMLIFT_NI_RELIABLE | MEMLIFT_NI_WRITE_COMBINING | MEMLIFT_NI_SOFTWARE_DEVICE;
  return to->transport && to->pages <= MEMLIFT_NI_PAGES && to->channels <= MEMLIFT_NI_CHANNELS &&
         (any ||
          (to->first_page < MEMLIFT_NI_PAGES && to->pages <= MEMLIFT_NI_PAGES - to->first_page)) &&
         !(to->flags & ~known);
}

static void free_attachment(struct memlift_ni *ni) {
  for (unsigned i = 0; ni->page && i < ni->pages; i++) {
    free(ni->page[i].destinations);
    free(ni->page[i].copies);
    free(ni->page[i].known);
  }
  free(ni->page);
  free(ni);
}

/* Memory of a page, for what the mode of the attachment needs. */
static int prepare_page(struct memlift_ni *ni, unsigned i) {
  struct memlift_ni_page *page = &ni->page[i];
  int lossless = ni->transport->lossless;
  int reliable = !lossless && (ni->flags & MEMLIFT_NI_RELIABLE);
  page->ni = ni, page->index = i;
  if (!lossless)
    page->destinations = calloc(MEMLIFT_NI_PEERS, sizeof *page->destinations);
  if (!lossless) /* others may be reliable where this attachment is not */
    page->known = calloc(MEMLIFT_NI_PEERS, sizeof *page->known);
  if (reliable)
    page->copies = calloc(MEMLIFT_NI_CHANNELS, sizeof *page->copies);
  return lossless || (page->destinations && page->known && (!reliable || page->copies));
}

static struct memlift_ni *make(const struct memlift_ni_transport *transport,
                               const struct memlift_ni_options *options) {
  struct memlift_ni *ni = calloc(1, sizeof *ni);
  if (!ni)
    return NULL;
  ni->transport = transport;
  ni->flags = options->flags, ni->protection_id = options->protection_id;
  ni->pages = options->pages, ni->channels = options->channels, ni->retries = options->retries;
  ni->page = calloc(ni->pages, sizeof *ni->page);
  for (unsigned i = 0; ni->page && i < ni->pages; i++)
    if (!prepare_page(ni, i))
      break;
    else if (i + 1 == ni->pages)
      return ni;
  free_attachment(ni);
  return NULL;
}

static memlift_status attach(const struct memlift_ni_options *options, struct memlift_ni **out) {
  const struct memlift_ni_transport *transport = find_transport(options->transport);
  if (!transport)
    return MEMLIFT_UNKNOWN_ENGINE;
  struct memlift_ni *ni = memlift_ni_watch_forks() ? make(transport, options) : NULL;
  if (!ni)
    return MEMLIFT_NO_RESOURCES;
  memlift_ni_lock();
  memlift_status status = transport->attach(ni, options);
  if (status == MEMLIFT_OK)
    memlift_ni_enlist(ni);
  memlift_ni_unlock();
  if (status != MEMLIFT_OK) {
    free_attachment(ni);
    return status;
  }
  for (unsigned i = 0; i < ni->pages; i++)
    ni->page[i].number = ni->first + i;
  *out = ni;
  return MEMLIFT_OK;
}

memlift_status memlift_ni_attach(const struct memlift_ni_options *options, size_t size,
                                 memlift_ni **ni) {
  struct memlift_ni_options mine;
  if (!options || !ni || size == 0 || !read_options(&mine, options, size))
    return MEMLIFT_INVALID_ARGUMENT;
  int saved_errno = errno;
  memlift_status status = attach(&mine, ni);
  errno = saved_errno;
  return status;
}

memlift_status memlift_ni_detach(memlift_ni *ni) {
  if (!ni)
    return MEMLIFT_INVALID_ARGUMENT;
  int saved_errno = errno;
  memlift_ni_lock();
  memlift_ni_delist(ni);
  if (!ni->gone)
    ni->transport->detach(ni);
  memlift_ni_unlock();
  free_attachment(ni);
  errno = saved_errno;
  return MEMLIFT_OK;
}

memlift_status memlift_ni_get_protection_id(const memlift_ni *ni, uint32_t *id) {
  if (!ni || !id)
    return MEMLIFT_INVALID_ARGUMENT;
  if (ni->gone)
    return MEMLIFT_NOT_PRESENT;
  *id = ni->protection_id;
  return MEMLIFT_OK;
}

memlift_status memlift_ni_own_address(const memlift_ni *ni, unsigned page,
                                      memlift_ni_address *out) {
  struct memlift_ni_page *p;
  memlift_status status = out ? memlift_ni_page_of(ni, page, &p) : MEMLIFT_INVALID_ARGUMENT;
  if (status == MEMLIFT_OK)
    *out = memlift_ni_mailbox_at(ni->coordinates, p->number);
  return status;
}

memlift_status memlift_ni_map_page(memlift_ni *ni, unsigned page, struct memlift_ni_map *out) {
  struct memlift_ni_page *p;
  memlift_status status = out ? memlift_ni_page_of(ni, page, &p) : MEMLIFT_INVALID_ARGUMENT;
  if (status != MEMLIFT_OK)
    return status;
  if (!p->mailbox)
    return MEMLIFT_NOT_PRESENT;
  out->channels = p->channels, out->mailbox = p->mailbox;
  out->kind = ni->kind;
  return MEMLIFT_OK;
}

memlift_status memlift_ni_count(const memlift_ni *ni, struct memlift_ni_counters *out,
                                size_t size) {
  struct memlift_ni_counters sum = {0};
  if (!out || size == 0)
    return MEMLIFT_INVALID_ARGUMENT;
  if (ni)
    memlift_ni_add_counters(&sum, ni);
  else
    memlift_ni_count_all(&sum);
  memset(out, 0, size);
  memcpy(out, &sum, size < sizeof sum ? size : sizeof sum);
  return MEMLIFT_OK;
}
#else
typedef int memlift_no_engines; /* a translation unit must not be empty */
#endif
