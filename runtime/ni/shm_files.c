/* shm_files.c - the directory and the files of transport "shm"; attaching and taking over a page
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Names that no other user can take: the directory belongs to the caller, and nobody else may write
 * to it; else it is refused. In it every file is opened by its name relative to the directory,
 * never through a symbolic link. The default is /run/user/UID/memlift-ni, where the system gives
 * each user a directory of its own, else /dev/shm/memlift-ni-UID. In the latter place another user
 * could make that name first: then attaching fails, and nothing is put there.
 */
#define _GNU_SOURCE
#include "../config.h"

#if MEMLIFT_HAVE_ENGINES
#include "../queue/watch.h"
#include "shm.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define NAME 16 /* bytes of a file's name */

static void name_file(char *name, unsigned page, const char *ending) {
  snprintf(name, NAME, "%02u.%s", page, ending);
}

static void close_file(int fd) {
  if (fd >= 0)
    syscall(SYS_close, fd); /* that of libc is a cancellation point */
}

/* ---- The directory ------------------------------------------------------------------------- */

/* 1 where the directory is the caller's, and only the caller's. */
static int is_own(int fd) {
  struct stat is;
  return fstat(fd, &is) == 0 && S_ISDIR(is.st_mode) && is.st_uid == geteuid() &&
         (is.st_mode & 077) == 0;
}

static int open_directory(const char *path, int make) {
  if (make)
    mkdir(path, 0700);
  int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (fd >= 0 && !is_own(fd)) {
    close_file(fd);
    errno = EACCES;
    return -1;
  }
  return fd;
}

static int open_default(void) {
  char path[64];
  unsigned user = (unsigned)geteuid();
  snprintf(path, sizeof path, "/run/user/%u", user);
  int fd = open_directory(path, 0);
  if (fd >= 0) {
    close_file(fd);
    snprintf(path, sizeof path, "/run/user/%u/memlift-ni", user);
  } else {
    snprintf(path, sizeof path, "/dev/shm/memlift-ni-%u", user);
  }
  return open_directory(path, 1);
}

int memlift_shm_directory(const char *where, memlift_status *status) {
  int fd = where ? open_directory(where, 0) : open_default();
  if (fd < 0)
    *status = errno == EMFILE || errno == ENFILE || errno == ENOMEM ? MEMLIFT_NO_RESOURCES
                                                                    : MEMLIFT_NOT_PRESENT;
  return fd;
}

/* ---- Files --------------------------------------------------------------------------------- */

int memlift_shm_open_file(int directory, unsigned page, const char *ending, int flags) {
  char name[NAME];
  struct stat is;
  name_file(name, page, ending);
  int fd = openat(directory, name, flags | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (fd >= 0 && (fstat(fd, &is) != 0 || is.st_uid != geteuid())) {
    close_file(fd);
    return -1;
  }
  return fd;
}

void *memlift_shm_map(int fd, size_t size, int protection) {
  struct stat is;
  if (fstat(fd, &is) != 0 || !S_ISREG(is.st_mode) || is.st_size < (off_t)size)
    return NULL;
  void *at = mmap(NULL, size, protection, MAP_SHARED, fd, 0);
  if (at == MAP_FAILED)
    return NULL;
  madvise(at, size, MADV_DONTFORK);
  return at;
}

/* 1 while the name stands for that file: its owner may have removed it before this process had the
 * lock. */
static int is_named(int directory, const char *name, int fd) {
  struct stat here, there;
  return fstat(fd, &here) == 0 && fstatat(directory, name, &there, AT_SYMLINK_NOFOLLOW) == 0 &&
         here.st_ino == there.st_ino && here.st_dev == there.st_dev;
}

/* Opens the page file, and locks it. BUSY: another has the lock. */
static memlift_status open_locked(int directory, unsigned page, int *fd) {
  char name[NAME];
  name_file(name, page, "page");
  for (;;) {
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    *fd = memlift_shm_open_file(directory, page, "page", O_RDWR | O_CREAT);
    if (*fd < 0)
      return errno == ELOOP || errno == EACCES ? MEMLIFT_NOT_PRESENT : MEMLIFT_NO_RESOURCES;
    if (fcntl(*fd, F_OFD_SETLK, &lock) != 0) {
      int busy = errno == EAGAIN || errno == EACCES;
      close_file(*fd);
      return busy ? MEMLIFT_BUSY : MEMLIFT_NOT_PRESENT;
    }
    if (is_named(directory, name, *fd))
      return MEMLIFT_OK;
    close_file(*fd);
  }
}

/* Maps an own file of which there may be less than all, or nothing. */
static void *map_own(int fd, size_t size) {
  struct stat is;
  if (fstat(fd, &is) != 0 || (is.st_size < (off_t)size && ftruncate(fd, (off_t)size) != 0))
    return NULL;
  return memlift_shm_map(fd, size, PROT_READ | PROT_WRITE);
}

/* ---- Pages --------------------------------------------------------------------------------- */

/* Messages are told apart by their COUNT for as long as anybody remembers one of the page, also of
 * owners before: so it begins at the time of day, in nanoseconds. */
static uint64_t first_count(void) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec + 1;
}

/* Makes the page the caller's. What a dead owner has read is kept, what it has sent is withdrawn.
 * */
static void begin(struct shm_own *own, uint32_t protection_id) {
  struct shm_page *map = own->map;
  own->took_over = map->about.magic == SHM_MAGIC && map->about.open;
  own->next = first_count();
  for (unsigned c = 0; c < MEMLIFT_NI_CHANNELS; c++) {
    volatile void *channel = map->channels + c * (size_t)MEMLIFT_NI_CHANNEL_BYTES;
    memlift_ni_put(channel, MEMLIFT_NI_CHANNEL_SIZE_OFFSET, 0);
  }
  __atomic_store_n(&map->armed, 0, __ATOMIC_RELAXED);
  map->about.protection_id = protection_id;
  map->about.magic = SHM_MAGIC;
  /* Release: who sees the page as open, and the incarnation, sees all of the above. */
  __atomic_store_n(&map->about.incarnation, map->about.incarnation + 1, __ATOMIC_RELEASE);
  __atomic_store_n(&map->about.open, 1, __ATOMIC_RELEASE);
}

memlift_status memlift_shm_open_page(struct shm_own *own, unsigned page, uint32_t protection_id) {
  own->fd = own->wake_fd = -1;
  for (unsigned p = 0; p < MEMLIFT_NI_PAGES; p++)
    own->to[p].fd = own->to[p].wake_fd = -1;
  memlift_status status = open_locked(own->directory, page, &own->fd);
  if (status != MEMLIFT_OK) {
    own->fd = -1;
    return status;
  }
  own->map = map_own(own->fd, sizeof *own->map);
  int bell = memlift_shm_open_file(own->directory, page, "bell", O_RDWR | O_CREAT);
  own->bell = bell >= 0 ? map_own(bell, sizeof *own->bell) : NULL;
  close_file(bell);
  if (!own->map || !own->bell) {
    memlift_shm_close_page(own, page);
    return MEMLIFT_NO_RESOURCES;
  }
  begin(own, protection_id);
  return MEMLIFT_OK;
}

static void remove_file(const struct shm_own *own, unsigned page, const char *ending) {
  char name[NAME];
  name_file(name, page, ending);
  unlinkat(own->directory, name, 0);
}

/* The page file goes last: until then the lock keeps others from the names. */
void memlift_shm_close_page(struct shm_own *own, unsigned page) {
  for (unsigned c = 0; own->map && c < MEMLIFT_NI_CHANNELS; c++)
    memlift_ni_put(own->map->channels + c * (size_t)MEMLIFT_NI_CHANNEL_BYTES,
                   MEMLIFT_NI_CHANNEL_SIZE_OFFSET, 0);
  if (own->map) /* release: who sees it as closed sees the messages as withdrawn */
    __atomic_store_n(&own->map->about.open, 0, __ATOMIC_RELEASE);
  remove_file(own, page, "wake");
  remove_file(own, page, "bell");
  remove_file(own, page, "page");
  close_file(own->wake_fd);
  close_file(own->fd);
  own->fd = own->wake_fd = -1;
  if (own->map)
    munmap(own->map, sizeof *own->map);
  if (own->bell)
    munmap(own->bell, sizeof *own->bell);
  own->map = NULL, own->bell = NULL;
}

/* Open for reading and writing: a FIFO that has a writer is not at its end, and one that has a
 * reader raises no signal in those who write. */
int memlift_shm_make_wake(struct shm_own *own, unsigned page) {
  char name[NAME];
  name_file(name, page, "wake");
  unlinkat(own->directory, name, 0); /* a dead owner's */
  if (mknodat(own->directory, name, S_IFIFO | 0600, 0) != 0)
    return -1;
  return memlift_shm_open_file(own->directory, page, "wake", O_RDWR | O_NONBLOCK);
}
#else
typedef int memlift_no_engines; /* a translation unit must not be empty */
#endif
