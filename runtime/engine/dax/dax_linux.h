/* dax_linux.h - the system calls that the way through Linux makes
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * In a table, so that a test can be the driver.
 */
#ifndef MEMLIFT_DAX_LINUX_H
#define MEMLIFT_DAX_LINUX_H

#include "../devices.h"
#include "dax_transport.h"

#include <sys/types.h>

struct dax_calls {
  int (*open)(const char *path, int flags, ...);
  int (*close)(int fd);
  ssize_t (*pwrite)(int fd, const void *bytes, size_t size, off_t offset);
  ssize_t (*write)(int fd, const void *bytes, size_t size);
  ssize_t (*read)(int fd, void *bytes, size_t size);
  void *(*mmap)(void *where, size_t size, int protection, int flags, int fd, off_t offset);
  int (*munmap)(void *where, size_t size);
  /* Moves a file to a number that no program looks at; NULL: stays. What a number stands for; NULL:
   * by fstat. Keeps completion areas from children; NULL: they have them. */
  int (*raise)(int fd);
  memlift_identify *identify;
  int (*dont_fork)(void *where, size_t size);
};

#pragma GCC visibility push(hidden)
#if defined(__cplusplus)
extern "C" {
#endif

extern const struct dax_calls *memlift_dax_calls;

#if defined(__cplusplus)
}
#endif
#pragma GCC visibility pop

#endif
