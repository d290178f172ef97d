/* task.c - tasks of MARS, each of which is one of libmemlift with an image of its own
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A task of libmemlift gets the record's address and which of two copies of the arguments is meant.
 * A schedule writes the copy that no run uses, and turns to the other one if it succeeds.
 */
#include "mars.h"

#include <sched.h>
#include <string.h>

/* workload_id: the place of the record, and above that the low bits of its generation. */
#define PLACE_BITS 10u
_Static_assert(MEMLIFT_TASKS == 1u << PLACE_BITS, "a place has PLACE_BITS bits");

/* ---- Records ---------------------------------------------------- */

static uint16_t id_of(const struct memlift_mars_task *t, unsigned place) {
  return (uint16_t)(t->generation << PLACE_BITS | place);
}

/* MARS_SUCCESS, and the record that an id stands for. */
static int find(const struct mars_task_id *id, struct memlift_mars_task **task) {
  const struct mars_context *c =
      id ? (struct mars_context *)mars_ea_to_ptr(id->mars_context_ea) : NULL;
  if (!id)
    return MARS_ERROR_NULL;
  if (!memlift_mars_known(c))
    return MARS_ERROR_PARAMS;
  unsigned place = id->workload_id & (MEMLIFT_TASKS - 1);
  /* Acquire: pairs with the release in mars_task_create. */
  struct memlift_mars_task *t = __atomic_load_n(&c->task[place], __ATOMIC_ACQUIRE);
  if (!t || !__atomic_load_n(&t->used, __ATOMIC_ACQUIRE) || id_of(t, place) != id->workload_id)
    return MARS_ERROR_PARAMS;
  *task = t;
  return MARS_SUCCESS;
}

/* A record that no task has; under the lock of the context. */
static struct memlift_mars_task *take_record(struct mars_context *c, unsigned *place) {
  for (unsigned i = 0; i < MEMLIFT_TASKS; i++) {
    struct memlift_mars_task *t = c->task[i];
    if (t && t->used)
      continue;
    if (!t) {
      t = (struct memlift_mars_task *)mars_malloc(sizeof *t);
      if (!t)
        return NULL;
      memset(t, 0, sizeof *t);
      t->context = c;
      __atomic_store_n(&c->task[i], t, __ATOMIC_RELEASE); /* release: see find */
    }
    *place = i;
    return t;
  }
  return NULL;
}

/* ---- A run ---------------------------------------------------- */

/* In a unit's process: its copy of the program is that process's alone. A run before may have ended
 * with its process, and left what it had begun. */
static int32_t run_here(struct memlift_mars_task *t, const struct mars_task_args *args) {
  memlift_mars_adopt(t->context);
  memlift_mars_queue_forsake(t);
  const struct memlift_mars_image *image = memlift_mars_image_here(t);
  if (!image)
    memlift_mars_refuse(t, "its program cannot be mapped in the process of its unit");
  int32_t code = image->program->main(args);
  memlift_mars_queue_forsake(t);
  return code;
}

static int32_t run(const uint64_t args[4]) {
  struct memlift_mars_task *t = (struct memlift_mars_task *)mars_ea_to_ptr(args[0]);
  if (t->context->request)
    return run_here(t, &t->args[args[1]]);
  if (t->ran)
    memlift_mars_image_renew(&t->image);
  t->ran = 1;
  int32_t code = t->image.program->main(&t->args[args[1]]);
  memlift_mars_queue_forsake(t);
  return code;
}

void memlift_mars_task_exit(struct memlift_mars_task *t, int32_t code) {
  memlift_mars_queue_forsake(t);
  memlift_task_exit(code);
}

/* ---- Creating and destroying ---------------------------------------------------- */

/* Without units of its own a task may run on any unit, and not on host threads that wait. */
static uint64_t all_units(const struct mars_context *c) {
  return c->units == 64 ? UINT64_MAX : ((uint64_t)1 << c->units) - 1;
}

/* Units open the image by themselves, from a copy that they have: this was to see that it can be
 * opened. */
static int share_image(struct memlift_mars_task *t) {
  memlift_mars_image_close(&t->image);
  void *copy = mars_malloc(t->elf_size);
  if (!copy)
    return MARS_ERROR_MEMORY;
  memcpy(copy, t->elf, t->elf_size);
  t->elf = t->shared_elf = copy;
  return MARS_SUCCESS;
}

/* Also of a task that was not created. */
static void close_image(struct memlift_mars_task *t) {
  memlift_mars_image_close(&t->image);
  mars_free(t->shared_elf);
  t->shared_elf = NULL;
}

void memlift_mars_task_free(struct memlift_mars_task *t) {
  close_image(t);
  mars_free(t);
}

static int begin_record(struct memlift_mars_task *t, const char *name, uint32_t save_size) {
  struct memlift_task_options options = {.name = name, .units = all_units(t->context)};
  options.stack = save_size ? MARS_STACK : 0;
  if (save_size && t->context->request)
    options.stack = MEMLIFT_PROCESS_STACK - 8192;
  t->ran = 0, t->next = 0;
  int error = memlift_mars_image_open(t);
  if (error == MARS_SUCCESS && t->context->request)
    error = share_image(t);
  if (error != MARS_SUCCESS)
    return error;
  error = memlift_mars_error(memlift_semaphore_init(t->context->context, &t->call.done, 0));
  if (error == MARS_SUCCESS)
    error = memlift_mars_error(
        memlift_task_create(t->context->context, &t->task, run, &options, sizeof options));
  if (error != MARS_SUCCESS)
    close_image(t);
  return error;
}

static int create(struct mars_context *c, struct mars_task_id *id, const char *name,
                  uint32_t save_size, const void *elf, size_t elf_size) {
  unsigned place = 0;
  struct memlift_mars_task *t = take_record(c, &place);
  if (!t)
    return c->task[MEMLIFT_TASKS - 1] ? MARS_ERROR_LIMIT : MARS_ERROR_MEMORY;
  t->elf = elf, t->elf_size = elf_size, t->blocks = save_size != 0;
  memset(&t->id, 0, sizeof t->id);
  t->id.mars_context_ea = mars_ptr_to_ea(c);
  t->id.workload_id = id_of(t, place);
  if (name)
    memcpy(t->id.name, name, strlen(name));
  int error = begin_record(t, name, save_size);
  if (error == MARS_SUCCESS) {
    *id = t->id;
    __atomic_store_n(&t->used, 1, __ATOMIC_RELEASE); /* release: pairs with the acquire in find */
  }
  return error;
}

int mars_task_create(struct mars_context *c, struct mars_task_id *id, const char *name,
                     const void *elf_image, uint32_t context_save_size) {
  size_t size = 0;
  if (!c || !id || !elf_image)
    return MARS_ERROR_NULL;
  if ((name && strlen(name) > MARS_TASK_NAME_LEN_MAX) ||
      context_save_size > MARS_TASK_CONTEXT_SAVE_SIZE_MAX || !memlift_mars_known(c))
    return MARS_ERROR_PARAMS;
  if (memlift_mars_is_task())
    return MARS_ERROR_STATE;
  int error = memlift_mars_image_check(elf_image, &size);
  if (error != MARS_SUCCESS)
    return error;
  pthread_mutex_lock(&c->lock);
  error = create(c, id, name, context_save_size, elf_image, size);
  pthread_mutex_unlock(&c->lock);
  return error;
}

int mars_task_destroy(struct mars_task_id *id) {
  struct memlift_mars_task *t = NULL;
  int error = find(id, &t);
  if (error != MARS_SUCCESS)
    return error;
  if (t->context->request && memlift_mars_is_task())
    return MARS_ERROR_STATE;
  pthread_mutex_lock(&t->context->lock);
  error = memlift_mars_error(memlift_task_destroy(t->task));
  if (error == MARS_SUCCESS) {
    close_image(t);
    t->generation++;
    __atomic_store_n(&t->used, 0, __ATOMIC_RELAXED);
    id->mars_context_ea = 0;
  }
  pthread_mutex_unlock(&t->context->lock);
  return error;
}

/* ---- Scheduling and waiting ---------------------------------------------------- */

int mars_task_schedule(const struct mars_task_id *id, const struct mars_task_args *args,
                       uint8_t priority) {
  struct memlift_mars_task *t = NULL;
  int error = find(id, &t);
  if (error != MARS_SUCCESS)
    return error;
  /* Acquire: pairs with the release below. */
  while (__atomic_exchange_n(&t->lock, 1, __ATOMIC_ACQUIRE))
    sched_yield();
  uint32_t copy = t->next;
  const uint64_t words[4] = {mars_ptr_to_ea(t), copy, 0, 0};
  if (args)
    t->args[copy] = *args;
  else
    memset(&t->args[copy], 0, sizeof t->args[copy]);
  error = memlift_mars_error(memlift_task_schedule(t->task, words, priority));
  if (error == MARS_SUCCESS)
    t->next = copy ^ 1;
  /* Release: pairs with the acquire above. */
  __atomic_store_n(&t->lock, 0, __ATOMIC_RELEASE);
  return error;
}

int mars_task_unschedule(const struct mars_task_id *id, int32_t exit_code) {
  struct memlift_mars_task *t = NULL;
  int error = find(id, &t);
  return error != MARS_SUCCESS ? error
                               : memlift_mars_error(memlift_task_unschedule(t->task, exit_code));
}

static int wait_for(const struct mars_task_id *id, int32_t *exit_code, uint64_t ns) {
  struct memlift_mars_task *t = NULL;
  int error = find(id, &t);
  if (error != MARS_SUCCESS)
    return error;
  memlift_status status = memlift_task_wait(t->task, ns, exit_code);
  if (status == MEMLIFT_LOST)
    memlift_mars_settle(t->context);
  return memlift_mars_error(status);
}

int mars_task_wait(const struct mars_task_id *id, int32_t *exit_code) {
  return wait_for(id, exit_code, MEMLIFT_FOR_EVER);
}

int mars_task_try_wait(const struct mars_task_id *id, int32_t *exit_code) {
  return wait_for(id, exit_code, 0);
}

int mars_task_signal_send(const struct mars_task_id *id) {
  struct memlift_mars_task *t = NULL;
  int error = find(id, &t);
  return error != MARS_SUCCESS ? error : memlift_mars_error(memlift_signal_send(t->task));
}
