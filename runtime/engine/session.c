/* session.c - an engine from its start to its stop, and its one user at a time
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#define _GNU_SOURCE
#include "../config.h"

#if MEMLIFT_HAVE_OFFLOAD
#include "../kernels/dispatch.h"
#include "session.h"

#if MEMLIFT_HAVE_ENGINES
#include <unistd.h>

static int64_t this_process(void) { return getpid(); }
#else
static int64_t this_process(void) { return 1; } /* no system, one program */
#endif

/* ---- Acquiring ----------------------------------------------------------------------------- */

static int is_own_process(const struct memlift_session *s) {
  return __atomic_load_n(&s->owner, __ATOMIC_RELAXED) == this_process();
}

int memlift_session_is_mine(const struct memlift_engine *engine) {
  return !engine->session ||
         (is_own_process(engine->session) && (!engine->is_callers || engine->is_callers()));
}

int memlift_session_is_held(const struct memlift_engine *engine) {
  return engine->session && __atomic_load_n(&engine->session->held, __ATOMIC_RELAXED) != 0;
}

/* Acquire: pairs with the store in let_go. */
static int take(struct memlift_session *s) {
  return !__atomic_exchange_n(&s->held, 1, __ATOMIC_ACQUIRE);
}

/* Release: the next holder sees all that was done by this one. */
static void let_go(struct memlift_session *s) { __atomic_store_n(&s->held, 0, __ATOMIC_RELEASE); }

static int is_usable(const struct memlift_engine *engine) {
  return engine->session->started && (!engine->is_usable || engine->is_usable());
}

memlift_status memlift_session_acquire_here(const struct memlift_engine *engine) {
  if (!engine->session)
    return MEMLIFT_OK;
  if (!take(engine->session))
    return MEMLIFT_BUSY;
  if (is_usable(engine))
    return MEMLIFT_OK;
  let_go(engine->session);
  return MEMLIFT_NOT_PRESENT;
}

/* Compares the process first: a child after vfork must not even touch the flag. */
memlift_status memlift_session_acquire(const struct memlift_engine *engine) {
  if (engine->session && !is_own_process(engine->session))
    return MEMLIFT_NOT_PRESENT;
  return memlift_session_acquire_here(engine);
}

void memlift_session_release(const struct memlift_engine *engine) {
  if (engine->before_release)
    engine->before_release();
  if (engine->session)
    let_go(engine->session);
}

/* ---- Starting and stopping ----------------------------------------------------------------- */

static void shut(const struct memlift_engine *engine) {
  if (engine->session->started && engine->close)
    engine->close();
  engine->session->started = 0;
}

memlift_status memlift_session_start(const struct memlift_engine *engine) {
  struct memlift_session *s = engine->session;
  int inherited = !is_own_process(s);
  if (inherited) /* first start, or a child after fork: no thread here holds it */
    __atomic_store_n(&s->held, 0, __ATOMIC_RELAXED);
  if (!take(s))
    return MEMLIFT_BUSY;
  __atomic_store_n(&s->owner, this_process(), __ATOMIC_RELAXED);
  if (inherited) { /* what is open is the parent's */
    s->started = 0;
    if (engine->forget)
      engine->forget();
  }
  if (!is_usable(engine))
    shut(engine);
  memlift_status status = s->started ? MEMLIFT_OK : engine->open();
  s->started = status == MEMLIFT_OK;
  let_go(s);
  return status;
}

memlift_status memlift_session_stop(const struct memlift_engine *engine) {
  struct memlift_session *s = engine->session;
  if (!is_own_process(s))
    return MEMLIFT_OK;
  if (!take(s))
    return MEMLIFT_BUSY;
  shut(engine);
  let_go(s);
  return MEMLIFT_OK;
}

/* An engine that another thread starts at this moment may be left unused, no worse. */
void memlift_session_lose(const struct memlift_engine *engine) {
  const struct memlift_engine *active = engine;
  shut(engine);
  memlift_count(&memlift_engine_counted.lost, 1);
  if (__atomic_compare_exchange_n(&memlift_engine_active, &active, NULL, 0, __ATOMIC_RELAXED,
                                  __ATOMIC_RELAXED))
    __atomic_store_n(&memlift_engine_min, SIZE_MAX, __ATOMIC_RELAXED);
}
#else
typedef int memlift_no_session; /* a translation unit must not be empty */
#endif
