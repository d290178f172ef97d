// mapped.c - routines of a vendor take the place of memlift's: in every mode, and at the link
// REQUIRES: runtime
//
// RUN: rm -rf %t && mkdir -p %t
// RUN: for cc in %wrappers; do for mode in memlift libc none; do \
// RUN:   map=inet_checksum=vendor_inet,sum_u8=vendor_sum,fill32=vendor_fill; \
// RUN:   map=$map,copy=vendor_copy,move=vendor_move; flags="-O2 --memlift-runtime=$mode"; \
// RUN:   $cc $flags --memlift-map=$map %s -I%S/Inputs -o %t/run \
// RUN:     || { echo "does not link: $cc $mode"; exit 1; }; \
// RUN:   nm %t/run | not grep memlift_ || { echo "not mapped: $cc $mode"; exit 1; }; \
// RUN:   %t/run || { echo "failed: $cc $mode"; exit 1; }; \
// RUN: done; done
//
// Several files: the loops are in one and the vendor's routines in another. In one program of LTO
// nothing calls the routines until the link has seen the loops.
// RUN: for cc in %wrappers; do \
// RUN:   case $cc in *clang*) modes="-fno-lto -flto=full -flto=thin"; lld=-fuse-ld=lld ;; \
// RUN:     *) modes="-fno-lto -flto"; lld= ;; esac; \
// RUN:   map=inet_checksum=vendor_inet,sum_u8=vendor_sum,fill32=vendor_fill; \
// RUN:   flags="--memlift-runtime=none --memlift-map=$map,copy=vendor_copy,move=vendor_move"; \
// RUN:   for mode in $modes; do \
// RUN:     for part in LOOPS VENDOR MAIN; do \
// RUN:       $cc -O2 $mode $flags -I%S/Inputs -DPART -D$part -c %s -o %t/$part.o || exit 1; \
// RUN:     done; \
// RUN:     $cc -O2 $mode $lld $flags %t/MAIN.o %t/LOOPS.o %t/VENDOR.o -o %t/run && %t/run \
// RUN:       || { echo "failed: $cc $mode"; exit 1; }; \
// RUN:   done; done
//
// Without a mode that calls, a loop whose operation is not mapped stays.
// RUN: for cc in %wrappers; do \
// RUN:   $cc -O2 --memlift-runtime=none --memlift-map=copy=vendor_copy -I%S/Inputs -DPART \
// RUN:     -DLOOPS -c %s -o %t/LOOPS.o && nm -u %t/LOOPS.o >%t/nm && \
// RUN:     not grep "vendor_fill\|vendor_move" %t/nm || exit 1; \
// RUN: done
#include "mapped.h"

#ifndef PART
#define LOOPS
#define VENDOR
#define MAIN
#define APART __attribute__((noinline))
#else
#define APART
#endif

uint16_t inet(const uint16_t *p, size_t n);
uint32_t sum(const uint8_t *p, size_t n);
void fill(uint32_t *p, size_t n, uint32_t v);
void copy(uint8_t *restrict d, const uint8_t *restrict s, size_t n);
void move(uint8_t *p, size_t n);

#ifdef LOOPS
APART uint16_t inet(const uint16_t *p, size_t n) {
  uint32_t s = 0;
  for (size_t i = 0; i < n; i++) {
    s += p[i];
    s = (s & 0xffff) + (s >> 16);
  }
  return (uint16_t)s;
}

APART uint32_t sum(const uint8_t *p, size_t n) {
  uint32_t s = 0;
  for (size_t i = 0; i < n; i++)
    s += p[i];
  return s;
}

APART void fill(uint32_t *p, size_t n, uint32_t v) {
  for (size_t i = 0; i < n; i++)
    p[i] = v;
}

APART void copy(uint8_t *restrict d, const uint8_t *restrict s, size_t n) {
  for (size_t i = 0; i < n; i++)
    d[i] = s[i];
}

APART void move(uint8_t *p, size_t n) {
  for (size_t i = 0; i < n; i++)
    p[i] = p[i + 3];
}
#endif

#ifdef VENDOR
volatile unsigned vendor_calls;

// The loops of these would become calls of themselves: they are left alone, and so is what they
// call.
static uint32_t step(const uint16_t *w, size_t n, uint32_t s) {
  for (size_t i = 0; i < n; i++) {
    s += w[i];
    s = (s & 0xffff) + (s >> 16);
  }
  return s;
}

uint32_t vendor_inet(const void *p, size_t n, uint32_t init) {
  vendor_calls += 1;
  return step(p, n / 2, init);
}

uint64_t vendor_sum(const void *p, size_t n) {
  const uint8_t *b = p;
  uint64_t s = 0;
  vendor_calls += 10;
  for (size_t i = 0; i < n; i++)
    s += b[i];
  return s;
}

void vendor_fill(void *dst, uint32_t v, size_t n) {
  uint32_t *w = dst;
  vendor_calls += 100;
  for (size_t i = 0; i < n / 4; i++)
    w[i] = v;
}

// Returns what nobody asks for.
int vendor_copy(void *restrict dst, const void *restrict src, size_t n) {
  uint8_t *d = dst;
  const uint8_t *s = src;
  vendor_calls += 1000;
  for (size_t i = 0; i < n; i++)
    d[i] = s[i];
  return -1;
}

void vendor_move(void *dst, const void *src, size_t n) {
  uint8_t *d = dst;
  const uint8_t *s = src;
  vendor_calls += 10000;
  for (size_t i = 0; i < n; i++)
    d[i] = s[i];
}
#endif

#ifdef MAIN
static uint32_t words[300];
static uint8_t bytes[1200];

int main(void) {
  fill(words, 300, 0x01020304);
  copy(bytes, (const uint8_t *)words, sizeof bytes);
  move(bytes, sizeof bytes - 4);
  if (sum(bytes, sizeof bytes) != 300 * 10 || inet((const uint16_t *)words, 600) == 0)
    return 1;
  return vendor_calls != 11111;
}
#endif
