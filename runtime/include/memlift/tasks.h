/* tasks.h - workloads that processors pull: contexts, units, tasks
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A context has up to MEMLIFT_TASKS tasks and some units. A task that is scheduled becomes ready; a
 * unit that is free takes the ready task of the highest priority, and of those the one that became
 * ready first. Nobody sends a task to a unit. A host thread (any thread that is not a unit) that
 * waits for a task works meanwhile: it takes ready tasks itself. So a context without units is
 * complete, and nothing depends on how many CPUs there are.
 *
 *   kinds        units are threads of this process, or processes of their own, each pinned to a
 *                CPU; or, on bare metal, the harts of a board
 *   processes    With MEMLIFT_UNITS_PROCESSES each unit is a child of the process, forked when the
 *                context is created. The context, its tasks and their stacks, and what
 *                memlift_shared_alloc gives are shared, at one address in all. All other memory is
 *                the unit's own copy, as it was then. Objects of sync.h, and the buffers of queues,
 *                must be shared: MEMLIFT_INVALID_ARGUMENT. So must be what tasks are given to
 *                write. Functions must have been in the process then (no dlopen later). A unit is
 *                the child of a process with threads: malloc works in it (glibc), but what another
 *                thread held then stays held, such as the lock of a FILE. Descriptors are those
 *                that were open then. Waiting host threads run no tasks for them. A task with a
 *                stack must not fork there, as its child would share the stack; posix_spawn is
 *                right. All signals are blocked, so a bad address ends the unit. The program gets
 *                SIGCHLD for a unit that ends; it may reap it. Needs Linux 5.3, else
 *                MEMLIFT_NOT_PRESENT.
 *   loss         A unit whose process ends is lost, within 5 ms; another one takes its place. Tasks
 *                that it had begun end as lost, or begin anew (on_loss): waits for them give
 *                MEMLIFT_LOST. Their mutexes go to the next owner with MEMLIFT_LOST, their tickets
 *                of queues are void, what they had taken of semaphores is gone. Nothing else stops.
 *                Units end with the process, whatever ends it, or with the thread in it that keeps
 *                them; nothing is left then.
 *   tasks        run-complete (stack 0): runs on the stack of whoever takes it, from its beginning
 *                to its end, and must not block. With a stack of its own: may block and yield; once
 *                begun it stays on its unit.
 *   who runs     Units run all tasks. A waiting host thread runs run-complete ones, and in a
 *                context without units all. Tasks that are for certain units only run on those.
 *   priorities   0 to 255, 255 is the most urgent; strict, but for MEMLIFT_CONTEXT_AGEING
 *   cost         No lock on the way of schedule, pull, end and wait; no system call unless a unit
 *                or a waiting thread sleeps. Only memlift_context_create and memlift_task_create
 *                allocate.
 *   time         `ns` is in nanoseconds, of the monotonic clock. 0 tries, and gives MEMLIFT_BUSY;
 *                MEMLIFT_FOR_EVER has no limit; else MEMLIFT_PENDING when the time is over. Time
 *                that has run out is noticed when a unit or a waiting thread is between two tasks.
 *   threads      any thread, any task; destroying is for the last user of what is destroyed
 *   signals      not async-signal-safe; unit threads block all signals
 *   local store  Each unit has one (local_store.h), unless MEMLIFT_STORES threads have one or the
 *                context is MEMLIFT_CONTEXT_NO_STORE. Tasks of a unit share its bytes, and nothing
 *                else: what a task has allocated stays its own while it waits, and its tags are its
 *                own. When a task ends, its transfers are waited for, and what it has not freed is
 *                freed. memlift_store_release is about the calling task; memlift_store_unbind gives
 *                MEMLIFT_WRONG_SIDE. A task that a waiting host thread runs finds the store of that
 *                thread, if it has bound one, on the same terms; if it has a stack, it must hold
 *                nothing of that store while it waits, as it may go on in another thread.
 *   stack        of a unit thread 512 KiB, for run-complete tasks; the library needs 1 KiB of it
 *   fork         A child has none of the parent's contexts: every call for one gives
 *                MEMLIFT_NOT_PRESENT, but for memlift_context_destroy. It may create its own. A
 *                task that forks must leave its child by _exit or exec.
 *   C++          no exception may leave a task
 *   statistics   With MEMLIFT_STATS=FILE the counters of each unit are appended to FILE when the
 *                program ends; memlift-info --stats prints them.
 *   state        errno belongs to the thread: a task with a stack may find another value after it
 *                has blocked. Rounding modes stay with the task.
 *
 * Errors of all functions: MEMLIFT_INVALID_ARGUMENT for a NULL, a value out of range, a task that
 * was destroyed (also when its place is in use again) or whose context was; MEMLIFT_NOT_PRESENT in
 * builds for 32 bits or without an operating system or a board (tasks/harts.h), and in a child.
 */
#ifndef MEMLIFT_TASKS_H
#define MEMLIFT_TASKS_H

#include "memlift.h"

#if defined(__cplusplus)
extern "C" {
#endif

#define MEMLIFT_UNITS 64u     /* of a context, at most */
#define MEMLIFT_TASKS 1024u   /* created at once in a context, at most */
#define MEMLIFT_CONTEXTS 64u  /* at once in a process, at most */
#define MEMLIFT_TASK_NAME 24u /* bytes of a name, with its end */
#define MEMLIFT_FOR_EVER UINT64_MAX
#define MEMLIFT_UNITS_ALL UINT32_MAX /* one unit on each CPU but the one in use */

/* ---- Contexts ------------------------------------------------------------------------------ */

/* Tasks and the units that run them. */
typedef struct memlift_context memlift_context;

#define MEMLIFT_UNITS_THREADS 0u   /* threads of this process */
#define MEMLIFT_UNITS_PROCESSES 1u /* processes of their own, over one memory */
#define MEMLIFT_UNITS_HARTS 2u     /* on bare metal: the harts of the board */

/* A task that was passed over MEMLIFT_AGEING times counts as one priority higher, and so on. Of
 * tasks of equal rank the one with the higher priority of its own goes first. The first task of
 * priority p is taken after at most MEMLIFT_AGEING * (256 - p) + 256 others. */
#define MEMLIFT_CONTEXT_AGEING 1u
#define MEMLIFT_AGEING 16u

/* Units have no local store. */
#define MEMLIFT_CONTEXT_NO_STORE 2u
#define MEMLIFT_UNIT_STORE ((size_t)256 << 10) /* bytes of a unit's local store, unless asked for */

/* All members may be 0. */
struct memlift_context_options {
  uint32_t units; /* 0: none, whoever waits works; at most MEMLIFT_UNITS, or MEMLIFT_UNITS_ALL */
  uint32_t kind;  /* a value of above; MEMLIFT_NOT_PRESENT: there are none here */
  uint32_t flags; /* MEMLIFT_CONTEXT_ values */
  /* The CPUs of the units, which take turns, in the form of MEMLIFT_THREADS (memlift.h). NULL: all
   * that the process may use, the one in use last. */
  const char *cpus;
  size_t store;  /* bytes of each unit's local store; 0: MEMLIFT_UNIT_STORE */
  size_t shared; /* bytes for memlift_shared_alloc; 0: MEMLIFT_SHARED */
  /* Nanoseconds for which a unit may be at one task without a wait or a yield: one that takes
   * longer is killed, within half of that more. 0: no limit. Only for processes, else
   * MEMLIFT_NOT_PRESENT. */
  uint64_t lease_ns;
  /* More memory that all units find at its address, as it was mapped MAP_SHARED before: what they
   * wait for may be in it as well. Only processes ask for that. */
  void *memory;
  size_t memory_size;
};

#define MEMLIFT_SHARED ((size_t)64 << 20) /* of address space: what is not used takes no memory */
#define MEMLIFT_SHARED_PIECES 4096u       /* allocated at once in a context, at most */

/* Creates a context, and gives *context. size is sizeof *options as the caller was compiled.
 *   MEMLIFT_LIMIT         there are MEMLIFT_CONTEXTS
 *   MEMLIFT_NO_RESOURCES  no memory, no thread */
MEMLIFT_API memlift_status memlift_context_create(memlift_context **context,
                                                  const struct memlift_context_options *options,
                                                  size_t size) MEMLIFT_NOEXCEPT;

/* Ends the units and frees all tasks. Not to be called by a task: MEMLIFT_WRONG_SIDE.
 *   MEMLIFT_WRONG_STATE  tasks are scheduled that have not ended, or threads wait; nothing done */
MEMLIFT_API memlift_status memlift_context_destroy(memlift_context *context) MEMLIFT_NOEXCEPT;

/* Looks after units that are processes now, and gives the number of those that were lost since the
 * context was created, unless lost is NULL. Not needed: they are looked after anyway. What has been
 * lost before the call has been ended or begun anew on return.
 *   MEMLIFT_WRONG_SIDE  the caller is in a unit's process */
MEMLIFT_API memlift_status memlift_context_check(memlift_context *context,
                                                 unsigned *lost) MEMLIFT_NOEXCEPT;

/* Allocates memory that all units of the context have at one address, in a context with threads as
 * well. alignment is a power of two, and 64 if it is less. It is not cleared. NULL: there is no
 * room, there are MEMLIFT_SHARED_PIECES, the caller is in a unit's process, or this is bare metal,
 * where all memory is shared. */
MEMLIFT_API void *memlift_shared_alloc(memlift_context *context, size_t size,
                                       size_t alignment) MEMLIFT_NOEXCEPT;

/* Frees what memlift_shared_alloc returned; anything else is ignored. The context's end frees all.
 * */
MEMLIFT_API void memlift_shared_free(memlift_context *context, void *p) MEMLIFT_NOEXCEPT;

struct memlift_task_counters {
  uint64_t scheduled;   /* tasks that were scheduled */
  uint64_t unscheduled; /* of those, taken back before they began */
  uint64_t ended;       /* of those, run to their end */
  uint64_t by_hosts;    /* times that a waiting host thread took a task */
  uint64_t pulls;       /* times that a unit or a host thread took a task */
  uint64_t blocked;     /* times that a task left its unit to wait */
  uint64_t yielded;     /* times that a task gave way to another one */
  uint64_t time_outs;   /* waits of tasks and hosts that ended by time */
  uint64_t sleeps;      /* times that a unit or a waiting host thread slept */
  uint64_t wakes;       /* notifications of sleepers */
  uint64_t lost_locks;  /* mutexes whose owner ended with them */
  uint64_t host_calls;  /* calls that host threads carried out */
  uint64_t empty;       /* times that a unit or a host thread looked for a task and found none */
  uint64_t lost_tasks;  /* tasks that ended with the loss of their unit */
  uint64_t restarted;   /* times that a task began anew for that */
  uint64_t lost_units;  /* units whose process has ended */
};

/* Fills *out. size is sizeof *out as the caller was compiled. The counters are each exact, not
 * taken at one instant. */
MEMLIFT_API memlift_status memlift_context_count(const memlift_context *context,
                                                 struct memlift_task_counters *out,
                                                 size_t size) MEMLIFT_NOEXCEPT;

/* ---- Tasks --------------------------------------------------------------------------------- */

/* Stands for a task. 0 is none. */
typedef struct memlift_task {
  uint64_t id;
} memlift_task;

/* A task's program: gets a copy of the arguments of its schedule, returns its code. */
typedef int32_t (*memlift_task_function)(const uint64_t args[4]);

/* All members may be 0. */
struct memlift_task_options {
  const char *name; /* copied, cut to MEMLIFT_TASK_NAME - 1 bytes */
  /* Bytes; 0: run-complete. Rounded up to whole pages and to MEMLIFT_TASK_STACK at least; below it
   * is a page that may not be accessed. */
  size_t stack;
  uint64_t units;   /* bit i: it may run on unit i; 0: anywhere */
  uint32_t on_loss; /* what becomes of it when its unit is lost: MEMLIFT_LOSS_ value */
};
#define MEMLIFT_TASK_STACK ((size_t)16384)
/* On bare metal: rounded up to multiples of 64, and to this at least. There is no page below it.
 * Where the unit has a local store with room, the task runs on a stack of that size in there. */
#define MEMLIFT_TASK_STACK_BARE ((size_t)4096)
#define MEMLIFT_PROCESS_STACK ((size_t)256 << 10) /* of units that are processes: 8 KiB less */

#define MEMLIFT_LOSS_FAIL 0u    /* it ends, and waits for it give MEMLIFT_LOST */
#define MEMLIFT_LOSS_RESTART 1u /* it begins anew with its arguments, 16 times, and then ends so */

/* Creates a task, which is not scheduled yet. options may be NULL, with size 0.
 *   MEMLIFT_LIMIT         there are MEMLIFT_TASKS
 *   MEMLIFT_NO_RESOURCES  no memory for its stack
 *   MEMLIFT_NOT_PRESENT   tasks with a stack cannot run here: the system checks return addresses
 *                         by a shadow stack (x86-64 SHSTK) */
MEMLIFT_API memlift_status memlift_task_create(memlift_context *context, memlift_task *task,
                                               memlift_task_function function,
                                               const struct memlift_task_options *options,
                                               size_t size) MEMLIFT_NOEXCEPT;

/* Frees a task. MEMLIFT_WRONG_STATE: it is scheduled and has not ended. */
MEMLIFT_API memlift_status memlift_task_destroy(memlift_task task) MEMLIFT_NOEXCEPT;

/* Makes a task ready. It may be scheduled again each time that it has ended. args may be NULL, for
 * zeros. What the caller has written before is seen by the task.
 *   MEMLIFT_WRONG_STATE  it is scheduled and has not ended */
MEMLIFT_API memlift_status memlift_task_schedule(memlift_task task, const uint64_t args[4],
                                                 uint8_t priority) MEMLIFT_NOEXCEPT;

/* Schedules count tasks of one context, in their order; sleepers are woken once, at the end. args
 * may be NULL. Ends at the first that cannot be scheduled, and gives its status; those before it
 * stay scheduled. */
MEMLIFT_API memlift_status memlift_task_schedule_many(const memlift_task *tasks,
                                                      const uint64_t (*args)[4], unsigned count,
                                                      uint8_t priority) MEMLIFT_NOEXCEPT;

/* Takes back a task that has not begun: it ends with that code.
 *   MEMLIFT_WRONG_STATE  it is not scheduled, or has begun: then only the task can end itself */
MEMLIFT_API memlift_status memlift_task_unschedule(memlift_task task,
                                                   int32_t code) MEMLIFT_NOEXCEPT;

/* Waits until a task has ended, and gives its code unless that is NULL. Any number may wait for one
 * task, and later, too, until it is scheduled again. All that the task has written is seen.
 *   MEMLIFT_LOST           its unit was lost; the code is MEMLIFT_LOST
 *   MEMLIFT_WRONG_STATE    it was never scheduled, or is the caller
 *   MEMLIFT_CANNOT_SWITCH  a run-complete task would have to wait
 *   MEMLIFT_WRONG_SIDE     a task would have to wait for one of another context */
MEMLIFT_API memlift_status memlift_task_wait(memlift_task task, uint64_t ns,
                                             int32_t *code) MEMLIFT_NOEXCEPT;

/* Waits until the first of count tasks of one context has ended, in the order of the list where
 * several have; *which is its index, unless that is NULL. Errors as for memlift_task_wait. */
MEMLIFT_API memlift_status memlift_task_wait_any(const memlift_task *tasks, unsigned count,
                                                 uint64_t ns, unsigned *which,
                                                 int32_t *code) MEMLIFT_NOEXCEPT;

/* ---- Calls of tasks ------------------------------------------------------------------------ */

/* Lets the ready tasks of the unit that are as urgent as this one, or more, go first.
 *   MEMLIFT_WRONG_SIDE     the caller is no task
 *   MEMLIFT_CANNOT_SWITCH  it is run-complete */
MEMLIFT_API memlift_status memlift_task_yield(void) MEMLIFT_NOEXCEPT;

/* Ends the calling task with that code, from any depth of calls. No destructor runs. Undefined
 * where the caller is no task. */
MEMLIFT_API __attribute__((noreturn)) void memlift_task_exit(int32_t code) MEMLIFT_NOEXCEPT;

/* The calling task; {0} on the host. */
MEMLIFT_API memlift_task memlift_task_self(void) MEMLIFT_NOEXCEPT;

/* Number of the unit that the caller runs on, from 0; UINT_MAX on a host thread. */
MEMLIFT_API unsigned memlift_task_unit(void) MEMLIFT_NOEXCEPT;

/* Name of the calling task, which lives as long as the task; "" on the host. */
MEMLIFT_API const char *memlift_task_name(void) MEMLIFT_NOEXCEPT;

/* A function that a task wants a host thread to run. */
typedef void (*memlift_host_function)(const uint64_t in[6], uint64_t out[6]);

/* Has a host thread run a function, and waits for it. in and out may be NULL. Host threads do that
 * while they are in memlift_context_serve or in a wait of this header or of sync.h for this
 * context.
 *   MEMLIFT_WRONG_SIDE     the caller is no task
 *   MEMLIFT_CANNOT_SWITCH  it is run-complete */
MEMLIFT_API memlift_status memlift_task_call_host(memlift_host_function function,
                                                  const uint64_t in[6],
                                                  uint64_t out[6]) MEMLIFT_NOEXCEPT;

/* Runs functions that tasks want to have run, until there are none; if there are none, waits for
 * the first. Works meanwhile, as all waits do.
 *   MEMLIFT_OK          at least one was run
 *   MEMLIFT_WRONG_SIDE  the caller is a task */
MEMLIFT_API memlift_status memlift_context_serve(memlift_context *context,
                                                 uint64_t ns) MEMLIFT_NOEXCEPT;

#if defined(__cplusplus)
}
#endif

#endif
