/* devices.h - open files of devices: known by what they are, not by their numbers, and not a
 * child's
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A program may close any number (closefrom, close_range, dup2), and its next file then gets it. So
 * what the number stands for is compared before each use, and numbers are high, where few programs
 * look. A change by another thread between the comparison and the use cannot be seen.
 *
 * Giving up on a device is to close its file, which waits until nothing is under way, but only
 * where that is the last reference. A child after fork has one more until its handler closes it,
 * for which the parent waits. Not seen: children by vfork, posix_spawn and a raw clone, before they
 * execute a program.
 */
#ifndef MEMLIFT_DEVICES_H
#define MEMLIFT_DEVICES_H

#include <stddef.h>
#include <stdint.h>

/* Identity of an open file, as fstat(2) tells it. */
struct memlift_identity {
  uint64_t filesystem, inode, device;
};

/* Returns 0 when there is no such file. */
typedef int memlift_identify(int fd, struct memlift_identity *identity);

struct memlift_device {
  int fd; /* -1: none */
  memlift_identify *identify;
  struct memlift_identity identity;
};

#define MEMLIFT_NO_DEVICE {-1, NULL, {0, 0, 0}}

#pragma GCC visibility push(hidden)
#if defined(__cplusplus)
extern "C" {
#endif

/* Holds an open file, which is ours from now on. identify: NULL is the system's own. 0: it cannot
 * be told from others, and is not held. Async-signal-safe, as the rest but
 * memlift_devices_watch. */
int memlift_device_hold(struct memlift_device *device, int fd, memlift_identify *identify);

/* 1 while its number stands for what it did in the beginning. May change errno. */
int memlift_device_is_ours(const struct memlift_device *device);

/* The number to close, which is none of ours any more: -1 when there is none, or it is the
 * program's. */
int memlift_device_drop(struct memlift_device *device);

/* Moves a file to a high number; where there is none, its own. */
int memlift_device_raise(int fd);

/* Has let_go called in children after fork, to close what they have inherited. 0: the system will
 * not tell of forks. Callers take turns by a lock of theirs. */
int memlift_devices_watch(void (*let_go)(void));

/* Waits until the children of forks that are over or under way have let go, 200 ms at most: a child
 * may have died before. */
void memlift_devices_settle(void);

#if defined(__cplusplus)
}
#endif
#pragma GCC visibility pop

#endif
