// host.c - which error each function gives for what
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../../check.h"
#include <libspe2.h>
#include <mars/mutex.h>
#include <sys/wait.h>
#include <unistd.h>

extern spe_program_handle_t mpu_prog;

static struct mars_context *mars, *other;
static uint64_t none;

static void contexts(void) {
  EQUAL(mars_context_create(NULL, 1, 0), MARS_ERROR_NULL);
  EQUAL(mars_context_create(&other, 65, 0), MARS_ERROR_PARAMS);
  EQUAL(mars_context_destroy(NULL), MARS_ERROR_NULL);
  EQUAL(mars_context_destroy((struct mars_context *)&none), MARS_ERROR_PARAMS);
  EQUAL(mars_context_get_num_mpus(NULL), 0);
  EQUAL(mars_context_create(&mars, 2, 0), MARS_SUCCESS);
  EQUAL(mars_context_get_num_mpus(mars), 2);
  CHECK(mars_ptr_to_ea(mars) >> 32 == 0);
  // A shared one is shared with those that want that, and ends with the last of them.
  struct mars_context *first, *second;
  EQUAL(mars_context_create(&first, 1, 1), MARS_SUCCESS);
  EQUAL(mars_context_create(&second, 2, 1), MARS_SUCCESS);
  CHECK(first == second && first != mars);
  EQUAL(mars_context_destroy(first), MARS_SUCCESS);
  EQUAL(mars_context_get_num_mpus(second), 1);
  EQUAL(mars_context_destroy(second), MARS_SUCCESS);
  EQUAL(mars_context_get_num_mpus(second), 0);
  EQUAL(mars_context_destroy(second), MARS_ERROR_PARAMS);
  EQUAL(mars_context_create(&first, 3, 1, 2), MARS_SUCCESS);
  EQUAL(mars_context_get_num_mpus(first), 3);
  EQUAL(mars_context_destroy(first), MARS_SUCCESS);
}

static void tasks(void) {
  struct mars_task_id id, copy, zero = {0};
  const void *image = mpu_prog.elf_image;
  int32_t code = 5;
  uint32_t too_much = MARS_TASK_CONTEXT_SAVE_SIZE_MAX + 1;
  EQUAL(mars_task_create(NULL, &id, "t", image, 0), MARS_ERROR_NULL);
  EQUAL(mars_task_create(mars, NULL, "t", image, 0), MARS_ERROR_NULL);
  EQUAL(mars_task_create(mars, &id, "t", NULL, 0), MARS_ERROR_NULL);
  EQUAL(mars_task_create(mars, &id, "1234567890123456789012", image, 0), MARS_ERROR_PARAMS);
  EQUAL(mars_task_create(mars, &id, "t", image, too_much), MARS_ERROR_PARAMS);
  EQUAL(mars_task_create(mars, &id, "t", "this is no image", 0), MARS_ERROR_FORMAT);
  EQUAL(mars_task_create(mars, &id, "123456789012345678901", image, 0), MARS_SUCCESS);
  EQUAL(mars_ptr_to_ea(mars), id.mars_context_ea);
  EQUAL(strcmp((char *)id.name, "123456789012345678901"), 0);
  EQUAL(mars_task_wait(&id, &code), MARS_ERROR_STATE);
  EQUAL(mars_task_signal_send(&id), MARS_ERROR_STATE);
  EQUAL(mars_task_unschedule(&id, 3), MARS_ERROR_STATE);
  EQUAL(mars_task_schedule(NULL, NULL, 0), MARS_ERROR_NULL);
  EQUAL(mars_task_schedule(&zero, NULL, 0), MARS_ERROR_PARAMS);
  EQUAL(mars_task_wait(&zero, NULL), MARS_ERROR_PARAMS);
  EQUAL(mars_task_try_wait(NULL, NULL), MARS_ERROR_NULL);
  EQUAL(mars_task_unschedule(&zero, 3), MARS_ERROR_PARAMS);
  EQUAL(mars_task_signal_send(NULL), MARS_ERROR_NULL);
  EQUAL(mars_task_destroy(NULL), MARS_ERROR_NULL);
  EQUAL(mars_task_destroy(&zero), MARS_ERROR_PARAMS);
  EQUAL(mars_task_schedule(&id, NULL, 0), MARS_SUCCESS); // zeros: it returns at once
  EQUAL(code_of(&id), 0);
  copy = id;
  EQUAL(mars_task_destroy(&id), MARS_SUCCESS);
  EQUAL(id.mars_context_ea, 0);
  EQUAL(mars_task_schedule(&copy, NULL, 0), MARS_ERROR_PARAMS);
  id = make_task(mars, NULL, image, 0); // has the place of the first one
  EQUAL(mars_task_wait(&copy, NULL), MARS_ERROR_PARAMS);
  EQUAL(mars_task_destroy(&id), MARS_SUCCESS);
}

static void objects(void) {
  uint64_t ea = 0, semaphore = 0, entry[2] = {0};
  uint32_t bits;
  EQUAL(mars_task_semaphore_create(NULL, &ea, 1), MARS_ERROR_NULL);
  EQUAL(mars_task_semaphore_create(mars, NULL, 1), MARS_ERROR_NULL);
  EQUAL(mars_task_semaphore_create(mars, &ea, -1), MARS_ERROR_PARAMS);
  EQUAL(mars_task_semaphore_create(mars, &semaphore, 1), MARS_SUCCESS);
  CHECK(semaphore % 128 == 0 && semaphore >> 32 == 0);
  EQUAL(mars_task_semaphore_acquire(0), MARS_ERROR_NULL);
  EQUAL(mars_task_semaphore_acquire(semaphore + 64), MARS_ERROR_ALIGN);
  EQUAL(mars_task_barrier_wait(semaphore), MARS_ERROR_PARAMS); // it is no barrier
  EQUAL(mars_task_semaphore_destroy(semaphore), MARS_SUCCESS);
  EQUAL(mars_task_barrier_create(mars, &ea, 0), MARS_ERROR_PARAMS);
  EQUAL(mars_task_barrier_create(mars, &ea, 26), MARS_SUCCESS); // MARS has 25 at most
  EQUAL(mars_task_barrier_try_wait(ea), MARS_ERROR_BUSY);
  EQUAL(mars_task_barrier_destroy(ea), MARS_SUCCESS);
  EQUAL(mars_task_barrier_destroy(ea), MARS_ERROR_PARAMS);
  EQUAL(mars_task_barrier_create(mars, &ea, 1), MARS_SUCCESS);
  EQUAL(mars_task_barrier_notify(ea), MARS_SUCCESS);
  EQUAL(mars_task_barrier_try_notify(ea), MARS_ERROR_BUSY);
  EQUAL(mars_task_barrier_try_wait(ea), MARS_SUCCESS);
  EQUAL(mars_task_barrier_try_notify(ea), MARS_SUCCESS);
  EQUAL(mars_task_barrier_destroy(ea), MARS_SUCCESS);

  EQUAL(mars_task_event_flag_create(mars, &ea, 0x13, 0x20), MARS_ERROR_PARAMS);
  EQUAL(mars_task_event_flag_create(mars, &ea, 0x11, 0x22), MARS_ERROR_PARAMS);
  EQUAL(mars_task_event_flag_create(mars, &ea, 0x11, 0x20), MARS_SUCCESS);
  EQUAL(mars_task_event_flag_try_wait(ea, 1, 0x32, &bits), MARS_ERROR_PARAMS);
  EQUAL(mars_task_event_flag_try_wait(ea, 0, 0x30, &bits), MARS_ERROR_PARAMS);
  EQUAL(mars_task_event_flag_try_wait(ea, 1, 0x30, &bits), MARS_ERROR_BUSY);
  EQUAL(mars_task_event_flag_set(ea, 1), MARS_ERROR_STATE); // is the MPU's to set
  EQUAL(mars_task_event_flag_destroy(ea), MARS_SUCCESS);

  EQUAL(mars_task_queue_create(mars, &ea, 0, 4, 0x10), MARS_ERROR_PARAMS);
  EQUAL(mars_task_queue_create(mars, &ea, 16385, 4, 0x10), MARS_ERROR_PARAMS);
  EQUAL(mars_task_queue_create(mars, &ea, 16, 0, 0x10), MARS_ERROR_PARAMS);
  EQUAL(mars_task_queue_create(mars, &ea, 16, 4, 0x13), MARS_ERROR_PARAMS);
  EQUAL(mars_task_queue_create(mars, &ea, 9, 3, 0x10), MARS_SUCCESS); // any size
  for (int i = 0; i < 3; i++)
    EQUAL(mars_task_queue_try_push(ea, entry), MARS_SUCCESS);
  EQUAL(mars_task_queue_try_push(ea, entry), MARS_ERROR_BUSY); // the fourth place is none
  EQUAL(mars_task_queue_try_pop(ea, entry), MARS_ERROR_STATE);
  EQUAL(mars_task_queue_try_peek(ea, entry), MARS_ERROR_STATE);
  EQUAL(mars_task_queue_push(ea, NULL), MARS_ERROR_NULL);
  EQUAL(mars_task_queue_count(ea, NULL), MARS_ERROR_NULL);
  EQUAL(mars_task_queue_count(ea + 1, &bits), MARS_ERROR_ALIGN);
  EQUAL(mars_task_queue_count(ea, &bits) || bits != 3, 0);
  EQUAL(mars_task_queue_clear(ea), MARS_SUCCESS);
  EQUAL(mars_task_queue_count(ea, &bits) || bits, 0);
  EQUAL(mars_task_queue_try_push(ea, entry), MARS_SUCCESS);
  EQUAL(mars_task_queue_destroy(ea), MARS_SUCCESS);
}

// Somebody waits: neither the object nor the context can go.
static void who_is_waited_for(void) {
  uint64_t semaphore = 0;
  int error;
  EQUAL(mars_context_create(&other, 1, 0), MARS_SUCCESS);
  EQUAL(mars_task_semaphore_create(other, &semaphore, 0), MARS_SUCCESS);
  struct mars_task_id id = make_task(other, "waits", mpu_prog.elf_image, 4096);
  struct mars_task_id next = make_task(other, "next", mpu_prog.elf_image, 0);
  struct mars_task_args args = {.type.u64 = {semaphore}};
  EQUAL(mars_task_schedule(&id, &args, 1), MARS_SUCCESS);
  EQUAL(mars_task_schedule(&id, &args, 1), MARS_ERROR_STATE);
  while ((error = mars_task_unschedule(&id, 0)) == MARS_SUCCESS) // not if it has begun
    EQUAL(mars_task_schedule(&id, &args, 1), MARS_SUCCESS);
  EQUAL(error, MARS_ERROR_STATE);
  // There is one MPU: when the less urgent task has run, the other one waits.
  EQUAL(mars_task_schedule(&next, NULL, 0), MARS_SUCCESS);
  EQUAL(code_of(&next), 0);
  EQUAL(mars_task_destroy(&id), MARS_ERROR_STATE);
  EQUAL(mars_task_semaphore_destroy(semaphore), MARS_ERROR_STATE);
  EQUAL(mars_context_destroy(other), MARS_ERROR_STATE);
  EQUAL(mars_task_semaphore_release(semaphore), MARS_SUCCESS);
  EQUAL(code_of(&id), 1);
  EQUAL(mars_task_destroy(&id), MARS_SUCCESS);
  EQUAL(mars_task_semaphore_destroy(semaphore), MARS_SUCCESS);
  EQUAL(mars_context_destroy(other), MARS_SUCCESS);
}

static void mutexes(void) {
  uint64_t ea = 0;
  struct mars_mutex copy;
  EQUAL(mars_mutex_create(NULL), MARS_ERROR_NULL);
  EQUAL(mars_mutex_create(&ea), MARS_SUCCESS);
  EQUAL(mars_mutex_unlock(ea), MARS_ERROR_STATE);
  EQUAL(mars_mutex_lock(0), MARS_ERROR_NULL);
  EQUAL(mars_mutex_lock(ea + 4), MARS_ERROR_ALIGN);
  EQUAL(mars_mutex_lock_get(ea, NULL), MARS_ERROR_NULL);
  EQUAL(mars_mutex_lock_get(ea, &copy), MARS_SUCCESS);
  memset(copy.pad, 0x5a, sizeof copy.pad);
  EQUAL(mars_mutex_unlock_put(ea, &copy), MARS_SUCCESS);
  EQUAL(mars_mutex_unlock_put(ea, &copy), MARS_ERROR_STATE);
  memset(&copy, 0, sizeof copy);
  EQUAL(mars_mutex_lock_get(ea, &copy), MARS_SUCCESS);
  EQUAL(copy.pad[123], 0x5a);
  EQUAL(mars_mutex_reset(ea), MARS_SUCCESS);
  EQUAL(mars_mutex_lock(ea), MARS_SUCCESS);
  EQUAL(mars_mutex_unlock(ea), MARS_SUCCESS);
  EQUAL(mars_mutex_destroy(ea), MARS_SUCCESS);
}

// A child has no contexts but its own.
static void children(void) {
  struct mars_task_id id = make_task(mars, "t", mpu_prog.elf_image, 0);
  int status = -1;
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    EQUAL(mars_task_schedule(&id, NULL, 0), MARS_ERROR_PARAMS);
    EQUAL(mars_context_destroy(mars), MARS_ERROR_PARAMS);
    EQUAL(mars_context_get_num_mpus(mars), 0);
#if !defined(__SANITIZE_THREAD__) // which has no threads in a child
    EQUAL(mars_context_create(&mars, 1, 0), MARS_SUCCESS);
    id = make_task(mars, "t", mpu_prog.elf_image, 0);
    EQUAL(mars_task_schedule(&id, NULL, 0), MARS_SUCCESS);
    EQUAL(code_of(&id), 0);
    EQUAL(mars_context_destroy(mars), MARS_SUCCESS);
#endif
    fflush(stdout);
    _exit(7);
  }
  CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 7);
  EQUAL(mars_task_schedule(&id, NULL, 0), MARS_SUCCESS);
  EQUAL(code_of(&id), 0);
  EQUAL(mars_task_destroy(&id), MARS_SUCCESS);
}

// What a task is told, with a save area and without.
static void calls_of_tasks(void) {
  uint64_t ea[3] = {0, 0, 0};
  EQUAL(mars_task_queue_create(mars, &ea[0], 16, 3, MARS_TASK_QUEUE_MPU_TO_HOST), MARS_SUCCESS);
  EQUAL(mars_mutex_create(&ea[1]), MARS_SUCCESS);
  mars_ea_put_uint32(ea[1] + 4, 0);
  for (uint32_t blocks = 0; blocks < 2; blocks++) {
    struct mars_task_id id[4];
    struct mars_task_args args = {.type.u64 = {ea[0], ea[1], 1, blocks}};
    for (int i = 0; i < 4; i++) {
      id[i] = make_task(mars, "self", mpu_prog.elf_image, blocks * 1024);
      EQUAL(mars_task_schedule(&id[i], &args, 5), MARS_SUCCESS);
    }
    for (int i = 0; i < 4; i++) {
      EQUAL(code_of(&id[i]), 17);
      EQUAL(mars_task_destroy(&id[i]), MARS_SUCCESS);
    }
  }
  EQUAL(mars_ea_get_uint32(ea[1] + 4), 8 * 1000); // by tasks that locked the mutex each time
  EQUAL(mars_task_queue_destroy(ea[0]), MARS_SUCCESS);
  EQUAL(mars_mutex_destroy(ea[1]), MARS_SUCCESS);
}

int main(void) {
  contexts();
  tasks();
  objects();
  who_is_waited_for();
  mutexes();
  children();
  calls_of_tasks();
  uint32_t before = mars_task_get_ticks();
  while (mars_get_ticks() - before < 798) // ten microseconds
    ;
  EQUAL(mars_context_destroy(mars), MARS_SUCCESS);
  printf("done\n");
  return 0;
}
