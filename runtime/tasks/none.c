/* none.c - memlift/tasks.h and sync.h for 32 bits, and for kernels and firmware that do not ask for
 * tasks: no contexts
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * So no task exists that another function could be called for.
 */
#include "../config.h"

#if !MEMLIFT_HAVE_TASKS
#include "../include/memlift/sync.h"

memlift_status memlift_context_create(memlift_context **context,
                                      const struct memlift_context_options *options, size_t size) {
  return context && (!options || size) ? MEMLIFT_NOT_PRESENT : MEMLIFT_INVALID_ARGUMENT;
}

memlift_status memlift_context_destroy(memlift_context *context) {
  (void)context;
  return MEMLIFT_INVALID_ARGUMENT;
}

memlift_status memlift_context_check(memlift_context *context, unsigned *lost) {
  (void)context, (void)lost;
  return MEMLIFT_INVALID_ARGUMENT;
}

void *memlift_shared_alloc(memlift_context *context, size_t size, size_t alignment) {
  (void)context, (void)size, (void)alignment;
  return NULL;
}

void memlift_shared_free(memlift_context *context, void *p) { (void)context, (void)p; }

memlift_status memlift_context_count(const memlift_context *context,
                                     struct memlift_task_counters *out, size_t size) {
  (void)context, (void)out, (void)size;
  return MEMLIFT_INVALID_ARGUMENT;
}

memlift_status memlift_context_serve(memlift_context *context, uint64_t ns) {
  (void)context, (void)ns;
  return MEMLIFT_INVALID_ARGUMENT;
}

memlift_status memlift_task_create(memlift_context *context, memlift_task *task,
                                   memlift_task_function function,
                                   const struct memlift_task_options *options, size_t size) {
  (void)context, (void)task, (void)function, (void)options, (void)size;
  return MEMLIFT_INVALID_ARGUMENT;
}

memlift_status memlift_task_destroy(memlift_task task) {
  (void)task;
  return MEMLIFT_INVALID_ARGUMENT;
}

memlift_status memlift_task_schedule(memlift_task task, const uint64_t args[4], uint8_t priority) {
  (void)task, (void)args, (void)priority;
  return MEMLIFT_INVALID_ARGUMENT;
}

memlift_status memlift_task_schedule_many(const memlift_task *tasks, const uint64_t (*args)[4],
                                          unsigned count, uint8_t priority) {
  (void)tasks, (void)args, (void)count, (void)priority;
  return MEMLIFT_INVALID_ARGUMENT;
}

memlift_status memlift_task_unschedule(memlift_task task, int32_t code) {
  (void)task, (void)code;
  return MEMLIFT_INVALID_ARGUMENT;
}

memlift_status memlift_task_wait(memlift_task task, uint64_t ns, int32_t *code) {
  (void)task, (void)ns, (void)code;
  return MEMLIFT_INVALID_ARGUMENT;
}

memlift_status memlift_task_wait_any(const memlift_task *tasks, unsigned count, uint64_t ns,
                                     unsigned *which, int32_t *code) {
  (void)tasks, (void)count, (void)ns, (void)which, (void)code;
  return MEMLIFT_INVALID_ARGUMENT;
}

memlift_status memlift_task_yield(void) { return MEMLIFT_WRONG_SIDE; }

/* Undefined where the caller is no task, and there is none. */
void memlift_task_exit(int32_t code) {
  (void)code;
  __builtin_trap();
}

memlift_task memlift_task_self(void) {
  memlift_task none = {0};
  return none;
}

unsigned memlift_task_unit(void) { return UINT32_MAX; }

const char *memlift_task_name(void) { return ""; }

memlift_status memlift_task_call_host(memlift_host_function function, const uint64_t in[6],
                                      uint64_t out[6]) {
  (void)in, (void)out;
  return function ? MEMLIFT_WRONG_SIDE : MEMLIFT_INVALID_ARGUMENT;
}

/* ---- sync.h ---- */

memlift_status memlift_signal_send(memlift_task task) {
  (void)task;
  return MEMLIFT_INVALID_ARGUMENT;
}

memlift_status memlift_signal_wait(uint64_t ns) {
  (void)ns;
  return MEMLIFT_INVALID_ARGUMENT;
}

memlift_status memlift_semaphore_init(memlift_context *context, struct memlift_semaphore *semaphore,
                                      int32_t count) {
  (void)context, (void)semaphore, (void)count;
  return MEMLIFT_INVALID_ARGUMENT;
}

memlift_status memlift_semaphore_acquire(struct memlift_semaphore *semaphore, uint64_t ns) {
  (void)semaphore, (void)ns;
  return MEMLIFT_INVALID_ARGUMENT;
}

memlift_status memlift_semaphore_release(struct memlift_semaphore *semaphore, int32_t count) {
  (void)semaphore, (void)count;
  return MEMLIFT_INVALID_ARGUMENT;
}

memlift_status memlift_mutex_init(memlift_context *context, struct memlift_mutex *mutex) {
  (void)context, (void)mutex;
  return MEMLIFT_INVALID_ARGUMENT;
}

memlift_status memlift_mutex_lock(struct memlift_mutex *mutex, uint64_t ns) {
  (void)mutex, (void)ns;
  return MEMLIFT_INVALID_ARGUMENT;
}

memlift_status memlift_mutex_unlock(struct memlift_mutex *mutex) {
  (void)mutex;
  return MEMLIFT_INVALID_ARGUMENT;
}

memlift_status memlift_barrier_init(memlift_context *context, struct memlift_barrier *barrier,
                                    uint32_t total) {
  (void)context, (void)barrier, (void)total;
  return MEMLIFT_INVALID_ARGUMENT;
}

memlift_status memlift_barrier_notify(struct memlift_barrier *barrier, uint32_t *round) {
  (void)barrier, (void)round;
  return MEMLIFT_INVALID_ARGUMENT;
}

memlift_status memlift_barrier_wait(struct memlift_barrier *barrier, uint32_t round, uint64_t ns) {
  (void)barrier, (void)round, (void)ns;
  return MEMLIFT_INVALID_ARGUMENT;
}

memlift_status memlift_events_init(memlift_context *context, struct memlift_events *events,
                                   uint32_t how) {
  (void)context, (void)events, (void)how;
  return MEMLIFT_INVALID_ARGUMENT;
}

memlift_status memlift_events_set(struct memlift_events *events, uint32_t bits) {
  (void)events, (void)bits;
  return MEMLIFT_INVALID_ARGUMENT;
}

memlift_status memlift_events_clear(struct memlift_events *events, uint32_t bits) {
  (void)events, (void)bits;
  return MEMLIFT_INVALID_ARGUMENT;
}

memlift_status memlift_events_wait(struct memlift_events *events, uint32_t mask, uint32_t how,
                                   uint64_t ns, uint32_t *bits) {
  (void)events, (void)mask, (void)how, (void)ns, (void)bits;
  return MEMLIFT_INVALID_ARGUMENT;
}

memlift_status memlift_queue_init(memlift_context *context, struct memlift_queue *queue,
                                  void *buffer, size_t entry, uint32_t depth) {
  (void)context, (void)queue, (void)buffer, (void)entry, (void)depth;
  return MEMLIFT_INVALID_ARGUMENT;
}

memlift_status memlift_queue_push(struct memlift_queue *queue, const void *data, uint64_t ns) {
  (void)queue, (void)data, (void)ns;
  return MEMLIFT_INVALID_ARGUMENT;
}

memlift_status memlift_queue_pop(struct memlift_queue *queue, void *data, uint64_t ns) {
  (void)queue, (void)data, (void)ns;
  return MEMLIFT_INVALID_ARGUMENT;
}

memlift_status memlift_queue_peek(struct memlift_queue *queue, void *data, uint64_t ns) {
  (void)queue, (void)data, (void)ns;
  return MEMLIFT_INVALID_ARGUMENT;
}

memlift_status memlift_queue_push_begin(struct memlift_queue *queue, const void *data, unsigned tag,
                                        uint64_t ns, uint32_t *ticket) {
  (void)queue, (void)data, (void)tag, (void)ns, (void)ticket;
  return MEMLIFT_INVALID_ARGUMENT;
}

memlift_status memlift_queue_push_end(struct memlift_queue *queue, uint32_t ticket) {
  (void)queue, (void)ticket;
  return MEMLIFT_INVALID_ARGUMENT;
}

memlift_status memlift_queue_pop_begin(struct memlift_queue *queue, void *data, unsigned tag,
                                       uint64_t ns, uint32_t *ticket) {
  (void)queue, (void)data, (void)tag, (void)ns, (void)ticket;
  return MEMLIFT_INVALID_ARGUMENT;
}

memlift_status memlift_queue_pop_end(struct memlift_queue *queue, uint32_t ticket) {
  (void)queue, (void)ticket;
  return MEMLIFT_INVALID_ARGUMENT;
}

memlift_status memlift_queue_count(const struct memlift_queue *queue, uint32_t *count) {
  (void)queue, (void)count;
  return MEMLIFT_INVALID_ARGUMENT;
}

memlift_status memlift_queue_close(struct memlift_queue *queue) {
  (void)queue;
  return MEMLIFT_INVALID_ARGUMENT;
}
#else
typedef int memlift_has_tasks; /* a translation unit must not be empty */
#endif
