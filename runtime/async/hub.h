/* hub.h - the operations that are under way, and the lock that all of async/ works under
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *   hub.c      lock, slots and tokens, what waits for what, fork
 *   drive.c    the engine: sending, collecting, giving up
 *   work.c     the CPU's part
 *   submit.c   wait.c   begin.c   the functions of memlift/async.h
 *
 * The way of an operation:
 *
 *   HELD     it comes after another one that is not done
 *   READY    in the queue to the engine, none or some of its pieces sent
 *   FLYING   all sent that will be; some pieces have not landed
 *   LANDED   the engine has nothing of it any more, the CPU has something to do
 *   ON_CPU   a thread does that
 *   DONE     to be collected
 *
 * The lock is never held while the program's memory is touched, since that may raise a signal, nor
 * while a thread sleeps. Whoever holds it may move any operation on, but for what the CPU does: that
 * is done by threads that wait for it.
 */
#ifndef MEMLIFT_HUB_H
#define MEMLIFT_HUB_H

#include "../engine/rest.h"
#include "../include/memlift/async.h"
#include "../queue/wait.h"
#include "touching.h"

#include <pthread.h>

enum memlift_stage {
  MEMLIFT_FREE,
  MEMLIFT_HELD,
  MEMLIFT_READY,
  MEMLIFT_FLYING,
  MEMLIFT_LANDED,
  MEMLIFT_ON_CPU,
  MEMLIFT_DONE
};

/* Parts of the CPU's work that need not wait for the engine. */
enum memlift_part { MEMLIFT_PART_NONE, MEMLIFT_PART_LEFT, MEMLIFT_PART_DONE };

/* One operation. What is written without the lock is written by the thread that has made it ON_CPU,
 * or that is counted in helpers. */
struct memlift_op {
  uint64_t id; /* of its token; that of the last one while the slot is free */
  struct memlift_op *next; /* in the list that its stage says */
  enum memlift_stage stage;
  memlift_status result;               /* once DONE */
  struct memlift_request whole;
  unsigned period;                     /* of a fill by memlift_cpu_pattern; else 0 */
  unsigned char any_size, cpu_only;
  const struct memlift_engine *engine; /* that rest was planned for; NULL: the CPU's alone */
  struct memlift_rest rest;
  enum memlift_part ends, sum;         /* head and tail; the checksum */
  unsigned helpers;                    /* threads that do one of these now */
  unsigned flights;                    /* pieces that have not landed */
  unsigned extensions;                 /* how often more time is still given to what is coming */
  int gave_up;                         /* nothing more is sent */
  int cancelling;                      /* and the CPU does nothing more */
  uint32_t forks;                      /* memlift_forks before its first piece */
  uint64_t last_change;                /* on the engine's clock: a piece was sent, or landed */
  uint64_t after[MEMLIFT_AFTERS + 1];  /* ids; the last one is the previous one of its batch */
  pthread_t worker;                    /* while ON_CPU */
  uint32_t init, *sum_to;
};

/* A piece that is under way. */
struct memlift_flight {
  struct memlift_op *op;
  size_t start;
  uint32_t size;
  memlift_ticket ticket;
};

/* A thread that is in one of the functions of memlift/async.h, with the lock or, while it works, aborts
 * or sleeps, without. On its stack. */
struct memlift_visit {
  pthread_t thread;
  struct memlift_visit *next;
};

struct memlift_list {
  struct memlift_op *first, *last;
};

struct memlift_hub {
  struct memlift_list held, ready, free;
  unsigned used;                       /* slots that have ever been in use */
  unsigned live;                       /* that are not free */
  const struct memlift_engine *engine; /* that is held; NULL: none */
  pthread_t driver;                    /* thread that acquired it */
  unsigned sleepers;                   /* threads in its wait() */
  int aborting;                        /* somebody waits for them to leave, to give up on it */
  int forked;                          /* this process is a child: engines are asked whose they are */
  int watching;                        /* forks */
  int torn;                            /* the fork under way is one of a handler that interrupted us */
  int unsettled;                       /* something may begin, or be cancelled, that is HELD */
  struct memlift_visit *visits;
  unsigned flights;
  struct memlift_flight flight[MEMLIFT_WINDOW];
  struct memlift_event changed; /* some operation has got further */
  struct memlift_op op[MEMLIFT_TOKENS];
};

#pragma GCC visibility push(hidden)
#if defined(__cplusplus)
extern "C" {
#endif

extern struct memlift_hub memlift_hub;

/* ---- hub.c ---- */

void memlift_hub_lock(void);
void memlift_hub_unlock(void);
int memlift_hub_trylock(void); /* 1: held now */

/* The same for who comes from outside. */
void memlift_hub_enter(struct memlift_visit *visit);
void memlift_hub_leave(struct memlift_visit *visit);

/* With the lock: the calling thread begins a visit; 0: it is on one, which a handler has interrupted. */
int memlift_hub_visit(struct memlift_visit *visit);

/* The process whose hub it is: that of the thread that made it watch, or a child after fork; 0 before. */
extern int64_t memlift_hub_process;

/* From here on the lock is held, unless said otherwise. */

/* 0 when the system will not tell of forks. */
int memlift_hub_watch(void);

/* ---- submit.c ---- */

/* Puts down, sends, and does what no engine takes. A valid operation whose pages have been met, and a
 * free slot. Its token. */
uint64_t memlift_hub_submit(const struct memlift_submission *s, const struct memlift_touching *t);

/* ---- hub.c ---- */

struct memlift_op *memlift_op_new(void); /* NULL: none is free */
void memlift_op_free(struct memlift_op *op);

/* MEMLIFT_OK and *op, MEMLIFT_COLLECTED, or MEMLIFT_INVALID_ARGUMENT for what never was a token. */
memlift_status memlift_op_find(uint64_t id, struct memlift_op **op);

void memlift_list_append(struct memlift_list *list, struct memlift_op *op);
void memlift_list_remove(struct memlift_list *list, struct memlift_op *op);

/* One that op comes after and that is not done; NULL: it may begin. */
struct memlift_op *memlift_op_blocker(const struct memlift_op *op);

/* Begins what nothing stands before any more, and cancels what comes after something cancelled. */
void memlift_hub_settle(void);

/* Begins an operation that comes after nothing any more: READY, or LANDED when it is the CPU's. */
void memlift_op_begin(struct memlift_op *op);

/* The engine has nothing of it any more: LANDED, or DONE when that was all. */
void memlift_op_landed(struct memlift_op *op);

/* Done. What comes after it: see memlift_hub_settle. */
void memlift_op_done(struct memlift_op *op, memlift_status result);

/* The process has forked meanwhile, and what the CPU writes first of a page goes to a copy of it: what
 * a device has done that knows the page by its number may be lost. */
int memlift_op_forked(const struct memlift_op *op);

/* ---- drive.c ---- */

/* Sends what can be, without a look at what is under way. */
void memlift_hub_send(void);

/* Collects what has landed, gives up on what is lost, sends, lets the engine go. Does not wait, but for
 * an engine's abort. */
void memlift_hub_progress(void);

/* 1 when an engine is held that this thread may send to. */
int memlift_hub_may_drive(void);

/* Sleeps, without the lock, until something may have moved, for at most so long. op: what for. */
void memlift_hub_sleep(const struct memlift_op *op, uint64_t nanoseconds);

/* ---- work.c ---- */

/* Whether there is something to do now for op, by a thread that has asked for its engine; then it is
 * done, what touches memory without the lock. waits: what is the CPU's only while it would wait, too. */
int memlift_op_work_on(struct memlift_op *op, int waits);

/* The same for op or, if it comes after something, for that. */
int memlift_op_work(struct memlift_op *op);

/* Takes an operation from the queue to the engine: the CPU does what has not been sent. */
void memlift_op_withdraw(struct memlift_op *op);

#if defined(__cplusplus)
}
#endif
#pragma GCC visibility pop

#endif
