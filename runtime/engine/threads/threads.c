/* threads.c - copies and fills by helper threads, each pinned to a CPU
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * For machines on which one core cannot use the memory's bandwidth. A ticket is the number of a
 * job; its helper is whichever is free first, so that helpers of the same speed do the same bytes.
 * The CPU that asked works from the end meanwhile.
 */
#define _GNU_SOURCE
#include "../../config.h"

#if MEMLIFT_HAVE_ENGINES
#include "threads.h"
#include "../remote.h"
#include "../session.h"

#include <sys/mman.h>

static struct threads_crew *crew;        /* only touched with the engine acquired */
static unsigned char live[THREADS_JOBS]; /* places whose jobs are not collected */
static unsigned helpers;                 /* units of the engine */
static struct memlift_session session;

static char setting[256]; /* MEMLIFT_THREADS */
static const char *chosen_setting;
static threads_remote_copy *chosen_remote_copy;

/* Before the constructor that may start the engine. */
__attribute__((constructor(101))) static void read_setting(void) {
  memlift_environment_text("MEMLIFT_THREADS", setting, sizeof setting);
}

void memlift_threads_use(const char *text, threads_remote_copy *remote_copy) {
  chosen_setting = text;
  chosen_remote_copy = remote_copy;
}

/* ---- Starting and stopping ----------------------------------------------------------------- */

static const char *choose(struct threads_crew_plan *plan) {
  return memlift_threads_choose_here(chosen_setting ? chosen_setting : setting, plan);
}

static memlift_status probe(const char **reason) {
  struct threads_crew_plan plan;
  if (!memlift_remote_is_available(reason))
    return MEMLIFT_NOT_PRESENT;
  const char *wrong = choose(&plan);
  *reason = wrong ? wrong : "";
  return wrong ? MEMLIFT_NOT_PRESENT : MEMLIFT_OK;
}

/* It stays once it is there: a thread may be in wait() at any time. */
static struct threads_crew *new_crew(void) {
  void *memory = mmap(NULL, sizeof(struct threads_crew), PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    return NULL;
#if defined(MADV_WIPEONFORK)
  /* A child whose process number happens to be ours (another PID namespace) finds no helper. */
  madvise(memory, sizeof(struct threads_crew), MADV_WIPEONFORK);
#endif
  return (struct threads_crew *)memory;
}

/* The parent's helpers do not exist here. */
static void forget(void) { crew = NULL; }

static memlift_status begin(void) {
  crew = crew ? crew : new_crew();
  if (!crew || choose(&crew->plan) != NULL)
    return MEMLIFT_NO_RESOURCES;
  crew->remote_copy = chosen_remote_copy ? chosen_remote_copy : memlift_remote_copy;
  __atomic_store_n(&crew->stop, 0, __ATOMIC_RELAXED);
  if (!memlift_threads_begin(crew))
    return MEMLIFT_NO_RESOURCES;
  for (unsigned i = 0; i < THREADS_JOBS; i++)
    live[i] = 0;
  helpers = crew->plan.count;
  return MEMLIFT_OK;
}

static void end(void) { memlift_threads_end(crew, crew->plan.count); }

/* ---- Submitting ---------------------------------------------------------------------------- */

static struct threads_job *job_of(memlift_ticket ticket) {
  return &crew->jobs[ticket % THREADS_JOBS];
}

/* The doorbell path. */
static unsigned submit(const struct memlift_request *pieces, unsigned count,
                       memlift_ticket *tickets, memlift_status *status) {
  uint32_t number = crew->submitted;
  unsigned sent = 0;
  for (; sent < count && !live[number % THREADS_JOBS]; sent++, number++) {
    struct threads_job *job = job_of(number);
    job->piece = pieces[sent];
    __atomic_store_n(&job->state, THREADS_WAITS, __ATOMIC_RELAXED);
    live[number % THREADS_JOBS] = 1;
    tickets[sent] = number;
  }
  *status = sent == count ? MEMLIFT_OK : MEMLIFT_BUSY;
  /* Release: who sees the count sees the jobs. */
  __atomic_store_n(&crew->submitted, number, __ATOMIC_RELEASE);
  memlift_event_notify(&crew->bell);
  return sent;
}

/* ---- Completion ---------------------------------------------------------------------------- */

/* Acquire: pairs with the release in the helper's end(), so the bytes of an ended job are seen. */
static uint32_t state_of(memlift_ticket ticket) {
  return __atomic_load_n(&job_of(ticket)->state, __ATOMIC_ACQUIRE);
}

static memlift_status poll(memlift_ticket ticket, const struct memlift_request *piece,
                           size_t *done) {
  *done = 0;
  if (!live[ticket % THREADS_JOBS] || state_of(ticket) != THREADS_ENDED)
    return MEMLIFT_PENDING; /* given up by an abort, or not finished */
  live[ticket % THREADS_JOBS] = 0;
  *done = job_of(ticket)->done;
  return *done == piece->size ? MEMLIFT_OK : MEMLIFT_FAULT;
}

static void wait(memlift_ticket ticket, const struct memlift_request *piece, uint64_t nanoseconds) {
  uint32_t seen = memlift_event_read(&crew->ended);
  (void)piece;
  if (state_of(ticket) != THREADS_ENDED)
    memlift_event_wait(&crew->ended, seen, nanoseconds);
}

/* Returns 1 while a helper works on the job: it may be slow, or share its CPU with other threads.
 * */
static int is_coming(memlift_ticket ticket) { return state_of(ticket) == THREADS_TAKEN; }

/* Drops the jobs that no helper has taken, and waits until the others have ended, after a burst at
 * most. In a child there are no helpers, and the crew is all zeros. Acquire and release: pairs with
 * the helper's exchange in take(), so that each job is either taken or dropped. */
static void abort_all(void) {
  uint32_t number = crew->submitted;
  uint32_t taken = __atomic_exchange_n(&crew->taken, number, __ATOMIC_ACQ_REL);
  for (; taken != number; taken++)
    live[taken % THREADS_JOBS] = 0;
  __atomic_store_n(&crew->give_up, 1, __ATOMIC_RELAXED);
  for (unsigned i = 0; i < THREADS_JOBS; i++)
    while (live[i] && crew->plan.count) {
      uint32_t seen = memlift_event_read(&crew->ended);
      live[i] = state_of(i) != THREADS_ENDED;
      if (live[i])
        memlift_event_wait(&crew->ended, seen, 1000000);
    }
  __atomic_store_n(&crew->give_up, 0, __ATOMIC_RELAXED);
}

static uint64_t sizes[MEMLIFT_SIZE_CLASSES];

/* granule: pieces end with pages, so that no two CPUs write to one. min_bytes: ours; see README.md.
 * max_bytes and min_batch: two hundred times what a wake-up costs, and enough pieces for 64 helpers
 * to share 16 MiB. */
const struct memlift_engine memlift_engine_threads = {
    .name = "threads",
    .sizes = sizes,
    .alignment = 1,
    .granule = MEMLIFT_THREADS_GRANULE,
    .min_bytes = MEMLIFT_THREADS_MIN_BYTES,
    .max_bytes = MEMLIFT_THREADS_MAX_BYTES,
    .in_flight = MEMLIFT_THREADS_IN_FLIGHT,
    .units = 1,
    .units_found = &helpers,
    .min_batch = (size_t)256 << 10,
    .timeout_ns = 2000000000u,
    .shares = 1,
    .probe = probe,
    .session = &session,
    .open = begin,
    .close = end,
    .forget = forget,
    .submit = submit,
    .poll = poll,
    .wait = wait,
    .is_coming = is_coming,
    .abort = abort_all,
};
#else
typedef int memlift_no_engines; /* a translation unit must not be empty */
#endif
