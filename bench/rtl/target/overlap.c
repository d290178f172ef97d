// overlap.c - a loop over far memory: as it stands, by blocks in a near store, and by memlift
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cycles of: the plain loop; blocks that are brought, computed on and put back one after the other
// ("single", with the parts of it); double buffering by hand, with the best of some block lengths;
// and the loop with memlift("stream"). The arrays are larger than the cache, and not in it.
#include "io.h"
#include "saxpy.h"

#include <memlift/local_store.h>

#include "tasks/harts.h"
#include "tasks/mover_pdma.h"
#include "tasks/store.h"

enum { COUNT = 16384, STORE = 40960, K = 37, A_BUFFERS = 2, D_BUFFERS = 3 };

#define ENGINE 0x40010000ul
#define FAR 0x80800000ul
static int32_t *const a = (int32_t *)FAR, *const d = (int32_t *)(FAR + 0x100000);
static const volatile uint64_t *const others = (const volatile uint64_t *)0x80400000ul;

static unsigned char __attribute__((aligned(4096))) memory[STORE];
static struct memlift_local_store store;
static struct memlift_mover_pdma pdma;
static struct memlift_hart hart[2]; // the thread pointer is behind the first
static uint64_t bad;

void *memset(void *p, int value, size_t n);
void *memset(void *p, int value, size_t n) {
  for (volatile unsigned char *at = p; n--; at++)
    *at = (unsigned char)value;
  return p;
}

void *memcpy(void *restrict to, const void *restrict from, size_t n);
void *memcpy(void *restrict to, const void *restrict from, size_t n) {
  const unsigned char *p = from;
  for (volatile unsigned char *at = to; n--; at++)
    *at = *p++;
  return to;
}

static uint64_t now(void) {
  uint64_t cycles;
  __asm__ volatile("csrr %0, mcycle" : "=r"(cycles)::"memory");
  return cycles;
}

static void tell(const char *what, uint64_t number) {
  put(what), put(" "), put_number(number), put("\n");
}

static void fill(void) {
  for (uint32_t i = 0; i < COUNT; i++)
    a[i] = (int32_t)(i * 2654435761u), d[i] = (int32_t)(i * 40503u);
}

/// Fills the cache with other things. Of sixteen times its size nothing remains that was in it
/// before, though it chooses by chance.
static void evict(unsigned kib) {
  for (unsigned i = 0; i < kib * 128; i += 8)
    (void)others[i];
}

/// The store need not be in the cache, and the arrays are not: nobody but the engine has accessed
/// them.
static void prepare(void) { evict(16); }

/// The loop has run so many times.
static void check(uint32_t times) {
  evict(256);
  for (uint32_t i = 0; i < COUNT; i++)
    bad += (uint32_t)d[i] != i * 40503u + i * 2654435761u * K * times;
}

// ---- By hand ------------------------------------------------------------------------------------

struct move {
  struct memlift_transfer transfer;
  uint64_t ticket;
  int open;
};

static void begin(struct move *m, void *local, void *address, size_t bytes,
                  enum memlift_direction direction) {
  size_t moved;
  m->transfer = (struct memlift_transfer){local, address, bytes, 1, 0, 0, direction};
  m->open = 1;
  bad += pdma.mover.start(&pdma.mover, &m->transfer, &m->ticket, &moved) != MEMLIFT_PENDING;
}

static void end(struct move *m) {
  size_t moved;
  if (m->open)
    bad += pdma.mover.wait(&pdma.mover, m->ticket, UINT64_MAX, &moved) != MEMLIFT_OK;
  m->open = 0;
}

static int32_t *a_buffer(unsigned t, size_t block) {
  return (int32_t *)memory + t % A_BUFFERS * block;
}
static int32_t *d_buffer(unsigned t, size_t block) {
  return (int32_t *)memory + (A_BUFFERS + t % D_BUFFERS) * block;
}

static void single(size_t block, uint64_t parts[3]) {
  struct move of_a = {0}, of_d = {0};
  parts[0] = parts[1] = parts[2] = 0;
  for (unsigned t = 0; t < COUNT / block; t++) {
    uint64_t t0 = now();
    begin(&of_a, a_buffer(t, block), a + t * block, 4 * block, MEMLIFT_GET);
    begin(&of_d, d_buffer(t, block), d + t * block, 4 * block, MEMLIFT_GET);
    end(&of_a), end(&of_d);
    uint64_t t1 = now();
    saxpy(d_buffer(t, block), a_buffer(t, block), block, K);
    uint64_t t2 = now();
    begin(&of_d, d_buffer(t, block), d + t * block, 4 * block, MEMLIFT_PUT);
    end(&of_d);
    parts[0] += t1 - t0, parts[1] += t2 - t1, parts[2] += now() - t2;
  }
}

static void doubled(size_t block) {
  struct move of_a[A_BUFFERS] = {0}, of_d[D_BUFFERS] = {0}, back[D_BUFFERS] = {0};
  unsigned blocks = (unsigned)(COUNT / block);
  for (unsigned t = 0; t <= blocks; t++) {
    if (t < blocks) { // "wait before reuse"
      end(&back[t % D_BUFFERS]);
      begin(&of_a[t % A_BUFFERS], a_buffer(t, block), a + t * block, 4 * block, MEMLIFT_GET);
      begin(&of_d[t % D_BUFFERS], d_buffer(t, block), d + t * block, 4 * block, MEMLIFT_GET);
    }
    if (!t)
      continue;
    unsigned s = t - 1;
    end(&of_a[s % A_BUFFERS]), end(&of_d[s % D_BUFFERS]);
    saxpy(d_buffer(s, block), a_buffer(s, block), block, K);
    begin(&back[s % D_BUFFERS], d_buffer(s, block), d + s * block, 4 * block, MEMLIFT_PUT);
  }
  for (unsigned i = 0; i < D_BUFFERS; i++)
    end(&back[i]);
}

// ---- All of them --------------------------------------------------------------------------------

/// Cycles of a get of so many bytes.
static uint64_t of_get(size_t bytes) {
  struct move m = {0};
  prepare();
  uint64_t t0 = now();
  begin(&m, memory, a, bytes, MEMLIFT_GET);
  end(&m);
  return now() - t0;
}

/// Returns how many times the loop has run.
static uint32_t by_hand(void) {
  uint64_t parts[3];
  uint32_t times = 0;
  for (size_t block = 512; block <= STORE / 4 / (A_BUFFERS + D_BUFFERS); block *= 2, times += 2) {
    prepare();
    single(block, parts);
    tell("block", block);
    tell("get", parts[0]), tell("compute", parts[1]), tell("put", parts[2]);
    prepare();
    uint64_t t0 = now();
    doubled(block);
    tell("doubled", now() - t0);
  }
  return times;
}

int main(void) {
  __asm__ volatile("mv tp, %0" ::"r"(&hart[1]));
  fill();
  evict(256);
  uint64_t t0 = now();
  saxpy(d, a, COUNT, K);
  tell("plain", now() - t0);
  evict(256);
  bad += memlift_mover_pdma_open(&pdma, NULL, ENGINE, CHANNELS) != MEMLIFT_OK;
  uint64_t small = of_get(1024), large = of_get(4096);
  tell("of-1024", small), tell("of-4096", large);
  uint32_t times = 1 + by_hand();
  pdma.mover.cost = (struct memlift_mover_cost){.per_kib = (uint32_t)((large - small) / 3),
                                                .setup = (uint32_t)(small - (large - small) / 3),
                                                .channels = 2,
                                                .cycle16 = 16};
  bad += memlift_store_bind(&store, memory, STORE, 0) != MEMLIFT_OK;
  bad += memlift_store_move_by(&pdma.mover) != MEMLIFT_OK;
  for (unsigned i = 0; i < 2; i++) { // the second time its code is in the cache, as the others' is
    prepare();
    t0 = now();
    saxpy_streamed(d, a, COUNT, K);
    uint64_t cycles = now() - t0;
    if (i)
      tell("streamed", cycles);
  }
  check(times + 2);
  return bad != 0;
}
