/* bare.c - the engines of bare metal, and which one is in use
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What registry.c is where there is a system. One thread starts and stops engines.
 */
#include "../config.h"

#if MEMLIFT_BARE
#include "../kernels/dispatch.h"
#include "registry.h"
#include "session.h"

static const struct memlift_engine *const engines[] = {&memlift_engine_cpu, &memlift_engine_pdma,
                                                       &memlift_engine_zdma};

const struct memlift_engine *memlift_engine_active;
uint32_t memlift_forks, memlift_generation;

const struct memlift_engine *memlift_engine_at(unsigned index) {
  return index < sizeof engines / sizeof engines[0] ? engines[index] : NULL;
}

const struct memlift_engine *memlift_find_engine(const char *name) {
  for (unsigned i = 0; i < sizeof engines / sizeof engines[0]; i++)
    if (memlift_same_text(engines[i]->name, name))
      return engines[i];
  return NULL;
}

memlift_status memlift_engine_stop(void) {
  memlift_status status =
      memlift_engine_active ? memlift_session_stop(memlift_engine_active) : MEMLIFT_OK;
  if (status != MEMLIFT_OK)
    return status;
  __atomic_store_n(&memlift_engine_min, SIZE_MAX, __ATOMIC_RELAXED);
  __atomic_store_n(&memlift_engine_active, NULL, __ATOMIC_RELAXED);
  return MEMLIFT_OK;
}

memlift_status memlift_engine_start(const char *name) {
  const char *reason;
  if (!name)
    return MEMLIFT_INVALID_ARGUMENT;
  const struct memlift_engine *engine = memlift_find_engine(name);
  if (!engine)
    return MEMLIFT_UNKNOWN_ENGINE;
  memlift_status status = engine->probe(&reason);
  if (status == MEMLIFT_OK)
    status = memlift_engine_stop();
  if (status != MEMLIFT_OK || engine == &memlift_engine_cpu)
    return status;
  status = memlift_session_start(engine);
  if (status != MEMLIFT_OK)
    return status;
  /* Release: a caller that finds the engine finds it started. */
  __atomic_store_n(&memlift_engine_active, engine, __ATOMIC_RELEASE);
  __atomic_store_n(&memlift_engine_min, engine->min_bytes, __ATOMIC_RELAXED);
  return MEMLIFT_OK;
}

const char *memlift_active_engine_name(void) {
  return memlift_engine_active ? memlift_engine_active->name : "cpu";
}
#else
typedef int memlift_no_engines; /* a translation unit must not be empty */
#endif
