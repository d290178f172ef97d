// report-diff.c - a comment is no change, two compilers agree, and a lost loop fails the check.
//
// REQUIRES: clang-22, gcc-12
// RUN: rm -rf %t && mkdir -p %t/a %t/b && cd %t
// RUN: sed '/^\/\//d' %s >a/x.c && awk '{ print "/* a comment */" } { print }' a/x.c >b/x.c
// RUN: for cc in %memlift-clang-22 %memlift-gcc; do for d in a b; do \
// RUN:   (cd $d && $cc -O2 -g -c x.c --memlift-remarks=$(basename $cc).yaml) || exit 1; done; done
//
// Every line moved; the diff is empty, with the source at hand and without.
// RUN: for cc in %memlift-clang-22 %memlift-gcc; do f=$(basename $cc).yaml; \
// RUN:   %memlift-report diff --no-source a/$f b/$f | grep -x 'no change in 4 loops' && \
// RUN:   %memlift-report diff --source-before a --source b a/$f b/$f | \
// RUN:     grep -x 'no change in 4 loops' || exit 1; done
// RUN: %memlift-report diff --source a a/*clang*.yaml a/*gcc*.yaml | grep -x 'no change in 4 loops'
//
// A call in the loop: kept, so lost; the check names the reason.
// RUN: %memlift-report update-baseline --config clang a/*clang*.yaml | grep '4 loops of clang'
// RUN: sed -i 's|    to\[i\] = 0;|    to[i] = 0, tell();|' b/x.c && cd b && \
// RUN:   %memlift-clang-22 -O2 -g -c x.c --memlift-remarks=x.yaml && cd ..
// RUN: not %memlift-report check --config clang b/x.yaml >out && grep 'lost: 1 loop' out && \
// RUN:   grep 'MLF2012' out
// RUN: %memlift-report check --config clang --allow MLF2012 b/x.yaml
#include <stddef.h>
#include <stdint.h>

void tell(void);

void clear(uint8_t *to, size_t count) {
  for (size_t i = 0; i < count; i++)
    to[i] = 0;
}

void copy(uint8_t *to, const uint8_t *from, size_t count) {
  for (size_t i = 0; i < count; i++)
    to[i] = from[i];
}

uint32_t sum_and_gaps(uint8_t *to, const uint8_t *from, size_t count) {
  uint32_t sum = 0;
  for (size_t i = 0; i < count; i++)
    sum += from[i];
  for (size_t i = 0; i < count; i++)
    to[4 * i] = 1;
  return sum;
}
