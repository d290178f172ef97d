/* trace.c - a program to trace: loops on a virtual clock, or tasks; trace.py reads what it writes
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * usage: trace model | single | tasks | processes | many | fork
 *   model   a loop of four blocks through a local store, whose mover is the model
 *   single  the same with single buffering: get, compute, put, one after the other
 *   tasks   tasks on one unit, with and without a stack
 *   processes  the same on a unit that is a process, which is killed in between
 *   many    more spans than a track has room for
 *   fork    a child that runs a task and exits; the parent does not write its trace
 */
#include <memlift/stream.h>
#include <memlift/tasks.h>

#include "model/mover_model.h"
#include "tasks/fiber.h"
#include "tasks/store.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define ROUNDS 4096

static unsigned char room[65536], from[4 * ROUNDS], to[4 * ROUNDS];
static struct memlift_local_store store;
static struct mover_model model;

/* A local store of 8 KiB, whose transfers take 100 ns, and 500 for each KiB. */
static int open_store(void) {
  if (memlift_store_bind(&store, room, 8192 + 512, 0) != MEMLIFT_OK)
    return 0;
  mover_model_init(&model, 1);
  model.setup = 100, model.ns_per_kib = 500;
  ((struct memlift_store *)(void *)&store)->mover = &model.mover;
  return 1;
}

static int by_blocks(void) {
  const struct memlift_stream_plan plan = {2, 0, 0};
  const struct memlift_stream_access accesses[] = {{from, 4, 4, MEMLIFT_STREAM_IN, 0},
                                                   {to, 4, 4, MEMLIFT_STREAM_OUT, 0}};
  struct memlift_stream_shift shift[2];
  struct memlift_stream stream;
  if (!open_store())
    return 1;
  memlift_stream_begin(&stream, &plan, accesses, ROUNDS);
  for (uint64_t t = 0, m; (m = memlift_stream_next(&stream, shift)) != 0; t += m) {
    mover_model_compute(&model, 2 * m);
    memcpy(to + 4 * t + shift[1].delta, from + 4 * t + shift[0].delta, 4 * m);
  }
  memlift_stream_end(&stream);
  return memlift_store_unbind() != MEMLIFT_OK || memcmp(from, to, sizeof from) != 0;
}

static int one_after_the_other(void) {
  if (!open_store())
    return 1;
  unsigned char *local = (unsigned char *)memlift_store_alloc(4096, 64);
  for (size_t at = 0; at < sizeof from; at += 4096) {
    memlift_get(local, from + at, 4096, 0);
    memlift_tags_wait(1, MEMLIFT_TAGS_ALL, UINT64_MAX, NULL, NULL);
    mover_model_compute(&model, 2048);
    memlift_put(to + at, local, 4096, 0);
    memlift_tags_wait(1, MEMLIFT_TAGS_ALL, UINT64_MAX, NULL, NULL);
  }
  memlift_store_free(local);
  return memlift_store_unbind() != MEMLIFT_OK || memcmp(from, to, sizeof from) != 0;
}

static int32_t nothing(const uint64_t args[4]) {
  (void)args;
  return 0;
}

static int32_t yields(const uint64_t args[4]) {
  (void)args;
  for (int i = 0; i < 3; i++)
    memlift_task_yield();
  return 0;
}

static int32_t dies(const uint64_t args[4]) {
  (void)args;
  return raise(SIGKILL);
}

/* ThreadSanitizer knows of no fibers in a child of a process with threads. */
static int has_stacks(uint32_t kind) {
#if defined(MEMLIFT_FIBER_THREAD)
  return kind != MEMLIFT_UNITS_PROCESSES;
#else
  (void)kind;
  return 1;
#endif
}

/* Runs each task `times` times on the one unit. Its process is killed then, and one takes its
 * place. */
static int tasks(unsigned times, uint32_t kind) {
  static const char *const names[] = {"plain", "say \"\\\x01\xe9\"", "yields", ""};
  struct memlift_context_options options = {.units = 1, .kind = kind, .store = 65536};
  memlift_context *context;
  memlift_task task[4], last;
  struct memlift_task_options on_unit = {.units = 1};
  if (memlift_context_create(&context, &options, sizeof options) != MEMLIFT_OK)
    return 1;
  for (int i = 0; i < 4; i++) {
    struct memlift_task_options on = {
        .name = names[i], .units = 1, .stack = i == 2 && has_stacks(kind) ? 65536 : 0};
    if (memlift_task_create(context, &task[i], i == 2 ? yields : nothing, &on, sizeof on))
      return 1;
  }
  for (unsigned n = 0; n < times; n++) {
    memlift_task_schedule_many(task, NULL, 4, 1);
    for (int i = 0; i < 4; i++)
      memlift_task_wait(task[i], MEMLIFT_FOR_EVER, NULL);
  }
  if (kind == MEMLIFT_UNITS_PROCESSES) {
    memlift_task_create(context, &last, dies, &on_unit, sizeof on_unit);
    memlift_task_schedule(last, NULL, 1);
    memlift_task_wait(last, MEMLIFT_FOR_EVER, NULL);
    memlift_task_schedule(task[0], NULL, 1);
    memlift_task_wait(task[0], MEMLIFT_FOR_EVER, NULL);
  }
  return memlift_context_destroy(context) != MEMLIFT_OK;
}

int main(int argc, char **argv) {
  const char *what = argc > 1 ? argv[1] : "";
  for (size_t i = 0; i < sizeof from; i++)
    from[i] = (unsigned char)(i * 7);
  if (!strcmp(what, "model"))
    return by_blocks();
  if (!strcmp(what, "single"))
    return one_after_the_other();
  if (!strcmp(what, "tasks"))
    return tasks(1, MEMLIFT_UNITS_THREADS);
  if (!strcmp(what, "processes"))
    return tasks(1, MEMLIFT_UNITS_PROCESSES);
  if (!strcmp(what, "many"))
    return tasks(10000, MEMLIFT_UNITS_THREADS);
  int status = 1;
  pid_t child = fork();
  if (child == 0)
    exit(tasks(1, MEMLIFT_UNITS_THREADS));
  /* Not exit: the parent writes nothing. */
  _exit(waitpid(child, &status, 0) != child || status);
}
