// guest.c - the device file, messages and processes for the checks of the driver
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define _GNU_SOURCE
#include "guest.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

void fail(const char *file, int line, const char *what, const char *format, ...) {
  char text[512];
  int n = snprintf(text, sizeof text, "memlift-ni: FAILED: %s:%d: %s: ", file, line, what);
  va_list list;
  va_start(list, format);
  n += vsnprintf(text + n, sizeof text - (size_t)n - 1, format, list);
  va_end(list);
  text[n++] = '\n';
  if (write(1, text, (size_t)n) < 0)
    _exit(2);
  _exit(1);
}

int open_file(void) {
  int fd = open(MEMLIFT_NI_DEVICE_FILE, O_RDWR | O_CLOEXEC);
  WANT(fd >= 0, "errno %d", errno);
  return fd;
}

static long result(long got) { return got < 0 ? -errno : got; }

long attach(int fd, unsigned pages, unsigned first, struct memlift_ni_ioctl_attach *out) {
  struct memlift_ni_ioctl_attach own, *a = out ? out : &own;
  *a = (struct memlift_ni_ioctl_attach){.pages = pages, .first = first};
  return result(ioctl(fd, MEMLIFT_NI_IOCTL_ATTACH, a));
}

long detach(int fd, unsigned pages, unsigned first) {
  struct memlift_ni_ioctl_detach range = {.pages = pages, .first = first};
  return result(ioctl(fd, MEMLIFT_NI_IOCTL_DETACH, &range));
}

long map_at(int fd, size_t offset, size_t bytes, int protection, int flags) {
  return result((long)mmap(NULL, bytes, protection, flags, fd, (off_t)offset));
}

long map_own(int fd, size_t offset, size_t bytes) {
  return map_at(fd, offset, bytes, PROT_READ | PROT_WRITE, MAP_SHARED);
}

static long try_page(struct page *page, unsigned number) {
  struct memlift_ni_ioctl_attach a;
  page->fd = open_file();
  long status = attach(page->fd, 1, number, &a);
  if (status) {
    close(page->fd);
    return status;
  }
  page->number = a.first;
  page->protection_id = a.protection_id;
  WANT(a.window == MEMLIFT_NI_MEMORY, "window %u", a.window);
  long channels = map_own(page->fd, (size_t)a.first * PAGE, PAGE);
  long mailbox = map_own(page->fd, MEMLIFT_NI_MAILBOXES + (size_t)a.first * PAGE, PAGE);
  WANT(channels > 0 && mailbox > 0, "%ld %ld", channels, mailbox);
  page->channels = (volatile void *)channels;
  page->mailbox = (volatile void *)mailbox;
  return 0;
}

struct page own_page(unsigned number) {
  struct page page;
  long status = try_page(&page, number);
  WANT(status == 0, "page %d: %ld", (int)number, status);
  return page;
}

struct page own_page_soon(unsigned number) {
  struct page page;
  uint64_t until = now() + 10ull * SECOND;
  long status;
  while ((status = try_page(&page, number)) == -EBUSY && now() < until)
    usleep(1000);
  WANT(status == 0, "page %d: %ld", (int)number, status);
  return page;
}

void give_back(struct page *page) {
  munmap((void *)page->channels, PAGE);
  munmap((void *)page->mailbox, PAGE);
  close(page->fd);
}

// ---- Messages ----

uint64_t now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * SECOND + (uint64_t)t.tv_nsec;
}

volatile void *channel(const struct page *page, unsigned c) {
  return (volatile char *)page->channels + c * MEMLIFT_NI_CHANNEL_BYTES;
}

void start(const struct page *page, unsigned c, unsigned to, const void *data, size_t size,
           unsigned timeout, int chain) {
  memlift_ni_send(channel(page, c), data, size,
                  memlift_ni_word0((uint64_t)to * MEMLIFT_NI_PAGE_BYTES, 0),
                  memlift_ni_word1(size, timeout, chain), MEMLIFT_NI_MEMORY);
}

unsigned state(const struct page *page, unsigned c) {
  uint64_t until = now() + 20ull * SECOND;
  while (memlift_ni_get(channel(page, c), MEMLIFT_NI_CHANNEL_SIZE_OFFSET)) {
    WANT(now() < until, "the device takes no doorbell of page %u", page->number);
    sched_yield();
  }
  memlift_barrier_from_device();
  return memlift_ni_state(channel(page, c));
}

unsigned outcome(const struct page *page, unsigned c) {
  uint64_t until = now() + 20ull * SECOND;
  unsigned s;
  while ((s = state(page, c)) == MEMLIFT_NI_CHANNEL_STATE_QUEUED) {
    WANT(now() < until, "channel %u of page %u stays queued", c, page->number);
    sched_yield();
  }
  return s;
}

size_t receive(const struct page *page, void *buffer, uint64_t *source, uint64_t nanoseconds) {
  uint64_t until = now() + nanoseconds;
  for (;; sched_yield()) {
    size_t size = 0;
    if (!memlift_ni_get(page->mailbox, MEMLIFT_NI_MAILBOX_POP_OFFSET)) {
      memlift_barrier_from_device();
      size = memlift_ni_head(page->mailbox, MEMLIFT_NI_MEMORY);
    }
    if (size) {
      WANT(size <= MEMLIFT_NI_PAYLOAD_MOST, "a message of %zu bytes", size);
      memlift_ni_load_payload(page->mailbox, buffer, size);
      if (source)
        *source = memlift_ni_get(page->mailbox, MEMLIFT_NI_MAILBOX_PAGE_OFFSET);
      memlift_ni_pop(page->mailbox, MEMLIFT_NI_MEMORY);
      return size;
    }
    if (now() >= until)
      return 0;
  }
}

// ---- Processes ----

static sigjmp_buf back;
static void caught(int number) { siglongjmp(back, number); }

static int access_signal(volatile void *at, int is_store) {
  struct sigaction action = {.sa_handler = caught}, segv, bus;
  sigaction(SIGSEGV, &action, &segv);
  sigaction(SIGBUS, &action, &bus);
  int number = sigsetjmp(back, 1);
  if (!number) {
    if (is_store)
      *(volatile uint64_t *)at = 0;
    else
      (void)*(volatile uint64_t *)at;
  }
  sigaction(SIGSEGV, &segv, NULL);
  sigaction(SIGBUS, &bus, NULL);
  return number;
}

int load_signal(volatile void *at) { return access_signal(at, 0); }
int store_signal(volatile void *at) { return access_signal(at, 1); }

pid_t child(void (*run)(void *), void *argument) {
  pid_t pid = fork();
  WANT(pid >= 0, "errno %d", errno);
  if (pid == 0) {
    run(argument);
    _exit(0);
  }
  return pid;
}

void want_success(pid_t pid) {
  int status = -1;
  WANT(waitpid(pid, &status, 0) == pid, "errno %d", errno);
  WANT(status == 0, "a child ended with %#x", (unsigned)status);
}

void kill_and_wait(pid_t pid) {
  int status = -1;
  WANT(kill(pid, SIGKILL) == 0, "errno %d", errno);
  WANT(waitpid(pid, &status, 0) == pid, "errno %d", errno);
  WANT(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL, "status %#x", (unsigned)status);
}

struct shared *share(void) {
  void *at = mmap(NULL, sizeof(struct shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
                  -1, 0);
  WANT(at != MAP_FAILED, "errno %d", errno);
  return at;
}

void set(volatile uint32_t *flag, uint32_t value) {
  __atomic_store_n(flag, value, __ATOMIC_RELEASE);
}

void await(volatile uint32_t *flag, uint32_t value) {
  uint64_t until = now() + 30ull * SECOND;
  while (__atomic_load_n(flag, __ATOMIC_ACQUIRE) != value) {
    WANT(now() < until, "the other process does not come to %u", value);
    sched_yield();
  }
}
