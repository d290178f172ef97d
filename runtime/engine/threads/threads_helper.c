/* threads_helper.c - the helpers: each takes the next job, does it in bursts, says how far it came
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Helpers access the program's memory by remote copies only. A page that is missing, or that is
 * unmapped meanwhile, gives a short count; the program's own thread then meets it on the CPU.
 */
#define _GNU_SOURCE
#include "../../config.h"

#if MEMLIFT_HAVE_ENGINES
#include "../../kernels/dispatch.h"
#include "threads.h"
#include "../masked_thread.h"

#include <sys/syscall.h>
#include <unistd.h>

/* Bytes of a copy between two looks at give_up: 50 us. */
#define BURST ((size_t)256 << 10)

/* Longest sleep without a look, should a notification ever get lost. */
#define IDLE_NS 1000000000u

/* ---- One job -------------------------------------------------------------------------------- */

/* Bytes from the front that are right. */
static size_t carry_out(struct threads_helper *h, const struct memlift_request *piece) {
  int copy = piece->operation == MEMLIFT_OPERATION_COPY;
  size_t most = copy ? BURST : THREADS_PATTERN, done = 0;
  if (!copy) /* whole patterns: each burst begins with one */
    memlift_cpu_fill(h->pattern, piece->pattern, piece->size < most ? piece->size : most);
  while (done < piece->size && !__atomic_load_n(&h->crew->give_up, __ATOMIC_RELAXED)) {
    size_t part = piece->size - done < most ? piece->size - done : most;
    size_t moved =
        h->crew->remote_copy((unsigned char *)piece->destination + done,
                             copy ? (const unsigned char *)piece->source + done : h->pattern, part);
    done += moved;
    if (moved != part)
      break;
  }
  return done;
}

/* ---- Taking --------------------------------------------------------------------------------- */

/* The next job, or NULL when there is none. Several helpers try for it, and the user of the engine
 * may be dropping it. */
static struct threads_job *take(struct threads_crew *crew) {
  uint32_t next = __atomic_load_n(&crew->taken, __ATOMIC_RELAXED);
  /* Acquire: a job that has been submitted is there to be read. The exchange pairs with that of the
   * engine's abort, which drops the jobs not taken. */
  while (next != __atomic_load_n(&crew->submitted, __ATOMIC_ACQUIRE))
    if (__atomic_compare_exchange_n(&crew->taken, &next, next + 1, 0, __ATOMIC_ACQ_REL,
                                    __ATOMIC_RELAXED)) {
      struct threads_job *job = &crew->jobs[next % THREADS_JOBS];
      __atomic_store_n(&job->state, THREADS_TAKEN, __ATOMIC_RELAXED);
      return job;
    }
  return NULL;
}

/* Release: who sees that the job has ended sees its bytes, and that nothing writes any more. */
static void end(struct threads_crew *crew, struct threads_job *job, size_t done) {
  job->done = done;
  __atomic_store_n(&job->state, THREADS_ENDED, __ATOMIC_RELEASE);
  memlift_event_notify(&crew->ended);
}

void memlift_threads_stay_on(unsigned cpu) {
  unsigned long words[THREADS_CPUS / 8 / sizeof(unsigned long)] = {0};
  words[cpu / (8 * sizeof *words)] |= 1ul << cpu % (8 * sizeof *words);
  /* Refused, when the CPU has gone since: the thread runs where the system lets it. */
  syscall(SYS_sched_setaffinity, 0, sizeof words, words);
}

static void *helper(void *state) {
  struct threads_helper *h = (struct threads_helper *)state;
  struct threads_crew *crew = h->crew;
  memlift_threads_stay_on(h->cpu);
  for (;;) {
    uint32_t seen = memlift_event_read(&crew->bell);
    struct threads_job *job = take(crew);
    if (job)
      end(crew, job, carry_out(h, &job->piece));
    else if (/* acquire: pairs with memlift_threads_end */
             __atomic_load_n(&crew->stop, __ATOMIC_ACQUIRE))
      return NULL;
    else {
      memlift_event_wait(&crew->bell, seen, IDLE_NS);
      if (memlift_event_read(&crew->bell) == seen)
        memlift_masked_thread_exit_if_alone();
    }
  }
}

/* ---- All of them ----------------------------------------------------------------------------- */

void memlift_threads_end(struct threads_crew *crew, unsigned count) {
  /* Release: pairs with the acquire in helper(). */
  __atomic_store_n(&crew->stop, 1, __ATOMIC_RELEASE);
  memlift_event_notify(&crew->bell);
  for (unsigned i = 0; i < count; i++)
    memlift_masked_thread_join(crew->helper[i].thread);
}

int memlift_threads_begin(struct threads_crew *crew) {
  for (unsigned i = 0; i < crew->plan.count; i++) {
    struct threads_helper *h = &crew->helper[i];
    h->cpu = crew->plan.cpu[i], h->crew = crew;
    if (memlift_masked_thread_create(&h->thread, helper, h) != 0) {
      memlift_threads_end(crew, i);
      return 0;
    }
  }
  return 1;
}
#else
typedef int memlift_no_engines; /* a translation unit must not be empty */
#endif
