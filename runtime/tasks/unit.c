/* unit.c - the life of a unit, which pulls tasks and sleeps while there are none; units as threads
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#define _GNU_SOURCE
#include "../config.h"

#if MEMLIFT_HAVE_ENGINES
#include "../engine/masked_thread.h"
#include "../engine/threads/threads.h"
#include "processes.h"
#include "store.h"

#include <sys/mman.h>

/* Pulls between two looks at the clock, while somebody waits with a limit. */
#define SWEEP 16u

#define DESCRIPTOR sizeof(struct memlift_local_store)

/* Prepares a thread once, before it pulls: here belongs what is bound to a unit. A unit for whose
 * store there is no place among MEMLIFT_STORES goes without. */
static void begin_unit(struct memlift_parker *me) {
  memlift_parker_set_self(me);
  me->track = memlift_track_mine();
  if (me->cpu != UINT32_MAX)
    memlift_threads_stay_on(me->cpu);
  if (me->memory)
    memlift_store_bind((struct memlift_local_store *)me->memory, (char *)me->memory + DESCRIPTOR,
                       me->memory_size - DESCRIPTOR, 0);
  if (me->memory && memlift_has_processes(me->context))
    memlift_store_count_in(&me->moves);
  me->store = memlift_store_users();
  me->own = me->store ? *me->store : NULL;
  me->guest.number = MEMLIFT_GUEST;
}

static void end_unit(const struct memlift_parker *me) {
  if (me->store)
    memlift_store_unbind();
}

/* The last look before a unit sleeps. Acquire: pairs with memlift_units_end. */
static int is_to_stop(memlift_context *c, struct memlift_parker *me) {
  (void)me;
  return __atomic_load_n(&c->stop, __ATOMIC_ACQUIRE) != 0;
}

/* Looks at the clock, if somebody waits with a limit and it is time for that. */
static void sweep(memlift_context *c, struct memlift_parker *me, int idle) {
  if (__atomic_load_n(&c->next_deadline, __ATOMIC_RELAXED) != UINT64_MAX &&
      (idle || ++me->since_sweep % SWEEP == 0))
    memlift_expire(c, memlift_now());
}

void memlift_unit_live(memlift_context *c, struct memlift_parker *me) {
  begin_unit(me);
  while (!is_to_stop(c, me) && !memlift_context_is_forked(c)) {
    struct memlift_slot *slot = memlift_pull(c, me, 0);
    sweep(c, me, !slot);
    if (!slot) {
      uint32_t seen = memlift_event_read(&me->bell);
      slot = memlift_park(c, me, UINT64_MAX, is_to_stop);
      if (!slot && !memlift_has_processes(c) && memlift_event_read(&me->bell) == seen &&
          __atomic_load_n(&c->next_deadline, __ATOMIC_RELAXED) == UINT64_MAX)
        memlift_masked_thread_exit_if_alone();
    }
    if (slot)
      memlift_run(me, slot);
  }
  memlift_tell_of_last_end(c, me);
  end_unit(me);
}

static void *unit(void *state) {
  struct memlift_parker *me = (struct memlift_parker *)state;
  memlift_unit_live(me->context, me);
  return NULL;
}

/* ---- All of them ---------------------------------------------------- */

/* Maps the memory of a unit's store, which the system fills when it is accessed. */
static int give_store(struct memlift_parker *p, size_t store) {
  if (!store)
    return 1;
  p->memory_size = DESCRIPTOR + store;
  p->memory = store > SIZE_MAX - DESCRIPTOR
                  ? MAP_FAILED
                  : mmap(NULL, p->memory_size, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (p->memory == MAP_FAILED)
    p->memory = NULL;
  return p->memory != NULL;
}

static void take_store(struct memlift_parker *p) {
  if (p->memory)
    munmap(p->memory, p->memory_size);
  p->memory = NULL;
}

static void end_units(memlift_context *c, unsigned count) {
  /* Release: pairs with the acquire in is_to_stop. */
  __atomic_store_n(&c->stop, 1, __ATOMIC_RELEASE);
  for (unsigned i = 0; i < count; i++)
    memlift_event_notify(&c->parker[i].bell);
  for (unsigned i = 0; i < count; i++)
    memlift_masked_thread_join((pthread_t)c->parker[i].thread);
}

void memlift_units_unmap(memlift_context *c) {
  for (unsigned i = 0; i < MEMLIFT_UNITS; i++)
    take_store(&c->parker[i]);
}

void memlift_units_end(memlift_context *c) {
  if (memlift_has_processes(c)) {
    memlift_keeper_end(c);
    return;
  }
  end_units(c, c->units);
  memlift_units_unmap(c);
}

/* Writes a number as text. */
static const char *text_of(unsigned number, char text[12]) {
  unsigned at = 11;
  text[at] = '\0';
  do
    text[--at] = (char)('0' + number % 10);
  while (number /= 10);
  return text + at;
}

/* Which CPUs. Where there is one only, or the system does not tell, units are not pinned. */
static memlift_status choose(memlift_context *c, const char *cpus, struct threads_crew_plan *plan) {
  char text[12];
  if (cpus)
    return memlift_threads_choose_here(cpus, plan) ? MEMLIFT_INVALID_ARGUMENT : MEMLIFT_OK;
  int all = c->units == MEMLIFT_UNITS_ALL;
  if ((all || memlift_threads_choose_here(text_of(c->units, text), plan)) &&
      memlift_threads_choose_here("", plan))
    plan->count = 0;
  return MEMLIFT_OK;
}

memlift_status memlift_units_prepare(memlift_context *c, const char *cpus, size_t store) {
  struct threads_crew_plan plan;
  if (c->units == 0)
    return MEMLIFT_OK;
  memlift_status status = choose(c, cpus, &plan);
  if (status != MEMLIFT_OK)
    return status;
  if (c->units == MEMLIFT_UNITS_ALL)
    c->units = plan.count;
  for (unsigned i = 0; i < c->units; i++) {
    struct memlift_parker *p = &c->parker[i];
    p->context = c, p->number = i;
    p->cpu = plan.count ? plan.cpu[i % plan.count] : UINT32_MAX;
    if (!give_store(p, store)) {
      memlift_units_unmap(c);
      return MEMLIFT_NO_RESOURCES;
    }
  }
  return MEMLIFT_OK;
}

memlift_status memlift_units_start(memlift_context *c, const char *cpus, size_t store,
                                   uint64_t lease) {
  if (memlift_has_processes(c))
    return memlift_keeper_start(c, cpus, store, lease);
  memlift_status status = memlift_units_prepare(c, cpus, store);
  for (unsigned i = 0; status == MEMLIFT_OK && i < c->units; i++) {
    pthread_t thread;
    if (memlift_masked_thread_create(&thread, unit, &c->parker[i]) != 0) {
      end_units(c, i);
      memlift_units_unmap(c);
      status = MEMLIFT_NO_RESOURCES;
    } else
      c->parker[i].thread = (unsigned long)thread;
  }
  return status;
}
#else
typedef int memlift_no_engines; /* a translation unit must not be empty */
#endif
