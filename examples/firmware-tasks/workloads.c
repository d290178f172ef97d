/* workloads.c - the programs of the units: computing by blocks in the local store, and meeting
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * They run on harts with floating-point registers, and some use them.
 */
#include "workloads.h"

#include <memlift/local_store.h>

struct watched watched[UNITS];
uint64_t done[UNITS], late[UNITS], wrong;

static void is_wrong(int condition) {
  if (condition)
    __atomic_fetch_add(&wrong, 1, __ATOMIC_RELAXED);
}

/* ---- By blocks ------------------------------------------------------------------------------- */

static size_t length(size_t size, size_t block) {
  size_t left = size - block * BLOCK;
  return left < BLOCK ? left : BLOCK;
}

static void wait_for(unsigned tag) {
  is_wrong(memlift_tags_wait(1u << tag, MEMLIFT_TAGS_ALL, UINT64_MAX, NULL, NULL) != MEMLIFT_OK);
}

/* Three buffers: one is computed in, one is on its way in, and one on its way out. Before a buffer
 * is filled again the transfer that has emptied it is waited for, and nothing else. */
int32_t add_one(const uint64_t args[4]) {
  const unsigned char *from = (const unsigned char *)(uintptr_t)args[0];
  unsigned char *to = (unsigned char *)(uintptr_t)args[1];
  size_t size = args[2], blocks = (size + BLOCK - 1) / BLOCK;
  unsigned unit = memlift_task_unit();
  struct watched *w = &watched[unit];
  unsigned char *buffers = memlift_store_alloc((size_t)3 * BLOCK, 64);
  if (!buffers)
    return 1;
  memlift_get(buffers, from, length(size, 0), 0);
  for (size_t block = 0; block < blocks; block++) {
    unsigned tag = block % 3, next = (block + 1) % 3;
    unsigned char *here = buffers + (size_t)tag * BLOCK;
    size_t bytes = length(size, block);
    if (block + 1 < blocks) {
      wait_for(next);
      memlift_get(buffers + (size_t)next * BLOCK, from + (block + 1) * BLOCK,
                  length(size, block + 1), next);
    }
    wait_for(tag);
    watched_use(w, here, bytes);
    late[unit] += block + 1 < blocks && !watched_gets(w, buffers + (size_t)next * BLOCK);
    for (size_t i = 0; i < bytes; i++)
      here[i]++;
    memlift_put(to + block * BLOCK, here, bytes, tag);
  }
  is_wrong(memlift_tags_wait(7, MEMLIFT_TAGS_ALL, UINT64_MAX, NULL, NULL) != MEMLIFT_OK);
  memlift_store_free(buffers);
  done[unit]++;
  return 0;
}

/* ---- Tasks with stacks ----------------------------------------------------------------------- */

static unsigned rounding(void) {
  unsigned mode;
  __asm__ volatile("frrm %0" : "=r"(mode));
  return mode;
}

/* Tasks meet in rounds. In between each keeps floating-point values in registers, half of them with
 * a rounding mode of their own, while others of its unit run. */
int32_t meet(const uint64_t args[4]) {
  struct shared *s = (struct shared *)(uintptr_t)args[0];
  unsigned me = (unsigned)args[1], unit = memlift_task_unit(), mode = me & 1 ? 2 : 0, round;
  uintptr_t stack = (uintptr_t)&s;
  double sum = me, term = 1.0 / (me + 1);
  is_wrong(stack < L2_LIM + unit * STORE || stack >= L2_LIM + (unit + 1) * STORE);
  is_wrong(rounding() != 0);
  if (me & 1)
    __asm__ volatile("fsrm %0" : : "r"(mode));
  for (unsigned i = 0; i < 10; i++) {
    sum += term;
    is_wrong(memlift_barrier_notify(&s->barrier, &round) != MEMLIFT_OK);
    is_wrong(memlift_barrier_wait(&s->barrier, round, MEMLIFT_FOR_EVER) != MEMLIFT_OK);
    is_wrong(memlift_mutex_lock(&s->mutex, MEMLIFT_FOR_EVER) != MEMLIFT_OK);
    uint64_t counter = s->counter;
    memlift_task_yield();
    s->counter = counter + 1;
    is_wrong(memlift_mutex_unlock(&s->mutex) != MEMLIFT_OK);
    is_wrong(memlift_semaphore_acquire(&s->two, MEMLIFT_FOR_EVER) != MEMLIFT_OK);
    is_wrong(__atomic_add_fetch(&s->inside, 1, __ATOMIC_SEQ_CST) > 2);
    memlift_task_yield();
    __atomic_fetch_sub(&s->inside, 1, __ATOMIC_SEQ_CST);
    is_wrong(memlift_semaphore_release(&s->two, 1) != MEMLIFT_OK);
    s->rounds[me]++;
    is_wrong(memlift_task_unit() != unit || rounding() != mode);
  }
  double again = me;
  for (volatile unsigned i = 0; i < 10; i++)
    again += term;
  is_wrong(again != sum);
  is_wrong(memlift_semaphore_acquire(&s->two, 0) != MEMLIFT_OK);
  is_wrong(memlift_semaphore_release(&s->two, 1) != MEMLIFT_OK);
  is_wrong(memlift_events_set(&s->events, 1u << me) != MEMLIFT_OK);
  return (int32_t)me;
}

int32_t echo(const uint64_t args[4]) {
  struct shared *s = (struct shared *)(uintptr_t)args[0];
  uint64_t value;
  int32_t values = 0;
  while (memlift_queue_pop(&s->in, &value, MEMLIFT_FOR_EVER) == MEMLIFT_OK) {
    value += 1000;
    is_wrong(memlift_queue_push(&s->out, &value, MEMLIFT_FOR_EVER) != MEMLIFT_OK);
    values++;
  }
  return values;
}

/* ---- Others ---------------------------------------------------------------------------------- */

int32_t trap(const uint64_t args[4]) {
  if (args[0])
    return *(volatile int32_t *)(uintptr_t)0x70000000;
  __asm__ volatile(".4byte 0");
  return 0;
}

static void twice(const uint64_t in[6], uint64_t out[6]) {
  uint64_t hart;
  __asm__("csrr %0, mhartid" : "=r"(hart));
  out[0] = hart == 0 ? 2 * in[0] : 0;
}

int32_t ask_host(const uint64_t args[4]) {
  uint64_t in[6] = {args[0]}, out[6] = {0};
  return memlift_task_call_host(twice, in, out) == MEMLIFT_OK ? (int32_t)out[0] : -1;
}
