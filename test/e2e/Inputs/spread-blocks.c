/* spread-blocks.c - memlift_spread with blocks and an order at random, by three threads at once
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Takes the place of the runtime's: however short a loop is, it is cut.
 */
#include <memlift/spread.h>
#include <pthread.h>
#include <stdlib.h>

uint32_t memlift_spread_units = 2;
/* Variable that the fuzzers set. Only stream-blocks.c, if it is linked, moves arrays by it. */
__attribute__((weak)) int stream_keeps_read;

memlift_status memlift_spread_bind(memlift_context *context) {
  memlift_spread_units = context ? 2 : 0;
  return MEMLIFT_OK;
}

enum { MOST_BLOCKS = 64 };
static struct {
  memlift_spread_body body;
  void *environment;
  uint64_t first[MOST_BLOCKS], end[MOST_BLOCKS], values[3][MEMLIFT_SPREAD_VALUES];
  unsigned blocks, next;
} loop;

static void *compute(void *values) {
  unsigned b;
  while ((b = __atomic_fetch_add(&loop.next, 1, __ATOMIC_RELAXED)) < loop.blocks)
    loop.body(loop.environment, loop.first[b], loop.end[b], (uint64_t *)values);
  return NULL;
}

static uint64_t any(uint64_t below) {
  static uint64_t state = 77;
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (state >> 20) % below;
}

/* Blocks are multiples of plan->unit, in an order at random. */
static void cut(uint64_t iterations, uint64_t unit) {
  uint64_t at = 0;
  loop.next = loop.blocks = 0;
  while (at < iterations) {
    uint64_t left = iterations - at, m = unit * (1 + any(left / unit / 2 + 1));
    if (m > left || loop.blocks == MOST_BLOCKS - 1)
      m = left;
    unsigned to = (unsigned)any(loop.blocks + 1), b = loop.blocks++;
    loop.first[b] = loop.first[to], loop.end[b] = loop.end[to];
    loop.first[to] = at, loop.end[to] = at + m;
    at += m;
  }
}

void memlift_spread(const struct memlift_spread_plan *plan, memlift_spread_body body,
                    void *environment, uint64_t iterations, uint64_t *values) {
  pthread_t thread[2];
  loop.body = body, loop.environment = environment;
  cut(iterations, plan->unit ? plan->unit : 1);
  for (int t = 0; t < 3; t++)
    for (uint32_t k = 0; k < plan->values; k++)
      loop.values[t][k] = memlift_spread_neutral(plan->join[k]);
  for (int t = 0; t < 2; t++)
    if (pthread_create(&thread[t], NULL, compute, loop.values[t]))
      abort();
  compute(loop.values[2]);
  for (int t = 0; t < 2; t++)
    pthread_join(thread[t], NULL);
  for (int t = 0; t < 3; t++)
    for (uint32_t k = 0; k < plan->values; k++)
      values[k] = memlift_spread_joined(plan->join[k], values[k], loop.values[t][k]);
}
