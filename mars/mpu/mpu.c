/* mpu.c - the functions of MARS in an image: each is a call of libmemlift_mars by its table
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include <mars/mutex.h>
#include <mars/task.h>
#include <spu_printf.h>

#include "mpu.h"

/* The one symbol of an image, which the library looks up. */
__attribute__((visibility("default"))) struct memlift_mpu_program memlift_mpu_program = {
    .magic = MEMLIFT_MPU_MAGIC,
    .version = MEMLIFT_MPU_VERSION,
    .calls_size = sizeof(struct memlift_mpu_calls),
    .main = mars_task_main,
};

#define calls (memlift_mpu_program.calls)
#define self (memlift_mpu_program.task)

static void *unconst(const void *p) { return (void *)(uintptr_t)p; }

/* ---- Tasks ---------------------------------------------------- */

int mars_task_schedule(const struct mars_task_id *id, const struct mars_task_args *args,
                       uint8_t priority) {
  return calls->task_schedule(id, args, priority);
}
int mars_task_unschedule(const struct mars_task_id *id, int32_t code) {
  return calls->task_unschedule(id, code);
}
int mars_task_wait(const struct mars_task_id *id, int32_t *code) {
  return calls->task_wait(id, code);
}
int mars_task_try_wait(const struct mars_task_id *id, int32_t *code) {
  return calls->task_try_wait(id, code);
}
void mars_task_exit(int32_t code) { calls->task_exit(self, code); }
int mars_task_yield(void) { return calls->task_yield(); }
int mars_task_call_host(uint64_t callback_ea, const struct mars_callback_args *in,
                        struct mars_callback_args *out) {
  return calls->call_host(self, callback_ea, in, out);
}
const struct mars_task_id *mars_task_get_id(void) { return calls->get_id(self); }
uint16_t mars_task_get_kernel_id(void) { return calls->get_kernel_id(); }
uint32_t mars_task_get_ticks(void) { return calls->get_ticks(); }
uint32_t mars_get_ticks(void) { return calls->get_ticks(); }

const char *mars_task_get_name(void) {
  const char *name = (const char *)calls->get_id(self)->name;
  return name[0] ? name : NULL;
}

int spu_printf(const char *format, ...) {
  va_list args;
  va_start(args, format);
  int count = calls->print(format, args);
  va_end(args);
  return count;
}

/* ---- Memory ---------------------------------------------------- */

uint64_t mars_ea_memalign(size_t boundary, size_t size) {
  return calls->ea_memalign(boundary, size);
}
void mars_ea_free(uint64_t ea) { calls->ea_free(ea); }
void *mars_malloc(size_t size) { return mars_ea_to_ptr(calls->ea_memalign(64, size)); }
void *mars_realloc(void *p, size_t size) { return calls->realloc(p, size); }
void mars_free(void *p) { calls->ea_free(mars_ptr_to_ea(p)); }
void mars_ea_get(uint64_t ea, void *to, size_t size) {
  calls->ea_copy(MEMLIFT_MPU_GET, to, ea, size);
}
void mars_ea_put(uint64_t ea, const void *from, size_t size) {
  calls->ea_copy(MEMLIFT_MPU_PUT, (void *)(uintptr_t)from, ea, size);
}

/* ---- Synchronisation ---------------------------------------------------- */

int mars_task_signal_send(const struct mars_task_id *id) { return calls->signal_send(id); }
int mars_task_signal_wait(void) { return calls->signal_wait(0); }
int mars_task_signal_try_wait(void) { return calls->signal_wait(1); }

int mars_task_semaphore_acquire(uint64_t ea) { return calls->semaphore_acquire(ea); }
int mars_task_semaphore_release(uint64_t ea) { return calls->semaphore_release(ea); }

int mars_task_barrier_notify(uint64_t ea) { return calls->barrier_notify(ea, 0); }
int mars_task_barrier_try_notify(uint64_t ea) { return calls->barrier_notify(ea, 1); }
int mars_task_barrier_wait(uint64_t ea) { return calls->barrier_wait(ea, 0); }
int mars_task_barrier_try_wait(uint64_t ea) { return calls->barrier_wait(ea, 1); }

int mars_task_event_flag_clear(uint64_t ea, uint32_t bits) {
  return calls->event_flag_clear(ea, bits);
}
int mars_task_event_flag_set(uint64_t ea, uint32_t bits) { return calls->event_flag_set(ea, bits); }
int mars_task_event_flag_wait(uint64_t ea, uint32_t mask, uint8_t mode, uint32_t *bits) {
  return calls->event_flag_wait(ea, mask, mode, bits, 0);
}
int mars_task_event_flag_try_wait(uint64_t ea, uint32_t mask, uint8_t mode, uint32_t *bits) {
  return calls->event_flag_wait(ea, mask, mode, bits, 1);
}

int mars_mutex_lock(uint64_t ea) { return calls->mutex_lock(ea); }
int mars_mutex_unlock(uint64_t ea) { return calls->mutex_unlock(ea); }
int mars_mutex_lock_get(uint64_t ea, struct mars_mutex *mutex) {
  return calls->mutex_lock_get(ea, mutex);
}
int mars_mutex_unlock_put(uint64_t ea, struct mars_mutex *mutex) {
  return calls->mutex_unlock_put(ea, mutex);
}

/* ---- Queues ---------------------------------------------------- */

int mars_task_queue_count(uint64_t ea, uint32_t *count) { return calls->queue_count(ea, count); }
int mars_task_queue_clear(uint64_t ea) { return calls->queue_clear(ea); }

#define MOVES(name, what, type)                                                                    \
  int mars_task_queue_##name(uint64_t ea, type data) {                                             \
    return calls->queue_move(what, ea, unconst(data), 0);                                          \
  }                                                                                                \
  int mars_task_queue_try_##name(uint64_t ea, type data) {                                         \
    return calls->queue_move(what, ea, unconst(data), 1);                                          \
  }                                                                                                \
  int mars_task_queue_##name##_begin(uint64_t ea, type data, uint32_t tag) {                       \
    return calls->queue_begin(self, what, ea, unconst(data), tag, 0);                              \
  }                                                                                                \
  int mars_task_queue_try_##name##_begin(uint64_t ea, type data, uint32_t tag) {                   \
    return calls->queue_begin(self, what, ea, unconst(data), tag, 1);                              \
  }                                                                                                \
  int mars_task_queue_##name##_end(uint64_t ea, uint32_t tag) {                                    \
    return calls->queue_end(self, what, ea, tag);                                                  \
  }
MOVES(push, MEMLIFT_MPU_PUSHES, const void *)
MOVES(pop, MEMLIFT_MPU_POPS, void *)
MOVES(peek, MEMLIFT_MPU_PEEKS, void *)
