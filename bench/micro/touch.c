/* touch.c - the price of meeting every page of an operation before an engine gets it
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * usage: bench-touch Memory that is present, in pages of 4 KiB and of 2 MiB where the system has
 * them: nanoseconds a page for memlift_touch (engine/touch.h), what that is of the time that the
 * CPU's copy takes, and what the other ways of asking cost: madvise(MADV_POPULATE_WRITE) of the
 * destination alone, and process_vm_readv and _writev of one byte a page. The best of twenty
 * rounds.
 */
#define _GNU_SOURCE
#include "engine/populate.h"
#include "engine/touch.h"
#include "kernels/dispatch.h"
#include "queue/watch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

#define MOST ((size_t)64 << 20)
#define PAGE ((size_t)4096)
#define ROUNDS 20
#define AT_ONCE 128

static unsigned char *to, *from;

static void touch(size_t size) {
  struct memlift_request whole = {MEMLIFT_OPERATION_COPY, to, from, 0, size};
  memlift_touch(&whole);
}

static void copy(size_t size) { memlift_cpu_copy(to, from, size); }

static void populate(size_t size) { memlift_populate_write(to, size); }

static void by_system(size_t size) {
  struct iovec pages[AT_ONCE];
  unsigned char bytes[AT_ONCE];
  for (size_t at = 0; at < size; at += AT_ONCE * PAGE) {
    unsigned count = 0;
    for (; count < AT_ONCE && at + count * PAGE < size; count++)
      pages[count] = (struct iovec){from + at + count * PAGE, 1};
    struct iovec all = {bytes, count};
    if (process_vm_writev(getpid(), pages, count, &all, 1, 0) < 0)
      return;
    for (unsigned i = 0; i < count; i++)
      pages[i].iov_base = to + at + i * PAGE;
    if (process_vm_readv(getpid(), pages, count, &all, 1, 0) < 0)
      return;
  }
}

static double best(void (*run)(size_t), size_t size) {
  uint64_t least = UINT64_MAX;
  for (int i = 0; i < ROUNDS; i++) {
    uint64_t start = memlift_now();
    run(size);
    uint64_t took = memlift_now() - start;
    least = took < least ? took : least;
  }
  return (double)least;
}

static unsigned char *memory(int advice) {
  /* Twice as much, so that there is a multiple of 2 MiB in it. */
  unsigned char *p = (unsigned char *)mmap(NULL, 2 * MOST, PROT_READ | PROT_WRITE,
                                           MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (p == MAP_FAILED)
    exit(1);
  p += -(uintptr_t)p & (((size_t)2 << 20) - 1);
  madvise(p, MOST, advice);
  memset(p, 1, MOST);
  return p;
}

int main(void) {
  printf("| pages | KiB | touch, ns a page | of a copy | populate, ns a page | by the system, ns a "
         "page "
         "|\n|---|---:|---:|---:|---:|---:|\n");
  for (int huge = 0; huge < 2; huge++) {
    to = memory(huge ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
    from = memory(huge ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
    for (size_t size = (size_t)64 << 10; size <= MOST; size *= 4) {
      double pages = (double)(size / PAGE), touched = best(touch, size);
      printf("| %s | %zu | %.1f | %.1f %% | %.1f | %.1f |\n", huge ? "2 MiB" : "4 KiB", size >> 10,
             touched / pages, 100 * touched / best(copy, size), best(populate, size) / pages,
             best(by_system, size) / pages);
    }
  }
  return 0;
}
