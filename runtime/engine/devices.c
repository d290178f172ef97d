/* devices.c - open files of devices: known by what they are, not by their numbers, and not a
 * child's
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#define _GNU_SOURCE
#include "../config.h"

#if MEMLIFT_HAVE_ENGINES
#include "../queue/watch.h"
#include "devices.h"

#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* ---- What a number stands for ---------------------------------------------------------------- */

static int identify_by_fstat(int fd, struct memlift_identity *identity) {
  struct stat is;
  if (fstat(fd, &is) != 0)
    return 0;
  identity->filesystem = (uint64_t)is.st_dev;
  identity->inode = (uint64_t)is.st_ino;
  identity->device = (uint64_t)is.st_rdev;
  return 1;
}

int memlift_device_hold(struct memlift_device *device, int fd, memlift_identify *identify) {
  device->identify = identify ? identify : identify_by_fstat;
  int known = device->identify(fd, &device->identity);
  device->fd = known ? fd : -1;
  return known;
}

int memlift_device_is_ours(const struct memlift_device *device) {
  struct memlift_identity now;
  return device->fd >= 0 && device->identify(device->fd, &now) &&
         now.filesystem == device->identity.filesystem && now.inode == device->identity.inode &&
         now.device == device->identity.device;
}

int memlift_device_drop(struct memlift_device *device) {
  int fd = memlift_device_is_ours(device) ? device->fd : -1;
  device->fd = -1;
  return fd;
}

/* High, but no higher than most tables of files have room for: a table is as long as its highest
 * number. */
#define HIGHEST 4000

int memlift_device_raise(int fd) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
    return fd;
  int from = limit.rlim_cur > HIGHEST + HIGHEST / 8 ? HIGHEST : (int)(limit.rlim_cur / 8 * 7);
  int high = fcntl(fd, F_DUPFD_CLOEXEC, from);
  if (high < 0)
    return fd;
  syscall(SYS_close, fd); /* that of libc is a cancellation point */
  return high;
}

/* ---- Forks ----------------------------------------------------------------------------------- */

#define WATCHERS 4u
#define SETTLE_NS 200000000u

/* A page that parent and children see: forks that were begun, and children that have let go. */
struct forks {
  uint32_t begun, left;
};

static struct forks *forks; /* a child's own once it watches, too */
static void (*watchers[WATCHERS])(void);
static int watching;

static void about_to_fork(void) {
  if (forks)
    __atomic_fetch_add(&forks->begun, 1, __ATOMIC_RELAXED);
}

/* Release: who sees the count sees the files closed. The parent's page is none of a child's any
 * more, which may fork as well. */
static void in_child(void) {
  for (unsigned i = 0; i < WATCHERS && watchers[i]; i++)
    watchers[i]();
  if (forks) {
    /* Release: the parent that sees the count sees the files closed (memlift_devices_settle). */
    __atomic_fetch_add(&forks->left, 1, __ATOMIC_RELEASE);
    munmap(forks, sizeof *forks);
  }
  forks = NULL;
}

static int begin_watching(void) {
  watching = watching || pthread_atfork(about_to_fork, NULL, in_child) == 0;
  if (watching && !forks) {
    void *page =
        mmap(NULL, sizeof *forks, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    forks = page == MAP_FAILED ? NULL : (struct forks *)page;
  }
  return watching && forks;
}

int memlift_devices_watch(void (*let_go)(void)) {
  unsigned i = 0;
  while (i < WATCHERS && watchers[i] && watchers[i] != let_go)
    i++;
  if (i == WATCHERS || !begin_watching())
    return 0;
  watchers[i] = let_go;
  return 1;
}

void memlift_devices_settle(void) {
  if (!forks)
    return;
  uint64_t start = memlift_now();
  uint32_t begun = __atomic_load_n(&forks->begun, __ATOMIC_RELAXED);
  /* A fork that failed has no child, and a child may have died: a count that is short by then stays
   * short. Acquire: pairs with the release in in_child. */
  while ((int32_t)(begun - __atomic_load_n(&forks->left, __ATOMIC_ACQUIRE)) > 0)
    if (memlift_now() - start < SETTLE_NS)
      sched_yield();
    else
      __atomic_store_n(&forks->left, begun, __ATOMIC_RELAXED);
}
#else
typedef int memlift_no_engines; /* a translation unit must not be empty */
#endif
