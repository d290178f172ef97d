// debug-values.c - a debugger shows the new value of what a loop computed, or none, never the old.
// REQUIRES: gdb
//
// At each line with a `stop` gdb prints what is named there; it has to be the value, or gone.
// RUN: for cc in %wrappers; do for options in -O1 -O2 \
// RUN:   '-O2 --memlift-runtime=none --memlift-core=cva6' -O3; do %sample; $cc -g $options %s -o %t && %python %S/Inputs/debug-values.py %s %t \
// RUN:   || { echo "failed: $cc $options"; exit 1; }; done; done
//
// A sum is a result of a call: it can be shown at -O1 by all.
// RUN: for cc in %wrappers; do $cc -g -O1 %s -o %t && \
// RUN:   %python %S/Inputs/debug-values.py --shown s %s %t || { echo "failed: $cc"; exit 1; }; done
#include <stddef.h>
#include <string.h>

unsigned char a[5000], b[5000];
volatile int sink;
#define FUNCTION __attribute__((noinline))

FUNCTION unsigned sum(void) {
  unsigned s = 0;
  for (size_t i = 0; i < 4000; i++)
    s += a[i];
  sink = 1; // stop: s 12000
  return s;
}

FUNCTION size_t count(unsigned char *d, size_t n) {
  size_t c = 5;
  for (size_t i = 0; i < n; i++) {
    d[i] = 9;
    c++;
  }
  sink = 2; // stop: c 105
  return c;
}

// The number of rounds is what is left of n.
FUNCTION unsigned char *step(unsigned char *d, const unsigned char *s, size_t n) {
  unsigned char *p = d;
  const unsigned char *q = s;
  size_t left = n;
  while (left) {
    *p++ = *q++;
    left--;
  }
  sink = 3; // stop: left 0, p-d 50, q-s 50
  return p;
}

FUNCTION unsigned char *dead(unsigned char *d, size_t n) {
  unsigned char *p = d;
  size_t i;
  for (i = 0; i < n; i++)
    *p++ = 3;
  sink = 4; // stop: i 10, p-d 10
  return d;
}

FUNCTION size_t row(unsigned char *restrict d, const unsigned char *restrict s, size_t n) {
  unsigned char *p = d;
  size_t left = n;
  while (left >= 8) {
    memcpy(p, s, 8);
    p += 8;
    s += 8;
    left -= 8;
  }
  while (left) {
    *p++ = *s++;
    left--;
  }
  sink = 5; // stop: left 0, p-d 77, s-a 77
  return left;
}

FUNCTION unsigned nest(unsigned char *d, size_t w, size_t h) {
  unsigned done = 1;
  for (size_t y = 0; y < h; y++)
    for (size_t x = 0; x < w; x++) {
      d[y * w + x] = 0;
      done++;
    }
  sink = 6; // stop: done 64
  return done;
}

FUNCTION unsigned either(unsigned char *d, const unsigned char *s, size_t n, size_t m) {
  unsigned k = 0;
  while (n && m) {
    *d++ = *s++;
    n--;
    m--;
    k++;
  }
  sink = 7; // stop: k 30, n 10, m 0, d-b 30
  return k;
}

static inline unsigned added(const unsigned char *p, size_t n) {
  unsigned t = 0;
  while (n--)
    t += *p++;
  sink = 8; // stop: t 300
  return t;
}

FUNCTION unsigned inlined(const unsigned char *p) { return added(p, 100) + added(p, 100); }

int main(void) {
  memset(a, 3, sizeof a);
  unsigned r = sum();
  r += count(b, 100);
  r += *step(b, a, 50);
  r += *dead(b, 10);
  r += row(b, a, 77);
  r += nest(b, 7, 9);
  r += either(b, a, 40, 30);
  r += inlined(a);
  return r == 0;
}
