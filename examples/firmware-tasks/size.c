/* size.c - the unit side of tasks as one program, to see how large it is
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Nothing runs it: it calls all that a task on a hart can call, so that a link with --gc-sections
 * keeps that, and what it needs, and nothing else. A link from `least` on keeps what runs tasks, on
 * a unit without a local store.
 */
#include <memlift/local_store.h>
#include <memlift/sync.h>

#include "tasks/harts.h"
#include "tasks/mover_pdma.h"
#include "tasks/store.h"

/* The arguments are not known when this is compiled. */
void unit(struct memlift_task_options *o, uint64_t ns, uint32_t n, uint8_t *p, uint64_t *args,
          struct memlift_local_store *store, struct memlift_mover_pdma *pdma, memlift_task task,
          struct memlift_semaphore *s, struct memlift_mutex *m, struct memlift_barrier *b,
          struct memlift_events *e, struct memlift_queue *q);
void unit(struct memlift_task_options *o, uint64_t ns, uint32_t n, uint8_t *p, uint64_t *args,
          struct memlift_local_store *store, struct memlift_mover_pdma *pdma, memlift_task task,
          struct memlift_semaphore *s, struct memlift_mutex *m, struct memlift_barrier *b,
          struct memlift_events *e, struct memlift_queue *q) {
  (void)o;
  memlift_mover_pdma_open(pdma, NULL, 0, n);
  memlift_store_bind(store, p, ns, 0);
  memlift_store_move_by(&pdma->mover);
  memlift_hart_serve(n);
  memlift_task_schedule(task, args, (uint8_t)n);
  memlift_task_yield();
  memlift_signal_send(task), memlift_signal_wait(ns);
  memlift_semaphore_acquire(s, ns), memlift_semaphore_release(s, 1);
  memlift_mutex_lock(m, ns), memlift_mutex_unlock(m);
  memlift_barrier_notify(b, &n), memlift_barrier_wait(b, n, ns);
  memlift_events_set(e, n), memlift_events_clear(e, n), memlift_events_wait(e, n, 0, ns, &n);
  memlift_queue_push(q, p, ns), memlift_queue_pop(q, p, ns);
  memlift_store_free(memlift_store_alloc(ns, 64));
  memlift_get(p, args, ns, n), memlift_put(args, p, ns, n);
  memlift_tags_wait(n, 0, ns, &n, NULL);
  memlift_task_exit(0);
}

void least(memlift_task task, uint64_t *args, uint32_t n);
void least(memlift_task task, uint64_t *args, uint32_t n) {
  memlift_hart_serve(n);
  memlift_task_schedule(task, args, (uint8_t)n);
  memlift_task_yield();
}
