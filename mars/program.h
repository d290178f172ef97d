/* program.h - what an image of memlift-mpu-cc and libmemlift_mars know of each other
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * An image is a shared object that exports one symbol, memlift_mpu_program. libmemlift_mars maps a
 * fresh copy of it for each task, fills in the members below, and calls its main. The image reaches
 * the library through the table of calls alone: so it does not matter whether the host program has
 * the library as an archive or as a shared object, and names of the image and of the host program
 * never meet. libmemlift_mpu.a, which each image is linked with, has the functions of MARS and of
 * spu_mfcio.h that use the table.
 */
#ifndef MEMLIFT_MARS_PROGRAM_H
#define MEMLIFT_MARS_PROGRAM_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "include/mars/callback_types.h"
#include "include/mars/mutex_types.h"
#include "include/mars/task_types.h"

#define MEMLIFT_MPU_MAGIC 0x55504d4cu /* "LMPU" */

/* Changes with the table, where that does not only grow at its end. */
#define MEMLIFT_MPU_VERSION 1u

struct memlift_mars_task;

/* A transfer begins, or ends, so. */
enum memlift_mpu_way { MEMLIFT_MPU_GET, MEMLIFT_MPU_PUT };
enum memlift_mpu_queue { MEMLIFT_MPU_PUSHES, MEMLIFT_MPU_POPS, MEMLIFT_MPU_PEEKS };

/* The reservation of a line (spu_mfcio.h), kept in the image. */
struct memlift_mpu_line {
  uint64_t ea;      /* 0: none */
  uint64_t version; /* of the line, when it was got */
  uint64_t words[16];
};

struct memlift_mpu_calls {
  /* Tasks. */
  int (*task_schedule)(const struct mars_task_id *, const struct mars_task_args *, uint8_t);
  int (*task_unschedule)(const struct mars_task_id *, int32_t);
  int (*task_wait)(const struct mars_task_id *, int32_t *);
  int (*task_try_wait)(const struct mars_task_id *, int32_t *);
  void (*task_exit)(struct memlift_mars_task *, int32_t) __attribute__((noreturn));
  int (*task_yield)(void);
  int (*call_host)(struct memlift_mars_task *, uint64_t, const struct mars_callback_args *,
                   struct mars_callback_args *);
  const struct mars_task_id *(*get_id)(const struct memlift_mars_task *);
  uint16_t (*get_kernel_id)(void);
  uint32_t (*get_ticks)(void);
  int (*print)(const char *, va_list);
  /* Memory. */
  uint64_t (*ea_memalign)(size_t, size_t);
  void *(*realloc)(void *, size_t);
  void (*ea_free)(uint64_t);
  /* Synchronisation. */
  int (*signal_send)(const struct mars_task_id *);
  int (*signal_wait)(int try_only);
  int (*semaphore_acquire)(uint64_t);
  int (*semaphore_release)(uint64_t);
  int (*barrier_notify)(uint64_t, int try_only);
  int (*barrier_wait)(uint64_t, int try_only);
  int (*event_flag_clear)(uint64_t, uint32_t);
  int (*event_flag_set)(uint64_t, uint32_t);
  int (*event_flag_wait)(uint64_t, uint32_t, uint8_t, uint32_t *, int try_only);
  int (*queue_count)(uint64_t, uint32_t *);
  int (*queue_clear)(uint64_t);
  int (*queue_move)(enum memlift_mpu_queue, uint64_t, void *, int try_only);
  int (*queue_begin)(struct memlift_mars_task *, enum memlift_mpu_queue, uint64_t, void *,
                     uint32_t tag, int try_only);
  int (*queue_end)(struct memlift_mars_task *, enum memlift_mpu_queue, uint64_t, uint32_t tag);
  int (*mutex_lock)(uint64_t);
  int (*mutex_unlock)(uint64_t);
  int (*mutex_lock_get)(uint64_t, struct mars_mutex *);
  int (*mutex_unlock_put)(uint64_t, struct mars_mutex *);
  /* Transfers. `all`: wait for all tags of the mask, for any (0), or for none (-1). */
  void (*move)(enum memlift_mpu_way, volatile void *, uint64_t, uint32_t size, uint32_t tag);
  void (*fence)(uint32_t tag);
  uint32_t (*tags_wait)(uint32_t mask, int all);
  void (*line_get)(struct memlift_mpu_line *, volatile void *, uint64_t);
  int (*line_put)(struct memlift_mpu_line *, const volatile void *, uint64_t, int anyway);
  int (*is_strict)(void);
  void (*refuse)(const struct memlift_mars_task *, const char *what) __attribute__((noreturn));
  /* Complete on return. */
  void (*ea_copy)(enum memlift_mpu_way, void *, uint64_t, size_t);
};

struct memlift_mpu_program {
  uint32_t magic, version;
  uint32_t calls_size; /* bytes of the table that the image was compiled with */
  uint32_t spare;
  int (*main)(const struct mars_task_args *);
  /* Filled in by the library. */
  const struct memlift_mpu_calls *calls;
  struct memlift_mars_task *task;
};

#endif
