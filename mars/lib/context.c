/* context.c - contexts of MARS, each of which is one of libmemlift
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "mars.h"

#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* ---- Words of the environment, errors, time ----------------------------------------------------
 * */

static int environment_says(const char *word) {
  const char *list = secure_getenv("MEMLIFT_MARS");
  size_t size = strlen(word);
  for (const char *at = list; at && (at = strstr(at, word)) != NULL; at += size)
    if ((at == list || at[-1] == ',') && (!at[size] || at[size] == ','))
      return 1;
  return 0;
}

/* Read once: 1 no, 2 yes. Threads that read it at the same time read the same. */
static int says(int *known, const char *word) {
  int answer = __atomic_load_n(known, __ATOMIC_RELAXED);
  if (!answer) {
    answer = 1 + environment_says(word);
    __atomic_store_n(known, answer, __ATOMIC_RELAXED);
  }
  return answer == 2;
}

int memlift_mars_strict(void) {
  static int known;
  return says(&known, "strict");
}

int memlift_mars_processes(void) {
  static int known;
  return says(&known, "processes");
}

int memlift_mars_explain(int error, const char *format, ...) {
  static int known;
  va_list args;
  if (!says(&known, "explain"))
    return error;
  va_start(args, format);
  flockfile(stderr);
  fputs("memlift-mars: ", stderr);
  vfprintf(stderr, format, args);
  fputc('\n', stderr);
  funlockfile(stderr);
  va_end(args);
  return error;
}

int memlift_mars_error(memlift_status status) {
  switch (status) {
  case MEMLIFT_OK: return MARS_SUCCESS;
  case MEMLIFT_INVALID_ARGUMENT: return MARS_ERROR_PARAMS;
  case MEMLIFT_NO_RESOURCES: return MARS_ERROR_MEMORY;
  case MEMLIFT_MISALIGNED: return MARS_ERROR_ALIGN;
  case MEMLIFT_LIMIT: return MARS_ERROR_LIMIT;
  case MEMLIFT_CANNOT_SWITCH: return MARS_ERROR_FORMAT;
  case MEMLIFT_BUSY:
  case MEMLIFT_PENDING: return MARS_ERROR_BUSY;
  case MEMLIFT_WRONG_STATE:
  case MEMLIFT_WRONG_SIDE:
  case MEMLIFT_CANCELLED: return MARS_ERROR_STATE;
  default: return MARS_ERROR_INTERNAL;
  }
}

uint32_t mars_get_ticks(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  uint64_t ns = (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
  return (uint32_t)(ns / 10000 * 798 + ns % 10000 * 798 / 10000);
}

uint32_t mars_task_get_ticks(void) { return mars_get_ticks(); }

/* ---- Which contexts there are ---------------------------------------------------- */

/* Held while a context is created or destroyed: units that are processes are forked then. */
static pthread_mutex_t changes = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of those below */
static struct mars_context *known[MEMLIFT_CONTEXTS];
static struct mars_context *shared;

int memlift_mars_known(const struct mars_context *context) {
  for (unsigned i = 0; context && i < MEMLIFT_CONTEXTS; i++)
    /* Acquire: pairs with the release of who has created it. */
    if (__atomic_load_n(&known[i], __ATOMIC_ACQUIRE) == context)
      return 1;
  return 0;
}

static void remember(const struct mars_context *was, struct mars_context *is) {
  pthread_mutex_lock(&lock);
  for (unsigned i = 0; i < MEMLIFT_CONTEXTS; i++)
    if (known[i] == was) {
      /* Release: who finds the context finds it complete. */
      __atomic_store_n(&known[i], is, __ATOMIC_RELEASE);
      break;
    }
  pthread_mutex_unlock(&lock);
}

void memlift_mars_adopt(struct mars_context *c) {
  if (!memlift_mars_known(c))
    remember(NULL, c);
}

/* ---- fork ---------------------------------------------------- */

/* A child has none of the contexts, and no lock that another thread had. */
static void before_fork(void) {
  pthread_mutex_lock(&lock);
  memlift_mars_arena_lock();
}

static void after_fork(void) {
  memlift_mars_arena_unlock();
  pthread_mutex_unlock(&lock);
}

static void in_child(void) {
  for (unsigned i = 0; i < MEMLIFT_CONTEXTS; i++)
    known[i] = NULL;
  shared = NULL;
  changes = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
  after_fork();
}

static void watch_forks(void) { pthread_atfork(before_fork, after_fork, in_child); }

/* ---- Creating and destroying ---------------------------------------------------- */

static uint32_t cpus(void) {
  cpu_set_t set;
  int count = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
  return count<1 ? 1 : count>(int) MEMLIFT_UNITS ? MEMLIFT_UNITS : (uint32_t)count;
}

static void free_context(struct mars_context *c) {
  for (unsigned i = 0; i < MEMLIFT_TASKS; i++)
    if (c->task[i])
      memlift_mars_task_free(c->task[i]);
  pthread_mutex_destroy(&c->lock);
  mars_free(c->places);
  mars_free(c->moves_places);
  mars_free(c);
}

/* The threads of the host that tasks need. */
static int start_servers(struct mars_context *c, int processes) {
  int error = memlift_mars_server_start(c);
  if (error != MARS_SUCCESS || !processes)
    return error;
  error = memlift_mars_mover_start(c);
  if (error != MARS_SUCCESS)
    memlift_mars_server_end(c);
  return error;
}

static void end_servers(struct mars_context *c) {
  memlift_mars_server_end(c);
  if (c->request)
    memlift_mars_mover_end(c);
}

static int create(struct mars_context **context, uint32_t units) {
  struct memlift_context_options options = {.units = units};
  struct mars_context *c = (struct mars_context *)mars_malloc(sizeof *c);
  if (!c)
    return MARS_ERROR_MEMORY;
  memset(c, 0, sizeof *c);
  c->units = units, c->users = 1;
  pthread_mutex_init(&c->lock, NULL);
  options.memory_size = memlift_mars_window(&options.memory);
  if (memlift_mars_processes())
    options.kind = MEMLIFT_UNITS_PROCESSES;
  int error =
      memlift_mars_processes() && !options.memory
          ? MARS_ERROR_MEMORY
          : memlift_mars_error(memlift_context_create(&c->context, &options, sizeof options));
  if (error == MARS_SUCCESS) {
    error = start_servers(c, options.memory != NULL);
    if (error != MARS_SUCCESS)
      memlift_context_destroy(c->context);
  }
  if (error != MARS_SUCCESS)
    free_context(c);
  else
    remember(NULL, *context = c);
  return error;
}

static int create_or_share(struct mars_context **context, uint32_t num_mpus, int share) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  int error = MARS_SUCCESS;
  if (!context)
    return MARS_ERROR_NULL;
  if (num_mpus > MEMLIFT_UNITS)
    return MARS_ERROR_PARAMS;
  pthread_once(&once, watch_forks);
  pthread_mutex_lock(&changes);
  if (share && shared)
    *context = shared, shared->users++;
  else {
    error = create(context, num_mpus ? num_mpus : cpus());
    if (error == MARS_SUCCESS && share)
      shared = *context, shared->shared = 1;
  }
  pthread_mutex_unlock(&changes);
  return error;
}

#undef mars_context_create
int mars_context_create(struct mars_context **context, uint32_t num_mpus, uint8_t share) {
  return create_or_share(context, num_mpus, share != 0);
}

int memlift_mars_context_create4(struct mars_context **context, uint32_t num_mpus,
                                 uint32_t spu_priority, uint32_t ppu_priority) {
  (void)spu_priority, (void)ppu_priority;
  return create_or_share(context, num_mpus, 0);
}

/* 1 if some task is scheduled and has not ended. */
static int is_busy(const struct mars_context *c) {
  for (unsigned i = 0; i < MEMLIFT_TASKS; i++) {
    const struct memlift_mars_task *t = c->task[i];
    if (t && t->used && memlift_task_wait(t->task, 0, NULL) == MEMLIFT_BUSY)
      return 1;
  }
  return 0;
}

static int destroy(struct mars_context *c) {
  if (c->users > 1) {
    c->users--;
    return MARS_SUCCESS;
  }
  if (is_busy(c)) /* or its calls of the host would fail meanwhile */
    return MARS_ERROR_STATE;
  int processes = c->request != NULL;
  end_servers(c);
  int error = memlift_mars_error(memlift_context_destroy(c->context));
  if (error != MARS_SUCCESS)
    return start_servers(c, processes) == MARS_SUCCESS ? error : MARS_ERROR_INTERNAL;
  remember(c, NULL);
  if (shared == c)
    shared = NULL;
  free_context(c);
  return MARS_SUCCESS;
}

int mars_context_destroy(struct mars_context *c) {
  if (!c)
    return MARS_ERROR_NULL;
  if (memlift_mars_is_task())
    return MARS_ERROR_STATE;
  pthread_mutex_lock(&changes);
  int error = memlift_mars_known(c) ? destroy(c) : MARS_ERROR_PARAMS;
  pthread_mutex_unlock(&changes);
  return error;
}

uint32_t mars_context_get_num_mpus(struct mars_context *c) {
  return memlift_mars_known(c) ? c->units : 0;
}
