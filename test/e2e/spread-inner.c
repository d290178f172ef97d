// spread-inner.c - loops inside one that threads compute are not looked at again where they were
// REQUIRES: runtime
// RUN: for cc in %wrappers; do for level in -O1 -O2 -O3; do \
// RUN:   rm -f %t.yaml && $cc $level -fwrapv %s -o %t --memlift-remarks=%t.yaml && %t && \
// RUN:   %memlift-report --no-source --format csv %t.yaml | grep -c MLF1019 | grep -qx 2 || \
// RUN:     { echo "failed: $cc $level"; exit 1; }; done; done
#include <stddef.h>
#include <stdlib.h>

#define SPREAD __attribute__((noinline, memlift("spread")))
#define OFF __attribute__((noinline, memlift("off")))

// The inner loop stays a loop, and the one of few steps is part of the value.
#define LOOPS(name, attribute, steps)                                                              \
  attribute void name(int *restrict d, const int *restrict a, size_t n) {                          \
    for (size_t i = 0; i < n; i++) {                                                               \
      int c = a[i];                                                                                \
      for (int k = 0; k < steps; k++)                                                              \
        c = c & 1 ? c * 5 : c >> 1;                                                                \
      d[i] = c;                                                                                    \
    }                                                                                              \
  }
LOOPS(many, SPREAD, 40)
LOOPS(few, SPREAD, 4)
LOOPS(many_plain, OFF, 40)
LOOPS(few_plain, OFF, 4)

int main(void) {
  static const size_t sizes[] = {0, 1, 17, 4096, 100003};
  for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
    const size_t n = sizes[k];
    int *a = malloc(4 * n + 4), *d = malloc(4 * n + 4), *e = malloc(4 * n + 4);
    for (size_t i = 0; i < n; i++)
      a[i] = (int)(i * 2654435761u >> 7);
    many(d, a, n), many_plain(e, a, n);
    for (size_t i = 0; i < n; i++)
      if (d[i] != e[i])
        return 1;
    few(d, a, n), few_plain(e, a, n);
    for (size_t i = 0; i < n; i++)
      if (d[i] != e[i])
        return 2;
    free(a), free(d), free(e);
  }
  return 0;
}
