/* context.h - what a context of tasks consists of
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * All of it lies in one region of memory and refers to its parts by numbers, so that it can be
 * shared by processes that map it at one address. What belongs to one process is marked.
 *
 * A *parker* is who takes tasks and may sleep: a unit, or a seat, which a host thread has while it
 * waits. A *waiter* is who may be woken for what it waits for: a task, or a host thread in its
 * seat. Waiter w is task w below MEMLIFT_TASKS, above them seat w - MEMLIFT_TASKS.
 */
#ifndef MEMLIFT_TASKS_CONTEXT_H
#define MEMLIFT_TASKS_CONTEXT_H

#include "../engine/meter.h"
#include "../include/memlift/sync.h"
#include "../include/memlift/tasks.h"
#include "../queue/barriers.h"
#include "../queue/wait.h"
#include "bits.h"
#include "fiber.h"
#include "kept.h"
#include "store_user.h"
#include "system.h"
#include "trace.h"
#include "word.h"

#define MEMLIFT_PRIORITIES 256u
/* Units, then seats; below MEMLIFT_ON_HOST. Of a board few harts are no units. */
#define MEMLIFT_PARKERS (MEMLIFT_BARE ? 128u : 254u)
#define MEMLIFT_PARKER_WORDS ((MEMLIFT_PARKERS + 63) / 64)
#define MEMLIFT_SEATS (MEMLIFT_PARKERS - MEMLIFT_UNITS)
#define MEMLIFT_WAITERS (MEMLIFT_TASKS + MEMLIFT_SEATS)
#define MEMLIFT_WAITER_WORDS ((MEMLIFT_WAITERS + 63) / 64)
#define MEMLIFT_NOBODY 0xffffu /* no waiter, no slot */

#define MEMLIFT_GUEST (MEMLIFT_TASKS + 1) /* number of a store's user: a run-complete task */

/* 1 where there are contexts whose units may stop while others go on (memlift_may_lose). */
#if MEMLIFT_BARE && !defined(MEMLIFT_MODEL_HARTS)
#define MEMLIFT_MAY_LOSE 0
#else
#define MEMLIFT_MAY_LOSE 1
#endif

#define MEMLIFT_LINE_ALIGNED __attribute__((aligned(64)))

/* A task. The first line is what a pull accesses. */
struct memlift_slot {
  uint64_t word MEMLIFT_LINE_ALIGNED; /* word.h; the only part that anybody may change */
  memlift_task_function function;     /* from here on: constant while the task exists, or written */
  uint64_t args[4];                   /* by who has it claimed or running */
  uint32_t awaited;                   /* waiters for its end; atomic */
  int32_t code;
  uint64_t may;                  /* bit i: unit i may run it */
  void *sp MEMLIFT_LINE_ALIGNED; /* where it goes on, NULL: at its beginning */
  void *stack;                   /* lowest byte that may be used, NULL: run-complete */
  uint64_t runs;                 /* schedules of the slot's tasks */
  struct memlift_mutex *held;    /* mutexes that it has locked, linked through them */
  uint32_t stack_size;
  uint8_t hosts; /* 1: waiting host threads may run it */
  uint8_t lost;  /* 1: its last run ended with the loss of its unit */
  uint16_t open; /* tickets of queues that it has */
  char name[MEMLIFT_TASK_NAME];
};

/* What else there is of a task in a context whose units may be lost. */
struct memlift_slot_more {
  struct memlift_mutex *locking; /* that it is about to lock or to unlock, NULL: none */
  uint32_t on_loss;              /* MEMLIFT_LOSS_ value */
  uint32_t restarts;             /* since it was scheduled */
  uint64_t in[6], out[6];        /* of the function that a host thread runs for it */
};

/* The ready tasks of one priority, in the order of their tickets. Tail and head are less
 * MEMLIFT_PLACES. */
struct memlift_ring {
  uint64_t tail MEMLIFT_LINE_ALIGNED; /* all tickets below were given out */
  uint64_t head MEMLIFT_LINE_ALIGNED; /* no task with a lower ticket is ready */
  uint64_t since; /* ageing: number of the pull since which its first task is the first */
  uint64_t entry[MEMLIFT_PLACES] MEMLIFT_LINE_ALIGNED;
};

/* Reasons to wait: bits 15 to 8 of a waiter's wake word. */
enum memlift_wait_kind {
  MEMLIFT_WAITS_END = 1, /* of one task or of any: looks again each time that one ends */
  MEMLIFT_WAITS_SIGNAL,
  MEMLIFT_WAITS_OBJECT, /* is linked to one, whose lock is needed to wake it */
  MEMLIFT_WAITS_QUEUE,  /* the same, and looks again when a task ends that may have had a ticket */
  MEMLIFT_WAITS_HOST,   /* a task, for a host thread to run a function */
  MEMLIFT_WAITS_SERVING /* a host thread, for a function to run */
};

/* Bits 7 to 0 of a wake word; above the kind is who has ended the wait, and above that its
 * number. */
enum memlift_wake_state {
  MEMLIFT_WAKE_NONE,
  MEMLIFT_WAKE_WAITING, /* announced, and still on its unit; a host thread stays in this state */
  MEMLIFT_WAKE_PARKED,  /* a task that has left its unit: who wakes it makes it ready */
  MEMLIFT_WAKE_WOKEN,
  MEMLIFT_WAKE_EXPIRED
};

struct memlift_waiter {
  uint64_t wake MEMLIFT_LINE_ALIGNED; /* {number 40, unit that ended it 8, kind 8, state 8} */
  uint64_t deadline;                  /* UINT64_MAX: none */
  uint32_t target;                    /* MEMLIFT_WAITS_END: slot, MEMLIFT_NOBODY: any */
  uint16_t next, previous;            /* in the line of an object, under its lock */
  uint32_t linked;                    /* 1: it is in a line; under the lock */
  uint32_t want, how;                 /* of the object: what for */
  uint32_t got;                       /* what it was given */
  uint64_t owner;                     /* who it is, for mutexes */
  uint32_t calls;                     /* MEMLIFT_WAITS_HOST: 1 until a host thread has it */
  uint32_t line_kind;                 /* of the line: enum memlift_line_kind */
  struct memlift_line *line;          /* that it has joined last; under the lock of that */
  uint64_t joined;                    /* number of the wait for which it has */
  uint64_t arrival;                   /* its number among all that join */
  memlift_host_function function;     /* that one, with in and out of its caller */
  const uint64_t *in;
  uint64_t *out;
  uint64_t signal; /* {run of the task 47, its generation 16, 1: sent and not taken} */
};

/* Why a task leaves its unit: what is left to do once it is no longer on its stack. */
enum memlift_leaving { MEMLIFT_STAYS, MEMLIFT_ENDS, MEMLIFT_BLOCKS, MEMLIFT_YIELDS };

/* Kinds of objects, by one of the lines of each. */
enum memlift_line_kind {
  MEMLIFT_LINE_NONE,
  MEMLIFT_LINE_SEMAPHORE,
  MEMLIFT_LINE_MUTEX,
  MEMLIFT_LINE_BARRIER,
  MEMLIFT_LINE_EVENTS,
  MEMLIFT_LINE_PUSHERS,
  MEMLIFT_LINE_POPPERS
};

struct memlift_parker {
  struct memlift_event bell MEMLIFT_LINE_ALIGNED;
  struct memlift_event noted; /* of a unit that is a process: keeper.c */
  memlift_context *context;
  struct memlift_slot *task;             /* that it runs */
  void *sp;                              /* of its own stack, while a task with a stack runs */
  struct memlift_slot *left;             /* task that was left last, and why */
  struct memlift_slot *next;             /* run-complete task that was pulled by one with a stack */
  const struct memlift_slot *ended_last; /* nobody was told of its end yet; NULL: none */
  uint32_t leaving;
  uint32_t number;
  struct memlift_parker *before; /* of this thread, when the seat was taken */
  void *leave;                   /* where memlift_task_exit of a run-complete task goes */
  /* Counters, written by its thread; those of a seat by who has it. */
  uint64_t pulls, ended, blocked, yielded, sleeps;
  uint64_t empty;                    /* pulls that found nothing */
  uint64_t wakes;                    /* notifications; written by who wakes it */
  struct memlift_track *track;       /* of its thread; NULL: nothing is traced */
  uint64_t since;                    /* traced: when its task began, or went on */
  uint32_t since_sweep;              /* pulls since deadlines were looked at */
  struct memlift_store_user **store; /* who uses the thread's local store, NULL: it has none */
  struct memlift_store_user *own;    /* who does while no task runs */
  struct memlift_line *line;         /* of the object that it changes now, NULL: of none */
  uint32_t line_kind;
  uint32_t cpu; /* of a unit; UINT32_MAX: any */
  void *memory; /* of a unit: its local store's descriptor, and behind that the store; or NULL */
  size_t memory_size;
  unsigned long thread;            /* pthread_t of a unit; of this process */
  struct memlift_fiber fiber;      /* of its own stack */
  struct memlift_store_user guest; /* run-complete tasks, one at a time */
  struct memlift_moves moves;      /* of a unit that is a process; others count in store.c */
  struct memlift_kept kept;
};

struct memlift_context {
  uint32_t index, forks; /* in the table; forks before it was created */
  uint32_t units, flags, generation, stop;
  uint32_t kind;
  char *stacks;                  /* of tasks, one for each slot; MEMLIFT_UNITS_PROCESSES */
  size_t size;                   /* of the arena */
  struct memlift_shared *shared; /* arena.c */
  const char *given, *given_end; /* memory of the caller that its units share, or NULL */
  struct memlift_keeper *keeper; /* keeper.c; of the host's process */
  uint64_t map[MEMLIFT_PRIORITIES / 64] MEMLIFT_LINE_ALIGNED; /* priorities that may have tasks */
  uint64_t idle[MEMLIFT_PARKER_WORDS] MEMLIFT_LINE_ALIGNED;   /* parkers that sleep, or may soon */
  uint64_t next_deadline MEMLIFT_LINE_ALIGNED;                /* none of a waiter is earlier */
  uint64_t aged;       /* pulls, with MEMLIFT_CONTEXT_AGEING */
  uint32_t calls;      /* functions that host threads are to run */
  uint32_t lost_calls; /* of those, whose task was lost with its unit */
  uint64_t unscheduled, time_outs, lost_locks, host_calls; /* counters */
  uint64_t lost_tasks, restarted, lost_units;              /* the same */
  uint64_t arrivals;                                       /* of waiters at lines */
  uint64_t seats[MEMLIFT_PARKER_WORDS];                    /* taken */
  uint64_t used[MEMLIFT_TASKS / 64];                       /* slots with a task */
  uint64_t waiting[MEMLIFT_WAITER_WORDS]; /* waiters with a deadline or a kind that looks again */
  struct memlift_slot slot[MEMLIFT_TASKS];
#if MEMLIFT_MAY_LOSE
  struct memlift_slot_more more[MEMLIFT_TASKS];
#endif
  struct memlift_waiter waiter[MEMLIFT_WAITERS];
  struct memlift_parker parker[MEMLIFT_PARKERS];
  struct memlift_ring ring[MEMLIFT_PRIORITIES];
#if MEMLIFT_BARE
  void *reserve[MEMLIFT_TASKS]; /* stack of a task that runs in a local store; hart_memory.c */
#endif
};

static inline unsigned memlift_slot_number(const memlift_context *c, const struct memlift_slot *s) {
  return (unsigned)(s - c->slot);
}

/* Bytes at the upper end of a task's stack: what it has in its unit's store, and above that the
 * sanitizers' record of the stack. */
#define MEMLIFT_STACK_END                                                                          \
  (((sizeof(struct memlift_store_user) + 63) & ~(size_t)63) + MEMLIFT_FIBER_BYTES)

static inline struct memlift_fiber *memlift_fiber_of(const struct memlift_slot *s) {
  return (struct memlift_fiber *)(void *)((char *)s->stack + s->stack_size - MEMLIFT_FIBER_BYTES);
}

static inline struct memlift_store_user *memlift_user_of(const struct memlift_slot *s) {
  return (struct memlift_store_user *)(void *)((char *)s->stack + s->stack_size -
                                               MEMLIFT_STACK_END);
}

/* Gives the thread's store, if it has one, to a user. */
static inline void memlift_use_store(struct memlift_parker *p, struct memlift_store_user *user) {
  if (p->store)
    *p->store = user;
}

static inline int memlift_is_unit(const struct memlift_parker *p) {
  return p->number < MEMLIFT_UNITS;
}

/* The mark of a priority in its word of `map`: the more urgent, the lower the bit. */
static inline uint64_t memlift_mark_of(unsigned priority) {
  return (uint64_t)1 << (~priority & 63);
}

/* The most urgent priority that is marked in word `i` of the map; some is. */
static inline unsigned memlift_marked(unsigned i, uint64_t marks) {
  return 64 * i + 63 - memlift_lowest_bit(marks);
}

/* 1 where units are processes, and have the context and little else in common. */
static inline int memlift_has_processes(const memlift_context *c) {
  return !MEMLIFT_BARE && c->kind == MEMLIFT_UNITS_PROCESSES;
}

/* 1 where a unit may stop at any point, and others go on: processes, and those of a model. */
static inline int memlift_may_lose(const memlift_context *c) {
  return MEMLIFT_MAY_LOSE && c->kind == MEMLIFT_UNITS_PROCESSES;
}

#if MEMLIFT_MAY_LOSE
static inline struct memlift_slot_more *memlift_more_of(memlift_context *c,
                                                        const struct memlift_slot *s) {
  return &c->more[memlift_slot_number(c, s)];
}
#else
static inline struct memlift_slot_more *memlift_more_of(memlift_context *c,
                                                        const struct memlift_slot *s) {
  (void)c, (void)s;
  return NULL;
}
#endif

/* Keeps the compiler from moving stores past here. A process that is killed has done all that comes
 * before the last thing that it did, and the keeper learns of its end after that. */
static inline void memlift_in_this_order(void) {
#if defined(MEMLIFT_MODEL_HARTS)
  memlift_model_step();
#endif
  memlift_barrier_program_order();
}

/* Adds to a counter that only the caller writes; others read it. */
static inline void memlift_tally(uint64_t *counter) {
  __atomic_store_n(counter, *counter + 1, __ATOMIC_RELAXED);
}

#pragma GCC visibility push(hidden)
#if defined(__cplusplus)
extern "C" {
#endif

/* ---- table.c: which contexts there are ------------------------------------------------------- */

/* MEMLIFT_OK if the context is one of this process, MEMLIFT_NOT_PRESENT if of its parent. */
memlift_status memlift_context_known(const memlift_context *c);

/* A place in the table. key: the upper half of the numbers of its context's tasks, 0: none. */
struct memlift_place {
  uint64_t key;
  memlift_context *context;
};
extern struct memlift_place memlift_contexts[MEMLIFT_CONTEXTS];

/* Finds a task; the word that was seen with its generation goes to *word. */
memlift_status memlift_task_find(memlift_task task, memlift_context **c, struct memlift_slot **slot,
                                 uint64_t *word);

/* The slot that a task has or had, and its context; NULL: there is no such context. */
static inline struct memlift_slot *memlift_task_look(memlift_task task, memlift_context **c) {
  const struct memlift_place *place = &memlift_contexts[task.id >> 10 & (MEMLIFT_CONTEXTS - 1)];
  /* Acquire: pairs with the release in enter. */
  if (__atomic_load_n(&place->key, __ATOMIC_ACQUIRE) != task.id >> 32)
    return NULL;
  *c = __atomic_load_n(&place->context, __ATOMIC_RELAXED);
  return &(*c)->slot[task.id & (MEMLIFT_TASKS - 1)];
}

/* 1 if a word of that slot is the task's own: of its generation. */
static inline int memlift_word_is_of(uint64_t word, memlift_task task) {
  return (uint32_t)(word ^ task.id) >> 16 == 0;
}

memlift_task memlift_task_of(const memlift_context *c, const struct memlift_slot *slot);

/* Enters a context into the table; MEMLIFT_LIMIT, MEMLIFT_NO_RESOURCES. */
memlift_status memlift_context_enter(memlift_context *c);
void memlift_context_remove(memlift_context *c);

/* The context in that place of the table, NULL: none. */
const memlift_context *memlift_context_at(unsigned index);

#if MEMLIFT_BARE
static inline int memlift_context_is_forked(const memlift_context *c) {
  (void)c;
  return 0;
}
static inline struct memlift_parker *memlift_parker_self(void) {
  return memlift_hart_self()->parker;
}
static inline void memlift_parker_set_self(struct memlift_parker *parker) {
  memlift_hart_self()->parker = parker;
}
#else
extern uint32_t memlift_context_forks;                 /* forks that this process has come from */
extern const memlift_context *memlift_context_adopted; /* of which it is a unit, NULL: of none */

/* 1 in a child of the process that created the context, unless it is one of its units. */
static inline int memlift_context_is_forked(const memlift_context *c) {
  return c->forks != memlift_context_forks && c != memlift_context_adopted;
}

/* In a unit's process: that context is its own. */
void memlift_context_adopt(const memlift_context *c);

/* The unit or seat of the calling thread, NULL: none. */
struct memlift_parker *memlift_parker_self(void);
void memlift_parker_set_self(struct memlift_parker *parker);
#endif

/* The number of the caller, as the unit of a word that it claims. */
static inline unsigned memlift_claimer_now(void) {
  const struct memlift_parker *self = memlift_parker_self();
  return self ? self->number : MEMLIFT_ON_HOST;
}

/* ---- spread.c: MEMLIFT_SPREAD_NS, which tests set to 0 -------------------------------------- */

extern uint64_t memlift_spread_ns;

/* ---- ready.c, pull.c: the rings -------------------------------------------------- */

/* Makes a task ready whose word the caller, whose parker is `me` or NULL, alone may change: blocked
 * and woken, or running here. Wakes somebody who may run it. */
void memlift_make_ready(memlift_context *c, struct memlift_parker *me, struct memlift_slot *slot);

/* Makes a task ready that is claimed and has not begun. `word` is its word, with sequence 0 and no
 * unit. */
void memlift_make_claimed_ready(memlift_context *c, struct memlift_slot *slot, uint64_t word,
                                int wake);

/* Makes the task of a slot ready if the word of the slot still is this one. */
void memlift_make_ready_from(memlift_context *c, struct memlift_slot *slot, uint64_t word,
                             int wake);

/* 1 if the ring has an entry for the ticket of a word that is ready. */
int memlift_has_entry(const memlift_context *c, unsigned slot, uint64_t word);

/* Takes the most urgent ready task that the parker may run and that has this priority at least.
 * NULL: none. */
struct memlift_slot *memlift_pull(memlift_context *c, struct memlift_parker *me, unsigned least);

/* Marks a priority as one that may have tasks. */
void memlift_mark_priority(memlift_context *c, unsigned priority);

/* ---- park.c: sleeping and waking -------------------------------------------------- */

/* Wakes one parker that may run the task, if one sleeps; all that sleep, or host threads alone. */
void memlift_wake_for(memlift_context *c, const struct memlift_slot *slot, unsigned unit);
void memlift_wake_all(memlift_context *c);
void memlift_wake_hosts(memlift_context *c);

/* Pulls, or sleeps until somebody wakes this parker or the deadline is reached. Returns the task
 * pulled or NULL. `last_look` is called before it sleeps: not 0 means not to. */
struct memlift_slot *memlift_park(memlift_context *c, struct memlift_parker *me, uint64_t deadline,
                                  int (*last_look)(memlift_context *, struct memlift_parker *));

/* Notifies one parker. */
void memlift_ring_bell(memlift_context *c, unsigned parker);

/* ---- run.c: running tasks -------------------------------------------------- */

/* Runs a task that was pulled, until it ends or leaves. On the parker's own stack. */
void memlift_run(struct memlift_parker *me, struct memlift_slot *slot);

/* Leaves the stack of the calling task; returns when it goes on, maybe on another thread. To yield
 * where nothing else is as urgent returns 0 at once. Does not return where the task ends. */
int memlift_leave(struct memlift_parker *me, enum memlift_leaving why);

/* host_call.c. Carries out functions that tasks want to have run; 1 if there was one. */
int memlift_host_serve(memlift_context *c);

/* mutex.c, queue.c. For a task that ends: gives up its mutexes; tells that its tickets are void. */
void memlift_mutex_abandon(memlift_context *c, struct memlift_slot *slot);
void memlift_queue_forsake(memlift_context *c);

/* task.c */
void memlift_slot_free_stack(memlift_context *c, struct memlift_slot *slot);

/* unit.c, unit_hart.c. Starts the units, all of them or none; ends them. `store`: bytes of each
 * one's local store, 0: none; `lease`: nanoseconds, 0: none. */
memlift_status memlift_units_start(memlift_context *c, const char *cpus, size_t store,
                                   uint64_t lease);
void memlift_units_end(memlift_context *c);

/* ---- waiter.c: waiting for anything -------------------------------------------------- */

/* Who waits, and until when. */
struct memlift_wait {
  memlift_context *context;
  unsigned waiter;
  uint64_t deadline;
};

/* Prepares a wait of the caller for `ns` (not 0): MEMLIFT_OK, _CANNOT_SWITCH or _WRONG_SIDE. */
memlift_status memlift_wait_prepare(struct memlift_wait *w, memlift_context *c, uint64_t ns);

/* Runs functions for tasks and ready tasks, on a host thread whose time is not over, until `only`
 * is not under way any more; at most one of them if that is no task. 1 if there was one. The wait
 * is not announced yet. */
int memlift_wait_work(struct memlift_wait *w, memlift_task only);

/* Announces it: from here on it can be woken. The caller looks once more for what it waits for. */
void memlift_wait_announce(struct memlift_wait *w, enum memlift_wait_kind kind);

/* Waits until woken or expired: MEMLIFT_OK, or MEMLIFT_PENDING. Works meanwhile on the host. */
memlift_status memlift_wait_sleep(struct memlift_wait *w);

/* Takes the announcement back, if nobody has woken it. Returns 0 if somebody has. */
int memlift_wait_retract(struct memlift_wait *w);

/* Gives the seat of a host thread back. */
void memlift_wait_done(struct memlift_wait *w);

/* Wakes a waiter that waits for that kind of thing: 1 if this call has woken it. */
int memlift_wake(memlift_context *c, unsigned waiter, enum memlift_wait_kind kind);

/* Ends the waits whose time has run out. */
void memlift_expire(memlift_context *c, uint64_t now);

/* Notes that a task has left its stack. 0: somebody has woken it, and the caller makes it ready. */
int memlift_park_task(memlift_context *c, unsigned waiter);

/* The number of the waiter's wait; 1 while that one has not ended; wakes it if it has not. */
uint64_t memlift_wait_number(const memlift_context *c, unsigned waiter);
int memlift_wait_is_open(const memlift_context *c, unsigned waiter, uint64_t number);
int memlift_wake_if(memlift_context *c, unsigned waiter, uint64_t number);

/* Wakes all that wait for an end of that slot's task, or of any. */
void memlift_wake_awaiting(memlift_context *c, unsigned slot);

/* 1 where a compare and exchange orders any store before it with any load after it: the exchange of
 * the next pull then stands for the barrier between the end of a task and the look at `awaited`. */
#if defined(__x86_64__) && !MEMLIFT_SMALL
#define MEMLIFT_EXCHANGE_ORDERS 1
#else
#define MEMLIFT_EXCHANGE_ORDERS 0
#endif

/* run.c. Wakes who waits for the end of a task. The end is written and `awaited` read; a waiter
 * does the reverse. */
void memlift_tell_of_end(memlift_context *c, const struct memlift_slot *slot);

/* Wakes who waits for the end of the parker's last task, if nobody was told of it yet. */
static inline void memlift_tell_of_last_end(memlift_context *c, struct memlift_parker *me) {
  const struct memlift_slot *slot = me->ended_last;
  if (!MEMLIFT_EXCHANGE_ORDERS || !slot)
    return;
  me->ended_last = NULL;
  memlift_tell_of_end(c, slot);
}

#if defined(__cplusplus)
}
#endif
#pragma GCC visibility pop

#endif
