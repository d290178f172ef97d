/* hub.h - the operations that are under way, and the lock that all of async/ works under
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *   lock.c     the lock; signals that are held back
 *   hub.c      slots and tokens, the life cycle of an operation
 *   order.c    dependencies between operations
 *   fork.c     a child after fork
 *   drive.c    the engine: sending, collecting, giving up
 *   work.c     the CPU's part
 *   submit.c   wait.c   begin.c   the functions of memlift/async.h
 *
 * Problem: several operations of several threads share one engine. It takes few pieces at once, may
 * refuse, fail or fall silent, and the bytes must be right all the same. The library has no thread
 * of its own to look after them, and the program's threads may leave a wait at any time: by a
 * handler's siglongjmp, by pthread_exit, by cancellation.
 *
 * Naive: each call keeps its operation on its stack, and its thread finishes it. Then a thread that
 * leaves takes the operation with it, while the engine still writes. A lock held for as long as an
 * operation lasts would keep all others out, and a handler that submits would wait for itself.
 *
 * Idea: all state is in one static table, the hub, under one lock. The lock is held for bookkeeping
 * only: never while the program's memory is accessed, since that may raise a signal, nor while a
 * thread sleeps. Each operation is a state machine, and whichever thread holds the lock moves any
 * operation on. Only the CPU's part belongs to the threads that wait for it; they do it in chunks,
 * and each chunk is claimed and returned under the lock.
 *
 *   HELD          it comes after another operation that is not done
 *   READY         in the queue to the engine; none or some of its pieces are submitted
 *   IN_FLIGHT     all pieces are submitted that will be; some have not completed
 *   ENGINE_DONE   the engine has nothing of it any more; the CPU's part is left
 *   DONE          complete, to be collected
 *   DROPPED       cancelled, to be collected
 *
 *   HELD -> READY -> IN_FLIGHT -> ENGINE_DONE -> DONE -> FREE, a stage left out where it is empty
 *   any of the first four -> DROPPED -> FREE
 *
 * A thread that leaves does no harm: nothing of the hub is on a stack, a thread that sleeps is not
 * counted, and signals from outside are held back in a thread that holds the lock or does a chunk
 * (lock.c). The one signal that remains, that of a missing page, is met before a chunk is claimed:
 * each of its pages is accessed once while the thread holds nothing.
 *
 * Limits: MEMLIFT_TOKENS operations and MEMLIFT_WINDOW pieces at once. Progress needs a thread that
 * submits, waits or cancels. One lock serialises all bookkeeping; that is little beside the
 * smallest operation that is worth an engine. test/engine/hub.pml models stages, waiters, fork and
 * abort.
 */
#ifndef MEMLIFT_HUB_H
#define MEMLIFT_HUB_H

#include "../engine/pump.h"
#include "../include/memlift/async.h"
#include "../queue/wait.h"
#include "touching.h"

#include <pthread.h>

/* Stages of an operation, in their order; FREE is that of a slot without one. */
enum memlift_stage {
  MEMLIFT_FREE,
  MEMLIFT_HELD,
  MEMLIFT_READY,
  MEMLIFT_IN_FLIGHT,
  MEMLIFT_ENGINE_DONE,
  MEMLIFT_DONE,
  MEMLIFT_DROPPED
};

/* State of a share of the CPU's work that need not wait for the engine. */
enum memlift_share { MEMLIFT_SHARE_NONE, MEMLIFT_SHARE_LEFT, MEMLIFT_SHARE_DONE };

/* A dependency: op comes after blocker, which is not done, and is in blocker's list. */
struct memlift_link {
  struct memlift_op *op, *blocker; /* blocker NULL: in no list */
  struct memlift_link *next, *before;
};

#define MEMLIFT_LINKS (MEMLIFT_AFTERS + 1) /* the last one is the previous one of a batch */

/* A slot with its operation. Fields are written under the lock. While it is busy, its worker writes
 * the program's memory and *sum_to without the lock, and nothing here. */
struct memlift_op {
  struct memlift_job job; /* first: memlift_op_of */
  /* id * 8 + stage, atomic: a thread that has the token of a DONE operation collects it by
   * compare-and-swap, without the lock. The id stays that of the last token while the slot is
   * free. */
  uint64_t state;
  struct memlift_op *next, *before; /* in the list that its stage says; free ones: next alone */
  unsigned period;                  /* of a fill by memlift_cpu_pattern; else 0 */
  unsigned char any_size, cpu_only;
  enum memlift_share ends, sum; /* head and tail; the checksum */
  unsigned range;               /* range of bytes that the CPU does next: work.c */
  size_t at;                    /* bytes of that range already done */
  size_t summed;                /* bytes that sum_so_far covers */
  int busy;                     /* 1: a thread does a chunk of it now */
  pthread_t worker;             /* that thread */
  pthread_t submitter;
  int cancelling; /* 1: and the CPU begins nothing more */
  struct memlift_link after[MEMLIFT_LINKS];
  struct memlift_link *successors; /* links of the operations that come after it */
  unsigned blockers;               /* number of its own links that are in a list */
  int doomed;                      /* 1: it comes after one that has been cancelled */
  int dropped;                     /* 1: its last token was collected as cancelled */
  uint64_t dropped_before;         /* likewise of the tokens before, the latest in bit 0 */
  uint32_t init, sum_so_far, *sum_to;
};

/* Returns the operation that a job is part of. */
static inline struct memlift_op *memlift_op_of(struct memlift_job *job) {
  return (struct memlift_op *)(void *)job;
}

/* A doubly linked list through next and before of its operations. */
struct memlift_list {
  struct memlift_op *first, *last;
};

/* Number of forks in a row, each in the child of the one before, after which a generation is used
 * again. Slots are aligned to it, so it fits into the low bits of their addresses. */
#define MEMLIFT_GENERATIONS 8u

/* All state of async/. There is one, memlift_hub. */
struct memlift_hub {
  struct memlift_list ready;
  /* HELD operations whose blockers are all done: memlift_hub_settle begins them */
  struct memlift_list ripe;
  struct memlift_op *free; /* stack of free slots */
  unsigned free_slots;     /* their number */
  /* Stack of the slots collected since, atomic: address of the first, plus the generation. */
  uint64_t returned;
  unsigned used;                             /* slots that have ever been in use; atomic */
  struct memlift_pump pump;                  /* its engine is the one that is held */
  struct memlift_job *owner[MEMLIFT_WINDOW]; /* of its flights */
  pthread_t driver;                          /* thread that acquired it */
  /* 1: nothing is submitted until only lost pieces are left in the engine */
  int draining;
  /* 1: this process is a child, so acquiring an engine compares the process */
  int forked;
  int watching; /* 1: forks are reported by pthread_atfork */
  /* 1: the fork under way is by a handler that interrupted the thread that holds the lock */
  int torn;
  uint32_t orphaned;   /* 1: such a fork made this process: fork.c */
  unsigned generation; /* one more in each child after fork, modulo MEMLIFT_GENERATIONS */
  /* Notified when some operation has moved on. Each generation has its own: a thread that slept at
   * the moment of a fork does not exist in the child, but is still counted in `armed`. */
  struct memlift_event changed[MEMLIFT_GENERATIONS];
  struct memlift_op op[MEMLIFT_TOKENS];
};

#pragma GCC visibility push(hidden)
#if defined(__cplusplus)
extern "C" {
#endif

extern struct memlift_hub memlift_hub;

/* Returns the event of this process. */
static inline struct memlift_event *memlift_hub_changed(void) {
  return &memlift_hub.changed[memlift_hub.generation];
}

/* ---- lock.c ---- */

void memlift_hub_lock(void);
void memlift_hub_unlock(void);
int memlift_hub_trylock(void); /* 1: held now */

/* Returns 1 when the calling thread, or the code that the calling handler interrupted, holds the
 * lock. */
int memlift_hub_is_mine(void);

/* Frees the lock in a child after fork, where no other thread exists. */
void memlift_hub_unlock_in_child(void);

/* Holds back all signals but those that a thread's own instructions raise; memlift_signals_let
 * restores the mask. One system call each; errno is kept. */
void memlift_signals_hold(uint64_t *before);
void memlift_signals_let(const uint64_t *before);

/* ---- fork.c ---- */

/* The process that the hub belongs to: the one that first watched forks, or a child after fork; 0
 * before. */
extern int64_t memlift_hub_process;

/* Registers for forks, with the lock; 0 when the system cannot report them. */
int memlift_hub_watch(void);

/* Makes the hub this process's own, with the lock, if fork.c has put that off until the unlock. */
void memlift_hub_become_child(void);

/* From here on the lock is held, unless said otherwise. */

/* ---- submit.c ---- */

/* Submits a valid operation whose pages have been touched, to a free slot: records it, sends it,
 * and does the part that no engine takes. Returns its token. */
uint64_t memlift_hub_submit(const struct memlift_submission *s, const struct memlift_touching *t);

/* ---- hub.c ---- */

/* Returns the stage; without the lock, one that was true at some time during the call. Acquire:
 * pairs with memlift_op_set_stage. */
static inline enum memlift_stage memlift_op_stage(const struct memlift_op *op) {
  return (enum memlift_stage)(__atomic_load_n(&op->state, __ATOMIC_ACQUIRE) & 7);
}

/* Returns the token of the operation, or the last one of a free slot. */
static inline uint64_t memlift_op_id(const struct memlift_op *op) {
  return __atomic_load_n(&op->state, __ATOMIC_RELAXED) >> 3;
}

/* Release: a thread that sees DONE sees the operation's bytes. */
static inline void memlift_op_set_stage(struct memlift_op *op, enum memlift_stage stage) {
  __atomic_store_n(&op->state, memlift_op_id(op) << 3 | stage, __ATOMIC_RELEASE);
}

/* Returns 1 when nothing of the operation is left to do. */
static inline int memlift_op_is_over(const struct memlift_op *op) {
  enum memlift_stage stage = memlift_op_stage(op);
  return stage == MEMLIFT_FREE || stage >= MEMLIFT_DONE;
}

/* Returns how many operations can be submitted now. */
unsigned memlift_hub_free_slots(void);

/* Takes a free slot, which there must be, and gives it a new token. */
struct memlift_op *memlift_op_new(void);

/* Collects an operation that is over. Returns its status, or MEMLIFT_COLLECTED when another call
 * was faster. */
memlift_status memlift_op_collect(struct memlift_op *op, uint64_t id);

/* Collects a DONE operation, without the lock, and frees its slot. 0: the token is not DONE. */
int memlift_op_collect_done(struct memlift_op *op, uint64_t id);

/* Finds the slot of a token: MEMLIFT_OK and *op, MEMLIFT_COLLECTED, or MEMLIFT_INVALID_ARGUMENT for
 * a number that never was a token. Also without the lock. */
memlift_status memlift_op_find(uint64_t id, struct memlift_op **op);

/* Returns 1 when a token that another call has collected was cancelled. That is known of the last
 * 64 tokens of its slot. */
int memlift_op_was_dropped(uint64_t id);

void memlift_list_append(struct memlift_list *list, struct memlift_op *op);
void memlift_list_remove(struct memlift_list *list, struct memlift_op *op);

/* Begins an operation without blockers: READY, or ENGINE_DONE when no engine takes it. */
void memlift_op_begin(struct memlift_op *op);

/* Moves an operation of which the engine has nothing any more to ENGINE_DONE, or on to DONE or
 * DROPPED when nothing is left for the CPU. */
void memlift_op_engine_done(struct memlift_op *op);

/* Takes an operation from the queue to the engine; the CPU does the bytes not submitted. */
void memlift_op_withdraw(struct memlift_op *op);

/* Ends an operation: stage is DONE or DROPPED. Its successors are begun or dropped by
 * memlift_hub_settle. */
void memlift_op_over(struct memlift_op *op, enum memlift_stage stage);

/* ---- order.c ---- */

/* Makes op come after the tokens of `ids`, 0 being none. Returns how many of them are not done. */
unsigned memlift_op_put_after(struct memlift_op *op, const uint64_t ids[MEMLIFT_LINKS]);

/* Returns an operation that op waits for; NULL: op may begin. */
struct memlift_op *memlift_op_blocker(const struct memlift_op *op);

/* Removes op from the lists of all operations that it comes after. */
void memlift_op_unlink(struct memlift_op *op);

/* Removes the dependencies on op, which is over; its successors without others become ripe. */
void memlift_op_tell_successors(struct memlift_op *op, int dropped);

/* Begins the ripe operations, and drops those that come after a cancelled one. */
void memlift_hub_settle(void);

/* ---- drive.c ---- */

/* Submits pieces as far as the engine takes them, without looking for completions; releases the
 * engine when it has nothing. */
void memlift_hub_send(void);

/* Collects the pieces that have completed, gives up on lost ones, submits more. Waits for nothing
 * but an engine's abort. */
void memlift_hub_progress(void);

/* Returns 1 when an engine is held that this thread may submit to. */
int memlift_hub_may_drive(void);

/* Returns 1 when op, which is READY, would wait longer for the operations of other threads than for
 * itself: for those in the engine, or before op in the queue. */
int memlift_op_waits_for_others(const struct memlift_op *op);

/* Sleeps until something may have moved, for at most so long; op is the one waited for. Releases
 * the lock and restores the signals meanwhile. */
void memlift_hub_sleep(const struct memlift_op *op, uint64_t nanoseconds, const uint64_t *signals);

/* ---- work.c ---- */

/* Does the part that no engine takes of an operation that is being submitted. Releases the lock
 * meanwhile. */
void memlift_op_work_now(struct memlift_op *op);

/* Does a chunk of at most `most` bytes of op, or of an operation that op comes after. The sum is
 * done beside the engine only if the caller waits. Releases the lock meanwhile. 0: there is nothing
 * to do now. */
int memlift_op_work(struct memlift_op *op, size_t most, int waits, const uint64_t *signals);

/* Starts the CPU's part of an operation over. */
void memlift_op_rewind(struct memlift_op *op);

/* Returns 1 when all but the engine's part is done. */
int memlift_op_nothing_left(struct memlift_op *op);

#if defined(__cplusplus)
}
#endif
#pragma GCC visibility pop

#endif
