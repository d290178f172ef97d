// messages.c - checks: messages between processes through pages that the driver has mapped
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define _GNU_SOURCE
#include "guest.h"
#include "memlift/ni.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

enum { ANY = MEMLIFT_NI_IOCTL_ANY, PAGES = MEMLIFT_NI_PAGES, MOST = MEMLIFT_NI_PAYLOAD_MOST };
enum { ACKNOWLEDGED = MEMLIFT_NI_CHANNEL_STATE_ACKNOWLEDGED };

static void fill(unsigned char *data, unsigned size, unsigned seed) {
  for (unsigned i = 0; i < size; i++)
    data[i] = (unsigned char)(i * 131 + size * 29 + seed * 7 + 1);
}

static unsigned source_page(uint64_t source) {
  return (unsigned)MEMLIFT_NI_FIELD(NI_MAILBOX, PAGE, source);
}

// Sends what has come back.
static void echoes(void *line) {
  struct shared *s = line;
  unsigned char data[MOST];
  struct page own = own_page(31);
  set(&s->flag[0], 1);
  for (unsigned size = 1; size <= MOST; size++) {
    uint64_t source;
    size_t got = receive(&own, data, &source, 20ull * SECOND);
    WANT(got == size && source_page(source) == 30, "%zu bytes from %u", got, source_page(source));
    start(&own, size % 4, 30, data, got, 255, 0);
    WANT(outcome(&own, size % 4) == ACKNOWLEDGED, "size %u", size);
  }
}

void message_sizes(void) {
  struct shared *s = share();
  pid_t pid = child(echoes, s);
  struct page own = own_page(30);
  await(&s->flag[0], 1);
  for (unsigned size = 1; size <= MOST; size++) {
    unsigned char data[MOST], back[MOST];
    uint64_t source;
    fill(data, size, 0);
    start(&own, size % 4, 31, data, size, 255, 0);
    WANT(outcome(&own, size % 4) == ACKNOWLEDGED, "size %u", size);
    size_t got = receive(&own, back, &source, 20ull * SECOND);
    WANT(got == size && !memcmp(data, back, size), "size %u came back as %zu", size, got);
    WANT(source_page(source) == 31, "%u", source_page(source));
  }
  want_success(pid);
}

enum { SENDERS = 4, EACH = 200 };

// A mailbox without room drops a packet: the sender learns it, and sends again.
static void sends_many(void *line) {
  struct shared *s = line;
  struct page own = own_page((unsigned)ANY);
  await(&s->flag[0], 1);
  for (uint64_t i = 0; i < EACH; i++) {
    uint64_t data[4] = {own.number, i, ~i, 0};
    do
      start(&own, (unsigned)i % 4, 40, data, 32, 100, 0);
    while (outcome(&own, (unsigned)i % 4) != ACKNOWLEDGED);
  }
}

// A lost acknowledgement does not happen here: each message comes once, in the order of its sender.
void many_to_one(void) {
  struct shared *s = share();
  struct page own = own_page(40);
  pid_t pid[SENDERS];
  uint64_t next[PAGES] = {0};
  for (unsigned i = 0; i < SENDERS; i++)
    pid[i] = child(sends_many, s);
  set(&s->flag[0], 1);
  for (unsigned i = 0; i < SENDERS * EACH; i++) {
    uint64_t data[MOST / 8], source;
    size_t got = receive(&own, data, &source, 20ull * SECOND);
    WANT(got == 32, "message %u has %zu bytes", i, got);
    unsigned from = source_page(source);
    WANT(data[0] == from && data[2] == ~data[1], "message %u is damaged", i);
    WANT(data[1] == next[from], "page %u: %d, not %d", from, (int)data[1], (int)next[from]);
    next[from]++;
  }
  for (unsigned i = 0; i < SENDERS; i++)
    want_success(pid[i]);
  uint64_t data[MOST / 8];
  WANT(receive(&own, data, NULL, SECOND / 20) == 0, "one message too many");
}

// libmemlift's transport `mmio` over the file.
static memlift_ni *library_page(unsigned *number) {
  static int fd;
  struct memlift_ni_ioctl_attach a;
  fd = open_file();
  WANT_STATUS(attach(fd, 1, (unsigned)ANY, &a), 0);
  struct memlift_ni_options options = {.transport = "mmio",
                                       .fd = fd,
                                       .first_page = a.first,
                                       .protection_id = a.protection_id,
                                       .flags = MEMLIFT_NI_SOFTWARE_DEVICE | MEMLIFT_NI_RELIABLE};
  memlift_ni *ni = NULL;
  memlift_status status = memlift_ni_attach(&options, sizeof options, &ni);
  WANT(status == MEMLIFT_OK, "status %d", (int)status);
  *number = a.first;
  return ni;
}

enum { ROUNDS = 300 };

static void library_echoes(void *line) {
  struct shared *s = line;
  unsigned number;
  memlift_ni *ni = library_page(&number);
  set(&s->flag[0], number + 1);
  for (int i = 0; i < ROUNDS; i++) {
    unsigned char data[MOST];
    size_t size;
    memlift_ni_address from;
    memlift_status status =
        memlift_ni_dequeue(ni, 0, data, sizeof data, 20ull * SECOND, &size, &from);
    WANT(status == MEMLIFT_OK, "dequeue %d: %d", i, (int)status);
    status = memlift_ni_enqueue(ni, 0, from, data, size, 0, 20ull * SECOND, NULL);
    WANT(status == MEMLIFT_OK, "enqueue %d: %d", i, (int)status);
  }
  WANT(memlift_ni_flush(ni, 0, 20ull * SECOND) == MEMLIFT_OK, "flush");
  memlift_ni_detach(ni);
}

void through_library(void) {
  struct shared *s = share();
  pid_t pid = child(library_echoes, s);
  unsigned number;
  memlift_ni *ni = library_page(&number);
  while (!s->flag[0])
    usleep(1000);
  for (unsigned i = 0; i < ROUNDS; i++) {
    unsigned char data[MOST], back[MOST];
    size_t size = i % MOST + 1, got = 0;
    fill(data, (unsigned)size, i);
    memlift_status status = memlift_ni_enqueue(ni, 0, memlift_ni_mailbox_at(0, s->flag[0] - 1),
                                               data, size, 0, 20ull * SECOND, NULL);
    WANT(status == MEMLIFT_OK, "enqueue %u: %d", i, (int)status);
    status = memlift_ni_dequeue(ni, 0, back, sizeof back, 20ull * SECOND, &got, NULL);
    WANT(status == MEMLIFT_OK && got == size, "dequeue %u: %d", i, (int)status);
    WANT(!memcmp(data, back, size), "message %u is damaged", i);
  }
  want_success(pid);
  memlift_ni_detach(ni);
}

static void sends_later(void *of) {
  const struct page *to = of;
  struct page own = own_page((unsigned)ANY);
  usleep(100000);
  start(&own, 0, to->number, "wake up", 8, 255, 0);
  WANT(outcome(&own, 0) == ACKNOWLEDGED, "not delivered");
}

static void polls_as_child(void *of) {
  struct pollfd wait = {.fd = ((const struct page *)of)->fd, .events = POLLIN};
  WANT(poll(&wait, 1, 1000) == 1 && wait.revents == POLLERR, "%#x", (unsigned)wait.revents);
}

void polls(void) {
  struct page own = own_page((unsigned)ANY);
  int empty = open_file();
  struct pollfd none = {.fd = empty, .events = POLLIN};
  WANT(poll(&none, 1, 0) == 1 && none.revents == POLLERR, "%#x", (unsigned)none.revents);
  want_success(child(polls_as_child, &own));
  for (int i = 0; i < 5; i++) {
    struct pollfd wait = {.fd = own.fd, .events = POLLIN};
    char buffer[MOST];
    WANT(poll(&wait, 1, 50) == 0, "it is readable before there is a message");
    pid_t pid = child(sends_later, &own);
    uint64_t before = now();
    WANT(poll(&wait, 1, 10000) == 1 && wait.revents == POLLIN, "%#x", (unsigned)wait.revents);
    WANT(now() - before < 5ull * SECOND, "it took %llu ns", (unsigned long long)(now() - before));
    WANT(poll(&wait, 1, 0) == 1, "readable until it is received");
    WANT(receive(&own, buffer, NULL, SECOND) == 8 && !memcmp(buffer, "wake up", 8), "another");
    want_success(pid);
  }
}

// All 256 channels have a message of their own at once; a page more there is not.
void uses_all_channels(void) {
  static struct page page[PAGES];
  for (unsigned i = 0; i < PAGES; i++) {
    page[i] = own_page((unsigned)ANY);
    WANT(page[i].number == i, "%u", page[i].number);
  }
  int fd = open_file();
  WANT_STATUS(attach(fd, 1, (unsigned)ANY, NULL), -ENOSPC);
  for (unsigned i = 0; i < PAGES * 4; i++) {
    uint64_t data[32] = {i};
    start(&page[i / 4], i % 4, (i / 4 + 1) % PAGES, data, MOST, 0, 0);
  }
  for (unsigned i = 0; i < PAGES * 4; i++)
    WANT(outcome(&page[i / 4], i % 4) == ACKNOWLEDGED, "channel %u", i);
  for (unsigned i = 0; i < PAGES * 4; i++) {
    uint64_t data[32], source;
    WANT(receive(&page[i / 4], data, &source, SECOND) == MOST, "message %u", i);
    unsigned from = source_page(source) * 4 + MEMLIFT_NI_FIELD(NI_MAILBOX, CHANNEL, source);
    WANT(data[0] == from && from / 4 == (i / 4 + PAGES - 1) % PAGES, "%u from %u", i, from);
  }
  give_back(&page[10]);
  give_back(&page[12]);
  WANT_STATUS(attach(fd, 2, (unsigned)ANY, NULL), -ENOSPC); // two, but not side by side
  WANT_STATUS(attach(fd, 1, (unsigned)ANY, NULL), 0);
  give_back(&page[11]);
  WANT_STATUS(attach(fd, 2, (unsigned)ANY, NULL), 0);
  WANT_STATUS(attach(fd, 1, (unsigned)ANY, NULL), -ENOSPC);
}
