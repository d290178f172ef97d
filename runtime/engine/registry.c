/* registry.c - the engines of this build, and which one is in use
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * An engine is found by the name of its record in intrinsics/Engines.td.
 */
#include "../config.h"
#include "../include/memlift/memlift.h"
#include "registry.h"

#if MEMLIFT_HAVE_ENGINES
#include "../kernels/dispatch.h"
#include "../kernels/limits.h"
#include "engine.h"
#include "health.h"
#include "session.h"
#include "stay.h"

#include <pthread.h>
#include <unistd.h>

static const struct memlift_engine *const engines[] = {
#define MEMLIFT_ENGINE(identifier, source) &memlift_engine_##identifier,
#include "../../intrinsics/generated/Engines.inc"
};

_Static_assert(sizeof engines / sizeof engines[0] <= MEMLIFT_ENGINES_MOST,
               "statistics have no room");

const struct memlift_engine *memlift_engine_active;
static int64_t changing; /* the process a thread of which starts or stops an engine; 0: none does */

char memlift_engine_requested[32];
memlift_status memlift_engine_request_status = MEMLIFT_OK;

const struct memlift_engine *memlift_find_engine(const char *name) {
  for (unsigned i = 0; i < sizeof engines / sizeof engines[0]; i++)
    if (memlift_same_text(engines[i]->name, name))
      return engines[i];
  return NULL;
}

const struct memlift_engine *memlift_engine_at(unsigned index) {
  return index < sizeof engines / sizeof engines[0] ? engines[index] : NULL;
}

/* Callers hold `changing`. */
static memlift_status stop_active(void) {
  const struct memlift_engine *engine = memlift_engine_active;
  memlift_status status = engine ? memlift_session_stop(engine) : MEMLIFT_OK;
  if (status != MEMLIFT_OK)
    return status;
  memlift_engine_forget();
  memlift_health_answered(); /* what is started next is taken for healthy */
  return MEMLIFT_OK;
}

uint32_t memlift_forks, memlift_generation;

static void about_to_fork(void) { __atomic_fetch_add(&memlift_forks, 1, __ATOMIC_RELAXED); }

/* Forgets the parent's engine in a child, which has none of it. */
static void in_child(void) {
  __atomic_fetch_add(&memlift_generation, 1, __ATOMIC_RELAXED);
  __atomic_store_n(&memlift_engine_min, SIZE_MAX, __ATOMIC_RELAXED);
  __atomic_store_n(&memlift_engine_active, NULL, __ATOMIC_RELAXED);
}

/* Callers hold `changing`. */
static int watch_forks(void) {
  static int watching;
  watching = watching || pthread_atfork(about_to_fork, NULL, in_child) == 0;
  return watching;
}

/* Tries to take `changing`; 1: it is the caller's. A value of another process was inherited by a
 * fork and is ignored: the thread that set it does not exist here. Acquire: pairs with the release
 * in memlift_engine_start. */
static int begin_change(void) {
  int64_t me = getpid(), who = __atomic_load_n(&changing, __ATOMIC_RELAXED);
  return who != me &&
         __atomic_compare_exchange_n(&changing, &who, me, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
}

static memlift_status start_now(const struct memlift_engine *engine) {
  const char *reason;
  memlift_status status = engine->probe(&reason);
  if (status == MEMLIFT_OK)
    status = stop_active();
  if (status != MEMLIFT_OK || engine == &memlift_engine_cpu)
    return status;
  status = watch_forks() ? memlift_session_start(engine) : MEMLIFT_NO_RESOURCES;
  if (status != MEMLIFT_OK)
    return status;
  memlift_stay();
  /* Release: who finds the engine finds it started. */
  __atomic_store_n(&memlift_engine_active, engine, __ATOMIC_RELEASE);
  size_t wanted = __atomic_load_n(&memlift_limits.engine, __ATOMIC_RELAXED);
  __atomic_store_n(&memlift_engine_min, wanted ? wanted : engine->min_bytes, __ATOMIC_RELAXED);
  return MEMLIFT_OK;
}

memlift_status memlift_engine_start(const char *name) {
  if (!name)
    return MEMLIFT_INVALID_ARGUMENT;
  const struct memlift_engine *engine = memlift_find_engine(name);
  if (!engine)
    return MEMLIFT_UNKNOWN_ENGINE;
  if (!begin_change())
    return MEMLIFT_BUSY;
  memlift_status status = start_now(engine);
  /* Release: the next thread that starts or stops an engine sees all that was done here. */
  __atomic_store_n(&changing, 0, __ATOMIC_RELEASE);
  return status;
}

memlift_status memlift_engine_stop(void) { return memlift_engine_start("cpu"); }

void memlift_engine_forget(void) {
  __atomic_store_n(&memlift_engine_min, SIZE_MAX, __ATOMIC_RELAXED);
  __atomic_store_n(&memlift_engine_active, NULL, __ATOMIC_RELAXED);
}

const char *memlift_active_engine_name(void) {
  /* Acquire: pairs with the store that made a started engine active. */
  const struct memlift_engine *engine = __atomic_load_n(&memlift_engine_active, __ATOMIC_ACQUIRE);
  return engine ? engine->name : "cpu";
}

/* After the constructor that reads MEMLIFT_CPU, before those of the program. */
__attribute__((constructor(102))) static void read_engine_request(void) {
  memlift_environment_text("MEMLIFT_ENGINE", memlift_engine_requested,
                           sizeof memlift_engine_requested);
  if (memlift_engine_requested[0])
    memlift_engine_request_status = memlift_engine_start(memlift_engine_requested);
}
#elif !MEMLIFT_BARE /* else: bare.c */
/* Only the CPU, which cannot be stopped. */
memlift_status memlift_engine_start(const char *name) {
  if (!name)
    return MEMLIFT_INVALID_ARGUMENT;
  return memlift_same_text(name, "cpu") ? MEMLIFT_OK : MEMLIFT_UNKNOWN_ENGINE;
}

memlift_status memlift_engine_stop(void) { return MEMLIFT_OK; }

const char *memlift_active_engine_name(void) { return "cpu"; }
#endif
