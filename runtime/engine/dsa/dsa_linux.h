/* dsa_linux.h - the system calls and instructions that the way through Linux makes
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * In a table, so that a test can be the driver and the portal.
 */
#ifndef MEMLIFT_DSA_LINUX_H
#define MEMLIFT_DSA_LINUX_H

#include "dsa_transport.h"

#include <sys/types.h>

struct dsa_calls {
  int (*open)(const char *path, int flags);
  int (*close)(int fd);
  ssize_t (*write)(int fd, const void *bytes, size_t size);
  ssize_t (*read)(int fd, void *bytes, size_t size);
  void *(*mmap)(size_t size, int fd); /* the portal; NULL when refused */
  int (*munmap)(void *where, size_t size);
  /* MOVDIR64B; ENQCMD, 1 when the queue has taken it. NULL when the processor has none. */
  void (*post)(void *portal, const unsigned char *descriptor);
  int (*enqueue)(void *portal, const unsigned char *descriptor);
};

#pragma GCC visibility push(hidden)
#if defined(__cplusplus)
extern "C" {
#endif

/* NULL: the system's own. */
extern const struct dsa_calls *memlift_dsa_calls;

#if defined(__cplusplus)
}
#endif
#pragma GCC visibility pop

#endif
