// stream.c - runs each kernel as the plain compiler made it and by blocks, and compares all bytes
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arrays end at a page that cannot be accessed, or overlap at many distances.
#include "memlift/local_store.h"
#include "stream-kernels.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { Arena = 1 << 16, Page = 4096, Middle = 24576 };

static uint8_t *arena[2]; // each before a page without access
static uint8_t start[Arena], table[256];
static uint64_t cases;

static uint64_t state = 88172645463325252u;

static uint32_t any(void) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return (uint32_t)(state >> 16);
}

static void *guarded(void) {
  uint8_t *p = mmap(0, Arena + Page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (p == MAP_FAILED || mprotect(p + Arena, Page, PROT_NONE))
    exit(2);
  return p;
}

/// Fills the arena: bytes of any value, or floats that are neither large nor NaN.
static void fill(int floats) {
  for (size_t i = 0; i < Arena; i += 4) {
    float f = (float)(int)(any() % 20001 - 10000) * 0.001f;
    uint32_t u = any();
    memcpy(start + i, floats ? (void *)&f : (void *)&u, 4);
  }
}

static void run(const struct kernel *p, const struct kernel *s, struct job j, size_t d, size_t a,
                size_t b) {
  uint64_t result[2];
  for (int i = 0; i < 2; ++i) {
    memcpy(arena[i], start, Arena);
    struct job one = j;
    one.d = arena[i] + d;
    one.a = arena[i] + a;
    one.b = arena[i] + b;
    result[i] = (i ? s : p)->run(&one);
  }
  if (result[0] != result[1] || memcmp(arena[0], arena[1], Arena)) {
    printf("%s differs: n %zu, w %zu, h %zu, pitch %zu, d %zu, a %zu, b %zu\n", p->name, j.n, j.w,
           j.h, j.pitch, d, a, b);
    exit(1);
  }
  ++cases;
}

/// Arrays apart, the last one up to the end of the arena; or in one another.
static void places(const struct kernel *p, const struct kernel *s, struct job j, size_t bytes) {
  size_t e = p->element, shift = any() % 64 / e * e, third = Arena / 3 / 64 * 64;
  bytes = (bytes + e - 1) / e * e;
  run(p, s, j, shift, third + any() % 64 / e * e, Arena - bytes);
  run(p, s, j, Arena - bytes, shift, third + any() % 64 / e * e);
  run(p, s, j, third, Arena - bytes, any() % 64 / e * e);
  size_t near = 64 + any() % (bytes + 65);
  run(p, s, j, Middle, Middle + any() % near / e * e, Middle - any() % near / e * e);
  run(p, s, j, Middle, Middle - any() % near / e * e, Middle + any() % near / e * e);
  run(p, s, j, Middle, Middle, Middle);
}

static void lengths(const struct kernel *p, const struct kernel *s, size_t n) {
  struct job j = {0, 0, 0, table, n, 0, 0, 0};
  places(p, s, j, (n + 4) * 4);
  j.w = n % 31;
  j.h = n / 12;
  j.pitch = 24 + j.w + any() % 8;
  places(p, s, j, 3 * j.pitch * (j.h + 1) + (n + 4) * 4);
  j.pitch = j.w ? j.w : 1; // no gap between rows
  places(p, s, j, 3 * (j.pitch + 24) * (j.h + 1) + (n + 4) * 4);
}

static void kernels(size_t step) {
  for (size_t k = 0; plain[k].run; ++k) {
    for (size_t n = 0; n <= 300; n += n < 20 ? 1 : step) {
      fill(plain[k].element == 4);
      for (int i = 0; i < 256; ++i)
        table[i] = (uint8_t)any();
      lengths(&plain[k], &blocks[k], n);
    }
    lengths(&plain[k], &blocks[k], 1000);
    lengths(&plain[k], &blocks[k], 1023);
  }
}

/* Without a local store the source's loops run. */
int main(int argc, char **argv) {
  static struct memlift_local_store store;
  static _Alignas(64) unsigned char memory[16384];
  size_t step = argc > 1 ? (size_t)atoi(argv[1]) : 1;
  arena[0] = guarded();
  arena[1] = guarded();
  kernels(4 * step);
  if (memlift_store_bind(&store, memory, sizeof memory, 0) != MEMLIFT_OK)
    return 2;
  kernels(step);
  printf("%llu cases agree\n", (unsigned long long)cases);
  return 0;
}
