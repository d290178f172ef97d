// life.c - checks: pages come back when a process detaches them, ends, is killed, or executes another
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define _GNU_SOURCE
#include "guest.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ANY = MEMLIFT_NI_IOCTL_ANY, PAGES = MEMLIFT_NI_PAGES, MOST = MEMLIFT_NI_PAYLOAD_MOST };
enum { QUEUED = MEMLIFT_NI_CHANNEL_STATE_QUEUED, ACKNOWLEDGED = MEMLIFT_NI_CHANNEL_STATE_ACKNOWLEDGED };

void detach_unmaps(void) {
  int fd = open_file();
  WANT_STATUS(attach(fd, 2, 8, NULL), 0);
  volatile char *channels = (volatile char *)map_own(fd, 8 * PAGE, 2 * PAGE);
  volatile char *mailboxes = (volatile char *)map_own(fd, MEMLIFT_NI_MAILBOXES + 8 * PAGE, 2 * PAGE);
  WANT(store_signal(channels) == 0 && load_signal(mailboxes) == 0, "page 8");
  long more = map_own(fd, 8 * PAGE, 2 * PAGE);
  WANT(more > 0 && munmap((char *)more + PAGE, PAGE) == 0, "%ld", more); // it stays attached
  WANT(store_signal(channels + PAGE) == 0 && store_signal((void *)more) == 0, "unmapped once");
  WANT_STATUS(detach(fd, 1, 8), 0);
  WANT(store_signal((void *)more) == SIGBUS, "page 8 is there a second time");
  WANT(load_signal(channels) == SIGBUS && store_signal(channels) == SIGBUS, "page 8 is there");
  WANT(load_signal(mailboxes) == SIGBUS && store_signal(mailboxes) == SIGBUS, "mailbox 8 is there");
  WANT(store_signal(channels + PAGE) == 0 && load_signal(mailboxes + PAGE) == 0, "page 9 is gone");
  WANT_STATUS(map_own(fd, 8 * PAGE, PAGE), -EACCES);
  // The next owner's page is not reached by the old mapping, of whatever process.
  struct page next = own_page(8);
  memlift_ni_put(next.channels, 0, 4711);
  WANT(load_signal(channels) == SIGBUS && store_signal(channels) == SIGBUS, "page 8 is back");
  WANT(memlift_ni_get(next.channels, 0) == 4711, "written");
  WANT_STATUS(detach(fd, 1, 9), 0);
  WANT(store_signal(channels + PAGE) == SIGBUS, "page 9 is there");
  munmap((void *)channels, 2 * PAGE);
}

// ---- DETACH while another thread maps ----

struct race {
  int fd;
  pthread_barrier_t line;
  volatile char *mapped;
};

static void *maps(void *of) {
  struct race *r = of;
  for (;;) {
    pthread_barrier_wait(&r->line);
    long at = map_own(r->fd, 0, PAGE);
    WANT(at > 0 || at == -EACCES, "%ld", at);
    r->mapped = at > 0 ? (volatile char *)at : NULL;
    pthread_barrier_wait(&r->line);
  }
  return NULL;
}

// The mapping was made before DETACH, and taken away by it, or it was refused. The delay follows the
// moment between the two, so that most rounds are near it.
void detach_races_with_mmap(void) {
  static struct race r;
  pthread_t thread;
  unsigned made = 0, refused = 0;
  pthread_barrier_init(&r.line, NULL, 2);
  r.fd = open_file();
  WANT(pthread_create(&thread, NULL, maps, &r) == 0, "no thread");
  int delay = 0;
  for (int i = 0; i < 1000; i++) {
    WANT_STATUS(attach(r.fd, 1, 0, NULL), 0);
    pthread_barrier_wait(&r.line);
    for (volatile int j = 0; j < delay; j++)
      ;
    WANT_STATUS(detach(r.fd, 1, 0), 0);
    pthread_barrier_wait(&r.line);
    if (r.mapped) {
      WANT(store_signal(r.mapped) == SIGBUS, "round %d: the page is there after DETACH", i);
      munmap((void *)r.mapped, PAGE);
    }
    r.mapped ? made++ : refused++;
    delay += (r.mapped ? -1 : 1) * (rand() % 100);
  }
  WANT(made > 0 && refused > 0, "%u made, %u refused", made, refused);
}

// ---- Death ----

// Channel 0 waits for a mailbox that nobody opens, and the others for channel 0.
static void starts_chain(void *line) {
  struct shared *s = line;
  struct page own = own_page(16);
  uint64_t secret[32];
  memset(secret, 0x5e, sizeof secret);
  start(&own, 0, 17, secret, MOST, 0, 0);
  WANT(state(&own, 0) == QUEUED, "channel 0 is not pending");
  for (unsigned c = 1; c < 4; c++) {
    start(&own, c, 18, secret, MOST, 0, 1);
    WANT(state(&own, c) == QUEUED, "channel %u is not pending", c);
  }
  set(&s->flag[0], 1);
  for (;;)
    pause();
}

static void want_zero(volatile void *page, size_t bytes, const char *what) {
  for (size_t at = 0; at < bytes; at += 8)
    WANT(memlift_ni_get(page, at) == 0, "%s, byte %zu", what, at);
}

void chain_of_the_dead(void) {
  struct shared *s = share();
  struct page to = own_page(18);
  pid_t pid = child(starts_chain, s);
  char buffer[MOST];
  await(&s->flag[0], 1);
  struct page sender = own_page(19); // leaves something in the mailbox of the page
  start(&sender, 0, 16, "left over", 9, 0, 0);
  WANT(outcome(&sender, 0) == ACKNOWLEDGED, "not delivered");
  int fd = open_file();
  WANT_STATUS(attach(fd, 1, 16, NULL), -EBUSY);
  kill_and_wait(pid);
  struct page own = own_page_soon(16);
  for (unsigned c = 0; c < 4; c++) {
    WANT(state(&own, c) == MEMLIFT_NI_CHANNEL_STATE_IDLE, "channel %u: %u", c, state(&own, c));
    want_zero(channel(&own, c), MOST, "what the dead has sent");
    WANT(memlift_ni_get(channel(&own, c), MEMLIFT_NI_CHANNEL_ADDRESS_OFFSET) == 0, "its word 0");
  }
  want_zero(own.mailbox, PAGE, "what the dead has received");
  for (unsigned c = 0; c < 4; c++) { // a chain of the new owner runs
    start(&own, c, 18, "new", 3, 255, 1);
    WANT(outcome(&own, c) == ACKNOWLEDGED, "channel %u", c);
    WANT(receive(&to, buffer, NULL, SECOND) == 3 && !memcmp(buffer, "new", 3), "channel %u", c);
  }
  WANT(receive(&to, buffer, NULL, SECOND / 20) == 0, "a message of the dead has come");
  struct page late = own_page(17); // the first of the old chain waited for this
  WANT(receive(&late, buffer, NULL, SECOND / 20) == 0, "a message of the dead has come");
}

static void sends_always(void *of) {
  unsigned to = *(unsigned *)of;
  for (;;) {
    struct page own = own_page_soon(24);
    for (unsigned i = 0; i < 50; i++) {
      unsigned c = i % 4;
      if (state(&own, c) != QUEUED)
        start(&own, c, to, &i, sizeof i, 50, i % 3 == 0);
    }
    give_back(&own);
  }
}

// kill -9 while the process attaches, maps, sends and closes: the page is there for the next each time.
void killed_at_any_time(void) {
  unsigned to = 25;
  struct page receiver = own_page(to);
  char buffer[MOST];
  srand(1);
  for (int i = 0; i < 150; i++) {
    pid_t pid = child(sends_always, &to);
    usleep((useconds_t)(rand() % 20000));
    kill_and_wait(pid);
    struct page own = own_page_soon(24);
    for (unsigned c = 0; c < 4; c++)
      WANT(state(&own, c) == MEMLIFT_NI_CHANNEL_STATE_IDLE, "round %d, channel %u", i, c);
    while (receive(&receiver, buffer, NULL, 0) || memlift_ni_get(receiver.mailbox,
                                                                 MEMLIFT_NI_MAILBOX_POP_OFFSET))
      ;
    do
      start(&own, 0, to, "alive", 5, 50, 0);
    while (outcome(&own, 0) != ACKNOWLEDGED && receive(&receiver, buffer, NULL, 0) != 5);
    give_back(&own);
  }
}

// ---- The file outlives its process ----

static void outlives(void *line) {
  struct shared *s = line;
  await(&s->flag[1], 1); // the file of the parent, which is dead, is open here
}

struct parent {
  struct shared *s;
  int maps, fd;
};

static void has_child(void *of) {
  struct parent *p = of;
  struct page own;
  if (p->maps)
    own = own_page(28);
  else
    WANT_STATUS(attach(own.fd = open_file(), 1, 28, NULL), 0);
  child(outlives, p->s);
  set(&p->s->flag[0], 1);
  for (;;)
    pause();
}

static void keeps_file(int has_mapped) {
  struct parent p = {.s = share(), .maps = has_mapped};
  pid_t pid = child(has_child, &p);
  await(&p.s->flag[0], 1);
  int fd = open_file();
  WANT_STATUS(attach(fd, 1, 28, NULL), -EBUSY);
  struct page sender = own_page((unsigned)ANY);
  start(&sender, 0, 28, "alive", 5, 255, 0);
  WANT(outcome(&sender, 0) == ACKNOWLEDGED, "its mailbox is closed");
  kill_and_wait(pid);
  if (has_mapped) { // at once, not when the page is asked for
    usleep(100000);
    start(&sender, 0, 28, "dead", 4, 255, 0);
    WANT(outcome(&sender, 0) == MEMLIFT_NI_CHANNEL_STATE_TIMED_OUT, "the dead acknowledges");
  }
  struct page own = own_page_soon(28);
  start(&own, 0, 28, "mine", 4, 255, 0);
  WANT(outcome(&own, 0) == ACKNOWLEDGED, "the page does not work");
  set(&p.s->flag[1], 1); // the child closes the file of the dead: that must not take the page
  usleep(100000);
  WANT(store_signal(own.channels) == 0, "page 28 has gone with a file that is not its owner's");
  give_back(&own);
}

void child_keeps_file(void) {
  keeps_file(1);
  keeps_file(0);
}

// A process that has given back all pages of a file leaves it to others: its end is not theirs.
static void uses_inherited(void *of) {
  struct parent *p = of;
  await(&p->s->flag[1], 1);
  WANT_STATUS(attach(p->fd, 1, 29, NULL), 0);
  long at = map_own(p->fd, 29 * PAGE, PAGE);
  WANT(at > 0, "%ld", at);
  set(&p->s->flag[2], 1);
  await(&p->s->flag[3], 1);
  WANT(store_signal((void *)at) == 0, "the end of another process took the page");
  set(&p->s->flag[4], 1);
}

static void hands_on(void *of) {
  struct parent *p = of;
  p->fd = open_file();
  WANT_STATUS(attach(p->fd, 1, 28, NULL), 0);
  WANT(map_own(p->fd, 28 * PAGE, PAGE) > 0, "page 28"); // unmapped by the end of the process
  child(uses_inherited, p);
  WANT_STATUS(detach(p->fd, 1, 28), 0);
  set(&p->s->flag[1], 1);
  await(&p->s->flag[2], 1);
}

void file_is_handed_on(void) {
  struct parent p = {.s = share()};
  want_success(child(hands_on, &p));
  set(&p.s->flag[3], 1);
  await(&p.s->flag[4], 1);
}

static void executes(void *line) {
  struct shared *s = line;
  struct page own = own_page(28);
  fcntl(own.fd, F_SETFD, 0); // open in the new program
  set(&s->flag[0], 1);
  execl("/init", "init", "sleep", (char *)NULL);
  WANT(0, "errno %d", errno);
}

void exec_ends(void) {
  struct shared *s = share();
  pid_t pid = child(executes, s);
  await(&s->flag[0], 1);
  struct page own = own_page_soon(28);
  WANT(waitpid(pid, NULL, WNOHANG) == 0, "the other program has ended, which closes the file");
  give_back(&own);
  kill_and_wait(pid);
}

// ---- A device that does not answer ----

// Only the first that waits for it waits long. What it does not confirm is given to nobody.
void device_hangs(void) {
  struct page own = own_page(3);
  int fd = open_file();
  WANT(kill(device_process, SIGSTOP) == 0, "errno %d", errno);
  uint64_t before = now();
  WANT_STATUS(attach(fd, 1, (unsigned)ANY, NULL), -EIO);
  WANT(now() - before < 10ull * SECOND, "it took long");
  before = now();
  WANT_STATUS(attach(fd, 60, 4, NULL), -EIO);
  WANT_STATUS(detach(own.fd, 1, 3), 0); // unmapped, though the device does not know
  WANT(store_signal(own.channels) == SIGBUS, "page 3 is there");
  WANT(now() - before < SECOND, "each command waits");
  WANT(kill(device_process, SIGCONT) == 0, "errno %d", errno);
  usleep(100000);
  WANT_STATUS(attach(fd, 1, 3, NULL), -EBUSY);
}
