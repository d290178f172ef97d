/* watch.c - finds how this core can watch a cache line, and waits by it
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Problem: a completion record changes within microseconds. A sleep in the system takes longer than
 * that to begin and to end, and a tight poll takes the line away from the device that writes it.
 *
 * Idea: poll first with growing gaps (backoff.h), since most short waits end there. Then let the
 * core stop until the line is written, by whichever instruction it has. The order is arm, read,
 * pause: a write before the read is seen by it, and a write after arm ends the pause. Reading
 * before arm would miss the write in between.
 *
 * Limits: a core watches one line, of at most the granularity that its manual states; a write
 * elsewhere in the line ends the pause early, which costs one more iteration. Each pause has a
 * limit of its own (watch.h), so a write that is never seen cannot hang the thread.
 */
#define _GNU_SOURCE
#include "../config.h"

#if MEMLIFT_HAVE_ENGINES
#include "backoff.h"
#include "watch.h"
#include "watch_core.h"

#include <sched.h>
#include <time.h>

/* Relaxations of the core that are spent in polling first: about 10 us on a 4 GHz core, the time of
 * two futex calls. */
#define POLLS 400u

/* ---- Detection ------------------------------------------------------------------------------- */

#if defined(__x86_64__)
#include <cpuid.h>

#define LEAF7_ECX_WAITPKG (1u << 5)
#define AMD_FEATURES 0x80000001u
#define AMD_ECX_MONITORX (1u << 29)

static enum memlift_watch_kind find(void) {
  unsigned eax, ebx, ecx, edx;
  if (__get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx) && (ecx & LEAF7_ECX_WAITPKG))
    return MEMLIFT_WATCH_UMWAIT;
  if (__get_cpuid(AMD_FEATURES, &eax, &ebx, &ecx, &edx) && (ecx & AMD_ECX_MONITORX))
    return MEMLIFT_WATCH_MWAITX;
  return MEMLIFT_WATCH_POLL;
}

#elif defined(__aarch64__)
#include <sys/auxv.h>

#define AUXV_HWCAP 16
#define HWCAP_EVENT_STREAM (1u << 2) /* EVTSTRM */

/* wfe is used only with the system's event stream: without it nothing would end a wait for a store
 * that never comes. */
static enum memlift_watch_kind find(void) {
  return getauxval(AUXV_HWCAP) & HWCAP_EVENT_STREAM ? MEMLIFT_WATCH_WFE : MEMLIFT_WATCH_POLL;
}

#elif defined(__riscv)
#include "../kernels/riscv64/features_riscv64.h"

static enum memlift_watch_kind find(void) {
  return memlift_riscv64_features().has & MEMLIFT_RISCV64_ZAWRS ? MEMLIFT_WATCH_WRS
                                                                : MEMLIFT_WATCH_POLL;
}

#else
/* On SPARC, AT_HWCAP has no bit for it; the engine that has opened a DAX knows. */
static enum memlift_watch_kind find(void) { return MEMLIFT_WATCH_POLL; }
#endif

/* ---- Choice ---------------------------------------------------------------------------------- */

char memlift_watch_requested[16];
static int chosen;     /* kind + 1; 0: not looked up yet */
static int only_polls; /* MEMLIFT_WAIT=poll */

static const char *const names[MEMLIFT_WATCH_KINDS] = {"poll", "umwait", "mwaitx",
                                                       "wfe",  "wrs",    "mwait"};

const char *memlift_watch_name(enum memlift_watch_kind kind) { return names[kind]; }

/* Relaxed: the value stands alone, and any thread finds the same one. */
void memlift_watch_use(enum memlift_watch_kind kind) {
  __atomic_store_n(&chosen, only_polls ? 1 + MEMLIFT_WATCH_POLL : 1 + (int)kind, __ATOMIC_RELAXED);
}

enum memlift_watch_kind memlift_watch_in_use(void) {
  int now = __atomic_load_n(&chosen, __ATOMIC_RELAXED);
  if (!now) {
    memlift_watch_use(find());
    now = __atomic_load_n(&chosen, __ATOMIC_RELAXED);
  }
  return (enum memlift_watch_kind)(now - 1);
}

/* Runs before the constructor that may start an engine, which waits already. */
__attribute__((constructor(101))) static void read_environment(void) {
  const char *value = memlift_environment_text("MEMLIFT_WAIT", memlift_watch_requested,
                                               sizeof memlift_watch_requested);
  only_polls = memlift_same_text(value, names[MEMLIFT_WATCH_POLL]);
  if (only_polls)
    memlift_watch_use(MEMLIFT_WATCH_POLL);
}

/* ---- Watching -------------------------------------------------------------------------------- */

/* Returns 1 while the bytes are `seen`. Acquire: all that was written before the new value is seen
 * with it. */
static int is(const void *at, unsigned bytes, uint32_t seen) {
  return seen == (bytes == 1 ? __atomic_load_n((const unsigned char *)at, __ATOMIC_ACQUIRE)
                             : __atomic_load_n((const uint32_t *)at, __ATOMIC_ACQUIRE));
}

uint64_t memlift_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

int memlift_watch(const void *at, unsigned bytes, uint32_t seen, uint64_t nanoseconds) {
  enum memlift_watch_kind kind = memlift_watch_in_use();
  for (struct memlift_backoff b = {0, 0}; b.spent < POLLS; memlift_back_off(&b))
    if (!is(at, bytes, seen))
      return 1;
  if (!nanoseconds)
    return 0;
  uint64_t begin = memlift_now();
  do {
    if (kind == MEMLIFT_WATCH_POLL) {
      sched_yield(); /* the writer may be a thread of this core */
    } else {
      memlift_watch_arm(kind, at);
      if (is(at, bytes, seen))
        memlift_watch_pause(kind);
    }
    if (!is(at, bytes, seen))
      return 1;
  } while (memlift_now() - begin < nanoseconds);
  return 0;
}
#else
typedef int memlift_no_engines; /* a translation unit must not be empty */
#endif
