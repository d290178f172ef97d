// code-budget.c - of hundreds of loops in one function not all become loops in place
//
// The others are kept, and say so. Calls take nothing of the budget.
// RUN: rm -rf %t && mkdir -p %t && cd %t && for cc in %wrappers; do \
// RUN:   $cc -O2 -w --memlift-runtime=none --memlift-core=cva6 --memlift-remarks=r.yaml %s -o run && ./run && \
// RUN:     few=$(grep -c MLF1011 r.yaml) kept=$(grep -c "have used up its code budget" r.yaml) && \
// RUN:     [ $few -ge 2 ] && [ $few -le 8 ] && [ $kept -ge 56 ] || \
// RUN:     { echo "in place: $cc: $few, kept: $kept"; exit 1; }; \
// RUN:   $cc -O2 -w --memlift-remarks=r.yaml -c %s && ! grep "have used up" r.yaml && \
// RUN:     [ $(grep -c "^--- !Passed" r.yaml) -ge 60 ] || { echo "calls: $cc"; exit 1; }; \
// RUN: done
#include <stdio.h>
#include <string.h>

#define COPY for (i = 0; i < n; i++) d[i] = s[i]; between(&d, &s, &n);
#define FOUR(X) X X X X

static int count;
static __attribute__((noinline)) void between(unsigned char **d, const unsigned char **s,
                                              unsigned long *n) {
  count += memcmp(*d, *s, *n) != 0;
  *d += *n;
  *s += *n;
  *n = *n * 5 % 37;
}

__attribute__((noinline)) static void all(unsigned char *restrict d,
                                          const unsigned char *restrict s, unsigned long n) {
  unsigned long i;
  FOUR(FOUR(FOUR(COPY)))
}

int main(void) {
  static unsigned char from[4096], to[4096];
  for (unsigned i = 0; i < sizeof from; i++)
    from[i] = (unsigned char)(i * 167 >> 3);
  all(to + 1, from + 2, 36);
  if (count)
    printf("%d copies differ\n", count);
  return count != 0;
}
