/* mars.h - what the files of libmemlift_mars share
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *   context.c  contexts, and their units               arena.c    memory below 4 GiB
 *   task.c     tasks: creating, scheduling, waiting    image.c    copies of MPU programs
 *   objects.c  semaphores, barriers, event flags       queue.c    queues
 *   mutex.c    mutexes                                 host.c     functions that the host runs
 *   dma.c      transfers and atomic lines of tasks     calls.c    the table that images get
 *   unit.c     units that are processes
 */
#ifndef MEMLIFT_MARS_H
#define MEMLIFT_MARS_H

#define _GNU_SOURCE
#include <pthread.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <mars/task.h>
#include <mars/mutex.h>
#include <memlift/local_store.h>
#include <memlift/sync.h>
#include <memlift/tasks.h>

#include "../program.h"

#define MARS_OBJECT_ALIGN 128u
#define MARS_STACK ((size_t)256 << 10) /* of a task with a save area */
#define MARS_TICKETS 32u               /* queue operations of a task that have begun */

/* A push or a pop between its begin and its end. */
struct memlift_mars_ticket {
  uint64_t queue_ea; /* 0: none */
  uint32_t ticket, tag;
  uint32_t what; /* enum memlift_mpu_queue */
  uint32_t age;
};

/* A copy of an MPU program. */
struct memlift_mars_image {
  void *handle; /* of dlopen; NULL: none */
  struct memlift_mpu_program *program;
  char *data; /* what a run may change, */
  size_t size;
  char *fresh; /* and what it was before the first run */
};

struct memlift_mars_task {
  memlift_task task;
  struct mars_context *context;
  struct mars_task_id id;
  struct memlift_mars_image image;
  const void *elf; /* that it is a copy of */
  size_t elf_size;
  void *shared_elf;              /* the same, in memory that processes share; or NULL */
  struct mars_task_args args[2]; /* of the run, and of the next one */
  uint32_t next;                 /* which is that */
  uint32_t lock;                 /* of the two above, as schedules may race */
  uint32_t blocks;               /* 1: it has a stack of its own */
  uint32_t ran;                  /* 1: its data may have changed */
  uint32_t ages;                 /* of its tickets */
  struct memlift_mars_ticket ticket[MARS_TICKETS];
  struct {
    uint64_t callback_ea;
    struct mars_callback_args in, out;
    int result;
    struct memlift_semaphore done;
  } call; /* that the host is to carry out */
  uint16_t generation;
  uint16_t used; /* under the lock of the context */
};

/* Requests of a unit that is a process: the host does these with its memory, which the unit has
 * not. A unit has one request at a time. */
enum memlift_mars_asked { MARS_GETS, MARS_PUTS, MARS_GETS_LINE, MARS_PUTS_LINE, MARS_PRINTS };

struct memlift_mars_request {
  uint64_t number; /* of the request; what waits under another one is void */
  uint64_t done;   /* that was carried out last */
  uint32_t busy;   /* 1: the host is at it */
  uint32_t what;   /* enum memlift_mars_asked */
  uint32_t size;   /* of the bytes; of a line: whether it is stored in any case */
  uint32_t result; /* bytes that were moved; whether the line was stored */
  uint64_t ea;
  struct memlift_mpu_line line;
  char bytes[16384] __attribute__((aligned(128)));
};

struct mars_context {
  memlift_context *context;
  pthread_mutex_t lock; /* of `task` and `users` */
  uint32_t units;
  uint32_t users; /* of a shared one */
  int shared;
  pthread_t server; /* runs functions that tasks want to have run */
  struct memlift_queue calls;
  void *places;
  pthread_t mover; /* carries out requests; with processes */
  struct memlift_queue moves;
  void *moves_places;
  uint64_t numbers;                              /* of requests */
  struct memlift_mars_request *request;          /* of each unit; NULL: they are threads */
  struct memlift_mars_task *task[MEMLIFT_TASKS]; /* entries are kept until the context ends */
};

enum memlift_mars_kind {
  MARS_SEMAPHORE = 0x53454d41, /* in ASCII */
  MARS_BARRIER = 0x42415252,
  MARS_EVENT_FLAG = 0x464c4147,
  MARS_QUEUE = 0x51554555
};

/* The first member of each object. */
struct memlift_mars_object {
  uint32_t kind;    /* 0: it was destroyed */
  uint32_t waiting; /* callers that may wait */
  uint8_t direction, how;
};

#pragma GCC visibility push(hidden)

/* ---- context.c ---- */

/* 1 if the context is one of this process. */
int memlift_mars_known(const struct mars_context *context);
int memlift_mars_error(memlift_status status);
int memlift_mars_strict(void);
/* With MEMLIFT_MARS=explain, writes a line to standard error. Returns `error`. */
int memlift_mars_explain(int error, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* 1 in a task. */
static inline int memlift_mars_is_task(void) { return memlift_task_self().id != 0; }

/* 1 where units are processes: MEMLIFT_MARS=processes. */
int memlift_mars_processes(void);
/* Makes a context known in a unit's process. */
void memlift_mars_adopt(struct mars_context *context);

/* ---- arena.c ---- */

/* Memory that processes share, all of the arena is in it; 0: none. */
size_t memlift_mars_window(void **memory);
void memlift_mars_arena_lock(void);
void memlift_mars_arena_unlock(void);

/* ---- objects.c ---- */

/* MARS_SUCCESS if an object of that kind is at `ea`, which it gives. */
int memlift_mars_object(uint64_t ea, enum memlift_mars_kind kind, void *object);
/* Takes memory for one. */
int memlift_mars_object_new(struct mars_context *context, uint64_t *ea, size_t size, void *object);
/* Frees one that nobody waits for. */
int memlift_mars_object_end(uint64_t ea, enum memlift_mars_kind kind);
/* Who may wait is counted meanwhile, so that destroying can be refused. */
static inline void memlift_mars_enter(struct memlift_mars_object *o) {
  __atomic_fetch_add(&o->waiting, 1, __ATOMIC_RELAXED);
}
static inline int memlift_mars_leave(struct memlift_mars_object *o, memlift_status status) {
  __atomic_fetch_sub(&o->waiting, 1, __ATOMIC_RELAXED);
  return memlift_mars_error(status);
}
int memlift_mars_barrier_notify(uint64_t ea, int try_only);
int memlift_mars_barrier_wait(uint64_t ea, int try_only);
int memlift_mars_event_flag_wait(uint64_t ea, uint32_t mask, uint8_t mode, uint32_t *bits,
                                 int try_only);

/* ---- queue.c ---- */

int memlift_mars_queue_move(enum memlift_mpu_queue what, uint64_t ea, void *data, int try_only);
int memlift_mars_queue_begin(struct memlift_mars_task *task, enum memlift_mpu_queue what,
                             uint64_t ea, void *data, uint32_t tag, int try_only);
int memlift_mars_queue_end(struct memlift_mars_task *task, enum memlift_mpu_queue what, uint64_t ea,
                           uint32_t tag);
/* A task ends: what it has begun and not ended is void. */
void memlift_mars_queue_forsake(struct memlift_mars_task *task);

/* ---- image.c ---- */

/* MARS_SUCCESS, and the bytes of an image that can be mapped here. */
int memlift_mars_image_check(const void *elf, size_t *size);
int memlift_mars_image_open(struct memlift_mars_task *task);
/* Keeps its data as it is, and makes it as it was kept. */
void memlift_mars_image_keep(struct memlift_mars_image *image);
void memlift_mars_image_renew(struct memlift_mars_image *image);
void memlift_mars_image_close(struct memlift_mars_image *image);

/* ---- unit.c ---- */

int memlift_mars_mover_start(struct mars_context *context);
void memlift_mars_mover_end(struct mars_context *context);
/* Returns when all that was asked for before is done. */
void memlift_mars_settle(struct mars_context *context);
/* The image of a task in this process, as it is before a run; NULL: there is no memory. */
const struct memlift_mars_image *memlift_mars_image_here(struct memlift_mars_task *task);
/* 1 in a unit's process; and there, for memory that only the host has. */
int memlift_mars_is_unit(void);
int memlift_mars_is_remote(uint64_t ea);
/* Bytes that were moved. */
uint32_t memlift_mars_remote_move(enum memlift_mpu_way way, void *local, uint64_t ea,
                                  uint32_t size);
void memlift_mars_remote_line_get(struct memlift_mpu_line *line, volatile void *ls, uint64_t ea);
int memlift_mars_remote_line_put(struct memlift_mpu_line *line, const volatile void *ls,
                                 uint64_t ea, int anyway);
int memlift_mars_remote_print(const char *format, va_list args);

/* ---- task.c, host.c, dma.c, calls.c ---- */

void memlift_mars_task_free(struct memlift_mars_task *task);
void memlift_mars_task_exit(struct memlift_mars_task *task, int32_t code) __attribute__((noreturn));

int memlift_mars_server_start(struct mars_context *context);
void memlift_mars_server_end(struct mars_context *context);
int memlift_mars_call_host(struct memlift_mars_task *task, uint64_t callback_ea,
                           const struct mars_callback_args *in, struct mars_callback_args *out);

void memlift_mars_move(enum memlift_mpu_way way, volatile void *ls, uint64_t ea, uint32_t size,
                       uint32_t tag);
void memlift_mars_copy(enum memlift_mpu_way way, void *local, uint64_t ea, size_t size);
void memlift_mars_fence(uint32_t tag);
uint32_t memlift_mars_tags_wait(uint32_t mask, int all);
void memlift_mars_line_get(struct memlift_mpu_line *line, volatile void *ls, uint64_t ea);
int memlift_mars_line_put(struct memlift_mpu_line *line, const volatile void *ls, uint64_t ea,
                          int anyway);
void memlift_mars_refuse(const struct memlift_mars_task *task, const char *what)
    __attribute__((noreturn));

extern const struct memlift_mpu_calls memlift_mars_calls;

#pragma GCC visibility pop

#endif
