// engine.c - large loops of a program go through the soft engine, and nothing changes
// REQUIRES: runtime, clang-22, gcc-12
// RUN: %memlift-clang-22 -O2 -I %runtime_inc %s -o %t.clang
// RUN: %t.clang > %t.clang.cpu
// RUN: env MEMLIFT_ENGINE=soft %t.clang > %t.clang.soft
// RUN: %memlift-gcc -O2 -I %runtime_inc %s -o %t.gcc
// RUN: %t.gcc > %t.gcc.cpu
// RUN: env MEMLIFT_ENGINE=soft %t.gcc > %t.gcc.soft
// RUN: env MEMLIFT_ENGINE=none-such %t.gcc > %t.gcc.none
//
// The bytes are the same in all five runs; only the soft engine counts commands.
// RUN: grep '^hash' %t.clang.cpu > %t.expected
// RUN: for run in %t.clang.soft %t.gcc.cpu %t.gcc.soft %t.gcc.none; do \
// RUN:   grep '^hash' $run | cmp - %t.expected || exit 1; done
// RUN: grep -x 'engine used: no' %t.clang.cpu %t.gcc.cpu %t.gcc.none
// The soft device needs process_vm_readv, which some containers refuse.
// RUN: if %memlift-info | grep -q '^ *soft *present'; then used=yes; else used=no; fi; \
// RUN:   grep -x "engine used: $used" %t.clang.soft && grep -x "engine used: $used" %t.gcc.soft
#include <memlift/memlift.h>

#include <stdint.h>
#include <stdio.h>

enum { SIZE = 1 << 20 };
static uint32_t from[SIZE], to[SIZE + 3];

__attribute__((noinline)) static void fill(uint32_t *d, size_t n, uint32_t v) {
  for (size_t i = 0; i < n; i++)
    d[i] = v;
}

__attribute__((noinline)) static void copy(uint32_t *d, const uint32_t *s, size_t n) {
  for (size_t i = 0; i < n; i++)
    d[i] = s[i];
}

int main(void) {
  uint64_t hash = 14695981039346656037u;
  for (size_t i = 0; i < SIZE; i++)
    from[i] = (uint32_t)(i * 2654435761u);
  fill(to, SIZE + 3, 0x01020304);
  copy(to + 1, from, SIZE / 2);
  fill(from + 5, SIZE / 2, 7);
  copy(to + SIZE / 2 + 3, from + 1, SIZE / 2);
  copy(to + 9, to, SIZE / 4); // overlaps: the first elements are repeated
  for (size_t i = 0; i < SIZE; i++)
    hash = (hash ^ to[i] ^ (uint64_t)from[i] << 32) * 1099511628211u;
  printf("hash %016llx\n", (unsigned long long)hash);
  struct memlift_engine_counters counters;
  if (memlift_engine_count(&counters, sizeof counters) != MEMLIFT_OK)
    return 1;
  printf("engine used: %s\n", counters.engine_bytes ? "yes" : "no");
  return 0;
}
