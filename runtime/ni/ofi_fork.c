/* ofi_fork.c - transport "ofi" in a child after fork: closes the sockets of the provider
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Problem: libfabric opens sockets at any time, does not close them on fork or exec, and tells
 * nobody their descriptors.
 *
 * Idea: their addresses are known. An endpoint listens at that of an own page, connections that it
 * has accepted have that address, too, and those that it has made lead to that of some node's
 * page. No other socket of the program can have one of them. All of it by system calls, as in a
 * handler of pthread_atfork: /proc/self/fd lists the open files. Where there is no /proc, or the
 * provider has other things than sockets of the Internet, they stay open until the child ends.
 */
#define _GNU_SOURCE
#include "../config.h"

#if defined(MEMLIFT_HAVE_OFI) && MEMLIFT_HAVE_ENGINES
#include "ofi.h"

#include <endian.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Takes the port out of an address of the Internet: *port gets it, and the rest can be compared.
 * 0: it is another address. */
static int take_port(struct sockaddr_storage *address, unsigned *port) {
  if (address->ss_family == AF_INET) {
    struct sockaddr_in *four = (struct sockaddr_in *)address;
    *port = be16toh(four->sin_port);
    four->sin_port = 0;
    return 1;
  }
  if (address->ss_family == AF_INET6) {
    struct sockaddr_in6 *six = (struct sockaddr_in6 *)address;
    *port = be16toh(six->sin6_port);
    six->sin6_port = 0, six->sin6_flowinfo = 0;
    return 1;
  }
  return 0;
}

void memlift_ofi_keep_host(struct sockaddr_storage *host, const void *address, size_t size) {
  unsigned port;
  memset(host, 0, sizeof *host);
  if (!address || size > sizeof *host)
    return;
  memcpy(host, address, size);
  if (!take_port(host, &port))
    memset(host, 0, sizeof *host);
}

/* Returns 1 when that is the address of a page, from `first` on, of node n. */
static int is_page(const struct memlift_ni *ni, const struct ofi_page *own, unsigned n,
                   struct sockaddr_storage address, unsigned first, unsigned pages) {
  const struct ofi_net *net = ni->mine;
  unsigned port, from = net->node[n].port + first;
  return take_port(&address, &port) && memcmp(&address, &own->host[n], sizeof address) == 0 &&
         port >= from && port < from + pages;
}

/* Returns 1 when the socket is at the address of an own page, or is connected to any page. */
static int is_of_provider(const struct memlift_ni *ni, const struct ofi_page *own, int fd) {
  const struct ofi_net *net = ni->mine;
  struct sockaddr_storage here = {0}, there = {0};
  socklen_t size = sizeof here;
  if (getsockname(fd, (struct sockaddr *)&here, &size) == 0 &&
      is_page(ni, own, net->self, here, ni->first, ni->pages))
    return 1;
  size = sizeof there;
  if (getpeername(fd, (struct sockaddr *)&there, &size) != 0)
    return 0;
  for (unsigned n = 0; n < net->nodes; n++)
    if (is_page(ni, own, n, there, 0, MEMLIFT_NI_PAGES))
      return 1;
  return 0;
}

static int is_of_any_page(const struct memlift_ni *ni, int fd) {
  for (unsigned i = 0; i < ni->pages; i++)
    if (is_of_provider(ni, ni->page[i].mine, fd))
      return 1;
  return 0;
}

/* An entry of a directory, as the kernel gives it. */
struct entry {
  uint64_t number;
  int64_t next;
  uint16_t size;
  unsigned char type;
  char name[];
};

/* The number that a name of /proc/self/fd is; -1: none. */
static int descriptor_of(const char *name) {
  int fd = *name >= '0' && *name <= '9' ? 0 : -1;
  for (; *name >= '0' && *name <= '9'; name++)
    fd = fd * 10 + (*name - '0');
  return *name ? -1 : fd;
}

void memlift_ofi_close_sockets(const struct memlift_ni *ni) {
  _Alignas(struct entry) char buffer[1024];
  int directory =
      (int)syscall(SYS_openat, AT_FDCWD, "/proc/self/fd", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  long size;
  if (directory < 0)
    return;
  while ((size = syscall(SYS_getdents64, directory, buffer, sizeof buffer)) > 0)
    for (long at = 0; at < size; at += ((struct entry *)(void *)(buffer + at))->size) {
      int fd = descriptor_of(((struct entry *)(void *)(buffer + at))->name);
      if (fd >= 0 && fd != directory && is_of_any_page(ni, fd))
        syscall(SYS_close, fd);
    }
  syscall(SYS_close, directory);
}
#else
typedef int memlift_no_fabric_in_child; /* a translation unit must not be empty */
#endif
