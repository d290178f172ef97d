// remarks.c - one remark file from each compiler, emptied by each command that writes it.
//
// RUN: rm -rf %t && mkdir -p %t && cd %t && for cc in %wrappers; do \
// RUN:   echo leftover >r.yaml && \
// RUN:   $cc -O2 -c %s -o one.o --memlift-remarks=r.yaml && not grep leftover r.yaml && \
// RUN:   grep -c '^Pass: *memlift' r.yaml | grep -x 2 && \
// RUN:   grep -c "^Function: *'*fill'*$" r.yaml | grep -x 1 && \
// RUN:   cp r.yaml first.yaml && $cc one.o -shared -o one.so --memlift-remarks=r.yaml && \
// RUN:     cmp r.yaml first.yaml && \
// RUN:   $cc -O2 -c %s -o one.o --memlift-remarks=r.yaml && cmp r.yaml first.yaml && \
// RUN:   %memlift-report r.yaml >report && grep -q 'fill' report && grep -q 'MLF' report \
// RUN:   || { echo "failed: $cc"; exit 1; }; \
// RUN: done
//
// Two sources in one command share the file.
// RUN: cd %t && cp %s two.c && for cc in %wrappers; do \
// RUN:   $cc -O2 -c %s two.c --memlift-remarks=both.yaml && \
// RUN:   grep -c '^Pass: *memlift' both.yaml | grep -x 4 || { echo "failed: $cc"; exit 1; }; \
// RUN: done
#include <stddef.h>
#include <stdint.h>

void fill(uint32_t *to, uint32_t value, size_t count) {
  for (size_t i = 0; i < count; i++)
    to[i] = value;
}

void keep(volatile uint32_t *to, uint32_t value, size_t count) {
  for (size_t i = 0; i < count; i++)
    to[i] = value;
}
