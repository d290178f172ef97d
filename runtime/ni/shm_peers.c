/* shm_peers.c - other processes' pages: mapped for reading, knocked at, woken, found dead
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#define _GNU_SOURCE
#include "../config.h"

#if MEMLIFT_HAVE_ENGINES
#include "shm.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static void close_file(int fd) {
  if (fd >= 0)
    syscall(SYS_close, fd);
}

/* Acquire: pairs with the releases of the owner's attach and detach. */
static int is_open(const struct shm_page *map) {
  return __atomic_load_n(&map->about.open, __ATOMIC_ACQUIRE) && map->about.magic == SHM_MAGIC;
}

const struct shm_page *memlift_shm_map_peer(int directory, unsigned page, int *fd) {
  int file = memlift_shm_open_file(directory, page, "page", O_RDONLY);
  if (file < 0)
    return NULL;
  const struct shm_page *map = memlift_shm_map(file, sizeof *map, PROT_READ);
  if (map && !is_open(map)) {
    memlift_shm_unmap_peer(map);
    map = NULL;
  }
  if (map && fd)
    *fd = file;
  else
    close_file(file);
  return map;
}

void memlift_shm_unmap_peer(const struct shm_page *map) {
  if (map)
    munmap((void *)(uintptr_t)map, sizeof *map);
}

/* Returns 1 when anybody holds a lock that would be in the way of one for reading. */
int memlift_shm_is_alive(int fd) {
  struct flock lock = {.l_type = F_RDLCK, .l_whence = SEEK_SET};
  return fcntl(fd, F_OFD_GETLK, &lock) != 0 || lock.l_type != F_UNLCK;
}

/* ---- Sending ------------------------------------------------------------------------------- */

void memlift_shm_disconnect(struct shm_peer *peer) {
  memlift_shm_unmap_peer(peer->map);
  if (peer->bell)
    munmap(peer->bell, sizeof *peer->bell);
  close_file(peer->fd);
  close_file(peer->wake_fd);
  peer->map = NULL, peer->bell = NULL;
  peer->fd = peer->wake_fd = -1;
}

static memlift_status open_peer(const struct shm_own *own, struct shm_peer *peer, unsigned to) {
  peer->map = memlift_shm_map_peer(own->directory, to, &peer->fd);
  if (!peer->map || peer->map->about.protection_id != own->map->about.protection_id ||
      !memlift_shm_is_alive(peer->fd))
    return MEMLIFT_NOT_PRESENT;
  int bell = memlift_shm_open_file(own->directory, to, "bell", O_RDWR);
  peer->bell = bell >= 0 ? memlift_shm_map(bell, sizeof *peer->bell, PROT_READ | PROT_WRITE) : NULL;
  close_file(bell);
  /* The bell is this page's if that is open still: its owner makes it before, and removes it after.
   * */
  return peer->bell && is_open(peer->map) ? MEMLIFT_OK : MEMLIFT_NOT_PRESENT;
}

/* Settles what is in the channels for a page that was mapped before. The next owner of that name,
 * whose `read` begins anew, must find neither what was read nor what is given up. One that has
 * taken over from a dead owner gets what is pending: the page is the same. */
static void settle(struct memlift_ni_page *page, unsigned to, int has_gone) {
  struct shm_own *own = page->mine;
  const struct shm_page *map = own->to[to].map;
  for (unsigned c = 0; c < MEMLIFT_NI_CHANNELS; c++) {
    const struct memlift_ni_message *m = &page->message[c];
    if (m->word0 != shm_address(to) || own->count[c] == 0)
      continue;
    int read = !m->pending || memlift_shm_is_read(page, c, map);
    if (!read && !has_gone)
      continue;
    memlift_ni_put(memlift_ni_channel(page, c), MEMLIFT_NI_CHANNEL_SIZE_OFFSET, SHM_WITHDRAWN);
    if (m->pending)
      own->settled[c] = read ? MEMLIFT_NI_CHANNEL_STATE_ACKNOWLEDGED : MEMLIFT_NI_STATE_GONE;
  }
}

memlift_status memlift_shm_connect(struct memlift_ni_page *page, unsigned to) {
  struct shm_own *own = page->mine;
  struct shm_peer *peer = &own->to[to], fresh = {NULL, NULL, -1, -1, 0, 0, 0};
  memlift_status status = open_peer(own, &fresh, to);
  if (peer->map)
    settle(page, to, status != MEMLIFT_OK || !is_open(peer->map));
  memlift_shm_disconnect(peer);
  if (status != MEMLIFT_OK) {
    memlift_shm_disconnect(&fresh);
    return status;
  }
  *peer = fresh;
  /* Acquire: a successor that changes it later will look for all pages by itself. */
  peer->incarnation = __atomic_load_n(&peer->map->about.incarnation, __ATOMIC_ACQUIRE);
  /* Release: who sees the knock finds this page open. */
  __atomic_fetch_or(&peer->bell->knocks, (uint64_t)1 << page->number, __ATOMIC_RELEASE);
  return MEMLIFT_OK;
}

void memlift_shm_wake(struct memlift_ni_page *page, unsigned to, uint32_t armed) {
  struct shm_own *own = page->mine;
  struct shm_peer *peer = &own->to[to];
  memlift_ni_add(&page->sent.wakeups, 1);
  if (armed & SHM_ASLEEP) {
    /* Release: the receiver that sees it moved sees the doorbell. */
    __atomic_fetch_add(&peer->bell->rung, 1, __ATOMIC_RELEASE);
    syscall(SYS_futex, &peer->bell->rung, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
  }
  if (!(armed & SHM_POLLED))
    return;
  if (peer->wake_fd < 0) {
    struct stat is;
    peer->wake_fd = memlift_shm_open_file(own->directory, to, "wake", O_RDWR | O_NONBLOCK);
    if (peer->wake_fd >= 0 && (fstat(peer->wake_fd, &is) != 0 || !S_ISFIFO(is.st_mode))) {
      close_file(peer->wake_fd);
      peer->wake_fd = -1;
    }
  }
  if (peer->wake_fd >= 0)
    syscall(SYS_write, peer->wake_fd, "", 1); /* one that is full is readable */
}

/* ---- Receiving ----------------------------------------------------------------------------- */

void memlift_shm_admit(struct memlift_ni_page *page, uint64_t pages) {
  struct shm_own *own = page->mine;
  for (; pages; pages &= pages - 1) {
    unsigned p = (unsigned)__builtin_ctzll(pages);
    memlift_shm_unmap_peer(own->from[p]);
    errno = 0;
    own->from[p] = memlift_shm_map_peer(own->directory, p, NULL);
    own->connected &= ~((uint64_t)1 << p);
    if (!own->from[p] && (errno == EMFILE || errno == ENFILE || errno == ENOMEM)) {
      /* Relaxed: this thread takes it out again, at the next look. */
      __atomic_fetch_or(&own->bell->knocks, (uint64_t)1 << p, __ATOMIC_RELAXED);
      continue;
    }
    if (own->from[p] && own->from[p]->about.protection_id == own->map->about.protection_id)
      own->connected |= (uint64_t)1 << p;
  }
}
#else
typedef int memlift_no_engines; /* a translation unit must not be empty */
#endif
