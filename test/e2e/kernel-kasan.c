// kernel-kasan.c - under KASAN, by the flags of Linux's Makefile, a compiler makes what it makes alone
//
// KASAN checks each access by a call or in place. The code is compared with the stock compiler's, and
// each remark has to say why its loop or call is kept. Without KASAN, loops of this file are replaced.
// Numbers of GCC's labels may differ, and clang's data: remarks need lines, and KASAN then keeps them
// beside the names of variables.
// REQUIRES: riscv64-gcc
// RUN: for cc in %wrappers; do \
// RUN:   kasan="-fsanitize=kernel-address" set="-mllvm -asan-" offset="-mllvm -asan-mapping-offset="; \
// RUN:   case $cc in \
// RUN:     *gcc*) cc=%memlift-riscv64-linux-gnu-gcc stock=%riscv64-gcc set="--param asan-"; \
// RUN:       offset=-fasan-shadow-offset= ;; \
// RUN:     *19) stock="%clang19 --target=riscv64-linux-gnu" ;; \
// RUN:     *22) stock="%clang22 --target=riscv64-linux-gnu" ;; \
// RUN:     *) stock="${cc##*/memlift-} --target=riscv64-linux-gnu" ;; \
// RUN:   esac; \
// RUN:   case $cc in *clang*) cc="$cc --target=riscv64-linux-gnu" ;; esac; \
// RUN:   more="-w -mcmodel=medany -mno-relax -std=gnu11 -fno-strict-aliasing -fno-common"; \
// RUN:   ours="$cc --memlift-runtime=none --memlift-core=cva6 --memlift-remarks=%t.yaml"; \
// RUN:   $ours $more -O2 -c %s -o %t.o && test $(grep -c '^--- !Passed' %t.yaml) -ge 3 || exit 1; \
// RUN:   for threshold in 0 10000; do for level in -O2 -Os; do for file in %s \
// RUN:     %S/../parity/loops/copies.c %S/../parity/loops/words.c %S/../parity/loops/inet.c; do \
// RUN:     [ $file = %s ] || [ $level$threshold = -O20 ] || %seldom; \
// RUN:     flags="$more $kasan ${offset}0xdfffffff00000000 ${set}globals=1 ${set}stack=1"; \
// RUN:     flags="$flags ${set}instrumentation-with-call-threshold=$threshold $level -c $file"; \
// RUN:     $ours $flags -o %t.o && $stock $flags -o %t.stock.o || exit 1; \
// RUN:     for object in %t.o %t.stock.o; do \
// RUN:       riscv64-linux-gnu-objdump -dr $object | sed '1,3d; s/\.L[0-9]*//g' > $object.code; \
// RUN:     done; \
// RUN:     cmp %t.o.code %t.stock.o.code && not grep '^--- !Passed' %t.yaml && \
// RUN:       test $(grep -c '^--- !' %t.yaml) -ge 6 && \
// RUN:       test $(grep -c '^--- !' %t.yaml) = $(grep -c 'String:.*MLF2005' %t.yaml) || \
// RUN:       { echo "failed: $cc $flags"; exit 1; }; \
// RUN:   done; done; done; \
// RUN: done
#include <stddef.h>
#include <stdint.h>

struct request {
  uint64_t words[4];
};

void copy(unsigned char *restrict to, const unsigned char *restrict from, size_t n) {
  for (size_t i = 0; i < n; i++)
    to[i] = from[i];
}

void fill(uint32_t *p, size_t n, uint32_t value) {
  for (size_t i = 0; i < n; i++)
    p[i] = value;
}

void mask(unsigned char *restrict to, const unsigned char *restrict from, size_t n) {
  for (size_t i = 0; i < n; i++)
    to[i] = from[i] ^ 0x5a;
}

uint16_t checksum(const uint16_t *p, size_t n) {
  uint32_t sum = 0;
  for (size_t i = 0; i < n; i++)
    sum += p[i];
  while (sum >> 16)
    sum = (sum & 0xffff) + (sum >> 16);
  return (uint16_t)~sum;
}

void clear(struct request *r) {
  if (((uintptr_t)r & 7) == 0)
    __builtin_memset(r, 0, sizeof *r);
}

void duplicate(struct request *to, const struct request *from) {
  if ((((uintptr_t)to | (uintptr_t)from) & 7) == 0)
    __builtin_memcpy(to, from, sizeof *to);
}

struct __attribute__((packed)) conversion {
  unsigned type : 8;
  int width : 24;
  unsigned flags : 8, base : 8;
  int precision : 16;
};

// The alignment of an argument, which all callers prove, may not change its checks either.
static __attribute__((noinline)) int decode(struct conversion *c, int n) {
  c->precision = n;
  return c->width + c->precision;
}

int decoded(int n) {
  struct conversion c = {0};
  return decode(&c, n) + decode(&c, n + 1);
}
