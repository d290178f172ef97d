// untouched.c - code that nothing was done to is the code of the compiler alone
//
// Calls in blocks of their own are looked at as if they might be one operation: that leaves no trace
// where they are not. --memlift-off loads the plugin, too, but does nothing at all.
// RUN: rm -rf %t && mkdir -p %t && cd %t && for cc in %wrappers; do for level in -O1 -O2 -O3 -Os; do \
// RUN:   $cc $level --memlift-off -S %s -o off.s && \
// RUN:   $cc $level --memlift-runtime=libc -S %s -o on.s && cmp off.s on.s \
// RUN:   || { echo "failed: $cc $level"; exit 1; }; \
// RUN: done; done
#include <string.h>

void copies(char *a, char *b, size_t n, size_t m, int c) {
  if (c)
    memcpy(a, b, n);
  else
    a[0] = 1;
  if (m > 3)
    memcpy(a + 100, b + 50, m);
  a[7] = b[3];
}

void fills(char *a, char *b, size_t n, size_t m, int c, int *x) {
  x[1] += 3;
  memset(a, 0, n);
  x[2] *= x[1];
  if (c > 7) {
    memset(b, 0, m);
    x[3] -= x[2];
  } else {
    x[4] = 5;
  }
}

/* A loop and a call, in a row and about different things. */
void both(char *a, int *x, size_t n, size_t m, int c) {
  for (size_t i = 0; i < n; i++)
    x[3 * i] = c;
  if (m)
    memset(a, 0, m);
  if (c > 2)
    memset(a + n, 1, m);
  x[0] = a[1];
}
