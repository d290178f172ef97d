// stream-blocks.c - memlift/stream.h for tests: short blocks of any length, each in a buffer
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// While the loop runs, the program's own arrays hold poison: their bytes are in a copy. So an
// access that was not shifted, or shifted wrongly, reads poison, or writes what nobody reads. A
// block is got one block early, and put one block late. A buffer has poison around the windows,
// which must be there when it is put. Everything is as stream.h allows it, the alignment of a shift
// included.
#include "memlift/stream.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { Places = 3, Poison = 0xdb, Around = 64 };

struct block {
  unsigned char *buffer[MEMLIFT_STREAM_ACCESSES]; // null: not got
  uint64_t first, iterations;
};

struct stream {
  struct memlift_stream_access access[MEMLIFT_STREAM_ACCESSES];
  unsigned char *copy[MEMLIFT_STREAM_ACCESSES]; // of the whole region, from its lowest byte on
  struct block block[Places];
  uint64_t iterations, begun, given, put; // iterations got so far; blocks given, and put
  uint32_t count;
};

/// Set by the test if the loop also looks at arrays at computed addresses, as it may at those that
/// are only read, or if several threads read them: these keep their bytes then.
#if !defined(KEEPS_READ)
#define KEEPS_READ 0
#endif
int stream_keeps_read = KEEPS_READ;

/* Compiled code calls the functions below only while some thread has a local store. */
__attribute__((constructor)) static void bind(void) { memlift_stores_bound = 1; }

static _Thread_local uint64_t state = 1;

static uint64_t below(uint64_t n) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (state >> 33) % n;
}

static _Noreturn void wrong(const char *what) {
  printf("stream: %s\n", what);
  fflush(stdout);
  abort();
}

static void *allocate(uint64_t bytes) {
  void *p = aligned_alloc(64, (bytes + 63) / 64 * 64 + 64);
  if (!p)
    wrong("out of memory");
  memset(p, Poison, (bytes + 63) / 64 * 64 + 64);
  return p;
}

static uint64_t absolute(int64_t v) { return v < 0 ? -(uint64_t)v : (uint64_t)v; }

static int is_rows(const struct memlift_stream_access *a) {
  return (a->how & MEMLIFT_STREAM_ROWS) != 0;
}

static int is_poisoned(const struct memlift_stream_access *a) {
  return !stream_keeps_read || a->how & MEMLIFT_STREAM_OUT;
}

/// Returns the address of the window of an iteration.
static unsigned char *window(const struct memlift_stream_access *a, uint64_t iteration) {
  return (unsigned char *)((uintptr_t)a->base + iteration * (uint64_t)a->step);
}

static unsigned char *lowest(const struct memlift_stream_access *a, uint64_t first, uint64_t n) {
  return window(a, a->step < 0 ? first + n - 1 : first);
}

/// Returns the distance of two rows in a buffer: the same as in memory modulo 64.
static uint64_t pitch(const struct memlift_stream_access *a) {
  uint64_t step = absolute(a->step);
  if (!is_rows(a))
    return step;
  uint64_t p = step % 64;
  while (p < a->bytes + Around)
    p += 64;
  return p;
}

/// Returns the place of an iteration's window in a block's buffer.
static unsigned char *local(const struct stream *s, const struct block *b, uint32_t k,
                            uint64_t iteration) {
  const struct memlift_stream_access *a = &s->access[k];
  uint64_t back = a->step < 0 ? b->first + b->iterations - 1 - iteration : iteration - b->first;
  uint64_t low = (uintptr_t)lowest(a, b->first, b->iterations) % 64;
  return b->buffer[k] + Around + low + back * pitch(a);
}

/// Returns the bytes of the copy that stand for those at an address.
static unsigned char *copied(const struct stream *s, uint32_t k, const unsigned char *at) {
  return s->copy[k] + (at - lowest(&s->access[k], 0, s->iterations));
}

static void get(struct stream *s, struct block *b) {
  uint64_t left = s->iterations - s->begun;
  uint64_t most = below(8) ? 1 + below(7) : 1 + below(100);
  b->first = s->begun;
  b->iterations = left < most ? left : most;
  s->begun += b->iterations;
  for (uint32_t k = 0; k < s->count; ++k) {
    const struct memlift_stream_access *a = &s->access[k];
    b->buffer[k] = allocate(b->iterations * pitch(a) + a->bytes + 3 * Around);
    for (uint64_t t = b->first; a->how & MEMLIFT_STREAM_IN && t < b->first + b->iterations; ++t)
      memcpy(local(s, b, k, t), copied(s, k, window(a, t)), a->bytes);
  }
}

/// Checks that nothing around the windows was written, and puts what was.
static void put(struct stream *s, struct block *b) {
  for (uint32_t k = 0; k < s->count; ++k) {
    const struct memlift_stream_access *a = &s->access[k];
    uint64_t bytes = b->iterations * pitch(a) + a->bytes + 3 * Around;
    unsigned char *clean = allocate(bytes);
    for (uint64_t t = b->first; t < b->first + b->iterations; ++t) {
      unsigned char *from = local(s, b, k, t), *to = copied(s, k, window(a, t));
      if (a->how & MEMLIFT_STREAM_OUT)
        memcpy(to, from, a->bytes);
      else if (memcmp(to, from, a->bytes))
        wrong("a stream that is only read was written");
      memcpy(clean + (from - b->buffer[k]), from, a->bytes);
    }
    if (memcmp(clean, b->buffer[k], bytes))
      wrong("bytes around the windows were written");
    free(clean);
    free(b->buffer[k]);
  }
}

static void check(const struct memlift_stream_plan *plan,
                  const struct memlift_stream_access *access, uint64_t iterations) {
  if (!iterations || !plan->count || plan->count > MEMLIFT_STREAM_ACCESSES)
    wrong("no iterations, or a bad number of accesses");
  for (uint32_t k = 0; k < plan->count; ++k) {
    const struct memlift_stream_access *a = &access[k];
    int out = (a->how & MEMLIFT_STREAM_OUT) != 0;
    if (!a->step || !a->bytes || a->reserved || !(a->how & 3) || a->how > 7)
      wrong("a bad access");
    if (out && (is_rows(a) ? a->bytes > absolute(a->step) : a->bytes != absolute(a->step)))
      wrong("an access is written with holes, or twice");
    uintptr_t low = (uintptr_t)lowest(a, 0, iterations);
    uint64_t size = (iterations - 1) * absolute(a->step) + a->bytes;
    for (uint32_t j = 0; out && j < plan->count; ++j) {
      uintptr_t other = (uintptr_t)lowest(&access[j], 0, iterations);
      uint64_t others = (iterations - 1) * absolute(access[j].step) + access[j].bytes;
      if (j != k && other < low + size && low < other + others)
        wrong("an access that is written meets another one");
    }
  }
}

static struct stream *of(struct memlift_stream *m) {
  return (struct stream *)(uintptr_t)m->opaque[0];
}

void memlift_stream_begin(struct memlift_stream *m, const struct memlift_stream_plan *plan,
                          const struct memlift_stream_access *access, uint64_t iterations) {
  check(plan, access, iterations);
  struct stream *s = calloc(1, sizeof *s);
  m->opaque[0] = (uintptr_t)s;
  s->iterations = iterations;
  s->count = plan->count;
  memcpy(s->access, access, plan->count * sizeof *access);
  for (uint32_t k = 0; k < s->count; ++k) {
    const struct memlift_stream_access *a = &s->access[k];
    s->copy[k] = allocate((iterations - 1) * absolute(a->step) + a->bytes);
    for (uint64_t t = 0; t < iterations; ++t)
      memcpy(copied(s, k, window(a, t)), window(a, t), a->bytes);
  }
  for (uint32_t k = 0; k < s->count; ++k)
    for (uint64_t t = 0; is_poisoned(&s->access[k]) && t < iterations; ++t)
      memset(window(&s->access[k], t), Poison, s->access[k].bytes);
  get(s, &s->block[0]);
}

uint64_t memlift_stream_next(struct memlift_stream *m, struct memlift_stream_shift *shift) {
  struct stream *s = of(m);
  if (s->put + 2 <= s->given)
    put(s, &s->block[s->put++ % Places]);
  struct block *b = &s->block[s->given % Places];
  if (s->given &&
      s->block[(s->given - 1) % Places].first + s->block[(s->given - 1) % Places].iterations ==
          s->iterations)
    return 0;
  if (s->begun < s->iterations)
    get(s, &s->block[(s->given + 1) % Places]);
  for (uint32_t k = 0; k < s->count; ++k) {
    const struct memlift_stream_access *a = &s->access[k];
    int64_t sign = a->step < 0 ? -1 : 1;
    shift[k].delta =
        (intptr_t)((uintptr_t)local(s, b, k, b->first) - (uintptr_t)window(a, b->first));
    shift[k].slope = sign * (intptr_t)(pitch(a) - absolute(a->step));
    if (shift[k].delta % 64 || shift[k].slope % 64)
      wrong("a shift is no multiple of 64");
  }
  ++s->given;
  return b->iterations;
}

void memlift_stream_end(struct memlift_stream *m) {
  struct stream *s = of(m);
  while (s->put < s->given)
    put(s, &s->block[s->put++ % Places]);
  for (uint32_t k = 0; k < s->count; ++k)
    for (uint64_t t = 0; is_poisoned(&s->access[k]) && t < s->iterations; ++t)
      memcpy(window(&s->access[k], t), copied(s, k, window(&s->access[k], t)), s->access[k].bytes);
  for (uint32_t k = 0; k < s->count; ++k)
    free(s->copy[k]);
  free(s);
}
