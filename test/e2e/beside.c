// beside.c - few bytes stay with a loop beside which the same bytes are written or read
// REQUIRES: runtime
// RUN: rm -rf %t && mkdir -p %t && cd %t && for cc in %wrappers; do \
// RUN:   rm -f x.yaml && $cc -O2 -c %s -o x.o --memlift-remarks=x.yaml && \
// RUN:   %memlift-report -v --no-source x.yaml | %filecheck %s && \
// RUN:   $cc -O2 -g -c %s -o g.o && objdump -d x.o | tail -n +4 > x.s && \
// RUN:   objdump -d g.o | tail -n +4 > g.s && cmp x.s g.s || exit 1; done
#include <stddef.h>
#include <stdint.h>

// CHECK: read_after: fill lowered
// CHECK: more than 64 bytes where they are written or read beside the loop
uint16_t read_after(uint16_t *d, size_t n, uint16_t v) {
  for (size_t i = 0; i < n; i++)
    d[i] = v;
  return d[0];
}

// Whole vectors wait for narrower stores: numbers of 64 bits are added as fast up to 256 bytes.
// CHECK: written_before: sum lowered
// CHECK: more than 256 bytes where
uint64_t written_before(uint64_t *s, size_t n, uint64_t v) {
  uint64_t sum = 0;
  s[1] = v;
  for (size_t i = 0; i < n; i++)
    sum += s[i];
  return sum;
}

struct arena {
  unsigned n[512], to[512], from[512];
  uint8_t d[16384], s[16384];
};

// A copy that became a call stays beside it for few bytes, whatever pointers the call has.
// CHECK: in_a_loop: move lowered
// CHECK: in_a_loop: sum lowered
// CHECK: more than {{64|128}} bytes where they are written or read beside the loop
uint64_t in_a_loop(struct arena *a) {
  uint64_t sum = 0;
  for (unsigned c = 0; c < 512; c++) {
    uint8_t *d = a->d + a->to[c], *s = a->s + a->from[c];
    unsigned n = a->n[c];
    for (unsigned i = 0; i < n; i++)
      d[i] = s[i];
    uint32_t t = 0;
    for (unsigned i = 0; i < n; i++)
      t += d[i];
    sum += t;
  }
  return sum;
}

// A short copy of constant size is in line, and the sum of it stays.
// CHECK: in_line: sum kept
// CHECK: more than 512 bytes where they are written or read beside the loop
uint32_t in_line(uint16_t *d, const uint16_t *s) {
  uint32_t sum = 0;
  __builtin_memcpy(d, s, 256);
  for (size_t i = 0; i < 128; i++)
    sum += d[i];
  return sum;
}

// A call that is read by a loop behind a test of its own stays, too.
// CHECK-DAG: swapped: copy_swap guarded
// CHECK-DAG: swapped: copy already
uint32_t swapped(uint8_t *restrict d, const uint8_t *restrict s, size_t n) {
  uint32_t *e = (uint32_t *)(d + 2048);
  __builtin_memcpy(d, s, n);
  for (size_t i = 0; i < n / 4; i++)
    e[i] = __builtin_bswap32(((uint32_t *)d)[i]);
  return e[1];
}

// The C library's routine stays where its bytes are read at once.
// CHECK: library: fill already
int library(struct arena *a, int *d) {
  int sum = 0;
  for (unsigned c = 0; c < 512; c++) {
    int *slot = d + a->to[c], size = 4 << (a->n[c] & 3);
    __builtin_memset(slot, 255, size * sizeof *slot);
    sum += slot[3];
  }
  return sum;
}

// Near misses: another array, and a call in between.
// CHECK: read_elsewhere: fill lowered
// CHECK-NOT: beside the loop
uint16_t read_elsewhere(uint16_t *d, const uint16_t *s, size_t n, uint16_t v) {
  for (size_t i = 0; i < n; i++)
    d[i] = v;
  return s[0];
}

void callback(void);
// CHECK: read_later: fill lowered
// CHECK-NOT: beside the loop
uint16_t read_later(uint16_t *d, size_t n, uint16_t v) {
  for (size_t i = 0; i < n; i++)
    d[i] = v;
  callback();
  return d[0];
}
