/* dsa_linux.h - the system calls and instructions that the way through Linux makes
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * In a table, so that a test can be the driver and the portal.
 */
#ifndef MEMLIFT_DSA_LINUX_H
#define MEMLIFT_DSA_LINUX_H

#include "../devices.h"
#include "dsa_transport.h"

#include <sys/types.h>

/* A queue that programs may use, as the system describes it. */
struct dsa_queue {
  char path[64]; /* /dev/dsa/wqX.Y */
  int node;      /* of memory that its device is near to; -1: not told */
  int shared;
  struct dsa_limits limits;
};

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
  /* The next queue from number *at on, which becomes the one after it; 0 when there is none. NULL:
   * by sysfs, through open and read. */
  int (*next)(unsigned *at, struct dsa_queue *queue);
  /* Moves a file to a number that no program looks at; NULL: stays. What a number stands for; NULL:
   * by fstat. Keeps a portal from children; NULL: they have it. */
  int (*raise)(int fd);
  memlift_identify *identify;
  int (*dont_fork)(void *where, size_t size);
  /* The node of memory that this thread's processor is near to; NULL: the system is asked. */
  int (*node)(void);
};

#pragma GCC visibility push(hidden)
#if defined(__cplusplus)
extern "C" {
#endif

/* NULL: the system's own. */
extern const struct dsa_calls *memlift_dsa_calls;

/* Has it room for anything? */
int memlift_dsa_is_usable(const struct dsa_queue *queue);

/* dsa_calls' next by libaccel-config, in builds that have it. */
int memlift_dsa_next_by_accel_config(unsigned *at, struct dsa_queue *queue);

#if defined(__cplusplus)
}
#endif
#pragma GCC visibility pop

#endif
