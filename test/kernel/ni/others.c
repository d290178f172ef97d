// others.c - checks: no process reaches the page of another, by whatever way
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define _GNU_SOURCE
#include "guest.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

enum { ANY = MEMLIFT_NI_IOCTL_ANY, PAGES = MEMLIFT_NI_PAGES };
static const uint64_t SECRET = 0x5ec7e7;

static void write_secret(const struct page *own) {
  memlift_ni_put(own->channels, 0, SECRET);
}
static void want_secret(const struct page *own) {
  uint64_t word = memlift_ni_get(own->channels, 0);
  WANT(word == SECRET, "%#llx", (unsigned long long)word);
}

// Tries every page of the device through a file of its own, then through the owner's.
static void tries_all(void *of) {
  const struct page *owner = of;
  int fd = open_file();
  WANT_STATUS(attach(fd, 1, owner->number, NULL), -EBUSY);
  WANT_STATUS(attach(fd, 1, owner->number + 1, NULL), 0);
  for (unsigned i = 0; i < PAGES; i++) {
    long want = i == owner->number + 1 ? 1 : -EACCES;
    long packetizer = map_own(fd, (size_t)i * PAGE, PAGE);
    long mailbox = map_own(fd, MEMLIFT_NI_MAILBOXES + (size_t)i * PAGE, PAGE);
    WANT(want > 0 ? packetizer > 0 : packetizer == want, "page %u: %ld", i, packetizer);
    WANT(want > 0 ? mailbox > 0 : mailbox == want, "mailbox %u: %ld", i, mailbox);
  }
  WANT_STATUS(map_own(owner->fd, (size_t)owner->number * PAGE, PAGE), -EPERM);
  WANT_STATUS(map_at(owner->fd, (size_t)owner->number * PAGE, PAGE, PROT_READ, MAP_SHARED), -EPERM);
}

void others_pages(void) {
  struct page own = own_page(20);
  write_secret(&own);
  want_success(child(tries_all, &own));
  want_secret(&own);
}

// A process of the same user that may trace the owner: by its memory the pages are not reached.
static void writes_memory(void *of) {
  const struct page *owner = of;
  uint64_t word = 1;
  struct iovec from = {&word, sizeof word}, to = {(void *)owner->channels, sizeof word};
  WANT(process_vm_writev(getppid(), &from, 1, &to, 1, 0) < 0 && errno == EFAULT, "errno %d", errno);
  WANT(process_vm_readv(getppid(), &from, 1, &to, 1, 0) < 0 && errno == EFAULT, "errno %d", errno);
  char name[40];
  snprintf(name, sizeof name, "/proc/%d/mem", getppid());
  int memory = open(name, O_RDWR);
  WANT(memory >= 0, "errno %d", errno);
  WANT(pwrite(memory, &word, sizeof word, (off_t)owner->channels) < 0, "written");
  WANT(pread(memory, &word, sizeof word, (off_t)owner->channels) < 0, "read");
  uint64_t own = 0; // the ways themselves work
  to.iov_base = (void *)&owner->number;
  to.iov_len = sizeof owner->number;
  from.iov_base = &own, from.iov_len = to.iov_len;
  WANT(process_vm_readv(getppid(), &from, 1, &to, 1, 0) == (ssize_t)to.iov_len, "errno %d", errno);
}

void others_memory(void) {
  static struct page own;
  own = own_page(20);
  write_secret(&own);
  want_success(child(writes_memory, &own));
  want_secret(&own);
}

static void inherits(void *of) {
  const struct page *parent = of;
  uint32_t id;
  WANT(load_signal(parent->channels) == SIGSEGV, "the child can load");
  WANT(store_signal(parent->channels) == SIGSEGV, "the child can store");
  WANT(store_signal((char *)parent->mailbox + MEMLIFT_NI_MAILBOX_POP_OFFSET) == SIGSEGV, "pop");
  WANT_STATUS(map_own(parent->fd, (size_t)parent->number * PAGE, PAGE), -EPERM);
  WANT_STATUS(attach(parent->fd, 1, (unsigned)ANY, NULL), -EPERM);
  WANT_STATUS(detach(parent->fd, 1, parent->number), -EPERM);
  WANT(ioctl(parent->fd, MEMLIFT_NI_IOCTL_GET_PROTECTION_ID, &id) < 0 && errno == EPERM, "%d", errno);
  close(parent->fd); // the parent's stays open
  struct page own = own_page((unsigned)ANY);
  WANT(own.number != parent->number, "the same page");
  memlift_ni_put(own.channels, 0, 1);
}

void forked_child(void) {
  struct page own = own_page(20);
  write_secret(&own);
  WANT(madvise((void *)own.channels, PAGE, MADV_DOFORK) < 0 && errno == EINVAL, "%d", errno);
  want_success(child(inherits, &own));
  want_secret(&own);
  start(&own, 0, own.number, &SECRET, 8, 255, 0);
  WANT(outcome(&own, 0) == MEMLIFT_NI_CHANNEL_STATE_ACKNOWLEDGED, "the parent's page is dead");
}

// Another user's message is not delivered, and its sender is told by a time-out.
static void sends_as_other(void *of) {
  const struct page *to = of;
  WANT(setuid(1000) == 0, "errno %d", errno);
  struct page own = own_page((unsigned)ANY);
  WANT(own.protection_id == 1001, "%u", own.protection_id);
  start(&own, 0, to->number, "intruder", 8, 255, 0);
  WANT(outcome(&own, 0) == MEMLIFT_NI_CHANNEL_STATE_TIMED_OUT, "delivered");
  start(&own, 1, own.number, "own", 3, 255, 0);
  WANT(outcome(&own, 1) == MEMLIFT_NI_CHANNEL_STATE_ACKNOWLEDGED, "its own is not");
}

void other_user(void) {
  struct page own = own_page(20);
  char buffer[MEMLIFT_NI_PAYLOAD_MOST];
  want_success(child(sends_as_other, &own));
  WANT(receive(&own, buffer, NULL, SECOND / 20) == 0, "received");
  start(&own, 0, own.number, "friend", 6, 255, 0);
  WANT(receive(&own, buffer, NULL, SECOND) == 6, "nothing is received at all");
}
