/* ofi_fabric.c - nodes, domain, endpoints and addresses of transport "ofi"
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * `where` names the nodes: "self=1,0=10.0.0.1:7000,1=10.0.0.2:7000,provider=tcp;ofi_rxm". Numbers
 * before = are coordinates; self is this process's node; without provider libfabric chooses.
 */
#define _GNU_SOURCE
#include "../config.h"

#if defined(MEMLIFT_HAVE_OFI) && MEMLIFT_HAVE_ENGINES
#include "ofi.h"

#include <rdma/fi_errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OFI_VERSION FI_VERSION(1, 9)

static struct ofi_page *page_of(const struct memlift_ni_page *page) { return page->mine; }

/* ---- The text of `where` ------------------------------------------------------------------- */

/* A number up to `most`, with nothing after it; -1: it is none. */
static long number(const char *text, long most) {
  char *end;
  long n = *text >= '0' && *text <= '9' ? strtol(text, &end, 10) : -1;
  return n >= 0 && n <= most && *end == 0 ? n : -1;
}

/* Reads HOST:PORT; an IPv6 address may be in brackets. */
static int read_place(struct ofi_node *node, const char *text) {
  const char *colon = strrchr(text, ':');
  size_t length = colon ? (size_t)(colon - text) : 0;
  if (length > 1 && text[0] == '[' && text[length - 1] == ']')
    text++, length -= 2;
  long port = colon ? number(colon + 1, 65535 - (long)MEMLIFT_NI_PAGES) : -1;
  if (length == 0 || length >= sizeof node->host || port < 1)
    return 0;
  memcpy(node->host, text, length);
  node->host[length] = 0, node->port = (unsigned)port;
  return 1;
}

/* Reads one NAME=VALUE; *self gets the own coordinates. */
static int read_item(struct ofi_net *net, char *item, long *self) {
  char *value = strchr(item, '=');
  if (!value)
    return 0;
  *value++ = 0;
  if (strcmp(item, "provider") == 0) {
    size_t length = strlen(value);
    if (length == 0 || length >= sizeof net->provider)
      return 0;
    memcpy(net->provider, value, length + 1);
    return 1;
  }
  long most = (long)(MEMLIFT_NI_CHANNEL_COORDINATES_MASK >> MEMLIFT_NI_CHANNEL_COORDINATES_SHIFT);
  if (strcmp(item, "self") == 0)
    return (*self = number(value, most)) >= 0;
  long coordinates = number(item, most);
  if (coordinates < 0 || net->nodes == OFI_NODES)
    return 0;
  net->node[net->nodes].coordinates = (uint32_t)coordinates;
  return read_place(&net->node[net->nodes++], value);
}

static unsigned find_node(const struct ofi_net *net, uint64_t coordinates) {
  unsigned i = 0;
  while (i < net->nodes && net->node[i].coordinates != coordinates)
    i++;
  return i;
}

static int read_where(struct ofi_net *net, const char *where) {
  char *text = where ? strdup(where) : NULL, *rest = NULL;
  long self = -1;
  int good = text != NULL;
  for (char *item = text ? strtok_r(text, ",", &rest) : NULL; item && good;
       item = strtok_r(NULL, ",", &rest))
    good = read_item(net, item, &self);
  free(text);
  if (!good || self < 0)
    return 0;
  net->self = find_node(net, (uint64_t)self);
  return net->self < net->nodes;
}

/* ---- Domain and endpoints ------------------------------------------------------------------ */

static memlift_status status_of(int error) {
  switch (-error) {
  case FI_ENOMEM:
  case FI_EMFILE: return MEMLIFT_NO_RESOURCES;
  case FI_EADDRINUSE: return MEMLIFT_BUSY;
  default: return MEMLIFT_NOT_PRESENT;
  }
}

static struct fi_info *make_hints(const char *provider) {
  struct fi_info *hints = fi_allocinfo();
  if (!hints)
    return NULL;
  hints->caps = FI_MSG;
  hints->mode = FI_CONTEXT | FI_CONTEXT2;
  hints->ep_attr->type = FI_EP_RDM;
  hints->domain_attr->mr_mode = FI_MR_LOCAL;
  hints->domain_attr->threading = FI_THREAD_SAFE;
  hints->domain_attr->resource_mgmt = FI_RM_ENABLED;
  if (*provider)
    hints->fabric_attr->prov_name = strdup(provider);
  return hints;
}

/* Asks libfabric about an end; 0, or its negative error. The caller frees *info. */
static int ask(const struct ofi_net *net, const struct ofi_node *node, unsigned page,
               uint64_t flags, struct fi_info **info) {
  char service[8];
  snprintf(service, sizeof service, "%u", node->port + page);
  return fi_getinfo(OFI_VERSION, node->host, service, flags, net->hints, info);
}

/* Registers the page's memory, where the provider asks for that. */
static int register_memory(struct ofi_net *net, struct ofi_page *own, const struct fi_info *info) {
  if (!(info->domain_attr->mr_mode & FI_MR_LOCAL))
    return 0;
  int error =
      fi_mr_reg(net->domain, own, sizeof *own, FI_SEND | FI_RECV, 0, 0, 0, &own->memory, NULL);
  if (!error)
    own->descriptor = fi_mr_desc(own->memory);
  return error;
}

/* Opens the queue, which can be waited for by a descriptor if the provider can. */
static int open_queue(struct ofi_net *net, struct ofi_page *own) {
  struct fi_cq_attr attributes = {0};
  attributes.size = 2 * OFI_BUFFERS + OFI_SENDS;
  attributes.format = FI_CQ_FORMAT_MSG;
  attributes.wait_obj = FI_WAIT_FD;
  int error = fi_cq_open(net->domain, &attributes, &own->queue, NULL);
  if (!error && fi_control(&own->queue->fid, FI_GETWAIT, &own->wait_fd) == 0)
    return 0;
  own->wait_fd = -1;
  if (!error)
    return 0;
  attributes.wait_obj = FI_WAIT_NONE;
  return fi_cq_open(net->domain, &attributes, &own->queue, NULL);
}

static int open_endpoint(struct ofi_net *net, struct ofi_page *own, struct fi_info *info) {
  struct fi_av_attr addresses = {0};
  addresses.type = FI_AV_TABLE;
  int error = register_memory(net, own, info);
  error = error ? error : open_queue(net, own);
  error = error ? error : fi_av_open(net->domain, &addresses, &own->addresses, NULL);
  error = error ? error : fi_endpoint(net->domain, info, &own->endpoint, NULL);
  error = error ? error : fi_ep_bind(own->endpoint, &own->addresses->fid, 0);
  error = error ? error : fi_ep_bind(own->endpoint, &own->queue->fid, FI_TRANSMIT | FI_RECV);
  return error ? error : fi_enable(own->endpoint);
}

static void close_fid(void *fid) {
  if (fid)
    fi_close(fid);
}

static void close_page(struct ofi_page *own) {
  close_fid(own->endpoint);
  close_fid(own->queue);
  close_fid(own->addresses);
  close_fid(own->memory);
  free(own);
}

static int open_page(struct memlift_ni *ni, unsigned i) {
  struct ofi_net *net = ni->mine;
  struct ofi_page *own = calloc(1, sizeof *own);
  struct fi_info *info = NULL;
  if (!own)
    return -FI_ENOMEM;
  own->wait_fd = -1;
  for (unsigned n = 0; n < OFI_NODES; n++)
    for (unsigned p = 0; p < MEMLIFT_NI_PAGES; p++)
      own->known[n][p] = FI_ADDR_UNSPEC;
  int error = ask(net, &net->node[net->self], ni->first + i, FI_SOURCE, &info);
  if (!error)
    memlift_ofi_keep_host(&own->host[net->self], info->src_addr, info->src_addrlen);
  error = error ? error : open_endpoint(net, own, info);
  if (info)
    fi_freeinfo(info);
  void *channels = NULL;
  if (!error && posix_memalign(&channels, MEMLIFT_NI_PAGE_BYTES, MEMLIFT_NI_PAGE_BYTES) != 0)
    error = -FI_ENOMEM;
  if (error) {
    close_page(own);
    return error;
  }
  memset(channels, 0, MEMLIFT_NI_PAGE_BYTES);
  ni->page[i].mine = own, ni->page[i].channels = channels;
  ni->page[i].number = ni->first + i;
  return 0;
}

/* Opens pages from ni->first on; *reached is the one that failed. */
static int open_pages(struct memlift_ni *ni, unsigned *reached) {
  for (unsigned i = 0; i < ni->pages; i++) {
    int error = open_page(ni, i);
    if (error) {
      memlift_ofi_close(ni, i);
      *reached = ni->first + i;
      return error;
    }
  }
  return 0;
}

void memlift_ofi_close(struct memlift_ni *ni, unsigned pages) {
  for (unsigned i = 0; i < pages; i++) {
    close_page(page_of(&ni->page[i]));
    free((void *)(uintptr_t)ni->page[i].channels);
    ni->page[i].mine = NULL;
  }
}

static int open_domain(struct ofi_net *net) {
  struct fi_info *info = NULL;
  net->hints = make_hints(net->provider);
  if (!net->hints)
    return -FI_ENOMEM;
  int error = ask(net, &net->node[net->self], 0, FI_SOURCE, &info);
  error = error ? error : fi_fabric(info->fabric_attr, &net->fabric, NULL);
  error = error ? error : fi_domain(net->fabric, info, &net->domain, NULL);
  if (!error) { /* all further questions are about the same provider */
    free(net->hints->fabric_attr->prov_name);
    net->hints->fabric_attr->prov_name = strdup(info->fabric_attr->prov_name);
    net->hints->addr_format = info->addr_format;
  }
  if (info)
    fi_freeinfo(info);
  return error;
}

memlift_status memlift_ofi_open(struct memlift_ni *ni, const struct memlift_ni_options *options) {
  struct ofi_net *net = ni->mine;
  unsigned reached = 0;
  if (!read_where(net, options->where))
    return MEMLIFT_INVALID_ARGUMENT;
  ni->coordinates = net->node[net->self].coordinates;
  int error = open_domain(net);
  if (error)
    return status_of(error);
  int any = options->first_page == MEMLIFT_NI_ANY_PAGE;
  ni->first = any ? 0 : options->first_page;
  error = open_pages(ni, &reached);
  while (any && error == -FI_EADDRINUSE && reached + 1 + ni->pages <= MEMLIFT_NI_PAGES) {
    ni->first = reached + 1;
    error = open_pages(ni, &reached);
  }
  return error ? status_of(error) : MEMLIFT_OK;
}

fi_addr_t memlift_ofi_address(struct memlift_ni_page *page, uint64_t word0, int *first) {
  struct ofi_net *net = page->ni->mine;
  struct ofi_page *own = page_of(page);
  uint64_t address = MEMLIFT_NI_FIELD(NI_CHANNEL, ADDRESS, word0);
  unsigned n = find_node(net, MEMLIFT_NI_FIELD(NI_CHANNEL, COORDINATES, word0));
  struct fi_info *info = NULL;
  if (n == net->nodes || address % MEMLIFT_NI_PAGE_BYTES ||
      address / MEMLIFT_NI_PAGE_BYTES >= MEMLIFT_NI_PAGES)
    return FI_ADDR_UNSPEC;
  fi_addr_t *known = &own->known[n][address / MEMLIFT_NI_PAGE_BYTES];
  if (*known != FI_ADDR_UNSPEC)
    return *known;
  if (first)
    *first = 1;
  if (ask(net, &net->node[n], (unsigned)(address / MEMLIFT_NI_PAGE_BYTES), 0, &info) == 0) {
    memlift_ofi_keep_host(&own->host[n], info->dest_addr, info->dest_addrlen);
    if (fi_av_insert(own->addresses, info->dest_addr, 1, known, 0, NULL) != 1)
      *known = FI_ADDR_UNSPEC;
  }
  if (info)
    fi_freeinfo(info);
  return *known;
}
#else
typedef int memlift_no_fabric; /* a translation unit must not be empty */
#endif
