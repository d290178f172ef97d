/* host_call.c - functions that tasks have host threads run
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The call is a wait of the task of a kind of its own, with the function in its waiter. `calls`
 * counts them. A host thread lowers it by one, and then one of the calls is its own to find: it
 * claims it by taking the function out. A call whose task was lost with its unit is counted in
 * `lost_calls`, and stands for one that is not found. Between processes the arguments are copied,
 * as the caller may have them in memory of its own.
 */
#include "../config.h"

#if MEMLIFT_HAVE_TASKS
#include "processes.h"

/* Takes a lost call; 0: there is none. */
static int claim_lost(memlift_context *c) {
  uint32_t lost = __atomic_load_n(&c->lost_calls, __ATOMIC_RELAXED);
  while (lost)
    if (__atomic_compare_exchange_n(&c->lost_calls, &lost, lost - 1, 0, __ATOMIC_RELAXED,
                                    __ATOMIC_RELAXED))
      return 1;
  return 0;
}

/* Takes a call out of the waiters; there is one at least, or a lost one: NULL. */
static struct memlift_waiter *claim(memlift_context *c) {
  for (unsigned i = 0;; i = (i + 1) % (MEMLIFT_TASKS / 64)) {
    for (uint64_t bits = __atomic_load_n(&c->waiting[i], __ATOMIC_SEQ_CST); bits;
         bits &= bits - 1) {
      struct memlift_waiter *w = &c->waiter[64 * i + memlift_lowest_bit(bits)];
      /* Acquire: pairs with the release in call_host, for the arguments. */
      if (__atomic_load_n(&w->calls, __ATOMIC_RELAXED) &&
          __atomic_exchange_n(&w->calls, 0, __ATOMIC_ACQUIRE))
        return w;
    }
    if (memlift_may_lose(c) && i + 1 == MEMLIFT_TASKS / 64 && claim_lost(c))
      return NULL;
  }
}

#if MEMLIFT_HAVE_ENGINES
/* Copies what a task of another process has for the function into the context. */
static void lend(memlift_context *c, const struct memlift_wait *wait, const uint64_t *in,
                 const uint64_t *out) {
  struct memlift_slot_more *more = &c->more[wait->waiter];
  for (unsigned i = 0; memlift_has_processes(c) && i < 6; i++)
    more->in[i] = in ? in[i] : 0, more->out[i] = out ? out[i] : 0;
}

/* Copies what the function has given. */
static void get_back(const memlift_context *c, const struct memlift_wait *wait, uint64_t *out) {
  for (unsigned i = 0; memlift_has_processes(c) && out && i < 6; i++)
    out[i] = c->more[wait->waiter].out[i];
}

/* Runs a function for a task of another process. Its unit may be lost meanwhile, and the task begin
 * anew: so it works on copies, and only the wait that it was called in is ended. */
static void run_for_process(memlift_context *c, struct memlift_waiter *w) {
  unsigned waiter = (unsigned)(w - c->waiter);
  uint64_t number = memlift_wait_number(c, waiter), in[6], out[6];
  for (unsigned i = 0; i < 6; i++)
    in[i] = c->more[waiter].in[i], out[i] = c->more[waiter].out[i];
  w->function(in, out);
  for (unsigned i = 0; i < 6 && memlift_wait_is_open(c, waiter, number); i++)
    c->more[waiter].out[i] = out[i];
  __atomic_fetch_add(&c->host_calls, 1, __ATOMIC_RELAXED);
  memlift_wake_if(c, waiter, number);
}
#else
static void lend(memlift_context *c, const struct memlift_wait *wait, const uint64_t *in,
                 const uint64_t *out) {
  (void)c, (void)wait, (void)in, (void)out;
}

static void get_back(const memlift_context *c, const struct memlift_wait *wait, uint64_t *out) {
  (void)c, (void)wait, (void)out;
}
#endif

int memlift_host_serve(memlift_context *c) {
  uint32_t calls = __atomic_load_n(&c->calls, __ATOMIC_SEQ_CST);
  do
    if (!calls)
      return 0;
  while (!__atomic_compare_exchange_n(&c->calls, &calls, calls - 1, 0, __ATOMIC_SEQ_CST,
                                      __ATOMIC_SEQ_CST));
  struct memlift_waiter *w = claim(c);
  if (!w)
    return 0;
#if MEMLIFT_HAVE_ENGINES
  if (memlift_has_processes(c)) {
    run_for_process(c, w);
    return 1;
  }
#endif
  w->function(w->in, w->out);
  __atomic_fetch_add(&c->host_calls, 1, __ATOMIC_RELAXED);
  memlift_wake(c, (unsigned)(w - c->waiter), MEMLIFT_WAITS_HOST);
  return 1;
}

memlift_status memlift_task_call_host(memlift_host_function function, const uint64_t in[6],
                                      uint64_t out[6]) {
  static const uint64_t none[6];
  struct memlift_parker *me = memlift_parker_self();
  struct memlift_wait wait;
  uint64_t ignored[6];
  if (!function)
    return MEMLIFT_INVALID_ARGUMENT;
  if (!me || !me->task)
    return MEMLIFT_WRONG_SIDE;
  memlift_context *c = me->context;
  memlift_status status = memlift_wait_prepare(&wait, c, MEMLIFT_FOR_EVER);
  if (status != MEMLIFT_OK)
    return status;
  struct memlift_waiter *w = &c->waiter[wait.waiter];
  w->function = function, w->in = in ? in : none, w->out = out ? out : ignored;
  lend(c, &wait, in, out);
  memlift_wait_announce(&wait, MEMLIFT_WAITS_HOST);
  /* Release: pairs with the acquire in claim. */
  __atomic_store_n(&w->calls, 1, __ATOMIC_RELEASE);
  __atomic_fetch_add(&c->calls, 1, __ATOMIC_SEQ_CST);
  memlift_wake_hosts(c);
  status = memlift_wait_sleep(&wait);
  if (status == MEMLIFT_OK)
    get_back(c, &wait, out);
  return status;
}

memlift_status memlift_context_serve(memlift_context *c, uint64_t ns) {
  struct memlift_parker *me = memlift_parker_self();
  memlift_status status = memlift_context_known(c);
  struct memlift_wait wait;
  if (status != MEMLIFT_OK)
    return status;
  if (me && me->task)
    return MEMLIFT_WRONG_SIDE;
  uint64_t before = __atomic_load_n(&c->host_calls, __ATOMIC_RELAXED);
  if (ns == 0) {
    while (memlift_host_serve(c))
      ;
    return __atomic_load_n(&c->host_calls, __ATOMIC_RELAXED) != before ? MEMLIFT_OK : MEMLIFT_BUSY;
  }
  status = memlift_wait_prepare(&wait, c, ns);
  if (status != MEMLIFT_OK)
    return status;
  memlift_wait_announce(&wait, MEMLIFT_WAITS_SERVING);
  status = memlift_wait_sleep(&wait);
  memlift_wait_done(&wait);
  return status;
}
#else
typedef int memlift_no_tasks; /* a translation unit must not be empty */
#endif
