// refused.c - checks: requests and mappings that the driver refuses, and with which error
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define _GNU_SOURCE
#include "guest.h"

#include <errno.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

enum { ANY = MEMLIFT_NI_IOCTL_ANY, PAGES = MEMLIFT_NI_PAGES };
#define BOTH (PROT_READ | PROT_WRITE)

static long request(int fd, unsigned long number, void *argument) {
  return ioctl(fd, number, argument) < 0 ? -errno : 0;
}

void refuses_requests(void) {
  int fd = open_file();
  struct memlift_ni_ioctl_attach a = {.pages = 1, .first = (unsigned)ANY};
  WANT_STATUS(request(fd, _IO(0xEB, 99), NULL), -ENOTTY);
  WANT_STATUS(request(fd, _IOWR(0xEB, 0, char[8]), &a), -ENOTTY); // another size
  WANT_STATUS(request(fd, MEMLIFT_NI_IOCTL_ATTACH, NULL), -EFAULT);
  WANT_STATUS(request(fd, MEMLIFT_NI_IOCTL_DETACH, NULL), -EFAULT);
  WANT_STATUS(attach(fd, 0, (unsigned)ANY, NULL), -EINVAL);
  WANT_STATUS(attach(fd, PAGES + 1, (unsigned)ANY, NULL), -EINVAL);
  WANT_STATUS(attach(fd, 0xffffffffu, 1, NULL), -EINVAL);
  WANT_STATUS(attach(fd, 1, PAGES, NULL), -EINVAL);
  WANT_STATUS(attach(fd, 5, PAGES - 4, NULL), -EINVAL);
  WANT_STATUS(detach(fd, 1, 0), -EINVAL); // not attached
  WANT_STATUS(attach(fd, 2, 10, NULL), 0);
  WANT_STATUS(attach(fd, 1, 11, NULL), -EBUSY);
  WANT_STATUS(detach(fd, 0, 10), -EINVAL);
  WANT_STATUS(detach(fd, 3, 10), -EINVAL); // 12 is not its own
  WANT_STATUS(detach(fd, 0xffffffffu, 10), -EINVAL);
  WANT_STATUS(detach(fd, 2, 10), 0);
  WANT_STATUS(detach(fd, 2, 10), -EINVAL);
  // The answer has no place: no page stays attached.
  void *constant = mmap(NULL, PAGE, BOTH, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  memcpy(constant, &a, sizeof a);
  WANT(mprotect(constant, PAGE, PROT_READ) == 0, "errno %d", errno);
  WANT_STATUS(request(fd, MEMLIFT_NI_IOCTL_ATTACH, constant), -EFAULT);
  WANT_STATUS(attach(fd, PAGES, 0, NULL), 0);
}

void refuses_mappings(void) {
  int fd = open_file(), other = open_file();
  size_t control = MEMLIFT_NI_SIZE, mailboxes = MEMLIFT_NI_MAILBOXES;
  WANT_STATUS(map_own(fd, 0, PAGE), -EACCES); // not attached
  WANT_STATUS(attach(fd, 2, 4, NULL), 0);
  WANT_STATUS(attach(other, 1, 6, NULL), 0);
  WANT_STATUS(map_own(fd, 6 * PAGE, PAGE), -EACCES); // the other file's
  WANT_STATUS(map_own(fd, mailboxes + 6 * PAGE, PAGE), -EACCES);
  WANT_STATUS(map_own(fd, 3 * PAGE, PAGE), -EACCES); // nobody's
  WANT_STATUS(map_own(fd, 3 * PAGE, 2 * PAGE), -EACCES);
  WANT_STATUS(map_own(fd, 4 * PAGE, 3 * PAGE), -EACCES);
  WANT_STATUS(map_own(fd, 4 * PAGE, 61 * PAGE), -EINVAL); // over the end of the packetizer
  WANT_STATUS(map_own(fd, control, PAGE), -EINVAL);       // the driver's own words
  WANT_STATUS(map_own(fd, control - PAGE, 2 * PAGE), -EINVAL);
  WANT_STATUS(map_own(fd, (size_t)1 << 40, PAGE), -EINVAL);
  WANT_STATUS(map_at(fd, 4 * PAGE, PAGE, BOTH, MAP_PRIVATE), -EINVAL);
  WANT_STATUS(map_at(fd, 4 * PAGE, PAGE, BOTH | PROT_EXEC, MAP_SHARED), -EACCES);
  long at = map_own(fd, 4 * PAGE, 2 * PAGE);
  WANT(at > 0, "%ld", at);
  WANT(store_signal((void *)at) == 0 && store_signal((char *)at + PAGE) == 0, "own pages");
  WANT(mprotect((void *)at, PAGE, PROT_EXEC) < 0 && errno == EACCES, "errno %d", errno);
  WANT(mremap((void *)at, 2 * PAGE, 3 * PAGE, MREMAP_MAYMOVE) == MAP_FAILED, "a mapping grew");
  WANT(map_own(fd, mailboxes + 5 * PAGE, PAGE) > 0, "own mailbox");
}

static void as_nobody(void *unused) {
  (void)unused;
  int fd = open_file();
  uint32_t id = 0;
  struct memlift_ni_ioctl_attach a = {.pages = 1, .first = (unsigned)ANY, .protection_id = 4711};
  WANT(setuid(1000) == 0, "errno %d", errno);
  WANT_STATUS(request(fd, MEMLIFT_NI_IOCTL_ATTACH, &a), -EPERM);
  WANT_STATUS(attach(fd, 1, (unsigned)ANY, NULL), 0);
  WANT_STATUS(request(fd, MEMLIFT_NI_IOCTL_GET_PROTECTION_ID, &id), 0);
  WANT(id == 1001, "%u", id);
}

static void asks_for_incarnation(void *of) {
  struct page *page = of;
  struct memlift_ni_ioctl_incarnation use = {page->number, 0};
  WANT_STATUS(request(page->fd, MEMLIFT_NI_IOCTL_GET_INCARNATION, &use), -EPERM);
}

// Each owner of a page has the number after that of the one before, and asks for its own alone.
void counts_owners(void) {
  unsigned last = 0;
  for (unsigned i = 0; i < 5; i++) {
    struct page page = own_page(20);
    struct memlift_ni_ioctl_incarnation use = {20, 0};
    WANT_STATUS(request(page.fd, MEMLIFT_NI_IOCTL_GET_INCARNATION, &use), 0);
    WANT(use.page == 20 && (i == 0 || use.incarnation == last + 1), "%u behind %u",
         use.incarnation, last);
    last = use.incarnation;
    WANT_STATUS(request(page.fd, MEMLIFT_NI_IOCTL_GET_INCARNATION, &use), 0);
    WANT(use.incarnation == last, "%u is not %u", use.incarnation, last);
    for (unsigned other = 21; other < 2 * PAGES; other++) {
      use.page = other;
      WANT_STATUS(request(page.fd, MEMLIFT_NI_IOCTL_GET_INCARNATION, &use), -EINVAL);
    }
    WANT_STATUS(request(page.fd, MEMLIFT_NI_IOCTL_GET_INCARNATION, NULL), -EFAULT);
    want_success(child(asks_for_incarnation, &page));
    give_back(&page);
  }
}

void tells_protection_id(void) {
  int fd = open_file();
  uint32_t id = 0;
  WANT_STATUS(request(fd, MEMLIFT_NI_IOCTL_GET_PROTECTION_ID, &id), -ENXIO);
  struct memlift_ni_ioctl_attach a = {.pages = 1, .first = (unsigned)ANY, .protection_id = 4711};
  WANT_STATUS(request(fd, MEMLIFT_NI_IOCTL_ATTACH, &a), 0); // root may
  WANT_STATUS(request(fd, MEMLIFT_NI_IOCTL_GET_PROTECTION_ID, &id), 0);
  WANT(id == 4711 && a.protection_id == 4711, "%u", id);
  WANT_STATUS(request(fd, MEMLIFT_NI_IOCTL_GET_PROTECTION_ID, NULL), -EFAULT);
  a.first = (unsigned)ANY;
  a.protection_id = 4712;
  WANT_STATUS(request(fd, MEMLIFT_NI_IOCTL_ATTACH, &a), -EINVAL); // one id a file
  want_success(child(as_nobody, NULL));
}
