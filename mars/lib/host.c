/* host.c - functions that tasks have the host run: a thread for each context
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * MARS runs the functions of a context one after the other, in a thread that does nothing else, and
 * programs may rely on both: so this is no memlift_task_call_host, which any waiting thread serves.
 */
#include "mars.h"

#include <signal.h>
#include <string.h>

static void carry_out(struct memlift_mars_task *t) {
  mars_callback function = (mars_callback)(uintptr_t)t->call.callback_ea;
  t->call.result = function(&t->call.in, &t->call.out);
  memlift_semaphore_release(&t->call.done, 1);
}

/* Serves until the queue is closed. */
static void *serve(void *argument) {
  struct mars_context *c = (struct mars_context *)argument;
  struct memlift_mars_task *t;
  while (memlift_queue_pop(&c->calls, &t, MEMLIFT_FOR_EVER) == MEMLIFT_OK)
    carry_out(t);
  return NULL;
}

/* The thread takes none of the program's signals. */
static int start_thread(struct mars_context *c) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  int failed = pthread_create(&c->server, NULL, serve, c);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return failed ? MARS_ERROR_INTERNAL : MARS_SUCCESS;
}

int memlift_mars_server_start(struct mars_context *c) {
  /* A place for each task: so a push never waits. */
  if (!c->places)
    c->places = mars_malloc(MEMLIFT_QUEUE_BYTES(sizeof(void *), MEMLIFT_TASKS));
  if (!c->places)
    return MARS_ERROR_MEMORY;
  memset(&c->calls, 0, sizeof c->calls);
  int error = memlift_mars_error(
      memlift_queue_init(c->context, &c->calls, c->places, sizeof(void *), MEMLIFT_TASKS));
  return error == MARS_SUCCESS ? start_thread(c) : error;
}

void memlift_mars_server_end(struct mars_context *c) {
  memlift_queue_close(&c->calls);
  pthread_join(c->server, NULL);
}

int memlift_mars_call_host(struct memlift_mars_task *t, uint64_t callback_ea,
                           const struct mars_callback_args *in, struct mars_callback_args *out) {
  if (!callback_ea)
    return MARS_ERROR_NULL;
  if (!t->blocks)
    return MARS_ERROR_FORMAT;
  t->call.callback_ea = callback_ea;
  memset(&t->call.in, 0, sizeof t->call.in);
  memset(&t->call.out, 0, sizeof t->call.out);
  if (in)
    t->call.in = *in;
  memlift_status status = memlift_queue_push(&t->context->calls, &t, MEMLIFT_FOR_EVER);
  if (status == MEMLIFT_OK)
    status = memlift_semaphore_acquire(&t->call.done, MEMLIFT_FOR_EVER);
  if (status != MEMLIFT_OK)
    return memlift_mars_error(status);
  if (out)
    *out = t->call.out;
  return t->call.result;
}
