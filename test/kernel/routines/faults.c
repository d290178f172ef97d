// faults.c - system calls whose copies fault: exact results, in the manner of kselftest and LTP
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The program's buffer ends in a page that is not there, may not be read, may not be written, or
// lies behind the end of the file that it maps. The fault is at each byte of each length. Each call
// has one right result: what was before the fault is done, or the call fails with EFAULT. Linux's
// own assembler counts some bytes as not copied that were copied: smaller results are right, too,
// if they are not asked to be exact.
#define _GNU_SOURCE
#include "guest.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { PAGE = 4096, LONGEST = 300, GUARD = 64, FILE_BYTES = 3 * PAGE, GROUP = 64 };

static int exact, bad;
static unsigned long calls, faults, rounded;
static unsigned char contents[FILE_BYTES];
static int file, zero, pipe_ends[2];

// Three pages each; the second cannot be accessed, in one way or another.
enum state { UNMAPPED, NO_ACCESS, READ_ONLY, TRUNCATED, STATES };
static const char *const state_names[] = {"unmapped", "no access", "read-only", "truncated"};
static unsigned char *buffers[STATES];

static int prepare(void) {
  for (int i = 0; i < FILE_BYTES; i++)
    contents[i] = (unsigned char)(i * 131 + (i >> 8) * 29 + 7);
  file = open("/tmp/file", O_RDWR | O_CREAT | O_TRUNC, 0600);
  zero = open("/dev/zero", O_RDONLY);
  int whole = open("/tmp/mapped", O_RDWR | O_CREAT | O_TRUNC, 0600);
  if (file < 0 || zero < 0 || whole < 0 || pipe2(pipe_ends, O_NONBLOCK) ||
      write(file, contents, sizeof contents) != FILE_BYTES || ftruncate(whole, 3 * PAGE))
    return -1;
  for (int s = 0; s < STATES; s++) {
    int flags = s == TRUNCATED ? MAP_SHARED : MAP_PRIVATE | MAP_ANONYMOUS;
    unsigned char *p =
        mmap(NULL, 3 * PAGE, PROT_READ | PROT_WRITE, flags, s == TRUNCATED ? whole : -1, 0);
    if (p == MAP_FAILED)
      return -1;
    memset(p, 0x5a, 3 * PAGE); // the pages were there
    buffers[s] = p;
  }
  return munmap(buffers[UNMAPPED] + PAGE, PAGE) ||
         mprotect(buffers[NO_ACCESS] + PAGE, PAGE, PROT_NONE) ||
         mprotect(buffers[READ_ONLY] + PAGE, PAGE, PROT_READ) || ftruncate(whole, PAGE);
}

static void wrong(const char *what, int state, size_t n, size_t good, int at, long have) {
  if (bad++ < 20)
    printf("memlift-user: WRONG: %s, %s, %zu bytes, %zu before the fault, file at %d: %ld\n", what,
           state_names[state], n, good, at, have);
}

/// The result of a call as a count, or an error as a negative number.
static long result(long r) { return r < 0 ? -errno : r; }

/// Judges a call that gives what it did before a fault after `good` of `n` bytes. Returns the count.
static size_t judge(const char *what, int state, size_t n, size_t good, int at, long have) {
  long want = n == 0 ? 0 : good ? (long)good : -EFAULT;
  calls++;
  faults += good < n;
  if (have != want) {
    int smaller = !exact && good < n && have < want && (have >= 0 || have == -EFAULT);
    rounded += (unsigned)smaller;
    if (!smaller)
      wrong(what, state, n, good, at, have);
  }
  return have < 0 ? 0 : (size_t)have;
}

/// pread, readv and read of /dev/zero to bytes that end in the bad page.
static void reads(int state, size_t n, size_t good, int at, int way) {
  static const char *const names[] = {"pread", "preadv", "read of zeros", "process_vm_readv"};
  unsigned char *to = buffers[state] + PAGE - good;
  memset(to - GUARD, 0xa5, GUARD + good);
  struct iovec parts[2] = {{to, n / 3}, {to + n / 3, n - n / 3}}, all = {to, n},
               from = {contents + at, n};
  long have = way == 0   ? pread(file, to, n, at)
              : way == 1 ? preadv(file, parts, 2, at)
              : way == 2 ? read(zero, to, n)
                         : process_vm_readv(getpid(), &all, 1, &from, 1, 0);
  size_t done = judge(names[way], state, n, good, at, result(have));
  for (size_t i = 0; i < good + GUARD; i++) {
    unsigned char now = (to - GUARD)[i];
    if (i < GUARD ? now != 0xa5
                  : i - GUARD < done && now != (way == 2 ? 0 : contents[(size_t)at + i - GUARD]))
      return wrong("a byte", state, n, good, at, (long)i - GUARD);
    // Behind the count a byte is old or, where counts are rounded, may be new.
    if (exact && i >= GUARD + done && now != 0xa5)
      return wrong("a byte behind the count", state, n, good, at, (long)i - GUARD);
  }
  if (state == READ_ONLY)
    for (size_t i = 0; i < n - good; i++)
      if (buffers[state][PAGE + i] != 0x5a)
        return wrong("a byte that may not be written", state, n, good, at, (long)i);
}

/// pwrite, pwritev and process_vm_writev from bytes that end in the bad page; read back.
static void writes(int state, size_t n, size_t good, int at, int way) {
  static const char *const names[] = {"pwrite", "pwritev", "process_vm_writev"};
  static unsigned char back[2 * GUARD + LONGEST], target[2 * GUARD + LONGEST + 8];
  unsigned char *from = buffers[state] + PAGE - good;
  for (size_t i = 0; i < good; i++)
    from[i] = (unsigned char)(i * 7 + n);
  memset(target, 0xa5, sizeof target);
  pwrite(file, target, n + 2 * GUARD, at - GUARD);
  struct iovec parts[2] = {{from, n / 3}, {from + n / 3, n - n / 3}}, all = {from, n},
               to = {target + GUARD + at % 8, n};
  long have = way == 0   ? pwrite(file, from, n, at)
              : way == 1 ? pwritev(file, parts, 2, at)
                         : process_vm_writev(getpid(), &all, 1, &to, 1, 0);
  size_t done = judge(names[way], state, n, good, at, result(have));
  unsigned char *there = way == 2 ? target + at % 8 : back;
  if (way != 2)
    pread(file, back, n + 2 * GUARD, at - GUARD);
  for (size_t i = 0; i < n + 2 * GUARD; i++) {
    int inside = i >= GUARD && i < GUARD + done;
    if (there[i] != (inside ? (unsigned char)((i - GUARD) * 7 + n) : 0xa5) &&
        (inside || exact || i < GUARD || i >= GUARD + good))
      return wrong("a byte written", state, n, good, at, (long)i - GUARD);
  }
}

/// Calls that do all or fail.
static void whole(int state, size_t n, size_t good) {
  static unsigned char back[LONGEST];
  unsigned char *at = buffers[state] + PAGE - good;
  int fails = good < n;
  long have = result(write(pipe_ends[1], at, n));
  long there = result(read(pipe_ends[0], back, sizeof back));
  calls += 2;
  // A write to a pipe of which nothing was written leaves it empty; a rounded count may be there.
  if (state != READ_ONLY && (fails ? have != -EFAULT || there > 0 : have != (long)n))
    wrong("write to a pipe", state, n, good, 0, have);
  if (n == 0)
    return;
  write(pipe_ends[1], contents, n);
  have = result(read(pipe_ends[0], at, n));
  if (have != (fails ? -EFAULT : (long)n))
    wrong("read of a pipe", state, n, good, 0, have);
  while (read(pipe_ends[0], back, sizeof back) > 0)
    continue;
}

/// Structures that the kernel fills in or reads, each across the end of the page.
static void structures(int state) {
  struct {
    const char *name;
    size_t size;
  } of[] = {{"fstat", sizeof(struct stat)},
            {"clock_gettime", sizeof(struct timespec)},
            {"recvmsg", 100},
            {"getcwd", 2}};
  int pair[2];
  if (socketpair(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK, 0, pair))
    return wrong("socketpair", state, 0, 0, 0, errno);
  for (int k = 0; k < 4; k++)
    for (size_t good = 0; good <= of[k].size; good++) {
      void *at = buffers[state] + PAGE - good;
      if (k == 1 && good % 8)
        continue;
      send(pair[0], contents, of[2].size, 0);
      errno = 0;
      long have = k == 0   ? fstat(file, at)
                  : k == 1 ? clock_getres(CLOCK_PROCESS_CPUTIME_ID, at)
                  : k == 2 ? recv(pair[1], at, of[2].size, 0)
                           : (getcwd(at, 4096) ? 0 : -1);
      int fails = good < of[k].size;
      calls++;
      faults += (unsigned)fails;
      if (fails ? have != -1 || errno != EFAULT : have < 0)
        wrong(of[k].name, state, of[k].size, good, 0, result(have));
      char rest[100];
      while (recv(pair[1], rest, sizeof rest, 0) > 0)
        continue;
    }
  close(pair[0]);
  close(pair[1]);
}

/// The position of a file moves by what was read or written.
static void positions(int state) {
  for (size_t good = 0; good <= 200; good++) {
    unsigned char *at = buffers[state] + PAGE - good;
    lseek(file, 5, SEEK_SET);
    size_t done = judge("read", state, 200, good, 5, result(read(file, at, 200)));
    if (lseek(file, 0, SEEK_CUR) != 5 + (off_t)done)
      wrong("position", state, 200, good, 5, lseek(file, 0, SEEK_CUR));
  }
}

static atomic_int stop, flips;

/// Takes the middle page away and gives it back, on another core.
static void *flip(void *page) {
  while (!atomic_load(&stop)) {
    mprotect(page, PAGE, PROT_NONE);
    for (volatile int i = 0; i < 50; i++)
      continue;
    mprotect(page, PAGE, PROT_READ | PROT_WRITE);
    atomic_fetch_add(&flips, 1);
  }
  return NULL;
}

/// A page that vanishes during a copy, and may be back before it is tried again.
static void vanishing(void) {
  unsigned char *p =
      mmap(NULL, 3 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  unsigned char *plain = malloc(3 * PAGE);
  pthread_t thread;
  if (p == MAP_FAILED || !plain || pthread_create(&thread, NULL, flip, p + PAGE))
    return wrong("pthread_create", 0, 0, 0, 0, errno);
  unsigned long cut = 0;
  for (int round = 0; round < 3000; round++) {
    size_t at = (size_t)round * 37 % PAGE, n = 3 * PAGE - at - (size_t)round % 61, good = PAGE - at;
    long have = result(pread(file, p + at, n, 0));
    calls++;
    if (have == (long)n)
      continue;
    cut++;
    if (have < 0 ? have != -EFAULT || exact : exact && (size_t)have < good)
      wrong("pread while a page vanishes", NO_ACCESS, n, good, 0, have);
    // Compare the counted bytes that may still be accessed: those of the first and the last page.
    for (size_t i = 0; have > 0 && i < (size_t)have; i++)
      if ((i < good || i >= good + PAGE) && p[at + i] != contents[i]) {
        wrong("a byte while a page vanishes", NO_ACCESS, n, good, 0, (long)i);
        break;
      }
  }
  atomic_store(&stop, 1);
  pthread_join(thread, NULL);
  printf("memlift-user: a page vanished %d times, %lu of 3000 reads were cut short\n",
         atomic_load(&flips), cut);
  bad += !cut;
}

/// In a process of its own, as Linux's own routine may never end there.
static int is_endless(void) {
  pid_t child = fork();
  if (child == 0) {
    long have = pwrite(file, buffers[NO_ACCESS] + PAGE - 10, LONGEST, 0);
    _exit(have != 10);
  }
  for (int i = 0; i < 100; i++) {
    int status;
    if (waitpid(child, &status, WNOHANG) == child)
      return 0;
    usleep(20000);
  }
  if (child > 0)
    kill(child, SIGKILL);
  waitpid(child, NULL, 0);
  return 1;
}

static void each_byte(int state, int endless) {
  for (size_t n = 0; n <= LONGEST; n++)
    for (size_t good = 0; good <= n; good++) {
      int first = n <= 40 ? 0 : (int)((n + good * 3) % 8), last = n <= 40 ? 7 : first;
      for (int at = first; at <= last; at++) {
        reads(state, n, good, 512 + at, (int)(n + good + (size_t)at) % 2);
        if (state != READ_ONLY && !endless)
          writes(state, n, good, PAGE + 512 + at, (int)(n + good + (size_t)at) % 2);
      }
      reads(state, n, good, 512 + first, 2);
      reads(state, n, good, 512 + first, 3);
      if (state != READ_ONLY)
        writes(state, n, good, PAGE + 512 + first, 2);
    }
}

int try_faults(int exactly) {
  exact = exactly;
  if (prepare()) {
    printf("memlift-user: cannot prepare: %s\n", strerror(errno));
    return 1;
  }
  int endless = is_endless();
  printf("memlift-user: a write from memory that ends before a group of words %s\n",
         endless ? "does not return in two seconds" : "returns");
  bad += exact && endless;
  for (int state = 0; state < STATES; state++) {
    each_byte(state, endless);
    pwrite(file, contents, FILE_BYTES, 0); // as it was
    for (size_t n = 0; n <= 100; n++)
      for (size_t good = 0; good <= n; good++)
        whole(state, n, good);
    structures(state);
    positions(state);
    printf("memlift-user: %s: done\n", state_names[state]);
  }
  vanishing();
  printf("memlift-user: %lu calls, %lu faults, %lu counts too small, %d wrong\n", calls, faults,
         rounded, bad);
  return bad;
}
