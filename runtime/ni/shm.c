/* shm.c - transport "shm": sending, receiving and waiting; shm.h has the idea
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#define _GNU_SOURCE
#include "../config.h"

#if MEMLIFT_HAVE_ENGINES
#include "../queue/watch.h"
#include "shm.h"

#include <limits.h>
#include <linux/futex.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* Interval at which a sender that waits looks whether the receiver lives; and the time that a
 * successor has to attach the page of one that does not. */
#define LOOK_NS 5000000u
#define GRACE_NS 100000000u

static struct shm_own *own_of(const struct memlift_ni_page *page) { return page->mine; }

static void set_word1(struct memlift_ni_page *page, unsigned c, uint64_t word) {
  memlift_ni_put(memlift_ni_channel(page, c), MEMLIFT_NI_CHANNEL_SIZE_OFFSET, word);
}

/* ---- Attaching ----------------------------------------------------------------------------- */

/* Gives back the first `count` pages. */
static void close_pages(struct memlift_ni *ni, unsigned count) {
  for (unsigned i = 0; i < count; i++) {
    struct shm_own *own = ni->page[i].mine;
    memlift_shm_close_page(own, ni->first + i);
    for (unsigned p = 0; p < MEMLIFT_NI_PAGES; p++) {
      memlift_shm_disconnect(&own->to[p]);
      memlift_shm_unmap_peer(own->from[p]);
      memlift_shm_unmap_peer(own->others[p]);
    }
    free(own);
    ni->page[i].mine = NULL;
  }
}

/* Opens a page, with the messages that a dead owner has left to be read. */
static memlift_status open_page(struct memlift_ni *ni, unsigned i, int directory) {
  struct memlift_ni_page *page = &ni->page[i];
  struct shm_own *own = calloc(1, sizeof *own);
  if (!own)
    return MEMLIFT_NO_RESOURCES;
  own->directory = directory;
  page->number = ni->first + i;
  memlift_status status = memlift_shm_open_page(own, page->number, ni->protection_id);
  if (status != MEMLIFT_OK) {
    free(own);
    return status;
  }
  page->mine = own;
  page->channels = own->map->channels;
  if (!own->took_over)
    return MEMLIFT_OK;
  memlift_ni_add(&page->got.taken_over, 1);
  memlift_shm_admit(page, UINT64_MAX);
  for (uint64_t left = own->connected; left; left &= left - 1) {
    unsigned p = (unsigned)__builtin_ctzll(left);
    for (unsigned c = 0; c < MEMLIFT_NI_CHANNELS; c++)
      if (shm_doorbell(own->from[p], c))
        own->left[p][c] = shm_word(own->from[p], c, MEMLIFT_NI_CHANNEL_COUNT_OFFSET);
  }
  return MEMLIFT_OK;
}

/* Opens the pages from ni->first on; *reached is the one that failed. */
static memlift_status open_pages(struct memlift_ni *ni, int directory, unsigned *reached) {
  for (unsigned i = 0; i < ni->pages; i++) {
    memlift_status status = open_page(ni, i, directory);
    if (status != MEMLIFT_OK) {
      close_pages(ni, i);
      *reached = ni->first + i;
      return status;
    }
  }
  return MEMLIFT_OK;
}

static memlift_status attach(struct memlift_ni *ni, const struct memlift_ni_options *options) {
  memlift_status status = MEMLIFT_BUSY;
  unsigned reached = 0;
  int directory = memlift_shm_directory(options->where, &status);
  if (directory < 0)
    return status;
  ni->kind = MEMLIFT_NI_MEMORY;
  if (options->first_page != MEMLIFT_NI_ANY_PAGE) {
    ni->first = options->first_page;
    status = open_pages(ni, directory, &reached);
  } else {
    for (ni->first = 0; status == MEMLIFT_BUSY && ni->first + ni->pages <= MEMLIFT_NI_PAGES;) {
      status = open_pages(ni, directory, &reached);
      if (status == MEMLIFT_BUSY)
        ni->first = reached + 1;
    }
  }
  if (status != MEMLIFT_OK)
    syscall(SYS_close, directory);
  return status;
}

static void detach(struct memlift_ni *ni) {
  int directory = own_of(&ni->page[0])->directory;
  close_pages(ni, ni->pages);
  syscall(SYS_close, directory);
}

static void close_in_child(int fd) {
  if (fd >= 0)
    syscall(SYS_close, fd);
}

/* The mappings are not in a child; its copy of the table of files is. */
static void forget(struct memlift_ni *ni) {
  close_in_child(own_of(&ni->page[0])->directory);
  for (unsigned i = 0; i < ni->pages; i++) {
    struct shm_own *own = own_of(&ni->page[i]);
    close_in_child(own->fd);
    close_in_child(own->wake_fd);
    for (unsigned p = 0; p < MEMLIFT_NI_PAGES; p++) {
      close_in_child(own->to[p].fd);
      close_in_child(own->to[p].wake_fd);
    }
  }
}

/* ---- Sending ------------------------------------------------------------------------------- */

/* The page that a message is for; MEMLIFT_NI_PAGES: nobody's. */
static unsigned page_of(uint64_t word0) {
  uint64_t page = word0 / MEMLIFT_NI_PAGE_BYTES;
  return page < MEMLIFT_NI_PAGES && word0 % MEMLIFT_NI_PAGE_BYTES == 0 ? (unsigned)page
                                                                       : MEMLIFT_NI_PAGES;
}

static memlift_status reach(struct memlift_ni_page *page, uint64_t word0) {
  unsigned to = page_of(word0);
  if (to == MEMLIFT_NI_PAGES)
    return MEMLIFT_NOT_PRESENT;
  const struct shm_peer *peer = &own_of(page)->to[to];
  if (peer->map && __atomic_load_n(&peer->map->about.open, __ATOMIC_RELAXED) &&
      __atomic_load_n(&peer->map->about.incarnation, __ATOMIC_RELAXED) == peer->incarnation)
    return MEMLIFT_OK;
  return memlift_shm_connect(page, to);
}

/* Word 1 is 0 while the rest is stored. Not when the message before was found to be read: then that
 * would be another transfer of the line. */
static void begin(struct memlift_ni_page *page, unsigned c) {
  set_word1(page, c, 0);
  memlift_barrier_to_device(); /* a receiver that sees a new payload sees that this word is gone */
}

/* In one go with the two words: a receiver that looks between two stores takes the line away. */
static void stamp(struct memlift_ni_page *page, unsigned c) {
  struct shm_own *own = own_of(page);
  own->count[c] = own->next++;
  own->settled[c] = 0;
  memlift_ni_put(memlift_ni_channel(page, c), MEMLIFT_NI_CHANNEL_COUNT_OFFSET, own->count[c]);
}

static void rung(struct memlift_ni_page *page, unsigned c) {
  struct shm_own *own = own_of(page);
  unsigned to = page_of(page->message[c].word0);
  memlift_barrier_arm(); /* the doorbell is visible before `armed` is read */
  uint32_t armed = __atomic_load_n(&own->to[to].map->armed, __ATOMIC_RELAXED);
  if (armed)
    memlift_shm_wake(page, to, armed);
  own->deadline[c] = memlift_ni_deadline(page, page->message[c].word1);
}

/* Acquire: the receiver has copied the payload before its store of the number. */
int memlift_shm_is_read(const struct memlift_ni_page *page, unsigned c,
                        const struct shm_page *map) {
  return __atomic_load_n(&map->read[page->number].count[c], __ATOMIC_ACQUIRE) ==
         own_of(page)->count[c];
}

/* Takes a message back unless it has been read. One that is being read right now is given up and
 * received, as after a lost acknowledgement. */
static int take_back(struct memlift_ni_page *page, unsigned c, const struct shm_page *map) {
  set_word1(page, c, SHM_WITHDRAWN);
  memlift_barrier_arm(); /* it is taken back before the last look */
  return !memlift_shm_is_read(page, c, map);
}

/* Returns 1 when the owner of a page has been dead for so long that none will follow. */
static int is_dead(struct shm_peer *peer, uint64_t now) {
  if (now - peer->looked < LOOK_NS)
    return 0;
  peer->looked = now;
  if (memlift_shm_is_alive(peer->fd))
    peer->dead_since = 0;
  else if (peer->dead_since == 0)
    peer->dead_since = now;
  return peer->dead_since && now - peer->dead_since >= GRACE_NS;
}

/* The state of a message that was not read when it was looked at last. */
static unsigned state_of_unread(struct memlift_ni_page *page, unsigned c, unsigned to) {
  struct shm_own *own = own_of(page);
  const struct shm_page *map = own->to[to].map;
  uint64_t now = memlift_now();
  unsigned state = MEMLIFT_NI_CHANNEL_STATE_QUEUED;
  /* Acquire: what a page has read before it is closed is seen with that. */
  if (!__atomic_load_n(&map->about.open, __ATOMIC_ACQUIRE) || is_dead(&own->to[to], now))
    state = MEMLIFT_NI_STATE_GONE;
  else if (own->deadline[c] && now >= own->deadline[c])
    state = own->to[to].dead_since ? MEMLIFT_NI_STATE_GONE : MEMLIFT_NI_CHANNEL_STATE_TIMED_OUT;
  if (state == MEMLIFT_NI_CHANNEL_STATE_QUEUED || take_back(page, c, map))
    return state;
  return MEMLIFT_NI_CHANNEL_STATE_ACKNOWLEDGED;
}

static unsigned state(struct memlift_ni_page *page, unsigned c, unsigned *credits) {
  struct shm_own *own = own_of(page);
  unsigned to = page_of(page->message[c].word0);
  *credits = UINT_MAX;
  if (own->settled[c])
    return own->settled[c];
  if (!memlift_shm_is_read(page, c, own->to[to].map))
    return state_of_unread(page, c, to);
  return MEMLIFT_NI_CHANNEL_STATE_ACKNOWLEDGED;
}

static int withdraw(struct memlift_ni_page *page, unsigned c) {
  return own_of(page)->settled[c] ||
         take_back(page, c, own_of(page)->to[page_of(page->message[c].word0)].map);
}

/* ---- Receiving ----------------------------------------------------------------------------- */

/* Returns 1 when the message before a chained one has been read, by whichever page it was for. It
 * is in the channel before, with the number before, for as long as it has not. */
static int may_follow(struct shm_own *own, unsigned p, unsigned c, uint64_t count) {
  unsigned before = (c + MEMLIFT_NI_CHANNELS - 1) % MEMLIFT_NI_CHANNELS;
  const struct shm_page *from = own->from[p];
  if (!shm_doorbell(from, before) ||
      shm_word(from, before, MEMLIFT_NI_CHANNEL_COUNT_OFFSET) != count - 1)
    return 1;
  unsigned to = page_of(shm_word(from, before, MEMLIFT_NI_CHANNEL_ADDRESS_OFFSET));
  if (to == MEMLIFT_NI_PAGES)
    return 0;
  if (!own->others[to] || !__atomic_load_n(&own->others[to]->about.open, __ATOMIC_RELAXED)) {
    memlift_shm_unmap_peer(own->others[to]);
    own->others[to] = memlift_shm_map_peer(own->directory, to, NULL);
  }
  /* Acquire: pairs with the release of that page's pop. */
  return own->others[to] &&
         __atomic_load_n(&own->others[to]->read[p].count[before], __ATOMIC_ACQUIRE) == count - 1;
}

/* The size of the message in a channel that has not been read; 0: there is none. */
static size_t look(struct shm_own *own, uint64_t mine, unsigned p, unsigned c) {
  const struct shm_page *from = own->from[p];
  uint64_t word1 = shm_doorbell(from, c);
  if (!word1)
    return 0;
  uint64_t count = shm_word(from, c, MEMLIFT_NI_CHANNEL_COUNT_OFFSET);
  if (count == own->map->read[p].count[c] ||
      shm_word(from, c, MEMLIFT_NI_CHANNEL_ADDRESS_OFFSET) != mine)
    return 0;
  if ((word1 & MEMLIFT_NI_CHANNEL_AUTO_CHAIN_MASK) && !may_follow(own, p, c, count))
    return 0;
  memlift_barrier_recheck();
  if (shm_word(from, c, MEMLIFT_NI_CHANNEL_SIZE_OFFSET) != word1)
    return 0;
  own->peer = p, own->channel = c, own->number = count, own->word1 = word1;
  return (size_t)MEMLIFT_NI_FIELD(NI_CHANNEL, SIZE, word1);
}

/* Looks at the channels of a page, from the one on whose turn it is. */
static size_t look_at_page(struct shm_own *own, uint64_t mine, unsigned p) {
  for (unsigned i = 0; i < MEMLIFT_NI_CHANNELS; i++) {
    size_t size = look(own, mine, p, (own->channel_turn[p] + i) % MEMLIFT_NI_CHANNELS);
    if (size)
      return size;
  }
  return 0;
}

/* Pages take turns: one that sends without a pause waits for the others. */
static size_t head(struct memlift_ni_page *page, struct memlift_ni_source *source) {
  struct shm_own *own = own_of(page);
  if (__atomic_load_n(&own->bell->knocks, __ATOMIC_RELAXED)) /* acquire: pairs with the knock */
    memlift_shm_admit(page, __atomic_exchange_n(&own->bell->knocks, 0, __ATOMIC_ACQUIRE));
  uint64_t mine = shm_address(page->number), later = ~(uint64_t)0 << own->turn;
  size_t size = 0;
  for (uint64_t p = own->connected & later; p && !size; p &= p - 1)
    size = look_at_page(own, mine, (unsigned)__builtin_ctzll(p));
  for (uint64_t p = own->connected & ~later; p && !size; p &= p - 1)
    size = look_at_page(own, mine, (unsigned)__builtin_ctzll(p));
  if (size) {
    source->coordinates = 0, source->page = own->peer, source->channel = own->channel;
    source->reliable = 0;
  }
  return size;
}

static int load(struct memlift_ni_page *page, void *buffer, size_t size) {
  struct shm_own *own = own_of(page);
  const struct shm_page *from = own->from[own->peer];
  size_t place = size <= MEMLIFT_NI_NEAR_MOST ? MEMLIFT_NI_CHANNEL_NEAR_OFFSET
                                              : MEMLIFT_NI_CHANNEL_PAYLOAD_OFFSET;
  volatile unsigned char *payload = (volatile unsigned char *)(uintptr_t)from->channels +
                                    own->channel * (size_t)MEMLIFT_NI_CHANNEL_BYTES + place;
  /* The words of a payload lie as those of a mailbox do, but for where the first is. */
  volatile void *as_mailbox = payload - MEMLIFT_NI_MAILBOX_PAYLOAD_OFFSET;
  if (size == 32)
    memlift_ni_load_payload(as_mailbox, buffer, 32);
  else
    memlift_ni_load_payload(as_mailbox, buffer, size);
  memlift_barrier_recheck();
  return shm_doorbell(from, own->channel) == own->word1 &&
         shm_word(from, own->channel, MEMLIFT_NI_CHANNEL_COUNT_OFFSET) == own->number;
}

static void pop(struct memlift_ni_page *page) {
  struct shm_own *own = own_of(page);
  unsigned p = own->peer, c = own->channel;
  /* Release: the payload has been copied before the sender may store another. */
  __atomic_store_n(&own->map->read[p].count[c], own->number, __ATOMIC_RELEASE);
  own->channel_turn[p] = (c + 1) % MEMLIFT_NI_CHANNELS;
  own->turn = (p + 1) % MEMLIFT_NI_PAGES;
  if (own->took_over && own->left[p][c] == own->number)
    memlift_ni_add(&page->got.redelivered, 1);
  if (__atomic_load_n(&own->map->armed, __ATOMIC_RELAXED)) /* the descriptor has told */
    __atomic_store_n(&own->map->armed, 0, __ATOMIC_RELAXED);
}

/* ---- Waiting ------------------------------------------------------------------------------- */

/* Announces the sleep, looks again, and only then sleeps: a sender that has not seen `armed` has
 * rung before the look. One that has moves the futex first. */
static void sleep_for_mailbox(struct memlift_ni_page *page, uint64_t nanoseconds) {
  struct shm_own *own = own_of(page);
  struct memlift_ni_source source;
  uint32_t *armed = &own->map->armed;
  uint32_t polled = __atomic_load_n(armed, __ATOMIC_RELAXED) & SHM_POLLED;
  /* Acquire: pairs with the release of the wake-up. */
  uint32_t rung_before = __atomic_load_n(&own->bell->rung, __ATOMIC_ACQUIRE);
  struct timespec limit = {(time_t)(nanoseconds / 1000000000u), (long)(nanoseconds % 1000000000u)};
  __atomic_store_n(armed, polled | SHM_ASLEEP, __ATOMIC_RELAXED);
  memlift_barrier_arm(); /* `armed` is visible before the last look */
  if (!head(page, &source))
    syscall(SYS_futex, &own->bell->rung, FUTEX_WAIT, rung_before, &limit, NULL, 0);
  __atomic_store_n(armed, polled, __ATOMIC_RELAXED);
}

static int descriptor(struct memlift_ni_page *page) {
  struct shm_own *own = own_of(page);
  if (own->wake_fd < 0)
    own->wake_fd = memlift_shm_make_wake(own, page->number);
  return own->wake_fd;
}

static void arm(struct memlift_ni_page *page) {
  struct shm_own *own = own_of(page);
  char bytes[64];
  while (own->wake_fd >= 0 && syscall(SYS_read, own->wake_fd, bytes, sizeof bytes) > 0)
    ;
  __atomic_store_n(&own->map->armed, SHM_POLLED, __ATOMIC_RELAXED);
  memlift_barrier_arm(); /* `armed` is visible before the look that follows */
}

const struct memlift_ni_transport memlift_ni_shm = {
    .name = "shm",
    .lossless = 1,
    .near = 1,
    .attach = attach,
    .detach = detach,
    .forget = forget,
    .reach = reach,
    .begin = begin,
    .stamp = stamp,
    .rung = rung,
    .state = state,
    .withdraw = withdraw,
    .head = head,
    .load = load,
    .pop = pop,
    .sleep = sleep_for_mailbox,
    .descriptor = descriptor,
    .arm = arm,
};
#else
typedef int memlift_no_engines; /* a translation unit must not be empty */
#endif
