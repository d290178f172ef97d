// stream-clock.c - time of loops by blocks beside double buffering by hand, on a model's clock
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// usage: stream-clock [PER-MILLE [LARGEST-ARRAY]]
//
// Twelve kernels, as the compiler cut them into blocks, and as a programmer would write them: with
// memlift_get and memlift_put, two buffers for each array, and the fastest block length that the
// store has room for. Both move by the same model of an engine (mover_model.h), and
// computing an iteration takes the same time on its clock. So the ratio is exact. A kernel that
// takes more than so many thousandths of the time by hand is a failure; what they leave is
// compared, too.
#include "../../../runtime/model/mover_model.h"
#include "../../../runtime/tasks/store.h"
#include "stream-kernels.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { In = 1, Out = 2, Kernels = 12, Store = 32 << 10, Arena = 1 << 19, Width = 96, Pitch = 128 };

/// An array of a kernel: bytes of an iteration's window, and from iteration to iteration.
struct array {
  unsigned how;
  size_t bytes, step;
};

/// Facts that a programmer has of a kernel: its arrays d, a and b, and the cost of an iteration.
struct shape {
  const char *name;
  struct array array[3]; // of d, a, b; how 0: not used
  unsigned
      sixteenths; // of a nanosecond, to compute an iteration: 16 for each load, store and operation
  size_t elements; // of struct job's n for each iteration; 0: an iteration is a row
};

static const struct shape shapes[Kernels] = {
    {"saxpy", {{In | Out, 4, 4}, {In, 4, 4}, {0}}, 80, 1},
    {"sum", {{0}, {In, 4, 4}, {0}}, 32, 1},
    {"dot", {{0}, {In, 4, 4}, {In, 4, 4}}, 64, 1},
    {"xors", {{Out, 1, 1}, {In, 1, 1}, {In, 1, 1}}, 64, 1},
    {"grayscale", {{Out, Width, Pitch}, {In, 3 * Width, 3 * Pitch}, {0}}, 160 * Width, 0},
    {"blend", {{Out, Width, Pitch}, {In, Width, Pitch}, {In, Width, Pitch}}, 112 * Width, 0},
    {"fir", {{Out, 4, 4}, {In, 20, 4}, {0}}, 224, 1},
    {"byteswap", {{Out, 4, 4}, {In, 4, 4}, {0}}, 96, 1},
    {"histogram", {{0}, {In, 1, 1}, {0}}, 112, 1},
    {"threshold", {{Out, 2, 2}, {In, 2, 2}, {0}}, 80, 1},
    {"complex", {{Out, 8, 8}, {In, 8, 8}, {In, 8, 8}}, 192, 2},
    {"crc", {{0}, {In, 1, 1}, {0}}, 96, 1},
};

static struct mover_model model;
static unsigned char from[3][Arena], expected[Arena], table[256];
static uint64_t pending; // sixteenths of a nanosecond that the block under way takes
static unsigned cost;
static uint64_t directs, longest; // blocks that are not local; iterations

static _Noreturn void wrong(const char *name, const char *what) {
  printf("%s: %s\n", name, what);
  exit(1);
}

static void compute(uint64_t iterations) { mover_model_compute(&model, iterations * cost / 16); }

// The compiled code's calls: a block is computed between two of them.
uint64_t __real_memlift_stream_next(struct memlift_stream *, struct memlift_stream_shift *);
uint64_t __wrap_memlift_stream_next(struct memlift_stream *s, struct memlift_stream_shift *shift) {
  compute(pending);
  pending = __real_memlift_stream_next(s, shift);
  directs += pending && !shift[0].delta;
  longest = pending > longest ? pending : longest;
  return pending;
}

static size_t worth(struct memlift_mover *mover) {
  (void)mover;
  return 512;
}

// ---- By hand
// -------------------------------------------------------------------------------------

static size_t span(const struct array *a, size_t iterations) {
  return a->step > a->bytes ? iterations * a->bytes : (iterations - 1) * a->step + a->bytes;
}

static size_t buffers(const struct array *a) { return a->how == (In | Out) ? 3 : 2; }

/// Moves a block of an array. Rows are without gaps in the store.
static void move(const struct array *a, unsigned char *memory, unsigned char *local,
                 size_t iterations, int put, unsigned tag) {
  ptrdiff_t pitch = (ptrdiff_t)a->step, row = (ptrdiff_t)a->bytes;
  memlift_status status;
  if (a->step > a->bytes)
    status = put ? memlift_put_2d(memory, pitch, local, row, a->bytes, iterations, tag)
                 : memlift_get_2d(local, row, memory, pitch, a->bytes, iterations, tag);
  else
    status = put ? memlift_put(memory, local, span(a, iterations), tag)
                 : memlift_get(local, memory, span(a, iterations), tag);
  if (status != MEMLIFT_OK)
    wrong("by hand", "a transfer does not begin");
}

struct hand {
  const struct shape *shape;
  const struct kernel *kernel;
  unsigned char *memory[3], *local[3][3];
  size_t iterations, block, best;
};

static size_t iterations_of(const struct hand *h, size_t block) {
  size_t left = h->iterations - block * h->block;
  return left < h->block ? left : h->block;
}

static void move_all(const struct hand *h, size_t block, int put, unsigned tag) {
  for (int k = 0; k < 3; k++) {
    const struct array *a = &h->shape->array[k];
    if (a->how & (put ? Out : In))
      move(a, h->memory[k] + block * h->block * a->step, h->local[k][block % buffers(a)],
           iterations_of(h, block), put, tag);
  }
}

static void wait_for(unsigned tag) {
  if (memlift_tags_wait(1u << tag, MEMLIFT_TAGS_ALL, UINT64_MAX, NULL, NULL) != MEMLIFT_OK)
    wrong("by hand", "a transfer fails");
}

static void compute_block(const struct hand *h, size_t block) {
  const struct shape *s = h->shape;
  unsigned char *at[3];
  size_t m = iterations_of(h, block);
  for (int k = 0; k < 3; k++)
    at[k] = h->local[k][s->array[k].how ? block % buffers(&s->array[k]) : 0];
  struct job j = {at[0], at[1], at[2], table, m * s->elements, Width, m, Width};
  h->kernel->run(&j);
  compute(m);
}

/// The textbook: get the next block, compute this one, put it. Tags 0 and 1 are gets, 2 and 3 puts.
static uint64_t double_buffered(const struct hand *h) {
  size_t blocks = (h->iterations + h->block - 1) / h->block;
  uint64_t start = model.now;
  move_all(h, 0, 0, 0);
  for (size_t b = 0; b < blocks; b++) {
    if (b >= 2)
      wait_for(2 + b % 2);
    if (b + 1 < blocks)
      move_all(h, b + 1, 0, (b + 1) % 2);
    wait_for(b % 2);
    compute_block(h, b);
    move_all(h, b, 1, 2 + b % 2);
  }
  wait_for(2);
  wait_for(3);
  return model.now - start;
}

/// Block lengths are a sixteenth apart at most, where they are long.
static size_t further(const struct hand *h) {
  size_t least = h->shape->elements ? 8 : 1, part = h->block / 16 / 8 * 8;
  return part > least ? part : least;
}

/// Returns the least time of all block lengths that fit, UINT64_MAX if none does.
static uint64_t by_hand(struct hand *h, unsigned char *d) {
  uint64_t best = UINT64_MAX;
  for (h->block = 8; h->block < h->iterations; h->block += further(h)) {
    size_t total = 0, least = SIZE_MAX;
    unsigned char *pieces[9];
    unsigned n = 0;
    for (int k = 0; k < 3; k++) {
      const struct array *a = &h->shape->array[k];
      size_t bytes = a->how ? (span(a, h->block) + 63) / 64 * 64 : 0;
      total += buffers(a) * bytes;
      least = a->how && span(a, h->block) < least ? span(a, h->block) : least;
    }
    if (total > Store || least < 512)
      continue;
    for (int k = 0; k < 3; k++)
      for (size_t i = 0; h->shape->array[k].how && i < buffers(&h->shape->array[k]); i++)
        pieces[n++] = h->local[k][i] = memlift_store_alloc(span(&h->shape->array[k], h->block), 64);
    memcpy(d, from[0], Arena);
    uint64_t time = double_buffered(h);
    if (time < best)
      best = time, h->best = h->block;
    if (memcmp(d, expected, Arena))
      wrong(h->shape->name, "by hand leaves other bytes");
    while (n)
      memlift_store_free(pieces[--n]);
  }
  return best;
}

// ---- Both
// ----------------------------------------------------------------------------------------

/// Compares a kernel both ways, whose array a has so many bytes.
static int compare(int which, size_t bytes, unsigned permille, unsigned char *d) {
  const struct shape *s = &shapes[which];
  size_t iterations = bytes / s->array[1].step;
  struct job j = {expected, from[1],    from[2], table, iterations * s->elements,
                  Width,    iterations, Pitch};
  memcpy(expected, from[0], Arena);
  uint64_t want = plain[which].run(&j);
  memcpy(d, from[0], Arena);
  cost = s->sixteenths;
  pending = directs = longest = 0;
  j.d = d;
  uint64_t start = model.now, got = blocks[which].run(&j), time = model.now - start;
  if (want != got || memcmp(d, expected, Arena))
    wrong(s->name, "leaves other bytes by blocks");
  struct hand h = {s, &plain[which], {d, from[1], from[2]}, {{0}}, iterations, 0, 0};
  uint64_t hand = by_hand(&h, d);
  int good = time * 1000 <= hand * permille && !directs;
  printf("%-10s %7zu iterations, %4llu ns a KiB, %u channel%s: %8llu ns in blocks of %5llu, "
         "by hand %8llu of %5zu, %llu.%llu %%%s%s\n",
         s->name, iterations, (unsigned long long)model.ns_per_kib, model.channels,
         model.channels > 1 ? "s" : "", (unsigned long long)time, (unsigned long long)longest,
         (unsigned long long)hand, h.best, (unsigned long long)(time * 1000 / hand / 10),
         (unsigned long long)(time * 1000 / hand % 10), directs ? ", not by blocks" : "",
         good ? "" : ": more than allowed");
  return good;
}

int main(int argc, char **argv) {
  static struct memlift_local_store store;
  static _Alignas(64) unsigned char memory[Store];
  size_t largest = argc > 2 ? (size_t)atoi(argv[2]) : 256 << 10;
  unsigned permille = argc > 1 ? (unsigned)atoi(argv[1]) : 1030;
  unsigned char *d = aligned_alloc(64, Arena);
  int good = 0, all = 0;
  if (!d || memlift_store_bind(&store, memory, sizeof memory, 0) != MEMLIFT_OK)
    return 2;
  mover_model_init(&model, 1);
  model.mover.worth = worth;
  model.mover.cost = (struct memlift_mover_cost){200, 256, 1, 16};
  ((struct memlift_store *)(void *)&store)->mover = &model.mover;
  for (size_t i = 0; i < Arena; i += 4)
    for (int k = 0; k < 3; k++) {
      float f = (float)(i * 7 % 1000) * 0.01f + (float)k;
      memcpy(from[k] + i, &f, 4);
    }
  for (int i = 0; i < 256; i++)
    table[i] = (unsigned char)(i * 11);
  for (unsigned per_kib = 256; per_kib <= 1024; per_kib *= 4)
    for (unsigned channels = 1; channels <= 2; channels++) {
      model.mover.cost = (struct memlift_mover_cost){200, per_kib, channels, 16};
      model.setup = 200;
      model.ns_per_kib = per_kib;
      model.channels = channels;
      for (int which = 0; which < Kernels; which++)
        for (size_t bytes = 64 << 10; bytes <= largest; bytes *= 4, all++)
          good += compare(which, bytes, permille, d);
    }
  printf("%d of %d within %u thousandths\n", good, all, permille);
  return good != all || model.violations != 0;
}
