/* mmio.c - transport "mmio": a device's pages, mapped from a file of its driver, or by the caller
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The file is a driver's, a UIO device, or /dev/mem; the kernel decides who may map which page.
 * Only the pages that are attached are mapped: packetizer pages first to first + pages - 1, and as
 * many mailboxes. Nothing tells the device that a page is attached; its driver does that on its
 * open or mmap, and resets the page on its release.
 *
 * Incarnations of pages, by which a receiver knows that numbers begin anew, have to count up from
 * one owner to the next, whatever process that is. No register has them: the Linux driver counts
 * (ni_linux.h), or the caller does. Without either nothing is sent as reliable: a receiver would
 * drop what it takes for a repetition.
 */
#define _GNU_SOURCE
#include "../config.h"

#if MEMLIFT_HAVE_ENGINES
#include "../include/memlift/ni_linux.h"
#include "transport.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define INCARNATIONS (MEMLIFT_NI_CHANNEL_INCARNATION_MASK >> MEMLIFT_NI_CHANNEL_INCARNATION_SHIFT)
#define BYTES(pages) ((size_t)(pages) * MEMLIFT_NI_PAGE_BYTES)

/* Mappings that were made here; NULL where the caller had. */
struct mapped {
  void *channels, *mailboxes;
};

static void *map(int fd, uint64_t offset, unsigned pages) {
  void *at = mmap(NULL, BYTES(pages), PROT_READ | PROT_WRITE, MAP_SHARED, fd, (off_t)offset);
  if (at == MAP_FAILED)
    return NULL;
  madvise(at, BYTES(pages), MADV_DONTFORK); /* of memory of devices the kernel does it by itself */
  return at;
}

static void unmap(struct mapped *m, unsigned pages) {
  if (m->channels)
    munmap(m->channels, BYTES(pages));
  if (m->mailboxes)
    munmap(m->mailboxes, BYTES(pages));
  free(m);
}

/* Asks the Linux driver which use of each page this is. 0: the file is none of its. */
static int ask_driver(struct memlift_ni *ni, int fd) {
  for (unsigned i = 0; i < ni->pages; i++) {
    struct memlift_ni_ioctl_incarnation use = {ni->first + i, 0};
    if (ioctl(fd, MEMLIFT_NI_IOCTL_GET_INCARNATION, &use) != 0)
      return 0;
    ni->page[i].incarnation = (uint16_t)(use.incarnation & INCARNATIONS);
  }
  return 1;
}

/* Finds the incarnations of the pages, where they are needed; fd: of the device, -1: none.
 * 0: nobody tells. */
static int find_incarnations(struct memlift_ni *ni, const struct memlift_ni_options *options,
                             int fd) {
  for (unsigned i = 0; i < ni->pages; i++)
    ni->page[i].incarnation = (uint16_t)(options->incarnation & INCARNATIONS);
  return options->incarnation || !(ni->flags & MEMLIFT_NI_RELIABLE) ||
         (fd >= 0 && ask_driver(ni, fd));
}

static memlift_status map_pages(struct memlift_ni *ni, const struct memlift_ni_options *options,
                                int fd, struct mapped **out) {
  uint64_t offset = options->offset;
  struct mapped *m = calloc(1, sizeof *m);
  if (!m)
    return MEMLIFT_NO_RESOURCES;
  m->channels = map(fd, offset + BYTES(ni->first), ni->pages);
  m->mailboxes = map(fd, offset + MEMLIFT_NI_MAILBOXES + BYTES(ni->first), ni->pages);
  memlift_status status = errno == ENOMEM  ? MEMLIFT_NO_RESOURCES
                          : errno == EBUSY ? MEMLIFT_BUSY
                                           : MEMLIFT_NOT_PRESENT;
  if (m->channels && m->mailboxes) {
    *out = m;
    if (find_incarnations(ni, options, fd))
      return MEMLIFT_OK;
    status = MEMLIFT_INVALID_ARGUMENT;
  }
  unmap(m, ni->pages);
  return status;
}

/* Maps from the file of that name, which need not stay open, or from the caller's. */
static memlift_status map_file(struct memlift_ni *ni, const struct memlift_ni_options *options,
                               struct mapped **out) {
  if (!options->where)
    return options->fd < 0 ? MEMLIFT_INVALID_ARGUMENT : map_pages(ni, options, options->fd, out);
  int fd = open(options->where, O_RDWR | O_CLOEXEC | O_SYNC);
  if (fd < 0)
    return errno == EMFILE || errno == ENFILE ? MEMLIFT_NO_RESOURCES : MEMLIFT_NOT_PRESENT;
  memlift_status status = map_pages(ni, options, fd, out);
  syscall(SYS_close, fd);
  return status;
}

static memlift_status attach(struct memlift_ni *ni, const struct memlift_ni_options *options) {
  ni->first = options->first_page == MEMLIFT_NI_ANY_PAGE ? 0 : options->first_page;
  ni->kind = ni->flags & MEMLIFT_NI_SOFTWARE_DEVICE   ? MEMLIFT_NI_MEMORY
             : ni->flags & MEMLIFT_NI_WRITE_COMBINING ? MEMLIFT_NI_COMBINING
                                                      : MEMLIFT_NI_DEVICE;
  struct mapped *m = NULL;
  if (options->base && !find_incarnations(ni, options, -1))
    return MEMLIFT_INVALID_ARGUMENT;
  memlift_status status = options->base ? MEMLIFT_OK : map_file(ni, options, &m);
  if (status != MEMLIFT_OK)
    return status;
  ni->mine = m;
  for (unsigned i = 0; i < ni->pages; i++) {
    struct memlift_ni_page *page = &ni->page[i];
    page->channels = m ? memlift_ni_channel_at(m->channels, i, 0)
                       : memlift_ni_channel_at(options->base, ni->first + i, 0);
    page->mailbox = m ? memlift_ni_channel_at(m->mailboxes, i, 0)
                      : memlift_ni_mailbox_page(options->base, ni->first + i);
  }
  return MEMLIFT_OK;
}

static void detach(struct memlift_ni *ni) {
  if (ni->mine)
    unmap(ni->mine, ni->pages);
}

static void forget(struct memlift_ni *ni) { (void)ni; } /* no descriptor is held */

const struct memlift_ni_transport memlift_ni_mmio = {
    .name = "mmio",
    .attach = attach,
    .detach = detach,
    .forget = forget,
    .state = memlift_ni_registers_state,
    .head = memlift_ni_registers_head,
    .load = memlift_ni_registers_load,
    .pop = memlift_ni_registers_pop,
};
#else
typedef int memlift_no_engines; /* a translation unit must not be empty */
#endif
