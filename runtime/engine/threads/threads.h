/* threads.h - the threads engine's parts: which CPUs, the helpers and their jobs
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Jobs have numbers that wrap at 2^32; number n is in place n % THREADS_JOBS. The user of the
 * engine writes a job and then `submitted`; a helper has the job whose number it moved `taken`
 * past. All that is written of a job meanwhile is its helper's, until its state is THREADS_ENDED.
 */
#ifndef MEMLIFT_THREADS_H
#define MEMLIFT_THREADS_H

#include "../../queue/wait.h"
#include "../engine.h"

#include <pthread.h>

#define THREADS_MOST 64u                             /* helpers */
#define THREADS_JOBS (2 * MEMLIFT_THREADS_IN_FLIGHT) /* places: a power of two */
#define THREADS_CPUS 8192u                           /* what a set of CPUs has room for */
#define THREADS_PATTERN 65536                        /* bytes of a fill that are written at once */

/* One bit a CPU. */
struct threads_set {
  unsigned char bits[THREADS_CPUS / 8];
};

/* Where each helper runs. */
struct threads_crew_plan {
  unsigned count;
  unsigned cpu[THREADS_MOST];
};

enum threads_state { THREADS_WAITS, THREADS_TAKEN, THREADS_ENDED };

struct threads_job {
  struct memlift_request piece;
  size_t done;
  uint32_t state;
};

struct threads_crew;

struct threads_helper {
  pthread_t thread;
  unsigned cpu;
  struct threads_crew *crew;
  unsigned char pattern[THREADS_PATTERN];
};

/* Function by which helpers access memory: memlift_remote_copy, or a test's replacement. */
typedef size_t threads_remote_copy(void *to, const void *from, size_t size);

struct threads_crew {
  struct threads_job jobs[THREADS_JOBS];
  uint32_t submitted, taken; /* counts of jobs */
  uint32_t stop, give_up;    /* 1: helpers end; end what they are at, between two bursts */
  struct memlift_event bell, ended;
  threads_remote_copy *remote_copy;
  struct threads_crew_plan plan;
  struct threads_helper helper[THREADS_MOST];
};

#pragma GCC visibility push(hidden)
#if defined(__cplusplus)
extern "C" {
#endif

/* threads_cpus.c. Reads a setting as MEMLIFT_THREADS has it, for a process that may use these CPUs
 * and is on `here`; NULL, or why not (static storage). */
const char *memlift_threads_choose(const char *setting, const struct threads_set *may,
                                   unsigned here, struct threads_crew_plan *plan);

/* Calls memlift_threads_choose for this process and the CPU it is on now. */
const char *memlift_threads_choose_here(const char *setting, struct threads_crew_plan *plan);

/* threads_helper.c. Starts the helpers of the crew's plan: all of them, or none and 0. */
int memlift_threads_begin(struct threads_crew *crew);

/* Keeps the calling thread on that CPU, if the system allows it. */
void memlift_threads_stay_on(unsigned cpu);

/* Ends and joins so many, from the first on. */
void memlift_threads_end(struct threads_crew *crew, unsigned count);

/* Sets what the next start uses; NULL: MEMLIFT_THREADS and memlift_remote_copy. Not thread-safe. */
void memlift_threads_use(const char *setting, threads_remote_copy *remote_copy);

#if defined(__cplusplus)
}
#endif
#pragma GCC visibility pop

#endif
