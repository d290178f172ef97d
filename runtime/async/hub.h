/* hub.h - the operations that are under way, and the lock that all of async/ works under
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *   lock.c     the lock; signals that are held back
 *   hub.c      slots and tokens, the life cycle of an operation
 *   order.c    what comes after what
 *   fork.c     a child after fork
 *   drive.c    the engine: sending, collecting, giving up
 *   work.c     the CPU's part
 *   submit.c   wait.c   begin.c   the functions of memlift/async.h
 *
 * The stages of an operation:
 *
 *   HELD        it comes after another one that is not done
 *   READY       in the queue to the engine, none or some of its pieces sent
 *   IN_FLIGHT   all sent that will be; some pieces have not completed
 *   ENGINE_DONE   the engine has nothing of it any more, the CPU has something to do
 *   DONE        complete, to be collected
 *   DROPPED     cancelled, to be collected
 *
 * The lock is never held while the program's memory is touched, since that may raise a signal, nor
 * while a thread sleeps. Whoever holds it may move any operation on, but for what the CPU does:
 * that is done by threads that wait for it, a chunk at a time.
 *
 * A thread may leave a wait at any time and never come back: a handler's siglongjmp, pthread_exit,
 * cancellation. So nothing of the hub is on a stack, nobody waits for a thread that sleeps, and a
 * thread that holds the lock or does a chunk has the signals held back that come from outside
 * (lock.c). What a chunk would meet of missing pages is met before, by a look at each page while
 * nothing is claimed.
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
  MEMLIFT_IN_FLIGHT,
  MEMLIFT_ENGINE_DONE,
  MEMLIFT_DONE,
  MEMLIFT_DROPPED
};

/* Parts of the CPU's work that need not wait for the engine. */
enum memlift_part { MEMLIFT_PART_NONE, MEMLIFT_PART_LEFT, MEMLIFT_PART_DONE };

/* That an operation comes after another one that is not done: in that one's list. */
struct memlift_link {
  struct memlift_op *op, *blocker; /* blocker NULL: in no list */
  struct memlift_link *next, *before;
};

#define MEMLIFT_LINKS (MEMLIFT_AFTERS + 1) /* the last one is the previous one of a batch */

/* One operation. What is written without the lock is written by its worker, while it is busy. */
struct memlift_op {
  /* id * 8 + stage, atomic: whoever has the token of what is DONE collects it by a
   * compare-and-swap, without the lock. The id stays that of the last token while the slot is
   * free. */
  uint64_t state;
  struct memlift_op *next, *before; /* in the list that its stage says; free ones: next alone */
  struct memlift_request whole;
  unsigned period; /* of a fill by memlift_cpu_pattern; else 0 */
  unsigned char any_size, cpu_only;
  const struct memlift_engine *engine; /* that rest was planned for; NULL: the CPU's alone */
  struct memlift_rest rest;
  enum memlift_part ends, sum; /* head and tail; the checksum */
  unsigned part;               /* which range of bytes the CPU does next: work.c */
  size_t at;                   /* how far it is in that */
  size_t summed;               /* bytes that sum_so_far is of */
  int busy;                    /* a thread does a chunk of it now */
  pthread_t worker;            /* which */
  pthread_t submitter;
  unsigned flights;     /* pieces that have not completed */
  unsigned extensions;  /* how often more time is still given to what is coming */
  int gave_up;          /* nothing more is sent */
  int cancelling;       /* and the CPU begins nothing more */
  uint32_t forks;       /* memlift_forks before its first piece */
  uint64_t last_change; /* on the engine's clock: a piece was sent, or completed */
  struct memlift_link after[MEMLIFT_LINKS];
  struct memlift_link *successors; /* links of those that come after it */
  unsigned blockers;               /* of its own links, how many are in a list */
  int doomed;                      /* it comes after one that has been cancelled */
  int dropped;                     /* whether its last token was collected as cancelled, ... */
  uint64_t dropped_before;         /* ... and those before it, the latest in bit 0 */
  uint32_t init, sum_so_far, *sum_to;
};

/* A piece that is under way. */
struct memlift_flight {
  struct memlift_op *op;
  size_t start;
  uint32_t size;
  memlift_ticket ticket;
};

struct memlift_list {
  struct memlift_op *first, *last;
};

/* Forks that a process may be away from the first before its number of that is used again. The
 * address of a slot has room for it. */
#define MEMLIFT_GENERATIONS 8u

struct memlift_hub {
  struct memlift_list ready;
  /* HELD, but nothing stands before it any more: memlift_hub_settle */
  struct memlift_list ripe;
  struct memlift_op *free; /* stack of free slots */
  unsigned free_slots;     /* in it */
  uint64_t returned;       /* a stack of those that have been collected since, atomic: the
                                        * address of the first, plus the generation */
  unsigned used;           /* slots that have ever been in use; atomic */
  const struct memlift_engine *engine; /* that is held; NULL: none */
  pthread_t driver;                    /* thread that acquired it */
  /* nothing is sent until what is lost is alone in the engine */
  int draining;
  /* this process is a child: engines are asked whose they are */
  int forked;
  int watching;        /* forks */
  int torn;            /* the fork under way is one of a handler that interrupted the
                                        * thread that holds the lock */
  int orphaned;        /* so was the one that made this process: see fork.c */
  unsigned generation; /* of processes, one more in each child after fork, modulo
                                        * MEMLIFT_GENERATIONS */
  unsigned flights;
  struct memlift_flight flight[MEMLIFT_WINDOW];
  /* Some operation has got further. One of them is in use, by generation: whoever slept in one at
   * the moment of a fork leaves that one in the child, and does not disturb the count of the
   * next. */
  struct memlift_event changed[MEMLIFT_GENERATIONS];
  struct memlift_op op[MEMLIFT_TOKENS];
};

#pragma GCC visibility push(hidden)
#if defined(__cplusplus)
extern "C" {
#endif

extern struct memlift_hub memlift_hub;

static inline struct memlift_event *memlift_hub_changed(void) {
  return &memlift_hub.changed[memlift_hub.generation];
}

/* ---- lock.c ---- */

void memlift_hub_lock(void);
void memlift_hub_unlock(void);
int memlift_hub_trylock(void); /* 1: held now */

/* Whether the calling thread, or what the calling handler interrupted, holds the lock. */
int memlift_hub_is_mine(void);

/* In a child after fork, where no other thread is. */
void memlift_hub_unlock_in_child(void);

/* Holds back all signals but those by which the system answers what the thread itself does, and
 * lets them come as before. Two system calls; errno is kept. */
void memlift_signals_hold(uint64_t *before);
void memlift_signals_let(const uint64_t *before);

/* ---- fork.c ---- */

/* The process whose hub it is: that of the thread that made it watch, or a child after fork; 0
 * before. */
extern int64_t memlift_hub_process;

/* With the lock; 0 when the system will not tell of forks. */
int memlift_hub_watch(void);

/* With the lock: makes the hub this process's own, if that has been put off until the lock is let
 * go. */
void memlift_hub_become_child(void);

/* From here on the lock is held, unless said otherwise. */

/* ---- submit.c ---- */

/* Puts down, sends, and does what no engine takes. A valid operation whose pages have been met, and
 * a free slot. Its token. */
uint64_t memlift_hub_submit(const struct memlift_submission *s, const struct memlift_touching *t);

/* ---- hub.c ---- */

/* Returns the stage; without the lock, one that was true at some time during the call. Acquire:
 * pairs with memlift_op_set_stage. */
static inline enum memlift_stage memlift_op_stage(const struct memlift_op *op) {
  return (enum memlift_stage)(__atomic_load_n(&op->state, __ATOMIC_ACQUIRE) & 7);
}

static inline uint64_t memlift_op_id(const struct memlift_op *op) {
  return __atomic_load_n(&op->state, __ATOMIC_RELAXED) >> 3;
}

/* Release: who sees that it is DONE sees its bytes. */
static inline void memlift_op_set_stage(struct memlift_op *op, enum memlift_stage stage) {
  __atomic_store_n(&op->state, memlift_op_id(op) << 3 | stage, __ATOMIC_RELEASE);
}

static inline int memlift_op_is_over(const struct memlift_op *op) {
  enum memlift_stage stage = memlift_op_stage(op);
  return stage == MEMLIFT_FREE || stage >= MEMLIFT_DONE;
}

/* Returns how many operations can be submitted now. */
unsigned memlift_hub_free_slots(void);

/* Takes a free slot, which there must be, and gives it a new token. */
struct memlift_op *memlift_op_new(void);

/* Collects what is over: its status, or MEMLIFT_COLLECTED when somebody else was faster. */
memlift_status memlift_op_collect(struct memlift_op *op, uint64_t id);

/* Without the lock: the slot of a token that is DONE is free now. 0: it is not DONE. */
int memlift_op_collect_done(struct memlift_op *op, uint64_t id);

/* MEMLIFT_OK and *op, MEMLIFT_COLLECTED, or MEMLIFT_INVALID_ARGUMENT for what never was a token. */
memlift_status memlift_op_find(uint64_t id, struct memlift_op **op);

/* Whether a token that another call has collected was that of something cancelled, as far as that
 * is known: of the last 64 of its slot. */
int memlift_op_was_dropped(uint64_t id);

void memlift_list_append(struct memlift_list *list, struct memlift_op *op);
void memlift_list_remove(struct memlift_list *list, struct memlift_op *op);

/* Begins an operation that comes after nothing any more: READY, or ENGINE_DONE when it is the
 * CPU's. */
void memlift_op_begin(struct memlift_op *op);

/* The engine has nothing of it any more: ENGINE_DONE, or DONE when that was all, or DROPPED. */
void memlift_op_engine_done(struct memlift_op *op);

/* DONE, or DROPPED. What comes after it begins by memlift_hub_settle, or is dropped with it. */
void memlift_op_over(struct memlift_op *op, enum memlift_stage stage);

/* ---- order.c ---- */

/* Makes op come after the tokens of `ids`; how many of them are not done. 0 is no token. */
unsigned memlift_op_put_after(struct memlift_op *op, const uint64_t ids[MEMLIFT_LINKS]);

/* One that op comes after and that is not done; NULL: it may begin. */
struct memlift_op *memlift_op_blocker(const struct memlift_op *op);

/* Takes it out of all lists of those that it comes after. */
void memlift_op_unlink(struct memlift_op *op);

/* Tells those that come after it that it is over. */
void memlift_op_tell_successors(struct memlift_op *op, int dropped);

/* Begins what nothing stands before any more, and drops what comes after something dropped. */
void memlift_hub_settle(void);

/* ---- drive.c ---- */

/* Sends what can be, without a look at what is under way; lets the engine go when it has
 * nothing. */
void memlift_hub_send(void);

/* Collects the pieces that have completed, gives up on what is lost, sends. Does not wait, but for
 * an engine's abort. */
void memlift_hub_progress(void);

/* 1 when an engine is held that this thread may send to. */
int memlift_hub_may_drive(void);

/* Whether op, which is READY, would have to wait for what other threads have in the engine, or in
 * the queue to it before op, for longer than for itself. */
int memlift_op_behind_others(const struct memlift_op *op);

/* Sleeps, without the lock and with signals as in *signals, until something may have moved, for at
 * most so long. op: what for. */
void memlift_hub_sleep(const struct memlift_op *op, uint64_t nanoseconds, const uint64_t *signals);

/* ---- work.c ---- */

/* Does what no engine takes of an operation that is being submitted. Without the lock in
 * between. */
void memlift_op_work_now(struct memlift_op *op);

/* Does a chunk, of `most` bytes at most, for op or, if it comes after something, for that; what is
 * the CPU's only while it would wait, too. The lock is let go in between. 0: there is nothing to do
 * now. */
int memlift_op_work(struct memlift_op *op, size_t most, int waits, const uint64_t *signals);

/* Starts the CPU's part of an operation over. */
void memlift_op_rewind(struct memlift_op *op);

/* Whether all is done but for what is the engine's. */
int memlift_op_nothing_left(struct memlift_op *op);

/* Takes an operation from the queue to the engine: the CPU does what has not been sent. */
void memlift_op_withdraw(struct memlift_op *op);

#if defined(__cplusplus)
}
#endif
#pragma GCC visibility pop

#endif
