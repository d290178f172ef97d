/* populate.c - whether the CPU would meet a signal in some memory
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#define _GNU_SOURCE
#include "../config.h"

#if MEMLIFT_HAVE_ENGINES
#include "populate.h"

#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

/* linux/mman.h; older headers of libc have no names for them. */
#define POPULATE_READ 22
#define POPULATE_WRITE 23

static int populate(uintptr_t p, size_t size, int advice) {
  uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
  uintptr_t start = p & -page, end = (p + size + page - 1) & -page;
  return madvise((void *)start, end - start, advice) == 0;
}

int memlift_populate_write(void *p, size_t size) {
  return populate((uintptr_t)p, size, POPULATE_WRITE);
}

int memlift_populate_read(const void *p, size_t size) {
  return populate((uintptr_t)p, size, POPULATE_READ);
}
#else
typedef int memlift_no_engines; /* a translation unit must not be empty */
#endif
