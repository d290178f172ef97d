/* memory.c - how a model reaches the program's memory
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#define _GNU_SOURCE
#include "../config.h"

#if MEMLIFT_HAVE_ENGINES
#include "memory.h"

#include <errno.h>
#include <sys/uio.h>
#include <unistd.h>

/* The calls stop at 2 GiB; a model moves less at a time, but may be asked for more. */
#define AT_ONCE ((size_t)1 << 30)

size_t memlift_model_read(void *to, uint64_t from, size_t size) {
  int saved_errno = errno;
  size_t done = 0;
  while (done < size) {
    size_t part = size - done < AT_ONCE ? size - done : AT_ONCE;
    struct iovec here = {(char *)to + done, part}, there = {(void *)(uintptr_t)(from + done), part};
    ssize_t moved = process_vm_readv(getpid(), &here, 1, &there, 1, 0);
    done += moved < 0 ? 0 : (size_t)moved;
    if (moved < 0 || (size_t)moved != part)
      break;
  }
  errno = saved_errno;
  return done;
}

size_t memlift_model_write(uint64_t to, const void *from, size_t size) {
  int saved_errno = errno;
  size_t done = 0;
  while (done < size) {
    size_t part = size - done < AT_ONCE ? size - done : AT_ONCE;
    struct iovec here = {(char *)(uintptr_t)from + done, part};
    struct iovec there = {(void *)(uintptr_t)(to + done), part};
    ssize_t moved = process_vm_writev(getpid(), &here, 1, &there, 1, 0);
    done += moved < 0 ? 0 : (size_t)moved;
    if (moved < 0 || (size_t)moved != part)
      break;
  }
  errno = saved_errno;
  return done;
}
#else
typedef int memlift_no_engines; /* a translation unit must not be empty */
#endif
