/* keeper.c - units that are processes, and the thread of the host that looks after them
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The keeper forks the units, and sleeps until one of their pidfds tells that its process has
 * ended, for whatever reason. Then it buries the unit (burial.c) and forks another in its place.
 * With a lease it also looks, several times in that time, whether each unit that has work makes
 * progress, and kills the one that does not: what is killed cannot come back with a result.
 *
 * The kernel kills a unit when the thread that has forked it ends (PR_SET_PDEATHSIG). So units end
 * with the keeper, which ends with the host's process, however that ends.
 *
 * Sources: prctl(2), pidfd_open(2) (Linux 5.3), pidfd_send_signal(2) (Linux 5.1).
 */
#define _GNU_SOURCE
#include "../config.h"

#if MEMLIFT_HAVE_ENGINES
#include "../engine/masked_thread.h"
#include "processes.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define RETRY_MS 50      /* the system has refused a process */
#define FAREWELL_MS 1000 /* for units to end when their context does */

int memlift_keeper_round_ms = 1000;
uint64_t (*memlift_keeper_clock)(void) = memlift_now;

/* A unit's process. */
struct kept {
  pid_t pid; /* 0: none; atomic where the keeper writes it, as any thread may ask for it */
  int fd;    /* pidfd */
  int has_ended;
  uint64_t progress, since; /* a count that changes, and when it did last */
};

struct memlift_keeper {
  memlift_context *context;
  pthread_t thread;
  pid_t host, tid; /* its process and its thread */
  int bell;        /* eventfd: the host wants something */
  uint32_t asked, stop;
  uint64_t lease;
  memlift_status started;
  struct memlift_event begun, round; /* `round` counts as `asked` does */
  struct kept unit[MEMLIFT_UNITS];
};

/* ---- A unit's process ---------------------------------------------------- */

/* A unit takes no task before the keeper can tell that it has ended: `noted` is then not `before`
 * any more. */
__attribute__((noreturn)) static void be_unit(struct memlift_keeper *k, unsigned number,
                                              uint32_t before) {
  memlift_context *c = k->context;
  struct memlift_event *noted = &c->parker[number].noted;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  /* It may have ended before that, or executed another program, which ends its threads. */
  if (getppid() != k->host || syscall(SYS_tgkill, k->host, k->tid, 0) != 0)
    _exit(0);
  while (memlift_event_read(noted) == before)
    memlift_event_wait_shared(noted, before, UINT64_MAX / 4);
  prctl(PR_SET_NAME, "memlift-unit");
  close(k->bell);
  for (unsigned i = 0; i < MEMLIFT_UNITS; i++)
    if (k->unit[i].pid)
      close(k->unit[i].fd);
  memlift_context_adopt(c);
  memlift_track_adopt(c->parker[number].track);
  memlift_unit_live(c, &c->parker[number]);
  _exit(0);
}

/* A unit begins with nothing in its hands; its bell and its counters go on. */
static void renew(struct memlift_parker *p) {
  p->task = p->left = p->next = NULL;
  p->leaving = MEMLIFT_STAYS;
  p->line = NULL;
  p->guest = (struct memlift_store_user){0};
}

static int pidfd_of(pid_t pid) {
#if defined(SYS_pidfd_open)
  return (int)syscall(SYS_pidfd_open, pid, 0);
#else
  (void)pid;
  errno = ENOSYS;
  return -1;
#endif
}

/* Has the unit begin with a process of that pidfd. Its number is not touched. */
static void begin_anew(struct kept *u, int fd) {
  u->fd = fd, u->has_ended = 0;
  u->progress = u->since = 0;
}

static memlift_status begin_process(struct memlift_keeper *k, unsigned number) {
  struct kept *u = &k->unit[number];
  struct memlift_event *noted = &k->context->parker[number].noted;
  uint32_t before = memlift_event_read(noted);
  struct memlift_parker *parker = &k->context->parker[number];
  renew(parker);
  if (!parker->track)
    parker->track = memlift_track_of_process(number);
  pid_t pid = fork();
  if (pid == 0)
    be_unit(k, number, before);
  if (pid < 0)
    return MEMLIFT_NO_RESOURCES;
  int fd = pidfd_of(pid);
  if (fd < 0) {
    memlift_status status = errno == ENOSYS ? MEMLIFT_NOT_PRESENT : MEMLIFT_NO_RESOURCES;
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
    return status;
  }
  begin_anew(u, fd);
  __atomic_store_n(&u->pid, pid, __ATOMIC_RELAXED);
  memlift_event_notify_shared(noted);
  return MEMLIFT_OK;
}

/* Kills by the pidfd: the program may have reaped the process, and its number be another's. */
static void kill_unit(const struct kept *u) {
#if defined(SYS_pidfd_send_signal)
  syscall(SYS_pidfd_send_signal, u->fd, SIGKILL, NULL, 0);
#else
  (void)u; /* a system without it has no pidfd_open either, and no units */
#endif
}

/* ---- Looking after them ---------------------------------------------------- */

static int has_ended(const struct kept *u) {
  struct pollfd p = {u->fd, POLLIN, 0};
  return u->pid && (u->has_ended || poll(&p, 1, 0) == 1);
}

/* The program may have reaped it already: then this finds nobody. */
static void reap(struct kept *u) {
  pid_t pid = u->pid;
  __atomic_store_n(&u->pid, 0, __ATOMIC_RELAXED); /* before another process can have the number */
  waitpid(pid, NULL, 0);
  close(u->fd);
  begin_anew(u, 0);
}

static int has_work(const memlift_context *c, unsigned unit) {
  if (__atomic_load_n(&c->parker[unit].task, __ATOMIC_RELAXED))
    return 1;
  for (unsigned i = 0; i < MEMLIFT_TASKS; i++) {
    uint64_t word = __atomic_load_n(&c->slot[i].word, __ATOMIC_RELAXED);
    if (memlift_word_state(word) == MEMLIFT_TASK_RUNNING && memlift_word_unit(word) == unit)
      return 1;
  }
  return 0;
}

/* Kills a unit that has had the same work for longer than the lease. */
static void look_at_lease(struct memlift_keeper *k, unsigned unit, uint64_t now) {
  const struct memlift_parker *p = &k->context->parker[unit];
  struct kept *u = &k->unit[unit];
  uint64_t progress = __atomic_load_n(&p->pulls, __ATOMIC_RELAXED) +
                      __atomic_load_n(&p->ended, __ATOMIC_RELAXED) +
                      __atomic_load_n(&p->blocked, __ATOMIC_RELAXED) +
                      __atomic_load_n(&p->yielded, __ATOMIC_RELAXED);
  if (progress != u->progress || !u->since || !has_work(k->context, unit))
    u->progress = progress, u->since = now;
  else if (now - u->since >= k->lease) {
    kill_unit(u);
    while (poll(&(struct pollfd){u->fd, POLLIN, 0}, 1, -1) != 1)
      ;
    u->has_ended = 1;
  }
}

/* Buries those that have ended, and puts others in their places. */
static void bury_and_replace(struct memlift_keeper *k) {
  memlift_context *c = k->context;
  for (unsigned i = 0; i < c->units; i++) {
    struct kept *u = &k->unit[i];
    if (has_ended(u)) {
      u->has_ended = 1;
      memlift_bury(c, i);
      reap(u);
    }
    if (!u->pid)
      begin_process(k, i);
  }
}

/* Milliseconds between two looks; -1, and so more than any other: none without an event. */
static int time_of_round(const struct memlift_keeper *k) {
  unsigned ms = (unsigned)memlift_keeper_round_ms;
  if (k->lease && k->lease / 8000000 < ms)
    ms = (unsigned)(k->lease / 8000000) + 1;
  for (unsigned i = 0; i < k->context->units; i++)
    if (!k->unit[i].pid && ms > RETRY_MS)
      ms = RETRY_MS;
  return (int)ms;
}

static void look_after_them(struct memlift_keeper *k) {
  struct pollfd fds[MEMLIFT_UNITS + 1];
  unsigned count = 0;
  uint64_t calls = 0;
  for (unsigned i = 0; i < k->context->units; i++)
    if (k->unit[i].pid)
      fds[count++] = (struct pollfd){k->unit[i].fd, POLLIN, 0};
  fds[count] = (struct pollfd){k->bell, POLLIN, 0};
  int ready = poll(fds, count + 1, time_of_round(k));
  if (ready == 0 && time_of_round(k) == memlift_keeper_round_ms)
    memlift_masked_thread_exit_if_alone();
  if (fds[count].revents && read(k->bell, &calls, sizeof calls) < 0)
    return;
  /* Acquire: pairs with the release of who asks. */
  uint32_t asked = __atomic_load_n(&k->asked, __ATOMIC_ACQUIRE);
  uint64_t now = k->lease ? memlift_keeper_clock() : 0;
  for (unsigned i = 0; k->lease && i < k->context->units; i++)
    if (k->unit[i].pid && !has_ended(&k->unit[i]))
      look_at_lease(k, i, now);
  bury_and_replace(k);
  if (asked != memlift_event_read(&k->round))
    memlift_event_notify(&k->round);
}

/* Ends all units; they have no work. */
static void end_all(struct memlift_keeper *k) {
  memlift_context *c = k->context;
  __atomic_store_n(&c->stop, 1, __ATOMIC_SEQ_CST);
  for (unsigned i = 0; i < c->units; i++)
    memlift_ring_bell(c, i);
  for (unsigned i = 0; i < MEMLIFT_UNITS; i++) {
    struct pollfd p = {k->unit[i].fd, POLLIN, 0};
    if (!k->unit[i].pid)
      continue;
    if (poll(&p, 1, FAREWELL_MS) != 1)
      kill_unit(&k->unit[i]);
    reap(&k->unit[i]);
  }
}

static void *keep(void *state) {
  struct memlift_keeper *k = (struct memlift_keeper *)state;
  k->host = getpid(), k->tid = (pid_t)syscall(SYS_gettid);
  memlift_status status = MEMLIFT_OK;
  for (unsigned i = 0; i < k->context->units && status == MEMLIFT_OK; i++)
    status = begin_process(k, i);
  __atomic_store_n(&k->started, status, __ATOMIC_RELAXED);
  memlift_event_notify(&k->begun);
  /* Acquire: pairs with the release in memlift_keeper_end. */
  while (status == MEMLIFT_OK && !__atomic_load_n(&k->stop, __ATOMIC_ACQUIRE))
    look_after_them(k);
  end_all(k);
  return NULL;
}

int memlift_keeper_may_take(const memlift_context *c, unsigned unit) {
  return unit < MEMLIFT_UNITS && !memlift_parker_self() && c->keeper &&
         pthread_equal(pthread_self(), c->keeper->thread) && has_ended(&c->keeper->unit[unit]);
}

int memlift_keeper_process(const memlift_context *c, unsigned unit) {
  if (!c->keeper || unit >= MEMLIFT_UNITS)
    return 0;
  return (int)__atomic_load_n(&c->keeper->unit[unit].pid, __ATOMIC_RELAXED);
}

/* ---- The host ---------------------------------------------------- */

static void wake_keeper(struct memlift_keeper *k) {
  uint64_t one = 1;
  int saved_errno = errno;
  while (write(k->bell, &one, sizeof one) < 0 && errno == EINTR)
    ;
  errno = saved_errno;
}

static void free_keeper(memlift_context *c) {
  if (c->keeper->bell >= 0)
    close(c->keeper->bell);
  munmap(c->keeper, sizeof *c->keeper);
  c->keeper = NULL;
}

memlift_status memlift_keeper_start(memlift_context *c, const char *cpus, size_t store,
                                    uint64_t lease) {
  memlift_status status = memlift_units_prepare(c, cpus, store);
  if (status != MEMLIFT_OK || c->units == 0)
    return status;
  void *memory = mmap(NULL, sizeof(struct memlift_keeper), PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    return MEMLIFT_NO_RESOURCES;
  struct memlift_keeper *k = c->keeper = (struct memlift_keeper *)memory;
  k->context = c, k->lease = lease;
  k->bell = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  status = MEMLIFT_NO_RESOURCES;
  if (k->bell >= 0 && memlift_masked_thread_create(&k->thread, keep, k) == 0) {
    while (memlift_event_read(&k->begun) == 0)
      memlift_event_wait(&k->begun, 0, UINT64_MAX / 4);
    status = __atomic_load_n(&k->started, __ATOMIC_RELAXED);
    if (status == MEMLIFT_OK)
      return status;
    memlift_masked_thread_join(k->thread);
  }
  free_keeper(c);
  memlift_units_unmap(c);
  return status;
}

void memlift_keeper_end(memlift_context *c) {
  if (c->keeper) {
    /* Release: pairs with the acquire in keep. */
    __atomic_store_n(&c->keeper->stop, 1, __ATOMIC_RELEASE);
    wake_keeper(c->keeper);
    memlift_masked_thread_join(c->keeper->thread);
    free_keeper(c);
  }
  memlift_units_unmap(c);
}

memlift_status memlift_context_check(memlift_context *c, unsigned *lost) {
  memlift_status status = memlift_context_known(c);
  if (status != MEMLIFT_OK)
    return status;
  if (memlift_has_processes(c) && memlift_task_unit() != UINT32_MAX)
    return MEMLIFT_WRONG_SIDE;
  struct memlift_keeper *k = c->keeper;
  if (k) {
    /* Release: pairs with the acquire of the keeper. */
    uint32_t mine = __atomic_add_fetch(&k->asked, 1, __ATOMIC_RELEASE);
    for (uint32_t seen; (int32_t)((seen = memlift_event_read(&k->round)) - mine) < 0;) {
      wake_keeper(k);
      memlift_event_wait(&k->round, seen, 1000000);
    }
  }
  if (lost)
    *lost = (unsigned)__atomic_load_n(&c->lost_units, __ATOMIC_ACQUIRE); /* pairs with bury */
  return MEMLIFT_OK;
}
#else
typedef int memlift_no_engines; /* a translation unit must not be empty */
#endif
